"""The few React components of our own: what the browser must do by itself, written without eval."""

import reflex as rx
from reflex.utils.imports import ImportVar

REACT = "react"


class Notices(rx.Component):
    """Shows each new notice once, for about six seconds, and reads it out.

    The time left is kept in the session storage: a reload neither repeats a notice nor cuts it short. On the
    server, and before the first notice, it is two empty live regions.
    """

    tag = "SiteNotices"
    items: rx.Var[list[dict[str, str]]]

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The hooks that the code below uses."""
        return {REACT: [ImportVar(tag="useEffect"), ImportVar(tag="useState"), ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_NOTICES]


class BrokenImageFallback(rx.Component):
    """An image that shows `fallback` when it cannot be loaded, also when that failed before hydration."""

    tag = "ImageWithFallback"
    src: rx.Var[str]
    fallback: rx.Var[str]
    alt: rx.Var[str]
    width: rx.Var[int]
    height: rx.Var[int]
    loading: rx.Var[str]

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The hooks that the code below uses."""
        return {REACT: [ImportVar(tag="useEffect"), ImportVar(tag="useState"), ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_IMAGE]


class MoveFocus(rx.Component):
    """Moves the focus to the first element that fits the selector `to`, each time `when` changes."""

    tag = "MoveFocus"
    to: rx.Var[str]
    when: rx.Var[int]

    def add_imports(self) -> dict[str, list[ImportVar]]:
        """The hooks that the code below uses."""
        return {REACT: [ImportVar(tag="useEffect"), ImportVar(tag="useRef")]}

    def add_custom_code(self) -> list[str]:
        """The component itself."""
        return [_FOCUS]


_NOTICES = """
const NOTICES_KEY = "notices";

function noticeTimes() {
  try { return JSON.parse(sessionStorage.getItem(NOTICES_KEY)) || {}; } catch { return {}; }
}

function rememberNotice(id, until) {
  const times = Object.entries({...noticeTimes(), [id]: until}).slice(-20);
  try { sessionStorage.setItem(NOTICES_KEY, JSON.stringify(Object.fromEntries(times))); } catch {}
}

function SiteNotice({notice, onGone}) {
  const [held, setHeld] = useState(false);
  const gone = useRef(onGone);
  useEffect(() => { gone.current = onGone; });
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => gone.current(), notice.left);
    return () => clearTimeout(timer);
  }, [held, notice.left]);
  const hold = {
    onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false),
    onFocus: () => setHeld(true), onBlur: () => setHeld(false),
  };
  const close = {type: "button", className: "icon-button", "aria-label": "Dismiss", onClick: onGone};
  const className = "notice notice-" + notice.kind;
  return jsx("div", {className, style: {pointerEvents: "auto"}, ...hold},
    jsx("p", {style: {margin: 0}}, notice.text),
    jsx("button", close,
      jsx("svg", {className: "icon icon-small", viewBox: "0 0 24 24", "aria-hidden": true},
        jsx("path", {d: "M6 6l12 12M18 6L6 18"}))));
}

function SiteNotices({items}) {
  const [open, setOpen] = useState([]);
  useEffect(() => {
    const times = noticeTimes();
    const now = Date.now();
    const fresh = [];
    for (const item of items ?? []) {
      const reading = Math.max(6000, item.text.length * 60);
      if (!(item.id in times)) rememberNotice(item.id, now + reading);
      const left = (times[item.id] ?? now + reading) - now;
      if (left > 0) fresh.push({...item, left});
    }
    setOpen((shown) => {
      const added = fresh.filter((item) => !shown.some((one) => one.id === item.id));
      return added.length ? [...shown, ...added] : shown;
    });
  }, [items]);
  const close = (id) => {
    rememberNotice(id, 0);
    setOpen((shown) => shown.filter((one) => one.id !== id));
  };
  const lane = (kind, role, live) =>
    jsx("div", {role, "aria-live": live, style: {display: "grid", gap: "var(--space-3)"}},
      open.filter((one) => one.kind === kind).map((one) =>
        jsx(SiteNotice, {key: one.id, notice: one, onGone: () => close(one.id)})));
  return jsx("div", {className: "notices", style: {pointerEvents: "none"}},
    lane("success", "status", "polite"), lane("error", "alert", "assertive"));
}
"""

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
