"""Staff without a browser: signs users in on a tab, reads replies, and counts database statements."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count

import sqlalchemy as sa

from sitekit.accounts.sessions.session_state import AuthState
from sitekit.base.db import database
from sitekit.base.permissions import Role
from sitekit.ui.feedback import NoticeState
from tests.support.event_client import EventClient, Reply
from tests.support.people import person, signed_in

STORED = f"{AuthState.get_full_name()}.stored_session_rx_state_"
HYDRATE = "reflex___state____state.hydrate_and_load"
_numbers = count(1)


def sign_in(tab: EventClient, role: Role | None) -> int:
    """Sign in a user of this role on the tab, or nobody; returns the user's id."""
    user_id = person(f"{role or 'nobody'}{next(_numbers)}@northstrait.example", role or Role.EMPLOYEE)
    keep(tab, signed_in(user_id).to_json() if role else "")
    return user_id


def keep(tab: EventClient, stored: object) -> Reply:
    """Send the tab's local storage with this session."""
    return tab.send(HYDRATE, vars={STORED: stored})


def redirects(reply: Reply) -> list[str]:
    """The redirects of a reply."""
    return [payload["path"] for name, payload in reply.events if name == "_redirect"]


def destinations(reply: Reply) -> list[str]:
    """The redirects of a reply without duplicates, which a page's `on_load` may cause."""
    return list(dict.fromkeys(redirects(reply)))


def texts(reply: Reply) -> list[str]:
    """The texts of the notices; those without a text only remove others."""
    return [notice["text"] for notice in reply.delta.get("notice_state.notices", []) if notice["text"]]


def kept_texts(tab: EventClient) -> list[str]:
    """The texts of the notices that the server has for a tab."""
    return [notice["text"] for notice in tab.vars(NoticeState)["notices"]]


def batches(reply: Reply) -> list[str]:
    """The batches that the notices offer to undo."""
    notices = reply.delta.get("notice_state.notices", [])
    return [notice["undo"] for notice in notices if notice["text"] and notice["undo"]]


@contextmanager
def statements() -> Iterator[list[str]]:
    """The SQL statements that are executed during the block."""
    seen: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_rest: object) -> None:
        seen.append(statement)

    engine = database.engine()
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield seen
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
