"""Passes the state to the browser: a rendered page starts from the values it was rendered with."""

from pathlib import Path

import reflex as rx

SCRIPTS = Path(__file__).with_name("js")
# The script in every public page; the build writes it, minified, next to the folder of the client's files.
LOADER = "loader.js"

# Outside Reflex's own providers (such as the event loop's), so that its effect runs after theirs.
AROUND_THE_EVENT_LOOP = (150, "PageState")


class PageState(rx.Component):
    """Renders nothing; adds its code to the module that creates the browser's store."""

    tag = "PageState"

    def add_imports(self) -> rx.ImportDict:
        """The store's initial values, and the object from which the event loop reads them."""
        return {
            "react": [rx.ImportVar(tag=name) for name in ("useContext", "useEffect", "useRef", "useState")],
            "$/utils/context": [rx.ImportVar(tag=name) for name in ("ColorModeContext", "initialState")],
            "$/utils/context-registry": [rx.ImportVar(tag="registerApp")],
        }

    def add_custom_code(self) -> list[str]:
        """The code that runs before the store is created, and the component."""
        return [(SCRIPTS / name).read_text(encoding="utf-8") for name in ("storages.js", "page_state.js")]


def hand_over_state(app: rx.App) -> None:
    """Wrap all pages of an app in `PageState`."""
    app.extra_app_wraps[AROUND_THE_EVENT_LOOP] = lambda _stateful: PageState.create()
