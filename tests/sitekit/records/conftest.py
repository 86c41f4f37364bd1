"""A record type per test, and somebody who may manage its records."""

import pytest

from tests.support.record_types import SAMPLES, Sample


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    """One record type after the other."""
    return SAMPLES[request.param]
