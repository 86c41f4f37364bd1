// @ts-check
/** @param {{ children: import("react").ReactNode }} props */
function PageState({ children }) {
  // Stores the theme in a cookie, so that the server renders the next page in it. On the first run, Reflex has not yet
  // read the stored choice.
  const { rawColorMode, setColorMode } = useContext(ColorModeContext);
  const isFirst = useRef(true);
  useEffect(() => {
    const theme = isFirst.current ? localStorage.getItem("theme") : rawColorMode;
    const age = theme === "light" || theme === "dark" ? 31536000 : 0;
    isFirst.current = false;
    const secure = location.protocol === "https:" ? "; secure" : "";
    document.cookie = `theme=${theme}; path=/; max-age=${age}; samesite=lax${secure}`;
  }, [rawColorMode]);
  useEffect(() => {
    const follow = (/** @type {PageTransitionEvent} */ { persisted }) => {
      if (persisted) setColorMode(localStorage.getItem("theme") ?? "system");
    };
    addEventListener("pageshow", follow);
    return () => removeEventListener("pageshow", follow);
  }, [setColorMode]);
  // Effects run from child to parent: after the first ones, Reflex has yet to read the stored theme, which a press of the
  // switch needs; after the second ones, it has.
  const [isSettled, setSettled] = useState(false);
  useEffect(() => setSettled(true), []);
  // The event loop has run by now, found no state and stayed offline. From now on the first event that needs the server
  // opens the websocket.
  useEffect(() => {
    if (!isSettled) return;
    registerApp({ initialState });
    document.documentElement.dataset.hydrated = "";
    document.dispatchEvent(new Event("hydrated"));
  }, [isSettled]);
  return children;
}

if (typeof document === "undefined") {
  globalThis.__siteInitialState = initialState;
} else {
  const rendered = document.getElementById("page-state")?.textContent;
  if (rendered) {
    for (const [name, vars] of Object.entries(JSON.parse(rendered)))
      if (name in initialState) initialState[name] = { ...initialState[name], ...vars };
    registerApp({ initialState: {} });
  }
}
