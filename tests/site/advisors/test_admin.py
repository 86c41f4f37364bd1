"""What the advisor form has beyond others, through the real event processor: its groups, and checks while typing."""

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.advisors.admin import AdvisorFormState
from advisory_site.advisors.models import Advisor, columns
from sitekit.base.db.database import read_session, transaction
from sitekit.base.permissions import Role
from sitekit.ui.marks import FieldCheck
from tests.support import factories
from tests.support.event_client import EventClient, Reply
from tests.support.staff import sign_in

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


@pytest.mark.spec("AAD-4")
def test_testimonials_are_neither_sent_to_nor_read_from_the_browser(tab: EventClient) -> None:
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
def test_a_group_can_be_emptied_and_unknown_groups_are_ignored(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, NEW)
    send(tab, AdvisorFormState.add_entry, NEW, group="stats")
    emptied = send(tab, AdvisorFormState.remove_entry, NEW, group="stats", key=0)
    assert emptied.var("advisor_form_state.entries")["stats"] == []
    reply = send(tab, AdvisorFormState.add_entry, NEW, group="testimonials")
    assert "advisor_form_state.entries" not in reply.delta


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
def test_a_slug_is_checked_while_typing_pauses(tab: EventClient, slug: str, error: str, hint: str) -> None:
    (advisor_id,) = advisors(slug="taken")
    sign_in(tab, Role.EMPLOYEE)
    send(tab, AdvisorFormState.open, NEW)
    reply = send(tab, AdvisorFormState.check, NEW, name="slug", edit=7, typed={"slug": slug})
    assert reply.var("advisor_form_state.checks") == {"slug": FieldCheck(7, error, hint)}
    own = {"slug": "taken", "record": str(advisor_id)}
    reply = send(tab, AdvisorFormState.check, NEW, name="slug", edit=8, typed=own)
    assert reply.var("advisor_form_state.checks") == {"slug": FieldCheck(8, "", "This address is free.")}


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
def test_a_single_field_is_checked_by_the_rules_for_saving(tab: EventClient, name: str, text: str, error: str) -> None:
    sign_in(tab, Role.EMPLOYEE)
    reply = send(tab, AdvisorFormState.check, NEW, name=name, edit=1, typed={name: text})
    assert reply.var("advisor_form_state.checks") == {name: FieldCheck(1, error)}


def test_only_the_latest_field_checks_are_kept(tab: EventClient) -> None:
    sign_in(tab, Role.EMPLOYEE)
    for number in range(30):
        reply = send(tab, AdvisorFormState.check, NEW, name="x" * 1_000 + str(number), edit=1, typed={})
        reply = send(tab, AdvisorFormState.check, NEW, name=f"field{number}", edit=number, typed={})
    kept = reply.var("advisor_form_state.checks")
    assert (len(kept), max(map(len, kept)), kept["field29"]) == (20, 200, FieldCheck(29))
