// When site data is blocked, accessing localStorage or sessionStorage throws, and Reflex does not catch it. Replace
// both by storages in memory.
if (typeof document !== "undefined")
  for (const name of ["localStorage", "sessionStorage"])
    try {
      void window[name];
    } catch {
      const kept = new Map();
      const storage = {
        getItem: (key) => kept.get(String(key)) ?? null,
        setItem: (key, value) => void kept.set(String(key), String(value)),
        removeItem: (key) => void kept.delete(String(key)),
        clear: () => kept.clear(),
      };
      Object.defineProperty(window, name, { value: storage });
    }
