// The text beside a form that was delivered; empties the form. See ui/public/delivery.py.
import { useEffect, useRef, useState } from "react";
import { generateUUID } from "$/utils/state";

export function Delivered({ form, accepted, isDrawn, children, ...rest }) {
  const note = useRef(null);
  const id = useRef(null);
  const [isShown, setShown] = useState(isDrawn);
  const [deliveries, setDeliveries] = useState(0);
  useEffect(() => {
    const element = document.getElementById(form);
    // A form keeps its id until it is accepted, so that sending it again does not store it twice.
    const submitted = () => {
      id.current ??= generateUUID();
      element.elements.submission.value = id.current;
      setShown(false);
    };
    element.addEventListener("submit", submitted, true);
    return () => element.removeEventListener("submit", submitted, true);
  }, [form]);
  useEffect(() => {
    // Ignores replies to an earlier form of this tab.
    if (!accepted || accepted !== id.current) return;
    id.current = null;
    for (const field of document.getElementById(form).querySelectorAll("input:not([type=hidden]), textarea, select"))
      field.value = "";
    setShown(true);
    setDeliveries((before) => before + 1);
  }, [accepted, form]);
  useEffect(() => {
    if (deliveries) note.current?.focus();
  }, [deliveries]);
  return isShown ? <div {...rest} ref={note} tabIndex={-1}>{children}</div> : null;
}
