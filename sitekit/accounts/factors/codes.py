"""Time-based codes of authenticator apps (RFC 6238): the secret, its QR code, and which step a code belongs to."""

import base64
import hmac
import secrets
import time
import unicodedata
from urllib.parse import quote, urlencode

import segno

from ...base.site import get_site
from ...base.text import clean_text

BRAND = get_site().brand

DIGITS = 6
STEP = 30  # seconds
TOLERANCE = 1  # steps before and after the present one, because clocks differ
QUIET_ZONE = 4  # modules around a QR code


def new_secret() -> str:
    """A new random secret of 160 bits, as apps take it."""
    return base64.b32encode(secrets.token_bytes(20)).decode()


def read_code(typed: object) -> str:
    """The digits of a typed code, in any script and grouped in any way; empty if the text is no code."""
    if not isinstance(typed, str) or len(typed) > 4 * DIGITS:
        return ""
    signs = [sign for sign in clean_text(typed) if not sign.isspace() and unicodedata.category(sign) != "Pd"]
    digits = [str(unicodedata.decimal(sign, "")) for sign in signs]
    return "".join(digits) if len(digits) == DIGITS and all(digits) else ""


def present_step() -> int:
    """The number of the present time step."""
    return int(time.time()) // STEP


def code_at(secret: str, step: int) -> str:
    """The code of a time step: HOTP (RFC 4226, 5.3) with the step as its counter."""
    mac = hmac.digest(base64.b32decode(secret), step.to_bytes(8, "big"), "sha1")
    start = mac[-1] & 0xF
    number = int.from_bytes(mac[start : start + 4], "big") & 0x7FFFFFFF
    return f"{number % 10**DIGITS:0{DIGITS}}"


def matching_steps(secret: str, code: str) -> tuple[int, ...]:
    """The time steps, within the tolerance, whose code this is; the latest first."""
    present = present_step()
    steps = range(present + TOLERANCE, present - TOLERANCE - 1, -1)
    return tuple(step for step in steps if hmac.compare_digest(code_at(secret, step), code))


def setup_address(secret: str, email: str) -> str:
    """The otpauth:// address in the QR code. A space is %20 in it: some apps show a plus as it is."""
    label = f"{quote(BRAND.name, safe='')}:{quote(email, safe='')}"
    return f"otpauth://totp/{label}?{urlencode({'secret': secret, 'issuer': BRAND.name}, quote_via=quote)}"


def qr_path(text: str) -> tuple[str, int]:
    """A QR code as the path of an SVG, one unit per module, and its width with the quiet zone."""
    drawn = segno.make_qr(text, error="m")
    rows = [list(row) for row in drawn.matrix_iter(border=QUIET_ZONE)]
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return path, len(rows)


def in_groups(secret: str) -> str:
    """A secret in groups of four, to be typed."""
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
