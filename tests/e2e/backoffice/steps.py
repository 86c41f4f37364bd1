"""What staff see and do on every screen of the back office."""

from playwright.sync_api import Dialog, Locator, Page


def row(page: Page, text: str) -> Locator:
    """The rows of a list that hold this text."""
    return page.get_by_role("row").filter(has_text=text)


def notice(page: Page, text: str) -> Locator:
    """The notices that hold this text."""
    return page.locator(".notice").filter(has_text=text)


def answer(page: Page, *, yes: bool) -> list[str]:
    """Answer the browser's confirmations; the list fills with what they asked."""
    asked: list[str] = []

    def reply(dialog: Dialog) -> None:
        asked.append(dialog.message)
        if yes:
            dialog.accept()
        else:
            dialog.dismiss()

    page.on("dialog", reply)
    return asked


def stay(page: Page) -> None:
    """Save, and go on in the form."""
    page.get_by_role("button", name="Save and continue").click()
