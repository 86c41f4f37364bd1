"""Previews of drafts: complete pages without scripts, seen by who has a link, and by nobody else in anything."""

import logging
import re
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial
from types import ModuleType

import httpx
import pytest
import sqlalchemy as sa
from prometheus_client import generate_latest
from sqlmodel import col

from advisory_site.companies.models import Company
from sitekit.accounts import one_use_links
from sitekit.accounts.models import AuthSession, UserRole
from sitekit.app.previews import PreviewEndpoint
from sitekit.app.site_app import SiteApp, text_pages
from sitekit.base import paths
from sitekit.base.db.database import now, transaction
from sitekit.base.observability.log_config import TRAFFIC
from sitekit.base.permissions import Role
from sitekit.base.site import get_site
from sitekit.records import preview_links
from sitekit.records.proposals import PreviewLink, Proposal
from sitekit.server.http.request_log import RequestLog, without_secret
from sitekit.server.http.security_headers import SecurityHeaders
from sitekit.server.seo.sitemap import Sitemap
from sitekit.server.ssr.page_texts import PageTexts
from sitekit.server.ssr.preview import preview_html
from sitekit.server.ssr.public_pages import PublicPages
from tests.sitekit.server.ssr.conftest import ORIGIN, PLAIN, ThroughTheLoop
from tests.sitekit.server.ssr.drawings import drawing
from tests.support.factories import add_actor, add_article, add_company, add_draft, id_of
from tests.support.people import person, signed_in

pytestmark = [pytest.mark.anyio, pytest.mark.spec("DRAFT-7")]

GONE = "This preview is not available any more. Ask the person who sent it."
FORM = preview_links.ShareData(days="14")
ADDRESSES = ("/", "/companies", "/companies/kelp", "/companies?industry=Aquaculture", "/sitemap.xml", "/team")


@pytest.fixture
async def guest(app: SiteApp, public_pages: PublicPages) -> AsyncIterator[httpx.AsyncClient]:
    """Somebody with a browser, and all that lies between it and the pages."""
    table, renderer = public_pages.table, public_pages.page_renderer
    texts = PageTexts(table, renderer, public_pages.pages.version_source, dict)
    endpoint = PreviewEndpoint(table, renderer, texts, app.sitemap_sources, 0)
    public_pages.folders = ((paths.PREVIEW, endpoint),)
    public_pages.endpoints = {
        "/sitemap.xml": Sitemap(ORIGIN, ["/"], app.sitemap_sources, public_pages.pages.version_source)
    }
    site = RequestLog(SecurityHeaders(public_pages, https_only=True), behind_proxy=False)
    async with httpx.AsyncClient(transport=ThroughTheLoop(site), base_url=ORIGIN, headers=PLAIN) as guest:
        yield guest


@pytest.fixture
def draft(database: ModuleType) -> int:
    """The draft of a company, Kelp, that would be called Sea Grass."""
    with transaction() as session:
        company = add_company(session, name="Kelp", slug="kelp", industry="Aquaculture")
        return id_of(add_draft(session, company))


def share(draft: int) -> str:
    with transaction() as session:
        return "/preview/" + preview_links.share(session, add_actor(session), draft, FORM)


def frame(draft: int, user: int | None = None) -> str:
    issued = signed_in(person() if user is None else user)
    return "/preview/" + one_use_links.issue_pass(issued.access_token, {"draft": str(draft)})


def text_of(answer: httpx.Response) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", answer.text.partition("<body")[2].partition(">")[2]).split())


@pytest.mark.spec("DRAFT-6")
async def test_a_preview_shows_the_record_its_list_and_home_as_they_would_be(
    guest: httpx.AsyncClient, draft: int
) -> None:
    for address in (share(draft), frame(draft)):
        for page, path in (("record", "/companies/kelp"), ("list", "/companies"), ("home", "/")):
            answer = await guest.get(address, params={"page": page})
            assert answer.status_code == 200
            assert drawing(answer)["path"] == path
            assert "Kelp" not in answer.text
            assert ("Sea Grass" in answer.text) == (page != "home")
        assert drawing(await guest.get(address))["path"] == "/companies/kelp"


async def test_a_preview_is_framed_kept_and_indexed_by_nobody_and_runs_nothing(
    guest: httpx.AsyncClient, draft: int
) -> None:
    answer = await guest.get(share(draft))
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-robots-tag"] == "noindex, nofollow"
    assert answer.headers.get_list("referrer-policy") == ["no-referrer"]
    assert answer.headers.get_list("x-frame-options") == ["SAMEORIGIN"]
    assert "etag" not in answer.headers
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == policy["script-src"] == policy["form-action"] == "'none'"
    assert policy["frame-ancestors"] == "'self'"
    assert 'name="robots" content="noindex"' in answer.text
    for wrong in ("<script", "canonical", "ld+json", "modulepreload", "__reflex_global_styles", "page-state"):
        assert wrong not in answer.text
    assert text_of(answer).startswith("Preview, not published")
    head = await guest.head(share(draft))
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == answer.headers["content-length"]


def test_links_lead_to_the_same_preview_or_nowhere_and_forms_do_nothing() -> None:
    links = {"/": "?page=home", "/companies": "?page=list&theme=dark"}
    html = (
        '<html lang="en"><head></head><body class="x"><a class="skip" href="#main">a</a><a href="/">b</a>'
        '<a href="/companies#list" class="y">c</a><a href="/companies?country=X">d</a><a href="https://elsewhere">e</a>'
        '<a href="mailto:x@y">f</a><svg><use href="#i"></use></svg><form action="/contact"></form></body></html>'
    )
    found = preview_html(html, links, "dark", "Preview").partition("</p>")[2]
    assert found == (
        '<a class="skip" href="#main">a</a><a href="?page=home">b</a>'
        '<a href="?page=list&amp;theme=dark#list" class="y">c</a>'
        '<a data-path="/companies?country=X">d</a><a data-path="https://elsewhere">e</a>'
        '<a data-path="mailto:x@y">f</a><svg><use href="#i"></use></svg>'
        '<form inert="" action="/contact"></form></body></html>'
    )


async def test_a_preview_is_in_the_chosen_theme(guest: httpx.AsyncClient, draft: int) -> None:
    address = share(draft)
    assert '<html class="known" lang="en">' in (await guest.get(address)).text
    assert '<html class="light known" lang="en">' in (await guest.get(address, params={"theme": "light"})).text
    chosen = await guest.get(address, headers={"cookie": "theme=dark"})
    assert '<html class="dark known" lang="en">' in chosen.text


@pytest.mark.spec("DRAFT-1")
def test_a_preview_waits_for_the_typefaces_of_the_site() -> None:
    face = "@font-face{font-display:optional}"
    html = f'<html lang="en"><head><style>{face}</style></head><body>{face}</body></html>'
    styles, _, words = preview_html(html, {}, "").partition("</head>")
    assert "@font-face{font-display:swap}" in styles
    assert face in words


@pytest.mark.spec("DRAFT-1")
async def test_sharing_and_previewing_change_no_public_byte(guest: httpx.AsyncClient, draft: int) -> None:
    async def everything() -> list[tuple[int, bytes, str]]:
        answers = [await guest.get(address) for address in ADDRESSES]
        return [(answer.status_code, answer.content, answer.headers.get("etag", "")) for answer in answers]

    before = await everything()
    address = share(draft)
    for page in ("record", "list", "home"):
        assert (await guest.get(address, params={"page": page})).status_code == 200
    assert await everything() == before
    assert (await guest.get("/companies/sea-grass")).status_code == 404


@pytest.mark.spec("COPY-2")
async def test_words_of_a_record_are_never_taken_for_marks_of_texts(
    guest: httpx.AsyncClient, app: SiteApp, public_pages: PublicPages, draft: int
) -> None:
    numbers = ("999", "0", "9" * 5_000, "\u0663", "")
    hostile = "".join(f"\ue000{number}\ue001cook\ue002" for number in numbers)
    title = "".join(f"&#x{ord(char):x};" for char in hostile[:30])
    with transaction() as session:
        session.execute(sa.select(Company)).scalar_one().tagline = hostile
        add_article(session, slug="sea", name=hostile, text=f'[x](/companies "{title}")')
    table, renderer = public_pages.table, public_pages.page_renderer
    texts = PageTexts(table, renderer, public_pages.pages.version_source, partial(text_pages, app))
    assert {"/companies", "/companies/kelp", "/insights", "/insights/sea"} <= {*await texts.pages()}
    for page in ("/companies/kelp", "/insights/sea"):
        marked = await texts.page(page)
        assert "cook" in marked.html
        assert "data-text" not in marked.html
    assert (await guest.get(share(draft))).status_code == 200


@pytest.mark.spec("COPY-2")
async def test_a_page_that_fails_takes_no_other_along(
    public_pages: PublicPages, database: ModuleType, caplog: pytest.LogCaptureFixture
) -> None:
    with database.transaction() as session:
        add_company(session, slug="odd")
    listed = dict.fromkeys(("/companies/odd", "/companies/missing", "/nowhere", "/companies"), "A page")
    source = public_pages.pages.version_source
    texts = PageTexts(public_pages.table, public_pages.page_renderer, source, lambda: listed)
    assert [*await texts.pages()] == ["/companies"]
    assert "The texts of '/companies/odd' could not be read: TypeError" in caplog.text


@pytest.mark.spec("DRAFT-8")
async def test_links_that_lead_nowhere_are_answered_alike(guest: httpx.AsyncClient, draft: int) -> None:
    addresses = [share(draft)]
    with transaction() as session:
        session.execute(sa.update(PreviewLink).values(expires_at=now() - timedelta(seconds=1)))
    addresses.append(share(draft))
    with transaction() as session:
        actor = add_actor(session)
        [link, *_] = preview_links.list_links(session, actor, draft)
        preview_links.revoke(session, actor, link.id)
        discarded = add_draft(session, state="discarded")
        gone = add_draft(session, record_id=4711)
    with transaction() as session:
        gone_link = "/preview/" + preview_links.share(session, actor, gone.id, FORM)
    addresses += [gone_link, frame(id_of(discarded)), "/preview/", "/preview/" + "x" * 43, "/preview/short"]
    answers = [await guest.get(address) for address in addresses]
    assert {answer.status_code for answer in answers} == {404}
    assert len({answer.content for answer in answers}) == 1
    headers = [[pair for pair in answer.headers.items() if pair[0] != "x-request-id"] for answer in answers]
    assert headers == [headers[0]] * len(answers)
    assert text_of(answers[0]) == f"{get_site().brand.name} {GONE}"
    assert '<img src="/favicon.svg"' in answers[0].text
    assert answers[0].headers["cache-control"] == "no-store"


@pytest.mark.spec("DRAFT-8")
async def test_a_link_leads_to_the_live_page_once_the_draft_is_published(guest: httpx.AsyncClient, draft: int) -> None:
    address = share(draft)
    with transaction() as session:
        proposal = session.get_one(Proposal, draft)
        preview_links.note_published(session, draft, proposal.record_id or 0)
        session.delete(proposal)
    answer = await guest.get(address)
    assert (answer.status_code, answer.headers["location"]) == (302, "/companies/kelp")
    with transaction() as session:
        session.execute(sa.select(Company)).scalar_one().status = "Inactive"
    assert (await guest.get(address)).status_code == 404


@pytest.mark.spec("DRAFT-8")
async def test_opening_a_link_is_counted_and_looking_at_its_headers_is_not(
    guest: httpx.AsyncClient, draft: int
) -> None:
    address = share(draft)
    await guest.head(address)
    assert opened(draft) == (0, False)
    await guest.get(address)
    await guest.get(address, params={"page": "home"})
    assert opened(draft) == (2, True)


@pytest.mark.spec("ROLE-4")
async def test_a_frame_ends_with_the_role_the_session_and_its_time(
    guest: httpx.AsyncClient, draft: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    demoted, signed_out = person("a@firm.example"), person("b@firm.example")
    frames = [frame(draft, demoted), frame(draft, signed_out)]
    for address in frames:
        assert [(await guest.get(address)).status_code for _ in range(2)] == [200, 200]
    with transaction() as session:
        session.execute(sa.delete(UserRole).where(col(UserRole.user_id) == demoted))
        session.execute(sa.update(AuthSession).where(col(AuthSession.user_id) == signed_out).values(ended_at=now()))
    monkeypatch.setattr(one_use_links, "PASS_LIFE", -one_use_links.PASS_LIFE)
    frames.append(frame(draft, person("c@firm.example", Role.ADMIN)))
    frames.append("/preview/" + one_use_links.issue(signed_in(demoted).access_token, {"draft": str(draft)}))
    for address in frames:
        assert (await guest.get(address)).status_code == 404


async def test_many_requests_from_one_network_are_refused(
    guest: httpx.AsyncClient, draft: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_links, "MOST", 2)
    address = share(draft)
    answers = [await guest.get(one) for one in ("/preview/" + "x" * 43, address, address)]
    assert [answer.status_code for answer in answers] == [404, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0
    assert (await guest.get(frame(draft))).status_code == 200


async def test_a_secret_is_in_no_log_and_in_no_metric(
    guest: httpx.AsyncClient, draft: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    caplog.set_level(logging.DEBUG, TRAFFIC)
    secret = share(draft).removeprefix("/preview/")
    spellings = ("/preview/{}", "/preview/{}/", "/en//preview/{}", "/Preview/{}", "/preview%2F{}", "/admin/preview/{}")
    for spelling in (*spellings, "/page-state/x/preview/{}", "/preview/{}?page=home"):
        await guest.get(spelling.format(secret))
    logged = " ".join(str(vars(record)) for record in caplog.records if record.name != "httpx")
    assert "preview" in logged
    assert secret not in logged
    assert secret not in generate_latest().decode()


@pytest.mark.parametrize(
    ("path", "logged"),
    [("/preview/abc/d", "/preview/..."), ("/companies", "/companies"), ("/PREVIEW%2fa", "/PREVIEW%2f...")],
)
def test_a_path_is_logged_without_its_secret(path: str, logged: str) -> None:
    assert without_secret(path) == logged


async def test_a_preview_that_cannot_be_rendered_says_so(
    guest: httpx.AsyncClient, public_pages: PublicPages, draft: int, caplog: pytest.LogCaptureFixture
) -> None:
    address = share(draft)
    await public_pages.page_renderer.renderer.stop()
    answer = await guest.get(address)
    assert answer.status_code == 503
    assert "The preview could not be made." in text_of(answer)
    assert address not in caplog.text


def opened(draft: int) -> tuple[int, bool]:
    with transaction() as session:
        link = session.execute(sa.select(PreviewLink).where(col(PreviewLink.proposal_id) == draft)).scalar_one()
        return link.opened, link.opened_at is not None
