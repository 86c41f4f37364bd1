// @ts-check
// Shows its children on screens that are too narrow for the places of the strip; see sitekit/admin/components/address.py.
import { useSyncExternalStore } from "react";

const WIDTH = "(max-width: 68.74rem)";

function subscribe(/** @type {() => void} */ read) {
  const query = matchMedia(WIDTH);
  query.addEventListener("change", read);
  return () => query.removeEventListener("change", read);
}

export function Narrow({ children }) {
  return useSyncExternalStore(subscribe, () => matchMedia(WIDTH).matches, () => false) ? children : null;
}
