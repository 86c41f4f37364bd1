"""Time-based codes of authenticator apps (RFC 6238): the secret, its QR code, and which step a code belongs to."""

import hmac
import time
import unicodedata

import pyotp
import segno

from ..content.firm import FIRM

DIGITS = 6
STEP = 30  # seconds
TOLERANCE = 1  # steps before and after the present one, because clocks differ
QUIET_ZONE = 4  # modules around a QR code


def new_secret() -> str:
    """A new random secret of 160 bits, as apps take it."""
    return pyotp.random_base32()


def read_code(typed: object) -> str:
    """The digits of a typed code, in any script and grouped in any way; empty if the text is no code."""
    if not isinstance(typed, str) or len(typed) > 4 * DIGITS:
        return ""
    signs = [sign for sign in typed if not sign.isspace() and unicodedata.category(sign) not in ("Cf", "Pd")]
    digits = [str(unicodedata.decimal(sign, "")) for sign in signs]
    return "".join(digits) if len(digits) == DIGITS and all(digits) else ""


def present_step() -> int:
    """The number of the present time step."""
    return int(time.time()) // STEP


def matching_steps(secret: str, code: str) -> tuple[int, ...]:
    """The time steps, within the tolerance, whose code this is; the latest first."""
    present = present_step()
    app = pyotp.TOTP(secret, digits=DIGITS, interval=STEP)
    steps = range(present + TOLERANCE, present - TOLERANCE - 1, -1)
    return tuple(step for step in steps if hmac.compare_digest(app.generate_otp(step), code))


def setup_address(secret: str, email: str) -> str:
    """The otpauth:// address in the QR code."""
    return pyotp.TOTP(secret, digits=DIGITS, interval=STEP).provisioning_uri(name=email, issuer_name=FIRM.name)


def qr_path(text: str) -> tuple[str, int]:
    """A QR code as the path of an SVG, one unit per module, and its width with the quiet zone."""
    drawn = segno.make_qr(text, error="m")
    rows = [list(row) for row in drawn.matrix_iter(border=QUIET_ZONE)]
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, is_dark in enumerate(row) if is_dark)
    return path, len(rows)


def in_groups(secret: str) -> str:
    """A secret in groups of four, to be typed."""
    return " ".join(secret[at : at + 4] for at in range(0, len(secret), 4))
