// @ts-check
// Watches Reflex's websocket: whether it is connected, which events are not acknowledged, when it connects again.
//
// Reflex has no interface or settings for this, so it depends on internals: each attempt to connect calls `connect`,
// through `reconnect`, which `wait_connect` delays; what arrives is an "event". See docs/decisions/connection.md.
import { Socket } from "socket.io-client";
import { app } from "$/utils/context-registry";
import "./foreign_nodes.js";

/** @import { Engine } from "socket.io-client" */
/** @import { ReflexEvent, Update } from "$/utils/context-registry" */
/** @typedef {"lost" | "arrived" | "ready" | "loaded" | "silent" | "acknowledged" | "back" | "large"} Change */
/** @typedef {(what: Change, events: ReflexEvent[]) => void} Listener */

// In ms. The pauses before attempts to connect again; the last one repeats. Each varies by a fifth at random, so that
// many tabs do not connect at the same moment.
const PAUSES = [1000, 2000, 5000, 10000];
const SPREAD = 0.2;
const ATTEMPT_TIMEOUT = 8000;
// The server acknowledges each event at once, before it handles it.
const ACK_TIMEOUT = 2000;
const CATCH_UP_TIMEOUT = 5000;
const DRAWING_TIMEOUT = 10000;
const PAGE_LOAD = /\.on_load_internal$/; // the event by which Reflex loads the page that was navigated to
const TRY_LATER = 1013; // see sitekit/server/http/socket_limits.py
// In bytes, less than the server's limits for an event of the back office and of another page.
const LARGEST_OF_STAFF = 4_000_000;
const LARGEST = 60_000;

/** @type {Socket | null} */
let socket = null;
let wasConnected = false;
let wasReady = false;
let isCaughtUp = false;
let isRefused = false;
let attempts = 0;
let failedAt = 0;
/** @type {ReturnType<typeof setTimeout> | null} */
let pause = null;
let isDue = false;
let receivedAt = 0;
let loadingSince = 0;
let loadedPath = ""; // of the page whose `on_load` was answered last
/** @type {Map<ReflexEvent, number>} */
const unacknowledged = new Map(); // events that are not acknowledged: when they were sent
let hasDropped = false;

// Whether React has taken over the content of a page that came as HTML, which ui/js/backoffice.jsx tells.
let isDrawn = typeof document === "undefined" || !document.querySelector(".backoffice");
/** @type {(work: () => void) => void} */
function onceDrawn(work) {
  if (isDrawn) work();
  else drawn.then(work);
}
/** @type {Promise<void>} */
const drawn = new Promise((resolve) => {
  if (isDrawn) return;
  const go = () => { isDrawn = true; resolve(); };
  document.addEventListener("drawn", go, { once: true });
  setTimeout(go, DRAWING_TIMEOUT);
});

/** @type {Set<Listener>} */
const listeners = new Set();
/** @type {(what: Change, events?: ReflexEvent[]) => void} */
const notify = (what, events = []) => {
  if ((what === "ready" || what === "loaded") && !isLoading()) loadedPath = location.pathname;
  listeners.forEach((listener) => listener(what, events));
};

/**
 * Calls the listener with "lost" and the unacknowledged events, then with "arrived" before the page is updated and with
 * "ready" afterwards; also with "loaded", "silent" and "acknowledged"; with "back" when what was asked meanwhile may not
 * have arrived, and can be asked again; with "large" and an event that is not sent, because it is too large. Returns a
 * function that removes the listener.
 * @param {Listener} listener
 */
export function onConnection(listener) {
  listeners.add(listener);
  return () => { listeners.delete(listener); };
}

/** Whether an event sent now would not be answered. */
export function isAway() {
  return !socket?.connected || !isCaughtUp || socket.io.engine?._hasPingExpired() || isSilent();
}

/** Note that an event was dropped, because nobody would have answered it. */
export function noteDropped() {
  hasDropped = true;
}

/** Whether the page that was navigated to still waits for what its `on_load` changes. */
export function isLoading() {
  return Date.now() - loadingSince < CATCH_UP_TIMEOUT;
}

/** Whether the vars are those of this visit to the page, and not of an earlier one. */
export function isLoaded() {
  return loadedPath === location.pathname;
}

/** Whether the page has been up to date since it was opened. */
export function hasBeenReady() {
  return wasReady;
}

/** Whether the server has closed the last connection because too many are open. */
export function isFull() {
  return isRefused;
}

/** @param {ReflexEvent} event */
function isTooLarge(event) {
  const largest = location.pathname.startsWith("/admin") ? LARGEST_OF_STAFF : LARGEST;
  return new TextEncoder().encode(JSON.stringify(event)).length > largest;
}

/** Try at once instead of at the end of the pause. */
export function connectNow() {
  if (pause) socket?.reconnect();
}

/** Whether the server does not acknowledge events; it may be blocked. */
export function isSilent() {
  const [oldest] = unacknowledged.values();
  const since = Math.max(oldest ?? Infinity, receivedAt);
  return oldest !== undefined && Date.now() - since >= ACK_TIMEOUT;
}

/** @param {Socket} one */
function adopt(one) {
  socket = one;
  one.io.timeout(ATTEMPT_TIMEOUT);
  const catchUp = showWhenComplete(one);
  // Runs before Reflex notices and connects again.
  one.io.on("close", () => { failedAt = Date.now(); });
  one.on("connect", () => {
    attempts = 0;
    wasConnected = true;
    catchUp();
  });
  one.on("connect_error", () => {
    failedAt = Date.now();
    notify("lost");
  });
  one.on("disconnect", (reason) => {
    isCaughtUp = false;
    const lost = [...unacknowledged.keys()];
    unacknowledged.clear();
    notify("lost", lost);
    // Reflex does not connect again after the server has closed the connection, or after `beforeunload` was cancelled.
    if (reason.endsWith("disconnect")) one.reconnect();
  });
  const emit = one.emit;
  one.emit = function (name, event, ...rest) {
    if (name !== "event") return emit.call(this, name, event, ...rest);
    if (isTooLarge(event)) {
      notify("large", [event]);
      return this;
    }
    unacknowledged.set(event, Date.now());
    if (PAGE_LOAD.test(event.name)) {
      loadingSince = Date.now();
      if (loadedPath !== location.pathname) loadedPath = "";
      setTimeout(() => notify("loaded"), CATCH_UP_TIMEOUT);
    }
    setTimeout(() => { if (unacknowledged.has(event) && isSilent()) notify("silent"); }, ACK_TIMEOUT);
    return emit.call(this, name, event, () => {
      unacknowledged.delete(event);
      receivedAt = Date.now();
      notify("acknowledged");
      if (hasDropped && !isAway()) tellBack();
    });
  };
}

// The server sends its whole state after each new connection, and then the changes of the page's `on_load`. After a
// restart the page would be empty at first, and forms would lose the focus and what is typed; and a page that has come
// as HTML must be taken over as it came. So updates are applied when all have arrived, and all that has come is drawn.
/** @param {Socket} one */
function showWhenComplete(one) {
  const shown = one.listeners("event").slice();
  const show = (/** @type {Update} */ update) => shown.forEach((listener) => listener(update));
  /** @type {Required<Update> | null} */
  let gathered = isDrawn ? null : { delta: {}, events: [] };
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let limit;
  const finish = () => {
    clearTimeout(limit);
    const update = gathered;
    gathered = null;
    if (update) {
      notify("arrived");
      show(update);
    }
    if (isCaughtUp || !one.connected) return;
    isCaughtUp = wasReady = true;
    notify("ready");
    tellBack();
  };
  one.off("event");
  one.on("event", (update) => {
    receivedAt = Date.now();
    if (gathered) {
      for (const [state, vars] of Object.entries(update.delta ?? {}))
        gathered.delta[state] = { ...gathered.delta[state], ...vars };
      gathered.events.push(...(update.events ?? []));
    } else {
      show(update);
    }
    if (!update.delta?.[app.state_name]?.is_hydrated_rx_state_) return;
    onceDrawn(() => {
      finish();
      loadingSince = 0;
      notify("loaded");
    });
  });
  // Begins here, because the first update arrives before the connection counts as open.
  one.on("disconnect", () => {
    clearTimeout(limit);
    gathered = { delta: {}, events: [] };
  });
  return () => { if (!isCaughtUp) limit = setTimeout(onceDrawn, CATCH_UP_TIMEOUT, finish); };
}

function tellBack() {
  hasDropped = false;
  notify("back");
}

function pauseLeft() {
  if (!wasConnected && attempts === 0) return 0;
  const chosen = PAUSES[Math.min(wasConnected ? attempts : attempts - 1, PAUSES.length - 1)];
  return chosen * (1 + SPREAD * (2 * Math.random() - 1)) - (Date.now() - failedAt);
}

const connect = Socket.prototype.connect;
Socket.prototype.connect = function () {
  if (this !== socket) adopt(this);
  const left = isDue || pause ? 0 : pauseLeft();
  clearTimeout(pause ?? undefined);
  pause = null;
  if (left <= 0) {
    attempts += 1;
    connect.call(this);
    watchRefusal(this.io.engine);
    return this;
  }
  pause = setTimeout(() => {
    pause = null;
    isDue = true;
    this.reconnect();
    isDue = false;
  }, left);
  // Not an attempt yet: an event that is sent meanwhile may start one.
  this.wait_connect = false;
  return this;
};

// Engine.io reports no error if a connection is closed before anything is said, so the attempt would last until its
// timeout. Reflex opens the first connection early, so that it may be closed already.
/** @param {Engine} engine */
function watchRefusal(engine) {
  if (engine.readyState === "closed") engine.emit("error", new Error("closed early"));
  else engine.once("close", (_, details) => {
    isRefused = details?.context?.code === TRY_LATER;
    if (isRefused) engine.emit("error", new Error("too many connections"));
  });
}

if (typeof window !== "undefined") addEventListener("online", connectNow);
