"""The app object, and PAGES: every route with its component, title, description and on_load."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex.utils.exec import is_prod_mode

from .accounts import texts as auth
from .accounts.auth_page import auth_page
from .accounts.auth_state import AuthPageState
from .accounts.bindings import SessionBinding, forget_connection
from .accounts.connections import connections
from .accounts.guard import DefaultDeny
from .accounts.link_pages import forgot_page, reset_page, verify_page
from .accounts.link_state import ForgotState, ResetState, VerifyState
from .accounts.session_state import AuthState
from .advisors import admin_texts as admin_advisors
from .advisors import json_ld as advisors_json_ld
from .advisors import service as advisors_service
from .advisors import texts as advisors
from .advisors.admin_form import AdvisorFormState, edit_advisor_page, new_advisor_page
from .advisors.public import AdvisorListState, AdvisorState, advisor_page, advisors_page
from .companies import json_ld as companies_json_ld
from .companies import service as companies_service
from .companies import texts as companies
from .companies.admin_form import CompanyFormState, edit_company_page, new_company_page
from .companies.public import CompanyListState, CompanyState, companies_page, company_page
from .content import backoffice as admin
from .content import home, how_we_work, not_found, privacy, terms, what_we_do, why_us
from .core import routes
from .dashboard.tabs import TabState, admin_page
from .enquiries import admin_texts as admin_enquiries
from .enquiries import no_script_form
from .enquiries import texts as contact
from .enquiries.admin_page import EnquiryInboxState, enquiries_page
from .enquiries.contact_page import contact_page
from .enquiries.contact_state import ContactState
from .http.socket_limits import SocketLimits
from .mail import outbox
from .observability.log_redaction import install_log_redaction
from .ops import retention, serve
from .pages.home import home_page
from .pages.how_we_work import how_we_work_page
from .pages.legal import privacy_page, terms_page
from .pages.not_found import not_found_page
from .pages.what_we_do import what_we_do_page
from .pages.why_us import why_us_page
from .seo import json_ld
from .seo.json_ld import fixed_page
from .seo.meta_tags import PageMetaBuilder
from .seo.sitemap import Records
from .ssr.app import RenderedApp
from .ssr.routing import Locate, Route
from .team import json_ld as team_json_ld
from .team import service as team_service
from .team import texts as team
from .team.directory import DirectoryState, team_profiles_page
from .team.meet_page import meet_team_page
from .team.public import MemberState, TeamState, team_page, team_profile_page
from .ui.feedback import notices, on_unhandled_exception
from .ui.public.head import head_components
from .users import texts as account
from .users.profile_page import NamesState, PasswordState, profile_page
from .users.settings_page import DeviceState, settings_page


@dataclass(frozen=True)
class Page:
    """One route of the site."""

    route: str
    component: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str | rx.Var[str] = ""
    on_load: Sequence[Any] = ()
    shows_records: bool = False
    meta: PageMetaBuilder | None = None
    locate: Locate | None = None
    queries: tuple[str, ...] = ()


PAGES: tuple[Page, ...] = (
    Page(
        routes.HOME,
        home_page,
        home.SEO.title,
        home.SEO.description,
        meta=json_ld.home,
        queries=(routes.CONFIRMED,),
    ),
    Page(routes.WHY_US, why_us_page, why_us.SEO.title, why_us.SEO.description, meta=fixed_page("Why Us")),
    Page(
        routes.WHAT_WE_DO,
        what_we_do_page,
        what_we_do.SEO.title,
        what_we_do.SEO.description,
        meta=fixed_page("What We Do"),
    ),
    Page(
        routes.HOW_WE_WORK,
        how_we_work_page,
        how_we_work.SEO.title,
        how_we_work.SEO.description,
        meta=fixed_page("How We Work"),
    ),
    Page(
        routes.COMPANIES,
        companies_page,
        companies.SEO.title,
        companies.SEO.description,
        on_load=[CompanyListState.load],
        shows_records=True,
        meta=companies_json_ld.list_meta,
    ),
    Page(
        routes.COMPANY,
        company_page,
        CompanyState.page_title,
        CompanyState.page_description,
        on_load=[CompanyState.load],
        shows_records=True,
        meta=companies_json_ld.company_meta,
        locate=companies_service.locate,
    ),
    Page(
        routes.TEAM,
        team_page,
        team.SEO.title,
        team.SEO.description,
        on_load=[TeamState.load],
        shows_records=True,
        meta=team_json_ld.list_meta,
    ),
    Page(
        routes.TEAM_PROFILES,
        team_profiles_page,
        team.DIRECTORY_SEO.title,
        team.DIRECTORY_SEO.description,
        on_load=[DirectoryState.load],
        shows_records=True,
        meta=fixed_page("Team profiles", "CollectionPage"),
    ),
    Page(
        routes.TEAM_PROFILE,
        team_profile_page,
        MemberState.page_title,
        MemberState.page_description,
        on_load=[MemberState.load],
        shows_records=True,
        meta=team_json_ld.member_meta,
        locate=team_service.locate,
    ),
    Page(
        routes.MEET_OUR_TEAM,
        meet_team_page,
        team.MEET_SEO.title,
        team.MEET_SEO.description,
        meta=fixed_page("Meet Our Team"),
    ),
    Page(
        routes.ADVISORS,
        advisors_page,
        advisors.SEO.title,
        advisors.SEO.description,
        on_load=[AdvisorListState.load],
        shows_records=True,
        meta=advisors_json_ld.list_meta,
    ),
    Page(
        routes.ADVISOR,
        advisor_page,
        AdvisorState.page_title,
        AdvisorState.page_description,
        on_load=[AdvisorState.load],
        shows_records=True,
        meta=advisors_json_ld.advisor_meta,
        locate=advisors_service.locate,
    ),
    Page(
        routes.CONTACT,
        contact_page,
        contact.SEO.title,
        contact.SEO.description,
        on_load=[ContactState.load],
        meta=fixed_page("Contact", "ContactPage"),
    ),
    Page(routes.PRIVACY, privacy_page, privacy.SEO.title, privacy.SEO.description, meta=fixed_page("Privacy Policy")),
    Page(routes.TERMS, terms_page, terms.SEO.title, terms.SEO.description, meta=fixed_page("Terms of Service")),
    Page(routes.AUTH, auth_page, auth.SEO.title, auth.SEO.description, on_load=[AuthPageState.open]),
    Page(
        routes.AUTH_FORGOT,
        forgot_page,
        auth.FORGOT_SEO.title,
        auth.FORGOT_SEO.description,
        on_load=[ForgotState.load],
    ),
    Page(
        routes.AUTH_RESET,
        reset_page,
        auth.RESET_SEO.title,
        auth.RESET_SEO.description,
        on_load=[ResetState.load],
    ),
    Page(
        routes.AUTH_VERIFY,
        verify_page,
        auth.VERIFY_SEO.title,
        auth.VERIFY_SEO.description,
        on_load=[VerifyState.load],
    ),
    Page(routes.ADMIN, admin_page, TabState.title, on_load=[AuthState.require_staff, TabState.open]),
    Page(
        routes.ADMIN_COMPANY_NEW,
        new_company_page,
        admin.COMPANY_NEW_TITLE,
        on_load=[AuthState.require_staff, CompanyFormState.open],
    ),
    Page(
        routes.ADMIN_COMPANY_EDIT,
        edit_company_page,
        admin.COMPANY_EDIT_TITLE,
        on_load=[AuthState.require_staff, CompanyFormState.open],
    ),
    Page(
        routes.ADMIN_PROFILE,
        profile_page,
        account.PROFILE_TITLE,
        on_load=[AuthState.require_staff, NamesState.open, PasswordState.open],
    ),
    Page(
        routes.ADMIN_SETTINGS,
        settings_page,
        account.SETTINGS_TITLE,
        on_load=[AuthState.require_staff, DeviceState.load],
    ),
    Page(
        routes.ADMIN_ADVISOR_NEW,
        new_advisor_page,
        admin_advisors.ADD,
        on_load=[AuthState.require_staff, AdvisorFormState.open],
    ),
    Page(
        routes.ADMIN_ADVISOR_EDIT,
        edit_advisor_page,
        admin_advisors.EDIT_TITLE,
        on_load=[AuthState.require_staff, AdvisorFormState.open],
    ),
    Page(
        routes.ADMIN_ENQUIRIES,
        enquiries_page,
        admin_enquiries.TITLE,
        on_load=[AuthState.require_staff, EnquiryInboxState.load],
    ),
    Page("404", not_found_page, not_found.SEO.title, not_found.SEO.description),
)

app = RenderedApp(
    stylesheets=["/site.css"],
    reset_style=False,
    toaster=None,
    head_components=head_components(),
    api_transformer=[SocketLimits],
    backend_exception_handler=on_unhandled_exception,
)
install_log_redaction()
# In place of Reflex's connection overlay and toasts, the back office has its own bar and replies.
app.app_wraps = {key: wrap for key, wrap in app.app_wraps.items() if key[1] == "ErrorBoundary"}
# Around all pages, so that a reply outlives the page it was given on.
app.app_wraps[1, "Notices"] = lambda stateful: rx.fragment(notices()) if stateful else None
app.add_middleware(DefaultDeny())
app.add_middleware(SessionBinding(app.gate))
app.tabs.left.append(forget_connection)
app.is_signed_in = connections.is_signed_in

app.routes = [
    Route(
        page.route,
        is_live=bool(page.on_load),
        shows_records=page.shows_records,
        is_private=page.route.startswith(routes.PRIVATE),
        meta=page.meta,
        locate=page.locate,
        queries=page.queries,
    )
    for page in PAGES
]
app.records = (
    Records((routes.COMPANIES,), routes.company_page, companies_service.list_slugs_public),
    Records((routes.TEAM, routes.TEAM_PROFILES), routes.team_profile_page, team_service.list_slugs_public),
    Records((routes.ADVISORS,), routes.advisor_page, advisors_service.list_slugs_public),
)
app.forms = {routes.CONTACT: no_script_form.send}

for page in PAGES:
    app.add_page(
        page.component,
        route=page.route,
        title=page.title,
        description=page.description,
        on_load=list(page.on_load),
    )

if not is_prod_mode():
    # `reflex run` on a fresh clone finds a database with the demo firm in it, as `make run` does.
    app.register_lifespan_task(serve.prepare)

# Every process runs both workers: the database gives each message to one of them, and a deleted row is gone for all.
app.register_lifespan_task(outbox.outbox_worker)
app.register_lifespan_task(retention.retention_worker)
