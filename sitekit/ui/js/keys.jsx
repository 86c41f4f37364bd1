// @ts-check
// The dialog of the keys that work on this page, which "?" opens; see sitekit/admin/finder/state.py.
import { useEffect, useRef, useState } from "react";
import { DialogFrame } from "./dialog_frame.jsx";
import { isSingleKey } from "./shortcuts.js";

export function Keys({ heading, closeLabel, keys }) {
  const [shown, setShown] = useState([]);
  const before = useRef(null);
  useEffect(() => {
    const open = (event) => {
      if (!isSingleKey(event, "?")) return;
      event.preventDefault();
      before.current = document.activeElement;
      setShown(keys.filter(([, , where]) => document.querySelector(where)));
    };
    window.addEventListener("keydown", open);
    return () => window.removeEventListener("keydown", open);
  }, [keys]);
  return (
    <DialogFrame isOpen={shown.length > 0} onClose={() => setShown([])} heading={heading} closeLabel={closeLabel}
      finalFocusRef={before}>
      <dl className="keys">
        {shown.map(([pressed, text]) => (
          <div key={text}>
            <dt>{pressed.split(" ").map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </DialogFrame>
  );
}
