"""A walk goes from one state of the back office to the next, and yields each; `check` looks at all of them."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from playwright.sync_api import Error, Locator, Page, expect

from tests.e2e.backoffice.conftest import Staff


class State(NamedTuple):
    """A name, the page that shows it, and a part of the page that does not scroll sideways either."""

    name: str
    page: Page
    part: Locator | None = None


Walk = Callable[[Staff], Iterator[State]]
Look = Callable[[State], list[str]]


def check(walks: Iterable[Walk], staff: Staff, look: Look) -> None:
    """Fail with what a look finds in each state, and with the states that are not reached."""
    wrong = []
    for walk in walks:
        name = "the beginning"
        try:
            for state in walk(staff):
                name = state.name
                wrong += [f"{name}: {one}" for one in look(state)]
        except (AssertionError, Error) as error:
            wrong.append(f"{walk.__name__}: nothing reached after {name}: {error}")
    assert not wrong, "\n".join(wrong)


def settled(page: Page) -> Page:
    """The page once its skeletons and spinners are gone."""
    expect(page.get_by_role("main")).to_be_visible()
    expect(page.locator(".backoffice-bone, .backoffice-spinner")).to_have_count(0)
    return page
