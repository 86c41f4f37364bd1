// @ts-check
// Chooses a CSV file and sends it piece by piece; see sitekit/admin/components/browser.py.
import { useEffect, useId, useRef, useState } from "react";

// The socket accepts 80 events at once, and then 20 per second.
const PIECES_AT_ONCE = 40;
const MS_BETWEEN = 60;
const FAR_TOO_MANY = 1e6;

async function packed(file) {
  const stream = file.stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function base64(bytes) {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

export function CsvFile({
  name, pieces, received, isBusy, mostBytes, pieceBytes, chooseLabel, otherLabel, dropLabel, label, limits, onBegin,
  onPiece,
}) {
  const id = useId();
  const content = useRef(null);
  const sent = useRef(-1);
  const [isOver, setOver] = useState(false);

  const take = async (file) => {
    if (!file || isBusy) return;
    content.current = null;
    if (file.size > mostBytes) return onBegin(file.name, FAR_TOO_MANY);
    const bytes = await packed(file).catch(() => new Uint8Array());
    content.current = bytes;
    sent.current = -1;
    onBegin(file.name, Math.ceil(bytes.length / pieceBytes));
  };

  useEffect(() => {
    const bytes = content.current;
    if (!bytes || received >= pieces || sent.current === received) return;
    if (pieces !== Math.ceil(bytes.length / pieceBytes)) return;
    sent.current = received;
    const piece = bytes.subarray(received * pieceBytes, (received + 1) * pieceBytes);
    const wait = received < PIECES_AT_ONCE ? 0 : MS_BETWEEN;
    setTimeout(() => onPiece(received, base64(piece)), wait);
  });

  const drop = (event) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files[0]);
  };
  const over = (event) => { event.preventDefault(); setOver(true); };
  const choose = (event) => {
    take(event.target.files[0]);
    // So that the same file can be chosen again after a correction.
    event.target.value = "";
  };
  return (
    <fieldset
      className="csv-file" data-over={isOver || undefined} onDrop={drop} onDragOver={over}
      onDragLeave={() => setOver(false)}
    >
      <input
        type="file" id={id} className="visually-hidden" accept=".csv,.tsv,.txt,text/csv" onChange={choose}
        disabled={isBusy} aria-label={label} aria-describedby={`${id}-limits`}
      />
      <label htmlFor={id} className="csv-file-button">{name ? otherLabel : chooseLabel}</label>
      <span className="csv-file-drop">{dropLabel}</span>
      {name && <strong className="csv-file-name">{name}</strong>}
      <p id={`${id}-limits`} className="backoffice-muted">{limits}</p>
    </fieldset>
  );
}
