"""Texts that staff can change: which are marked, and what a page is compiled to for them."""

import json

import pytest
import reflex as rx

from sitekit.ui import copy
from sitekit.ui.copy import ChangeableText, Heading, Link, Stat, changeable
from sitekit.ui.public.links import anchor, arrow_link
from sitekit.ui.public.words import unbroken, words_of

SENTENCE = "You have customers and “options”"


@pytest.fixture(autouse=True)
def no_texts_of_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(copy, "ORIGINALS", set())


def imports_of(var: object) -> list[str]:
    assert isinstance(var, rx.Var)
    data = var._get_all_var_data()
    assert data is not None and (data.state, data.hooks, data.deps) == ("", (), ())
    return [name for library, names in data.imports for name in [library, *(str(one.tag) for one in names)]]


@pytest.mark.spec("COPY-6", "COPY-7")
def test_every_text_is_changeable_but_labels_and_fixed_fields() -> None:
    heading = changeable(Heading("Four things we do", "And how we do them", "The difference"), fixed=("title",))
    assert [type(text) for text in (heading.title, heading.text, heading.eyebrow)] == [str, ChangeableText, str]
    (stat,) = changeable((Stat("Market & GTM", "1 & 2", "Taken through all steps"),))
    assert [type(text) for text in (stat.value, stat.label, stat.note)] == [str, str, ChangeableText]
    link = changeable(Link("Talk to us today", "/this is no text", context="about your plan"))
    assert [type(text) for text in (link.label, link.href, link.context)] == [ChangeableText, str, ChangeableText]
    assert link == Link("Talk to us today", "/this is no text", context="about your plan")


def test_a_changeable_text_is_looked_up_where_the_page_is_rendered() -> None:
    call = words_of(changeable(SENTENCE))
    assert str(call) == f"words({json.dumps(SENTENCE)})"
    assert imports_of(call) == ["$/ui/words.js", "words"]
    assert words_of(SENTENCE) is SENTENCE


def test_a_changeable_text_stays_one_text_beside_others() -> None:
    assert '(" "+words("about your plan"))' in str(anchor(changeable(Link("More", "/", context="about your plan"))))


def test_each_part_of_a_split_text_is_looked_up_as_a_whole() -> None:
    link = arrow_link(changeable(Link("See what it includes", "/")))
    assert 'beforeLastWord(words("See what it includes"))' in str(link)
    assert 'lastWord(words("See what it includes"))' in str(link)
    title = unbroken(changeable("Our growth-stage ventures"))
    assert str(title) == 'unbroken(words("Our growth-stage ventures"))'
    assert imports_of(title) == ["$/ui/words.js", "unbroken", "words"]
    assert str(unbroken("Why Founders Choose Us")) == 'unbroken("Why Founders Choose Us")'
