"""What the copy of a page must have and no browser test looks at."""

import pytest

from advisory_site.advisors import texts as advisors
from advisory_site.content.support import SUPPORT_AREAS


@pytest.mark.spec("WHAT-2")
def test_each_support_area_has_four_different_details() -> None:
    wrong = [
        area.title
        for area in SUPPORT_AREAS
        if len(set(area.details)) != 4 or any(len(detail.split()) < 6 for detail in area.details)
    ]
    assert not wrong, wrong


@pytest.mark.spec("AD-1")
def test_the_invitation_to_advisors_has_more_than_350_words() -> None:
    words = sum(
        len(text.split()) for passage in advisors.PITCH_PASSAGES for text in passage.paragraphs + passage.bullets
    )
    assert words > 350
