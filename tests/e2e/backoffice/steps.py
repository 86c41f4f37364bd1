"""What staff see and do on every screen of the back office."""

from playwright.sync_api import Dialog, Locator, Page


def row(page: Page, text: str) -> Locator:
    """The rows of a list that hold this text."""
    return page.get_by_role("row").filter(has_text=text)


def notice(page: Page, text: str) -> Locator:
    """The notices that hold this text."""
    return page.locator(".notice").filter(has_text=text)


def question(page: Page) -> Locator:
    """The dialog that asks before something is done."""
    return page.get_by_role("alertdialog")


def reply(page: Page, *, yes: bool) -> str:
    """Answer the question that is being asked, and return it."""
    asked = question(page)
    asked.wait_for()
    text = "\n".join(asked.locator("h2, .question-rest").all_inner_texts())
    asked.get_by_role("button").nth(1 if yes else 0).click()
    return text


def answer(page: Page, *, yes: bool) -> list[str]:
    """Answer all questions from now on, those of the browser too; the list fills with what they asked.

    A question is answered when the test next looks at the page or acts on it.
    """
    asked: list[str] = []

    def reply_to_browser(dialog: Dialog) -> None:
        asked.append(dialog.message)
        if yes:
            dialog.accept()
        else:
            dialog.dismiss()

    page.on("dialog", reply_to_browser)
    page.add_locator_handler(question(page), lambda: asked.append(reply(page, yes=yes)))
    return asked


def wait_until_settled(place: Locator) -> None:
    """Wait until a dialog or a notice has stopped moving in, before its place is measured."""
    place.evaluate("element => Promise.all(element.getAnimations({subtree: true}).map((one) => one.finished))")


def stay(page: Page) -> None:
    """Save, and go on in the form."""
    page.get_by_role("button", name="Save and continue").click()
