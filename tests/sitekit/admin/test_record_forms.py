"""The forms of records through the real event processor: who may, what is refused, what is saved once."""

from contextlib import AbstractContextManager
from dataclasses import astuple

import pytest

from sitekit.base.db.database import transaction
from sitekit.base.permissions import Role
from sitekit.records.record_type import RecordType
from tests.conftest import on_sqlite
from tests.support.each import check_each
from tests.support.event_client import ON_LOAD, EventClient
from tests.support.record_screens import SCREENS, Screen
from tests.support.staff import kept_texts, redirects, sign_in, statements, texts

# What each screen says, in the order of `RecordTexts`, without the text for visitors.
REPLIES = {
    "companies": [
        "Failed to fetch companies",
        "Failed to fetch company data",
        "Company created successfully",
        "Failed to create company",
        "Company updated successfully",
        "Failed to update company",
        "Are you sure you want to delete this company?",
        "Company deleted successfully",
        "Failed to delete company",
    ],
    "team": [
        "Failed to fetch team members",
        "Failed to fetch team members",
        "Team member created successfully",
        "Failed to save team member",
        "Team member updated successfully",
        "Failed to save team member",
        "Are you sure you want to delete this team member?",
        "Team member deleted successfully",
        "Failed to delete team member",
    ],
    "advisors": [
        "Failed to fetch advisors",
        "Failed to fetch advisor details",
        "Advisor created successfully",
        "Failed to create advisor",
        "Advisor updated successfully",
        "Failed to update advisor",
        "Are you sure you want to delete this advisor?",
        "Advisor deleted successfully",
        "Failed to delete advisor",
    ],
}


@pytest.mark.spec("ACO-3", "ACO-4", "ACO-7", "ATM-4", "AAD-2", "AAD-5")
def test_the_replies_are_those_of_the_requirements() -> None:
    said = {name: list(astuple(screen.sample.record_type.texts))[1:] for name, screen in SCREENS.items()}
    assert said == REPLIES


@pytest.mark.spec("ACO-7", "ATM-1", "AAD-1", "ROLE-3")
@pytest.mark.parametrize("role", list(Role))
def test_staff_of_every_role_can_list_delete_and_add_records(tab: EventClient, screen: Screen, role: Role) -> None:
    (record,) = screen.add("Ann")
    sign_in(tab, role)
    tab.send(screen.tab.load)
    assert screen.var(tab, "total") == 1
    title = screen.sample.record_type.title
    assert texts(tab.send(screen.tab.delete, record_id=record)) == [f"{title} deleted successfully"]
    assert screen.slugs() == []
    tab.send(screen.form.open, **screen.at())
    form = screen.sample.filled(name="Mei Lin", slug="mei-lin")
    assert texts(tab.send(screen.form.save, **screen.at(), form_data=form))[-1] == f"{title} created successfully"
    assert screen.slugs() == ["mei-lin"]


@pytest.mark.spec("ACO-7", "ATM-2", "ATM-3", "AAD-3")
def test_a_new_record_sent_several_times_is_saved_once(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at())
    first, again = (
        tab.send(screen.form.save, **screen.at(), form_data=screen.sample.filled(name="Omar  Aziz", slug=slug))
        for slug in ("omar-aziz", "omar-aziz-2")
    )
    assert texts(first) == [f"{screen.sample.record_type.title} created successfully"]
    assert tab.vars(screen.form)["destination"] == f"/admin?tab={screen.sample.record_type.tab}"
    assert texts(again) == []
    assert screen.slugs() == ["omar-aziz"]


@pytest.mark.spec("ACO-5", "ATM-2", "AAD-3")
def test_a_form_without_a_required_field_is_refused(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at())
    reply = tab.send(screen.form.save, **screen.at(), form_data=screen.sample.filled(name="  "))
    assert texts(reply) == ["Please fill in all required fields"]
    assert tab.vars(screen.form)["errors"] == {"name": "Please fill in this field."}
    assert screen.slugs() == []


def test_a_form_that_is_opened_again_still_counts_its_refusals(tab: EventClient, screen: Screen) -> None:
    """The browser marks fields when the number changes, so it may not begin anew."""
    sign_in(tab, Role.EMPLOYEE)
    for times in (1, 2):
        tab.send(screen.form.open, **screen.at())
        tab.send(screen.form.save, **screen.at(), form_data=screen.sample.filled(name=" "))
        assert tab.vars(screen.form)["times_refused"] == times


@on_sqlite
@pytest.mark.spec("ACO-4", "ATM-4", "AAD-2")
def test_the_form_of_an_unknown_record_redirects_to_the_list(tab: EventClient, screen: Screen) -> None:
    def check(wanted: str) -> None:
        sign_in(tab, Role.EMPLOYEE)
        record = type("Wanted", (), {"id": wanted, "slug": wanted})
        reply = tab.send(screen.form.open, **screen.at(record, search="a b&c"))
        assert texts(reply) == [screen.sample.record_type.texts.fetch_failed]
        assert redirects(reply) == [f"/admin?tab={screen.sample.record_type.tab}&search=a+b%26c"]

    check_each(["999999", "0", "-1", "nobody", "1 OR 1=1", "\x00", "9" * 400], check)


@on_sqlite
@pytest.mark.spec("SAY-2")
def test_the_reason_for_leaving_a_form_is_shown_after_the_redirect(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.opens_redirects = True
    record = type("Wanted", (), {"id": "nobody", "slug": "nobody"})
    tab.send(ON_LOAD, **screen.at(record))
    assert kept_texts(tab) == [screen.sample.record_type.texts.fetch_failed]


def test_a_save_changes_the_record_the_form_was_opened_for(tab: EventClient, screen: Screen) -> None:
    one, other = map(screen.row, screen.add("Ann", "Bo"))
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(one))
    form = screen.sample.filled(name="Renamed", slug="renamed", version="1", record=str(one.id))
    tab.send(screen.form.save, **screen.at(other), form_data=form)
    assert [slug == "renamed" for slug in screen.slugs()] == [True, False]


@on_sqlite
def test_a_record_is_not_updated_without_a_database(
    tab: EventClient, screen: Screen, database_away: AbstractContextManager[None]
) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    with database_away:
        form = screen.sample.filled(record=str(record.id))
        reply = tab.send(screen.form.save, **screen.at(record), form_data=form)
    assert (texts(reply), reply.errors) == ([screen.sample.record_type.texts.update_failed], [])


@on_sqlite
@pytest.mark.spec("ACO-7", "ATM-4", "AAD-5")
@pytest.mark.parametrize("method", ["create", "update"])
def test_a_failed_save_is_reported_and_leaves_the_form(
    tab: EventClient, screen: Screen, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("away")

    record = screen.row(screen.add("Ann")[0]) if method == "update" else None
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    monkeypatch.setattr(RecordType, method, fail)
    form = screen.sample.filled(record=str(record.id if record else 0), version="1")
    reply = tab.send(screen.form.save, **screen.at(record), form_data=form)
    assert texts(reply) == [getattr(screen.sample.record_type.texts, f"{method}_failed")]
    shown = tab.vars(screen.form)
    assert (redirects(reply), shown["destination"], shown["is_busy"]) == ([], "", False)


@on_sqlite
@pytest.mark.spec("ATM-4")
def test_saving_a_deleted_record_is_reported_and_leaves_the_form(tab: EventClient, screen: Screen) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    with transaction() as session:
        session.delete(session.get_one(screen.sample.record_type.table, record.id))
    form = screen.sample.filled(record=str(record.id), version=str(record.version))
    reply = tab.send(screen.form.save, **screen.at(record), form_data=form)
    assert texts(reply) == [f"{screen.sample.record_type.texts.update_failed}: it has already been deleted"]
    assert (redirects(reply), tab.vars(screen.form)["destination"], screen.slugs()) == ([], "", [])
    assert tab.vars(screen.form)["form"].texts["name"] == "Ann"


@pytest.mark.parametrize("stored", [3, 60])
def test_a_list_takes_the_same_number_of_queries_for_any_number_of_rows(
    tab: EventClient, screen: Screen, stored: int
) -> None:
    screen.add(*(f"Record {number}" for number in range(stored)))
    sign_in(tab, Role.EMPLOYEE)
    with statements() as seen:
        tab.send(screen.tab.load)
    # The guard's, which reads session, person and role at once, two for the list, and one for
    # its drafts. With choices to filter by, another guard's, the content version, and the choices.
    few = 7 if screen.sample.record_type.options.facets else 4
    assert len([one for one in seen if one.lstrip().upper().startswith("SELECT")]) == few
    assert (len(screen.var(tab, "rows")), screen.var(tab, "total")) == (min(stored, 25), stored)


@on_sqlite
@pytest.mark.spec("LIST-2")
def test_fields_with_filters_suggest_stored_values_and_flag_new_ones(tab: EventClient) -> None:
    screen = SCREENS["companies"]
    screen.add("Ann", industry="Fintech", location="Tuas, Singapore")
    (bo,) = screen.add("Bo", industry="Robotics", location="Jurong, Singapore")
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(screen.row(bo)))
    options = tab.vars(screen.form)["options"]
    assert [value for value, _ in options["industry"]] == ["Fintech", "Robotics"]
    assert [value for value, _ in options["location"]] == ["Jurong, Singapore", "Tuas, Singapore"]
    notes = {
        ("industry", "Fintech"): "",
        ("industry", "Robotics"): "New: no other company has this industry.",
        ("industry", ""): "",
        ("location", "Bedok, Singapore"): "",
        ("location", "Da Nang, Vietnam"): "New: no other company has this country.",
    }
    for (name, text), note in notes.items():
        typed = {name: text, "record": str(bo)}
        tab.send(screen.form.check, **screen.at(screen.row(bo)), name=name, edit=1, typed=typed)
        assert tab.vars(screen.form)["checks"][name].hint == note, (name, text)
