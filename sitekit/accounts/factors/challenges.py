"""Challenges: a sign-in whose password was right waits for a second factor, without a session.

A challenge is valid once, for `LIFE` and `MOST_TRIES` tries, in the browser tab where it began. Like the functions of
sign_in.py, `answer` opens its own transactions and runs in a worker.
"""

from dataclasses import dataclass
from datetime import timedelta

import sqlalchemy as sa
from sqlmodel import Session, col

from ...base.db import rate_limits
from ...base.db.database import read_session, rows_changed, transaction
from ...base.mail import outbox
from ...base.observability.audit_log import AuditEvent
from ...records import activity
from .. import links, mails, owner_mails, throttling
from ..account_errors import ChallengeOver, FactorUnreadable, WrongCode, database_errors_as_unavailable
from ..models import FactorKind, LinkPurpose, Profile, SecretLink
from ..sessions import known_browsers, sessions
from ..sessions.auth_events import AuthEvent
from ..sessions.sessions import IssuedSession
from . import factors, recovery_codes

LIFE = timedelta(minutes=5)
MOST_TRIES = 5


@dataclass(frozen=True)
class Challenge:
    """A sign-in that waits for a factor; `token` is its secret."""

    token: str


@dataclass(frozen=True)
class Waiting:
    """The person of a challenge, and what they can answer it with; `is_app_lost`: no app's secret can be decrypted."""

    user_id: int
    email: str
    first_name: str
    has_app: bool
    has_passkey: bool
    is_app_lost: bool


def begin_or_challenge(
    session: Session,
    user_id: int,
    device: str,
    binding: str,
    event: AuthEvent = AuthEvent.SIGNED_IN,
    *,
    is_known: bool = True,
) -> IssuedSession | Challenge:
    """Begin a session, or a challenge for a user who has a second factor; `binding` is a value that the browser keeps.

    Unless the browser is known, the owner gets a mail about a session. Raises `InvalidCredentials` if the account is
    deactivated.
    """
    if not factors.has_factor(session, user_id):
        if not is_known:
            owner_mails.tell_of_new_device(session, user_id, device)
        return sessions.begin(session, user_id, device, event)
    return Challenge(issue(session, LinkPurpose.FACTOR, binding, user_id))


def issue(session: Session, purpose: LinkPurpose, binding: str, user_id: int | None = None) -> str:
    """Create a challenge; returns its secret."""
    return links.issue(session, purpose, LIFE, user_id, binding=binding)


def find_waiting(token: object, binding: str) -> Waiting:
    """Who a challenge waits for; changes nothing. Raises `ChallengeOver` or `Unavailable`."""
    with database_errors_as_unavailable(), read_session() as session:
        query = sa.select(Profile).join(SecretLink, col(SecretLink.user_id) == col(Profile.id))
        profile = session.execute(query.where(links.is_open(LinkPurpose.FACTOR, token, binding))).scalar()
        if profile is None or profile.id is None:
            raise ChallengeOver
        user_factors = factors.list_factors(session, profile.id)
        apps = [factor for factor in user_factors if factor.kind == FactorKind.APP]
        has_app = any(app.is_readable for app in apps)
        has_passkey = any(factor.kind == FactorKind.PASSKEY for factor in user_factors)
        return Waiting(profile.id, profile.email, profile.first_name, has_app, has_passkey, bool(apps) and not has_app)


def answer(
    token: object, binding: str, typed: object, device: str = "", browser: str = "", *, is_recovery: bool = False
) -> IssuedSession:
    """Begin the session of a challenge with the code of an app or, if `is_recovery`, a recovery code.

    `browser` holds the browser's tokens (`known_browsers`). Raises `WrongCode`, `FactorUnreadable`, `ChallengeOver`,
    `TooManyAttempts` or `Unavailable`.
    """
    waiting = find_waiting(token, binding)
    if waiting.is_app_lost and not is_recovery:
        raise FactorUnreadable
    browser_name = known_browsers.name_for(browser, waiting.email)
    own = (
        (throttling.factor_by_browser(waiting.email), browser_name)
        if browser_name
        else (throttling.FACTOR_BY_ACCOUNT, waiting.email)
    )
    a_day = throttling.FACTOR_A_DAY_IN_KNOWN_BROWSERS if browser_name else throttling.FACTOR_A_DAY_BY_ACCOUNT
    counted = throttling.count(own, (a_day, waiting.email))
    with database_errors_as_unavailable(), transaction() as session:
        count_try(session, token, binding)
    with database_errors_as_unavailable(), transaction() as session:
        issued = _answer(
            session, waiting, token, binding, typed, device, is_recovery=is_recovery, is_known=bool(browser_name)
        )
    if issued is None:
        activity.log_alone(AuditEvent.FACTOR_FAILED, name=waiting.email)
        if counted.earlier + 1 >= throttling.FACTOR_BY_ACCOUNT.most:
            _notify_owner(waiting)
        raise WrongCode(counted.pause)
    throttling.refund(counted, own)
    return issued


def _answer(
    session: Session,
    waiting: Waiting,
    token: object,
    binding: str,
    typed: object,
    device: str,
    *,
    is_recovery: bool,
    is_known: bool,
) -> IssuedSession | None:
    user_id = waiting.user_id
    if not (recovery_codes.use if is_recovery else factors.use_code)(session, user_id, typed):
        return None
    use(session, token, binding)
    if is_recovery:
        left = recovery_codes.count_left(session, user_id)
        activity.log(session, AuditEvent.RECOVERY_CODE_USED, f"{left} left", by=user_id)
        outbox.enqueue(session, mails.recovery_code_used(waiting.email, waiting.first_name, left))
    if not is_known:
        owner_mails.tell_of_new_device(session, user_id, device)
    return sessions.begin(session, user_id, device, AuthEvent.MFA_VERIFIED, has_factor=True)


def count_try(session: Session, token: object, binding: str) -> None:
    """Count a try. Raises `ChallengeOver` if it is one too many, or the challenge is used, expired or unknown."""
    _update(session, token, binding, col(SecretLink.tries) < MOST_TRIES, tries=col(SecretLink.tries) + 1)


def use(session: Session, token: object, binding: str, purpose: LinkPurpose = LinkPurpose.FACTOR) -> None:
    """Mark a challenge as used; of two simultaneous answers one succeeds. Raises `ChallengeOver`."""
    if links.use(session, purpose, token, binding) is None:
        raise ChallengeOver


def set_passkey_value(session: Session, token: object, binding: str, value: str) -> None:
    """Set the value that a passkey has to sign to answer a challenge. Raises `ChallengeOver`."""
    _update(session, token, binding, webauthn_challenge=value)


def take_passkey_value(session: Session, token: object, binding: str) -> str:
    """The value that was last set, which is removed with that; empty if there is none. Raises `ChallengeOver`."""
    link = links.find(session, LinkPurpose.FACTOR, token, binding)
    if link is None:
        raise ChallengeOver
    value, link.webauthn_challenge = link.webauthn_challenge, ""
    return value


def _update(session: Session, token: object, binding: str, *which: sa.ColumnElement[bool], **values: object) -> None:
    changed = sa.update(SecretLink).where(links.is_open(LinkPurpose.FACTOR, token, binding), *which).values(values)
    if not rows_changed(session.execute(changed.execution_options(synchronize_session=False))):
        raise ChallengeOver


def _notify_owner(waiting: Waiting) -> None:
    """Mail the owner about wrong codes after a right password, at most once per day."""
    with database_errors_as_unavailable(), transaction() as session:
        notice = throttling.FACTOR_MAIL_BY_ACCOUNT
        if rate_limits.claim(session, notice.bucket, waiting.email, notice.within):
            outbox.enqueue(session, mails.WRONG_CODES(waiting.email, waiting.first_name))
