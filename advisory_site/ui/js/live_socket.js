// Watches Reflex's websocket: whether it is connected, which events are not acknowledged, when it connects again.
//
// Reflex has no interface or settings for this, so it depends on internals: each attempt to connect calls `connect`,
// through `reconnect`, which `wait_connect` delays; what arrives is an "event". See docs/decisions/connection.md.
import { Socket } from "socket.io-client";
import { app } from "$/utils/context-registry";

// In ms. The pauses before attempts to connect again; the last one repeats. Each varies by a fifth at random, so that
// many tabs do not connect at the same moment.
const PAUSES = [1000, 2000, 5000, 10000];
const SPREAD = 0.2;
const ATTEMPT_TIMEOUT = 8000;
// The server acknowledges each event at once, before it handles it.
const ACK_TIMEOUT = 2000;
const CATCH_UP_TIMEOUT = 5000;

let socket = null;
let wasConnected = false;
let wasReady = false;
let isCaughtUp = false;
let attempts = 0;
let failedAt = 0;
let pause = null;
let isDue = false;
let receivedAt = 0;
const unacknowledged = new Map(); // events that are not acknowledged: when they were sent

const listeners = new Set();
const notify = (what, events = []) => listeners.forEach((listener) => listener(what, events));

/**
 * Calls the listener with "lost" and the unacknowledged events, then with "arrived" before the page is updated and with
 * "ready" afterwards; also with "silent" and "acknowledged". Returns a function that removes the listener.
 */
export function onConnection(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether an event sent now would not be answered. */
export function isAway() {
  return !socket?.connected || !isCaughtUp || socket.io.engine?._hasPingExpired() || isSilent();
}

/** Whether the page has been up to date since it was opened. */
export function hasBeenReady() {
  return wasReady;
}

/** Try at once instead of at the end of the pause. */
export function connectNow() {
  if (pause) socket.reconnect();
}

/** Whether the server does not acknowledge events; it may be blocked. */
export function isSilent() {
  const [oldest] = unacknowledged.values();
  const since = Math.max(oldest ?? Infinity, receivedAt);
  return oldest !== undefined && Date.now() - since >= ACK_TIMEOUT;
}

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
    unacknowledged.set(event, Date.now());
    setTimeout(() => { if (unacknowledged.has(event) && isSilent()) notify("silent"); }, ACK_TIMEOUT);
    return emit.call(this, name, event, () => {
      unacknowledged.delete(event);
      receivedAt = Date.now();
      notify("acknowledged");
    });
  };
}

// The server sends its whole state after each new connection, and then the changes of the page's `on_load`. After a
// restart the page would be empty at first, and forms would lose the focus and what is typed. So updates are applied
// when all have arrived.
function showWhenComplete(one) {
  const shown = one.listeners("event").slice();
  const show = (update) => shown.forEach((listener) => listener(update));
  let gathered = null;
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
    if (update.delta?.[app.state_name]?.is_hydrated_rx_state_) finish();
  });
  // Begins here, because the first update arrives before the connection counts as open.
  one.on("disconnect", () => {
    clearTimeout(limit);
    gathered = { delta: {}, events: [] };
  });
  return () => { if (!isCaughtUp) limit = setTimeout(finish, CATCH_UP_TIMEOUT); };
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
  clearTimeout(pause);
  pause = null;
  if (left <= 0) {
    attempts += 1;
    return connect.call(this);
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

if (typeof window !== "undefined") addEventListener("online", connectNow);
