// @ts-check
// A button that copies a text; see sitekit/admin/components/browser.py.
import { useEffect, useState } from "react";
import { Button } from "./controls.jsx";
import { Icon } from "./icon.jsx";

const COPY = "M9 9h11v11H9zM5 15H4V4h11v1";
const SHOWN_FOR = 2500; // ms

// Browsers have no clipboard on a page that was not loaded over https.
function copyBySelection(text, beside) {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "visually-hidden";
  beside.append(field);
  field.select();
  document.execCommand("copy");
  field.remove();
}

export function CopyButton({ text, label, about, copied }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), SHOWN_FOR);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async ({ currentTarget }) => {
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyBySelection(text, currentTarget.parentElement);
    currentTarget.focus();
    setCopied(true);
  };
  return (
    <div className="copy-button">
      <Button type="button" variant="ghost" size="sm" onClick={copy}>
        <Icon path={COPY} />
        {isCopied ? copied : label}
        <span className="visually-hidden"> {about}</span>
      </Button>
      <span className="visually-hidden" role="status">{isCopied ? copied : ""}</span>
    </div>
  );
}
