"""Passwords: how they are hashed and compared. Both take a good part of a second, on purpose."""

import bcrypt

COST = 12


def hash_password(password: str, cost: int = COST) -> str:
    """The bcrypt hash of a password of at most 72 bytes."""
    return bcrypt.hashpw(password.encode(), bcrypt.gensalt(cost)).decode()


def is_password(password: str, hashed: str) -> bool:
    """Whether this password made this hash."""
    return bcrypt.checkpw(password.encode(), hashed.encode())
