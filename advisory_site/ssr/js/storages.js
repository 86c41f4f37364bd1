// A browser told to keep nothing for a site refuses every look into its storages with an error, and the framework looks
// without expecting one. Such a visitor gets storages that last as long as the page.
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
