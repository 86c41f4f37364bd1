// @ts-check
// What surrounds each page of the back office; see sitekit/admin/components/backoffice.py.
import { Activity, useEffect, useLayoutEffect } from "react";
import { onConnection } from "$/framework/live_socket.js";
import { Questions } from "./confirm.jsx";
import { fetchChakra } from "./later.jsx";
import { guardKeys } from "./shortcuts.js";

const IDLE = 1000; // ms

// Menus and dialogs come after the page itself, and are here when they are opened, with or without a connection.
function fetchOnceLoaded() {
  const stop = onConnection((what) => {
    if (what !== "loaded") return;
    stop();
    // Not every browser tells when it has nothing to do.
    if (window.requestIdleCallback) requestIdleCallback(fetchChakra, { timeout: IDLE });
    else setTimeout(fetchChakra, IDLE);
  });
  return stop;
}

// Tells that React has taken over the server's HTML.
function Drawn() {
  useLayoutEffect(() => queueMicrotask(() => document.dispatchEvent(new Event("drawn"))), []);
  return null;
}

// React takes over what is around the boundary first, and asks the server for the data before it goes on with the content.
export function Backoffice({ children }) {
  useEffect(guardKeys, []);
  useEffect(fetchOnceLoaded, []);
  return <Activity>{children}<Questions /><Drawn /></Activity>;
}
