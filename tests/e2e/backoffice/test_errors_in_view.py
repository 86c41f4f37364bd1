"""The errors of each form: the field that is led to, and its message, are in view and nothing covers them."""

from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests.e2e.backoffice import advisor_form, company_form, team_dialog
from tests.e2e.backoffice.conftest import Staff
from tests.support.waiting import wait_for

SIZES = (ViewportSize(width=1280, height=800), ViewportSize(width=360, height=740))
# Makes each field of a form wrong: a line by its length, a text by its length or because it is required.
FILL = """form => {
  const shown = (kind) => [...form.querySelectorAll(kind)].filter((field) => field.offsetParent);
  const texts = shown("textarea");
  const fill = (field, length) => {
    field.value = "x".repeat(length);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const lines = shown("input:not([type=hidden], [type=checkbox], [type=file], [type=datetime-local])");
  lines.filter((field) => !field.closest(".picture-field")).forEach((field) => fill(field, 300));
  texts.forEach((field) => fill(field, field === texts.at(-1) ? 20_001 : 0));
}"""
# What covers a field or its message, at their corners and in their middle; empty if nothing does.
COVERED = """field => {
  const around = field.closest(".backoffice-field");
  const message = around.querySelector(".field-message");
  if (!message) return "no message";
  for (const part of [field, message]) {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    for (const x of [left + 4, (left + right) / 2, right - 4]) for (const y of [top + 4, bottom - 4]) {
      const hit = document.elementFromPoint(x, y);
      if (!around.contains(hit)) return `${part === field ? "field" : "message"} by ${hit?.className ?? "the window"}`;
    }
  }
  return "";
}"""


@dataclass(frozen=True)
class Form:
    """A form of a new record: its address, its button, what is required, and its last field."""

    path: str
    id: str
    button: str
    required: dict[str, str]
    last: str
    add: tuple[str, ...]


FORMS = {
    "company": Form(
        company_form.NEW, "company-form", "Create Company", company_form.REQUIRED, "slug", ("Add founder",)
    ),
    "member": Form(team_dialog.NEW, "team-member-form", "Create Team Member", team_dialog.REQUIRED, "image_url", ()),
    "advisor": Form(
        advisor_form.NEW,
        "advisor-form",
        "Create Advisor",
        advisor_form.REQUIRED,
        "slug",
        ("Add stat", "Add experience", "Add service"),
    ),
}


def covered(field: Locator) -> list[str]:
    """What still covers a field or its message when the page has come to rest."""
    found = [""]

    def is_free() -> bool:
        found[0] = field.evaluate(COVERED)
        return not found[0]

    try:
        wait_for(is_free, "the field is in view")
    except AssertionError:
        return [f"{field.get_attribute('name')}: {found[0]}"]
    return []


@pytest.mark.spec("SAY-2", "SAY-4")
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_invalid_fields_and_their_messages_are_never_covered(staff: Staff, form: Form) -> None:
    colleague = staff()
    found = []
    for size in SIZES:
        page = colleague.open(form.path)
        page.set_viewport_size(size)
        inside = page.locator(f"#{form.id}")
        for name, text in form.required.items():
            inside.locator(f"[name='{name}']").fill(text)
        last = inside.locator(f"[name='{form.last}']")
        last.fill("Not an address!")
        last.blur()
        page.get_by_role("button", name=form.button).click()
        expect(last).to_be_focused()
        found += [f"{size['width']}, alone: {one}" for one in covered(last)]
        for label in form.add:
            page.get_by_role("button", name=label).click()
        inside.evaluate(FILL)
        for picture in inside.locator(".picture-field input[name$=_url]").all():
            picture.fill("Not an address!")
            picture.blur()
        page.get_by_role("button", name=form.button).click()
        # All are marked at once, and the first of them gets the focus.
        expect(inside.locator("[name=name]")).to_be_focused()
        links = inside.locator(".form-wrong li a")
        names = [field.get_attribute("name") for field in inside.locator("[aria-invalid=true]:visible").all()]
        assert len(names) == len(set(names)) >= len(form.required)
        for link in links.all():
            link.evaluate("link => link.click()")
            found += [f"{size['width']}: {one}" for one in covered(inside.locator(":focus"))]
        page.close()
    assert found == []
