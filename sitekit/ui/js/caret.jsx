// @ts-check
// Puts the cursor where writing goes on; see sitekit/admin/components/browser.py.
import { useEffect } from "react";

export function Caret({ to, when }) {
  useEffect(() => {
    const area = /** @type {HTMLTextAreaElement} */ (document.querySelector(to));
    const end = area.value.indexOf("\n\n") + 2;
    // Not under a cursor that is in use.
    if (document.activeElement !== area) area.setSelectionRange(end, end);
    // A click below the text would put it at the very end, where nobody begins to write.
    const clicked = () => {
      const isBegun = area.value === area.defaultValue && area.selectionStart === area.value.length;
      if (isBegun) area.setSelectionRange(end, end);
    };
    area.addEventListener("mouseup", clicked);
    return () => area.removeEventListener("mouseup", clicked);
  }, [to, when]);
  return null;
}
