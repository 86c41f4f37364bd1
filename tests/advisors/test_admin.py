"""The advisors tab and form, through the real event processor: groups, one save, and what the database refuses."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.advisors.admin_form import AdvisorFormState
from advisory_site.advisors.admin_tab import AdvisorTabState
from advisory_site.advisors.models import Advisor, columns
from advisory_site.core.permissions import Role
from advisory_site.db.database import read_session, transaction
from advisory_site.ui.marks import Check
from tests.conftest import on_sqlite
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import redirects, sign_in, statements, texts

NEW: dict[str, str] = {}


def advisors(count: int = 1, **fields: Any) -> list[int]:
    with transaction() as session:
        return [factories.id_of(factories.add_advisor(session, **fields)) for _ in range(count)]


def slugs() -> list[str]:
    with read_session() as session:
        return list(session.execute(sa.select(columns.slug).order_by(columns.id)).scalars())


def send(tab: EventClient, handler: Callable[..., object], query: dict[str, str], **payload: Any) -> Reply:
    """An event from a form; a part of a path reaches the server as a query parameter does."""
    return tab.send(handler, path="/admin/advisors/form", query=query, **payload)


@pytest.mark.spec("AAD-1", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_list_delete_and_add_advisors(tab: EventClient, role: Role) -> None:
    (advisor_id,) = advisors()
    sign_in(tab, role)
    assert tab.send(AdvisorTabState.load).var("advisor_tab_state.total") == 1
    assert texts(tab.send(AdvisorTabState.delete, record_id=advisor_id)) == ["Advisor deleted successfully"]
    assert slugs() == []
    send(tab, AdvisorFormState.open, NEW)
    saved = send(tab, AdvisorFormState.save, NEW, form_data=factories.advisor_form(name="Mei Lin", slug="mei"))
    assert texts(saved)[-1] == "Advisor created successfully"
    assert slugs() == ["mei"]


@pytest.mark.spec("ROLE-4", "ADM-2")
@pytest.mark.parametrize(
    ("handler", "payload"),
    [
        (AdvisorTabState.load, {}),
        (AdvisorTabState.delete, {"record_id": 1}),
        (AdvisorTabState.export, {}),
        (AdvisorFormState.open, {}),
        (AdvisorFormState.save, {"form_data": factories.advisor_form()}),
        (AdvisorFormState.check, {"name": "slug", "edit": 1, "typed": {"slug": "omar"}}),
    ],
)
def test_a_stranger_is_sent_to_sign_in_and_gets_nothing(
    tab: EventClient, handler: Callable[..., object], payload: dict[str, Any]
) -> None:
    advisors()
    sign_in(tab, None)
    reply = send(tab, handler, NEW, **payload)
    assert redirects(reply)[0].startswith("/auth")
    assert not [name for name in reply.delta if name.endswith((".rows", ".form"))]
    assert len(slugs()) == 1


@pytest.mark.spec("AAD-3")
def test_a_new_advisor_without_an_address_is_saved_once_however_often_it_is_sent(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, NEW)
    first = send(tab, AdvisorFormState.save, NEW, form_data=factories.advisor_form(name="Omar  Aziz"))
    again = send(tab, AdvisorFormState.save, NEW, form_data=factories.advisor_form(name="Omar  Aziz"))
    assert texts(first) == ["Advisor created successfully"]
    assert first.var("advisor_form_state.destination") == "/admin?tab=advisors"
    assert texts(again) == []
    assert slugs() == ["omar-aziz"]


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize("field", ["name", "title", "bio", "image_url"])
def test_each_required_field_is_required(tab: EventClient, field: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, NEW)
    reply = send(tab, AdvisorFormState.save, NEW, form_data=factories.advisor_form(**{field: " "}))
    assert texts(reply) == ["Please fill in all required fields"]
    assert reply.var("advisor_form_state.errors") == {field: "Please fill in this field."}
    assert slugs() == []


@pytest.mark.spec("AAD-4")
def test_testimonials_are_neither_sent_to_the_browser_nor_taken_from_it(tab: EventClient) -> None:
    kept = [{"quote": "A quiet word", "author": "Somebody"}]
    (advisor_id,) = advisors(testimonials=kept)
    sign_in(tab, Role.EMPLOYEE)
    opened = send(tab, AdvisorFormState.open, {"id": str(advisor_id)})
    assert "A quiet word" not in repr(opened.delta)
    changes = {"record": str(advisor_id), "version": "1", "testimonials": "[]", "testimonials.0.quote": "Mine"}
    form = factories.advisor_form(**changes)
    send(tab, AdvisorFormState.save, {"id": str(advisor_id)}, form_data=form)
    with read_session() as session:
        assert session.get_one(Advisor, advisor_id).testimonials == kept


@pytest.mark.spec("AAD-4")
def test_a_group_can_be_emptied_and_only_known_groups_grow(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, NEW)
    send(tab, AdvisorFormState.add_entry, NEW, group="stats")
    emptied = send(tab, AdvisorFormState.remove_entry, NEW, group="stats", key=0)
    assert emptied.var("advisor_form_state.entries")["stats"] == []
    reply = send(tab, AdvisorFormState.add_entry, NEW, group="testimonials")
    assert "advisor_form_state.entries" not in reply.delta


@pytest.mark.spec("AAD-2")
@pytest.mark.parametrize("wanted", ["999999", "0", "-1", "nobody", "1 OR 1=1", "9" * 400])
def test_what_names_no_advisor_leads_back_to_the_tab(tab: EventClient, wanted: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, AdvisorFormState.open, {"id": wanted})
    assert texts(reply) == ["Failed to fetch advisor details"]
    assert redirects(reply) == ["/admin?tab=advisors"]


@pytest.mark.spec("AAD-3")
@pytest.mark.parametrize(
    ("slug", "error", "hint"),
    [
        ("taken", "This address is already in use. Please choose another.", ""),
        ("Not a slug", "Use only lower-case letters, digits and hyphens, with no hyphen at either end.", ""),
        ("free", "", "This address is free."),
        ("", "", ""),
    ],
)
def test_an_address_is_considered_while_typing_pauses(tab: EventClient, slug: str, error: str, hint: str) -> None:
    (advisor_id,) = advisors(slug="taken")
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, NEW)
    reply = send(tab, AdvisorFormState.check, NEW, name="slug", edit=7, typed={"slug": slug})
    assert reply.var("advisor_form_state.checks") == {"slug": Check(7, error, hint)}
    own = {"slug": "taken", "record": str(advisor_id)}
    reply = send(tab, AdvisorFormState.check, NEW, name="slug", edit=8, typed=own)
    assert reply.var("advisor_form_state.checks") == {"slug": Check(8, "", "This address is free.")}


@pytest.mark.parametrize(
    ("name", "text", "error"),
    [
        ("email", "nobody", "Please enter a full email address, such as name@company.com."),
        ("email", "omar@example.com", ""),
        ("bio", " ", "Please fill in this field."),
        ("stats.3.label", "x" * 20_001, "Please shorten this to 20,000 characters or fewer."),
        ("is_admin", "yes", ""),
        ("stats.x.y.z", "yes", ""),
    ],
)
def test_a_field_is_judged_alone_by_the_rules_of_saving(tab: EventClient, name: str, text: str, error: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, AdvisorFormState.check, NEW, name=name, edit=1, typed={name: text})
    assert reply.var("advisor_form_state.checks") == {name: Check(1, error)}


def test_only_the_latest_answers_are_kept(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for number in range(30):
        reply = send(tab, AdvisorFormState.check, NEW, name="x" * 1_000 + str(number), edit=1, typed={})
        reply = send(tab, AdvisorFormState.check, NEW, name=f"field{number}", edit=number, typed={})
    kept = reply.var("advisor_form_state.checks")
    assert (len(kept), max(map(len, kept)), kept["field29"]) == (20, 200, Check(29))


@on_sqlite
@pytest.mark.parametrize(
    ("handler", "payload", "query", "sentence"),
    [
        (AdvisorTabState.load, {}, {}, "Failed to fetch advisors"),
        (AdvisorTabState.delete, {"record_id": 1}, {}, "Failed to delete advisor"),
        (AdvisorTabState.export, {}, {}, "Failed to export advisors"),
        (AdvisorFormState.open, {}, {"id": "1"}, "Failed to fetch advisor details"),
        (AdvisorFormState.save, {"form_data": factories.advisor_form()}, {}, "Failed to create advisor"),
        (
            AdvisorFormState.save,
            {"form_data": factories.advisor_form(record="1")},
            {"id": "1"},
            "Failed to update advisor",
        ),
        (AdvisorFormState.check, {"name": "slug", "edit": 1, "typed": {"slug": "a"}}, {}, ""),
    ],
)
def test_without_its_database_each_handler_says_what_it_could_not_do(
    tab: EventClient,
    database_away: AbstractContextManager[None],
    handler: Callable[..., object],
    payload: dict[str, Any],
    query: dict[str, str],
    sentence: str,
) -> None:
    advisors()
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, query)
    with database_away:
        reply = send(tab, handler, query, **payload)
    assert (texts(reply), reply.errors) == ([sentence] if sentence else [], [])


@pytest.mark.parametrize("stored", [3, 60])
def test_the_tab_asks_the_database_the_same_two_things_however_much_it_holds(tab: EventClient, stored: int) -> None:
    advisors(stored)
    sign_in(tab, Role.EMPLOYEE)
    with statements() as seen:
        reply = tab.send(AdvisorTabState.load)
    # One more is the guard's.
    assert len([one for one in seen if one.lstrip().upper().startswith("SELECT")]) == 3
    assert len(reply.var("advisor_tab_state.rows")) == min(stored, 25)
