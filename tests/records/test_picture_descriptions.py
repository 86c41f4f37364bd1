"""No picture without a description becomes public, whatever makes it so; and what a form saves of descriptions."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.companies.service import COMPANIES
from advisory_site.content import media_texts
from advisory_site.core import permissions
from advisory_site.core.errors import Forbidden, InvalidInput
from advisory_site.core.permissions import Action, Actor
from advisory_site.core.pictures import address_of
from advisory_site.dashboard import media_library
from advisory_site.db.database import content_version, read_session, transaction
from advisory_site.media.models import Media
from advisory_site.records import bulk, csv_import, csv_plan, history, pictures, trash
from advisory_site.records.activity import columns as activity
from advisory_site.records.csv_file import read_sheet
from advisory_site.records.inputs import ALT, DECORATIVE, STAMP
from advisory_site.records.pictures import Description
from advisory_site.records.revisions import batch_of
from advisory_site.records.undo import undo
from tests.support import factories
from tests.support.csv_files import csv_bytes
from tests.support.record_types import SAMPLES, Sample

pytestmark = pytest.mark.spec("IMG-3")

KINDS = {one.kind.table_name: one.kind for one in SAMPLES.values()}
REFUSED = "Kelp cannot be public: its picture needs a description"


@pytest.fixture
def bare(database: ModuleType) -> Media:
    """An uploaded picture that nothing describes."""
    with transaction() as session:
        return factories.add_picture(session, name="mei.jpg", alt="")


def address(picture: Media) -> str:
    return address_of(picture.key, picture.width)


def with_picture(sample: Sample, picture: Media) -> dict[str, str]:
    return dict.fromkeys(sample.kind.picture_fields, address(picture))


def add(sample: Sample, picture: Media, *, is_public: bool, **fields: Any) -> int:
    """A record that was stored before the rule, or by a command."""
    values = {"name": "Kelp", **with_picture(sample, picture), **({} if is_public else sample.hidden), **fields}
    with transaction() as session:
        return int(sample.add(session, **values).id)


def sent(sample: Sample, actor: Actor, record: int, **typed: str) -> dict[str, Any]:
    """What the form of a stored record sends, with these texts typed."""
    with read_session() as session:
        form = sample.kind.get_stored(session, actor, record)
    assert form
    required = {name: value for name, value in sample.filled(name="Kelp").items() if not form.inputs().get(name)}
    return (
        form.inputs() | {name: value for name, value in required.items() if name in sample.kind.draft.required} | typed
    )


def save(sample: Sample, actor: Actor, record: int, **typed: str) -> None:
    """Save the form of a record."""
    with transaction() as session:
        stored = sample.kind.get_stored(session, actor, record)
        assert stored
        draft = sample.kind.draft.read(sent(sample, actor, record, **typed), stored.inputs())
        sample.kind.update(session, actor, record, draft, stored.version)


def stored(picture: Media) -> tuple[str, bool]:
    with read_session() as session:
        row = session.get_one(Media, picture.id)
        return row.alt, row.is_decorative


def is_public(sample: Sample, record: int) -> bool:
    with read_session() as session:
        row = session.get(sample.kind.table, record)
        return row is not None and getattr(row, sample.kind.publishing.column) == sample.kind.publishing.public


def described(picture: Media, **values: Any) -> None:
    with transaction() as session:
        session.execute(sa.update(Media).where(Media.__table__.c.id == picture.id).values(**values))  # type: ignore[attr-defined]


@pytest.mark.parametrize("description", [{"alt": "Mei at her desk"}, {"is_decorative": True}])
def test_a_new_record_is_public_once_its_pictures_are_described(
    sample: Sample, actor: Actor, bare: Media, description: dict[str, Any]
) -> None:
    draft = sample.draft(name="Kelp", **with_picture(sample, bare))
    with pytest.raises(InvalidInput, match=REFUSED) as refused, transaction() as session:
        sample.kind.create(session, actor, draft)
    assert refused.value.fields == {name + ALT: media_texts.DESCRIBE for name in sample.kind.picture_fields}
    with transaction() as session:
        sample.kind.create(session, actor, sample.draft(**with_picture(sample, bare), **sample.hidden))
    described(bare, **description)
    with transaction() as session:
        sample.kind.create(session, actor, draft)


def published(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=False)
    draft = sample.kind.draft.read(
        sample.filled(name="Kelp", **with_picture(sample, bare)) | {"slug": "kelp"}, with_picture(sample, bare)
    )
    return lambda session: sample.kind.update(session, actor, record, draft, 1)


def restored(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        sample.kind.delete(session, actor, record)
    return lambda session: trash.restore(session, actor, sample.kind, record)


def undone(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        bulk.set_public(session, actor, sample.kind, [record], False)
        batch = batch_of(session)
    return lambda session: undo(session, actor, KINDS, batch)


def undeleted(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        sample.kind.delete(session, actor, record)
        batch = batch_of(session)
    return lambda session: undo(session, actor, KINDS, batch)


def put_back(sample: Sample, actor: Actor, bare: Media, _other: Media) -> Callable[[Session], object]:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        row = session.get_one(sample.kind.table, record)
        for name in sample.kind.picture_fields:
            setattr(row, name, factories.IMAGE)
    return lambda session: history.restore_revision(session, actor, sample.kind, record, 1)


def replaced(sample: Sample, actor: Actor, bare: Media, other: Media) -> Callable[[Session], object]:
    add(sample, other, is_public=True)
    return lambda session: media_library.replace(session, actor, other.id, bare.id)


WAYS = [published, restored, undone, undeleted, put_back, replaced]


@pytest.mark.parametrize("prepare", WAYS)
def test_whatever_makes_a_picture_public_is_refused_by_name_until_it_is_described(
    sample: Sample, actor: Actor, bare: Media, prepare: Callable[..., Callable[[Session], object]]
) -> None:
    with transaction() as session:
        other = factories.add_picture(session)
    take = prepare(sample, actor, bare, other)
    with read_session() as session:
        before = sample.kind.list_public(session)
    with pytest.raises(InvalidInput, match=REFUSED), transaction() as session:
        take(session)
    with read_session() as session:
        assert sample.kind.list_public(session) == before
    described(bare, is_decorative=True)
    with transaction() as session:
        take(session)
    with read_session() as session:
        [card] = sample.kind.list_public(session)
        assert bare.key in str(card)


def test_of_several_records_the_others_are_published(sample: Sample, actor: Actor, bare: Media) -> None:
    with transaction() as session:
        described_one = factories.add_picture(session)
    refused, fine = add(sample, bare, is_public=False), add(sample, described_one, is_public=False)
    public = add(sample, bare, is_public=True)
    with transaction() as session:
        result = bulk.set_public(session, actor, sample.kind, [refused, fine, public, 999], True)
    assert result == bulk.BulkResult(2, (999,), (refused,))
    assert [is_public(sample, one) for one in (refused, fine, public)] == [False, True, True]
    with transaction() as session:
        assert bulk.set_public(session, actor, sample.kind, [public], False) == bulk.BulkResult(1)


def test_what_was_public_before_the_rule_stays_and_is_described_in_its_form(
    sample: Sample, actor: Actor, bare: Media
) -> None:
    record = add(sample, bare, is_public=True)
    with transaction() as session:  # without the form, as an import does
        stored_form = sample.kind.get_stored(session, actor, record)
        assert stored_form
        plain = {name: value for name, value in sent(sample, actor, record).items() if name in sample.kind.fields}
        draft = sample.kind.draft.read(plain | {"name": "Kelp & Co"}, stored_form.inputs())
        sample.kind.update(session, actor, record, draft, stored_form.version)
    assert is_public(sample, record)
    with pytest.raises(InvalidInput) as refused:
        save(sample, actor, record)
    assert refused.value.fields == {name + ALT: media_texts.DESCRIBE for name in sample.kind.picture_fields}
    name = sample.kind.picture_fields[-1]
    others = {f"{one}{DECORATIVE}": "on" for one in sample.kind.picture_fields[:-1]}
    save(sample, actor, record, **{name + ALT: "Mei at her desk"}, **others)
    assert stored(bare)[0] == "Mei at her desk"


def test_an_undo_of_something_else_is_not_refused(sample: Sample, actor: Actor, bare: Media) -> None:
    record = add(sample, bare, is_public=True)
    with transaction() as session:
        session.get_one(sample.kind.table, record).name = "Moss"
        batch = batch_of(session)
    with transaction() as session:
        undo(session, actor, KINDS, batch)
    assert is_public(sample, record)


def test_a_description_is_saved_with_its_record_and_logged(sample: Sample, actor: Actor, bare: Media) -> None:
    record = add(sample, bare, is_public=True)
    name, before = sample.kind.picture_fields[0], content_version()
    typed = {
        f"{one}{ending}": text
        for one in sample.kind.picture_fields
        for ending, text in ((ALT, " Mei  at her desk "), (DECORATIVE, ""))
    }
    save(sample, actor, record, **typed)
    assert stored(bare) == ("Mei at her desk", False)
    assert content_version() > before
    with read_session() as session:
        acts = session.execute(sa.select(activity.act, activity.by_name, activity.subject)).all()
        form = sample.kind.get_stored(session, actor, record)
    assert ("picture_changed", "Wei Tan", "mei.jpg") in [tuple(one) for one in acts]
    assert form and form.texts[name + ALT] == "Mei at her desk"


def test_what_a_colleague_has_written_since_is_not_overwritten_unless_it_was_edited(
    sample: Sample, actor: Actor, bare: Media
) -> None:
    described(bare, alt="Mei at her desk")
    record = add(sample, bare, is_public=True)
    form = sent(sample, actor, record)
    described(bare, alt="Mei in the Raffles Place office")
    save(sample, actor, record, **form)
    assert stored(bare) == ("Mei in the Raffles Place office", False)
    name = sample.kind.picture_fields[0]
    save(sample, actor, record, **form | {name + ALT: "Mei, smiling"})
    assert stored(bare) == ("Mei, smiling", False)


def test_an_emptied_description_is_refused_for_visitors_and_kept_otherwise(
    sample: Sample, actor: Actor, bare: Media
) -> None:
    described(bare, alt="Mei at her desk")
    public, hidden = add(sample, bare, is_public=True), add(sample, bare, is_public=False)
    empty = {name + ALT: "" for name in sample.kind.picture_fields}
    with pytest.raises(InvalidInput) as refused:
        save(sample, actor, public, **empty)
    assert {*refused.value.fields.values()} == {media_texts.DESCRIBE}
    save(sample, actor, hidden, **empty)
    assert stored(bare) == ("Mei at her desk", False)


@pytest.mark.parametrize("typed", ["IMG_2041", "harbour.png", "Mei"])
@pytest.mark.parametrize("hidden", [True, False])
def test_the_name_of_a_file_is_no_description(
    sample: Sample, actor: Actor, bare: Media, typed: str, hidden: bool
) -> None:
    record = add(sample, bare, is_public=not hidden)
    name = sample.kind.picture_fields[0]
    others = {f"{one}{DECORATIVE}": "on" for one in sample.kind.picture_fields[1:]}
    with pytest.raises(InvalidInput) as refused:
        save(sample, actor, record, **{name + ALT: typed}, **others)
    assert refused.value.fields == {name + ALT: media_texts.NOT_A_FILE_NAME}
    assert stored(bare) == ("", False)


def test_only_who_manages_pictures_describes_one(
    sample: Sample, actor: Actor, bare: Media, monkeypatch: pytest.MonkeyPatch
) -> None:
    described(bare, alt="Mei at her desk")
    record = add(sample, bare, is_public=True)
    monkeypatch.setitem(permissions.POLICY, Action.MANAGE_MEDIA, permissions.ADMINS)
    with pytest.raises(Forbidden):
        save(sample, actor, record, **{sample.kind.picture_fields[0] + ALT: "Somebody"})
    with pytest.raises(Forbidden), read_session() as session:
        pictures.find_description(session, actor, address(bare))
    save(sample, actor, record, name="Moss")


def test_a_version_and_a_copy_are_shown_with_the_description_of_their_picture(
    sample: Sample, session: Session, actor: Actor
) -> None:
    picture = factories.add_picture(session, alt="Mei at her desk")
    record = sample.add(session, **with_picture(sample, picture))
    name = sample.kind.picture_fields[0]
    setattr(record, name, "")
    session.flush()
    version, _ = history.form_of_revision(session, actor, sample.kind, sample.wanted(record), 1)
    assert (version.texts[name + ALT], version.texts[name + STAMP]) == ("Mei at her desk", ":Mei at her desk")
    setattr(record, name, address(picture))
    session.flush()
    assert sample.kind.copied_form(session, actor, sample.wanted(record)).texts[name + ALT] == "Mei at her desk"
    assert sample.kind.blank_form().texts[name + ALT] == ""


def test_a_description_is_found_by_the_address_of_any_size(session: Session, actor: Actor) -> None:
    picture = factories.add_picture(session, alt="", is_decorative=True)
    for wanted in (address(picture), f"/media/{picture.key}-320.webp"):
        assert pictures.find_description(session, actor, wanted) == Description("", True)
    for other in ("", "/images/a.svg", f"https://elsewhere.example{address(picture)}", f"/media/{'f' * 32}-960.jpg"):
        assert pictures.find_description(session, actor, other) == Description()


def test_an_import_names_the_rows_whose_picture_has_no_description(session: Session, actor: Actor) -> None:
    bare, fine = factories.add_picture(session, alt=""), factories.add_picture(session)
    filled = factories.company_form() | {"slug": "", "name": ""}
    factories.add_company(session, **filled | {"slug": "public", "name": "Public", "logo_url": address(bare)})
    hidden = {"slug": "hidden", "name": "Hidden", "logo_url": address(bare), "status": "Inactive"}
    factories.add_company(session, **filled | hidden)
    factories.add_company(session, **filled | {"slug": "changed", "name": "Changed"})
    sheet = read_sheet(
        csv_bytes(
            ("Slug", "Tagline", "Status", "Logo"),
            ("public", "Only the tagline changes", "Active", address(bare)),
            ("hidden", "", "Active", address(bare)),
            ("changed", "", "Active", address(bare)),
            ("hidden", "", "Active", address(fine)),
        ),
        csv_plan.known_columns(COMPANIES),
    )
    rows = sheet.rows[:3]
    columns = csv_plan.match_columns(COMPANIES, sheet.head)
    stored = csv_import.read_stored(session, actor, COMPANIES, "slug", ["public", "hidden", "changed"])
    keys = csv_import.pictures_of(COMPANIES, sheet, columns, stored)
    assert keys == sorted([bare.key, fine.key])
    missing = csv_import.read_undescribed(session, actor, COMPANIES, keys)
    plan = csv_plan.make_plan(COMPANIES, sheet, columns, stored, missing)[: len(rows)]
    assert [row.kind.value for row in plan] == ["changed", "wrong", "wrong"]
    assert [one.label for row in plan for one in row.problems] == ["Logo", "Logo"]
    assert {one.sentence for row in plan for one in row.problems} == {media_texts.UNDESCRIBED_CELL}
    assert csv_import.carry_out(session, actor, COMPANIES, plan).changed == 1
