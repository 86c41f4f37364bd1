"""Only what can never apply is left out of a page's styles."""

import pytest

from sitekit.server.ssr.styles import Stylesheet, UnevenStyles

EVERYTHING = (
    '@layer base;@font-face{font-family:Text;src:url(/a.woff2)format("woff2")}:root{--ink:#000}'
    ".card{color:red}.card .title,.row>.title{margin:0}"
    "@media (width>=60rem){.card{color:blue}.row{color:green}}@media print{.row{color:black}}"
    '@keyframes turn{0%{rotate:0}to{rotate:1turn}}.quote:before{content:"} .x{"}'
)


def test_rules_with_unused_classes_are_left_out() -> None:
    used = Stylesheet(EVERYTHING).used(frozenset({"card"}))
    assert ".card{color:red}" in used
    assert "@media (width>=60rem){.card{color:blue}}" in used
    assert "row" not in used
    assert "print" not in used
    assert "quote" not in used


def test_rules_without_a_class_are_kept() -> None:
    used = Stylesheet(EVERYTHING).used(frozenset())
    assert used.startswith("@layer base;@font-face{")
    assert ":root{--ink:#000}" in used
    assert used.endswith("@keyframes turn{0%{rotate:0}to{rotate:1turn}}")
    assert Stylesheet("").used(frozenset()) == ""


def test_no_rule_is_lost_if_every_class_is_used() -> None:
    classes = frozenset({"card", "title", "row", "quote"})
    assert Stylesheet(EVERYTHING + "\n").used(classes) == EVERYTHING


@pytest.mark.parametrize(
    "selector",
    [
        ".card:not(.row)",
        ".card:not(:is(.row, .title))",
        ".row,.card",
        ":is(.row, .card) a",
        ":where(.row, :is(.card, .title) > a) img",
        ".card:has(> .row, > img)",
        '.card[href$=".row"]',
        r".w\:2",
    ],
)
def test_a_rule_is_kept_for_one_of_its_choices_and_whatever_it_negates(selector: str) -> None:
    rule = selector + "{color:red}"
    assert Stylesheet(rule).used(frozenset({"card"})) == rule


@pytest.mark.parametrize("selector", [":where(.row) .card", ".card:has(.row)", ":is(.row, .title:not(.card)) .card"])
def test_a_rule_whose_choices_are_all_unused_is_left_out(selector: str) -> None:
    assert Stylesheet(selector + "{color:red}").used(frozenset({"card"})) == ""


def test_a_rule_needs_all_classes_of_one_of_its_selectors() -> None:
    styles = Stylesheet(".card.person,.row .title{color:red}")
    assert styles.used(frozenset({"card", "title"})) == ""
    assert styles.used(frozenset({"card", "person"}))


def test_nested_rules_are_kept() -> None:
    rule = ".row{color:red;&:hover{color:blue}}"
    assert Stylesheet(rule).used(frozenset()) == rule


@pytest.mark.parametrize(
    "text", [".card{color:red", "@media print{.card{color:red}", ".card", "}@media print{", '.card:before{content:"}']
)
def test_a_broken_stylesheet_is_refused(text: str) -> None:
    with pytest.raises(UnevenStyles):
        Stylesheet(text)
