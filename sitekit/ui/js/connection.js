// @ts-check
// Queues what is done while the connection is lost, each action once, and sends it when the page is up to date again.
import { useSyncExternalStore } from "react";
import { formEntry, setEventFilter } from "$/framework/event_loop.js";
import {
  connectNow, hasBeenReady, isAway, isFull, isLoading, isSilent, noteDropped, onConnection,
} from "$/framework/live_socket.js";
import { linkToOtherPage } from "./links.js";

/** @import { ReflexEvent } from "$/framework/event_loop.js" */
/** @typedef {"unsure" | "late" | "large"} Report */
/**
 * A form with a submit button. `submission()` is the id of a submission that has no answer yet, or ""; `isAnswered(id)`
 * whether that one has now; `submitAgain(id, then)` submits the form under that id or a new one, with `then` in the
 * input of that name; `release()` enables the form again.
 * @typedef {{
 *   form: HTMLFormElement, submission: () => string, isAnswered: (submission: string) => boolean,
 *   submitAgain: (submission: string, then: string) => void, release: () => void,
 * }} Registered
 */

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
/** @type {{ key: string, at: number, send: () => void }[]} */
let actions = [];
/** @type {Map<string, Registered>} */
const forms = new Map(); // by id
/** @type {Map<string, { at: number, address: string, submission: string, then: string }>} */
const heldForms = new Map(); // by id
/** @type {Report[]} */
let reports = []; // what to report when the connection is back
/** The subject of the form that was too large, as `subject_of` in sitekit/ui/feedback.py. */
export let subjectOfLarge = "";

// What is shown: `status` is "" while connected, "lost" or "back"; `isFull` if the server has no room for this page;
// `isFirst` if this page was never connected; `waits` if anything is queued; `held` has the
// forms that wait, by id, each with the `then` of the button that was pressed.
let view = { status: "", isFull: false, isFirst: true, waits: false, held: /** @type {Record<string, string>} */ ({}), reports };
/** @type {Set<() => void>} */
const readers = new Set();
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** What components show of the connection. */
export function useConnection() {
  return useSyncExternalStore(subscribe, () => view, () => view);
}

/** @param {() => void} read */
function subscribe(read) {
  readers.add(read);
  return () => { readers.delete(read); };
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
  if (!isGone && view.status === "lost" && !view.isFirst) backUntil = now + BACK_FOR;
  const isBack = !isGone && now < backUntil;
  const status = isGone && now >= awaySince + patience ? "lost" : isBack ? "back" : "";
  const next = isGone ? awaySince + patience : backUntil;
  if (next > now) timer = setTimeout(update, next - now);
  const held = Object.fromEntries([...heldForms].map(([id, { then }]) => [id, then]));
  const seen = { status, isFull: isFull(), isFirst: !hasBeenReady(), waits, held, reports: isGone ? [] : reports };
  if (JSON.stringify(seen) === JSON.stringify(view)) return;
  view = seen;
  readers.forEach((read) => read());
}

onConnection((what, lost) => {
  if (what === "lost") {
    lost.forEach(keep);
    releaseTaken();
  }
  if (what === "large") lost.forEach(refuse);
  // After the update has rendered: by then, remounted forms have registered.
  if (["ready", "loaded", "acknowledged"].includes(what)) setTimeout(flush);
  update();
});

/** Send what is queued, or report that it is too old. */
function flush() {
  if (isAway() || isLoading()) return;
  const due = actions;
  actions = [];
  for (const { at, send } of due) isInTime(at) ? send() : report("late");
  for (const [id, held] of heldForms) {
    const registered = forms.get(id);
    const isLeft = held.address !== address();
    if (isLeft || !isInTime(held.at)) {
      heldForms.delete(id);
      if (!isLeft) report("late");
    } else if (registered && !waitsForTexts(registered.form)) {
      heldForms.delete(id);
      if (held.submission && registered.isAnswered(held.submission)) report("unsure");
      else registered.submitAgain(held.submission, held.then);
    }
  }
  update();
}

/** @param {Report} what */
function report(what) {
  reports = [...new Set([...reports, what])];
}

const address = () => location.pathname + location.search;
const isInTime = (/** @type {number} */ at) => Date.now() - at < WAIT_AT_MOST;

// Actions. Every component's event passes through here. Reflex would queue events too, but each press separately, and
// would send them before the page is up to date. While a page loads, its `on_load` would undo what is done before it.
/** @type {WeakSet<ReflexEvent>} */
const important = new WeakSet(); // events whose loss is reported
setEventFilter((events, args, eventActions, send) => {
  const nested = /** @type {unknown[]} */ ([events]);
  const all = /** @type {ReflexEvent[]} */ (nested.flat(Infinity).filter(Boolean));
  const options = Object.assign({}, ...all.map((event) => event.event_actions), eventActions);
  const isForBrowser = all.every((event) => typeof event.name !== "string" || event.name.startsWith("_"));
  const isGone = isAway();
  if (isGone && options.temporal) return noteDropped();
  if (isForBrowser || !(isGone || (isLoading() && !options.temporal))) {
    if (!options.temporal) all.forEach((event) => important.add(event));
    return send(events, args, eventActions);
  }
  const cause = /** @type {(Event | undefined)[]} */ ([args].flat()).find((one) => one?.preventDefault);
  if (options.preventDefault) cause?.preventDefault();
  if (options.stopPropagation) cause?.stopPropagation();
  const key = JSON.stringify(all.map(({ name, payload }) => [name, payload]));
  if (!actions.some((one) => one.key === key)) {
    const { preventDefault, stopPropagation, ...rest } = options;
    actions = [...actions, { key, at: Date.now(), send: () => send(events, [], rest) }];
  }
  connectNow();
  update();
});

// Links. The next page may need a file that is not loaded yet, and the browser would show an error page.
/** @param {MouseEvent} event */
function holdLink(event) {
  const link = linkToOtherPage(event);
  if (!link || followed.has(link) || !isAway()) return;
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
 * Register a form; returns a function that removes it.
 * @param {Registered} registered
 */
export function registerForm(registered) {
  const { id } = registered.form;
  forms.set(id, registered);
  setTimeout(flush);
  return () => { if (forms.get(id) === registered) forms.delete(id); };
}

/** @param {SubmitEvent} event */
function holdBack(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (forms.get(form.id)?.form !== form || !(isAway() || waitsForTexts(form))) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  // A form that waits for its texts does not show what was typed.
  if (waitsForTexts(form)) return;
  const then = /** @type {HTMLInputElement | null} */ (form.elements.namedItem("then"));
  hold(form.id, "", then?.value);
}
if (typeof window !== "undefined") addEventListener("submit", holdBack, true);

/** @type {WeakMap<HTMLFormElement, number>} */
const waiting = new WeakMap(); // forms that the server will render with the browser's texts, and since when

/**
 * Disable a form until the server has rendered it with its texts, or until `RESTORE_TIMEOUT`.
 * @param {HTMLFormElement} form
 */
export function waitForTexts(form) {
  waiting.set(form, Date.now());
  form.inert = true;
  setTimeout(() => {
    form.inert = false;
    flush();
  }, RESTORE_TIMEOUT);
}

const waitsForTexts = (/** @type {HTMLFormElement} */ form) =>
  Date.now() - (waiting.get(form) ?? -Infinity) < RESTORE_TIMEOUT;

/**
 * @param {string} id
 * @param {string} submission
 */
function hold(id, submission, then = "") {
  if (!heldForms.has(id)) heldForms.set(id, { at: Date.now(), address: address(), submission, then });
  connectNow();
  update();
}

// An event that was not acknowledged has most likely not arrived. A form is submitted again with the same id, which the
// server recognises; for anything else, a notice is shown.
/** @param {ReflexEvent} event */
function keep(event) {
  const registered = formOf(event);
  if (registered) {
    const submission = registered.submission();
    registered.release();
    hold(registered.form.id, submission, formEntry(event, "then"));
  } else if (important.has(event)) report("unsure");
}

// The server would end the connection. What is typed stays, and a form can be submitted again.
/** @param {ReflexEvent} event */
function refuse(event) {
  formOf(event)?.release();
  subjectOfLarge = `${event.name.slice(0, event.name.lastIndexOf("."))}:`;
  report("large");
}

/** @param {ReflexEvent} event */
function formOf(event) {
  const submission = formEntry(event, "submission");
  return [...forms.values()].find((registered) => submission && registered.submission() === submission);
}

// The result of a form that the server had accepted when the connection was lost is unknown.
function releaseTaken() {
  for (const registered of forms.values())
    if (registered.submission() && !heldForms.has(registered.form.id)) {
      registered.release();
      report("unsure");
    }
}
