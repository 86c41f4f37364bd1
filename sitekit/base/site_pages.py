"""Whether this site has a page at an address; the app says it, for texts that link to pages."""

from collections.abc import Callable

from sqlmodel import Session

HasPage = Callable[[Session, str], bool]

_has_page: HasPage | None = None


def use(given: HasPage) -> None:
    """Take the function that knows the pages. Called once, when the app is made."""
    global _has_page
    _has_page = given


def has_page(session: Session, path: str) -> bool:
    """Whether visitors find something at a path; without an app, as in a command, every path counts."""
    return _has_page is None or _has_page(session, path)
