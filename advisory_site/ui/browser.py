"""Small React components for what the browser must do by itself, without eval."""

import reflex as rx

REACT = "react"


class BrokenImageFallback(rx.Component):
    """An image that shows `fallback` when it cannot be loaded, also when that failed before hydration."""

    tag = "ImageWithFallback"
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    loading: rx.Var[str]

    def add_imports(self) -> rx.ImportDict:
        """The hooks that the code below uses."""
        return {REACT: [rx.ImportVar(tag="useEffect"), rx.ImportVar(tag="useState"), rx.ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_IMAGE]


class MoveFocus(rx.Component):
    """Moves the focus to the first element that fits the selector `to`, each time `when` changes."""

    tag = "MoveFocus"
    to: rx.Var[str]
    when: rx.Var[int]

    def add_imports(self) -> rx.ImportDict:
        """The hooks that the code below uses."""
        return {REACT: [rx.ImportVar(tag="useEffect"), rx.ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_FOCUS]


_IMAGE = """
function ImageWithFallback({src, fallback, ...rest}) {
  const image = useRef(null);
  const [broken, setBroken] = useState("");
  useEffect(() => {
    const {complete, naturalWidth} = image.current;
    if (src && complete && naturalWidth === 0) setBroken(src);
  }, [src]);
  const shown = src && broken !== src ? src : fallback;
  return jsx("img", {...rest, ref: image, src: shown, onError: () => setBroken(src)});
}
"""

_FOCUS = """
function MoveFocus({to, when}) {
  const seen = useRef(when);
  useEffect(() => {
    if (seen.current === when) return;
    seen.current = when;
    document.querySelector(to)?.focus();
  }, [to, when]);
  return null;
}
"""
