// @ts-check
// Chakra's menus and dialogs, which come once the page is loaded, or when the first one is opened; see chakra.jsx.
import { useEffect, useSyncExternalStore } from "react";

const RETRY = 2000; // ms

/** @type {typeof import("./chakra.jsx") | null} */
let chakra = null;
/** @type {Promise<void> | null} */
let coming = null;
/** @type {Set<() => void>} */
const readers = new Set();

function subscribe(/** @type {() => void} */ read) {
  readers.add(read);
  return () => { readers.delete(read); };
}

/** Fetch it, unless it is here or on its way. */
export function fetchChakra() {
  coming ??= import("./chakra.jsx").then(
    (loaded) => {
      chakra = loaded;
      readers.forEach((read) => read());
    },
    () => { coming = null; },
  );
  return coming;
}

/**
 * Chakra, or null until it is here. It is fetched when it is wanted, again and again without a connection.
 * @param {boolean} isWanted
 */
export function useChakra(isWanted = true) {
  useEffect(() => {
    if (!isWanted || chakra) return;
    fetchChakra();
    const timer = setInterval(fetchChakra, RETRY);
    return () => clearInterval(timer);
  }, [isWanted]);
  return useSyncExternalStore(subscribe, () => chakra, () => null);
}
