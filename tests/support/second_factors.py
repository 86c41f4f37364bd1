"""Second factors without a phone: apps whose secret the test knows, and their codes."""

from sitekit.accounts import secrets_at_rest
from sitekit.accounts.factors import codes, recovery_codes
from sitekit.accounts.models import AuthFactor, FactorKind
from sitekit.accounts.sessions import sessions
from sitekit.base.db.database import now, transaction
from sitekit.base.identity import Identity
from sitekit.base.observability.audit_log import AuditEvent
from sitekit.records import activity


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
    return codes.code_at(secret, codes.present_step() + steps)


def wrong_code(secret: str) -> str:
    """A code that the app shows at no time near the present."""
    near = {code_of(secret, steps) for steps in range(-5, 6)}
    return next(code for code in (f"{number:06}" for number in range(20)) if code not in near)


def add_recovery_codes(user_id: int) -> tuple[str, ...]:
    """New recovery codes of a user."""
    with transaction() as session:
        activity.log(session, AuditEvent.RECOVERY_CODES_MADE, by=user_id)
        return recovery_codes.replace(session, user_id)


def identity_with_factor(user_id: int) -> Identity:
    """The identity of a new session that began with a second factor."""
    with transaction() as session:
        issued = sessions.begin(session, user_id, "a test", has_factor=True)
        return sessions.identify(session, issued.access_token)
