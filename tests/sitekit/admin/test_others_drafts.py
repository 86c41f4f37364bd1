"""Drafts of somebody else: never published by mistake, never touched by saving what is live; their authors are told."""

from typing import Any

import pytest
import sqlalchemy as sa

from sitekit.admin.worklist import needs_attention
from sitekit.app.site_app import SiteApp
from sitekit.base.db.database import read_session
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Actor, Role
from sitekit.records import draft_texts
from sitekit.records.activity import PROFILES
from sitekit.records.draft_times import HIDE_AT, PUBLISH_AT
from sitekit.records.drafts import ID, VERSION
from sitekit.records.proposals import columns
from tests.conftest import on_sqlite
from tests.support.draft_forms import save, shown
from tests.support.event_client import EventClient
from tests.support.people import person, signed_in
from tests.support.record_screens import Screen
from tests.support.staff import keep, sign_in, texts

pytestmark = [on_sqlite, pytest.mark.spec("DRAFT-4")]


@pytest.fixture
def other(app: SiteApp) -> EventClient:
    """The tab of a colleague, who is Ann Lim."""
    tab = EventClient(app)
    mei = person("mei@northstrait.example")
    keep(tab, signed_in(mei).to_json())
    return tab


def draft_of_other(tab: EventClient, other: EventClient, screen: Screen) -> Any:
    """A public record with a draft of the colleague's, opened by somebody else."""
    record = screen.row(screen.add("Ann", **shown(screen))[0])
    other.send(screen.form.open, **screen.at(record))
    save(other, screen, screen.at(record), "draft", **screen.sample.filled(name="Ann Lim", slug=record.slug))
    sign_in(tab, Role.EMPLOYEE)
    tab.send(screen.form.open, **screen.at(record))
    return record


def mails() -> list[tuple[str, str]]:
    with read_session() as session:
        return [(mail.recipient, mail.subject) for mail in session.execute(sa.select(OutgoingMail)).scalars()]


def drafts() -> list[tuple[int | None, int, str]]:
    with read_session() as session:
        rows = session.execute(sa.select(columns.record_id, columns.version, columns.inputs).order_by(columns.id))
        return [(row.record_id, row.version, row.inputs["name"]) for row in rows]


def test_a_form_opens_with_what_is_live_beside_the_draft_of_somebody_else(
    tab: EventClient, other: EventClient, screen: Screen
) -> None:
    record = draft_of_other(tab, other, screen)
    vars_ = tab.vars(screen.form)
    assert (vars_["form"].texts["name"], vars_["form"].texts[ID], vars_["errors"]) == ("Ann", "", {})
    mark = vars_["stored_draft"]
    assert (mark.is_beside, mark.by_name) == (True, "Ann Lim")
    where = screen.at(record, draft=str(mark.id))
    tab.send(screen.form.open, **where)
    opened = tab.vars(screen.form)
    assert (opened["form"].texts["name"], opened["stored_draft"].is_beside) == ("Ann Lim", False)
    assert opened["unsaved_name"] != vars_["unsaved_name"]
    save(tab, screen, where, "draft", name="Ann Tan")
    other.send(screen.form.open, **screen.at(record))
    assert other.vars(screen.form)["form"].texts["name"] == "Ann"


@pytest.mark.parametrize("then", ["", "stay", "overwrite", "publish", "confirmed ", "confirmed overwrite"])
def test_saving_what_is_live_leaves_the_draft_of_somebody_else_alone(
    tab: EventClient, other: EventClient, screen: Screen, then: str
) -> None:
    record = draft_of_other(tab, other, screen)
    before = drafts()
    reply = save(tab, screen, screen.at(record), then, **screen.sample.filled(name="Ann Ho", slug=record.slug))
    assert texts(reply) == [screen.sample.record_type.texts.updated]
    assert (screen.row(record.id).name, drafts()) == ("Ann Ho", before)
    hidden = screen.sample.filled(name="Ann Tan", slug=record.slug) | {HIDE_AT: "2126-01-01T09:00"}
    tab.send(screen.form.open, **screen.at(record))
    save(tab, screen, screen.at(record), then, **hidden)
    assert tab.vars(screen.form)["errors"] == {HIDE_AT: draft_texts.HIDE_IN_DRAFT}
    assert (screen.row(record.id).name, drafts()) == ("Ann Ho", before)


@pytest.mark.parametrize("then", ["", "publish", "stay", "overwrite"])
def test_publishing_the_draft_of_somebody_else_asks_once_and_tells_them(
    tab: EventClient, other: EventClient, screen: Screen, then: str
) -> None:
    record = draft_of_other(tab, other, screen)
    where = screen.at(record, draft=str(tab.vars(screen.form)["stored_draft"].id))
    tab.send(screen.form.open, **where)
    # To have saved it too, as "Preview" does, takes nobody's work out of it.
    for saved in (False, True):
        if saved:
            save(tab, screen, where, "preview")
        assert texts(save(tab, screen, where, then)) == []
        conflict = tab.vars(screen.form)["conflict"]
        assert conflict.question == "Publish the draft that Ann Lim worked on?"
        assert (screen.row(record.id).name, mails()) == ("Ann", [])
    save(tab, screen, where, conflict.then)
    assert (screen.row(record.id).name, drafts()) == ("Ann Lim", [])
    [(recipient, subject)] = mails()
    assert (recipient, subject.endswith("published your draft of Ann Lim")) == ("mei@northstrait.example", True)
    with read_session() as session:
        ids = dict(session.execute(sa.select(PROFILES.c.email, PROFILES.c.id)).all())
        colleague = Actor(ids.pop("mei@northstrait.example"), Role.EMPLOYEE)
        [item] = needs_attention(session, colleague, ())
        assert (item.count, item.text.split(" by ")[0]) == (1, "draft of yours was published")
        assert [record.name for record in item.records] == ["Ann Lim"]
        [me] = ids.values()
        assert needs_attention(session, Actor(me, Role.EMPLOYEE), ()) == ()


def test_scheduling_the_draft_of_somebody_else_asks_and_tells_them(
    tab: EventClient, other: EventClient, screen: Screen
) -> None:
    record = draft_of_other(tab, other, screen)
    where = screen.at(record, draft=str(tab.vars(screen.form)["stored_draft"].id))
    tab.send(screen.form.open, **where)
    for then in ("", "draft", "preview", "overwrite-draft"):
        save(tab, screen, where, then, **{PUBLISH_AT: "2126-01-01T09:00"})
        assert tab.vars(screen.form)["conflict"].question == "Schedule the draft that Ann Lim worked on?"
        assert drafts()[0][1] == 1
    save(tab, screen, where, tab.vars(screen.form)["conflict"].then, **{PUBLISH_AT: "2126-01-01T09:00"})
    assert tab.vars(screen.form)["stored_draft"].label.startswith("Publishes 1 Jan 2126")
    assert [subject.split(" scheduled ")[1] for _, subject in mails()] == ["your draft of Ann Lim"]


def test_publishing_the_draft_of_a_new_record_of_somebody_else_asks_too(
    tab: EventClient, other: EventClient, screen: Screen
) -> None:
    other.send(screen.form.open, **screen.at())
    save(other, screen, screen.at(), "draft", **screen.sample.filled(name="Moss", slug="moss"))
    sign_in(tab, Role.EMPLOYEE)
    where = screen.at(draft=other.vars(screen.form)["form"].texts[ID])
    tab.send(screen.form.open, **where)
    assert tab.vars(screen.form)["stored_draft"].by_name == "Ann Lim"
    save(tab, screen, where)
    assert screen.slugs() == []
    save(tab, screen, where, tab.vars(screen.form)["conflict"].then)
    assert (screen.slugs(), len(mails())) == (["moss"], 1)


def test_no_new_record_takes_the_draft_of_another_one(tab: EventClient, other: EventClient, screen: Screen) -> None:
    draft_of_other(tab, other, screen)
    before, draft = drafts(), tab.vars(screen.form)["stored_draft"].id
    tab.send(screen.form.open, **screen.at())
    filled = screen.sample.filled(name="Moss", slug="moss") | {ID: str(draft), VERSION: "1"}
    for then in ("", "confirmed ", "confirmed overwrite", "overwrite-draft"):
        save(tab, screen, screen.at(), then, **filled)
    assert (drafts(), len(screen.slugs())) == (before, 1)
