"""A version restored through the form of its record: what the form shows, and what saving and discarding do."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
import sqlalchemy as sa

from advisory_site.advisors.admin_form import AdvisorFormState
from advisory_site.backoffice.form_state import ShownRevision
from advisory_site.companies.admin_form import CompanyFormState
from advisory_site.core.permissions import Actor, Role
from advisory_site.db.database import read_session, transaction
from advisory_site.records.revisions import columns as revisions
from advisory_site.team.admin_dialog import MemberDialogState
from tests.support.event_client import EventClient, Reply
from tests.support.factories import add_actor
from tests.support.record_types import SAMPLES, Sample
from tests.support.staff import redirects, sign_in, texts

pytestmark = pytest.mark.spec("HIST-3")


@dataclass(frozen=True)
class Form:
    """A form's state, and the path and parameters at which it edits a record."""

    sample: Sample
    state: Any
    address: Callable[[Any], tuple[str, dict[str, str]]]


FORMS = {
    "company": Form(
        SAMPLES["companies"], CompanyFormState, lambda row: (f"/admin/companies/{row.slug}/edit", {"slug": row.slug})
    ),
    "member": Form(SAMPLES["team"], MemberDialogState, lambda row: ("/admin", {"tab": "teams", "edit": str(row.id)})),
    "advisor": Form(
        SAMPLES["advisors"], AdvisorFormState, lambda row: (f"/admin/advisors/{row.id}/edit", {"id": str(row.id)})
    ),
}


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> Form:
    """One form after the other."""
    return FORMS[request.param]


def save(form: Form, actor: Actor, record: int, **typed: Any) -> None:
    kind = form.sample.kind
    with transaction() as session:
        shown = kind.get_stored(session, actor, record)
        assert shown is not None
        inputs = shown.inputs()
        kind.update(session, actor, record, kind.draft.read(inputs | typed, inputs), shown.version)


def two_versions(form: Form) -> int:
    """A record whose email was changed once."""
    with transaction() as session:
        actor = add_actor(session, first_name="Wei", last_name="Tan")
        record = form.sample.kind.create(session, actor, form.sample.draft(email="old@firm.example"))
    save(form, actor, record, email="new@firm.example")
    return record


def row_of(form: Form, record: int) -> Any:
    with read_session() as session:
        return session.get_one(form.sample.kind.table, record)


def send(tab: EventClient, form: Form, handler: Any, record: int, query: dict[str, str], **payload: Any) -> Reply:
    path, named = form.address(row_of(form, record))
    shown = named if path == "/admin" else {}
    search = "&".join(f"{name}={value}" for name, value in (shown | query).items())
    return tab.send(handler, path=f"{path}?{search}" if search else path, query=named | query, **payload)


def revisit(tab: EventClient, form: Form, record: int, **query: str) -> Reply:
    return send(tab, form, form.state.open, record, query)


def typed(tab: EventClient, form: Form) -> dict[str, Any]:
    """What the browser sends if nothing is typed."""
    shown = tab.vars(form.state)["form"]
    rows = {
        f"{group}.{place}.{name}": text
        for group, entries in shown.rows.items()
        for place, entry in enumerate(entries)
        for name, text in entry.items()
    }
    return {**shown.texts, **rows, "record": str(shown.id), "version": str(shown.version)}


def newest(form: Form, record: int) -> Any:
    named = (revisions.of_table == form.sample.kind.table_name, revisions.record_id == record)
    with read_session() as session:
        return session.execute(sa.select(*revisions).where(*named).order_by(revisions.number.desc())).first()


def test_the_form_shows_the_version_and_nothing_changes_until_it_is_saved(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, revision="1")
    shown = tab.vars(form.state)
    assert (shown["form"].texts["email"], shown["form"].id, shown["form"].version) == ("old@firm.example", record, 2)
    assert (shown["restoring"].number, shown["restoring"].name) == (1, "Wei Tan")
    assert shown["restoring"].at.endswith("Z")
    assert shown["draft_name"].endswith("?revision=1")
    assert row_of(form, record).email == "new@firm.example"
    reply = send(tab, form, form.state.save, record, {"revision": "1"}, form_data=typed(tab, form))
    assert texts(reply) == [form.sample.kind.texts.updated]
    assert row_of(form, record).email == "old@firm.example"
    last = newest(form, record)
    assert (last.number, last.action, last.restored_from) == (3, "restored", 1)
    assert tab.vars(form.state)["restoring"] == ShownRevision()


def test_staying_in_the_form_leaves_the_version_out_of_its_address(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, revision="1", search="mei")
    send(
        tab,
        form,
        form.state.save,
        record,
        {"revision": "1", "search": "mei"},
        form_data=typed(tab, form) | {"then": "stay"},
    )
    shown = tab.vars(form.state)
    assert shown["is_staying"]
    assert "search=mei" in shown["destination"]
    assert "revision" not in shown["destination"] + shown["draft_name"]


def test_an_ordinary_save_after_it_restores_nothing(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, revision="1")
    revisit(tab, form, record)
    assert tab.vars(form.state)["form"].texts["email"] == "new@firm.example"
    data = typed(tab, form) | {"email": "third@firm.example"}
    send(tab, form, form.state.save, record, {}, form_data=data)
    last = newest(form, record)
    assert (last.number, last.action, last.restored_from) == (3, "saved", None)


def test_a_newer_save_is_not_overwritten_by_the_version(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, revision="1")
    with transaction() as session:
        other = add_actor(session, first_name="Noor", last_name="")
    save(form, other, record, email="theirs@firm.example")
    send(tab, form, form.state.save, record, {"revision": "1"}, form_data=typed(tab, form))
    assert tab.vars(form.state)["conflict"].name == "Noor"
    assert row_of(form, record).email == "theirs@firm.example"
    data = typed(tab, form) | {"then": "overwrite"}
    send(tab, form, form.state.save, record, {"revision": "1"}, form_data=data)
    assert row_of(form, record).email == "old@firm.example"
    assert newest(form, record).restored_from == 1


def test_the_rules_of_today_hold_for_a_version(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    with transaction() as session:
        named = (revisions.of_table == form.sample.kind.table_name, revisions.number == 1)
        snapshot = session.execute(sa.select(revisions.snapshot).where(*named)).scalar_one()
        snapshot = snapshot | {"email": "no address"}
        session.execute(sa.update(revisions.number.table).where(*named).values(snapshot=snapshot))
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, revision="1")
    send(tab, form, form.state.save, record, {"revision": "1"}, form_data=typed(tab, form))
    assert list(tab.vars(form.state)["errors"]) == ["email"]
    assert row_of(form, record).email == "new@firm.example"


def test_discarding_leads_back_to_what_is_stored(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, revision="1", search="mei")
    reply = send(tab, form, form.state.discard, record, {"revision": "1", "search": "mei"})
    (path,) = redirects(reply)
    assert "search=mei" in path
    assert "revision" not in path


@pytest.mark.parametrize("wanted", ["9", "-1", "x", "9" * 300, "1;--"])
def test_a_version_that_is_not_kept_leads_back_to_the_list_with_the_reason(
    tab: EventClient, form: Form, wanted: str
) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    reply = revisit(tab, form, record, revision=wanted)
    assert texts(reply) == ["This version is not kept any more."]
    assert redirects(reply)[0].startswith("/admin?tab=")
    assert tab.vars(form.state)["restoring"] == ShownRevision()


@pytest.mark.spec("HIST-4")
def test_every_form_says_who_saved_last_and_leads_to_the_history(tab: EventClient, form: Form) -> None:
    record = two_versions(form)
    sign_in(tab, Role.EMPLOYEE)
    revisit(tab, form, record, search="mei")
    shown = tab.vars(form.state)
    assert (shown["saved"].name, shown["saved"].is_command) == ("Wei Tan", False)
    assert shown["history_path"] == f"/admin/history/{form.sample.kind.table_name}/{record}?search=mei"
    with transaction() as session:
        session.get_one(form.sample.kind.table, record).email = "by@command.example"
    revisit(tab, form, record)
    shown = tab.vars(form.state)
    assert (shown["saved"].name, shown["saved"].is_command) == ("", True)
    tab.send(form.state.open, path="/admin/companies/new")
    assert tab.vars(form.state)["history_path"] == ""
