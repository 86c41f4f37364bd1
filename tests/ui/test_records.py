"""Cards end with a whole sentence, wherever the text is cut."""

import pytest

from advisory_site.ui.records import whole_sentences

LONG = "word " * 100


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("One. Two.", "One. Two."),
        ("One two three. Four five six seven.", "One two three."),
        ("“One two three.” Four five six seven.", "“One two three.”"),
        ("Dr. J. Lee is. And more to come", "Dr. J. Lee is."),
        ("Raised S$1.8 million. And more to come", "Raised S$1.8 million."),
        ("", ""),
    ],
)
def test_a_text_is_cut_after_a_sentence(text: str, shown: str) -> None:
    assert whole_sentences(text, 24) == shown


def test_a_sentence_too_long_is_cut_between_words() -> None:
    assert whole_sentences(LONG + ".", 50).endswith("word…")
    assert len(whole_sentences(LONG, 50)) <= 50
