// A small copy of the picture whose address is in the input of its field; see ui/backoffice/picture_field.py.
import { useEffect, useRef, useState } from "react";

const ANSWER_TIMEOUT = 5000; // ms

// Addresses that the content security policy allows; others would be blocked with an error in the console.
const MAY_BE_SHOWN = /^(https:\/\/|\/(?!\/))/;

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

export function PicturePreview({ fallback, shape, stored, words, children }) {
  const place = useRef(null);
  const saved = useRef(stored);
  const finding = useRef({ address: "", isAnswered: true }); // about the present address; undefined until it is known
  const [address, setAddress] = useState("");
  const [broken, setBroken] = useState("");
  const [isChecking, setChecking] = useState(false);
  useEffect(() => { saved.current = stored; });
  useEffect(() => {
    const control = place.current.closest(".backoffice-field").querySelector("input[name]");
    const settle = (one, isAnswered) => {
      one.isAnswered = isAnswered;
      if (finding.current === one) setBroken(isAnswered ? "" : one.address);
    };
    const look = (wanted) => {
      const one = { address: wanted, isAnswered: wanted ? undefined : true };
      finding.current = one;
      setAddress(wanted);
      setBroken("");
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
      if (typed !== finding.current.address) look(typed);
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
      if (isAnswered || sent === saved.current || form.elements.then.value) return;
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
  const isShown = MAY_BE_SHOWN.test(address) && broken !== address;
  const isUnanswered = broken !== "" && broken === stored;
  const found = address && !isShown ? words[isUnanswered ? "unanswered" : "missing"] : "";
  const said = isChecking ? words.checking : found;
  // A click gives it the focus, so that a picture can be pasted.
  return (
    <div ref={place} tabIndex={-1} className={`picture-preview picture-${shape}`} data-is-fallback={!isShown}>
      <img src={isShown ? address : fallback || undefined} alt="" onError={() => setBroken(isShown ? address : "")} />
      <div className="picture-side">
        {children}
        <p role="status" data-is-warning={isUnanswered || undefined}>
          {said}
        </p>
      </div>
    </div>
  );
}
