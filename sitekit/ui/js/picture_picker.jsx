// @ts-check
// Uploads a picture that is chosen, dropped on its field, or else on the page, or pasted there; see sitekit/admin/components/picture_field.py.
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "./controls.jsx";
import { generateUUID } from "$/framework/reflex.js";
import { useChange } from "./change.js";
import { onConnection } from "$/framework/live_socket.js";
import { send, takeTurn } from "./uploads.js";

const PERMIT_TIMEOUT = 30000; // ms
const TYPES = ["image/jpeg", "image/png", "image/webp", "image/avif", "image/heic", "image/heif"];
const EXTENSIONS = [".jpg", ".jpeg", ".png", ".webp", ".avif", ".heic", ".heif"];
const ACCEPTED = [...TYPES, ...EXTENSIONS].join();

/** @typedef {{ phase: string, upload?: string, part?: number, sentence?: string, canTry?: boolean }} Shown */
/** @type {Shown} */
const IDLE = { phase: "" };
const BUSY = ["waiting", "asking", "sending", "preparing"];

// What can be known of a file before it is sent. Some systems know no type for newer formats.
function problemOf({ name, type, size }, mostBytes, words) {
  const extension = name.toLowerCase().match(/\.\w+$/)?.[0];
  const isSvg = type === "image/svg+xml" || extension === ".svg";
  if (isSvg || !(TYPES.includes(type) || EXTENSIONS.includes(extension))) return words.format;
  if (!size) return words.empty;
  return size > mostBytes ? words.tooLarge : "";
}

// Why there is no picture. The server's own message is preferred, if the server responds.
/**
 * @param {number} status
 * @param {{ error?: unknown }} reply
 * @param {Record<string, string>} words
 */
function reasonOf(status, { error }, words) {
  if (typeof error === "string" && error) return error;
  const known = {
    0: words.lost,
    401: words.signedOut,
    403: words.notAllowed,
    413: words.tooLarge,
    422: words.format,
    429: words.tooMany,
    503: words.unavailable,
  };
  return known[status] ?? words.failed;
}

// The same file would be refused again.
const isFinal = (status) => [413, 415, 422].includes(status);

const hasFiles = ({ dataTransfer }) => dataTransfer.types.includes("Files");

// A file that is copied in a file manager may be on the clipboard as its name too; any other text is meant as text.
function isText(clipboard, file) {
  const text = clipboard.getData("text/plain").trim();
  return text !== "" && text !== file.name && !text.endsWith("/" + file.name);
}

export function PicturePicker({ label, permit, endpoint, mostBytes, words, variant = "outline", isMany, onAuthorize, onAdded }) {
  const id = useId();
  const root = useRef(null);
  const button = useRef(null);
  const chooser = useRef(null);
  const upload = useRef(null); // the waiting or running one: {id, file, leave, abort}
  const [shown, setShown] = useState(IDLE); // and while idle, the `sentence` about the last file, and if it `canTry` again
  const waiting = useRef([]); // the files to upload next
  const [refusal, setRefusal] = useState(""); // of one of several files
  const [isAwaited, setAwaited] = useState(false); // the form was submitted meanwhile
  const [isOver, setOver] = useState(false);
  const isBusy = BUSY.includes(shown.phase);
  const field = () => root.current.closest(".backoffice-field");
  const addressInput = () => field()?.querySelector("input[name]");

  const stop = () => {
    const { abort, leave } = upload.current ?? {};
    upload.current = null;
    abort?.();
    leave?.();
  };
  const end = (result) => {
    stop();
    setAwaited(false);
    setShown(result);
  };
  const begin = (file) => {
    const one = { id: generateUUID(), file };
    upload.current = one;
    setShown({ phase: "waiting" });
    one.leave = takeTurn(() => setShown({ phase: "asking", upload: one.id }));
  };
  const proceed = (result) => {
    end(result);
    const next = waiting.current.shift();
    if (next) begin(next);
  };
  // Another file takes the place of the one that is being uploaded, unless many are wanted.
  const take = (files) => {
    const problems = Array.from(files, (file) => problemOf(file, mostBytes, words));
    const sentence = (!isMany && files.length > 1 && words.several) || problems.find(Boolean) || "";
    setRefusal(sentence);
    if (!isMany) waiting.current = sentence ? [] : [...files];
    else waiting.current.push(...[...files].filter((_, place) => !problems[place]));
    if (!isMany || !upload.current) proceed(IDLE);
  };
  const fail = (status, reply = {}) => {
    const sentence = reasonOf(status, reply, words);
    if (isFinal(status)) {
      setRefusal(sentence);
      return proceed(IDLE);
    }
    // The next files might fail for the same reason.
    waiting.current.unshift(upload.current.file);
    end({ ...IDLE, sentence, canTry: true });
  };
  const add = (address) => {
    const input = addressInput();
    if (input) {
      input.value = address;
      for (const change of ["input", "change"]) input.dispatchEvent(new Event(change, { bubbles: true }));
    }
    onAdded?.(address);
    proceed({ phase: "added" });
  };

  useEffect(() => stop, []);
  useEffect(() => {
    if (shown.phase !== "asking") return;
    const ask = () => onAuthorize(shown.upload);
    ask();
    // What was asked while the connection was lost did not arrive.
    const stopWatching = onConnection((what) => {
      if (what === "back") ask();
    });
    const timer = setTimeout(() => fail(0), PERMIT_TIMEOUT);
    return () => {
      stopWatching();
      clearTimeout(timer);
    };
  }, [shown.phase, shown.upload]);
  useChange(permit, () => {
    if (shown.phase !== "asking" || ![upload.current.id, ""].includes(permit.upload)) return;
    if (permit.error) fail(503, permit);
    if (!permit.token) return;
    setShown({ phase: "sending", part: 0 });
    upload.current.abort = send(endpoint, permit.token, upload.current.file, {
      onSent: (part) => setShown({ phase: part < 1 ? "sending" : "preparing", part }),
      onEnd: (status, reply) =>
        status === 200 && typeof reply.address === "string" ? add(reply.address) : fail(status, reply),
    });
  });

  useEffect(() => {
    const area = field() ?? root.current.closest("main");
    const input = addressInput();
    const dragged = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const left = (event) => {
      if (!area.contains(event.relatedTarget)) setOver(false);
    };
    const dropped = (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer.files.length) take(event.dataTransfer.files);
    };
    // A file that is dropped beside the field would be opened in place of the page.
    const missed = (event) => {
      if (event.defaultPrevented || !hasFiles(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    };
    const pasted = (event) => {
      const { files } = event.clipboardData;
      if (event.defaultPrevented || !files.length || (event.target.name && isText(event.clipboardData, files[0]))) return;
      event.preventDefault();
      take(files);
    };
    const typed = () => {
      setRefusal("");
      if (!upload.current) waiting.current = [];
      setShown((before) => (BUSY.includes(before.phase) ? before : IDLE));
    };
    const submitted = (event) => {
      if (!event.target.contains(root.current)) return;
      if (!upload.current) return typed();
      event.preventDefault();
      event.stopImmediatePropagation();
      setAwaited(true);
      button.current.focus();
    };
    const listeners = [
      [area, "dragover", dragged],
      [area, "dragleave", left],
      [area, "drop", dropped],
      [area, "paste", pasted],
      ...(input ? [[input, "input", typed]] : []),
      [document, "dragover", missed],
      [document, "drop", missed],
      // On the window: before all others, which would count the form as submitted.
      [window, "submit", submitted, true],
    ];
    for (const listener of listeners) listener[0].addEventListener(...listener.slice(1));
    return () => {
      for (const listener of listeners) listener[0].removeEventListener(...listener.slice(1));
    };
  }, []);
  useEffect(() => {
    const input = addressInput();
    if (input) input.readOnly = isBusy;
  }, [isBusy]);

  const chosen = ({ target }) => {
    if (target.files.length) take(target.files);
    // So that the same file can be chosen again.
    target.value = "";
  };
  const press = () => {
    if (!isBusy) return chooser.current.click();
    waiting.current = [];
    end({ phase: "cancelled" });
  };
  const tryAgain = () => {
    button.current.focus();
    proceed(IDLE);
  };
  const said = words[shown.phase === "asking" || shown.phase === "sending" ? "uploading" : shown.phase] ?? "";
  const sentence = isAwaited ? words.wait : shown.sentence || refusal;
  const percent = Math.floor(100 * (shown.part ?? 0));
  const text = isBusy ? words.cancel : words.choose;
  return (
    <div ref={root} className="picture-picker" data-over={isOver || undefined}>
      <input ref={chooser} type="file" accept={ACCEPTED} multiple={isMany} hidden onChange={chosen} />
      <Button ref={button} type="button" variant={isBusy ? "outline" : variant} aria-label={`${text}: ${label}`}
        aria-describedby={`${id}-hint`} onClick={press}>
        {text}
      </Button>
      <div className="picture-said">
        <p className="picture-hint" id={`${id}-hint`} hidden={Boolean(said || sentence)}>
          <span className="picture-drop">{words.drop} </span>{words.limit}
        </p>
        <div className="picture-progress">
          <p role="status">{said}</p>
          {shown.phase === "sending" && <span aria-hidden="true">{percent} %</span>}
        </div>
        {isBusy && <progress max="100" value={percent} aria-label={`${words.progress}: ${label}`} />}
        {sentence && <p role="alert" className="backoffice-error">{sentence}</p>}
      </div>
      {shown.canTry && <Button type="button" variant="outline" onClick={tryAgain}>{words.again}</Button>}
    </div>
  );
}
