"""The demo firm's texts and drawings: whole, in the right shapes, and agreeing with each other."""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import advisory_site.seed
from advisory_site.advisors.models import Advisor
from advisory_site.companies.models import STAGES, Company, founders_of
from advisory_site.content.firm import FIRM
from advisory_site.content.support import SUPPORT_AREAS
from advisory_site.team.models import TeamMember
from sitekit.base.text import comma_list, is_email, is_image_url, is_web_url, shown_list, slugify_hyphenated
from sitekit.records.record import Record
from tools.artwork.__main__ import write_all

SEED = Path(advisory_site.seed.__file__).parent
IMAGES = SEED.parents[1] / "assets" / "images"


def read(name: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((SEED / f"{name}.json").read_text(encoding="utf-8"))
    return rows


COMPANIES, TEAM, ADVISORS = read("companies"), read("team_members"), read("advisors")
ROWS = [*COMPANIES, *TEAM, *ADVISORS]
PEOPLE = [*TEAM, *ADVISORS]
DRAWINGS = (
    sorted(IMAGES.glob("companies/*.svg")) + sorted(IMAGES.glob("people/*.svg")) + sorted(IMAGES.glob("covers/*.svg"))
)

# What the table has besides what is written down; a square mark is only uploaded.
UNWRITTEN = {"id", "created_at", "updated_at", "updated_by", "version", "unanswered", "mark_url"}
PICTURES = ("logo_url", "image_url", "cover_image_url")
TYPED_LISTS = ("services", "coverage_areas", "target_market", "key_metrics", "achievements", "expertise")

Row = dict[str, Any]


def check(rows: Iterable[Row], findings: Callable[[Row], Iterable[object]]) -> None:
    """Fail with all that is found wrong with any of these records."""
    wrong = [f"{row['slug']}: {finding}" for row in rows for finding in findings(row)]
    assert not wrong, "\n".join(wrong)


def texts_in(value: object) -> list[str]:
    """Every text of a record, however deep."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for item in value for text in texts_in(item)] if isinstance(value, list) else []


@pytest.mark.spec("DATA-1")
@pytest.mark.parametrize(
    ("rows", "record"),
    [(COMPANIES, Company), (TEAM, TeamMember), (ADVISORS, Advisor)],
    ids=("companies", "team", "advisors"),
)
def test_every_record_has_exactly_the_fields_of_its_table(rows: list[Row], record: type[Record]) -> None:
    fields = set(record.model_fields) - UNWRITTEN
    assert all(set(row) == fields for row in rows)


def test_the_demo_data_has_the_expected_number_of_records() -> None:
    assert (len(COMPANIES), len(TEAM), len(ADVISORS)) == (24, 8, 12)
    assert len({company["industry"] for company in COMPANIES}) >= 8
    assert sum(company["status"] != "Active" for company in COMPANIES) == 1
    assert sum(not member["is_active"] for member in TEAM) == 1
    assert sum(not advisor["is_active"] for advisor in ADVISORS) == 1


def test_slugs_emails_and_display_orders_are_unique() -> None:
    for rows in (COMPANIES, PEOPLE):
        slugs = [row["slug"] for row in rows]
        emails = [row["email"] for row in rows]
        assert len(set(slugs)) == len(slugs)
        assert len(set(emails)) == len(emails)
    for rows in (TEAM, ADVISORS):
        assert [row["display_order"] for row in rows] == list(range(1, len(rows) + 1))


@pytest.mark.spec("ATM-3")
def test_a_slug_is_made_from_the_name() -> None:
    check(ROWS, lambda row: [row["name"]] if row["slug"] != slugify_hyphenated(row["name"]) else [])


@pytest.mark.spec("CO-5")
def test_two_companies_including_treacle_tech_have_no_logo() -> None:
    without = [company["slug"] for company in COMPANIES if company["logo_url"] == ""]
    assert len(without) == 2
    assert "treacle-tech" in without


@pytest.mark.spec("CO-6")
def test_founders_are_stored_in_all_three_formats() -> None:
    shapes = [type(company["founders"]) for company in COMPANIES]
    assert (shapes.count(dict), shapes.count(str)) == (1, 1)
    for company in COMPANIES:
        listed = company["founders"] if isinstance(company["founders"], list) else [company["founders"]]
        assert listed
        assert all(set(one) == {"name", "title", "bio"} for one in listed if isinstance(one, dict))


@pytest.mark.spec("PUB-1")
def test_case_studies_of_companies_are_consistent_with_other_data() -> None:
    members = {member["slug"] for member in TEAM if member["is_active"]}
    areas = {area.title for area in SUPPORT_AREAS}
    shown = [company for company in COMPANIES if company["status"] == "Active"]

    def findings(company: Row) -> Iterator[str]:
        speakers = [(one.name, one.title) for one in founders_of(company["founders"])]
        if company["stage"] not in STAGES:
            yield "stage"
        if company["partner"] not in members | {""} or company["support_area"] not in areas | {""}:
            yield "the partner or the support area"
        if company["since"] and company["since"] < max(company["founded"], "2020"):
            yield "the work is older than the company or the firm"
        if company["quote"] and (company["quoted_name"], company["quoted_role"]) not in speakers:
            yield "nobody of the company said this"
        if FIRM.name in company["detailed_description"]:
            yield "what the firm did stands in the story too"

    check(shown, findings)
    assert {company["support_area"] for company in shown} >= areas
    filled = {name: sum(bool(company[name]) for company in shown) for name in ("quote", "is_featured", "exit_note")}
    assert filled == {"quote": 9, "is_featured": 3, "exit_note": 2}
    assert sum(not company["our_role"] for company in shown) == 1


@pytest.mark.spec("ACO-5", "ATM-2")
def test_lists_edited_as_one_text_survive_a_round_trip() -> None:
    def findings(row: Row) -> Iterator[str]:
        for field in TYPED_LISTS:
            items = row.get(field, ["-"])
            if not all(isinstance(item, str) for item in items):
                continue  # an advisor's services are records, edited one by one
            if not items or comma_list(shown_list(items)) != items:
                yield f"{field}: {items}"

    check(ROWS, findings)


UNFINISHED = re.compile(r"lorem|ipsum|todo|tbd|xxx|example\.com|\s,|\.\.| {2}|^\s|\s$", re.IGNORECASE)


def test_texts_contain_no_unfinished_passages() -> None:
    check(ROWS, lambda row: [text for text in texts_in(row) if UNFINISHED.search(text)])


def test_texts_have_suitable_lengths() -> None:
    def findings(row: Row) -> Iterator[str]:
        short = row.get("description") or row["bio"]
        long = row.get("detailed_description") or row["detailed_bio"]
        if not 80 < len(short) < 260:
            yield f"the short text has {len(short)} characters"
        if not 2 <= len(long.split("\n\n")) <= 4:
            yield "the long text has fewer than two paragraphs or more than four"
        if len(long) <= len(short):
            yield "the long text is shorter than the short one"

    check(ROWS, findings)


def test_company_domains_are_reserved_ones() -> None:
    def findings(company: Row) -> Iterator[str]:
        for field, pattern in {
            "website_url": r"https://[a-z]+\.example",
            "email": r".+@" + re.escape(company["website_url"].removeprefix("https://")),
            "phone": r"\+\d{2}( \d{1,4})+",
            "founded": r"20[12]\d",
        }.items():
            if not re.fullmatch(pattern, company[field]):
                yield f"{field}: {company[field]}"

    check(COMPANIES, findings)


def test_singapore_registration_numbers_cannot_be_real() -> None:
    def findings(company: Row) -> Iterator[str]:
        number = company["registration_number"]
        if not re.fullmatch(rf"{company['founded']}\d{{5}}[A-Z]", number):
            yield number
            return
        weighed = sum(int(d) * w for d, w in zip(number[:9], (10, 8, 6, 4, 9, 7, 5, 3, 1), strict=True))
        if number[9] == "ZKCMDNERGWH"[weighed % 11]:
            yield f"{number} has the right letter"

    check([one for one in COMPANIES if one["legal_entity_name"].endswith("Pte. Ltd.")], findings)


@pytest.mark.spec("TM-1")
def test_the_founder_is_first_and_the_team_matches_the_page_text() -> None:
    assert (TEAM[0]["name"], TEAM[0]["email"]) == (FIRM.founder_name, FIRM.founder_email)
    exits = {"One": 1, "Four": 4, "Five": 5, "Six": 6}
    claims = [re.match(r"(\w+) exits?\b", text) for member in TEAM for text in member["achievements"]]
    assert sum(exits[claim[1]] for claim in claims if claim) >= 15


def test_demo_records_pass_the_checks_of_the_forms() -> None:
    def findings(row: Row) -> Iterator[str]:
        if not is_email(row["email"]):
            yield row["email"]
        pages = [row[field] for field in ("website_url", "linkedin_url") if row.get(field)]
        yield from (address for address in pages if not is_web_url(address))
        pictures = [row[field] for field in PICTURES if row.get(field)]
        yield from (address for address in pictures if not is_image_url(address))

    check(ROWS, findings)


def test_people_have_email_and_linkedin_addresses_of_the_firm() -> None:
    def findings(person: Row) -> Iterator[str]:
        if not person["email"].endswith(f"@{FIRM.domain}"):
            yield person["email"]
        if person["linkedin_url"] not in (None, f"https://www.linkedin.com/in/{person['slug']}-northstrait"):
            yield person["linkedin_url"]

    check(PEOPLE, findings)


@pytest.mark.spec("AD-3", "AAD-4")
def test_groups_of_advisors_have_the_stored_format() -> None:
    shapes = {
        "stats": {"label", "value"},
        "experience": {"role", "company", "period", "description", "achievements"},
        "testimonials": {"quote", "author", "role"},
        "services": {"title", "description", "duration", "price"},
    }

    def findings(advisor: Row) -> Iterator[str]:
        for group, fields in shapes.items():
            yield from (f"{group}: {item}" for item in advisor[group] if set(item) != fields)
        yield from (f"there are no {group}" for group in ("stats", "experience") if not advisor[group])
        yield from (f"the price of {one}" for one in advisor["services"] if one["price"] != one["duration"])

    check(ADVISORS, findings)


def test_some_advisors_have_testimonials_and_some_none() -> None:
    assert {bool(advisor["testimonials"]) for advisor in ADVISORS} == {True, False}


def test_every_picture_of_a_record_exists() -> None:
    def findings(row: Row) -> Iterator[str]:
        named = [row[field] for field in PICTURES if row.get(field)]
        yield from (one for one in named if not (IMAGES / one.removeprefix("/images/")).is_file())

    check(ROWS, findings)


def test_every_drawing_is_small_has_a_size_and_is_used() -> None:
    used = {text for row in ROWS for text in texts_in(row)}
    wrong = []
    for drawing in DRAWINGS:
        size = ElementTree.parse(drawing).getroot().attrib
        if drawing.stat().st_size >= 6000:
            wrong.append(f"{drawing.name} is large")
        if size["viewBox"] != f"0 0 {size['width']} {size['height']}":
            wrong.append(f"{drawing.name} is not as large as what it shows")
        if f"/images/{drawing.parent.name}/{drawing.name}" not in used:
            wrong.append(f"{drawing.name} is not used")
    assert not wrong, "\n".join(wrong)


def test_regenerated_drawings_are_identical(tmp_path: Path) -> None:
    assert write_all(tmp_path) == len(DRAWINGS)
    for drawing in DRAWINGS:
        assert (tmp_path / drawing.relative_to(IMAGES)).read_bytes() == drawing.read_bytes()


def test_the_network_has_as_many_advisors_as_its_director_says() -> None:
    told = re.search(r"advisor network from \d+ to (\d+) people", json.dumps(TEAM))
    assert told
    assert int(told[1]) == sum(advisor["is_active"] for advisor in ADVISORS)
