"""The app object, and PAGES: every page with its route, texts, on_load and how it is served."""

from functools import partial

from sitekit.accounts.back_office import connect_accounts
from sitekit.admin import office
from sitekit.admin.page_texts import screen_texts as page_texts
from sitekit.admin.page_texts.page import page_texts_page, page_texts_title, texts_page
from sitekit.admin.page_texts.service import read_changed
from sitekit.admin.page_texts.state import TextFormState, TextImportState, TextPagesState
from sitekit.app.office_pages import SIGN_IN_PAGES, office_pages, record_pages, staff_page
from sitekit.app.page import Page, public_list_page, public_page, public_record_page
from sitekit.app.site_app import SiteApp
from sitekit.base import paths
from sitekit.records import features
from sitekit.server.seo.sitemap import SitemapSource

from . import routes
from .advisors import json_ld as advisors_json_ld
from .advisors.admin import AdvisorFormState, AdvisorImportState
from .advisors.public import AdvisorListState, AdvisorState, advisor_page, advisors_page
from .advisors.service import ADVISORS
from .articles.admin import ArticleFormState, ArticleImportState
from .articles.public import ArticleListState, ArticleState, article_meta, article_page, insights_page, read_feed
from .articles.public import list_meta as article_list_meta
from .articles.related import CasesState, RelatedState, author_articles, case_link, company_articles
from .articles.service import ARTICLES
from .companies import json_ld as companies_json_ld
from .companies.admin import CompanyFormState, CompanyImportState
from .companies.public import CompanyListState, CompanyState, companies_page, company_page
from .companies.service import COMPANIES
from .components import json_ld
from .content import home, how_we_work, layout, not_found, privacy, terms, what_we_do, why_us
from .dashboard.office import OFFICE
from .dashboard.tabs import TAB_QUERIES, TabState, admin_page, admin_title
from .enquiries import admin_texts as admin_enquiries
from .enquiries import desk_texts
from .enquiries import texts as contact
from .enquiries.contact import no_script_form
from .enquiries.contact.page import contact_page
from .enquiries.contact.state import ContactState
from .enquiries.desk.clock import enquiry_clock
from .enquiries.desk.list_page import EnquiryInboxState, enquiries_page
from .enquiries.desk.new_count import NewEnquiriesState
from .enquiries.desk.owners_page import StageOwnersState, owners_page
from .enquiries.desk.page import enquiry_page, enquiry_title
from .enquiries.desk.state import AddAnswerState, AddNoteState, EnquiryDeskState, ReplyState, WaitState
from .exports import EXPORTS
from .features import FEATURES
from .pages.case_opening import CaseOpeningState, case_opening
from .pages.home import HomeState, home_page
from .pages.how_we_work import HowWeWorkState, how_we_work_page
from .pages.legal import privacy_page, terms_page
from .pages.member_companies import MemberCompaniesState, member_companies
from .pages.not_found import not_found_page
from .pages.server_error import server_error_page
from .pages.what_we_do import WhatWeDoState, what_we_do_page
from .pages.why_us import WhyUsState, why_us_page
from .team import json_ld as team_json_ld
from .team import texts as team
from .team.admin import MemberImportState
from .team.directory import DirectoryState, team_profiles_page
from .team.founder import FounderState, letter_writer
from .team.meet_page import MeetTeamState, meet_team_page
from .team.partners import PartnersState, partner_row, who_replies
from .team.public import MemberState, TeamState, team_page, team_profile_page
from .team.service import MEMBERS

ON_EVERY_PAGE = (NewEnquiriesState.load,)


PAGES: tuple[Page, ...] = (
    public_page(
        paths.HOME,
        home_page,
        home.SEO,
        HomeState.load,
        label="Home",
        meta=json_ld.PAGE_GRAPH.home,
        queries=(paths.CONFIRMED,),
    ),
    public_page(
        routes.WHY_US,
        why_us_page,
        why_us.SEO,
        WhyUsState.load,
        label="Why Us",
        meta=json_ld.PAGE_GRAPH.fixed_page("Why Us"),
    ),
    public_page(
        routes.WHAT_WE_DO,
        what_we_do_page,
        what_we_do.SEO,
        WhatWeDoState.load,
        label="What We Do",
        meta=json_ld.PAGE_GRAPH.fixed_page("What We Do"),
    ),
    public_page(
        routes.HOW_WE_WORK,
        how_we_work_page,
        how_we_work.SEO,
        HowWeWorkState.load,
        label="How We Work",
        meta=json_ld.PAGE_GRAPH.fixed_page("How We Work"),
    ),
    public_list_page(
        routes.COMPANIES,
        partial(companies_page, case_link),
        CompanyListState,
        CasesState.load,
        label="Companies",
        meta=companies_json_ld.list_meta,
    ),
    public_record_page(
        routes.COMPANY,
        partial(company_page, case_link, company_articles),
        CompanyState,
        CasesState.load,
        RelatedState.load_about_company,
        label="Company pages",
        meta=companies_json_ld.company_meta,
    ),
    public_page(
        routes.TEAM,
        team_page,
        team.SEO,
        TeamState.load,
        label="Team",
        shows_records=True,
        meta=team_json_ld.list_meta,
    ),
    public_list_page(
        routes.TEAM_PROFILES,
        team_profiles_page,
        DirectoryState,
        label="Team profiles",
        meta=json_ld.PAGE_GRAPH.fixed_page("Team profiles", "CollectionPage"),
    ),
    public_record_page(
        routes.TEAM_PROFILE,
        partial(team_profile_page, member_companies, author_articles),
        MemberState,
        MemberCompaniesState.load,
        RelatedState.load_by_author,
        label="Team member pages",
        meta=team_json_ld.member_meta,
    ),
    public_page(
        routes.MEET_OUR_TEAM,
        meet_team_page,
        team.MEET_SEO,
        MeetTeamState.load,
        label="Meet Our Team",
        shows_records=True,
        meta=json_ld.PAGE_GRAPH.fixed_page("Meet Our Team"),
    ),
    public_list_page(
        routes.ADVISORS,
        partial(advisors_page, letter_writer),
        AdvisorListState,
        FounderState.load,
        label="Advisors",
        meta=advisors_json_ld.list_meta,
    ),
    public_record_page(
        routes.ADVISOR,
        partial(advisor_page, author_articles),
        AdvisorState,
        RelatedState.load_by_author,
        label="Advisor pages",
        meta=advisors_json_ld.advisor_meta,
    ),
    public_list_page(
        routes.INSIGHTS,
        insights_page,
        ArticleListState,
        label="Insights",
        in_sitemap=False,
        meta=article_list_meta,
    ),
    public_record_page(
        routes.INSIGHT,
        partial(article_page, case_opening),
        ArticleState,
        CaseOpeningState.load,
        label="Article pages",
        meta=article_meta,
    ),
    public_page(
        routes.CONTACT,
        partial(contact_page, partner_row, who_replies),
        contact.SEO,
        ContactState.load,
        PartnersState.load,
        label="Contact",
        meta=json_ld.PAGE_GRAPH.fixed_page("Contact", "ContactPage"),
    ),
    public_page(paths.PRIVACY, privacy_page, privacy.SEO, meta=json_ld.PAGE_GRAPH.fixed_page("Privacy Policy")),
    public_page(routes.TERMS, terms_page, terms.SEO, meta=json_ld.PAGE_GRAPH.fixed_page("Terms of Service")),
    *SIGN_IN_PAGES,
    staff_page(paths.ADMIN, admin_page, admin_title(), TabState.open, on_every_page=ON_EVERY_PAGE, queries=TAB_QUERIES),
    # Its list counts the new ones itself.
    staff_page(routes.ADMIN_ENQUIRIES, enquiries_page, admin_enquiries.TITLE, EnquiryInboxState.load),
    staff_page(
        routes.ADMIN_STAGE_OWNERS,
        owners_page,
        desk_texts.OWNERS_TITLE,
        StageOwnersState.open,
        on_every_page=ON_EVERY_PAGE,
    ),
    staff_page(
        routes.ADMIN_ENQUIRY,
        enquiry_page,
        enquiry_title(),
        EnquiryDeskState.open,
        ReplyState.open,
        AddNoteState.open,
        AddAnswerState.open,
        WaitState.open,
        on_every_page=ON_EVERY_PAGE,
    ),
    staff_page(paths.ADMIN_TEXTS, texts_page, page_texts.TITLE, TextPagesState.load, on_every_page=ON_EVERY_PAGE),
    staff_page(
        paths.ADMIN_PAGE_TEXTS, page_texts_page, page_texts_title(), TextFormState.open, on_every_page=ON_EVERY_PAGE
    ),
    *record_pages(TextImportState, on_every_page=ON_EVERY_PAGE),
    *record_pages(CompanyImportState, CompanyFormState, on_every_page=ON_EVERY_PAGE),
    *record_pages(MemberImportState, on_every_page=ON_EVERY_PAGE),
    *record_pages(AdvisorImportState, AdvisorFormState, on_every_page=ON_EVERY_PAGE),
    *record_pages(ArticleImportState, ArticleFormState, on_every_page=ON_EVERY_PAGE),
    *office_pages(*ON_EVERY_PAGE),
    Page("404", not_found_page, not_found.SEO.title, not_found.SEO.description),
)

connect_accounts()
features.use(FEATURES)
office.use(OFFICE)

app = SiteApp(
    pages=PAGES,
    exports=EXPORTS,
    sitemap_sources=(
        SitemapSource((routes.COMPANIES,), routes.company_page, COMPANIES.list_slugs_public),
        SitemapSource((routes.TEAM, routes.TEAM_PROFILES), routes.team_profile_page, MEMBERS.list_slugs_public),
        SitemapSource((routes.ADVISORS,), routes.advisor_page, ADVISORS.list_slugs_public),
        SitemapSource((routes.INSIGHTS, routes.FEED), routes.article_page, ARTICLES.list_slugs_public),
    ),
    feeds={routes.FEED: read_feed},
    forms={routes.CONTACT: no_script_form.send},
    error_page=server_error_page(),
    needs_scripts=layout.NEEDS_SCRIPTS,
    read_texts=read_changed,
    typefaces_later=("/fonts/source-sans.woff2", "/fonts/newsreader-italic.woff2"),
    stylesheets=["/site.css"],
    tasks=(enquiry_clock,),
)
