"""A greeting by the visitor's clock; empty on the server and while hydrating."""

import reflex as rx


class Greeting(rx.Component):
    """One of three texts: `morning` before 12:00, `afternoon` before 18:00, else `evening`, by the visitor's clock."""

    tag = "Greeting"
    morning: rx.Var[str]
    afternoon: rx.Var[str]
    evening: rx.Var[str]

    def add_imports(self) -> rx.ImportDict:
        """The hook that keeps what the server shows apart from what the browser knows."""
        return {"react": [rx.ImportVar(tag="useSyncExternalStore")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_GREETING]


greeting = Greeting.create

_GREETING = """
function everyMinute(changed) {
  const timer = setInterval(changed, 60000);
  return () => clearInterval(timer);
}

function Greeting({morning, afternoon, evening}) {
  const hour = useSyncExternalStore(everyMinute, () => new Date().getHours(), () => null);
  return hour === null ? "" : hour < 12 ? morning : hour < 18 ? afternoon : evening;
}
"""
