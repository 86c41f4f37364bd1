"""CSV files are read as people make them, compared with the records, and imported as a whole or not at all."""

import codecs
import json
from itertools import product
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.advisors.service import ADVISORS, ADVISORS_CSV
from advisory_site.companies.models import Company
from advisory_site.companies.models import columns as company_columns
from advisory_site.companies.service import COMPANIES, COMPANIES_CSV
from advisory_site.seed import seed
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS, MEMBERS_CSV
from sitekit.base import messages
from sitekit.base.errors import Conflict, Forbidden, InvalidInput
from sitekit.base.permissions import Actor
from sitekit.records import csv_import, csv_plan
from sitekit.records import csv_texts as texts
from sitekit.records.batch import read_records
from sitekit.records.csv_file import MOST_MEGABYTES, MOST_ROWS, read_sheet
from sitekit.records.csv_import import Imported
from sitekit.records.csv_plan import PlannedRow, RowCategory, known_columns, match_columns
from sitekit.records.history import list_revisions
from tests.support.csv_files import csv_bytes, exported
from tests.support.each import check_each
from tests.support.factories import add_advisor, add_company, add_member

pytestmark = pytest.mark.spec("LIST-7")

HEAD = ("Name", "Slug", "Industry", "Founded", "Employees", "Location", "Description")
KELP = ("Kelp", "kelp", "Aquaculture", "2019", "11-50", "Singapore", "Farms kelp.")
REQUIRED = {"industry": "i", "founded": "2019", "employees": "40", "location": "l", "description": "d"}


def plan_of(session: Session, actor: Actor, content: bytes, record_type: Any = COMPANIES) -> list[PlannedRow]:
    sheet = read_sheet(content, known_columns(record_type))
    columns = match_columns(record_type, sheet.head)
    ids, slugs = csv_import.keys_of(record_type, sheet, columns)
    stored = csv_import.read_stored(session, actor, record_type, "id", ids)
    stored += csv_import.read_stored(session, actor, record_type, "slug", slugs)
    named = csv_import.references_of(record_type, sheet, columns)
    known = {
        name: csv_import.read_existing_slugs(session, actor, record_type, name, slugs) for name, slugs in named.items()
    }
    return csv_plan.make_plan(record_type, sheet, columns, stored, existing_slugs=known)


def categories(plan: list[PlannedRow]) -> list[str]:
    return [row.category.value for row in plan]


def said(row: PlannedRow) -> list[tuple[str, str]]:
    return [(one.label, one.sentence) for one in row.problems]


def bring_in(session: Session, actor: Actor, content: bytes, record_type: Any = COMPANIES) -> Imported:
    return carry_out(session, actor, plan_of(session, actor, content, record_type), record_type)


def carry_out(session: Session, actor: Actor, plan: list[PlannedRow], record_type: Any = COMPANIES) -> Imported:
    records = read_records(session, actor, record_type, [row.record for row in plan if row.record])
    return csv_import.carry_out(session, actor, record_type, csv_import.prepare(record_type, plan, records))


@pytest.mark.spec("LIST-6")
@pytest.mark.parametrize(
    ("record_type", "listed"), [(COMPANIES, COMPANIES_CSV), (MEMBERS, MEMBERS_CSV), (ADVISORS, ADVISORS_CSV)]
)
def test_importing_an_export_changes_nothing(session: Session, actor: Actor, record_type: Any, listed: Any) -> None:
    seed(session)
    add_company(
        session, name="=1+1", tagline="'=2", description='-a\n;=b, "c"', services=["one, two"], founded="c. 1990"
    )
    add_member(session, name="@Ann", linkedin_url=None, expertise="old, text")
    add_advisor(session, experience=[{"role": "Chair", "achievements": ["x"]}], stats="odd")
    content = ("\ufeff" + csv_bytes(*exported(session, actor, listed)).decode()).encode()
    plan = plan_of(session, actor, content, record_type)
    assert set(categories(plan)) == {"same"} and len(plan) > 1


def test_rows_are_planned_as_new_changed_unchanged_or_wrong(session: Session, actor: Actor) -> None:
    add_company(session, slug="same", name="Same", **REQUIRED)
    add_company(session, slug="other", name="Other", tagline="Before", **REQUIRED)
    content = csv_bytes(
        ("Slug", "Name", "tagline", "Founded"),
        ("same", "Same", "", "2019"),
        ("other", "Other", "After", "2019"),
        ("brand-new", "New", "", "2019"),
        ("same-2", "", "", "abc"),
    )
    plan = plan_of(session, actor, content)
    assert categories(plan) == ["same", "changed", "wrong", "wrong"]
    assert [(one.label, one.old, one.new) for one in plan[1].differences] == [("Tagline", "Before", "After")]
    assert ("Industry", messages.FIELD_REQUIRED) in said(plan[2])
    assert ("Founded", messages.YEAR_INVALID) in said(plan[3]) and ("Name", messages.FIELD_REQUIRED) in said(plan[3])


def test_a_missing_column_is_kept_and_an_empty_cell_clears_its_field(session: Session, actor: Actor) -> None:
    company = add_company(session, slug="kelp", name="Kelp", tagline="Kept", phone="+65 1", **REQUIRED)
    bring_in(session, actor, csv_bytes(("Slug", "Phone"), ("kelp", "")))
    assert (company.tagline, company.phone, company.version) == ("Kept", "", 2)


def test_a_stored_invalid_value_may_stay_but_not_be_imported_anew(session: Session, actor: Actor) -> None:
    add_company(session, slug="old", name="Old", **(REQUIRED | {"founded": "c. 1990"}))
    rows = [("old", "c. 1990", "New tagline"), ("old", "c. 1991", "")]
    for row, category in zip(rows, ("changed", "wrong"), strict=True):
        assert categories(plan_of(session, actor, csv_bytes(("Slug", "Founded", "Tagline"), row))) == [category]


@pytest.mark.spec("PUB-1")
def test_references_to_other_records_are_checked(session: Session, actor: Actor) -> None:
    add_member(session, slug="mei", name="Mei")
    add_company(session, slug="kelp", partner="long-gone", **REQUIRED)
    plan = plan_of(session, actor, csv_bytes(("Slug", "Partner", "Tagline"), ("kelp", "long-gone", "Farms kelp")))
    assert categories(plan) == ["changed"]
    (row,) = plan_of(session, actor, csv_bytes(("Slug", "Partner"), ("kelp", "nobody")))
    assert said(row) == [("Partner", messages.REFERENCE_UNKNOWN)]
    assert bring_in(session, actor, csv_bytes(("Slug", "Partner"), ("kelp", "mei"))) == Imported(0, 1)
    assert session.execute(sa.select(company_columns.partner)).scalar_one() == "mei"


def test_rows_are_matched_by_id_before_slug(session: Session, actor: Actor) -> None:
    company = add_company(session, slug="old-slug", name="Kelp", **REQUIRED)
    assert bring_in(session, actor, csv_bytes(("ID", "Slug"), (str(company.id), "new-slug"))) == Imported(0, 1)
    assert company.slug == "new-slug"


@pytest.mark.parametrize(("wanted", "sentence"), [("999", texts.ID_UNKNOWN), ("abc", texts.ID_UNREADABLE)])
def test_an_unknown_id_is_an_error(session: Session, actor: Actor, wanted: str, sentence: str) -> None:
    (row,) = plan_of(session, actor, csv_bytes(("ID", *HEAD), (wanted, *KELP)))
    assert said(row) == [("ID", sentence)]


def test_a_slug_used_by_a_record_or_another_row_is_refused(session: Session, actor: Actor) -> None:
    one, other = (add_company(session, name=name, slug=name.lower(), **REQUIRED) for name in ("One", "Other"))
    (row,) = plan_of(session, actor, csv_bytes(("ID", "Slug"), (str(one.id), "other")))
    assert said(row) == [("Page address", messages.SLUG_TAKEN)]
    plan = plan_of(session, actor, csv_bytes(HEAD, KELP, KELP, ("", *KELP[1:]), (), KELP))
    assert [row.number for row in plan] == [2, 3, 4, 6]
    assert [said(row) for row in plan] == [
        [],
        [("Page address", "Row 2 has the same page address.")],
        [("Name", messages.FIELD_REQUIRED)],
        [("Page address", "Row 2 has the same page address.")],
    ]
    plan = plan_of(session, actor, csv_bytes(("ID", "Slug"), (str(other.id), "other"), ("", "other")))
    assert said(plan[1]) == [("Page address", "Row 2 is about the same record.")]


def test_a_new_row_without_a_slug_gets_one_from_its_name(session: Session, actor: Actor) -> None:
    add_company(session, name="One", slug="one", **REQUIRED)
    assert bring_in(session, actor, csv_bytes(HEAD, ("Two Reefs", "", *KELP[2:]))) == Imported(1, 0)
    assert session.execute(sa.select(company_columns.slug)).scalars().all() == ["one", "two-reefs"]
    (row,) = plan_of(session, actor, csv_bytes(HEAD, ("One", "", *KELP[2:])))
    assert said(row) == [("Page address", messages.SLUG_TAKEN)]


def test_a_team_member_is_matched_by_slug_but_the_slug_cannot_be_changed(session: Session, actor: Actor) -> None:
    member = add_member(session, name="Mei Lin", slug="mei-lin", designation="a", email="a@b.example", bio="b")
    member.detailed_bio, member.image_url = "c", "/images/a.svg"
    session.flush()
    assert bring_in(session, actor, csv_bytes(("slug", "Designation"), ("mei-lin", "Chair")), MEMBERS).changed == 1
    (row,) = plan_of(session, actor, csv_bytes(("id", "slug"), (str(member.id), "other")), MEMBERS)
    assert said(row) == [("Page address", texts.SLUG_FIXED)]
    new = csv_bytes(
        ("slug", "Name", "Designation", "Email", "Image URL", "Bio", "Detailed bio"),
        ("anything", "Mei Lin", "Partner", "mei@firm.example", "/images/a.svg", "b", "c"),
    )
    assert bring_in(session, actor, new, MEMBERS).new == 1
    slugs = session.execute(sa.select(TeamMember.slug).order_by(TeamMember.id)).scalars().all()  # type: ignore[call-overload]
    assert slugs == ["mei-lin", "mei-lin-2"]


def test_more_cells_than_columns_are_reported_except_trailing_empty_ones(session: Session, actor: Actor) -> None:
    plan = plan_of(session, actor, csv_bytes(HEAD, (*KELP, "x"), (*KELP, "", " ")))
    assert categories(plan) == ["wrong", "new"]
    assert said(plan[0]) == [("", texts.CELL_COUNT.format(cells=8, columns=7))]


def test_cells_that_are_missing_at_the_end_of_a_row_are_empty(session: Session, actor: Actor) -> None:
    """Programs leave them out: all of them, all but one, or all after the first cell."""
    for slug in ("kelp", "same", "bare"):
        add_company(session, slug=slug, name=slug, phone="+65 1" if slug == "kelp" else "", **REQUIRED)
    content = csv_bytes(
        ("Slug", "Tagline", "Phone", "Website"), ("kelp", ""), ("same",), ("bare", "", ""), ("brand-new",), ("kelp-2",)
    )
    plan = plan_of(session, actor, content)
    assert categories(plan) == ["changed", "same", "same", "wrong", "wrong"]
    assert [(one.label, one.old, one.new) for one in plan[0].differences] == [("Phone", "+65 1", "")]
    assert all(texts.CELL_COUNT[:8] not in sentence for row in plan for _, sentence in said(row))


@pytest.mark.parametrize("cell", ["3.0", " 3 ", "3.00", "\u00a03", "+3", "03"])
def test_a_whole_number_is_read_as_spreadsheet_programs_write_it(session: Session, actor: Actor, cell: str) -> None:
    texts_of = dict.fromkeys(("designation", "bio", "detailed_bio"), "x") | {
        "email": "m@firm.example",
        "image_url": "/a",
    }
    add_member(session, slug="mei-lin", name="Mei Lin", display_order=3, **texts_of)
    (row,) = plan_of(session, actor, csv_bytes(("Slug", "Display order"), ("mei-lin", cell)), MEMBERS)
    assert (row.category, said(row)) == ("same", [])


@pytest.mark.parametrize("cell", ["1,5", "#3", "2 000", "1.5", "2.000", "1E+01", "third", "9999999999"])
def test_an_order_that_is_no_whole_number_is_a_wrong_cell(session: Session, actor: Actor, cell: str) -> None:
    add_member(session, slug="mei-lin", name="Mei Lin", display_order=3)
    (row,) = plan_of(session, actor, csv_bytes(("Slug", "Display order"), ("mei-lin", cell)), MEMBERS)
    assert said(row) == [("Display order", texts.ORDER_UNREADABLE)]


def test_groups_are_read_from_json_and_errors_name_the_entry(session: Session, actor: Actor) -> None:
    founders = json.dumps([{"name": "Mei", "title": "CEO"}, {"name": "x" * 20_001}])
    plan = plan_of(session, actor, csv_bytes((*HEAD, "Founders"), (*KELP, founders), (*KELP, "Mei")))
    assert said(plan[0]) == [
        ("Founders, Founder 2, Founder’s name", "Please shorten this to 20,000 characters or fewer.")
    ]
    assert said(plan[1])[0][0] == "Founders"
    bring_in(session, actor, csv_bytes((*HEAD, "Founders"), (*KELP, '[{"name": "Mei"}]')))
    (stored,) = session.execute(sa.select(company_columns.founders)).scalars()
    assert stored == [{"name": "Mei", "title": "", "bio": ""}]


def test_every_usual_encoding_and_delimiter_is_read(session: Session, actor: Actor) -> None:
    def check(case: tuple[str, str]) -> None:
        encoding, delimiter = case
        row = ("Café – Kelp", "cafe", "a, b; c", *KELP[3:])
        content = csv_bytes(HEAD, row, delimiter=delimiter, encoding=encoding)
        assert read_sheet(content).is_guessed is (encoding == "cp1252")
        (planned,) = plan_of(session, actor, content)
        assert (planned.category, planned.name, planned.inputs["industry"]) == (
            RowCategory.NEW,
            "Café – Kelp",
            "a, b; c",
        )

    check_each(product(["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"], [",", ";", "\t", "|"]), check)


@pytest.mark.parametrize("mark", [codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE, codecs.BOM_UTF8 * 2])
def test_every_byte_order_mark_is_read(mark: bytes) -> None:
    encoding = {codecs.BOM_UTF16_BE: "utf-16-be", codecs.BOM_UTF32_BE: "utf-32-be"}.get(mark, "utf-8")
    assert read_sheet(mark + "ID,Name\r\n,Café\r\n".encode(encoding)).head == ("ID", "Name")


def test_a_line_that_announces_the_delimiter_is_no_row() -> None:
    def check(case: tuple[str, str]) -> None:
        first, delimiter = case
        head, row = ("ID", "Firma", "Name"), ("", "x", "a, b; c")
        sheet = read_sheet(first.encode() + csv_bytes(head, row, delimiter=delimiter))
        assert (sheet.head, [row.cells for row in sheet.rows]) == (head, [row])

    cases = [
        ("sep=;\r\n", ";"),
        ("sep=,\n", ","),
        ("SEP=\t\r\n", "\t"),
        ("sep=|\r", "|"),
        ("sep=^\r\n", "^"),
        ('"sep=;"\r\n', ";"),
        ("\ufeffsep=;\r\n", ";"),
        ('\ufeff"sep=,"\r\n', ","),
        ("sep=;;;\r\n", ";"),
        ("sep=;,,\r\n", ","),
        ('"sep=;",,\r\n', ","),
        ("\r\nsep=;\r\n\r\n", ";"),
    ]
    check_each(cases, check)


def test_an_announced_delimiter_is_used_for_unknown_columns_too() -> None:
    assert read_sheet(b"sep=;\r\na, b;c, d;e\r\n1;2, 3;4\r\n").head == ("a, b", "c, d", "e")


def test_a_title_above_the_column_names_has_a_message_of_its_own() -> None:
    def check(case: tuple[str, str]) -> None:
        above, delimiter = case
        content = above.replace(",", delimiter).encode() + csv_bytes(HEAD, KELP, ("", "kelp"), delimiter=delimiter)
        with pytest.raises(InvalidInput, match=texts.FILE_TITLED):
            read_sheet(content, known_columns(COMPANIES))

    check_each(
        product(
            [
                "Table 1\r\n",
                "Portfolio list November,,,,,,\r\n",
                "Portfolio,November,2026\r\n",
                "Portfolio\r\n\r\nof 27 November\r\n",
                "Description\r\n",
                "sep=,\r\nTable 1\r\n",
            ],
            [",", ";"],
        ),
        check,
    )


def test_column_names_that_are_all_unknown_can_be_matched_by_hand() -> None:
    content = csv_bytes(("Firma", "Branche"), ("Name", "Food"), ("Kelp",))
    assert read_sheet(content, known_columns(COMPANIES)).head == ("Firma", "Branche")


def test_a_title_is_told_from_unknown_column_names_by_its_length() -> None:
    with pytest.raises(InvalidInput, match=texts.FILE_TITLED):
        read_sheet(csv_bytes(("Table 1",), ("Firma", "Branche"), ("Kelp", "Food")), known_columns(COMPANIES))


@pytest.mark.parametrize("end", [b"\x1a", b"\r\n\x1a", b"\r\n\x1a\x1a\r\n", b"\r\n\r\n\x1a\r\n"])
def test_the_mark_of_the_end_of_a_text_is_no_row(end: bytes) -> None:
    assert [row.cells for row in read_sheet(b"Name,Slug\r\nKelp,kelp" + end).rows] == [("Kelp", "kelp")]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_spaces_before_a_quotation_mark_are_not_part_of_a_cell(delimiter: str) -> None:
    lines = [("ID", "Name", "Slug"), ("1", '"a, ""b""; c\nd"', '"kelp"'), ('"2"', '"e | f"', "g")]
    content = "\r\n".join(f"  {(delimiter + '  ').join(cells)}" for cells in lines).encode()
    sheet = read_sheet(content, known_columns(COMPANIES))
    assert [row.cells for row in sheet.rows] == [("1", 'a, "b"; c\nd', "kelp"), ("2", "e | f", "g")]


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_every_line_ending_is_read(line_end: str) -> None:
    sheet = read_sheet(f'Name,Slug{line_end}"a{line_end}b",c{line_end}{line_end}d,e'.encode())
    assert [(row.number, row.cells[1]) for row in sheet.rows] == [(2, "c"), (4, "e")]


def test_a_file_that_cannot_be_imported_says_why() -> None:
    def check(case: tuple[bytes, str]) -> None:
        content, sentence = case
        with pytest.raises(InvalidInput) as refused:
            read_sheet(content)
        assert refused.value.message == sentence

    cases: list[tuple[bytes, str]] = [
        (b"", texts.FILE_EMPTY),
        (b"Name,Slug\n\n,\n", texts.FILE_EMPTY),
        (b"PK\x03\x04rest", texts.FILE_WORKBOOK),
        (b"%PDF-1.4\x00\x01\x02", texts.FILE_NO_TEXT),
        (b"\x81\x8d\x8f", texts.FILE_NO_TEXT),
        (b"\xff\xfea", texts.FILE_NO_TEXT),
        (b"\xff\xfe\0\0a", texts.FILE_NO_TEXT),
        (b"\xff\xfeN\0\0\0", texts.FILE_NO_TEXT),
        ("表,ー\n".encode("shift-jis"), texts.FILE_NO_TEXT),
        (b'Name,Slug\na,b\n"c,d\n', "Row 3 cannot be read: its quotation marks do not match."),
        (b'Name,Slug\n"a"b,c\n', "Row 2 cannot be read: its quotation marks do not match."),
        (b"Name\n" + b"x" * 200_000, "Row 2 cannot be read: a cell is too long."),
        (b"Name\n" + b"x\n" * 5_001, texts.FILE_TOO_LONG),
        (b"Name\n" + b"\n" * 2_000_000 + b"x", texts.FILE_TOO_LONG),
        (b"a," * 300 + b"a\n1\n", "This file has more than 200 columns."),
    ]
    check_each(cases, check)


def test_each_field_is_matched_to_one_column_by_label_or_name() -> None:
    head = ("Website", "page address", "DETAILED_BIO", "detailed_description", "Website URL", "website_url", "Colour")
    assert match_columns(COMPANIES, head) == ["website_url", "slug", "", "detailed_description", "", "", ""]
    with pytest.raises(InvalidInput, match="Two columns are imported as Website"):
        csv_plan.check_columns(COMPANIES, ["website_url", "", "website_url"])


def test_everything_is_imported_or_nothing(session: Session, actor: Actor) -> None:
    mine = add_company(session, slug="mine", name="Mine", **REQUIRED)
    plan = plan_of(session, actor, csv_bytes(HEAD, KELP, ("Mine", "mine", "Changed", *KELP[3:])))
    mine.tagline = "Saved by a colleague"
    session.flush()
    with pytest.raises(Conflict, match=r"because these records were saved or deleted since: Mine\."):
        carry_out(session, actor, plan)
    assert session.execute(sa.select(sa.func.count()).select_from(Company)).scalar_one() == 1


def test_a_slug_taken_since_the_plan_refuses_the_whole_import(session: Session, actor: Actor) -> None:
    plan = plan_of(session, actor, csv_bytes(HEAD, ("Reef", "reef", *KELP[2:]), KELP))
    add_company(session, slug="kelp", **REQUIRED)
    with pytest.raises(InvalidInput) as refused:
        carry_out(session, actor, plan)
    assert refused.value.message == f"Nothing was imported. Row 3 (Kelp): {messages.SLUG_TAKEN}"


@pytest.mark.spec("HIST-1")
def test_only_planned_rows_are_imported_with_revisions_marked_as_import(session: Session, actor: Actor) -> None:
    company = add_company(session, slug="kelp", name="Kelp", services=["a"], **REQUIRED)
    same = add_company(session, slug="same", name="Same", **REQUIRED)
    rows = (("kelp", "b, c", "Kelp"), ("same", "", "Same"), ("wrong", "", ""))
    assert bring_in(session, actor, csv_bytes(("Slug", "Services", "Name"), *rows)) == Imported(0, 1)
    newest, *_ = list_revisions(session, actor, COMPANIES, company.id)
    assert (newest.via, newest.action, newest.changed) == ("import", "saved", ("services",))
    assert (company.services, company.updated_by, same.version) == (["b", "c"], actor.user_id, 1)


@pytest.mark.spec("ROLE-4")
def test_a_visitor_can_read_and_import_nothing(session: Session) -> None:
    with pytest.raises(Forbidden):
        csv_import.read_stored(session, None, COMPANIES, "id", [1])  # type: ignore[arg-type]
    with pytest.raises(Forbidden):
        csv_import.carry_out(session, None, COMPANIES, csv_import.PreparedImport([], []))  # type: ignore[arg-type]


def test_messages_state_the_limits_in_force() -> None:
    assert f"{MOST_MEGABYTES} MB" in texts.FILE_LIMITS and f"{MOST_MEGABYTES} MB" in texts.FILE_TOO_LARGE
    assert f"{MOST_ROWS:,} rows" in texts.FILE_LIMITS and f"{MOST_ROWS:,} rows" in texts.FILE_TOO_LONG
