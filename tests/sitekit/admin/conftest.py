"""The list and the form of a record type per test."""

import pytest

from tests.support.record_screens import SCREENS, Screen


@pytest.fixture(params=SCREENS)
def screen(request: pytest.FixtureRequest) -> Screen:
    """One record type after the other."""
    return SCREENS[request.param]
