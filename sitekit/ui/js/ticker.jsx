// @ts-check
// Sends an event at every interval, and when a watched value changes; see sitekit/admin/components/browser.py.
import { useEffect, useRef } from "react";
import { useChange } from "./change.js";

export function Ticker({ every, watched, onTick }) {
  const tick = useRef(onTick);
  useEffect(() => { tick.current = onTick; });
  useChange(watched, () => tick.current?.());
  useEffect(() => {
    const inView = () => { if (document.visibilityState === "visible") tick.current?.(); };
    const timer = setInterval(inView, every);
    document.addEventListener("visibilitychange", inView);
    return () => { clearInterval(timer); document.removeEventListener("visibilitychange", inView); };
  }, [every]);
  return null;
}
