"""Hands the accounts over to the back office."""

from collections.abc import Mapping

import reflex as rx

from ..admin.user_accounts import UserAccounts, use_accounts
from . import one_use_links, owner_mails
from .people.erasing import count_erased
from .sessions import sessions
from .sessions.reauthentication_dialog import reauthentication_dialog
from .sessions.session_state import AuthState, auth_of, identify, redirect_to_sign_in, session_ticker


def connect_accounts() -> None:
    """Let the back office know its users by these accounts; called once, at start."""
    use_accounts(
        UserAccounts(
            identify=identify,
            redirect_to_sign_in=redirect_to_sign_in,
            read_again=sessions.read_again,
            issue_link=_issue_link,
            read_link=one_use_links.read,
            use_link=one_use_links.use,
            issue_pass=_issue_pass,
            use_pass=one_use_links.use_pass,
            count_erased=count_erased,
            tell_of_draft=owner_mails.tell_of_draft,
            session_ticker=lambda: session_ticker(AuthState.keep_watch),
            reauthentication_dialog=reauthentication_dialog,
            sign_out=AuthState.sign_out,
        )
    )


async def _issue_link(state: rx.State, subject: Mapping[str, str]) -> str:
    return one_use_links.issue((await auth_of(state))._access_token(), subject)


async def _issue_pass(state: rx.State, subject: Mapping[str, str]) -> str:
    return one_use_links.issue_pass((await auth_of(state))._access_token(), subject)
