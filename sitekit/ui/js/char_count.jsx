// @ts-check
// Says how long a text is once most of its room is used; see sitekit/admin/components/forms.py.
import { useEffect, useRef, useState } from "react";

const SHOWN_FROM = 0.8;

/** @param {{ name: string, most: number, text: string }} props */
export function CharCount({ name, most, text }) {
  const place = useRef(/** @type {HTMLParagraphElement | null} */ (null));
  const [length, setLength] = useState(0);
  useEffect(() => {
    const form = place.current?.closest("form");
    const field = /** @type {HTMLTextAreaElement} */ (form?.elements.namedItem(name));
    const count = () => setLength([...field.value].length);
    count();
    form?.addEventListener("input", count);
    return () => form?.removeEventListener("input", count);
  }, [name]);
  const said = text.replace("{length}", String(length)).replace("{most}", String(most));
  return <p ref={place} className="char-count" role="status">{length >= most * SHOWN_FROM ? said : ""}</p>;
}
