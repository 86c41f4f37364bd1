"""The choice of a theme: light, dark or the system's; the browser remembers it."""

import reflex as rx

from .chakra import CHAKRA


class ThemeChoice(rx.Component):
    """Radio buttons bound to Reflex's colour mode; `options` are pairs of a mode and its label."""

    tag = "ThemeChoice"
    options: rx.Var[list[list[str]]]
    label: rx.Var[str]

    def add_imports(self) -> rx.ImportDict:
        """Reflex's colour mode, and Chakra's radio buttons."""
        return {
            "react": [rx.ImportVar(tag="useContext")],
            "$/utils/context": [rx.ImportVar(tag="ColorModeContext")],
            CHAKRA: [rx.ImportVar(tag=name, alias=f"Chakra{name}") for name in ("Radio", "RadioGroup")],
        }

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_CHOICE]


def theme_choice(options: dict[str, str], label: str) -> rx.Component:
    """One button a theme."""
    return ThemeChoice.create(options=[[mode, text] for mode, text in options.items()], label=label)


_CHOICE = """
function ThemeChoice({options, label}) {
  const {rawColorMode, setColorMode} = useContext(ColorModeContext);
  return jsx(ChakraRadioGroup, {value: rawColorMode, onChange: setColorMode, "aria-label": label,
    className: "theme-choice"},
    options.map(([mode, text]) => jsx(ChakraRadio, {key: mode, value: mode}, text)));
}
"""
