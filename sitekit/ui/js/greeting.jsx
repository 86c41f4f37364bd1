// @ts-check
// A greeting by the visitor's clock; see sitekit/admin/components/browser.py.
import { useSyncExternalStore } from "react";

function everyMinute(changed) {
  const timer = setInterval(changed, 60000);
  return () => clearInterval(timer);
}

export function Greeting({ morning, afternoon, evening }) {
  const hour = useSyncExternalStore(everyMinute, () => new Date().getHours(), () => null);
  return hour === null ? "" : hour < 12 ? morning : hour < 18 ? afternoon : evening;
}
