// The renderer's own program: reads one JSON request per line, answers each with a JSON line.
// It is packed with the server bundle of the build into one file that needs Node and nothing else.
import { createRequestHandler } from "react-router";
import readline from "node:readline";
import { promisify } from "node:util";
import zlib from "node:zlib";

const build = await import("./build/server/index.js");
const state = globalThis.__siteInitialState; // left here by page_state.js, which is part of the bundle
if (!state) throw new Error("The server bundle does not hand over its initial state.");
const defaults = structuredClone(state);
// Left here by ui/js/words.js; a site need not have texts that staff can change.
const { changes, asked, marks } = globalThis.__siteWords ?? { changes: new Map(), asked: new Map(), marks: {} };

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
const zstd = promisify(zlib.zstdCompress);
// Quality 6 takes 3 ms for a page, 9 takes 20 for as many bytes, and 10 takes 40 for a tenth fewer: with those, most
// pages fit into the first ten packets of a connection, which saves a round trip.
const brotliOptions = (quick) => ({
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: quick ? 6 : 10,
    [zlib.constants.BROTLI_PARAM_MODE]: zlib.constants.BROTLI_MODE_TEXT,
  },
});
const ZSTD = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 6 } };

function set(vars) {
  for (const [name, values] of Object.entries(vars))
    if (name in state) state[name] = { ...state[name], ...values };
}

// The changed texts by their originals; they stay until there are others.
function setTexts(texts) {
  changes.clear();
  for (const [original, text] of Object.entries(texts)) changes.set(original, text);
}

async function render({ path, vars, texts, marks: name }) {
  set(vars);
  if (texts) setTexts(texts);
  asked.clear();
  marks.name = name;
  try {
    // A crawler's name makes React wait for the whole page instead of streaming its parts.
    const request = new Request("http://localhost" + path, { headers: { "user-agent": "Googlebot" } });
    // React Router compares the decoded path; another one would be answered with an empty shell.
    const only = { ...build, prerender: [decodeURI(path.split("?")[0])] };
    const answer = await createRequestHandler(only, "production")(request);
    return { status: answer.status, html: await answer.text(), asked: [...asked.keys()] };
  } finally {
    set(defaults);
  }
}

async function compress({ text, quick }) {
  const [br, zst, gz] = await Promise.all([
    brotli(text, brotliOptions(quick)),
    zstd(text, ZSTD),
    gzip(text, { level: 9 }),
  ]);
  return { br: br.toString("base64"), zstd: zst.toString("base64"), gzip: gz.toString("base64") };
}

const jobs = { render, compress };
const say = (answer) => process.stdout.write(JSON.stringify(answer) + "\n");

async function work({ id, job, ...request }) {
  try {
    say({ id, ...(await jobs[job](request)) });
  } catch (error) {
    say({ id, error: String(error?.stack ?? error) });
  }
}

say({ ready: true });
for await (const line of readline.createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const request = JSON.parse(line);
  const done = work(request);
  // Pages one at a time, for the state that they are rendered with is global to the bundle; Node compresses in threads.
  if (request.job === "render") await done;
}
