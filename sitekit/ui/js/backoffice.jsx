// @ts-check
// What surrounds each page of the back office; see sitekit/admin/components/backoffice.py.
import { useEffect } from "react";
import { onConnection } from "$/framework/live_socket.js";
import { Questions } from "./confirm.jsx";
import { fetchChakra } from "./later.jsx";
import { guardKeys } from "./shortcuts.js";

// Menus and dialogs come after the page itself, and are here when they are opened, with or without a connection.
function fetchOnceLoaded() {
  const stop = onConnection((what) => {
    if (what !== "loaded") return;
    stop();
    setTimeout(fetchChakra);
  });
  return stop;
}

export function Backoffice({ children }) {
  useEffect(guardKeys, []);
  useEffect(fetchOnceLoaded, []);
  return <>{children}<Questions /></>;
}
