"""The page of pictures through the real event processor: who may, what is shown, changed, replaced and deleted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from advisory_site.core.permissions import Role
from advisory_site.dashboard import media_page_texts as words
from advisory_site.dashboard.media_page import MediaState
from advisory_site.db.database import transaction
from tests.conftest import on_sqlite
from tests.support import database_faults, factories
from tests.support.event_client import EventClient
from tests.support.staff import redirects, sign_in, texts

pytestmark = pytest.mark.spec("IMG-4")

PATH = "/admin/media"
# With what it replies if the database is lost.
HANDLERS: list[tuple[Callable[..., object], dict[str, Any], list[str]]] = [
    (MediaState.load, {}, [words.FAILED]),
]


def add_picture(**fields: Any) -> int:
    with transaction() as session:
        return factories.id_of(factories.add_picture(session, **fields))


def listed(tab: EventClient, address: str = PATH) -> list[str]:
    return [row.name for row in tab.send(MediaState.load, path=address).var("media_state.rows")]


@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_see_the_pictures(tab: EventClient, role: Role) -> None:
    sign_in(tab, role)
    add_picture(name="harbour.jpg")
    assert listed(tab) == ["harbour.jpg"]


def test_search_filter_order_and_page_are_in_the_address(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for number in range(26):
        add_picture(name=f"harbour-{number:02}.jpg", alt="" if number else "A harbour")
    assert listed(tab, f"{PATH}?search=harbour&page=2") == ["harbour-00.jpg"]
    assert listed(tab, f"{PATH}?sort=name")[:2] == ["harbour-00.jpg", "harbour-01.jpg"]
    assert len(listed(tab, f"{PATH}?filter=undescribed&size=50")) == 25
    tab.send(MediaState.load, path=f"{PATH}?search=zzz&filter=unused")
    shown = tab.vars(MediaState)
    assert (shown["rows"], shown["nothing_found"]) == (
        [],
        "Nothing matches 'zzz' with the filter Status.",
    )


@pytest.mark.spec("ROLE-4", "ADM-2")
@pytest.mark.parametrize(("handler", "payload", "_sentences"), HANDLERS)
def test_a_stranger_is_sent_to_sign_in_and_gets_nothing(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any], _sentences: list[str]
) -> None:
    add_picture()
    sign_in(tab, None)
    reply = tab.send(handler, path=PATH, **payload)
    assert redirects(reply)[0].startswith("/auth")
    assert not [value for name, value in reply.delta.items() if name.startswith(("media_state", "picture_")) and value]


@on_sqlite
@pytest.mark.parametrize("fault", [database_faults.missing, database_faults.no_file])
@pytest.mark.parametrize(("handler", "payload", "sentences"), HANDLERS)
def test_without_its_database_each_handler_says_what_it_could_not_do(
    tab: EventClient,
    database_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
    fault: database_faults.Fault,
    handler: Callable[..., object],
    payload: dict[str, Any],
    sentences: list[str],
) -> None:
    sign_in(tab, Role.EMPLOYEE)
    with fault(database_dir, monkeypatch):
        reply = tab.send(handler, path=PATH, **payload)
    assert (texts(reply), reply.errors) == (sentences, [])
