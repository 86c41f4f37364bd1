"""Recovery codes: ten per person, shown once, stored as hashes, used once each."""

import secrets
import unicodedata

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base.db.database import now, rows_changed
from .. import tokens
from ..models import RecoveryCode

MOST = 10
LENGTH = 16  # 80 bits, so that a plain hash suffices
ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"  # without letters that look like digits
_LOOK_ALIKE = str.maketrans({"i": "1", "l": "1", "o": "0"})


def replace(session: Session, user_id: int) -> tuple[str, ...]:
    """New codes in place of all earlier ones; they cannot be shown again."""
    delete(session, user_id)
    codes = tuple("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)) for _ in range(MOST))
    session.add_all(RecoveryCode(user_id=user_id, code_hash=tokens.hashed(code)) for code in codes)
    session.flush()
    return tuple("-".join(code[at : at + 4] for at in range(0, LENGTH, 4)) for code in codes)


def delete(session: Session, user_id: int) -> None:
    """Delete all codes of a user."""
    session.execute(sa.delete(RecoveryCode).where(col(RecoveryCode.user_id) == user_id))


def use(session: Session, user_id: int, typed: object) -> bool:
    """Use a code; False if it is wrong or used. Of two simultaneous uses one succeeds."""
    code = _read(typed)
    spent = session.execute(
        sa.update(RecoveryCode)
        .where(
            col(RecoveryCode.user_id) == user_id,
            col(RecoveryCode.code_hash) == tokens.hashed(code),
            col(RecoveryCode.used_at).is_(None),
        )
        .values(used_at=now())
    )
    return bool(code and rows_changed(spent))


def count_left(session: Session, user_id: int) -> int:
    """The number of codes that were not used."""
    query = (
        sa.select(sa.func.count())
        .select_from(RecoveryCode)
        .where(col(RecoveryCode.user_id) == user_id, col(RecoveryCode.used_at).is_(None))
    )
    left: int = session.execute(query).scalar_one()
    return left


def _read(typed: object) -> str:
    """The stored form of a typed code: no groups, lower case, digits in place of letters that look like them."""
    if not isinstance(typed, str) or len(typed) > 4 * LENGTH:
        return ""
    plain = "".join(sign for sign in unicodedata.normalize("NFKC", typed).lower() if sign.isalnum())
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in plain).translate(_LOOK_ALIKE)
