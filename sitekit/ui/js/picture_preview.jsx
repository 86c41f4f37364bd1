// @ts-check
// The picture whose address is in the input of its field, and its crop; see sitekit/admin/components/picture_field.py.
import { useEffect, useRef, useState } from "react";
import { cropOf, cropStyle, withCrop, withoutCrop } from "./crop.js";
import { CropFrame } from "./crop_frame.jsx";
import { UPLOADED } from "./picture.jsx";

const ANSWER_TIMEOUT = 5000; // ms

// Addresses that the content security policy allows; others would be blocked with an error in the console.
const MAY_BE_SHOWN = /^(https:\/\/|\/(?!\/))/;

// The shape of the frame that crops a picture. Logos are never cropped.
const RATIOS = { portrait: 4 / 5, cover: 16 / 5 };
const TOO_WIDE = 1.6; // for the square in which lists show a logo

// Whether an address answers with a picture that this browser shows, as those of visitors do.
async function answers(address) {
  if (!MAY_BE_SHOWN.test(address)) return false;
  const isLoaded = await new Promise((resolve) => {
    const image = new Image();
    image.onload = () => resolve(true);
    image.onerror = () => resolve(false);
    image.src = address;
  });
  if (!isLoaded || !address.startsWith("/")) return isLoaded;
  // The server draws a placeholder for an uploaded picture that is missing, and a browser shows it as any picture.
  return fetch(address).then(({ ok }) => ok, () => true);
}

/** @typedef {{ address: string, isAnswered?: boolean, settled?: Promise<void> }} Finding */

export function PicturePreview({ fallback, shape, stored, isHidden, words, children }) {
  const place = useRef(null);
  const saved = useRef(stored);
  const finding = useRef(/** @type {Finding} */ ({ address: "", isAnswered: true })); // about the present address; undefined until it is known
  const [address, setAddress] = useState(""); // with its crop
  const [natural, setNatural] = useState(null); // the width and height of the picture
  const [isOpen, setOpen] = useState(false); // the address is shown, though it is that of an uploaded picture
  const [broken, setBroken] = useState("");
  const [isAnswered, setAnswered] = useState(false);
  const [isChecking, setChecking] = useState(false);
  useEffect(() => { saved.current = stored; });
  useEffect(() => {
    const control = place.current.closest(".backoffice-field").querySelector("input[name]");
    const settle = (one, isAnswered) => {
      one.isAnswered = isAnswered;
      if (finding.current !== one) return;
      setBroken(isAnswered ? "" : one.address);
      setAnswered(isAnswered);
    };
    const look = (typed) => {
      const wanted = withoutCrop(typed);
      /** @type {Finding} */
      const one = { address: wanted, isAnswered: wanted ? undefined : true };
      if (wanted !== finding.current.address) setNatural(null);
      finding.current = one;
      setAddress(typed);
      setBroken("");
      setAnswered(false);
      if (!wanted) return;
      one.settled = new Promise((resolve) => {
        const timer = setTimeout(() => resolve(settle(one, false)), ANSWER_TIMEOUT);
        // An answer that comes later than that still counts.
        answers(wanted).then((isAnswered) => {
          clearTimeout(timer);
          resolve(settle(one, isAnswered));
        });
      });
    };
    const read = () => {
      const typed = control.value.trim();
      if (withoutCrop(typed) === finding.current.address) setAddress(typed);
      else look(typed);
    };
    const again = () => look(control.value.trim());
    const pasted = () => setTimeout(read);
    let isHeld = false;
    // Submit the form again as soon as it is known what the address answers with.
    const hold = async (form, submitter) => {
      if (isHeld) return;
      isHeld = true;
      const then = form.elements.then.value;
      setChecking(true);
      await finding.current.settled;
      isHeld = false;
      setChecking(false);
      if (!form.isConnected) return;
      form.elements.then.value = then;
      form.requestSubmit(submitter);
      form.elements.then.value = "";
    };
    const submitted = (event) => {
      const form = event.target;
      if (!form.contains(place.current)) return;
      // Keys may submit a form without a change of the field that has the focus.
      read();
      const { address: sent, isAnswered } = finding.current;
      if (isAnswered === undefined) {
        event.preventDefault();
        event.stopImmediatePropagation();
        hold(form, event.submitter);
        return;
      }
      const addFinding = ({ formData }) => formData.set(`${control.name}_finding`, isAnswered ? "picture" : "none");
      form.addEventListener("formdata", addFinding);
      setTimeout(() => form.removeEventListener("formdata", addFinding));
      if (isAnswered || sent === withoutCrop(saved.current) || form.elements.then.value) return;
      // It is saved, and the form stays open, so that the message beside the field is read.
      form.elements.then.value = "stay";
      setTimeout(() => { form.elements.then.value = ""; });
      control.focus();
    };
    look(control.value.trim());
    const listeners = [
      // Not while typing: an incomplete address may be a valid one.
      [control, "change", again],
      [control, "filled", read],
      [control, "paste", pasted],
      // On the window: before all others, which would count the form as submitted.
      [window, "submit", submitted, true],
    ];
    for (const listener of listeners) listener[0].addEventListener(...listener.slice(1));
    return () => {
      for (const listener of listeners) listener[0].removeEventListener(...listener.slice(1));
    };
  }, []);
  const picture = withoutCrop(address);
  const isShown = MAY_BE_SHOWN.test(picture) && broken !== picture;
  const isUnanswered = broken !== "" && broken === withoutCrop(stored);
  const missing = address && !isShown ? words[isUnanswered ? "unanswered" : "missing"] : "";
  const found = isHidden && isAnswered && picture === withoutCrop(stored) ? words.answered : missing;
  const said = isChecking ? words.checking : found;
  const input = () => place.current.closest(".backoffice-field").querySelector("input[name]");
  const type = (typed, ...events) => {
    input().value = typed;
    for (const event of ["input", ...events]) input().dispatchEvent(new Event(event, { bubbles: true }));
  };
  const crop = (next) => {
    const typed = withCrop(address, next);
    type(typed);
    setAddress(typed);
  };
  // Hardly anybody types the address of an uploaded picture.
  const isUploaded = UPLOADED.test(picture);
  useEffect(() => {
    const isFolded = isUploaded && !isOpen && document.activeElement !== input();
    place.current.closest(".picture-field").dataset.isFolded = isFolded;
  }, [isUploaded, isOpen]);
  const remove = () => {
    type("", "change");
    place.current.querySelector("button").focus();
  };
  // The JPEG has no transparent parts.
  const src = picture.replace(UPLOADED, "$1-$2.webp");
  const style = shape in RATIOS ? cropStyle(address) : undefined;
  const measure = (/** @type {import("react").SyntheticEvent<HTMLImageElement>} */ { currentTarget }) => {
    const { naturalWidth: width, naturalHeight: height } = currentTarget;
    setNatural(width && height ? { width, height } : null);
  };
  const isWide = natural && natural.width / natural.height > TOO_WIDE;
  const also = isShown && natural && words[shape];
  // A click gives it the focus, so that a picture can be pasted.
  return (
    <>
      <div ref={place} tabIndex={-1} className={`picture-preview picture-${shape}`} data-is-fallback={!isShown}>
        <span className="picture-shown">
          <img key={src} src={isShown ? src : fallback || undefined} style={isShown ? style : undefined} alt=""
            onLoad={isShown ? measure : undefined} onError={() => setBroken(isShown ? picture : "")} />
        </span>
        <div className="picture-side">
          {children}
          <p role="status" data-is-warning={isUnanswered || undefined}>
            {said}
          </p>
          <div className="picture-links">
            {address && <button type="button" onClick={remove}>{words.remove}</button>}
            {isUploaded && (
              <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
                {words.address}
              </button>
            )}
          </div>
        </div>
      </div>
      {also && (
        <div className={`picture-crop picture-${shape}`}>
          {shape in RATIOS && (
            <CropFrame src={src} natural={natural} ratio={RATIOS[shape]} crop={cropOf(address)} words={words} onCrop={crop} />
          )}
          <figure>
            <img src={src} style={style} alt="" />
            <figcaption>{also}{shape === "logo" && isWide && <> <strong>{words.wide}</strong></>}</figcaption>
          </figure>
        </div>
      )}
    </>
  );
}
