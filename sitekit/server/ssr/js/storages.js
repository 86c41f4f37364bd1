// @ts-check
// When site data is blocked, accessing localStorage or sessionStorage throws, and Reflex does not catch it. Replace
// both by storages in memory.
if (typeof document !== "undefined")
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"]))
    try {
      void window[name];
    } catch {
      /** @type {Map<string, string>} */
      const kept = new Map();
      const storage = {
        getItem: (/** @type {string} */ key) => kept.get(String(key)) ?? null,
        setItem: (/** @type {string} */ key, /** @type {string} */ value) => void kept.set(String(key), String(value)),
        removeItem: (/** @type {string} */ key) => void kept.delete(String(key)),
        clear: () => kept.clear(),
      };
      Object.defineProperty(window, name, { value: storage });
    }
