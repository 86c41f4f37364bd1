"""CSV files are read as people make them, compared with the records, and imported as a whole or not at all."""

import json
from typing import Any

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from advisory_site.advisors.service import ADVISORS, ADVISORS_CSV
from advisory_site.companies.models import Company
from advisory_site.companies.models import columns as company_columns
from advisory_site.companies.service import COMPANIES, COMPANIES_CSV
from advisory_site.content import csv_texts as words
from advisory_site.content import messages
from advisory_site.core.errors import Conflict, Forbidden, InvalidInput
from advisory_site.core.permissions import Actor
from advisory_site.records import csv_import, csv_plan
from advisory_site.records.csv_file import MOST_MEGABYTES, MOST_ROWS, read_sheet
from advisory_site.records.csv_import import Imported
from advisory_site.records.csv_plan import PlannedRow, RowKind, known_columns, match_columns
from advisory_site.records.history import list_revisions
from advisory_site.seed import seed
from advisory_site.team.models import TeamMember
from advisory_site.team.service import MEMBERS, MEMBERS_CSV
from tests.support.csv_files import csv_bytes, exported
from tests.support.factories import add_advisor, add_company, add_member

pytestmark = pytest.mark.spec("LIST-7")

HEAD = ("Name", "Slug", "Industry", "Founded", "Employees", "Location", "Description")
KELP = ("Kelp", "kelp", "Aquaculture", "2019", "11-50", "Singapore", "Farms kelp.")
REQUIRED = {"industry": "i", "founded": "2019", "employees": "40", "location": "l", "description": "d"}


def plan_of(session: Session, actor: Actor, content: bytes, kind: Any = COMPANIES) -> list[PlannedRow]:
    sheet = read_sheet(content, known_columns(kind))
    columns = match_columns(kind, sheet.head)
    ids, slugs = csv_import.keys_of(sheet, columns)
    stored = csv_import.read_stored(session, actor, kind, "id", ids)
    stored += csv_import.read_stored(session, actor, kind, "slug", slugs)
    named = csv_import.references_of(kind, sheet, columns)
    known = {name: csv_import.read_known(session, actor, kind, name, slugs) for name, slugs in named.items()}
    return csv_plan.make_plan(kind, sheet, columns, stored, known=known)


def kinds(plan: list[PlannedRow]) -> list[str]:
    return [row.kind.value for row in plan]


def said(row: PlannedRow) -> list[tuple[str, str]]:
    return [(one.label, one.sentence) for one in row.problems]


def bring_in(session: Session, actor: Actor, content: bytes, kind: Any = COMPANIES) -> Imported:
    return csv_import.carry_out(session, actor, kind, plan_of(session, actor, content, kind))


@pytest.mark.spec("LIST-6")
@pytest.mark.parametrize(
    ("kind", "listed"), [(COMPANIES, COMPANIES_CSV), (MEMBERS, MEMBERS_CSV), (ADVISORS, ADVISORS_CSV)]
)
def test_importing_an_export_changes_nothing(session: Session, actor: Actor, kind: Any, listed: Any) -> None:
    seed(session)
    add_company(
        session, name="=1+1", tagline="'=2", description='-a\n;=b, "c"', services=["one, two"], founded="c. 1990"
    )
    add_member(session, name="@Ann", linkedin_url=None, expertise="old, text")
    add_advisor(session, experience=[{"role": "Chair", "achievements": ["x"]}], stats="odd")
    content = ("\ufeff" + csv_bytes(*exported(session, actor, listed)).decode()).encode()
    plan = plan_of(session, actor, content, kind)
    assert set(kinds(plan)) == {"same"} and len(plan) > 1


def test_rows_are_new_changed_unchanged_or_wrong(session: Session, actor: Actor) -> None:
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
    assert kinds(plan) == ["same", "changed", "wrong", "wrong"]
    assert [(one.label, one.old, one.new) for one in plan[1].differences] == [("Tagline", "Before", "After")]
    assert ("Industry", messages.FIELD_REQUIRED) in said(plan[2])
    assert ("Founded", messages.YEAR_INVALID) in said(plan[3]) and ("Name", messages.FIELD_REQUIRED) in said(plan[3])


def test_an_absent_column_stays_and_an_empty_cell_empties(session: Session, actor: Actor) -> None:
    company = add_company(session, slug="kelp", name="Kelp", tagline="Kept", phone="+65 1", **REQUIRED)
    bring_in(session, actor, csv_bytes(("Slug", "Phone"), ("kelp", "")))
    assert (company.tagline, company.phone, company.version) == ("Kept", "", 2)


def test_an_old_value_that_a_newer_rule_refuses_may_stay_but_not_be_typed(session: Session, actor: Actor) -> None:
    add_company(session, slug="old", name="Old", **(REQUIRED | {"founded": "c. 1990"}))
    rows = [("old", "c. 1990", "New tagline"), ("old", "c. 1991", "")]
    for row, kind in zip(rows, ("changed", "wrong"), strict=True):
        assert kinds(plan_of(session, actor, csv_bytes(("Slug", "Founded", "Tagline"), row))) == [kind]


@pytest.mark.spec("PUB-1")
def test_a_cell_that_names_a_record_of_another_type_is_checked(session: Session, actor: Actor) -> None:
    add_member(session, slug="mei", name="Mei")
    add_company(session, slug="kelp", partner="long-gone", **REQUIRED)
    plan = plan_of(session, actor, csv_bytes(("Slug", "Partner", "Tagline"), ("kelp", "long-gone", "Farms kelp")))
    assert kinds(plan) == ["changed"]
    (row,) = plan_of(session, actor, csv_bytes(("Slug", "Partner"), ("kelp", "nobody")))
    assert said(row) == [("Partner", messages.REFERENCE_UNKNOWN)]
    assert bring_in(session, actor, csv_bytes(("Slug", "Partner"), ("kelp", "mei"))) == Imported(0, 1)
    assert session.execute(sa.select(company_columns.partner)).scalar_one() == "mei"


def test_the_id_counts_before_the_slug_and_may_change_it(session: Session, actor: Actor) -> None:
    company = add_company(session, slug="old-slug", name="Kelp", **REQUIRED)
    assert bring_in(session, actor, csv_bytes(("ID", "Slug"), (str(company.id), "new-slug"))) == Imported(0, 1)
    assert company.slug == "new-slug"


@pytest.mark.parametrize(("wanted", "sentence"), [("999", words.ID_UNKNOWN), ("abc", words.ID_UNREADABLE)])
def test_an_id_that_no_record_has_is_wrong(session: Session, actor: Actor, wanted: str, sentence: str) -> None:
    (row,) = plan_of(session, actor, csv_bytes(("ID", *HEAD), (wanted, *KELP)))
    assert said(row) == [("ID", sentence)]


def test_a_slug_is_taken_by_a_record_or_by_another_row(session: Session, actor: Actor) -> None:
    one, other = (add_company(session, name=name, slug=name.lower(), **REQUIRED) for name in ("One", "Other"))
    (row,) = plan_of(session, actor, csv_bytes(("ID", "Slug"), (str(one.id), "other")))
    assert said(row) == [("Slug", messages.SLUG_TAKEN)]
    plan = plan_of(session, actor, csv_bytes(HEAD, KELP, KELP, ("", *KELP[1:]), (), KELP))
    assert [row.number for row in plan] == [2, 3, 4, 6]
    assert [said(row) for row in plan] == [
        [],
        [("Slug", "Row 2 has the same slug.")],
        [("Name", messages.FIELD_REQUIRED)],
        [("Slug", "Row 2 has the same slug.")],
    ]
    plan = plan_of(session, actor, csv_bytes(("ID", "Slug"), (str(other.id), "other"), ("", "other")))
    assert said(plan[1]) == [("Slug", "Row 2 is about the same record.")]


def test_the_slug_of_a_team_member_finds_but_is_not_changed(session: Session, actor: Actor) -> None:
    member = add_member(session, name="Mei Lin", slug="mei-lin", designation="a", email="a@b.example", bio="b")
    member.detailed_bio, member.image_url = "c", "/images/a.svg"
    session.flush()
    assert bring_in(session, actor, csv_bytes(("slug", "Designation"), ("mei-lin", "Chair")), MEMBERS).changed == 1
    (row,) = plan_of(session, actor, csv_bytes(("id", "slug"), (str(member.id), "other")), MEMBERS)
    assert said(row) == [("Slug", words.SLUG_FIXED)]
    new = csv_bytes(
        ("slug", "Name", "Designation", "Email", "Image URL", "Bio", "Detailed bio"),
        ("anything", "Mei Lin", "Partner", "mei@firm.example", "/images/a.svg", "b", "c"),
    )
    assert bring_in(session, actor, new, MEMBERS).new == 1
    slugs = session.execute(sa.select(TeamMember.slug).order_by(TeamMember.id)).scalars().all()  # type: ignore[call-overload]
    assert slugs == ["mei-lin", "mei-lin-2"]


def test_a_wrong_number_of_cells_is_said_but_empty_ones_at_the_end_are_not(session: Session, actor: Actor) -> None:
    plan = plan_of(session, actor, csv_bytes(HEAD, KELP[:-1], (*KELP, "x"), (*KELP, "", " ")))
    assert kinds(plan) == ["wrong", "wrong", "new"]
    assert said(plan[0]) == [("", "This row has 6 cells, but there are 7 columns.")]


def test_a_group_is_read_from_json_and_refused_at_its_place(session: Session, actor: Actor) -> None:
    founders = json.dumps([{"name": "Mei", "title": "CEO"}, {"name": "x" * 20_001}])
    plan = plan_of(session, actor, csv_bytes((*HEAD, "Founders"), (*KELP, founders), (*KELP, "Mei")))
    assert said(plan[0]) == [
        ("Founders, Founder 2, Founder's name", "Please shorten this to 20,000 characters or fewer.")
    ]
    assert said(plan[1])[0][0] == "Founders"
    bring_in(session, actor, csv_bytes((*HEAD, "Founders"), (*KELP, '[{"name": "Mei"}]')))
    (stored,) = session.execute(sa.select(company_columns.founders)).scalars()
    assert stored == [{"name": "Mei", "title": "", "bio": ""}]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_every_usual_encoding_and_delimiter_is_read(
    session: Session, actor: Actor, encoding: str, delimiter: str
) -> None:
    row = ("Café – Kelp", "cafe", "a, b; c", *KELP[3:])
    content = csv_bytes(HEAD, row, delimiter=delimiter, encoding=encoding)
    assert read_sheet(content).is_guessed is (encoding == "cp1252")
    (planned,) = plan_of(session, actor, content)
    assert (planned.kind, planned.name, planned.inputs["industry"]) == (RowKind.NEW, "Café – Kelp", "a, b; c")


@pytest.mark.parametrize("line_end", ["\n", "\r", "\r\n"])
def test_every_line_end_is_read(line_end: str) -> None:
    sheet = read_sheet(f'Name,Slug{line_end}"a{line_end}b",c{line_end}{line_end}d,e'.encode())
    assert [(row.number, row.cells[1]) for row in sheet.rows] == [(2, "c"), (4, "e")]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", words.FILE_EMPTY),
        (b"Name,Slug\n\n,\n", words.FILE_EMPTY),
        (b"PK\x03\x04rest", words.FILE_WORKBOOK),
        (b"%PDF-1.4\x00\x01\x02", words.FILE_NO_TEXT),
        (b"\x81\x8d\x8f", words.FILE_NO_TEXT),
        (b"\xff\xfea", words.FILE_NO_TEXT),
        (b'Name,Slug\na,b\n"c,d\n', "Row 3 cannot be read: its quotation marks do not match."),
        (b'Name,Slug\n"a"b,c\n', "Row 2 cannot be read: its quotation marks do not match."),
        (b"Name\n" + b"x" * 200_000, "Row 2 cannot be read: a cell is too long."),
        (b"Name\n" + b"x\n" * 5_001, words.FILE_TOO_LONG),
        (b"Name\n" + b"\n" * 2_000_000, words.FILE_TOO_LONG),
        (b"a," * 300 + b"a\n1\n", "This file has more than 200 columns."),
    ],
)
def test_a_file_that_cannot_be_imported_says_why(content: bytes, sentence: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_sheet(content)
    assert refused.value.message == sentence


def test_columns_are_matched_by_label_and_by_name_once() -> None:
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
        csv_import.carry_out(session, actor, COMPANIES, plan)
    assert session.execute(sa.select(sa.func.count()).select_from(Company)).scalar_one() == 1


def test_a_slug_that_was_taken_since_refuses_the_whole_import(session: Session, actor: Actor) -> None:
    plan = plan_of(session, actor, csv_bytes(HEAD, ("Reef", "reef", *KELP[2:]), KELP))
    add_company(session, slug="kelp", **REQUIRED)
    with pytest.raises(InvalidInput) as refused:
        csv_import.carry_out(session, actor, COMPANIES, plan)
    assert refused.value.message == f"Nothing was imported. Row 3 (Kelp): {messages.SLUG_TAKEN}"


@pytest.mark.spec("HIST-1")
def test_only_planned_rows_are_imported_and_their_revisions_say_so(session: Session, actor: Actor) -> None:
    company = add_company(session, slug="kelp", name="Kelp", services=["a"], **REQUIRED)
    same = add_company(session, slug="same", name="Same", **REQUIRED)
    rows = (("kelp", "b, c", "Kelp"), ("same", "", "Same"), ("wrong", "", ""))
    assert bring_in(session, actor, csv_bytes(("Slug", "Services", "Name"), *rows)) == Imported(0, 1)
    newest, *_ = list_revisions(session, actor, COMPANIES, company.id)
    assert (newest.via, newest.action, newest.changed) == ("import", "saved", ("services",))
    assert (company.services, company.updated_by, same.version) == (["b", "c"], actor.user_id, 1)


@pytest.mark.spec("ROLE-4")
def test_a_visitor_reads_and_imports_nothing(session: Session) -> None:
    with pytest.raises(Forbidden):
        csv_import.read_stored(session, None, COMPANIES, "id", [1])  # type: ignore[arg-type]
    with pytest.raises(Forbidden):
        csv_import.carry_out(session, None, COMPANIES, [])  # type: ignore[arg-type]


def test_the_limits_are_said_as_they_are() -> None:
    assert f"{MOST_MEGABYTES} MB" in words.FILE_LIMITS and f"{MOST_MEGABYTES} MB" in words.FILE_TOO_LARGE
    assert f"{MOST_ROWS:,} rows" in words.FILE_LIMITS and f"{MOST_ROWS:,} rows" in words.FILE_TOO_LONG
