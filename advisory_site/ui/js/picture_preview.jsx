// A small copy of the picture whose address is in the input of its field; see ui/backoffice/picture_field.py.
import { useEffect, useRef, useState } from "react";

// Addresses that the content security policy allows; others would be blocked with an error in the console.
const MAY_BE_SHOWN = /^(https:\/\/|\/(?!\/))/;

export function PicturePreview({ fallback, shape, missing, children }) {
  const place = useRef(null);
  const [address, setAddress] = useState("");
  const [broken, setBroken] = useState("");
  useEffect(() => {
    const control = place.current.closest(".backoffice-field").querySelector("input[name]");
    const read = () => {
      setAddress(control.value.trim());
      setBroken("");
    };
    const pasted = () => setTimeout(read);
    read();
    // Not while typing: an incomplete address may be a valid one.
    const events = { change: read, filled: read, paste: pasted };
    for (const [name, listen] of Object.entries(events)) control.addEventListener(name, listen);
    return () => {
      for (const [name, listen] of Object.entries(events)) control.removeEventListener(name, listen);
    };
  }, []);
  const isShown = MAY_BE_SHOWN.test(address) && broken !== address;
  // The server draws a placeholder for an uploaded picture that is missing, and a browser shows it as any picture.
  const check = () => {
    if (!isShown || !address.startsWith("/")) return;
    fetch(address).then(({ ok }) => { if (!ok) setBroken(address); }, () => {});
  };
  // A click gives it the focus, so that a picture can be pasted.
  return (
    <div ref={place} tabIndex={-1} className={`picture-preview picture-${shape}`} data-is-fallback={!isShown}>
      <img src={isShown ? address : fallback || undefined} alt="" onLoad={check}
        onError={() => setBroken(isShown ? address : "")} />
      <div className="picture-side">
        {children}
        <p role="status">{address && !isShown ? missing : ""}</p>
      </div>
    </div>
  );
}
