"""The pages of signing in, and those that every back office has."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import reflex as rx

from ..accounts import texts as auth
from ..accounts.email.link_pages import email_change_page, forgot_page, invitation_page, reset_page, verify_page
from ..accounts.email.link_state import EmailChangeState, ForgotState, InvitationState, ResetState, VerifyState
from ..accounts.factors import texts as two_step_texts
from ..accounts.factors.page import two_step_page
from ..accounts.factors.passkey_setup import AddPasskeyState, RenameFactorState
from ..accounts.factors.state import AddAppState, ConfirmAppState, TwoStepState
from ..accounts.invitations import texts as invitation_texts
from ..accounts.invitations.page import invitations_page
from ..accounts.invitations.state import InvitationListState
from ..accounts.people import texts as account
from ..accounts.people.person_page import PersonState, person_page, person_title
from ..accounts.people.profile_page import EmailState, NamesState, PasswordState, profile_page
from ..accounts.personal_data import texts as personal_data
from ..accounts.personal_data.page import personal_data_page
from ..accounts.personal_data.state import PersonalDataState
from ..accounts.sessions.auth_page import auth_page
from ..accounts.sessions.auth_state import AuthPageState
from ..accounts.sessions.session_state import AuthState
from ..accounts.sessions.settings_page import DeviceState, settings_page
from ..admin import texts as admin_texts
from ..admin.activity import texts as activity_texts
from ..admin.activity.page import ActivityState, activity_page
from ..admin.csv.import_page import import_page
from ..admin.csv.import_state import ImportState
from ..admin.drafts import preview_texts
from ..admin.drafts.preview_page import preview_page
from ..admin.drafts.preview_state import PreviewState
from ..admin.form_state import FormState
from ..admin.history.page import history_page
from ..admin.history.state import HistoryState
from ..admin.pictures import texts as media_page_texts
from ..admin.pictures.page import media_page
from ..admin.pictures.state import MediaState
from ..admin.record_fields import edit_record_page, form_title, new_record_page
from ..admin.record_labels import add_label, edit_label, import_label
from ..admin.trash import texts as trash_texts
from ..admin.trash.page import TrashState, trash_page
from ..base import paths
from ..records import history_texts
from .handbook import help_page
from .page import Page


def staff_page(
    route: str,
    component: Callable[[], rx.Component],
    title: str | rx.Var[str],
    *on_load: Any,
    on_every_page: Sequence[Any] = (),
    queries: tuple[str, ...] = (),
) -> Page:
    """A page of the back office; `on_load` is done after the check of the session, then what every page does.

    Each of `queries` is one with which its frame looks different.
    """
    events = [AuthState.require_staff, *on_load, *on_every_page]
    return Page(route, component, title, on_load=events, is_private=True, queries=queries)


def record_pages(
    import_state: type[ImportState], form_state: type[FormState] | None = None, *, on_every_page: Sequence[Any] = ()
) -> tuple[Page, ...]:
    """The import of a record type, and the pages of its form, unless that is a dialog of the list."""
    page = partial(staff_page, on_every_page=on_every_page)
    record_type = import_state.record_type
    title = import_label(record_type)
    pages = (page(record_type.staff_pages.import_page, partial(import_page, import_state), title, import_state.open),)
    if form_state is None:
        return pages
    new, edit = partial(new_record_page, form_state), partial(edit_record_page, form_state)
    edit_route = record_type.staff_pages.edit_page("[slug]" if record_type.is_edited_by_slug else "[id]")
    return (
        page(record_type.staff_pages.new_page, new, form_title(form_state, add_label(record_type)), form_state.open),
        page(edit_route, edit, form_title(form_state, edit_label(record_type)), form_state.open),
        *pages,
    )


SIGN_IN_PAGES = (
    Page(paths.AUTH, auth_page, auth.SEO.title, auth.SEO.description, on_load=[AuthPageState.open], is_private=True),
    Page(
        paths.AUTH_FORGOT,
        forgot_page,
        auth.FORGOT_SEO.title,
        auth.FORGOT_SEO.description,
        on_load=[ForgotState.load],
        is_private=True,
    ),
    Page(
        paths.AUTH_RESET,
        reset_page,
        auth.RESET_SEO.title,
        auth.RESET_SEO.description,
        on_load=[ResetState.load],
        is_private=True,
    ),
    Page(
        paths.AUTH_VERIFY,
        verify_page,
        auth.VERIFY_SEO.title,
        auth.VERIFY_SEO.description,
        on_load=[VerifyState.load],
        is_private=True,
    ),
    Page(
        paths.AUTH_INVITATION,
        invitation_page,
        auth.INVITATION_SEO.title,
        auth.INVITATION_SEO.description,
        on_load=[InvitationState.load],
        is_private=True,
    ),
    Page(
        paths.AUTH_EMAIL,
        email_change_page,
        auth.EMAIL_SEO.title,
        auth.EMAIL_SEO.description,
        on_load=[EmailChangeState.load],
        is_private=True,
    ),
)


def office_pages(*on_every_page: Any) -> tuple[Page, ...]:
    """The pages of a back office other than those of its records."""

    page = partial(staff_page, on_every_page=on_every_page)
    return (
        page(
            paths.ADMIN_PROFILE,
            profile_page,
            account.PROFILE_TITLE,
            NamesState.open,
            EmailState.open,
            PasswordState.open,
            TwoStepState.open,
        ),
        page(
            paths.ADMIN_TWO_STEP,
            two_step_page,
            two_step_texts.TITLE,
            TwoStepState.open,
            AddAppState.open,
            ConfirmAppState.open,
            AddPasskeyState.open,
            RenameFactorState.open,
        ),
        page(paths.ADMIN_INVITATIONS, invitations_page, invitation_texts.TITLE, InvitationListState.load),
        page(paths.ADMIN_PERSON, person_page, person_title(), PersonState.open),
        page(paths.ADMIN_SETTINGS, settings_page, account.SETTINGS_TITLE, DeviceState.load),
        page(paths.ADMIN_ACTIVITY, activity_page, activity_texts.TITLE, ActivityState.load),
        page(paths.ADMIN_MEDIA, media_page, media_page_texts.TITLE, MediaState.load),
        page(paths.ADMIN_PERSONAL_DATA, personal_data_page, personal_data.TITLE, PersonalDataState.open),
        page(paths.ADMIN_HELP, help_page, admin_texts.HELP),
        page(paths.ADMIN_TRASH, trash_page, trash_texts.TITLE, TrashState.load),
        page(paths.ADMIN_PREVIEW, preview_page, preview_texts.TITLE, PreviewState.open),
        page(paths.ADMIN_HISTORY, history_page, history_texts.TITLE, HistoryState.open),
    )
