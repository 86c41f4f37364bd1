"""What a site hands to the kit at start."""

import pytest

from advisory_site.permissions import SiteAction
from sitekit.base.permissions import POLICY, Action
from sitekit.records import features


@pytest.mark.spec("ROLE-4")
def test_the_policy_covers_every_action() -> None:
    assert set(POLICY) == {*Action, *SiteAction}


def test_using_features_before_they_are_registered_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(features, "_in_use", None)
    with pytest.raises(RuntimeError, match="hand over its features first"):
        features.record_types()
