// @ts-check
// Every component's event passes through `setEventFilter`'s function, and the events of a form tell what it held.
//
// Reflex has no hook for this: components call `eventLoop.addEvents`, which the event loop replaces when it is mounted.
import { eventLoop } from "$/utils/context-registry";

/** @import { EventActions, Events, Send } from "$/utils/context-registry" */
/** @typedef {import("$/utils/context-registry").ReflexEvent} ReflexEvent What a component sends. */
/** @typedef {{ __reflex_form_data__?: [string, string][] }} FormPayload */

/**
 * Let `filter` decide about all events; its last argument sends them, also later.
 * @param {(events: Events, args: unknown, eventActions: EventActions | undefined, send: Send) => void} filter
 */
export function setEventFilter(filter) {
  if (typeof window === "undefined") return;
  let current = eventLoop.addEvents;
  /** @type {Send} */
  const send = (events, args, eventActions) => current(events, args, eventActions);
  /** @type {Send} */
  const pass = (events, args, eventActions) => filter(events, args, eventActions, send);
  Object.defineProperty(eventLoop, "addEvents", {
    configurable: true,
    get: () => pass,
    set: (/** @type {Send} */ added) => { current = added; },
  });
}

/**
 * What a submitted form held under a name, or undefined.
 * @param {ReflexEvent} event
 * @param {string} name
 * @returns {string | undefined}
 */
export function formEntry(event, name) {
  for (const value of Object.values(event.payload ?? {})) {
    const { __reflex_form_data__: entries } = /** @type {FormPayload} */ (Object(value));
    if (Array.isArray(entries)) return entries.find(([one]) => one === name)?.[1];
  }
}
