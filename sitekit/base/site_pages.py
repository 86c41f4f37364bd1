"""Whether this site has a page at an address; the app says it, for texts that link to pages."""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager

from sqlmodel import Session

from . import messages

HasPage = Callable[[Session, str], bool]
PagesOfDrafts = Callable[[Session], Iterable[str]]

_has_page: HasPage | None = None
_files: Collection[str] = ()
_pages_of_drafts: PagesOfDrafts | None = None
_EXPECTED = "expected pages"


def use(given: HasPage, files: Collection[str] = (), of_drafts: PagesOfDrafts | None = None) -> None:
    """Take what knows the pages, other answers and the pages to come. Called once, when the app is made."""
    global _has_page, _files, _pages_of_drafts
    _has_page, _files, _pages_of_drafts = given, files, of_drafts


def has_page(session: Session, path: str) -> bool:
    """Whether visitors find something at a path, perhaps by a redirect; without an app every path counts."""
    if _has_page is None or path in _files:
        return True
    expected = session.info.get(_EXPECTED, ())
    spellings = (path, *other_spellings(path)) if path.startswith("/") else ()
    return any(spelling in expected or _has_page(session, spelling) for spelling in spellings)


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


def other_spellings(path: str) -> list[str]:
    """Where a path is redirected to if no page has it: with single slashes, and with these and in lower case."""
    single = "/" + "/".join(filter(None, path.split("/")))
    return [spelling for spelling in dict.fromkeys((single, single.lower())) if spelling != path]
