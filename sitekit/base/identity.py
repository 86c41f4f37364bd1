"""The signed-in user of a request."""

from dataclasses import dataclass
from datetime import datetime

from .db.database import now
from .permissions import Actor, Role


@dataclass(frozen=True)
class User:
    """A user as their own screens show them."""

    id: int
    email: str
    first_name: str
    last_name: str
    role: Role


@dataclass(frozen=True)
class Identity:
    """The user and session of a request, as the database has them now."""

    user: User
    session_id: str
    proved_at: datetime | None = None
    factor_due: datetime | None = None  # when the days of grace for a second factor end; None if none is missing
    has_password: bool = True  # without one, the person signs in by passkey alone
    has_passkey: bool = False

    @property
    def must_add_factor(self) -> bool:
        """Whether the person has to set up a second factor before anything else."""
        return self.factor_due is not None and self.factor_due <= now()

    @property
    def actor(self) -> Actor:
        """The actor that services expect."""
        return Actor(self.user.id, self.user.role, self.proved_at)
