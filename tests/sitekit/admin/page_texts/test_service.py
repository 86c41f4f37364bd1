"""The texts that staff change: what is refused, what visitors read, what the lists show."""

from types import ModuleType

import pytest
import sqlalchemy as sa
from click.testing import CliRunner

from advisory_site.__main__ import main
from advisory_site.content import home
from advisory_site.dashboard.checks import CHECKS
from sitekit.admin.page_texts import service
from sitekit.admin.page_texts.models import columns
from sitekit.admin.page_texts.service import TEXTS, read_changed
from sitekit.admin.page_texts.state import _slug_of
from sitekit.admin.worklist import needs_attention
from sitekit.base.db.database import transaction
from sitekit.base.errors import Forbidden, InvalidInput
from sitekit.base.permissions import Actor, Role
from sitekit.base.text import one_line, text_name
from sitekit.ops import cli
from sitekit.ui.copy import ORIGINALS
from tests.support.changed_texts import change_text
from tests.support.cli import umask_kept
from tests.support.each import check_each
from tests.support.factories import add_actor

ORIGINAL = home.STATS_TITLE


@pytest.mark.spec("COPY-3")
def test_signs_are_set_as_for_records(database: ModuleType) -> None:
    with database.transaction() as session:
        change_text(session, ORIGINAL, "The firm's work, 2019-2026 ...")
    assert read_changed() == {ORIGINAL: "The firm’s work, 2019–2026 …"}


@pytest.mark.spec("COPY-5")
def test_a_change_that_is_not_used_is_not_shown(database: ModuleType) -> None:
    with database.transaction() as session:
        change_text(session, ORIGINAL, "The work in figures")
        change_text(session, str(home.STATS_SOURCE), "From our records", is_active=False)
    assert read_changed() == {ORIGINAL: "The work in figures"}


@pytest.mark.spec("COPY-2")
def test_an_address_that_names_no_text_opens_none(database: ModuleType) -> None:
    with database.transaction() as session:
        actor = add_actor(session)
        change_text(session, ORIGINAL, "The work in figures")
        number = session.execute(sa.select(columns.id)).scalar_one()
        assert _slug_of(session, actor, str(number)) == text_name(ORIGINAL)
        for typed in ("0", "-1", "9" * 10, "9" * 400, "9" * 4_400, "1.0", "1e3", "²", "x", "\x00", ""):
            assert _slug_of(session, actor, typed) == ""


@pytest.mark.spec("COPY-9")
def test_the_change_of_a_text_that_the_site_no_longer_has_is_not_shown(database: ModuleType) -> None:
    with database.transaction() as session:
        change_text(session, "The work of last year in numbers", "The work in figures")
    assert read_changed() == {}


@pytest.mark.spec("COPY-10")
def test_the_command_prints_every_text_with_its_change(database: ModuleType) -> None:
    with database.transaction() as session:
        change_text(session, ORIGINAL, "The work in figures")
        change_text(session, str(home.STATS_SOURCE), "From our records", is_active=False)
        change_text(session, "The work of last year", "The work of 2025")
    with umask_kept():
        printed = CliRunner().invoke(cli.main, ["texts"], **main.keywords).output
    assert f"\n{ORIGINAL}\n  now: The work in figures\n" in printed
    assert f"\n{home.STATS_SOURCE}\n  not used: From our records\n" in printed
    assert f"\n{home.HERO.text}\n" in printed
    assert printed.endswith("\nNo longer on the site:\nThe work of last year\n  now: The work of 2025\n")


@pytest.fixture
def editor(database: ModuleType) -> Actor:
    """A manager, with a row for each text."""
    with database.transaction() as session:
        service.add_missing(session)
        return add_actor(session, Role.MANAGER, first_name="Mei", last_name="Lim")


def save(actor: Actor, text: str, original: str = ORIGINAL) -> None:
    """Change a text as the form does."""
    with transaction() as session:
        row = session.execute(sa.select(columns.id, columns.version).where(columns.name == original)).one()
        data = TEXTS.data_class.read({"name": original, "text": text, "is_active": "on"})
        TEXTS.update(session, actor, row.id, data, row.version)


def refusal(actor: Actor, text: str, original: str = ORIGINAL) -> dict[str, str]:
    with pytest.raises(InvalidInput) as refused:
        save(actor, text, original)
    return dict(refused.value.fields)


@pytest.mark.spec("COPY-3")
def test_characters_that_a_page_cannot_show_are_refused(editor: Actor) -> None:
    def check(character: str) -> None:
        assert refusal(editor, f"The work{character} in figures") == {
            "text": "This text has a character that pages cannot show. Please type it again without it."
        }
        assert read_changed() == {}

    check_each(["\x00", "\x1b", "\x7f", "\x85", "\ud800", "\ue000", "\uf8ff"], check)


@pytest.mark.spec("COPY-3")
@pytest.mark.parametrize("text", ["", "  \n", "\u200b\u200d"])
def test_a_text_cannot_be_empty(editor: Actor, text: str) -> None:
    assert refusal(editor, text) == {"text": "A text cannot be empty. Use the original instead."}


@pytest.mark.spec("COPY-3")
def test_a_text_is_at_most_half_as_long_again_and_40_characters(editor: Actor) -> None:
    most = len(ORIGINAL) * 3 // 2 + 40
    assert refusal(editor, "x" * (most + 1)) == {"text": f"Please shorten this to {most} characters or fewer."}
    save(editor, "x" * most)
    assert read_changed() == {ORIGINAL: "x" * most}


@pytest.mark.spec("COPY-3")
@pytest.mark.parametrize("text", ["</script><b>", "__proto__", "\U0001f469\u200d\U0001f680", "\u4e2d\u6587"])
def test_any_other_text_is_shown_as_it_was_typed(editor: Actor, text: str) -> None:
    save(editor, f" {text}\nin figures ")
    assert read_changed() == {ORIGINAL: f"{text} in figures"}


@pytest.mark.spec("COPY-7", "COPY-10")
def test_only_a_text_of_the_site_is_added_and_only_once(editor: Actor) -> None:
    def check(original: str) -> None:
        data = TEXTS.data_class.read({"name": original, "text": "Another text", "is_active": "on"})
        with pytest.raises(InvalidInput) as refused, transaction() as session:
            TEXTS.create(session, editor, data)
        assert refused.value.fields == {"name": "No page has this text, or it is already in the list of changes."}

    check_each(["Privacy Policy of the firm", "__proto__", "", ORIGINAL], check)


@pytest.mark.spec("COPY-10")
def test_the_original_of_a_change_stays(editor: Actor) -> None:
    with transaction() as session:
        row = session.execute(sa.select(columns.id, columns.version).where(columns.name == ORIGINAL)).one()
        data = TEXTS.data_class.read({"name": str(home.STATS_SOURCE), "text": "Text", "is_active": "on"})
        with pytest.raises(InvalidInput) as refused:
            TEXTS.update(session, editor, row.id, data, row.version)
    assert refused.value.fields == {"name": "An original cannot be changed."}


@pytest.mark.spec("COPY-1", "ROLE-4")
def test_employees_read_texts_and_do_not_change_them(editor: Actor) -> None:
    employee = Actor(editor.user_id, Role.EMPLOYEE)
    with pytest.raises(Forbidden):
        save(employee, "The work in figures")
    with transaction() as session:
        assert service.list_texts(session, employee, [ORIGINAL])[ORIGINAL].shown == ORIGINAL


@pytest.mark.spec("COPY-1")
def test_a_page_has_the_number_of_its_changed_texts_and_the_last_change(editor: Actor) -> None:
    pages = {"/": [ORIGINAL, str(home.STATS_SOURCE)], "/why-us": ["Another text of the site"]}
    with transaction() as session:
        other = add_actor(session, Role.MANAGER, first_name="Bo")
    save(other, "The work in figures")
    save(editor, str(home.STATS_SOURCE), str(home.STATS_SOURCE))  # as it was
    with transaction() as session:
        changes = service.last_changes(session, editor, pages)
    assert (changes["/"].count, changes["/"].name, bool(changes["/"].at)) == (1, "Mei Lim", True)
    assert changes["/why-us"] == service.LastChange()


@pytest.mark.spec("COPY-9")
def test_changes_of_texts_that_are_gone_are_listed_and_on_the_dashboard(editor: Actor) -> None:
    with transaction() as session:
        change_text(session, "The work of last year in numbers", "The work in figures")
        change_text(session, "The work of all years in numbers", "Not used", is_active=False)
        change_text(session, ORIGINAL, "The work, counted")
    with transaction() as session:
        gone = service.list_gone(session, editor)
        items = needs_attention(session, editor, CHECKS)
    assert [(row.name, row.text) for row in gone] == [("The work of last year in numbers", "The work in figures")]
    found = {item.text: (item.count, item.href) for item in items}
    assert found["changed text is no longer on the site"] == (1, "/admin/texts")


@pytest.mark.spec("COPY-1")
def test_rows_are_added_once_and_count_as_unchanged(editor: Actor) -> None:
    with transaction() as session:
        assert not service.has_missing(session)
        service.add_missing(session)
        assert session.execute(sa.select(sa.func.count(columns.id))).scalar() == len(ORIGINALS)
    assert read_changed() == {}


def test_originals_are_as_a_form_sends_them() -> None:
    assert {one_line(original) for original in ORIGINALS} == ORIGINALS
    assert len({text_name(original) for original in ORIGINALS}) == len(ORIGINALS)
