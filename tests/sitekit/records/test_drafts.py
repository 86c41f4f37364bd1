"""Drafts of records: kept beside the record, published whole, discarded and brought back."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session, col

from sitekit.base import messages
from sitekit.base.db.database import ContentVersion, now
from sitekit.base.errors import Conflict, Forbidden, InvalidInput, NotFound, SavedSince
from sitekit.base.permissions import Actor, Role
from sitekit.records import draft_texts as texts
from sitekit.records import drafts, history, schedule, trash
from sitekit.records.activity import columns as activity
from sitekit.records.draft_authors import CONFIRMED
from sitekit.records.draft_times import HIDE_AT, PUBLISH_AT, input_time
from sitekit.records.drafts import ID, VERSION, DraftMark
from sitekit.records.proposals import Proposal, ProposalState, columns
from sitekit.records.revisions import columns as revisions
from tests.support.factories import add_actor, company_form
from tests.support.record_types import SAMPLES

COMPANIES = SAMPLES["companies"].record_type
RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}


def form_data(session: Session, actor: Actor, record: int, **typed: str) -> dict[str, Any]:
    """What the form of a record sends after it was opened, with some texts changed; 0 is a new record."""
    form = COMPANIES.get_stored(session, actor, record) if record else COMPANIES.blank_form()
    assert form
    draft = drafts.of_record(session, actor, COMPANIES, record) if record else None
    form = drafts.form_with(form, draft)
    return {**form.inputs(), "record": str(record), "version": str(form.version), **typed}


def save(session: Session, actor: Actor, record: int, **typed: str) -> int:
    return drafts.save(session, actor, COMPANIES, record, form_data(session, actor, record, **typed))


def publish(
    session: Session,
    actor: Actor,
    record: int,
    typed: dict[str, Any],
    *,
    overwrite: bool = False,
    is_confirmed: bool = False,
) -> int:
    """Save a form as its state does."""
    draft = drafts.begin_publishing(session, actor, COMPANIES, record, typed, overwrite=overwrite)
    if record:
        stored = COMPANIES.get_stored(session, actor, record)
        read = COMPANIES.data_class.read(typed, stored.inputs() if stored else {})
        COMPANIES.update(session, actor, record, read, int(typed["version"]), overwrite)
    else:
        record = COMPANIES.create(session, actor, COMPANIES.data_class.read(typed))
    drafts.finish_publishing(
        session, actor, COMPANIES, draft, record, typed | ({"then": CONFIRMED} if is_confirmed else {})
    )
    return record


def mark_of(session: Session, actor: Actor, record: int) -> DraftMark:
    return drafts.of_list(session, actor, COMPANIES, {record: True})[0][record]


def new_drafts(session: Session, actor: Actor) -> list[DraftMark]:
    return drafts.of_list(session, actor, COMPANIES, {})[1]


@pytest.fixture
def company(session: Session, actor: Actor) -> int:
    sample = SAMPLES["companies"]
    record = sample.record_type.create(session, actor, sample.data(name="Kelp"))
    session.flush()
    return record


@pytest.fixture
def other(session: Session) -> Actor:
    return add_actor(session, first_name="Mei", last_name="Lim")


def version(session: Session) -> int:
    return session.execute(sa.select(col(ContentVersion.number))).scalar() or 0


def acts(session: Session) -> list[str]:
    return list(session.execute(sa.select(activity.act).order_by(activity.id)).scalars())


@pytest.mark.spec("DRAFT-1")
def test_saving_a_draft_changes_nothing_that_visitors_see(session: Session, actor: Actor, company: int) -> None:
    before = version(session), COMPANIES.list_slugs_public(session), COMPANIES.get_stored(session, actor, company)
    save(session, actor, company, name="Kelp Holdings", slug="kelp-holdings")
    save(session, actor, 0, name="Moss", slug="moss")
    assert (version(session), COMPANIES.list_slugs_public(session)) == before[:2]
    assert COMPANIES.get_stored(session, actor, company) == before[2]
    assert acts(session)[-2:] == ["draft_saved", "draft_saved"]


@pytest.mark.spec("DRAFT-9", "DRAFT-11")
def test_a_page_that_is_published_now_can_be_hidden_at_a_time(session: Session, actor: Actor, company: int) -> None:
    typed = form_data(session, actor, company, **{HIDE_AT: "2126-12-03T09:00"})
    publish(session, actor, company, typed)
    mark = mark_of(session, actor, company)
    assert (mark.label, mark.is_pending) == ("Hides 3 Dec 2126, 9:00 am (Singapore)", False)
    logged = session.execute(sa.select(activity.act, activity.subject).order_by(activity.id.desc())).first()
    assert logged == ("draft_scheduled", "Kelp")
    assert form_data(session, actor, company)["name"] == "Kelp"


@pytest.mark.spec("DRAFT-2")
def test_a_form_shows_the_draft_of_its_record_and_saving_it_again_keeps_one(
    session: Session, actor: Actor, other: Actor, company: int
) -> None:
    first = save(session, actor, company, name="Kelp Holdings")
    assert form_data(session, other, company)["name"] == "Kelp Holdings"
    assert save(session, other, company, name="Kelp Group") == first
    assert session.execute(sa.select(sa.func.count()).select_from(Proposal)).scalar() == 1
    mark = mark_of(session, actor, company)
    assert (mark.label, mark.by_name, mark.name) == (texts.LIVE_WITH_DRAFT, "Mei Lim", "Kelp Group")


@pytest.mark.spec("DRAFT-2")
def test_drafts_of_new_records_are_listed_by_their_typed_names(session: Session, actor: Actor) -> None:
    save(session, actor, 0, name="")
    save(session, actor, 0, name="Moss")
    assert [mark.name for mark in new_drafts(session, actor)] == ["Moss", texts.UNTITLED]


@pytest.mark.spec("DRAFT-2")
def test_a_draft_that_somebody_else_saved_is_not_overwritten_unseen(
    session: Session, actor: Actor, other: Actor, company: int
) -> None:
    opened = form_data(session, actor, company, name="Kelp Holdings")
    save(session, other, company, name="Kelp Group")
    with pytest.raises(SavedSince, match="Mei Lim"):
        drafts.save(session, actor, COMPANIES, company, opened)
    with_draft = form_data(session, actor, company)
    save(session, other, company, name="Kelp Group 2")
    with pytest.raises(SavedSince, match="Mei Lim"):
        publish(session, actor, company, with_draft)
    publish(session, actor, company, with_draft, overwrite=True, is_confirmed=True)
    stored = COMPANIES.get_stored(session, actor, company)
    assert stored and stored.texts["name"] == "Kelp Group"


@pytest.mark.spec("DRAFT-3")
def test_a_draft_keeps_what_is_missing_and_what_is_typed_wrong(session: Session, actor: Actor) -> None:
    draft = save(session, actor, 0, name="", website_url="not an address", founded="later")
    saved = drafts.get(session, actor, COMPANIES, draft)
    assert (saved.inputs["name"], saved.inputs["website_url"]) == ("", "not an address")
    assert {*drafts.wrong_inputs(session, actor, COMPANIES, saved, None)} == {"website_url", "founded"}


@pytest.mark.spec("DRAFT-3")
def test_publishing_a_draft_holds_all_rules(session: Session, actor: Actor) -> None:
    save(session, actor, 0, name="")
    (mark,) = new_drafts(session, actor)
    typed = form_data(session, actor, 0) | {ID: str(mark.id), VERSION: "1"}
    with pytest.raises(InvalidInput) as refused:
        publish(session, actor, 0, typed)
    assert "name" in refused.value.fields


@pytest.mark.spec("DRAFT-5")
def test_publishing_writes_one_version_through_the_draft_and_removes_it(
    session: Session, actor: Actor, company: int
) -> None:
    save(session, actor, company, name="Kelp Holdings")
    publish(session, actor, company, form_data(session, actor, company))
    lines = history.list_revisions(session, actor, COMPANIES, company)
    assert [(line.number, line.via) for line in lines] == [(2, "draft"), (1, "back office")]
    assert drafts.of_record(session, actor, COMPANIES, company) is None
    assert session.execute(sa.select(sa.func.count()).select_from(Proposal)).scalar() == 0
    assert acts(session)[-2:] == ["saved", "draft_published"]


@pytest.mark.spec("DRAFT-5")
def test_the_draft_of_a_new_record_is_published_once(session: Session, actor: Actor, other: Actor) -> None:
    draft = save(session, actor, 0, name="Moss")
    typed = company_form(name="Moss") | {ID: str(draft), VERSION: "1"}
    publish(session, other, 0, typed, is_confirmed=True)
    with pytest.raises(Conflict, match="published or discarded"):
        publish(session, actor, 0, typed)


@pytest.mark.spec("DRAFT-4")
def test_a_discarded_draft_is_brought_back_by_who_discarded_it(
    session: Session, actor: Actor, other: Actor, company: int
) -> None:
    draft = save(session, actor, company, name="Kelp Holdings")
    batch = drafts.discard(session, actor, COMPANIES, draft)
    assert drafts.of_record(session, actor, COMPANIES, company) is None
    assert drafts.bring_back(session, other, RECORD_TYPES, batch) is None
    assert drafts.bring_back(session, actor, RECORD_TYPES, batch) == "Kelp Holdings"
    assert drafts.of_record(session, actor, COMPANIES, company)


@pytest.mark.spec("DRAFT-4")
def test_a_discarded_draft_does_not_replace_a_newer_one(session: Session, actor: Actor, company: int) -> None:
    batch = drafts.discard(session, actor, COMPANIES, save(session, actor, company, name="Kelp Holdings"))
    save(session, actor, company, name="Kelp Group")
    with pytest.raises(Conflict), session.begin_nested():
        drafts.bring_back(session, actor, RECORD_TYPES, batch)


@pytest.mark.spec("DRAFT-4")
def test_the_comparison_shows_what_the_draft_changes(session: Session, actor: Actor, company: int) -> None:
    draft = save(session, actor, company, name="Kelp Holdings")
    draft = save(session, actor, company, founded="someday", services="Kelp, Moss")
    name, year, services = drafts.changes(session, actor, COMPANIES, draft)
    assert "".join(part.text for part in name.parts) == "Kelp Holdings"
    assert (year.old, year.new) == ("2019", "someday")
    assert [(entry.text, entry.mark) for entry in services.listed] == [("Kelp", "added"), ("Moss", "added")]


@pytest.mark.spec("DRAFT-4")
def test_discarded_drafts_are_deleted_after_a_day(session: Session, actor: Actor, company: int) -> None:
    drafts.discard(session, actor, COMPANIES, save(session, actor, company))
    save(session, actor, 0, name="Moss")
    assert drafts.delete_expired(session, now() + timedelta(hours=23), 10) == 0
    assert drafts.delete_expired(session, now() + timedelta(hours=25), 10) == 1
    assert len(new_drafts(session, actor)) == 1


@pytest.mark.spec("DRAFT-9")
@pytest.mark.parametrize(
    ("name", "typed", "sentence"),
    [
        (PUBLISH_AT, "yesterday", texts.NOT_A_TIME),
        (PUBLISH_AT, "2020-01-01T09:00", texts.NOT_AHEAD),
        (HIDE_AT, "2020-01-01T09:00", texts.NOT_AHEAD),
    ],
)
def test_a_time_that_cannot_be_is_refused(
    session: Session, actor: Actor, company: int, name: str, typed: str, sentence: str
) -> None:
    with pytest.raises(InvalidInput) as refused:
        save(session, actor, company, **{name: typed})
    assert refused.value.fields == {name: sentence}


@pytest.mark.spec("DRAFT-9")
def test_hiding_comes_after_publishing_and_needs_something_to_hide(session: Session, actor: Actor) -> None:
    soon, later = input_time(now() + timedelta(hours=1)), input_time(now() + timedelta(hours=2))
    for hide_at in (soon, later):
        with pytest.raises(InvalidInput, match=texts.NOT_AFTER):
            save(session, actor, 0, name="Moss", **{PUBLISH_AT: later, HIDE_AT: hide_at})
    with pytest.raises(InvalidInput, match=texts.NOTHING_TO_HIDE):
        save(session, actor, 0, name="Moss", **{HIDE_AT: soon})


@pytest.mark.spec("DRAFT-9")
def test_a_schedule_is_named_with_its_zone_and_taken_back_without_losing_the_draft(
    session: Session, actor: Actor, company: int
) -> None:
    at = datetime(2126, 12, 3, 1, 0, tzinfo=UTC)
    save(session, actor, company, name="Kelp Holdings", **{PUBLISH_AT: "2126-12-03T09:00"})
    mark = mark_of(session, actor, company)
    assert mark.label == "Publishes 3 Dec 2126, 9:00 am (Singapore)"
    draft = drafts.of_record(session, actor, COMPANIES, company)
    assert draft and (draft.publish_at, draft.state) == (at, ProposalState.SCHEDULED)
    save(session, actor, company, **{PUBLISH_AT: ""})
    draft = drafts.of_record(session, actor, COMPANIES, company)
    assert draft and (draft.state, draft.inputs["name"]) == (ProposalState.OPEN, "Kelp Holdings")


@pytest.mark.spec("DRAFT-9", "DRAFT-3")
def test_what_could_not_be_published_now_is_saved_without_a_time_and_says_what_is_missing(
    session: Session, actor: Actor
) -> None:
    at = {PUBLISH_AT: input_time(now() + timedelta(hours=1))}
    COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(slug="moss")))
    typed = company_form(name="Moss", slug="moss", founded="", website_url="nowhere", partner="nobody")
    draft = session.get_one(Proposal, drafts.save(session, actor, COMPANIES, 0, typed | at))
    assert (draft.publish_at, draft.state, draft.inputs["name"]) == (None, ProposalState.OPEN, "Moss")
    wrong = drafts.wrong_inputs(session, actor, COMPANIES, draft, None)
    assert {*wrong} == {"founded", "website_url", "partner", "slug"}
    missing = f"Founded: {messages.FIELD_REQUIRED}"
    assert drafts.saved_text(draft).startswith("Draft saved, but not scheduled. ")
    assert missing in drafts.saved_text(draft)
    assert new_drafts(session, actor)[0].problem == draft.problem


@pytest.mark.spec("DRAFT-9")
def test_a_scheduled_draft_that_could_not_be_published_any_more_is_not_scheduled(
    session: Session, actor: Actor, company: int
) -> None:
    soon, later = input_time(now() + timedelta(hours=1)), input_time(now() + timedelta(hours=2))
    save(session, actor, company, name="Kelp Holdings", **{PUBLISH_AT: soon, HIDE_AT: later})
    save(session, actor, company, name="")
    draft = drafts.of_record(session, actor, COMPANIES, company)
    assert draft and draft.publish_at is None and input_time(draft.hide_at) == later
    assert draft.problem == f"Name: {messages.FIELD_REQUIRED}"


def make_due(session: Session, name: str = "publish_at") -> None:
    session.execute(sa.update(columns.id.table).values({name: now() - timedelta(seconds=1)}))
    session.expire_all()


@pytest.mark.spec("DRAFT-10")
def test_a_due_draft_is_published_once_in_the_name_of_who_scheduled_it(
    session: Session, actor: Actor, other: Actor, company: int
) -> None:
    later = input_time(now() + timedelta(hours=1))
    draft = save(session, other, company, name="Kelp Holdings", **{PUBLISH_AT: later})
    assert schedule.due(session, RECORD_TYPES) == []
    make_due(session)
    assert schedule.due(session, RECORD_TYPES) == [("companies", draft, other.user_id)]
    assert schedule.carry_out(session, other, COMPANIES, draft)
    with pytest.raises(NotFound):
        schedule.carry_out(session, other, COMPANIES, draft)
    newest = history.list_revisions(session, actor, COMPANIES, company)[0]
    assert (newest.number, newest.via, newest.by_name) == (2, "schedule", "Mei Lim")
    assert schedule.due(session, RECORD_TYPES) == []


@pytest.mark.spec("DRAFT-9", "DRAFT-10")
def test_a_published_draft_is_hidden_at_its_time(session: Session, actor: Actor, company: int) -> None:
    soon, later = input_time(now() + timedelta(hours=1)), input_time(now() + timedelta(hours=2))
    draft = save(session, actor, company, name="Kelp Holdings", **{PUBLISH_AT: soon, HIDE_AT: later})
    make_due(session)
    assert schedule.carry_out(session, actor, COMPANIES, draft)
    mark = mark_of(session, actor, company)
    assert (mark.label.split()[0], mark.is_pending) == ("Hides", False)
    make_due(session, "hide_at")
    assert schedule.carry_out(session, actor, COMPANIES, draft)
    assert [slug for slug, _ in COMPANIES.list_slugs_public(session)] == []
    assert drafts.of_record(session, actor, COMPANIES, company) is None


@pytest.mark.spec("DRAFT-9")
def test_a_draft_can_still_be_published_after_its_record_was_hidden_at_its_time(
    session: Session, actor: Actor, company: int
) -> None:
    draft = save(session, actor, company, name="Kelp Holdings", **{HIDE_AT: input_time(now() + timedelta(hours=1))})
    make_due(session, "hide_at")
    assert schedule.carry_out(session, actor, COMPANIES, draft)
    assert COMPANIES.list_slugs_public(session) == []
    publish(session, actor, company, form_data(session, actor, company))
    stored = COMPANIES.get_stored(session, actor, company)
    assert stored and stored.texts["name"] == "Kelp Holdings"


@pytest.mark.spec("DRAFT-10")
def test_a_draft_whose_record_was_saved_meanwhile_is_not_published(
    session: Session, actor: Actor, company: int
) -> None:
    later = input_time(now() + timedelta(hours=1))
    draft = save(session, actor, company, name="Kelp Holdings", **{PUBLISH_AT: later})
    stored = COMPANIES.get_stored(session, actor, company)
    assert stored
    COMPANIES.update(
        session, actor, company, COMPANIES.data_class.read({**stored.inputs(), "tagline": "Farms kelp"}), 1
    )
    make_due(session)
    with pytest.raises(SavedSince):
        schedule.carry_out(session, actor, COMPANIES, draft)
    assert schedule.block(session, COMPANIES, draft, "It was saved since.")
    assert schedule.block(session, COMPANIES, draft, "It was saved since.") is None
    mark = mark_of(session, actor, company)
    assert (mark.label, mark.problem) == (texts.NEEDS_A_LOOK, "It was saved since.")


@pytest.mark.spec("DRAFT-2", "DRAFT-10")
def test_a_form_that_was_open_when_its_draft_could_not_be_published_says_why(
    session: Session, actor: Actor, company: int
) -> None:
    later = input_time(now() + timedelta(hours=1))
    draft = save(session, actor, company, name="Kelp Holdings", **{PUBLISH_AT: later})
    opened = form_data(session, actor, company, tagline="Farms kelp")
    schedule.block(session, COMPANIES, draft, "Enter a year.")
    with pytest.raises(Conflict, match=r"^This draft could not be published at its time\. Enter a year\.$"):
        drafts.save(session, actor, COMPANIES, company, opened)


@pytest.mark.spec("DRAFT-9", "DRAFT-10")
def test_a_draft_whose_record_was_saved_since_is_scheduled_only_over_it(
    session: Session, actor: Actor, other: Actor, company: int
) -> None:
    save(session, actor, company, name="Kelp Holdings")
    stored = COMPANIES.get_stored(session, actor, company)
    assert stored
    COMPANIES.update(
        session, other, company, COMPANIES.data_class.read({**stored.inputs(), "tagline": "Farms kelp"}), 1
    )
    typed = form_data(session, actor, company, **{PUBLISH_AT: input_time(now() + timedelta(hours=1))})
    with pytest.raises(SavedSince, match="Mei Lim"):
        drafts.save(session, actor, COMPANIES, company, typed)
    draft = drafts.save(session, actor, COMPANIES, company, typed, overwrite=True)
    make_due(session)
    assert schedule.carry_out(session, actor, COMPANIES, draft)


@pytest.mark.spec("DRAFT-11")
def test_a_draft_follows_its_record_into_the_trash_and_back(session: Session, actor: Actor, company: int) -> None:
    later = input_time(now() + timedelta(hours=1))
    draft = save(session, actor, company, name="Kelp Holdings", **{PUBLISH_AT: later})
    COMPANIES.delete(session, actor, company)
    make_due(session)
    assert schedule.due(session, RECORD_TYPES) == []
    trash.restore(session, actor, COMPANIES, company)
    assert schedule.due(session, RECORD_TYPES) == [("companies", draft, actor.user_id)]
    assert schedule.carry_out(session, actor, COMPANIES, draft)


@pytest.mark.spec("DRAFT-11")
def test_erasing_a_record_erases_its_draft(session: Session, company: int) -> None:
    actor = add_actor(session, role=Role.ADMIN)
    save(session, actor, company, name="Kelp Holdings")
    COMPANIES.delete(session, actor, company)
    trash.erase(session, actor, COMPANIES, company)
    assert session.execute(sa.select(sa.func.count()).select_from(Proposal)).scalar() == 0
    assert session.execute(sa.select(revisions.id)).first() is None


@pytest.mark.spec("DRAFT-2", "ADM-4")
def test_nobody_without_the_right_reaches_a_draft(session: Session, actor: Actor, company: int) -> None:
    draft = save(session, actor, company, name="Kelp Holdings")
    calls: list[Callable[[], object]] = [
        lambda: drafts.save(session, None, COMPANIES, company, {}),  # type: ignore[arg-type]
        lambda: drafts.of_record(session, None, COMPANIES, company),  # type: ignore[arg-type]
        lambda: drafts.discard(session, None, COMPANIES, draft),  # type: ignore[arg-type]
        lambda: schedule.carry_out(session, None, COMPANIES, draft),  # type: ignore[arg-type]
    ]
    for call in calls:
        with pytest.raises(Forbidden):
            call()
    with pytest.raises(NotFound):
        drafts.get(session, actor, SAMPLES["team"].record_type, draft)
