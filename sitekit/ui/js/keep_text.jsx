// @ts-check
// Buttons that print the page and download a text; see sitekit/admin/components/browser.py.
import { Button } from "./controls.jsx";

function download(text, fileName) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

export function KeepText({ text, fileName, printLabel, downloadLabel }) {
  return (
    <>
      <Button type="button" variant="outline" size="sm" onClick={() => window.print()}>{printLabel}</Button>
      <Button type="button" variant="outline" size="sm" onClick={() => download(text, fileName)}>{downloadLabel}</Button>
    </>
  );
}
