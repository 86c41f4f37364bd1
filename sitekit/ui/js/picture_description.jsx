// @ts-check
// The inputs that describe the uploaded picture of a field; see sitekit/admin/components/picture_field.py.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useChange } from "./change.js";
import { withoutCrop } from "./crop.js";
import { onConnection } from "$/framework/live_socket.js";

const UPLOADED = /^\/media\/[0-9a-f]{32}-\d{1,4}\.(avif|webp|jpg)$/;
const EMPTY = { alt: "", is_decorative: false, stamp: "" };

export function PictureDescription({ known, onAsk, children }) {
  const root = useRef(null);
  const described = useRef(""); // the address of the uploaded picture that the inputs are about
  const asked = useRef(""); // the address whose description is awaited
  const ask = useRef(onAsk);
  const [isUploaded, setUploaded] = useState(false);
  const input = (selector) => root.current.querySelector(selector);
  const fill = ({ alt, is_decorative, stamp }) => {
    const box = input("[type=checkbox]");
    if (box.checked !== is_decorative) box.click();
    input("[name$=_stamp]").value = stamp;
    const text = input("textarea");
    text.value = alt;
    // A mark of what was there before is checked again.
    text.dispatchEvent(new Event("input", { bubbles: true }));
  };
  useEffect(() => { ask.current = onAsk; });
  useLayoutEffect(() => {
    const control = root.current.closest(".picture-field").querySelector("input[name]");
    const read = () => {
      const [address] = UPLOADED.exec(withoutCrop(control.value.trim())) ?? [""];
      const isOther = address !== described.current;
      described.current = address;
      setUploaded(address !== "");
      return isOther;
    };
    const changed = () => {
      if (!read()) return;
      asked.current = described.current;
      if (!asked.current) return;
      fill(EMPTY);
      ask.current(asked.current);
    };
    read();
    const events = ["input", "filled"];
    for (const event of events) control.addEventListener(event, changed);
    // A decorative picture needs no text.
    const box = input("[type=checkbox]");
    const ticked = () => { Object.assign(input("textarea"), { required: !box.checked, ariaRequired: !box.checked }); };
    ticked();
    box.addEventListener("change", ticked);
    // What was asked while the connection was lost did not arrive.
    const stopWatching = onConnection((what) => {
      if (what === "back" && asked.current) ask.current(asked.current);
    });
    return () => {
      for (const event of events) control.removeEventListener(event, changed);
      box.removeEventListener("change", ticked);
      stopWatching();
    };
  }, []);
  useChange(known, () => {
    if (!asked.current || known.address !== asked.current) return;
    asked.current = "";
    // What was typed meanwhile stays.
    if (!input("textarea").value && !input("[type=checkbox]").checked) fill(known);
  });
  return (
    <div ref={root} className="picture-description" hidden={!isUploaded}>
      {children}
    </div>
  );
}
