"""Signed access tokens (JWT), and random refresh tokens stored as hashes."""

import hashlib
import hmac
import secrets
import time
from dataclasses import dataclass
from typing import Any

import jwt
from jwt.types import Options
from jwt.utils import base64url_decode, base64url_encode

from ..base.secret_keys import signing_keys
from ..base.settings import get_settings
from ..base.site import get_site
from .account_errors import ExpiredToken, InvalidToken, UnusableToken

ALGORITHM = "HS256"
ISSUER = get_site().package
AUDIENCE = "staff"
MAX_LENGTH = 2048
BROWSERS = "browsers"
_REQUIRED = ["iss", "aud", "sub", "iat", "exp"]


@dataclass(frozen=True)
class Claims:
    """The claims of a genuine access token. Whether its session is still active is only in the database."""

    user_id: int
    session_id: str
    expires_at: int


def sign(user_id: int, session_id: str) -> tuple[str, int]:
    """A new access token, and the Unix time at which it expires."""
    issued = int(time.time())
    expires = issued + get_settings().access_token_seconds
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": str(user_id),
        "sid": session_id,
        "iat": issued,
        "exp": expires,
    }
    return jwt.encode(claims, signing_keys()[0], algorithm=ALGORITHM), expires


def read(token: object, *, even_expired: bool = False) -> Claims:
    """The claims of an access token.

    Raises `UnusableToken`, or its subclass `ExpiredToken`, for a token that we signed but that is not valid now, and
    `InvalidToken` for anything else.
    """
    claims = _decode(token, AUDIENCE, [*_REQUIRED, "sid"], even_expired=even_expired)
    try:
        return Claims(int(claims["sub"]), str(claims["sid"]), int(claims["exp"]))
    except (ValueError, TypeError):
        raise UnusableToken from None


def sign_browser(subject: str, seconds: int) -> str:
    """A signed token that identifies a browser that has signed in to an account, with a random name."""
    issued = int(time.time())
    claims = {
        "iss": ISSUER,
        "aud": BROWSERS,
        "sub": subject,
        "jti": secrets.token_urlsafe(12),
        "iat": issued,
        "exp": issued + seconds,
    }
    return jwt.encode(claims, signing_keys()[0], algorithm=ALGORITHM)


def read_browser(token: object) -> tuple[str, str]:
    """The account and name in a browser's token. Raises `InvalidToken`, or its subclass `ExpiredToken`."""
    claims = _decode(token, BROWSERS, [*_REQUIRED, "jti"])
    return str(claims["sub"]), str(claims["jti"])


def _decode(token: object, audience: str, required: list[str], *, even_expired: bool = False) -> dict[str, Any]:
    if not isinstance(token, str) or not token or len(token) > MAX_LENGTH:
        raise InvalidToken
    # Do not refuse a token from the future: a clock may have been set back, or another machine's may be ahead.
    options: Options = {"require": required, "verify_exp": not even_expired, "verify_iat": False}
    signature = token.rpartition(".")[2]
    for key in signing_keys():
        try:
            claims: dict[str, Any] = jwt.decode(
                token, key, algorithms=[ALGORITHM], issuer=ISSUER, audience=audience, options=options
            )
            # base64 ignores characters that it does not know, and the last bits.
            if base64url_encode(base64url_decode(signature)).decode() != signature:
                break
            return claims
        except jwt.InvalidSignatureError:
            continue
        except jwt.ExpiredSignatureError:
            raise ExpiredToken from None
        except (jwt.DecodeError, jwt.InvalidAlgorithmError, RecursionError):
            break
        except (jwt.InvalidTokenError, ValueError, TypeError):  # signed by us, but with other claims
            raise UnusableToken from None
    raise InvalidToken


def random_token() -> str:
    """A new secret of 256 bits."""
    return secrets.token_urlsafe(32)


def hashed(token: str) -> str:
    """The hash that is stored instead of a random token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def successor(token: str, seed: str) -> str:
    """The token that follows a used one; deriving it takes both the token and the seed in the database."""
    digest = hmac.new(token.encode("utf-8", "replace"), seed.encode(), hashlib.sha256).hexdigest()
    return f"r{digest}"
