"""No cover without a description becomes public, whatever makes it so; and what a form saves of descriptions."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.advisors.service import ADVISORS
from sitekit.admin.pictures import library as media_library
from sitekit.base import permissions
from sitekit.base.db.database import content_version, read_session, transaction
from sitekit.base.errors import Forbidden, InvalidInput
from sitekit.base.permissions import Action, Actor
from sitekit.records import bulk, csv_import, csv_plan, history, saving, trash
from sitekit.records.activity import columns as activity
from sitekit.records.batch import read_records
from sitekit.records.csv_file import read_sheet
from sitekit.records.pictures import held as pictures
from sitekit.records.pictures import texts as media_texts
from sitekit.records.pictures.addresses import address_of
from sitekit.records.pictures.held import ALT, VERSION, Description
from sitekit.records.pictures.models import Media
from sitekit.records.revisions import batch_of
from tests.support import factories
from tests.support.csv_files import csv_bytes
from tests.support.record_types import SAMPLES, Sample
from tests.support.undoing import undo

pytestmark = pytest.mark.spec("IMG-3")

RECORD_TYPES = {one.record_type.table_name: one.record_type for one in SAMPLES.values()}
REFUSED = "Kelp cannot be public: its picture needs a description"
COVER = "cover_image_url"


@pytest.fixture
def sample() -> Sample:
    """Advisors: only they have a cover."""
    return SAMPLES["advisors"]


@pytest.fixture
def bare(database: ModuleType) -> Media:
    """An uploaded picture that nothing describes."""
    with transaction() as session:
        return factories.add_picture(session, name="mei.jpg", alt="")


def address(picture: Media) -> str:
    return address_of(picture.key, picture.width)


def add(sample: Sample, picture: Media, *, is_public: bool, **fields: Any) -> int:
    """A record that was stored before the rule, or by a command."""
    values = {"name": "Kelp", COVER: address(picture), **({} if is_public else sample.hidden), **fields}
    with transaction() as session:
        return int(sample.add(session, **values).id)


def sent(sample: Sample, actor: Actor, record: int, **typed: str) -> dict[str, Any]:
    """What the form of a stored record sends, with these texts typed."""
    with read_session() as session:
        form = sample.record_type.get_stored(session, actor, record)
    assert form
    required = {name: value for name, value in sample.filled(name="Kelp").items() if not form.inputs().get(name)}
    return (
        form.inputs()
        | {name: value for name, value in required.items() if name in sample.record_type.data_class.required}
        | typed
    )


def save(sample: Sample, actor: Actor, record: int, **typed: str) -> None:
    """Save the form of a record."""
    with transaction() as session:
        stored = sample.record_type.get_stored(session, actor, record)
        assert stored
        data = sample.record_type.data_class.read(sent(sample, actor, record, **typed), stored.inputs())
        sample.record_type.update(session, actor, record, data, stored.version)


def stored(picture: Media) -> tuple[str, bool]:
    with read_session() as session:
        row = session.get_one(Media, picture.id)
        return row.alt, row.is_decorative


def is_public(sample: Sample, record: int) -> bool:
    with read_session() as session:
        row = session.get(sample.record_type.table, record)
        return (
            row is not None
            and getattr(row, sample.record_type.publishing.column) == sample.record_type.publishing.public
        )


def described(picture: Media, **values: Any) -> None:
    with transaction() as session:
        session.execute(sa.update(Media).where(Media.__table__.c.id == picture.id).values(**values))  # type: ignore[attr-defined]


@pytest.mark.parametrize("description", [{"alt": "Mei at her desk"}, {"is_decorative": True}])
def test_a_new_record_is_public_once_its_pictures_are_described(
    sample: Sample, actor: Actor, bare: Media, description: dict[str, Any]
) -> None:
    draft = sample.data(name="Kelp", cover_image_url=address(bare))
    with pytest.raises(InvalidInput, match=REFUSED) as refused, transaction() as session:
        sample.record_type.create(session, actor, draft)
    assert refused.value.fields == {COVER + ALT: media_texts.DESCRIBE}
    with transaction() as session:
        sample.record_type.create(session, actor, sample.data(cover_image_url=address(bare), **sample.hidden))
    described(bare, **description)
    with transaction() as session:
        sample.record_type.create(session, actor, draft)


@pytest.mark.parametrize("one", SAMPLES.values(), ids=SAMPLES)
def test_portraits_and_logos_are_described_by_their_record(one: Sample, actor: Actor, bare: Media) -> None:
    pictures = dict.fromkeys({*one.record_type.picture_fields} - {COVER}, address(bare))
    with transaction() as session:
        one.record_type.create(session, actor, one.data(**pictures))
    [page] = shown(one)
    assert bare.key in page
    assert not {name + ALT for name in pictures} & {*one.record_type.data_class.model_fields}


def published(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=False)
    draft = sample.data(name="Kelp", cover_image_url=address(bare))
    return lambda session: sample.record_type.update(session, actor, record, draft, 1)


def restored(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        sample.record_type.delete(session, actor, record)
    return lambda session: trash.restore(session, actor, sample.record_type, record)


def undone(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        bulk.set_public(session, actor, sample.record_type, [record], False)
        batch = batch_of(session)
    return lambda session: undo(session, actor, RECORD_TYPES, batch)


def undeleted(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        sample.record_type.delete(session, actor, record)
        batch = batch_of(session)
    return lambda session: undo(session, actor, RECORD_TYPES, batch)


def put_back(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        session.get_one(sample.record_type.table, record).cover_image_url = factories.IMAGE
    return lambda session: history.restore_revision(session, actor, sample.record_type, record, 1)


def replaced(sample: Sample, actor: Actor, bare: Media, other: Media) -> Callable[[Session], object]:
    add(sample, other, is_public=True)
    return lambda session: media_library.replace(session, actor, other.id, bare.id)


def shown(sample: Sample) -> list[str]:
    """The pages that visitors see."""
    with read_session() as session:
        return [
            str(sample.record_type.get_public(session, card.slug)) for card in sample.record_type.list_public(session)
        ]


WAYS = [published, restored, undone, undeleted, put_back, replaced]


@pytest.mark.parametrize("prepare", WAYS)
def test_publishing_an_undescribed_picture_is_refused_and_names_the_record(
    sample: Sample, actor: Actor, bare: Media, prepare: Callable[..., Callable[[Session], object]]
) -> None:
    with transaction() as session:
        other = factories.add_picture(session)
    take = prepare(sample, actor, bare, other)
    before = shown(sample)
    with pytest.raises(InvalidInput, match=REFUSED), transaction() as session:
        take(session)
    assert shown(sample) == before
    described(bare, is_decorative=True)
    with transaction() as session:
        take(session)
    [page] = shown(sample)
    assert bare.key in page


def test_publishing_several_records_skips_those_without_a_description(
    sample: Sample, actor: Actor, bare: Media
) -> None:
    with transaction() as session:
        described_one = factories.add_picture(session)
    refused, fine = add(sample, bare, is_public=False), add(sample, described_one, is_public=False)
    public = add(sample, bare, is_public=True)
    with transaction() as session:
        result = bulk.set_public(session, actor, sample.record_type, [refused, fine, public, 999], True)
    assert result == bulk.BulkResult(2, (999,), (refused,))
    assert [is_public(sample, one) for one in (refused, fine, public)] == [False, True, True]
    with transaction() as session:
        assert bulk.set_public(session, actor, sample.record_type, [public], False) == bulk.BulkResult(1)


def test_an_already_public_record_stays_public_until_its_form_is_saved(
    sample: Sample, actor: Actor, bare: Media
) -> None:
    record = add(sample, bare, is_public=True)
    with transaction() as session:  # without the form, as an import does
        stored_form = sample.record_type.get_stored(session, actor, record)
        assert stored_form
        plain = {
            name: value for name, value in sent(sample, actor, record).items() if name in sample.record_type.fields
        }
        data = sample.record_type.data_class.read(plain | {"name": "Kelp & Co"}, stored_form.inputs())
        sample.record_type.update(session, actor, record, data, stored_form.version)
    assert is_public(sample, record)
    with pytest.raises(InvalidInput) as refused:
        save(sample, actor, record)
    assert refused.value.fields == {COVER + ALT: media_texts.DESCRIBE}
    save(sample, actor, record, cover_image_url_alt="Mei at her desk")
    assert stored(bare)[0] == "Mei at her desk"


def test_undoing_another_change_of_a_public_record_is_not_refused(sample: Sample, actor: Actor, bare: Media) -> None:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        saving.write(session, session.get_one(sample.record_type.table, record), {"name": "Moss"}, actor)
        batch = batch_of(session)
    with transaction() as session:
        undo(session, actor, RECORD_TYPES, batch)
    assert is_public(sample, record)


def test_a_description_is_saved_with_its_record_and_logged(sample: Sample, actor: Actor, bare: Media) -> None:
    record = add(sample, bare, is_public=True)
    before = content_version()
    save(sample, actor, record, cover_image_url_alt=" Mei  at her desk ")
    assert stored(bare) == ("Mei at her desk", False)
    assert content_version() > before
    with read_session() as session:
        acts = session.execute(sa.select(activity.act, activity.by_name, activity.subject)).all()
        form = sample.record_type.get_stored(session, actor, record)
    assert ("picture_changed", "Wei Tan", "mei.jpg") in [tuple(one) for one in acts]
    assert form and form.texts[COVER + ALT] == "Mei at her desk"


def test_a_newer_description_is_overwritten_only_if_it_was_edited_in_the_form(
    sample: Sample, actor: Actor, bare: Media
) -> None:
    described(bare, alt="Mei at her desk")
    record = add(sample, bare, is_public=True)
    form = sent(sample, actor, record)
    described(bare, alt="Mei in the Raffles Place office")
    save(sample, actor, record, **form)
    assert stored(bare) == ("Mei in the Raffles Place office", False)
    save(sample, actor, record, **form | {COVER + ALT: "Mei, smiling"})
    assert stored(bare) == ("Mei, smiling", False)


def test_an_emptied_description_is_refused_only_for_public_records(sample: Sample, actor: Actor, bare: Media) -> None:
    described(bare, alt="Mei at her desk")
    public, hidden = add(sample, bare, is_public=True), add(sample, bare, is_public=False)
    with pytest.raises(InvalidInput) as refused:
        save(sample, actor, public, cover_image_url_alt="")
    assert {*refused.value.fields.values()} == {media_texts.DESCRIBE}
    save(sample, actor, hidden, cover_image_url_alt="")
    assert stored(bare) == ("Mei at her desk", False)


@pytest.mark.parametrize("typed", ["IMG_2041", "harbour.png", "Mei"])
@pytest.mark.parametrize("hidden", [True, False])
def test_file_names_are_not_accepted_as_descriptions(
    sample: Sample, actor: Actor, bare: Media, typed: str, hidden: bool
) -> None:
    record = add(sample, bare, is_public=not hidden)
    with pytest.raises(InvalidInput) as refused:
        save(sample, actor, record, cover_image_url_alt=typed)
    assert refused.value.fields == {COVER + ALT: media_texts.NOT_A_FILE_NAME}
    assert stored(bare) == ("", False)


def test_only_roles_that_manage_pictures_can_describe_one(
    sample: Sample, actor: Actor, bare: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    described(bare, alt="Mei at her desk")
    record = add(sample, bare, is_public=True)
    monkeypatch.setitem(permissions.POLICY, Action.READ_MEDIA, permissions.ADMINS)
    monkeypatch.setitem(permissions.POLICY, Action.CHANGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden):
        save(sample, actor, record, cover_image_url_alt="Somebody")
    with pytest.raises(Forbidden), read_session() as session:
        pictures.find_description(session, actor, address(bare))
    save(sample, actor, record, name="Moss")


def test_a_restored_version_and_a_copy_show_the_description_of_their_picture(
    sample: Sample, session: Session, actor: Actor
) -> None:
    picture = factories.add_picture(session, alt="Mei at her desk")
    record = sample.add(session, cover_image_url=address(picture))
    record.cover_image_url = ""
    session.flush()
    version, _ = history.form_of_revision(session, actor, sample.record_type, sample.wanted(record), 1)
    assert (version.texts[COVER + ALT], version.texts[COVER + VERSION]) == ("Mei at her desk", ":Mei at her desk")
    record.cover_image_url = address(picture)
    session.flush()
    assert sample.record_type.copied_form(session, actor, sample.wanted(record)).texts[COVER + ALT] == "Mei at her desk"
    assert sample.record_type.blank_form().texts[COVER + ALT] == ""


def test_a_description_is_found_by_the_address_of_any_size(session: Session, actor: Actor) -> None:
    picture = factories.add_picture(session, alt="", is_decorative=True)
    for wanted in (address(picture), f"/media/{picture.key}-320.webp"):
        assert pictures.find_description(session, actor, wanted) == Description("", True)
    for other in ("", "/images/a.svg", f"https://elsewhere.example{address(picture)}", f"/media/{'f' * 32}-960.jpg"):
        assert pictures.find_description(session, actor, other) == Description()


def test_an_import_names_the_rows_with_an_undescribed_cover(session: Session, actor: Actor) -> None:
    bare, fine = factories.add_picture(session, alt=""), factories.add_picture(session)
    filled = factories.advisor_form(image_url=address(bare))
    factories.add_advisor(session, **filled | {"slug": "public", "name": "Public", COVER: address(bare)})
    hidden = {"slug": "hidden", "name": "Hidden", COVER: address(bare), "is_active": False}
    factories.add_advisor(session, **filled | hidden)
    factories.add_advisor(session, **filled | {"slug": "changed", "name": "Changed"})
    sheet = read_sheet(
        csv_bytes(
            ("Page address", "Tagline", "Active", "Cover image URL"),
            ("public", "Only the tagline changes", "yes", address(bare)),
            ("hidden", "", "yes", address(bare)),
            ("changed", "", "yes", address(bare)),
            ("hidden", "", "yes", address(fine)),
        ),
        csv_plan.known_columns(ADVISORS),
    )
    rows = sheet.rows[:3]
    columns = csv_plan.match_columns(ADVISORS, sheet.head)
    stored = csv_import.read_stored(session, actor, ADVISORS, "slug", ["public", "hidden", "changed"])
    keys = csv_import.pictures_of(ADVISORS, sheet, columns, stored)
    assert keys == sorted([bare.key, fine.key])
    missing = csv_import.read_undescribed(session, actor, ADVISORS, keys)
    records = read_records(session, actor, ADVISORS, [one.id for one in stored])
    plan = csv_plan.make_plan(ADVISORS, sheet, columns, stored, missing)[: len(rows)]
    assert [row.category.value for row in plan] == ["changed", "wrong", "wrong"]
    assert [one.label for row in plan for one in row.problems] == ["Cover image URL", "Cover image URL"]
    assert {one.sentence for row in plan for one in row.problems} == {media_texts.UNDESCRIBED_CELL}
    assert csv_import.carry_out(session, actor, ADVISORS, csv_import.prepare(ADVISORS, plan, records)).changed == 1
