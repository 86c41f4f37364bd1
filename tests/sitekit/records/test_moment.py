"""A tick that stores the moment of the save: what a form may send, and what is stored of it."""

from datetime import datetime

import pytest

from sitekit.base.db.database import now
from sitekit.records.fields.moment import MomentField

MOMENT = MomentField()


@pytest.mark.spec("NEWS-5")
@pytest.mark.parametrize(("sent", "is_ticked"), [("on", True), ("true", True), ("", False), (None, False), (7, False)])
def test_a_tick_stores_the_present_moment_and_no_tick_nothing(sent: object, is_ticked: bool) -> None:
    before = now().replace(microsecond=0)
    stored = MOMENT.stored(MOMENT.read(sent))
    assert bool(stored) == is_ticked
    assert not stored or before <= datetime.fromisoformat(stored) <= now()


@pytest.mark.spec("NEWS-5")
def test_a_stored_moment_is_shown_as_no_tick() -> None:
    assert MOMENT.form_text("2026-11-26T09:00:00Z") == ""
    assert MOMENT.form_text(MOMENT.read("on")) == "on"
    assert MOMENT.public("2026-11-26T09:00:00Z") == "2026-11-26T09:00:00Z"
