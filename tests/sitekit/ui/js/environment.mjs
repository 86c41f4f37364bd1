// What our scripts find in a browser, for tests under Node: the folders of the build, and packages replaced by the least
// that the scripts need of them.
import { registerHooks } from "node:module";

const KIT = new URL("../../../../sitekit/", import.meta.url);
const FOLDERS = { "$/framework/": new URL("server/framework/js/", KIT), "$/ui/": new URL("ui/js/", KIT) };
const PACKAGES = {
  react: "packages/react.mjs",
  "react-router": "packages/router.mjs",
  "socket.io-client": "packages/socket.mjs",
  "$/utils/context-registry": "packages/registry.mjs",
};

registerHooks({
  resolve(specifier, context, next) {
    const folder = Object.keys(FOLDERS).find((one) => specifier.startsWith(one));
    const local = PACKAGES[specifier] && new URL(PACKAGES[specifier], import.meta.url);
    const file = folder ? new URL(specifier.slice(folder.length), FOLDERS[folder]) : local;
    const found = next(file ? file.href : specifier, context);
    return found.url.startsWith(KIT.href) ? { ...found, format: "module" } : found;
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.startsWith(KIT.href)) return loaded;
    return { ...loaded, source: String(loaded.source).replaceAll("import.meta.env.SSR", "false") };
  },
});

/** The listeners that scripts have added to the window, by the name of the event. */
const listeners = {};
globalThis.window = globalThis;
globalThis.addEventListener = (name, listener) => { (listeners[name] ??= []).push(listener); };
globalThis.location = { pathname: "/admin", search: "?tab=team", origin: "https://site.test" };

/** An event on the window; returns what was prevented. */
export function dispatch(name, event) {
  const done = { isPrevented: false, isStopped: false };
  const methods = {
    preventDefault: () => { done.isPrevented = true; },
    stopImmediatePropagation: () => { done.isStopped = true; },
  };
  for (const listener of listeners[name] ?? []) listener({ ...event, ...methods });
  return done;
}

/** A storage as browsers have it. */
export function useStorage() {
  const texts = new Map();
  globalThis.sessionStorage = {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => texts.set(key, text),
    removeItem: (key) => texts.delete(key),
  };
}
