"""The back office on a phone with letters of twice the size."""

import pytest

from tests.e2e.backoffice.conftest import Staff
from tests.e2e.conftest import Watch
from tests.e2e.large_text import cut_at_twice_the_size
from tests.e2e.states import GATE, OTHERS
from tests.e2e.walks import check


@pytest.mark.timeout(600)
@pytest.mark.spec("AUTH-1")
def test_no_state_cuts_texts_or_scrolls_sideways(staff: Staff, watch: Watch) -> None:
    watch.expect("Failed to load resource")
    check(GATE + OTHERS, staff, lambda state: cut_at_twice_the_size(state.page))
