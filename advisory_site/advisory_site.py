"""The app object, and PAGES: every page with its route, texts, on_load and how it is served."""

from collections.abc import Callable
from functools import partial
from typing import Any

import reflex as rx

from .accounts import texts as auth
from .accounts.auth_page import auth_page
from .accounts.auth_state import AuthPageState
from .accounts.link_pages import email_change_page, forgot_page, invitation_page, reset_page, verify_page
from .accounts.link_state import EmailChangeState, ForgotState, InvitationState, ResetState, VerifyState
from .accounts.session_state import AuthState
from .advisors import admin_texts as admin_advisors
from .advisors import json_ld as advisors_json_ld
from .advisors import texts as advisors
from .advisors.admin_form import AdvisorFormState, edit_advisor_page, new_advisor_page
from .advisors.admin_import import AdvisorImportState, advisors_import_page
from .advisors.public import AdvisorListState, AdvisorState, advisor_page, advisors_page
from .advisors.public import read_filters as read_advisor_filters
from .advisors.service import ADVISORS
from .asgi import Page, Site
from .companies import json_ld as companies_json_ld
from .companies import texts as companies
from .companies.admin_form import CompanyFormState, edit_company_page, new_company_page
from .companies.admin_import import CompanyImportState, companies_import_page
from .companies.public import CompanyListState, CompanyState, companies_page, company_page
from .companies.public import read_filters as read_company_filters
from .companies.service import COMPANIES
from .content import backoffice as admin
from .content import csv_texts, history_texts, home, how_we_work, not_found, privacy, terms, what_we_do, why_us
from .core import routes
from .dashboard import activity_texts, media_page_texts, trash_texts
from .dashboard.activity_page import ActivityState, activity_page
from .dashboard.history import HistoryState
from .dashboard.history_page import history_page
from .dashboard.media_page import media_page
from .dashboard.media_state import MediaState
from .dashboard.tabs import TabState, admin_page
from .dashboard.trash_page import TrashState, trash_page
from .dashboard.undo import UndoState
from .enquiries import admin_texts as admin_enquiries
from .enquiries import no_script_form
from .enquiries import texts as contact
from .enquiries.admin_page import EnquiryInboxState, enquiries_page
from .enquiries.contact_page import contact_page
from .enquiries.contact_state import ContactState
from .enquiries.new_count import NewEnquiriesState
from .pages.home import HomeState, home_page
from .pages.how_we_work import HowWeWorkState, how_we_work_page
from .pages.legal import privacy_page, terms_page
from .pages.member_companies import MemberCompaniesState, member_companies
from .pages.not_found import not_found_page
from .pages.what_we_do import WhatWeDoState, what_we_do_page
from .pages.why_us import WhyUsState, why_us_page
from .personal_data import texts as personal_data
from .personal_data.page import personal_data_page
from .personal_data.state import PersonalDataState
from .seo import json_ld
from .seo.json_ld import fixed_page
from .seo.sitemap import SitemapSource
from .team import json_ld as team_json_ld
from .team import texts as team
from .team.admin_import import MemberImportState, team_import_page
from .team.directory import DirectoryState, team_profiles_page
from .team.meet_page import MeetTeamState, meet_team_page
from .team.partners import PartnersState, partner_row
from .team.public import MemberState, TeamState, team_page, team_profile_page
from .team.service import MEMBERS
from .ui.feedback import on_unhandled_exception
from .ui.public.head import head_components
from .users import invitation_texts, person_texts, two_step_texts
from .users import texts as account
from .users.invitation_page import invitations_page
from .users.invitation_state import InvitationListState
from .users.passkey_state import AddPasskeyState, RenameFactorState
from .users.person_page import PersonState, person_page
from .users.profile_page import EmailState, NamesState, PasswordState, profile_page
from .users.settings_page import DeviceState, settings_page
from .users.two_step_page import two_step_page
from .users.two_step_state import AddAppState, ConfirmAppState, TwoStepState


def _staff_page(route: str, component: Callable[[], rx.Component], title: str | rx.Var[str], *on_load: Any) -> Page:
    """A page of the back office; `on_load` is done after the check of the session."""
    events = [AuthState.require_staff, *on_load, NewEnquiriesState.load]
    return Page(route, component, title, on_load=events, is_private=True)


PAGES: tuple[Page, ...] = (
    Page(
        routes.HOME,
        home_page,
        home.SEO.title,
        home.SEO.description,
        follows_content=True,
        on_load=[HomeState.load],
        meta=json_ld.home,
        queries=(routes.CONFIRMED,),
        in_sitemap=True,
    ),
    Page(
        routes.WHY_US,
        why_us_page,
        why_us.SEO.title,
        why_us.SEO.description,
        follows_content=True,
        on_load=[WhyUsState.load],
        meta=fixed_page("Why Us"),
        in_sitemap=True,
    ),
    Page(
        routes.WHAT_WE_DO,
        what_we_do_page,
        what_we_do.SEO.title,
        what_we_do.SEO.description,
        follows_content=True,
        on_load=[WhatWeDoState.load],
        meta=fixed_page("What We Do"),
        in_sitemap=True,
    ),
    Page(
        routes.HOW_WE_WORK,
        how_we_work_page,
        how_we_work.SEO.title,
        how_we_work.SEO.description,
        follows_content=True,
        on_load=[HowWeWorkState.load],
        meta=fixed_page("How We Work"),
        in_sitemap=True,
    ),
    Page(
        routes.COMPANIES,
        companies_page,
        CompanyListState.page_title,
        companies.SEO.description,
        follows_content=True,
        on_load=[CompanyListState.load],
        shows_records=True,
        filters=read_company_filters,
        meta=companies_json_ld.list_meta,
        in_sitemap=True,
    ),
    Page(
        routes.COMPANY,
        company_page,
        CompanyState.page_title,
        CompanyState.page_description,
        follows_content=True,
        on_load=[CompanyState.load],
        shows_records=True,
        meta=companies_json_ld.company_meta,
        resolve_slug=COMPANIES.resolve_slug,
    ),
    Page(
        routes.TEAM,
        team_page,
        team.SEO.title,
        team.SEO.description,
        follows_content=True,
        on_load=[TeamState.load],
        shows_records=True,
        meta=team_json_ld.list_meta,
        in_sitemap=True,
    ),
    Page(
        routes.TEAM_PROFILES,
        team_profiles_page,
        team.DIRECTORY_SEO.title,
        team.DIRECTORY_SEO.description,
        follows_content=True,
        on_load=[DirectoryState.load],
        shows_records=True,
        meta=fixed_page("Team profiles", "CollectionPage"),
        in_sitemap=True,
    ),
    Page(
        routes.TEAM_PROFILE,
        partial(team_profile_page, member_companies),
        MemberState.page_title,
        MemberState.page_description,
        follows_content=True,
        on_load=[MemberCompaniesState.load, MemberState.load],
        shows_records=True,
        meta=team_json_ld.member_meta,
        resolve_slug=MEMBERS.resolve_slug,
    ),
    Page(
        routes.MEET_OUR_TEAM,
        meet_team_page,
        team.MEET_SEO.title,
        team.MEET_SEO.description,
        follows_content=True,
        on_load=[MeetTeamState.load],
        shows_records=True,
        meta=fixed_page("Meet Our Team"),
        in_sitemap=True,
    ),
    Page(
        routes.ADVISORS,
        advisors_page,
        AdvisorListState.page_title,
        advisors.SEO.description,
        follows_content=True,
        on_load=[AdvisorListState.load],
        shows_records=True,
        filters=read_advisor_filters,
        meta=advisors_json_ld.list_meta,
        in_sitemap=True,
    ),
    Page(
        routes.ADVISOR,
        advisor_page,
        AdvisorState.page_title,
        AdvisorState.page_description,
        follows_content=True,
        on_load=[AdvisorState.load],
        shows_records=True,
        meta=advisors_json_ld.advisor_meta,
        resolve_slug=ADVISORS.resolve_slug,
    ),
    Page(
        routes.CONTACT,
        partial(contact_page, partner_row),
        contact.SEO.title,
        contact.SEO.description,
        follows_content=True,
        on_load=[ContactState.load, PartnersState.load],
        meta=fixed_page("Contact", "ContactPage"),
        in_sitemap=True,
    ),
    Page(
        routes.PRIVACY,
        privacy_page,
        privacy.SEO.title,
        privacy.SEO.description,
        meta=fixed_page("Privacy Policy"),
        in_sitemap=True,
    ),
    Page(
        routes.TERMS,
        terms_page,
        terms.SEO.title,
        terms.SEO.description,
        meta=fixed_page("Terms of Service"),
        in_sitemap=True,
    ),
    Page(routes.AUTH, auth_page, auth.SEO.title, auth.SEO.description, on_load=[AuthPageState.open], is_private=True),
    Page(
        routes.AUTH_FORGOT,
        forgot_page,
        auth.FORGOT_SEO.title,
        auth.FORGOT_SEO.description,
        on_load=[ForgotState.load],
        is_private=True,
    ),
    Page(
        routes.AUTH_RESET,
        reset_page,
        auth.RESET_SEO.title,
        auth.RESET_SEO.description,
        on_load=[ResetState.load],
        is_private=True,
    ),
    Page(
        routes.AUTH_VERIFY,
        verify_page,
        auth.VERIFY_SEO.title,
        auth.VERIFY_SEO.description,
        on_load=[VerifyState.load],
        is_private=True,
    ),
    Page(
        routes.AUTH_INVITATION,
        invitation_page,
        auth.INVITATION_SEO.title,
        auth.INVITATION_SEO.description,
        on_load=[InvitationState.load],
        is_private=True,
    ),
    Page(
        routes.AUTH_EMAIL,
        email_change_page,
        auth.EMAIL_SEO.title,
        auth.EMAIL_SEO.description,
        on_load=[EmailChangeState.load],
        is_private=True,
    ),
    _staff_page(routes.ADMIN, admin_page, TabState.title, TabState.open),
    _staff_page(routes.ADMIN_COMPANY_NEW, new_company_page, admin.COMPANY_NEW_TITLE, CompanyFormState.open),
    _staff_page(routes.ADMIN_COMPANY_EDIT, edit_company_page, admin.COMPANY_EDIT_TITLE, CompanyFormState.open),
    _staff_page(
        routes.ADMIN_PROFILE,
        profile_page,
        account.PROFILE_TITLE,
        NamesState.open,
        EmailState.open,
        PasswordState.open,
        TwoStepState.open,
    ),
    _staff_page(
        routes.ADMIN_TWO_STEP,
        two_step_page,
        two_step_texts.TITLE,
        TwoStepState.open,
        AddAppState.open,
        ConfirmAppState.open,
        AddPasskeyState.open,
        RenameFactorState.open,
    ),
    _staff_page(routes.ADMIN_INVITATIONS, invitations_page, invitation_texts.TITLE, InvitationListState.load),
    _staff_page(routes.ADMIN_PERSON, person_page, person_texts.TITLE, PersonState.open),
    _staff_page(routes.ADMIN_SETTINGS, settings_page, account.SETTINGS_TITLE, DeviceState.load),
    _staff_page(routes.ADMIN_ADVISOR_NEW, new_advisor_page, admin_advisors.ADD, AdvisorFormState.open),
    _staff_page(routes.ADMIN_ADVISOR_EDIT, edit_advisor_page, admin_advisors.EDIT_TITLE, AdvisorFormState.open),
    Page(
        routes.ADMIN_ENQUIRIES,
        enquiries_page,
        admin_enquiries.TITLE,
        on_load=[AuthState.require_staff, EnquiryInboxState.load],
        is_private=True,
    ),
    _staff_page(
        routes.ADMIN_COMPANY_IMPORT, companies_import_page, csv_texts.IMPORT_COMPANIES, CompanyImportState.open
    ),
    _staff_page(routes.ADMIN_MEMBER_IMPORT, team_import_page, csv_texts.IMPORT_MEMBERS, MemberImportState.open),
    _staff_page(routes.ADMIN_ADVISOR_IMPORT, advisors_import_page, csv_texts.IMPORT_ADVISORS, AdvisorImportState.open),
    _staff_page(routes.ADMIN_ACTIVITY, activity_page, activity_texts.TITLE, ActivityState.load),
    _staff_page(routes.ADMIN_MEDIA, media_page, media_page_texts.TITLE, MediaState.load),
    _staff_page(routes.ADMIN_PERSONAL_DATA, personal_data_page, personal_data.TITLE, PersonalDataState.open),
    _staff_page(routes.ADMIN_TRASH, trash_page, trash_texts.TITLE, TrashState.load),
    _staff_page(routes.ADMIN_HISTORY, history_page, history_texts.TITLE, HistoryState.open),
    Page("404", not_found_page, not_found.SEO.title, not_found.SEO.description),
)

app = Site(
    pages=PAGES,
    sitemap_sources=(
        SitemapSource((routes.COMPANIES,), routes.company_page, COMPANIES.list_slugs_public),
        SitemapSource((routes.TEAM, routes.TEAM_PROFILES), routes.team_profile_page, MEMBERS.list_slugs_public),
        SitemapSource((routes.ADVISORS,), routes.advisor_page, ADVISORS.list_slugs_public),
    ),
    forms={routes.CONTACT: no_script_form.send},
    undo=UndoState.undo,
    stylesheets=["/site.css"],
    reset_style=False,
    toaster=None,
    head_components=head_components(),
    backend_exception_handler=on_unhandled_exception,
)
