"""Fields and messages that are covered in a window, down to those that leave little room: a phone with its keyboard."""

from playwright.sync_api import Page, ViewportSize

from tests.e2e.axe import LAPTOP, PHONE

LOW = [ViewportSize(width=width, height=height) for width, height in ((360, 330), (640, 360), (740, 320), (360, 540))]
# The first two lines of a field, as a text may be higher than the window; all of its message, if both fit.
COVERED = """() => {
    const isVisible = (part) => part?.checkVisibility({ visibilityProperty: true });
    if ([...document.querySelectorAll("[role=menu]")].some(isVisible)) return [];
    const isFree = (part, y, around = part) => {
        const { left, width } = part.getBoundingClientRect();
        return around.contains(document.elementFromPoint(left + width / 2, y));
    };
    const place = [...document.querySelectorAll("[role=dialog], [role=alertdialog]")].at(-1) ?? document;
    const fields = "input:not([type=hidden], [type=file], [tabindex='-1']), select, textarea";
    return [...place.querySelectorAll(fields)].flatMap((field) => {
        // A tick box that is drawn is in its label.
        const box = field.getBoundingClientRect().width > 4 ? field : field.closest("label");
        if (field.disabled || !isVisible(box)) return [];
        document.activeElement.blur();
        field.focus();
        const name = field.name || field.ariaLabel || field.id;
        const { top, bottom } = box.getBoundingClientRect();
        const around = field.closest(".input-group, tr, label") ?? box;
        const found = isFree(box, top + Math.min(bottom - top, 48) / 2, around) ? [] : [name];
        const parts = field.getAttribute("aria-describedby")?.split(" ").map((id) => document.getElementById(id)) ?? [];
        const message = parts.find((part) => part?.textContent && isVisible(part));
        if (field.ariaInvalid !== "true" || !message) return found;
        const text = message.getBoundingClientRect();
        const fits = text.bottom - top < innerHeight;
        const isRead = [text.top + 2, text.bottom - 2].every((y) => isFree(message, y));
        if (fits && !isRead) found.push(`the message of ${name}`);
        return found;
    });
}"""


def covered_fields(page: Page) -> list[str]:
    """The fields of a page, or of its dialog, that are covered while they have the focus, and messages beside them."""
    found = []
    for size in (LAPTOP, *LOW, PHONE):
        page.set_viewport_size(size)
        found += [f"{one} is covered at {size['width']} x {size['height']}" for one in page.evaluate(COVERED)]
    return found
