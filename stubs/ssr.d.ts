// What the scripts of `server/ssr/js` find where the kit puts them: `loader.js` into each page, the others into the
// module that creates the browser's store.

/** Addresses of the files that only later pages need. */
declare const FETCHED_LATE: string[];

declare const useContext: typeof import("react").useContext;
declare const useEffect: typeof import("react").useEffect;
declare const useRef: typeof import("react").useRef;
declare const useState: typeof import("react").useState;
declare const ColorModeContext: typeof import("$/utils/context").ColorModeContext;
declare const registerApp: (values: { initialState: State }) => void;
/** The values of all vars, by state and name. */
declare let initialState: State;
type State = Record<string, Record<string, unknown>>;

interface Navigator {
  /** Not in every browser. */
  readonly connection?: { readonly saveData: boolean };
}
declare namespace globalThis {
  /** For the renderer. */
  var __siteInitialState: State | undefined;
}
