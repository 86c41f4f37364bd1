"""The pieces of pages about records: where texts are cut, and what links lead to."""

import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import pytest
import reflex as rx

from advisory_site.components.profile import mail_link, phone_link, whole_sentences
from tests.support.each import check_each

LONG = "word " * 100


@pytest.mark.spec("PUB-6")
def test_a_card_text_ends_with_a_whole_sentence() -> None:
    def check(case: tuple[str, str]) -> None:
        text, shown = case
        assert whole_sentences(text, 24, 40) == shown

    cases = [
        ("One. Two.", "One. Two."),
        ("One two three. Four five six seven.", "One two three."),
        ("One two three four five six. Seven.", "One two three four five six."),
        ("One two three four five six seven", "One two three four five six seven"),
        ("“One two three.” Four five six seven.", "“One two three.”"),
        ("Dr. J. Lee is. And more to come", "Dr. J. Lee is."),
        ("Raised S$1.8 million. And more to come", "Raised S$1.8 million."),
        ("", ""),
        ("第一句。第二句！第三句？第四句在这里有很多字，第五句。", "第一句。第二句！第三句？"),
        ("彼は言った。「はい。」それから、長い文がここに続いて終わらない", "彼は言った。「はい。」"),
        ("هل هذا صحيح؟ نعم هذا نص طويل جدا ولا ينتهي", "هل هذا صحيح؟"),
        ("यह सच है। और यह बहुत लंबा वाक्य है जो", "यह सच है।"),
    ]
    check_each(cases, check)


def test_an_overlong_sentence_is_cut_between_words() -> None:
    assert whole_sentences(LONG + ". One.", 24, 50).endswith("word…")
    assert len(whole_sentences(LONG, 24, 50)) <= 50


@pytest.mark.parametrize("address", ["a?cc=x@firm.example", "a&b%40#c@firm.example", "ann@firm.example"])
def test_a_mail_link_has_exactly_one_recipient(address: str) -> None:
    (target,) = mail_link(rx.Var.create(address)).render()["props"]
    node = Path(sys.executable).with_name("node")
    program = f"process.stdout.write({target.removeprefix('to:')})"
    link = subprocess.run([node, "-e", program], capture_output=True, text=True, check=True).stdout
    assert unquote(urlsplit(link).path) == address
    assert not parse_qs(urlsplit(link).query)


@pytest.mark.spec("CO-2")
def test_a_phone_number_that_cannot_be_dialled_is_plain_text() -> None:
    def shown(number: str) -> str:
        (choice,) = phone_link("6123 4567 x12", number).render()["children"]
        return str(choice["true_value" if choice["cond_state"] == "true" else "false_value"])

    assert "tel:61234567;ext=12" in shown("61234567;ext=12")
    assert "6123 4567 x12" in shown("") and "tel:" not in shown("")
