"""The finder: a field in the header that leads to every record, page and act."""

import logging
from collections.abc import Iterable
from typing import Annotated, Any

import reflex as rx
from sqlmodel import Session

from ...base.permissions import Actor, may
from ...records.finding import MOST, Findable, Hit, find, rank, read_named
from ...ui.feedback import reason
from ...ui.scripts import script
from .. import texts as admin_texts
from ..content import content
from ..current_user import CurrentUser
from ..db_calls import read
from ..guard import staff_event
from ..office import office
from ..places import Place
from ..user_accounts import user_accounts
from . import texts as finder_texts

logger = logging.getLogger(__name__)


def findables() -> tuple[Findable, ...]:
    """The tables whose rows are found."""
    return (*content(), *office().findables)


def _places() -> list[tuple[str, Place]]:
    """Acts, pages and tasks, each with what it is called. Acts come first: a page is also in the strip or the menu."""
    return [
        *((finder_texts.ACT, place) for place in office().acts),
        *((finder_texts.PAGE, place) for place in office().pages),
        *((admin_texts.HELP, Place(task.title, task.href, action=task.action)) for task in office().tasks()),
    ]


class FinderState(rx.State):
    """What is found. `number` is that of the query that `hits` answer, `opened` the last record, as "articles.3"."""

    hits: list[Hit] = []
    number: int = 0
    has_failed: bool = False
    opened: str = ""

    @staff_event(failed=lambda self, error, _subject: self._fail(error))
    async def find(self, number: int, text: str, opened: list[str], *, actor: Actor) -> None:
        """Find what the user may open; of an empty text, the records opened before, and what can be done."""
        keys = [key for key in opened[:MOST] if isinstance(key, str)]
        self.number = number
        self.hits = await read(lambda session: find_all(session, actor, text, keys))
        self.has_failed = False

    def _fail(self, error: Exception) -> None:
        logger.error("Nothing could be found: %s", reason(error))
        self.hits, self.has_failed = [], True


async def note_opened(state: rx.State, table: str, record: int) -> None:
    """Have the browser note that its user has opened this record."""
    (await state.get_state(FinderState)).opened = f"{table}.{record}"


def find_all(session: Session, actor: Actor, text: str, opened: Iterable[str]) -> list[Hit]:
    """What the finder shows for a text, the best first."""
    places = [(title, place) for title, place in _places() if place.action is None or may(actor, place.action)]
    if not text.strip():
        acts = [_place_hit(title, place) for title, place in places if title == finder_texts.ACT]
        return read_named(session, actor, findables(), opened) + acts
    named = [
        (worth, _place_hit(title, place)) for title, place in places if (worth := rank(place.name, text)) is not None
    ]
    # A stable sort: of equal worth, acts and pages come first, then the tables in their order.
    ranked = sorted([*named, *find(session, actor, findables(), text)], key=lambda pair: pair[0])
    return [hit for _, hit in ranked]


def _place_hit(title: str, place: Place) -> Hit:
    return Hit(place.name, title=title, href=place.href)


class Finder(rx.Component):
    """The field, and the dialog that it and Ctrl or Cmd+K open. A hit without an address sends `on_sign_out`."""

    library, tag = script("finder.jsx", "Finder")
    user: rx.Var[int]
    opened: rx.Var[str]
    hits: rx.Var[list[Hit]]
    number: rx.Var[int]
    has_failed: rx.Var[bool]
    texts: rx.Var[dict[str, str]]
    on_find: Annotated[rx.EventHandler, rx.event.passthrough_event_spec(int, str, list[str])]
    on_sign_out: Annotated[rx.EventHandler, rx.event.no_args_event_spec]


def finder() -> rx.Component:
    """The field of the header."""
    state: Any = FinderState
    return Finder.create(
        user=CurrentUser.user_id,
        opened=state.opened,
        hits=state.hits,
        number=state.number,
        has_failed=state.has_failed,
        texts=dict(finder_texts.FINDER),
        on_find=state.find.temporal,
        on_sign_out=user_accounts().sign_out,
    )


class Keys(rx.Component):
    """The dialog of the keys that work on a page, which "?" opens. Each key has its effect and a selector."""

    library, tag = script("keys.jsx", "Keys")
    heading: rx.Var[str] = rx.Var.create(finder_texts.KEYS)
    close_label: rx.Var[str] = rx.Var.create(admin_texts.CLOSE)
    keys: rx.Var[list[list[str]]] = rx.Var.create([list(key) for key in finder_texts.KEY_LIST])
