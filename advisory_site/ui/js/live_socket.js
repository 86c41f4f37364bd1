// Reflex's websocket, watched from outside: whether it is there, what it has not delivered, when it tries again.
//
// The framework says nothing of this and takes no settings for it, so this leans on how it works inside: each attempt to
// connect is a call of `connect`, made through a `reconnect` of its own which `wait_connect` holds back, and what arrives
// is an "event". docs/decisions/connection.md has the reasons.
import { Socket } from "socket.io-client";
import { app } from "$/utils/context-registry";

// Times in ms. The pauses before the attempts to connect again, the last one over and over, each a fifth shorter or
// longer by chance, so that the tabs of an office do not come all at once.
const PAUSES = [1000, 2000, 5000, 10000];
const SPREAD = 0.2;
const ATTEMPT_TIMEOUT = 8000;
// Each event is acknowledged when the server has taken it up, which takes it no time.
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
let heardAt = 0;
const unheard = new Map(); // events that nobody has acknowledged: when they were sent

const listeners = new Set();
const tell = (what, events = []) => listeners.forEach((listener) => listener(what, events));

/**
 * Calls back with "lost" and the events that were not acknowledged; with "arrived" before the page is brought up to date
 * after that, and "ready" when it is; with "silent" and "heard". Returns what ends it.
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

/** Whether the server has not taken up what it was sent; it may be standing still. */
export function isSilent() {
  const [oldest] = unheard.values();
  const since = Math.max(oldest ?? Infinity, heardAt);
  return oldest !== undefined && Date.now() - since >= ACK_TIMEOUT;
}

function adopt(one) {
  socket = one;
  one.io.timeout(ATTEMPT_TIMEOUT);
  const catchUp = showWhenComplete(one);
  // Before the framework hears of it and tries again.
  one.io.on("close", () => { failedAt = Date.now(); });
  one.on("connect", () => {
    attempts = 0;
    wasConnected = true;
    catchUp();
  });
  one.on("connect_error", () => {
    failedAt = Date.now();
    tell("lost");
  });
  one.on("disconnect", (reason) => {
    isCaughtUp = false;
    const lost = [...unheard.keys()];
    unheard.clear();
    tell("lost", lost);
    // The framework gives up when the server hangs up, and when somebody was about to leave the page and stayed.
    if (reason.endsWith("disconnect")) one.reconnect();
  });
  const emit = one.emit;
  one.emit = function (name, event, ...rest) {
    if (name !== "event") return emit.call(this, name, event, ...rest);
    unheard.set(event, Date.now());
    setTimeout(() => { if (unheard.has(event) && isSilent()) tell("silent"); }, ACK_TIMEOUT);
    return emit.call(this, name, event, () => {
      unheard.delete(event);
      heardAt = Date.now();
      tell("heard");
    });
  };
}

// The server sends its whole state after each new connection, and then what the page's `on_load` changes of it. After a
// restart that is first an empty page: forms would go, with the cursor in them. So it is shown when it is complete.
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
      tell("arrived");
      show(update);
    }
    if (isCaughtUp || !one.connected) return;
    isCaughtUp = wasReady = true;
    tell("ready");
  };
  one.off("event");
  one.on("event", (update) => {
    heardAt = Date.now();
    if (gathered) {
      for (const [state, vars] of Object.entries(update.delta ?? {}))
        gathered.delta[state] = { ...gathered.delta[state], ...vars };
      gathered.events.push(...(update.events ?? []));
    } else {
      show(update);
    }
    if (update.delta?.[app.state_name]?.is_hydrated_rx_state_) finish();
  });
  // From here on, because the first of it comes before the connection is said to be there.
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
  // Not an attempt yet: sending something meanwhile may start one.
  this.wait_connect = false;
  return this;
};

if (typeof window !== "undefined") addEventListener("online", connectNow);
