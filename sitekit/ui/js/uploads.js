// @ts-check
// Uploads files, one after another; see sitekit/admin/components/picture_field.py.

// In ms. How long nothing may happen: no bytes sent, or no response to them.
const SILENCE_TIMEOUT = 60000;
const LONGEST_NAME = 200;

/** @type {(() => void)[]} */
const line = []; // the uploads of all fields, the running one first

/**
 * Call `start` when all earlier uploads have ended; returns what ends this one.
 * @param {() => void} start
 */
export function takeTurn(start) {
  line.push(start);
  if (line[0] === start) start();
  return () => {
    const place = line.indexOf(start);
    if (place < 0) return;
    line.splice(place, 1);
    if (place === 0) line[0]?.();
  };
}

/**
 * Send a file as the body of a request; returns what aborts it.
 *
 * `onSent` gets the part that is sent, 1 at the end; `onEnd` the status, 0 without a response, and the JSON of the
 * response, or {}.
 * @param {string} endpoint
 * @param {string} token
 * @param {File} file
 * @param {{
 *   onSent: (part: number) => void, onEnd: (status: number, reply: Record<string, unknown>) => void,
 * }} listeners
 */
export function send(endpoint, token, file, { onSent, onEnd }) {
  const request = new XMLHttpRequest();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  const stop = () => {
    clearTimeout(timer);
    for (const target of [request, request.upload]) target.onprogress = target.onload = target.onerror = null;
    request.abort();
  };
  const end = (/** @type {number} */ status, /** @type {string} */ text) => {
    stop();
    onEnd(status, parsed(text));
  };
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => end(0, ""), SILENCE_TIMEOUT);
  };
  request.upload.onprogress = ({ loaded, total }) => {
    heard();
    onSent(total ? loaded / total : 0);
  };
  request.upload.onload = () => {
    heard();
    onSent(1);
  };
  request.onload = () => end(request.status, request.responseText);
  request.onerror = () => end(0, "");
  request.open("POST", endpoint);
  request.setRequestHeader("Authorization", `Bearer ${token}`);
  request.setRequestHeader("X-File-Name", encodeURIComponent(nameOf(file)));
  request.send(file);
  heard();
  return stop;
}

// The end of a long name has the extension. Half a character cannot be encoded.
/** @param {File} file */
function nameOf(file) {
  return file.name.slice(-LONGEST_NAME).replace(/\p{Surrogate}/gu, "");
}

/** @param {string} text */
function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
