"""The demo firm's texts and drawings: whole, in the right shapes, and agreeing with each other."""

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

import advisory_site.seed
from advisory_site.content.firm import FIRM
from advisory_site.core.text import comma_list, is_email, is_image_url, is_web_url, shown_list, slugify_hyphenated
from tools.artwork.__main__ import write_all

SEED = Path(advisory_site.seed.__file__).parent
IMAGES = SEED.parents[1] / "assets" / "images"


def read(name: str) -> list[dict]:
    return json.loads((SEED / f"{name}.json").read_text(encoding="utf-8"))


COMPANIES, TEAM, ADVISORS = read("companies"), read("team"), read("advisors")
ROWS = [*COMPANIES, *TEAM, *ADVISORS]
PEOPLE = [*TEAM, *ADVISORS]
DRAWINGS = (
    sorted(IMAGES.glob("companies/*.svg")) + sorted(IMAGES.glob("people/*.svg")) + sorted(IMAGES.glob("covers/*.svg"))
)

COMPANY_FIELDS = [
    "name",
    "slug",
    "tagline",
    "description",
    "detailed_description",
    "industry",
    "status",
    "founded",
    "employees",
    "location",
    "website_url",
    "logo_url",
    "email",
    "phone",
    "founders",
    "services",
    "coverage_areas",
    "target_market",
    "key_metrics",
    "legal_entity_name",
    "registration_number",
]
MEMBER_FIELDS = [
    "slug",
    "name",
    "designation",
    "bio",
    "detailed_bio",
    "image_url",
    "linkedin_url",
    "email",
    "display_order",
    "is_active",
    "achievements",
    "expertise",
]
ADVISOR_FIELDS = [
    "slug",
    "name",
    "title",
    "company",
    "location",
    "tagline",
    "bio",
    "detailed_bio",
    "image_url",
    "cover_image_url",
    "linkedin_url",
    "email",
    "availability",
    "display_order",
    "is_active",
    "expertise",
    "stats",
    "experience",
    "testimonials",
    "services",
]
TYPED_LISTS = ("services", "coverage_areas", "target_market", "key_metrics", "achievements", "expertise")

every_row = pytest.mark.parametrize("row", ROWS, ids=lambda row: row["slug"])
every_company = pytest.mark.parametrize("company", COMPANIES, ids=lambda row: row["slug"])
every_advisor = pytest.mark.parametrize("advisor", ADVISORS, ids=lambda row: row["slug"])


def texts_in(value: object) -> list[str]:
    """Every text of a record, however deep."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for item in value for text in texts_in(item)] if isinstance(value, list) else []


@pytest.mark.spec("DATA-1")
@pytest.mark.parametrize(
    ("rows", "fields"),
    [(COMPANIES, COMPANY_FIELDS), (TEAM, MEMBER_FIELDS), (ADVISORS, ADVISOR_FIELDS)],
    ids=("companies", "team", "advisors"),
)
def test_every_record_has_exactly_the_fields_of_its_entity(rows, fields):
    assert all(list(row) == fields for row in rows)


def test_the_firm_is_as_large_as_it_says():
    assert (len(COMPANIES), len(TEAM), len(ADVISORS)) == (24, 8, 12)
    assert len({company["industry"] for company in COMPANIES}) >= 8
    assert sum(company["status"] != "Active" for company in COMPANIES) == 1
    assert sum(not member["is_active"] for member in TEAM) == 1
    assert sum(not advisor["is_active"] for advisor in ADVISORS) == 1


def test_no_two_records_share_an_address_or_a_place():
    for rows in (COMPANIES, PEOPLE):
        slugs = [row["slug"] for row in rows]
        emails = [row["email"] for row in rows]
        assert len(set(slugs)) == len(slugs)
        assert len(set(emails)) == len(emails)
    for rows in (TEAM, ADVISORS):
        assert [row["display_order"] for row in rows] == list(range(1, len(rows) + 1))


@pytest.mark.spec("ATM-3")
@every_row
def test_a_slug_is_made_from_the_name(row):
    assert row["slug"] == slugify_hyphenated(row["name"])


@pytest.mark.spec("CO-5")
def test_treacle_tech_and_one_other_have_no_logo():
    without = [company["slug"] for company in COMPANIES if company["logo_url"] == ""]
    assert len(without) == 2
    assert "treacle-tech" in without


@pytest.mark.spec("CO-6")
def test_founders_come_in_all_three_shapes():
    shapes = [type(company["founders"]) for company in COMPANIES]
    assert (shapes.count(dict), shapes.count(str)) == (1, 1)
    for company in COMPANIES:
        listed = company["founders"] if isinstance(company["founders"], list) else [company["founders"]]
        assert listed
        assert all(set(one) == {"name", "title", "bio"} for one in listed if isinstance(one, dict))


@pytest.mark.spec("ACO-5", "ATM-2")
@every_row
def test_lists_that_staff_edit_as_one_text_are_read_back_whole(row):
    for field in TYPED_LISTS:
        if not all(isinstance(item, str) for item in row.get(field, [])):
            continue  # an advisor's services are records, edited one by one
        items = row.get(field, ["-"])
        assert items
        assert comma_list(shown_list(items)) == items


@every_row
def test_texts_are_finished(row):
    for text in texts_in(row):
        assert text == text.strip()
        assert not re.search(r"lorem|ipsum|todo|tbd|xxx|example\.com|\s,|\.\.| {2}", text, re.IGNORECASE)
    short = row.get("description") or row["bio"]
    long = row.get("detailed_description") or row["detailed_bio"]
    assert 80 < len(short) < 260
    assert 2 <= len(long.split("\n\n")) <= 4
    assert len(long) > len(short)


@every_company
def test_a_company_is_reached_under_a_domain_that_nobody_owns(company):
    assert re.fullmatch(r"https://[a-z]+\.example", company["website_url"])
    assert company["email"].endswith("@" + company["website_url"].removeprefix("https://"))
    assert re.fullmatch(r"\+\d{2}( \d{1,4})+", company["phone"])
    assert re.fullmatch(r"20[12]\d", company["founded"])


@every_company
def test_a_singapore_registration_number_can_belong_to_no_real_company(company):
    number = company["registration_number"]
    if not company["legal_entity_name"].endswith("Pte. Ltd."):
        return
    assert re.fullmatch(rf"{company['founded']}\d{{5}}[A-Z]", number)
    weighed = sum(int(d) * w for d, w in zip(number[:9], (10, 8, 6, 4, 9, 7, 5, 3, 1), strict=True))
    assert number[9] != "ZKCMDNERGWH"[weighed % 11]


@pytest.mark.spec("TM-1")
def test_the_founder_comes_first_and_the_team_adds_up_to_what_the_page_claims():
    assert (TEAM[0]["name"], TEAM[0]["email"]) == (FIRM.founder_name, FIRM.founder_email)
    exits = {"One": 1, "Four": 4, "Five": 5, "Six": 6}
    claims = [re.match(r"(\w+) exits?\b", text) for member in TEAM for text in member["achievements"]]
    assert sum(exits[claim[1]] for claim in claims if claim) >= 15


@every_row
def test_what_the_forms_would_check_is_right(row):
    assert is_email(row["email"])
    assert all(is_web_url(row[field]) for field in ("website_url", "linkedin_url") if row.get(field))
    assert all(is_image_url(row[field]) for field in ("logo_url", "image_url", "cover_image_url") if row.get(field))


@pytest.mark.parametrize("person", PEOPLE, ids=lambda row: row["slug"])
def test_a_person_is_reached_through_the_firm(person):
    assert person["email"].endswith(f"@{FIRM.domain}")
    address = person["linkedin_url"]
    assert address is None or address == f"https://www.linkedin.com/in/{person['slug']}-northstrait"


@pytest.mark.spec("AD-3", "AAD-4")
@every_advisor
def test_an_advisors_groups_have_the_stored_shapes(advisor):
    shapes = {
        "stats": {"label", "value"},
        "experience": {"role", "company", "period", "description", "achievements"},
        "testimonials": {"quote", "author", "role"},
        "services": {"title", "description", "duration", "price"},
    }
    for group, fields in shapes.items():
        assert all(set(item) == fields for item in advisor[group])
    assert advisor["stats"]
    assert advisor["experience"]
    assert all(service["price"] == service["duration"] for service in advisor["services"])


def test_some_advisors_have_testimonials_and_some_none():
    assert {bool(advisor["testimonials"]) for advisor in ADVISORS} == {True, False}


@every_row
def test_every_picture_a_record_names_is_there(row):
    named = [row[field] for field in ("logo_url", "image_url", "cover_image_url") if row.get(field)]
    for address in named:
        assert (IMAGES / address.removeprefix("/images/")).is_file()


@pytest.mark.parametrize("drawing", DRAWINGS, ids=lambda path: path.stem)
def test_a_drawing_is_small_sized_and_used(drawing):
    assert drawing.stat().st_size < 6000
    root = ElementTree.parse(drawing).getroot()
    assert root.attrib["viewBox"] == f"0 0 {root.attrib['width']} {root.attrib['height']}"
    address = f"/images/{drawing.parent.name}/{drawing.name}"
    assert any(address in texts_in(row) for row in ROWS)


def test_drawing_again_gives_the_same_bytes(tmp_path):
    assert write_all(tmp_path) == len(DRAWINGS)
    for drawing in DRAWINGS:
        assert (tmp_path / drawing.relative_to(IMAGES)).read_bytes() == drawing.read_bytes()
