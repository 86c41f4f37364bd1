"""Sections and artwork: the small decisions that are made in Python."""

from advisory_site.ui.artwork import contour
from advisory_site.ui.sections import unbroken


def test_a_hyphenated_word_in_a_title_is_kept_whole() -> None:
    before, word, after = unbroken("Scale your growth-stage venture")
    assert (before, after) == ("Scale your ", " venture")
    assert "nowrap" in str(word)


def test_a_title_without_hyphens_is_left_alone() -> None:
    assert unbroken("Why Founders Choose Us") == ["Why Founders Choose Us"]


def test_a_contour_line_is_closed_and_shrinks_towards_the_summit() -> None:
    shore, summit = (contour(level, (100, 100), (80, 80)) for level in (0, 0.9))
    assert shore.startswith("M")
    assert shore.endswith("Z")
    assert len(shore) > len(summit)
