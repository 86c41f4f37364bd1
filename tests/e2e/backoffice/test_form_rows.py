"""The rows of a form's repeating groups: added, moved, collapsed, removed, taken back, and saved as they are shown."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.backoffice.company_form import NEW, edit, stored, submit
from tests.e2e.backoffice.conftest import Staff
from tests.e2e.backoffice.steps import answer, notice, stay

PHONE = {"width": 360, "height": 640}
NAMES = ["Ana", "Ben", "Cy"]


def founders(names: list[str]) -> list[dict[str, str]]:
    return [{"name": name, "title": "CEO", "bio": f"{name} builds."} for name in names]


def row(page: Page, number: int) -> Locator:
    return page.get_by_role("group", name=f"Founder {number}", exact=True)


def open_all(page: Page) -> None:
    page.get_by_role("button", name="Expand all").click()


def names(page: Page) -> Locator:
    return page.locator("[name^='founders.'][name$='.name']")


def expect_names(page: Page, *texts: str) -> None:
    expect(names(page)).to_have_count(len(texts))
    for place, text in enumerate(texts):
        expect(names(page).nth(place)).to_have_value(text)


def stored_names(slug: str) -> list[str]:
    return [founder["name"] for founder in stored(slug).founders]


@pytest.mark.spec("ACO-6")
def test_an_added_row_has_the_focus(staff: Staff) -> None:
    page = staff(viewport=PHONE).open(NEW)
    page.get_by_role("button", name="Add founder").click()
    field = row(page, 2).get_by_label("Founder’s name")
    expect(field).to_be_focused()
    box, header, foot = (
        one.bounding_box() for one in (row(page, 2), page.locator(".backoffice-header"), page.locator(".form-foot"))
    )
    assert box and header and foot
    assert header["y"] + header["height"] < box["y"]
    assert box["y"] + box["height"] < foot["y"]
    page.keyboard.type("Second")
    expect(names(page).nth(1)).to_have_value("Second")


@pytest.mark.spec("ACO-6")
def test_the_shown_order_of_rows_is_saved(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(founders=founders(NAMES))
    page = staff().open(edit(slug))
    expect(row(page, 1).get_by_role("button", name="Move founder 1 up")).to_have_attribute("aria-disabled", "true")
    row(page, 3).get_by_role("button", name="Move founder 3 up").click()
    expect_names(page, "Ana", "Cy", "Ben")
    expect(page.get_by_role("status").filter(has_text="Founder 3 is now number 2 of 3.")).to_have_count(1)
    expect(row(page, 2).get_by_role("button", name="Move founder 2 up")).to_be_focused()
    page.keyboard.press("Enter")
    expect_names(page, "Cy", "Ana", "Ben")
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    assert stored_names(slug) == ["Cy", "Ana", "Ben"]
    row(page, 1).get_by_role("button", name="Move founder 1 down").click()
    page.get_by_role("button", name="Add founder").click()
    expect(names(page).nth(3)).to_be_focused()
    page.keyboard.type("Dee")
    expect_names(page, "Ana", "Cy", "Ben", "Dee")
    submit(page, "Update Company")
    page.wait_for_url("**tab=companies**")
    assert stored_names(slug) == ["Ana", "Cy", "Ben", "Dee"]


@pytest.mark.spec("ACO-6")
def test_a_row_can_be_moved_by_keyboard(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(founders=founders(NAMES))))
    open_all(page)
    field = row(page, 1).get_by_label("Founder’s name")
    field.fill("Anabel")
    # In a text these keys are those of a Mac for the start and the end of a paragraph.
    field.press("Alt+ArrowDown")
    toggle = row(page, 1).locator(".entry-toggle")
    toggle.press("Alt+ArrowDown")
    expect_names(page, "Ben", "Anabel", "Cy")
    expect(page.get_by_role("status").filter(has_text="Founder 1 is now number 2 of 3.")).to_have_count(1)
    for _ in range(2):
        page.keyboard.press("Alt+ArrowDown")
    expect_names(page, "Ben", "Cy", "Anabel")
    page.keyboard.press("Alt+ArrowUp")
    expect_names(page, "Ben", "Anabel", "Cy")
    expect(row(page, 2).locator(".entry-toggle")).to_be_focused()


def drag(page: Page, number: int, onto: int) -> None:
    """Seize a row's handle and hold it over the middle of another row."""
    handle = row(page, number).locator(".entry-handle")
    # Far from the edges of the window, where a drag scrolls the page.
    handle.evaluate("handle => handle.scrollIntoView({block: 'center', behavior: 'instant'})")
    handle.hover()
    page.mouse.down()
    expect(page.locator(".entries[data-is-dragging=true]")).to_be_visible()
    box = row(page, onto).bounding_box()
    assert box
    page.mouse.move(box["x"] + 20, box["y"] + box["height"] * (0.8 if onto > number else 0.2), steps=8)


@pytest.mark.spec("ACO-6")
def test_a_row_can_be_dragged_to_its_place(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(founders=founders(NAMES))
    page = staff().open(edit(slug))
    open_all(page)
    before = NAMES
    for number, onto, order in (
        (1, 3, ["Ben", "Cy", "Ana"]),
        (3, 1, ["Ana", "Ben", "Cy"]),
        (1, 2, ["Ben", "Ana", "Cy"]),
    ):
        drag(page, number, onto)
        expect_names(page, *before)
        page.mouse.up()
        expect_names(page, *order)
        expect(names(page).first).to_be_visible()
        before = order
    submit(page, "Update Company")
    page.wait_for_url("**tab=companies**")
    assert stored_names(slug) == before


def test_escape_cancels_the_dragging_of_a_row(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(founders=founders(NAMES))))
    drag(page, 1, 3)
    page.keyboard.press("Escape")
    page.mouse.up()
    expect(page.locator(".entries[data-is-dragging=true]")).to_have_count(0)
    expect_names(page, *NAMES)
    assert page.url.endswith("/edit")


def test_a_collapsed_row_shows_its_first_texts(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(founders=founders(["Ana", "Ben"]))))
    second = row(page, 2)
    second.get_by_label("Title").fill("")
    toggle = second.get_by_role("button", name="Founder 2", exact=True)
    expect(toggle).to_have_attribute("aria-expanded", "true")
    toggle.click()
    expect(names(page).nth(1)).to_be_hidden()
    expect(second.get_by_role("button", name="Founder 2 Ben · Ben builds.")).to_have_attribute("aria-expanded", "false")
    page.get_by_role("button", name="Expand all").click()
    expect(names(page).nth(1)).to_be_visible()
    page.get_by_role("button", name="Collapse all").click()
    expect(names(page).first).to_be_hidden()


@pytest.mark.spec("SAY-4")
def test_a_collapsed_row_with_an_error_is_expanded(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(founders=founders(NAMES))))
    open_all(page)
    title = row(page, 2).get_by_label("Title")
    title.fill("x" * 20_001)
    page.get_by_role("button", name="Collapse all").click()
    expect(title).to_be_hidden()
    submit(page, "Update Company")
    expect(title).to_be_focused()
    expect(names(page).first).to_be_hidden()
    title.fill("CTO")
    expect(title).not_to_have_attribute("aria-invalid", "true")
    expect(title).to_be_visible()


@pytest.mark.spec("SAY-4")
def test_an_error_moves_and_disappears_with_its_row(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(founders=founders(NAMES))))
    open_all(page)
    page.locator("[name=location]").fill("")
    row(page, 1).get_by_label("Title").fill("x" * 20_001)
    submit(page, "Update Company")
    foot = page.locator(".form-foot")
    expect(foot.get_by_role("listitem")).to_have_text(["Location", "Founder 1: Title"])
    page.get_by_role("button", name="Move founder 1 down").click()
    expect(foot.get_by_role("listitem")).to_have_text(["Location", "Founder 2: Title"])
    page.get_by_role("button", name="Remove founder 2").click()
    expect(foot.get_by_role("link", name="1 field to correct")).to_be_visible()


@pytest.mark.spec("ACO-6")
def test_undoing_a_removal_restores_the_row_with_text_and_position(staff: Staff, company: Callable[..., str]) -> None:
    slug = company(founders=founders(NAMES))
    page = staff().open(edit(slug))
    open_all(page)
    names(page).nth(1).fill("Benjamin")
    page.get_by_role("button", name="Remove founder 2").click()
    expect_names(page, "Ana", "Cy")
    expect(page.get_by_text("Founder 2 removed.").first).to_be_visible()
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_focused()
    page.keyboard.press("Enter")
    expect_names(page, "Ana", "Benjamin", "Cy")
    expect(undo).to_have_count(0)
    page.get_by_role("button", name="Remove founder 1").click()
    stay(page)
    expect(notice(page, "Company updated successfully")).to_be_visible()
    expect(undo).to_have_count(0)
    assert stored_names(slug) == ["Benjamin", "Cy"]
    page.get_by_role("button", name="Add founder").click()
    expect(names(page).nth(2)).to_be_focused()
    page.keyboard.type("Dee")
    expect_names(page, "Benjamin", "Cy", "Dee")
    page.get_by_role("button", name="Remove founder 3").click()
    page.get_by_role("button", name="Add founder").click()
    expect_names(page, "Benjamin", "Cy", "")


@pytest.mark.spec("ACO-6")
def test_row_order_and_removals_survive_a_reload(staff: Staff, company: Callable[..., str]) -> None:
    page = staff().open(edit(company(founders=founders([*NAMES, "Dee"]))))
    row(page, 4).get_by_role("button", name="Move founder 4 up").click()
    page.get_by_role("button", name="Remove founder 1").click()
    expect_names(page, "Ben", "Dee", "Cy")
    answer(page, yes=True)
    page.reload()
    expect(page.get_by_text("We restored your unsaved changes.")).to_be_visible()
    expect_names(page, "Ben", "Dee", "Cy")
