"""The menu of small screens: a <details> that works without scripts; scripts add Escape and focus."""

import reflex as rx


class MenuBehaviour(rx.Component):
    """Teaches the <details> around it what a menu button owes: `aria-expanded`, Escape, closing on a choice.

    It touches the document only after it has been mounted, so server and browser render the same HTML.
    """

    tag = "MenuBehaviour"

    def add_imports(self) -> rx.ImportDict:
        """React's own hooks; nothing from npm."""
        return {"react": [rx.ImportVar(tag=name) for name in ("createElement", "useEffect", "useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [
            """
function MenuBehaviour() {
  const marker = useRef(null);
  useEffect(() => {
    const menu = marker.current.closest("details");
    const toggle = menu.querySelector("summary");
    const report = () => toggle.setAttribute("aria-expanded", String(menu.open));
    const close = () => { menu.open = false; };
    const onEscape = (event) => {
      if (event.key === "Escape" && menu.open) { close(); toggle.focus(); }
    };
    const onChoice = (event) => { if (event.target.closest("a")) close(); };
    const onElsewhere = (event) => { if (!menu.contains(event.target)) close(); };
    toggle.setAttribute("role", "button");
    report();
    menu.addEventListener("toggle", report);
    menu.addEventListener("click", onChoice);
    document.addEventListener("keydown", onEscape);
    document.addEventListener("pointerdown", onElsewhere);
    return () => {
      menu.removeEventListener("toggle", report);
      menu.removeEventListener("click", onChoice);
      document.removeEventListener("keydown", onEscape);
      document.removeEventListener("pointerdown", onElsewhere);
    };
  }, []);
  return createElement("span", { ref: marker, hidden: true });
}
"""
        ]


def menu(*panel: rx.Component, toggle: tuple[rx.Component, ...]) -> rx.Component:
    """A toggle, and the panel it opens."""
    return rx.el.details(
        rx.el.summary(*toggle, class_name="icon-button"),
        rx.el.div(*panel, class_name="menu-panel"),
        MenuBehaviour.create(),
        class_name="menu",
    )
