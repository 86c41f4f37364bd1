"""Texts that staff can change: what they have changed is looked up where the page is rendered.

`js/words.js` looks it up, on the server and in the browser. The Vars have neither state nor hooks, so Reflex leaves the
elements with them in the page's own module, and a page without changes stays as it was.
"""

import reflex as rx
from reflex.vars import VarData

from ..copy import ChangeableText
from ..scripts import script

_LIBRARY, _WORDS = script("words.js", "words")


def words_of(text: str | rx.Var[str]) -> str | rx.Var[str]:
    """What visitors read for a text of the copy: the text itself unless staff can change it."""
    return _var(_code_of(text), _WORDS) if isinstance(text, ChangeableText) else text


def unbroken(title: str) -> rx.Var[str]:
    """A title whose hyphenated words do not break across lines."""
    return _part("unbroken", title)


def last_word(text: str) -> rx.Var[str]:
    """The last word of a text."""
    return _part("lastWord", text)


def before_last_word(text: str) -> rx.Var[str]:
    """A text without its last word, with the space before it."""
    return _part("beforeLastWord", text)


def _part(function: str, text: str) -> rx.Var[str]:
    return _var(f"{function}({_code_of(text)})", function, _WORDS)


def _code_of(text: str) -> str:
    literal = str(rx.Var.create(str(text)))
    return f"{_WORDS}({literal})" if isinstance(text, ChangeableText) else literal


def _var(code: str, *functions: str) -> rx.Var[str]:
    imports = VarData(imports={_LIBRARY: [rx.ImportVar(tag=function) for function in functions]})
    var: rx.Var[str] = rx.Var(code, _var_type=str, _var_data=imports)
    return var.guess_type()  # for an f-string to know that it is one
