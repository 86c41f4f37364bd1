"""Folding in SQL: the same as in Python, on both databases."""

import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import pytest
import sqlalchemy as sa
from sqlmodel import Session

from sitekit.base.db.database import read_session
from sitekit.base.db.folding import contains, folded
from sitekit.base.text import fold

WORDS = (
    *(
        "O'Brien",
        "O`Brien",
        "O\u2019Brien",
        "\u00c9lan",
        "E\u0301lan",
        "M\u00dcLLER",
        "\u0141\u00d3D\u0179",
        "\u0130kizce",
        "",
    ),
    *(
        "\ufb01ne \ufb02ow",
        "\uff21\uff22\uff23",
        "Gro\u1e9e & S\u00e6ther",
        "Acme\u200bLabs",
        "\u03a3\u0399\u03a3\u03a5\u03a6\u039f\u03a3",
    ),
    *(
        "\ud55c\uae00",
        "\u30ac\u30e9\u30b9",
        "\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f",
        "\u0928\u092e\u0938\u094d\u0924\u0947",
        "50% a_b/c\\d",
        "\u201ca\u201d\u2013b\u2026",
    ),
)


LETTERS = [
    letter
    for letter in map(chr, (*range(0x20, 0x2500), *range(0x3000, 0x3200), *range(0xF900, 0x10000)))
    if unicodedata.category(letter) not in ("Cn", "Co", "Cs")
]


@contextmanager
def stored(texts: Iterable[str]) -> Iterator[tuple[Session, sa.Column[str]]]:
    """A column with these texts."""
    typed = sa.Table("typed", sa.MetaData(), sa.Column("text", sa.Text), prefixes=["TEMPORARY"])
    with read_session() as session:
        typed.create(session.connection())
        session.execute(typed.insert(), [{"text": text} for text in texts])
        yield session, typed.c.text


@pytest.mark.spec("DATA-3")
def test_the_database_folds_as_the_program_does(database_dir: object) -> None:
    with stored((*WORDS, *(f"a{letter}a" for letter in LETTERS))) as (session, column):
        found = dict(session.execute(sa.select(column, folded(column))).all())
    assert {text: value for text, value in found.items() if value != fold(text)} == {}


@pytest.mark.spec("DATA-3")
def test_the_database_finds_what_contains_a_word_in_any_spelling(database_dir: object) -> None:
    texts = {*WORDS, *(f"X{letter}y" for letter in LETTERS)}
    parts = ("", "a", "ae", "fi", "ss", "10", "(1)", "%", "_", "/", "\\", "-", '"', "\u03c3", "\u30ac")
    words = {f"x{part}y" for part in parts} | {
        "x",
        "elan",
        "obrien",
        "lodz",
        "acmelabs",
        "\ud55c\uae00",
        "50%",
        "a_b/c",
    }
    wrong = []
    with stored(texts) as (session, column):
        for word in words:
            found = set(session.execute(sa.select(column).where(contains((sa.null(), column), [word]))).scalars())
            wrong += [(word, text) for text in found ^ {text for text in texts if word in fold(text)}]
    assert wrong == []


@pytest.mark.spec("DATA-3")
def test_words_are_found_in_different_columns_and_spellings(database_dir: object) -> None:
    with stored(("\u00c9lan of Kelp", "Elan of Kelp", "\u00c9lan of Tide")) as (session, column):
        statement = sa.select(column).where(contains((sa.literal("in Reef"), column), ["kelp", "reef", "elan"]))
        assert set(session.execute(statement).scalars()) == {"\u00c9lan of Kelp", "Elan of Kelp"}
