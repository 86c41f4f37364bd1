"""Staff without a browser: a tab that somebody of a role is signed in on, and a count of what the database is asked."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import sqlalchemy as sa

from advisory_site.accounts.session_state import AuthState
from advisory_site.core.permissions import Role
from advisory_site.db import database
from tests.support.event_client import Reply, Tab
from tests.support.people import person, signed_in

STORED = f"{AuthState.get_full_name()}.stored_session_rx_state_"
HYDRATE = "reflex___state____state.hydrate_and_load"
_numbers = count(1)


def sign_in(tab: Tab, role: Role | None) -> int:
    """Let somebody of this role, or nobody, sit at the tab; returns the user's id."""
    user_id = person(f"{role or 'nobody'}{next(_numbers)}@northstrait.example", role or Role.EMPLOYEE)
    keep(tab, signed_in(user_id).to_json() if role else "")
    return user_id


def keep(tab: Tab, stored: object) -> Reply:
    """Let the tab come with this in its local storage."""
    return tab.send(HYDRATE, vars={STORED: stored})


def redirects(reply: Reply) -> list[str]:
    """Where the browser is sent."""
    return [payload["path"] for name, payload in reply.events if name == "_redirect"]


def destinations(reply: Reply) -> list[str]:
    """The same, each address once; a page's own `on_load` may send there again."""
    return list(dict.fromkeys(redirects(reply)))


def texts(reply: Reply) -> list[str]:
    """What the person reads."""
    return [notice["text"] for notice in reply.delta.get("notice_state.notices", [])]


@contextmanager
def statements() -> Iterator[list[str]]:
    """The statements that reach the database while the block runs."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    engine = database.engine()
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
