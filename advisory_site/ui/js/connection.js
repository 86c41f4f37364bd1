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
// Older actions are dropped, because users no longer expect them.
const WAIT_AT_MOST = 300_000;

let awaySince = Date.now();
let backUntil = 0;
let actions = []; // {key, at, send}
const forms = new Map(); // by id: what `registerForm` was given
const heldForms = new Map(); // by id: {at, address, submission, then}
let reports = []; // what to report when the connection is back: "unsure", "late"

// What is shown: `status` is "" while connected, "lost" or "back"; `waits` if anything is queued; `held` are form ids.
let view = { status: "", waits: false, held: [], reports };
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

/** Return the reports of `useConnection`, and remove them. */
export function takeReports() {
  const taken = view.reports;
  reports = [];
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
  const seen = { status, waits, held: [...heldForms.keys()], reports: isGone ? [] : reports };
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
  if (what === "ready" || what === "acknowledged") setTimeout(flush);
  update();
});

/** Send what is queued, or report that it is too old. */
function flush() {
  if (isAway()) return;
  const due = actions;
  actions = [];
  for (const { at, send } of due) isInTime(at) ? send() : report("late");
  for (const [id, held] of heldForms) {
    const registered = forms.get(id);
    const isLeft = held.address !== address();
    if (!isLeft && isInTime(held.at) && (!registered || waitsForDraft(registered.form))) continue;
    heldForms.delete(id);
    if (isLeft) continue;
    if (!isInTime(held.at)) report("late");
    else if (held.submission && registered.isAnswered(held.submission)) report("unsure");
    else registered.submitAgain(held.submission, held.then);
  }
  update();
}

function report(what) {
  reports = [...new Set([...reports, what])];
}

const address = () => location.pathname + location.search;
const isInTime = (at) => Date.now() - at < WAIT_AT_MOST;

// Actions. Every component's event passes through here. Reflex would queue events too, but each press separately, and
// would send them before the page is up to date.
const important = new WeakSet(); // events whose loss is reported
let send = eventLoop.addEvents;
if (typeof window !== "undefined")
  Object.defineProperty(eventLoop, "addEvents", {
    configurable: true,
    get: () => pass,
    set: (added) => { send = added; },
  });

function pass(events, args, eventActions) {
  const all = [events].flat(Infinity).filter(Boolean);
  const options = Object.assign({}, ...all.map((event) => event.event_actions), eventActions);
  const isForBrowser = all.every((event) => typeof event.name !== "string" || event.name.startsWith("_"));
  const isGone = isAway();
  if (isGone && options.temporal) return;
  if (!isGone || isForBrowser) {
    if (!options.temporal) all.forEach((event) => important.add(event));
    return send(events, args, eventActions);
  }
  const cause = [args].flat().find((one) => one?.preventDefault);
  if (options.preventDefault) cause?.preventDefault();
  if (options.stopPropagation) cause?.stopPropagation();
  const key = JSON.stringify(all.map(({ name, payload }) => [name, payload]));
  if (!actions.some((one) => one.key === key)) {
    const { preventDefault, stopPropagation, ...rest } = options;
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
 * Register a form with a submit button; returns a function that removes it.
 *
 * `submission()` is the id of a submission that has no answer yet, or ""; `isAnswered(id)` whether that one has now;
 * `submitAgain(id, then)` submits the form under that id or a new one, with `then` in the input of that name;
 * `release()` enables the form again.
 */
export function registerForm(registered) {
  const { id } = registered.form;
  forms.set(id, registered);
  setTimeout(flush);
  return () => { if (forms.get(id) === registered) forms.delete(id); };
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

const drafts = new WeakMap(); // forms that the server will render with their draft, and since when

/** Disable a form until the server has rendered it with its draft, or until `RESTORE_TIMEOUT`. */
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
  for (const [id, registered] of forms)
    if (submission && registered.submission() === submission) {
      registered.release();
      hold(id, submission, entryOf(event, "then"));
      return;
    }
  if (important.has(event)) report("unsure");
}

function entryOf(event, wanted) {
  for (const value of Object.values(event.payload ?? {})) {
    const entries = value?.__reflex_form_data__;
    if (Array.isArray(entries)) return entries.find(([name]) => name === wanted)?.[1];
  }
}

// The result of a form that the server had accepted when the connection was lost is unknown.
function releaseTaken() {
  for (const registered of forms.values())
    if (registered.submission() && !heldForms.has(registered.form.id)) {
      registered.release();
      report("unsure");
    }
}
