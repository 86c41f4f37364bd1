"""Typographic signs where a text is shown; nothing else of it changes."""

from dataclasses import dataclass

from sitekit.base.typography import typeset, typeset_record
from tests.support.each import check_each


def test_typographic_characters_are_set_once() -> None:
    def check(case: tuple[str, str]) -> None:
        typed, shown = case
        assert typeset(typed) == shown
        assert typeset(shown) == shown

    cases = [
        ("the founder's job", "the founder’s job"),
        ("shops' stock, O'Brien, rock 'n' roll", "shops’ stock, O’Brien, rock ’n’ roll"),
        ("in the '90s", "in the ’90s"),
        ("'quoted' words", "‘quoted’ words"),
        ('He said "yes", she ("no") did not.', "He said “yes”, she (“no”) did not."),
        ("3-12 months, 51-200 people", "3–12 months, 51–200 people"),
        ("one - two -- three", "one – two – three"),
        ("and so on...", "and so on…"),
        ("112 kg of CO2 saved", "112 kg of CO₂ saved"),
        ("long-term, e-mail, A-1", "long-term, e-mail, A-1"),
        ("+65 6555-0118, 2026-11-21, 800-555-0199", "+65 6555-0118, 2026-11-21, 800-555-0199"),
        ("陈氏, Nguyễn & தமிழ்", "陈氏, Nguyễn & தமிழ்"),
        ("drum 'n bass, give 'em", "drum ’n bass, give ’em"),
        ("'Why?' she asked. \"'No.'\"", "‘Why?’ she asked. “‘No.’”"),
        ('他说"增长"很重要。', "他说“增长”很重要。"),
        ("他说:\"增长。\"然后'走'了", "他说:“增长。”然后‘走’了"),
        ('DBS"银行"和"UOB"很大', "DBS“银行”和“UOB”很大"),
        ('เขาว่า"ดี"ครับ, ("हिन्दी")', "เขาว่า“ดี”ครับ, (“हिन्दी”)"),
        ("Boeing 737-800, ISO 9001-2015, call 6123-4567", "Boeing 737-800, ISO 9001-2015, call 6123-4567"),
        ("the 747-400, 24-7, unit #03-12", "the 747-400, 24-7, unit #03-12"),
        ("in 2019-2024 and 2024-25, 500-1500 people", "in 2019–2024 and 2024–25, 500–1500 people"),
        ("", ""),
    ]
    check_each(cases, check)


@dataclass(frozen=True)
class Inner:
    words: str = "it's"


@dataclass(frozen=True)
class Outer:
    name: str = "O'Brien"
    slug: str = "it's"
    image_url: str = "/it's.png"
    email: str = "o'brien@firm.example"
    order: int = 1
    parts: tuple[Inner, ...] = (Inner(),)


def test_all_texts_of_a_record_are_typeset_except_technical_ones() -> None:
    shown = typeset_record([Outer()])
    assert shown == [Outer(name="O’Brien", parts=(Inner("it’s"),))]
