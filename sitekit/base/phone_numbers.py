"""Reads the number to dial out of a telephone number as people write it."""

import re

from .text import one_line, plain_letters

MOST_DIGITS = 15  # of ITU E.164
LEAST_DIGITS = 3

_BETWEEN = r"(?:[.·]|[ -]*)"
# Digits in groups, one of them perhaps in brackets. A slash stands between two numbers, but also behind an area code.
_NUMBER = re.compile(
    r"(?>(?P<number>(?:\(?[+0](?:[ ()-]*\d){1,7}[ )]*/ ?(?=[1-9]\d\d))?(?:\(\+[\d ]+\)|\+)?"
    rf"(?:{_BETWEEN}(?:\d|\([\d -]+\)(?={_BETWEEN}\d)))+)"
    r"(?:[ ,;(]*(?:extension|extn?|x)[ .:=]*(?P<extension>\d{1,7}))?)(?!-?[a-z])"
)
_INTERNATIONAL = re.compile(r"[( ]*(?:\+|00)")
_TRUNK_PREFIX = re.compile(r"\( ?0 ?\)")  # dialled within the country alone


def dialable(text: str) -> str:
    """The first telephone number in a text as a `tel:` link has it (RFC 3966): "+6561234567;ext=12".

    Empty if there is none of three to fifteen digits, or if it goes on in letters, as in 1-800-FLOWERS.
    """
    plain = re.sub(r"\d", lambda digit: str(int(digit[0])), plain_letters(one_line(text)))
    for match in _NUMBER.finditer(plain):
        number = match["number"]
        is_international = _INTERNATIONAL.match(number) is not None
        if is_international:
            number = _TRUNK_PREFIX.sub("", number)
        digits = re.sub(r"\D", "", number)
        if is_international:
            digits = digits.removeprefix("00")
        if LEAST_DIGITS <= len(digits) <= MOST_DIGITS:
            extension = f";ext={match['extension']}" if match["extension"] else ""
            return ("+" if is_international else "") + digits + extension
    return ""
