"""A record type per test, and somebody who may manage its records."""

from collections.abc import Iterator
from types import ModuleType

import pytest
from sqlmodel import Session

from advisory_site.core.permissions import Actor
from tests.support.factories import add_actor
from tests.support.record_types import SAMPLES, Sample


@pytest.fixture(params=SAMPLES)
def sample(request: pytest.FixtureRequest) -> Sample:
    """One record type after the other."""
    return SAMPLES[request.param]


@pytest.fixture
def actor(database: ModuleType) -> Actor:
    """An employee."""
    with database.transaction() as session:
        return add_actor(session, first_name="Wei", last_name="Tan")


@pytest.fixture
def session(database: ModuleType) -> Iterator[Session]:
    """A session in a transaction."""
    with database.transaction() as session:
        yield session
