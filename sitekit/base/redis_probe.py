"""The test write to Redis, and why it was refused."""

from redis.connection import parse_url
from redis.exceptions import OutOfMemoryError, ReadOnlyError, RedisError, ResponseError

from .site import get_site

AWAY, FULL, READ_ONLY, REFUSES = "away", "full", "read only", "refuses"
SENTENCES = {
    FULL: "is full: {answer}",
    READ_ONLY: "is read only: {answer}",
    REFUSES: "refuses to store: {answer}",
    AWAY: "cannot be reached ({name}: {answer})",
}
# The key of the test write, and how many seconds it lives. PING is also answered by a Redis that stores nothing.
KEY, LIFETIME = f"{get_site().short_name}:probe", 10


def trouble_of(error: RedisError) -> str:
    """Why Redis refused the test write, in a word or two."""
    if isinstance(error, OutOfMemoryError):
        return FULL
    if isinstance(error, ReadOnlyError):
        return READ_ONLY
    # What Redis has answered has a code, except that of plain response errors.
    return REFUSES if isinstance(error, ResponseError) or error.status_code else AWAY


def explain(error: RedisError, url: str) -> str:
    """One sentence about such an error, with the answer of Redis, and without the password of its URL."""
    answer = (str(error).splitlines() or [""])[0]
    password = parse_url(url).get("password")  # type: ignore[no-untyped-call]  # redis gives it no types
    answer = answer.replace(password, "***") if password else answer
    return SENTENCES[trouble_of(error)].format(name=type(error).__name__, answer=answer)
