"""The app object, and PAGES: every route with its component, title, description and on_load."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import reflex as rx
from reflex.utils.exec import is_prod_mode

from . import routes, start
from .accounts.guard import DefaultDeny
from .advisors.public import AdvisorListState, AdvisorState, advisor_page, advisors_page
from .companies.public import CompanyListState, CompanyState, companies_page, company_page
from .content import (
    advisors,
    companies,
    contact,
    home,
    how_we_work,
    not_found,
    privacy,
    team,
    terms,
    what_we_do,
    why_us,
)
from .enquiries.contact_page import contact_page
from .enquiries.state import ContactState
from .site.home import home_page
from .site.how_we_work import how_we_work_page
from .site.legal import privacy_page, terms_page
from .site.meet_team import meet_team_page
from .site.not_found import not_found_page
from .site.what_we_do import what_we_do_page
from .site.why_us import why_us_page
from .ssr.app import RenderedApp
from .ssr.routing import Route
from .team.directory import DirectoryState, team_profiles_page
from .team.public import MemberState, TeamState, team_page, team_profile_page
from .ui.feedback import notices
from .ui.head import head_components


@dataclass(frozen=True)
class Page:
    """One route of the site."""

    route: str
    component: Callable[[], rx.Component]
    title: str | rx.Var[str]
    description: str | rx.Var[str] = ""
    on_load: Sequence[rx.event.EventType[()]] = ()


PAGES: tuple[Page, ...] = (
    Page(routes.HOME, home_page, home.SEO.title, home.SEO.description),
    Page(routes.WHY_US, why_us_page, why_us.SEO.title, why_us.SEO.description),
    Page(routes.WHAT_WE_DO, what_we_do_page, what_we_do.SEO.title, what_we_do.SEO.description),
    Page(routes.HOW_WE_WORK, how_we_work_page, how_we_work.SEO.title, how_we_work.SEO.description),
    Page(
        routes.COMPANIES,
        companies_page,
        companies.SEO.title,
        companies.SEO.description,
        on_load=[CompanyListState.load],
    ),
    Page(
        routes.COMPANY,
        company_page,
        CompanyState.page_title,
        CompanyState.page_description,
        on_load=[CompanyState.load],
    ),
    Page(routes.TEAM, team_page, team.SEO.title, team.SEO.description, on_load=[TeamState.load]),
    Page(
        routes.TEAM_PROFILES,
        team_profiles_page,
        team.DIRECTORY_SEO.title,
        team.DIRECTORY_SEO.description,
        on_load=[DirectoryState.load],
    ),
    Page(
        routes.TEAM_PROFILE,
        team_profile_page,
        MemberState.page_title,
        MemberState.page_description,
        on_load=[MemberState.load],
    ),
    Page(routes.MEET_OUR_TEAM, meet_team_page, team.MEET_SEO.title, team.MEET_SEO.description),
    Page(
        routes.ADVISORS,
        advisors_page,
        advisors.SEO.title,
        advisors.SEO.description,
        on_load=[AdvisorListState.load],
    ),
    Page(
        routes.ADVISOR,
        advisor_page,
        AdvisorState.page_title,
        AdvisorState.page_description,
        on_load=[AdvisorState.load],
    ),
    Page(
        routes.CONTACT,
        contact_page,
        contact.SEO.title,
        contact.SEO.description,
        on_load=[ContactState.load],
    ),
    Page(routes.PRIVACY, privacy_page, privacy.SEO.title, privacy.SEO.description),
    Page(routes.TERMS, terms_page, terms.SEO.title, terms.SEO.description),
    Page("404", not_found_page, not_found.SEO.title, not_found.SEO.description),
)

app = RenderedApp(
    stylesheets=["/site.css"],
    reset_style=False,
    toaster=None,
    head_components=head_components(),
)
# The connection overlay and the toasts belong to the back office, not to every public page.
app.app_wraps = {key: wrap for key, wrap in app.app_wraps.items() if key[1] == "ErrorBoundary"}
# Around all pages, so that a reply outlives the page it was given on.
app.app_wraps[1, "Notices"] = lambda stateful: rx.fragment(notices()) if stateful else None
app.add_middleware(DefaultDeny())

app.routes = [
    Route(page.route, is_live=bool(page.on_load), is_private=page.route.startswith(routes.PRIVATE)) for page in PAGES
]

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
    app.register_lifespan_task(start.prepare)
