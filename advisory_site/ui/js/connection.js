// Queues what is done while the connection is lost, each action once, and sends it when the page is up to date again.
import { useSyncExternalStore } from "react";
import { eventLoop } from "$/utils/context-registry";
import { connectNow, hasBeenReady, isAway, isSilent, onConnection } from "./live_socket.js";

// In ms: how long the connection may be lost before it is shown, and how long "back" is shown.
const LOST_AFTER = 2000;
const FIRST_AFTER = 1000;
const BACK_FOR = 3000;
// How long a form may take to restore what was typed.
const RESTORE_TIMEOUT = 10000;
// Older actions are dropped: nobody expects them any more.
const WAIT_AT_MOST = 300_000;

let awaySince = Date.now();
let backUntil = 0;
let actions = []; // {key, at, send}
const forms = new Map(); // by id: what `registerForm` was given
const heldForms = new Map(); // by id: {at, address, submission, then}
let news = []; // what to report when the connection is back: "unsure", "late"

// What is shown: `status` is "" while all is well, "lost" or "back"; `waits` while something does; `held` are forms.
let view = { status: "", waits: false, held: [], news };
const readers = new Set();
let timer;

/** What components show of the connection. */
export function useConnection() {
  return useSyncExternalStore(subscribe, () => view, () => view);
}

function subscribe(read) {
  readers.add(read);
  return () => readers.delete(read);
}

/** The news of `useConnection`, which are then no news any more. */
export function takeNews() {
  const taken = view.news;
  news = [];
  update();
  return taken;
}

function update() {
  clearTimeout(timer);
  const now = Date.now();
  const isGone = isAway();
  awaySince = isGone ? awaySince || now : 0;
  const waits = actions.length + heldForms.size > 0 || isSilent();
  const patience = !waits ? LOST_AFTER : hasBeenReady() ? 0 : FIRST_AFTER;
  if (!isGone && view.status === "lost") backUntil = now + BACK_FOR;
  const isBack = !isGone && now < backUntil;
  const status = isGone && now >= awaySince + patience ? "lost" : isBack ? "back" : "";
  const next = isGone ? awaySince + patience : backUntil;
  if (next > now) timer = setTimeout(update, next - now);
  const seen = { status, waits, held: [...heldForms.keys()], news: isGone ? [] : news };
  if (JSON.stringify(seen) === JSON.stringify(view)) return;
  view = seen;
  readers.forEach((read) => read());
}

onConnection((what, lost) => {
  if (what === "lost") {
    lost.forEach(keep);
    releaseTaken();
  }
  // After the update has rendered: by then, remounted forms have registered.
  if (what === "ready" || what === "heard") setTimeout(flush);
  update();
});

/** Send what waits, or say that it was too long ago. */
function flush() {
  if (isAway()) return;
  const due = actions;
  actions = [];
  for (const { at, send } of due) isInTime(at) ? send() : tell("late");
  for (const [id, held] of heldForms) {
    const known = forms.get(id);
    const isLeft = held.address !== address();
    if (!isLeft && isInTime(held.at) && (!known || waitsForDraft(known.form))) continue;
    heldForms.delete(id);
    if (isLeft) continue;
    if (!isInTime(held.at)) tell("late");
    else if (held.submission && known.isAnswered(held.submission)) tell("unsure");
    else known.submitAgain(held.submission, held.then);
  }
  update();
}

function tell(what) {
  news = [...new Set([...news, what])];
}

const address = () => location.pathname + location.search;
const isInTime = (at) => Date.now() - at < WAIT_AT_MOST;

// Actions. Every component's event passes through here. Reflex would queue events too, but each press separately, and
// would send them before the page is up to date.
const asked = new WeakSet();
let send = eventLoop.addEvents;
if (typeof window !== "undefined")
  Object.defineProperty(eventLoop, "addEvents", {
    configurable: true,
    get: () => pass,
    set: (added) => { send = added; },
  });

function pass(events, args, eventActions) {
  const all = [events].flat(Infinity).filter(Boolean);
  const manner = Object.assign({}, ...all.map((event) => event.event_actions), eventActions);
  const isForBrowser = all.every((event) => typeof event.name !== "string" || event.name.startsWith("_"));
  const isGone = isAway();
  if (isGone && manner.temporal) return;
  if (!isGone || isForBrowser) {
    if (!manner.temporal) all.forEach((event) => asked.add(event));
    return send(events, args, eventActions);
  }
  const cause = [args].flat().find((one) => one?.preventDefault);
  if (manner.preventDefault) cause?.preventDefault();
  if (manner.stopPropagation) cause?.stopPropagation();
  const key = JSON.stringify(all.map(({ name, payload }) => [name, payload]));
  if (!actions.some((one) => one.key === key)) {
    const { preventDefault, stopPropagation, ...rest } = manner;
    actions = [...actions, { key, at: Date.now(), send: () => send(events, [], rest) }];
  }
  connectNow();
  update();
}

// Links. The next page may need a file that is not loaded yet, and the browser would show an error page.
function holdLink(event) {
  const link = event.target.closest?.("a[href]");
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !isPlain || event.defaultPrevented || followed.has(link) || !isAway()) return;
  const leads = link.origin === location.origin && link.pathname !== location.pathname;
  if (!leads || link.target === "_blank") return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const follow = () => {
    followed.add(link);
    link.click();
    followed.delete(link);
  };
  const action = { key: "link", at: Date.now(), send: follow };
  actions = [...actions.filter(({ key }) => key !== "link"), action];
  connectNow();
  update();
  // The server may still be reachable over HTTP.
  fetch(link.href, { method: "HEAD", cache: "no-store" }).then(({ status }) => {
    if (status >= 500 || !actions.includes(action)) return;
    actions = actions.filter((one) => one !== action);
    update();
    follow();
  }, () => {});
}
const followed = new WeakSet();
if (typeof window !== "undefined") addEventListener("click", holdLink, true);

// Forms. A form that is submitted meanwhile keeps what is typed, and is submitted again later.
/**
 * Make the form with a submit button known; returns what forgets it.
 *
 * `submission()` is the id under which it was submitted and not answered yet, or ""; `isAnswered(id)` whether that one
 * has been answered, `submitAgain(id, then)` submits it, under that id or a new one, with `then` in the input of that
 * name, and `release()` lets it be submitted.
 */
export function registerForm(known) {
  const { id } = known.form;
  forms.set(id, known);
  setTimeout(flush);
  return () => { if (forms.get(id) === known) forms.delete(id); };
}

function holdBack(event) {
  const form = event.target;
  if (forms.get(form.id)?.form !== form || !(isAway() || waitsForDraft(form))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // A form that waits for its draft does not show what was typed.
  if (!waitsForDraft(form)) hold(form.id, "", form.elements.then?.value);
}
if (typeof window !== "undefined") addEventListener("submit", holdBack, true);

const drafts = new WeakMap(); // forms that are to be drawn anew with their draft, and since when

/** Let nobody use a form that the server was asked to draw anew with its draft; released after a while. */
export function waitForDraft(form) {
  drafts.set(form, Date.now());
  form.inert = true;
  setTimeout(() => {
    form.inert = false;
    flush();
  }, RESTORE_TIMEOUT);
}

const waitsForDraft = (form) => Date.now() - drafts.get(form) < RESTORE_TIMEOUT;

function hold(id, submission, then = "") {
  if (!heldForms.has(id)) heldForms.set(id, { at: Date.now(), address: address(), submission, then });
  connectNow();
  update();
}

// An event that was not acknowledged has most likely not arrived. A form is submitted again with the same id, which the
// server recognises; for anything else, a notice is shown.
function keep(event) {
  const submission = entryOf(event, "submission");
  for (const [id, known] of forms)
    if (submission && known.submission() === submission) {
      known.release();
      hold(id, submission, entryOf(event, "then"));
      return;
    }
  if (asked.has(event)) tell("unsure");
}

function entryOf(event, wanted) {
  for (const value of Object.values(event.payload ?? {})) {
    const entries = value?.__reflex_form_data__;
    if (Array.isArray(entries)) return entries.find(([name]) => name === wanted)?.[1];
  }
}

// The result of a form that the server had accepted when the connection was lost is unknown.
function releaseTaken() {
  for (const known of forms.values())
    if (known.submission() && !heldForms.has(known.form.id)) {
      known.release();
      tell("unsure");
    }
}
