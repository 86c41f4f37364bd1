"""Whether this site has a page at an address; the app says it, for texts that link to pages."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from sqlmodel import Session

from . import messages

HasPage = Callable[[Session, str], bool]
PagesOfDrafts = Callable[[Session], Iterable[str]]

_has_page: HasPage | None = None
_pages_of_drafts: PagesOfDrafts | None = None
_EXPECTED = "expected pages"


def use(given: HasPage, of_drafts: PagesOfDrafts | None = None) -> None:
    """Take the functions that know the pages, and those to come. Called once, when the app is made."""
    global _has_page, _pages_of_drafts
    _has_page, _pages_of_drafts = given, of_drafts


def has_page(session: Session, path: str) -> bool:
    """Whether visitors find something at a path; without an app, as in a command, every path counts."""
    return _has_page is None or path in session.info.get(_EXPECTED, ()) or _has_page(session, path)


@contextmanager
def expecting(session: Session, paths: Iterable[str]) -> Iterator[None]:
    """Let these pages, which are still to come, count as there for the block."""
    session.info[_EXPECTED] = {*paths}
    try:
        yield
    finally:
        del session.info[_EXPECTED]


def missing(session: Session, path: str) -> str:
    """The sentence about a link to a path without a page."""
    is_draft = _pages_of_drafts is not None and path in _pages_of_drafts(session)
    return (messages.NO_PAGE_YET if is_draft else messages.NO_PAGE_AT).format(path=path)
