// A small copy of the picture whose address is in the input beside it; see ui/backoffice/forms.py.
import { useEffect, useRef, useState } from "react";

// Addresses that the content security policy allows; others would be blocked with an error in the console.
const MAY_BE_SHOWN = /^(https:\/\/|\/(?!\/))/;

export function PicturePreview({ fallback, shape, missing }) {
  const place = useRef(null);
  const [address, setAddress] = useState("");
  const [broken, setBroken] = useState("");
  useEffect(() => {
    const control = place.current.closest(".backoffice-field").querySelector("input");
    const read = () => setAddress(control.value.trim());
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
  return (
    <div ref={place} className={`picture-preview picture-${shape}`} data-is-fallback={!isShown}>
      <img src={isShown ? address : fallback || undefined} alt="" onError={() => setBroken(isShown ? address : "")} />
      <p role="status">{address && !isShown ? missing : ""}</p>
    </div>
  );
}
