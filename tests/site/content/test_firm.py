"""The firm's facts stand in one place, and links are made from them."""

import ast
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import pytest

import advisory_site.content
from advisory_site.content.firm import FIRM

CONTENT = Path(advisory_site.content.__file__).parent
PACKAGE = CONTENT.parent
FACTS = (
    FIRM.name,
    FIRM.email,
    FIRM.phone,
    FIRM.registration_number,
    FIRM.call_booking_url,
    FIRM.linkedin_url,
    FIRM.x_url,
    FIRM.founder_name,
    FIRM.founder_email,
)


def literals(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is str]


@pytest.mark.spec("LAY-7")
def test_links_and_copyright_are_derived_from_the_facts_of_the_firm() -> None:
    firm = replace(FIRM, email="a@b.example", phone="+65 (0)6000 0000", registration_number="X1")
    assert firm.email_href == "mailto:a@b.example"
    assert firm.phone_href == "tel:+6560000000"
    assert "X1" in firm.copyright_line


@pytest.mark.spec("LAY-7")
def test_the_facts_of_the_firm_are_immutable() -> None:
    with pytest.raises(FrozenInstanceError):
        FIRM.email = "other@northstrait.example"  # type: ignore[misc]  # mypy refuses it as well


@pytest.mark.spec("LAY-7")
def test_no_page_hard_codes_a_fact_of_the_firm() -> None:
    rooms = [CONTENT, PACKAGE / "pages", PACKAGE / "components"]
    modules = [path for room in rooms for path in room.rglob("*.py") if path != CONTENT / "firm.py"]
    found = [
        (path.name, fact)
        for path in modules
        for text in literals(path)
        for fact in FACTS
        if fact.lower() in text.lower()
    ]
    assert found == []
