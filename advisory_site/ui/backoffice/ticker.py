"""Sends an event at every interval, and at once when a watched value changes."""

from typing import Annotated

import reflex as rx


class Ticker(rx.Component):
    """Shows nothing. Ticks while the tab is in view, when it comes into view, and when `watched` changes."""

    tag = "SiteTicker"
    every: rx.Var[int]
    watched: rx.Var[str]
    on_tick: Annotated[rx.EventHandler, rx.event.no_args_event_spec]

    def add_imports(self) -> rx.ImportDict:
        """The hooks that the code below uses."""
        return {"react": [rx.ImportVar(tag="useEffect"), rx.ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_TICKER]


_TICKER = """
function SiteTicker({every, watched, onTick}) {
  const tick = useRef(onTick);
  const seen = useRef(watched);
  useEffect(() => { tick.current = onTick; });
  useEffect(() => {
    if (seen.current === watched) return;
    seen.current = watched;
    tick.current?.();
  }, [watched]);
  useEffect(() => {
    const inView = () => { if (document.visibilityState === "visible") tick.current?.(); };
    const timer = setInterval(inView, every);
    document.addEventListener("visibilitychange", inView);
    return () => { clearInterval(timer); document.removeEventListener("visibilitychange", inView); };
  }, [every]);
  return null;
}
"""
