"""The back office in a browser that translates all the time: each state is reached, and no button ends in an error."""

from typing import Any

import pytest

from tests.e2e.backoffice.conftest import Colleague, Staff
from tests.e2e.conftest import Watch, wait_until_painted
from tests.e2e.states import GATE, OTHERS
from tests.e2e.translator import TRANSLATING
from tests.e2e.walks import State, check

BUTTONS = "main :is(button:not([type=submit], [data-then]), summary):visible"


def pressed(state: State) -> list[str]:
    """Press each button of a page that the walk closes then, except for those that submit a form."""
    buttons, index = state.page.locator(BUTTONS), 0
    while state.name.startswith("/admin") and index < buttons.count():
        buttons.nth(index).press("Enter")
        wait_until_painted(state.page)
        state.page.keyboard.press("Escape")
        index += 1
    return []


@pytest.mark.timeout(600)
@pytest.mark.spec("AUTH-3")
def test_every_state_is_reached_while_the_browser_translates(staff: Staff, watch: Watch) -> None:
    watch.expect("Failed to load resource|Minified React error #4(18|23|25)")

    def reader(*args: Any, **options: Any) -> Colleague:
        colleague = staff(*args, **options)
        colleague.context.add_init_script(TRANSLATING)
        return colleague

    check(GATE + OTHERS, reader, pressed)
