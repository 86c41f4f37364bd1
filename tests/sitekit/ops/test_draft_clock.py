"""What is scheduled happens at its time, once; what cannot be published waits, and is mailed."""

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.articles.service import ARTICLES
from advisory_site.companies.models import columns as companies
from sitekit.accounts.models import Profile
from sitekit.base import messages, site_pages
from sitekit.base.db.database import now, read_session, transaction
from sitekit.base.mail.models import OutgoingMail
from sitekit.base.permissions import Actor, Role
from sitekit.ops import draft_clock
from sitekit.records import draft_texts, drafts, schedule
from sitekit.records.draft_times import HIDE_AT, PUBLISH_AT, input_time
from sitekit.records.proposals import Proposal, ProposalState, columns
from sitekit.records.publishing import pages_of_drafts
from tests.support.factories import article_form, company_form
from tests.support.people import person
from tests.support.record_types import SAMPLES

COMPANIES = SAMPLES["companies"].record_type

pytestmark = [pytest.mark.spec("DRAFT-10"), pytest.mark.usefixtures("database_dir")]


@pytest.fixture
def actor() -> Actor:
    return Actor(person("mei@northstrait.example", Role.MANAGER), Role.MANAGER)


def scheduled(actor: Actor, **typed: str) -> int:
    """A draft of a new company whose time has come."""
    at = {PUBLISH_AT: input_time(now() + timedelta(hours=1))}
    with transaction() as session:
        draft = drafts.save(session, actor, COMPANIES, 0, company_form(name="Moss", slug="moss") | typed | at)
    make_due()
    return draft


def make_due() -> None:
    with transaction() as session:
        session.execute(sa.update(columns.id.table).values(publish_at=now() - timedelta(minutes=90)))


def slugs() -> list[str]:
    with read_session() as session:
        return [slug for slug, _ in COMPANIES.list_slugs_public(session)]


def mails() -> list[tuple[str, str]]:
    with read_session() as session:
        return [(mail.recipient, mail.subject) for mail in session.execute(sa.select(OutgoingMail)).scalars()]


def problem() -> tuple[str, str]:
    with read_session() as session:
        row = session.execute(sa.select(columns.state, columns.problem)).one()
        return row.state, row.problem


def test_what_was_due_during_an_outage_is_published_at_the_next_start(actor: Actor) -> None:
    scheduled(actor)
    assert (draft_clock.tick(), slugs(), mails()) == (1, ["moss"], [])
    assert draft_clock.tick() == 0


def test_a_draft_that_breaks_a_rule_waits_and_is_mailed_once_with_the_field_and_what_is_wrong(actor: Actor) -> None:
    draft = scheduled(actor)
    with transaction() as session:
        proposal = session.get_one(Proposal, draft)
        proposal.inputs = proposal.inputs | {"founded": "later"}
    assert (draft_clock.tick(), slugs()) == (1, [])
    assert mails() == [("mei@northstrait.example", "Moss was not published")]
    assert draft_clock.tick() == 0
    assert len(mails()) == 1
    wrong = f"Founded: {messages.YEAR_INVALID}"
    assert problem() == (ProposalState.BLOCKED, wrong)
    with read_session() as session:
        assert wrong in session.execute(sa.select(OutgoingMail)).scalar_one().text


@pytest.mark.spec("DRAFT-9")
def test_what_should_be_hidden_already_is_never_shown(actor: Actor) -> None:
    scheduled(actor, **{HIDE_AT: input_time(now() + timedelta(hours=2))})
    with transaction() as session:
        session.execute(sa.update(columns.id.table).values(hide_at=now() - timedelta(minutes=30)))
    assert (draft_clock.tick(), slugs()) == (1, [])
    with read_session() as session:
        assert session.execute(sa.select(companies.status)).scalar_one() == "Inactive"
    assert draft_clock.tick() == 0


def test_a_draft_whose_slug_was_taken_meanwhile_waits(actor: Actor) -> None:
    scheduled(actor)
    with transaction() as session:
        COMPANIES.create(session, actor, COMPANIES.data_class.read(company_form(name="Other", slug="moss")))
    draft_clock.tick()
    assert problem()[0] == ProposalState.BLOCKED


@pytest.mark.parametrize("change", ["deactivated", "deleted"])
def test_nothing_is_published_for_somebody_who_may_not_any_more(actor: Actor, change: str) -> None:
    scheduled(actor)
    person("ann@northstrait.example", Role.ADMIN)
    with transaction() as session:
        profile = session.get_one(Profile, actor.user_id)
        if change == "deactivated":
            profile.deactivated_at = now()
        else:
            session.delete(profile)
    draft_clock.tick()
    assert (slugs(), problem()) == ([], (ProposalState.BLOCKED, draft_texts.NOBODY))
    assert mails() == [("ann@northstrait.example", "Moss was not published")]


def test_one_draft_that_fails_does_not_keep_the_others_waiting(actor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    first = scheduled(actor)
    scheduled(actor, slug="kelp")
    carry_out: Callable[..., bool] = schedule.carry_out

    def failing(*args: object) -> bool:
        if args[-1] == first:
            raise sa.exc.OperationalError("", {}, Exception("locked"))
        return carry_out(*args)

    monkeypatch.setattr(schedule, "carry_out", failing)
    assert (draft_clock.tick(), slugs()) == (1, ["kelp"])


def has_article(session: Session, path: str) -> bool:
    return ARTICLES.resolve_slug(session, path.removeprefix("/insights/")) is not None


@pytest.mark.spec("NEWS-4")
def test_articles_that_link_to_each_other_are_published_at_the_same_time(
    actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_pages, "_has_page", has_article)
    at = {PUBLISH_AT: input_time(now() + timedelta(hours=1))}
    with transaction() as session:
        for slug, other in (("first", "second"), ("second", "first")):
            typed = article_form(name=slug, slug=slug, is_active="on", text=f"See [it](/insights/{other}).")
            drafts.save(session, actor, ARTICLES, 0, typed)
        for draft in session.execute(sa.select(Proposal)).scalars().all():
            about = {drafts.ID: str(draft.id), drafts.VERSION: str(draft.version)}
            drafts.save(session, actor, ARTICLES, 0, draft.inputs | about | at)
    make_due()
    assert draft_clock.tick() == 2
    with read_session() as session:
        assert [slug for slug, _ in ARTICLES.list_slugs_public(session)] == ["first", "second"]


@pytest.mark.spec("NEWS-4")
def test_an_article_does_not_link_to_a_draft_that_is_published_later(
    actor: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_pages, "_has_page", has_article)
    monkeypatch.setattr(site_pages, "_pages_of_drafts", pages_of_drafts)
    at = {PUBLISH_AT: input_time(now() + timedelta(hours=1))}
    with transaction() as session:
        drafts.save(session, actor, ARTICLES, 0, article_form(name="Second", slug="second", is_active="on"))
        typed = article_form(name="First", slug="first", is_active="on", text="See [it](/insights/second).")
        first = drafts.save(session, actor, ARTICLES, 0, typed | at)
        session.execute(sa.update(columns.id.table).where(columns.id == first).values(publish_at=now()))
    assert draft_clock.tick() == 1
    with read_session() as session:
        expected = f"Text: {messages.NO_PAGE_YET.format(path='/insights/second')}"
        assert session.get_one(Proposal, first).problem == expected
