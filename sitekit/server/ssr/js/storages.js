// @ts-check
// A browser may forbid its storages, have none, or no room in them, and Reflex expects none of it. What cannot be stored
// is kept in memory, as long as the page is; "unstored" tells its name.
if (typeof document !== "undefined") {
  for (const name of /** @type {const} */ (["localStorage", "sessionStorage"])) {
    let storage;
    try { storage = window[name]; } catch {}
    if (!storage) Object.defineProperty(window, name, { value: Object.create(Storage.prototype) });
  }
  const { getItem, setItem, removeItem } = Storage.prototype;
  /** @type {WeakMap<Storage, Map<string, string>>} */
  const memories = new WeakMap([[localStorage, new Map()], [sessionStorage, new Map()]]);
  const memoryOf = (/** @type {Storage} */ storage) => /** @type {Map<string, string>} */ (memories.get(storage));
  /** @type {Pick<Storage, "getItem" | "setItem" | "removeItem"> & ThisType<Storage>} */
  const forgiving = {
    getItem(key) {
      try { return memoryOf(this).get(String(key)) ?? getItem.call(this, key); } catch { return null; }
    },
    setItem(key, value) {
      memoryOf(this).delete(String(key));
      try { setItem.call(this, key, value); } catch {
        memoryOf(this).set(String(key), String(value));
        if (value) document.dispatchEvent(new CustomEvent("unstored", { detail: String(key) }));
      }
    },
    removeItem(key) {
      memoryOf(this).delete(String(key));
      try { removeItem.call(this, key); } catch {}
    },
  };
  Object.assign(Storage.prototype, forgiving);
}
