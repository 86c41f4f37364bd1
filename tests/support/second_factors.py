"""Second factors without a phone: apps whose secret the test knows, and their codes."""

import pyotp

from advisory_site.accounts import codes, recovery_codes, secrets_at_rest, sessions
from advisory_site.accounts.models import AuthFactor, FactorKind
from advisory_site.accounts.sessions import Identity
from advisory_site.db.database import now, transaction
from advisory_site.observability.audit_log import Act
from advisory_site.records import activity


def add_app(user_id: int, name: str = "Phone") -> str:
    """Store an app of a user that counts; returns its secret."""
    secret = codes.new_secret()
    with transaction() as session:
        app = AuthFactor(user_id=user_id, kind=FactorKind.APP, name=name, secret=secrets_at_rest.encrypt(secret))
        app.confirmed_at = now()
        session.add(app)
    return secret


def code_of(secret: str, steps: int = 0) -> str:
    """The code that the app shows now, or showed or will show some steps away."""
    return pyotp.TOTP(secret).generate_otp(codes.present_step() + steps)


def wrong_code(secret: str) -> str:
    """A code that the app shows at no time near the present."""
    near = {code_of(secret, steps) for steps in range(-5, 6)}
    return next(code for code in (f"{number:06}" for number in range(20)) if code not in near)


def add_recovery_codes(user_id: int) -> tuple[str, ...]:
    """New recovery codes of a user."""
    with transaction() as session:
        activity.note(session, Act.RECOVERY_CODES_MADE, by=user_id)
        return recovery_codes.replace(session, user_id)


def identity_with_factor(user_id: int) -> Identity:
    """The identity of a new session that began with a second factor."""
    with transaction() as session:
        issued = sessions.begin(session, user_id, "a test", has_factor=True)
        return sessions.identify(session, issued.access_token)
