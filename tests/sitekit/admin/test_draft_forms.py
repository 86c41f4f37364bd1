"""Drafts in the forms and lists of records, through the real event processor."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from sitekit.admin.history.state import HistoryState
from sitekit.base import messages
from sitekit.base.permissions import Role
from sitekit.records import draft_texts
from sitekit.records.draft_times import PUBLISH_AT
from sitekit.records.drafts import ID, VERSION
from tests.conftest import on_sqlite
from tests.support.draft_forms import form_of, save, shown
from tests.support.event_client import EventClient
from tests.support.record_screens import Screen
from tests.support.staff import redirects, sign_in, texts

pytestmark = on_sqlite


@pytest.mark.spec("DRAFT-1", "DRAFT-4")
def test_a_record_is_edited_as_a_draft_and_published_by_the_usual_button(tab: EventClient, screen: Screen) -> None:
    record = screen.row(screen.add("Ann", **shown(screen))[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    reply = save(tab, screen, screen.at(record), "draft", name="Ann Lim")
    assert texts(reply) == [draft_texts.SAVED]
    assert (screen.row(record.id).name, tab.vars(screen.form)["destination"]) == ("Ann", "")
    tab.send(screen.tab.load)
    assert screen.var(tab, "drafts")[record.id].label in (draft_texts.LIVE_WITH_DRAFT, draft_texts.DRAFT)
    tab.send(screen.form.open, **screen.at(record))
    vars_ = tab.vars(screen.form)
    assert (vars_["form"].texts["name"], vars_["stored_draft"].is_pending) == ("Ann Lim", True)
    save(tab, screen, screen.at(record), **screen.sample.filled(name="Ann Lim", slug=record.slug))
    assert screen.row(record.id).name == "Ann Lim"
    tab.send(screen.tab.load)
    assert screen.var(tab, "drafts") == {}


@pytest.mark.spec("DRAFT-2")
def test_the_draft_of_a_new_record_is_listed_opened_and_published(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at())
    save(tab, screen, screen.at(), "draft", name="Moss")
    assert "draft=" in tab.vars(screen.form)["destination"]
    assert screen.slugs() == []
    tab.send(screen.tab.load)
    (draft,) = screen.var(tab, "new_drafts")
    where = screen.at(draft=str(draft.id))
    tab.send(screen.form.open, **where)
    assert tab.vars(screen.form)["form"].texts["name"] == "Moss"
    save(tab, screen, where, **screen.sample.filled(name="Moss", slug="moss"))
    assert screen.slugs() == ["moss"]
    tab.send(screen.tab.load)
    assert screen.var(tab, "new_drafts") == []


@pytest.mark.spec("DRAFT-3")
def test_what_is_typed_wrong_in_a_draft_is_marked_and_kept(tab: EventClient, screen: Screen) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    save(tab, screen, screen.at(record), "draft", name="", email="nobody")
    assert "email" in tab.vars(screen.form)["errors"]
    tab.send(screen.form.open, **screen.at(record))
    vars_ = tab.vars(screen.form)
    assert ({*vars_["errors"]}, vars_["form"].texts["email"]) == ({"email"}, "nobody")


@pytest.mark.spec("DRAFT-3", "SAY-4")
@pytest.mark.parametrize(("typed", "marked"), [("somebody", {"email"}), ("ann@kelp.example", set())])
def test_unsaved_text_restored_over_a_draft_is_marked_only_where_it_is_wrong(
    tab: EventClient, screen: Screen, typed: str, marked: set[str]
) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    save(tab, screen, screen.at(record), "draft", email="nobody")
    tab.send(screen.form.open, **screen.at(record))
    tab.send(screen.form.restore, **screen.at(record), typed={**form_of(tab, screen), "email": typed})
    assert {*tab.vars(screen.form)["errors"]} == marked


@pytest.mark.spec("DRAFT-4")
def test_a_discarded_draft_leaves_the_form_and_comes_back_by_undo(tab: EventClient, screen: Screen) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    save(tab, screen, screen.at(record), "draft", name="Ann Lim")
    reply = tab.send(screen.form.discard_draft, **screen.at(record))
    assert texts(reply) == [draft_texts.DISCARDED]
    tab.send(screen.form.open, **screen.at(record))
    assert tab.vars(screen.form)["form"].texts["name"] == "Ann"


@pytest.mark.spec("DRAFT-4")
def test_discarding_the_draft_of_a_new_record_leads_to_the_list(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at())
    save(tab, screen, screen.at(), "draft", name="Moss")
    reply = tab.send(screen.form.discard_draft, **screen.at())
    assert redirects(reply) == [f"/admin?tab={screen.sample.record_type.tab}"]


@pytest.mark.spec("DRAFT-6")
def test_preview_saves_the_draft_first_and_says_so(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at())
    reply = save(tab, screen, screen.at(), "preview", name="Moss")
    assert texts(reply) == [draft_texts.SAVED]
    vars_ = tab.vars(screen.form)
    assert vars_["destination"] == f"/admin/preview/{vars_['form'].texts[ID]}"


@pytest.mark.spec("DRAFT-9")
def test_while_a_time_stands_the_main_button_schedules_and_another_publishes_now(
    tab: EventClient, screen: Screen
) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    for typed, sentence in (("2020-01-01T09:00", draft_texts.NOT_AHEAD), ("?", draft_texts.NOT_A_TIME)):
        save(tab, screen, screen.at(record), **{PUBLISH_AT: typed})
        assert tab.vars(screen.form)["errors"] == {PUBLISH_AT: sentence}
    filled = screen.sample.filled(name="Ann Lim", slug=record.slug)
    for then, time in (("", "2126-01-01T09:00"), ("stay", "2126-01-02T09:00")):
        reply = save(tab, screen, screen.at(record), then, **filled, **{PUBLISH_AT: time})
        assert texts(reply) == [f"Draft saved. It will be published on {time[9]} Jan 2126, 9:00 am (Singapore)."]
        assert (screen.row(record.id).name, tab.vars(screen.form)["form"].texts[PUBLISH_AT]) == ("Ann", time)
    save(tab, screen, screen.at(record), "publish", **filled, **{PUBLISH_AT: "2126-01-03T09:00"})
    assert screen.row(record.id).name == "Ann Lim"
    assert (tab.vars(screen.form)["form"].texts[PUBLISH_AT], tab.vars(screen.form)["stored_draft"].id) == ("", 0)


@pytest.mark.spec("DRAFT-9")
def test_a_time_for_what_could_not_be_published_stays_in_its_field_and_what_is_missing_is_marked(
    tab: EventClient, screen: Screen
) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    reply = save(tab, screen, screen.at(record), "draft", name="", **{PUBLISH_AT: "2126-01-01T09:00"})
    (said,) = texts(reply)
    assert said.startswith("Draft saved, but not scheduled. ") and "Name: Please fill in this field." in said
    vars_ = tab.vars(screen.form)
    assert (vars_["form"].texts[PUBLISH_AT], vars_["errors"]["name"]) == ("2126-01-01T09:00", messages.FIELD_REQUIRED)
    tab.send(screen.form.open, **screen.at(record))
    vars_ = tab.vars(screen.form)
    assert (vars_["errors"]["name"], vars_["stored_draft"].problem in said) == (messages.FIELD_REQUIRED, True)


@pytest.mark.spec("DRAFT-9")
def test_the_address_of_a_new_draft_keeps_the_time_that_it_did_not_get(tab: EventClient, screen: Screen) -> None:
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at())
    save(tab, screen, screen.at(), "draft", name="", **{PUBLISH_AT: "2126-01-01T09:00"})
    query = dict(parse_qsl(urlsplit(tab.vars(screen.form)["destination"]).query))
    tab.send(screen.form.open, **screen.at(draft=query["draft"]))
    assert tab.vars(screen.form)["form"].texts[PUBLISH_AT] == ""
    tab.send(screen.form.open, **screen.at(**query))
    assert tab.vars(screen.form)["form"].texts[PUBLISH_AT] == "2126-01-01T09:00"


@pytest.mark.spec("DRAFT-2")
def test_a_draft_saved_by_somebody_else_meanwhile_is_a_conflict(tab: EventClient, screen: Screen) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    save(tab, screen, screen.at(record), "draft", name="Ann Lim")
    old = form_of(tab, screen)
    save(tab, screen, screen.at(record), "draft", name="Ann Ho")
    assert old[VERSION] != form_of(tab, screen)[VERSION]
    tab.send(screen.form.save, **screen.at(record), form_data={**old, "then": "draft"})
    assert tab.vars(screen.form)["conflict"].text != ""
    filled = screen.sample.filled(name="Ann Tan", slug=record.slug)
    tab.send(screen.form.save, **screen.at(record), form_data={**old, **filled})
    assert screen.row(record.id).name == "Ann"
    tab.send(screen.form.save, **screen.at(record), form_data={**old, **filled, "then": "overwrite"})
    assert screen.row(record.id).name == "Ann Tan"


@pytest.mark.spec("DRAFT-4")
def test_the_history_compares_a_draft_with_what_is_stored(tab: EventClient, screen: Screen) -> None:
    record = screen.row(screen.add("Ann")[0])
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    save(tab, screen, screen.at(record), "draft", name="Ann Lim")
    table = screen.sample.record_type.table_name
    tab.send(HistoryState.open, path=f"/admin/history/{table}/{record.id}?draft=1", query={"draft": "1"})
    vars_ = tab.vars(HistoryState)
    assert [change.name for change in vars_["changes"]] == ["name"]
    assert (vars_["newer"].title, vars_["defaults"]) == (draft_texts.DRAFT, {})
