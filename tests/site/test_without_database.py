"""Handlers of the back office while the database is lost: each says what failed."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from advisory_site.companies.admin import CompanyImportState
from advisory_site.dashboard.overview import DashboardState
from advisory_site.enquiries import admin_texts, messages
from advisory_site.enquiries.desk.list_page import EnquiryInboxState
from advisory_site.enquiries.desk.owners_page import StageOwnersState
from advisory_site.enquiries.desk.state import (
    AddAnswerState,
    AddNoteState,
    EnquiryDeskState,
    ReplyState,
    WaitState,
)
from advisory_site.team.admin import TeamTabState
from sitekit.accounts.invitations.state import InvitationListState, InviteState
from sitekit.accounts.people.person_page import PersonState
from sitekit.accounts.people.tab import UserTabState
from sitekit.accounts.personal_data.state import PersonalDataState
from sitekit.admin.operations.status import SystemStatusState
from sitekit.admin.pictures import texts as picture_texts
from sitekit.admin.pictures.state import MediaState, PictureState
from sitekit.admin.trash.page import TrashState
from sitekit.base.permissions import Role
from sitekit.records import csv_texts
from tests.conftest import on_sqlite
from tests.support.event_client import EventClient
from tests.support.record_screens import SCREENS, Screen
from tests.support.staff import sign_in, texts

# A handler, arguments that its page could send, and what it says; an empty text for what nobody asked for.
Case = tuple[Callable[..., object], dict[str, Any], str]
TYPED = {"addresses": "bo@northstrait.example", "role": "manager", "email": "ann@kelp.example"}
NOT_CHANGED = "Failed to change the records. Nothing has been changed."
# By the address of the page.
CASES: dict[str, list[Case]] = {
    "/admin": [
        (DashboardState.load, {}, ""),
        (UserTabState.load, {}, "Failed to fetch users"),
        (UserTabState.change_role, {"user_id": 1, "role": "admin"}, "Failed to update user role"),
        (UserTabState.export, {}, "Failed to export users"),
        (UserTabState.send_reset_link, {"user_id": 1}, "Failed to send the link"),
        (UserTabState.sign_out, {"user_id": 1}, "Failed to sign them out"),
        (UserTabState.deactivate, {"user_id": 1}, "Failed to deactivate the account"),
        (UserTabState.reactivate, {"user_id": 1}, "Failed to reactivate the account"),
        (TeamTabState.tick_all, {}, "Failed to fetch team members"),
        (TeamTabState.set_public, {"record_id": 1, "is_public": False}, NOT_CHANGED),
        (TeamTabState.set_ticked_public, {"is_public": False}, NOT_CHANGED),
        (TeamTabState.delete_ticked, {}, NOT_CHANGED),
        (TeamTabState.place_beside, {"record_id": 1, "beside": 2, "is_after": True}, "Failed to move the record"),
    ],
    "/admin/users/1": [
        (PersonState.send_reset_link, {"user_id": 1}, "Failed to send the link"),
        (PersonState.sign_out, {"user_id": 1}, "Failed to sign them out"),
        (PersonState.deactivate, {"user_id": 1}, "Failed to deactivate the account"),
        (PersonState.reactivate, {"user_id": 1}, "Failed to reactivate the account"),
        (PersonState.delete, {"user_id": 1}, "Failed to delete the account"),
    ],
    "/admin/invitations": [
        (InvitationListState.load, {}, "Failed to fetch invitations"),
        (InvitationListState.refresh, {}, "Failed to fetch invitations"),
        (InvitationListState.send_again, {"invitation": 1}, "Failed to send the invitation again"),
        (InvitationListState.delete, {"record_id": 1}, "Failed to revoke the invitation"),
        (InviteState.open, {}, "Failed to send the invitations"),
        (InviteState.save, {"form_data": TYPED}, "Failed to send the invitations"),
    ],
    "/admin/personal-data": [
        (PersonalDataState.save, {"form_data": TYPED}, "What is held about this address could not be read"),
        (PersonalDataState.download, {"file": "personal data as JSON"}, "The file could not be made"),
        (PersonalDataState.erase, {"typed": TYPED["email"]}, "Nothing was erased"),
    ],
    "/admin/system": [
        (SystemStatusState.load, {}, ""),
        (SystemStatusState.send_again, {"mail_id": 1}, "Failed to send again"),
        (SystemStatusState.send_all_again, {}, "Failed to send again"),
    ],
    "/admin/trash": [
        (TrashState.load, {}, "Failed to fetch the trash"),
        (TrashState.restore, {"row_id": 1}, "Failed to restore it"),
        (TrashState.delete, {"record_id": 1}, "Failed to delete it permanently"),
    ],
    "/admin/media": [
        (MediaState.load, {}, picture_texts.FAILED),
        (MediaState.refresh, {}, picture_texts.FAILED),
        (PictureState.open, {}, picture_texts.FETCH_FAILED),
        (PictureState.check, {"name": "alt", "edit": 1, "typed": {"alt": ""}}, ""),
        (PictureState.restore, {"typed": {"record": "1", "alt": "Mine"}}, ""),
        (PictureState.discard, {}, ""),
        (PictureState.find_others, {"text": "harbour"}, picture_texts.OTHERS_FAILED),
        (PictureState.replace, {"picture": 1, "other": 2}, picture_texts.REPLACE_FAILED),
        (PictureState.delete, {"picture": 1}, picture_texts.DELETE_FAILED),
        (PictureState.save, {"form_data": {"record": "1", "alt": "Ann at her desk"}}, picture_texts.SAVE_FAILED),
    ],
    "/admin/companies/import": [
        (CompanyImportState.open, {}, csv_texts.IMPORT_FAILED),
        (CompanyImportState.close, {}, csv_texts.IMPORT_FAILED),
        (CompanyImportState.begin, {"name": "a.csv", "pieces": 1}, csv_texts.IMPORT_FAILED),
        (CompanyImportState.add_piece, {"number": 0, "piece": "TmFtZQo="}, csv_texts.IMPORT_FAILED),
        (CompanyImportState.set_column, {"index": 0, "target": "name"}, csv_texts.IMPORT_FAILED),
        (CompanyImportState.show_rows, {"category": "new", "page": 1}, csv_texts.IMPORT_FAILED),
        (CompanyImportState.import_records, {}, csv_texts.IMPORT_FAILED),
    ],
    "/admin/enquiries": [
        (EnquiryInboxState.load, {}, messages.ENQUIRIES_FETCH_FAILED),
        (EnquiryInboxState.export, {}, admin_texts.EXPORT.failed),
        (StageOwnersState.open, {}, messages.STAGE_OWNERS_FETCH_FAILED),
        (StageOwnersState.save, {"form_data": {"pmf": "1"}}, messages.STAGE_OWNERS_FAILED),
    ],
    "/admin/enquiries/1": [
        (EnquiryDeskState.open, {}, messages.ENQUIRY_FETCH_FAILED),
        (EnquiryDeskState.take, {"enquiry_id": 1, "seen_owner": 0}, messages.ENQUIRY_UPDATE_FAILED),
        (
            EnquiryDeskState.assign,
            {"enquiry_id": 1, "seen_owner": 0, "form_data": {"owner": "1"}},
            messages.ENQUIRY_UPDATE_FAILED,
        ),
        (EnquiryDeskState.set_handled, {"enquiry_id": 1, "is_handled": True}, messages.ENQUIRY_UPDATE_FAILED),
        (EnquiryDeskState.set_spam, {"enquiry_id": 1, "is_spam": True}, messages.ENQUIRY_UPDATE_FAILED),
        (EnquiryDeskState.send_again, {"entry_id": 1}, messages.REPLY_FAILED),
        (EnquiryDeskState.remove, {"entry_id": 1}, messages.REMOVE_FAILED),
        (EnquiryDeskState.delete, {"enquiry_id": 1}, messages.ENQUIRY_DELETE_FAILED),
        (ReplyState.save, {"form_data": {"record": "1", "version": "0", "reply": "Dear Ann"}}, messages.REPLY_FAILED),
        (AddNoteState.save, {"form_data": {"record": "1", "note": "Call her"}}, messages.NOTE_FAILED),
        (AddAnswerState.save, {"form_data": {"record": "1", "answer": "Fine"}}, messages.ANSWER_FAILED),
        (WaitState.save, {"form_data": {"record": "1", "until": ""}}, messages.ENQUIRY_UPDATE_FAILED),
    ],
}


def of(screen: Screen) -> list[Case]:
    """The handlers of the list and the form of a record type."""
    sentences = screen.sample.record_type.texts
    return [
        (screen.tab.load, {}, sentences.list_failed),
        (screen.tab.delete, {"record_id": 1}, sentences.delete_failed),
        (screen.tab.export, {}, screen.tab.csv.texts.failed),
        (screen.form.open, {}, sentences.fetch_failed),
        (screen.form.save, {"form_data": {}}, sentences.create_failed),
        (screen.form.check, {"name": "slug", "edit": 1, "typed": {"slug": "a"}}, ""),
    ]


@on_sqlite
@pytest.mark.spec("CON-6", "ENQ-1", "INV-1", "ACC-2", "ACC-4", "TRASH-1", "IMG-4", "LIST-7")
def test_each_handler_says_what_failed_without_a_database(
    tab: EventClient, database_away: AbstractContextManager[None]
) -> None:
    sign_in(tab, Role.ADMIN)
    screens = ((screen.at()["path"], of(screen)) for screen in SCREENS.values())
    wrong = []
    with database_away:
        for path, cases in (*CASES.items(), *screens):
            query = {"id": path.rpartition("/")[2]}
            for handler, payload, sentence in cases:
                reply = tab.send(handler, path=path, query=query, **payload)
                said = texts(reply)[-1:]
                if reply.errors or said != ([sentence] if sentence else []):
                    wrong.append(f"{handler}: {said}, {reply.errors}")
        assert tab.vars(SystemStatusState)["has_failed"] is True
        assert tab.send(PersonState.open, path="/admin/users/1", query={"id": "1"}).var("person_state.problem")
    assert not wrong, "\n".join(wrong)
