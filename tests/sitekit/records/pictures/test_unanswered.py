"""Addresses that had no picture when a record was saved: visitors do not get them."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from advisory_site.companies.service import get_shown
from sitekit.base.db.database import content_version, read_session, transaction
from sitekit.base.permissions import Actor
from sitekit.records import trash
from sitekit.records.pictures.addresses import Picture, address_of
from sitekit.records.pictures.held import FINDING, MOST_UNANSWERED, NO_PICTURE, PICTURE
from sitekit.records.revisions import batch_of
from tests.support.factories import add_actor, add_picture
from tests.support.record_types import SAMPLES, Sample
from tests.support.undoing import undo

pytestmark = [pytest.mark.spec("IMG-6"), pytest.mark.usefixtures("database")]

GONE = "https://gone.example/portrait.png"
RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}


@pytest.fixture
def actor(database: ModuleType) -> Actor:
    with transaction() as session:
        return add_actor(session)


def sent(sample: Sample, finding: str | None, address: str = GONE) -> dict[str, Any]:
    """What a form sends of its pictures, all with one address."""
    names = sample.record_type.picture_fields
    typed: dict[str, Any] = dict.fromkeys(names, address)
    return typed | {name + FINDING: finding for name in names}


def create(sample: Sample, actor: Actor, **typed: Any) -> int:
    with transaction() as session:
        return sample.record_type.create(session, actor, sample.data(**typed))


def save(sample: Sample, actor: Actor, record: int, **typed: Any) -> str:
    """Save a record in its form; returns the batch."""
    with transaction() as session:
        form = sample.record_type.get_stored(session, actor, record)
        assert form is not None
        inputs = {name: text for name, text in form.inputs().items() if not name.endswith(FINDING)}
        sample.record_type.update(
            session, actor, record, sample.record_type.data_class.read(inputs | typed, inputs), form.version
        )
        return batch_of(session)


def is_shown(sample: Sample, address: str = GONE) -> bool:
    """Whether cards and pages have the address."""
    with read_session() as session:
        [card] = sample.record_type.list_public(session)
        page = sample.record_type.get_public(session, card.slug)
    [shown] = {address in repr(card), address in repr(page)}
    return shown


def stored(sample: Sample, record: int) -> Any:
    with read_session() as session:
        return session.get_one(sample.record_type.table, record)


def test_a_broken_picture_is_hidden_from_visitors_until_a_save_finds_it_working(sample: Sample, actor: Actor) -> None:
    record = create(sample, actor, **sent(sample, NO_PICTURE))
    assert not is_shown(sample)
    before = content_version()
    save(sample, actor, record, **sent(sample, PICTURE))
    assert is_shown(sample) and content_version() > before
    assert stored(sample, record).unanswered == []


def test_a_picture_that_breaks_later_is_hidden_by_the_next_save(sample: Sample, actor: Actor) -> None:
    record = create(sample, actor, **sent(sample, PICTURE))
    assert is_shown(sample)
    save(sample, actor, record, **sent(sample, NO_PICTURE))
    assert not is_shown(sample)


def test_storing_a_broken_picture_does_not_create_a_new_version(sample: Sample, actor: Actor) -> None:
    record = create(sample, actor, **sent(sample, PICTURE))
    assert save(sample, actor, record, **sent(sample, NO_PICTURE)) == ""
    assert (stored(sample, record).version, stored(sample, record).updated_by) == (1, actor.user_id)


def test_undo_after_replacing_a_broken_picture_keeps_it_hidden(sample: Sample, actor: Actor) -> None:
    record, other = create(sample, actor, **sent(sample, NO_PICTURE)), "/images/other.svg"
    batch = save(sample, actor, record, **sent(sample, PICTURE, other))
    assert is_shown(sample, other)
    with transaction() as session:
        undo(session, actor, RECORD_TYPES, batch)
    row = stored(sample, record)
    assert (getattr(row, sample.record_type.picture_fields[0]), is_shown(sample)) == (GONE, False)


def restore(sample: Sample, actor: Actor, record: int, _: str) -> None:
    with transaction() as session:
        trash.restore(session, actor, sample.record_type, record)


def undo_deletion(sample: Sample, actor: Actor, record: int, batch: str) -> None:
    with transaction() as session:
        undo(session, actor, RECORD_TYPES, batch)


@pytest.mark.spec("TRASH-1")
@pytest.mark.parametrize("bring_back", [restore, undo_deletion])
def test_a_restored_record_still_hides_its_broken_picture(
    sample: Sample, actor: Actor, bring_back: Callable[[Sample, Actor, int, str], None]
) -> None:
    record = create(sample, actor, **sent(sample, PICTURE))
    save(sample, actor, record, **sent(sample, NO_PICTURE))
    with transaction() as session:
        sample.record_type.delete(session, actor, record)
        batch = batch_of(session)
    bring_back(sample, actor, record, batch)
    assert (stored(sample, record).unanswered, is_shown(sample)) == ([GONE], False)


@pytest.mark.parametrize("finding", ["", "nonsense", "NONE", None])
def test_a_save_without_a_picture_check_keeps_a_broken_picture_hidden(
    sample: Sample, actor: Actor, finding: str | None
) -> None:
    record = create(sample, actor, **sent(sample, NO_PICTURE))
    save(sample, actor, record, name="Kelp", **sent(sample, finding))
    assert not is_shown(sample)


def test_a_broken_picture_is_hidden_only_for_the_saved_record(sample: Sample, actor: Actor) -> None:
    other = create(sample, actor, name="Other", **sent(sample, PICTURE))
    create(sample, actor, name="Kelp", **sent(sample, NO_PICTURE))
    with read_session() as session:
        shown = {card.slug: GONE in repr(card) for card in sample.record_type.list_public(session)}
    assert shown == {slug: slug == stored(sample, other).slug for slug in shown}


def test_an_uploaded_picture_is_never_hidden(sample: Sample, actor: Actor) -> None:
    with transaction() as session:
        picture = add_picture(session, name="mei.jpg", alt="Mei")
    address = address_of(picture.key, picture.width)
    create(sample, actor, **sent(sample, NO_PICTURE, address))
    assert is_shown(sample, address)


def test_a_record_remembers_its_last_ten_broken_addresses(sample: Sample, actor: Actor) -> None:
    record = create(sample, actor, **sent(sample, NO_PICTURE, "https://gone.example/0.png"))
    for number in range(1, MOST_UNANSWERED + 2):
        save(sample, actor, record, **sent(sample, NO_PICTURE, f"https://gone.example/{number}.png"))
    found = stored(sample, record).unanswered
    assert found == [f"https://gone.example/{number}.png" for number in range(2, MOST_UNANSWERED + 2)]


@pytest.mark.parametrize("finding", [PICTURE, NO_PICTURE])
def test_the_form_says_if_a_picture_is_broken(sample: Sample, actor: Actor, finding: str) -> None:
    record = create(sample, actor, **sent(sample, finding))
    with read_session() as session:
        form = sample.record_type.get_stored(session, actor, record)
    known = "" if finding == PICTURE else NO_PICTURE
    assert form and {form.texts[name + FINDING] for name in sample.record_type.picture_fields} == {known}


def test_a_company_shows_its_partner_without_a_broken_picture(actor: Actor) -> None:
    member = create(SAMPLES["team"], actor, **sent(SAMPLES["team"], NO_PICTURE))
    create(SAMPLES["companies"], actor, slug="kelp", partner=stored(SAMPLES["team"], member).slug)
    with read_session() as session:
        partner = get_shown(session, "kelp").partner
    assert (partner.name, partner.picture) == ("Mei Lin", Picture())
