"""A signed-in person proves again who they are, before a change that a stolen session must not make.

passkeys.py has the reauthentication by passkey.
"""

from ...base import messages
from ...base.db.database import read_session, transaction
from ...base.errors import InvalidInput
from ...base.identity import Identity
from ...base.permissions import Action, require
from .. import throttling
from ..account_errors import FactorUnreadable, database_errors_as_unavailable
from ..factors import factors
from ..form_data import password_of
from ..models import Credential
from ..password.passwords import is_password
from . import sessions


def reauthenticate(identity: Identity, typed: object) -> None:
    """Check the person's password, or the present code of their app, and note the time in their session.

    Opens its own transactions and runs in a worker. Raises `InvalidInput` (field `proof`) or `TooManyAttempts`.
    """
    key = str(identity.user.id)
    counted = throttling.count(
        (throttling.REAUTHENTICATION_BY_ACCOUNT, key), (throttling.REAUTHENTICATION_A_DAY_BY_ACCOUNT, key)
    )
    if not (_prove_by_code(identity, typed) or _prove_by_password(identity, typed)):
        raise InvalidInput(messages.REAUTHENTICATION_WRONG, {"proof": messages.REAUTHENTICATION_WRONG})
    throttling.refund(counted)


def check_owner(identity: Identity, typed: object) -> None:
    """Check the current password of a signed-in person; without one, that they have proved who they are recently.

    Raises as `check_password` for the field `current_password`, or `ReauthenticationNeeded`.
    """
    if identity.has_password:
        check_password(identity.user.id, typed, field="current_password")
    else:
        require(identity.actor, Action.CHANGE_SIGN_IN)


def check_password(user_id: int, typed: object, *, field: str) -> None:
    """Check the password that a signed-in person typed; wrong ones are counted together, for any purpose.

    Raises `InvalidInput` for the field, `TooManyAttempts` or `Unavailable`.
    """
    key = str(user_id)
    counted = throttling.count(
        (throttling.REAUTHENTICATION_BY_ACCOUNT, key), (throttling.REAUTHENTICATION_A_DAY_BY_ACCOUNT, key)
    )
    if not _is_own_password(user_id, typed):
        wrong = messages.CURRENT_PASSWORD_WRONG
        raise InvalidInput(wrong, {field: wrong})
    throttling.refund(counted)


def _prove_by_code(identity: Identity, typed: object) -> bool:
    with database_errors_as_unavailable(), transaction() as session:
        try:
            is_right = factors.use_code(session, identity.user.id, typed)
        except FactorUnreadable:
            return False
        if is_right:
            sessions.note_reauthentication(session, identity, has_factor=True)
        return is_right


def _is_own_password(user_id: int, typed: object) -> bool:
    with database_errors_as_unavailable(), read_session() as session:
        credential = session.get(Credential, user_id)
        password_hash = credential.password_hash if credential else ""
    return bool(password_hash) and is_password(password_of(typed), password_hash)


def _prove_by_password(identity: Identity, typed: object) -> bool:
    if not _is_own_password(identity.user.id, typed):
        return False
    with database_errors_as_unavailable(), transaction() as session:
        sessions.note_reauthentication(session, identity)
    return True
