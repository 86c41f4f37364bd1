"""What is said of an article that is old, and how long one takes to read."""

from datetime import UTC, datetime

import pytest

from advisory_site.articles.fields import minutes_of
from advisory_site.articles.public import age_of, update_of


@pytest.mark.spec("NEWS-7")
@pytest.mark.parametrize(
    ("written_on", "sentence"),
    [("2025-05-25", "Written in May 2025."), ("2025-05-26", "Written in May 2025."), ("2025-05-27", ""), ("", "")],
)
def test_an_article_is_old_after_18_months(written_on: str, sentence: str) -> None:
    assert age_of(written_on, datetime(2026, 11, 26, 3, tzinfo=UTC)) == sentence


@pytest.mark.spec("NEWS-5")
def test_the_day_on_which_readers_were_told_is_that_of_the_sites_zone() -> None:
    assert update_of("2026-11-25T20:00:00Z") == "Updated 26 November 2026"
    assert update_of("") == ""


@pytest.mark.spec("NEWS-2")
def test_a_text_takes_at_least_a_minute() -> None:
    assert [minutes_of("word " * count) for count in (0, 300, 1500)] == [1, 1, 7]


@pytest.mark.spec("NEWS-2")
def test_scripts_without_spaces_between_words_are_read_by_letters() -> None:
    chinese, thai, japanese = "收入增长，" * 1000, "เติบโต" * 200, "データを 読む。" * 200
    assert [minutes_of(text) for text in (chinese, thai, japanese)] == [10, 3, 3]
    assert minutes_of("增长" * 1000 + " word" * 1100) == 10
