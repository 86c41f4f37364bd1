"""All handlers of the back office, called by a role that may only read, and by one that was just added."""

import inspect
import re
from collections.abc import Mapping
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import SQLModel

from advisory_site.advisory_site import PAGES
from sitekit.admin.current_user import has_role
from sitekit.admin.guard import ADMIN_ACCESS, STAFF_ACCESS
from sitekit.admin.history.state import HistoryState
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.records.features import record_types
from sitekit.server.framework.event_marks import access_of
from sitekit.server.framework.events import handlers
from tests.conftest import on_sqlite
from tests.e2e.attack import plausible
from tests.support import factories
from tests.support.changed_texts import change_text
from tests.support.event_client import EventClient
from tests.support.record_types import ALL
from tests.support.roles import added_role, let_only_read, session_of
from tests.support.staff import keep, sign_in, texts

# Events of the back office that change records, pictures or enquiries, and the places of their buttons.
CHANGING = re.compile(
    r"(?:(?:company|member|team|advisor|article)_\w+|picture|upload|enquiry_desk|reply|add_note|add_answer|wait|history)"
    r"_state\.(?:save|delete\w*|set_\w*public|check|discard\w*|\w+_entry|replace|restore_now|authorize|take|assign"
    r"|set_handled|set_spam|send_again)"
)
CONTENT = ("enquiries", "enquiry_entries", "media", "proposals", "preview_links")


def contents() -> dict[str, list[Any]]:
    """What is stored of records, drafts, pictures and enquiries, by table."""
    with read_session() as session:
        tables = [SQLModel.metadata.tables[name] for name in (*CONTENT, *record_types())]
        return {table.name: list(session.execute(sa.select(table).order_by(table.c[0]))) for table in tables}


@pytest.fixture
def _records(database: Any) -> None:
    """A record of each kind with the id 1, as the calls name it."""
    with transaction() as session:
        for sample in ALL.values():
            sample.add(session)
        change_text(session, "What we do", "What we do now")
        factories.add_entry(session, factories.add_enquiry(session))
        factories.add_picture(session)
        factories.add_draft(session, inputs={"name": "Kelp"})


def calls() -> list[tuple[str, dict[str, Any]]]:
    """The handlers for staff, with arguments that their pages could send."""
    found = []
    for state, handler in handlers():
        if access_of(handler) in (STAFF_ACCESS, ADMIN_ACCESS) and not state.__module__.startswith("tests."):
            arguments = [one for one in inspect.signature(handler).parameters.values() if one.name != "self"]
            event = f"{state.get_full_name()}.{handler.__name__}"
            found.append((event, {one.name: plausible(one, 1) for one in arguments}))
    # What would leave nothing for the others comes last.
    return sorted(found, key=lambda call: ("sign_out" in call[0], "delete" in call[0]))


def changed_by(tab: EventClient) -> dict[str, set[str]]:
    """The calls that changed something, with the tables."""
    changed, before = {}, contents()
    for event, payload in calls():
        tab.send(event, path="/admin", query={"id": "1", "slug": "kelp", "tab": "companies"}, **payload)
        after = contents()
        if tables := {name for name in after if after[name] != before[name]}:
            changed[event.rpartition("____")[2]] = tables
        before = after
    return changed


@on_sqlite
@pytest.mark.spec("ROLE-6")
@pytest.mark.usefixtures("_records")
def test_no_handler_changes_anything_for_a_role_that_may_only_read(app: Any, tab: EventClient) -> None:
    with pytest.MonkeyPatch.context() as patch:
        let_only_read(patch, Role.EMPLOYEE)
        sign_in(tab, Role.EMPLOYEE)
        assert changed_by(tab) == {}
    other = EventClient(app)
    sign_in(other, Role.EMPLOYEE)
    acts = changed_by(other)
    assert len(acts) > 10, "the calls would change something"


def events_of(node: object, hidden: tuple[str, ...]) -> set[str]:
    """The events that a rendered element can send, without the parts that are shown on one of these conditions, and
    without the forms that are read only on one of them.
    """
    if isinstance(node, str):
        return {event.rpartition("____")[2] for event in re.findall(r'ReflexEvent\("([^"]+)"', node)}
    if isinstance(node, Mapping):
        if any(each in str(node.get("cond_state")) for each in hidden):
            return events_of(node["false_value"], hidden)
        if node.get("name") == '"fieldset"' and any(f"disabled:!({each})" in node["props"] for each in hidden):
            return set()
        node = list(node.values())
    return set().union(*(events_of(each, hidden) for each in node)) if isinstance(node, list | tuple) else set()


@pytest.mark.spec("ROLE-6")
def test_no_page_has_a_button_for_a_change_that_its_reader_may_not_make(
    app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def changing(*hidden: str) -> set[str]:
        # No link leads to an import without the right, and its page refuses every act.
        pages = [page for page in PAGES if page.is_private and not page.route.endswith("/import")]
        found = set().union(*(events_of(page.component().render(), hidden) for page in pages))
        return set(filter(CHANGING.fullmatch, found))

    assert len(changing()) > 30
    let_only_read(monkeypatch, Role.EMPLOYEE)
    # What only the database knows is a var of the state.
    assert changing(str(has_role(Role.ADMIN, Role.MANAGER)), str(HistoryState.may_restore)) == set()


@on_sqlite
@pytest.mark.spec("ROLE-6")
@pytest.mark.usefixtures("_records")
def test_every_handler_refuses_a_role_that_was_added(tab: EventClient, monkeypatch: pytest.MonkeyPatch) -> None:
    with added_role(monkeypatch) as role:
        keep(tab, session_of(role))
        allowed = [event for event, payload in calls() if texts(tab.send(event, path="/admin", **payload)) == []]
        assert allowed == []
