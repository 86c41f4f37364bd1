"""The true status, a fresh page at every request, an answer in time whatever fails."""

import asyncio
import base64
import hashlib
import json
import logging
import re
from pathlib import Path
from types import ModuleType

import httpx
import pytest
import sqlalchemy as sa

from advisory_site.companies.public import CompanyState
from advisory_site.team.models import TeamMember
from sitekit.base.observability import metrics
from sitekit.records.slug_redirects import FormerSlug
from sitekit.server.http.form_posts import MAX_BYTES, FormRequest, FormResponse
from sitekit.server.http.request_log import RequestLog
from sitekit.server.ssr import public_pages as public_pages_module
from sitekit.server.ssr.public_pages import PublicPages
from sitekit.server.ssr.renderer import Renderer
from tests.conftest import on_sqlite
from tests.sitekit.server.ssr.drawings import drawing, rename
from tests.support.asgi_client import asked
from tests.support.database_faults import missing
from tests.support.factories import add_company, add_member

pytestmark = [pytest.mark.anyio, on_sqlite]

Answer = httpx.Response


def sha256(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


async def test_a_page_is_rendered_with_the_state_of_its_on_load(visitor: httpx.AsyncClient, kelp: int) -> None:
    answer = await visitor.get("/companies/kelp")
    assert answer.status_code == 200
    vars = drawing(answer)["vars"][CompanyState.get_full_name()]
    assert vars["company_rx_state_"]["name"] == "Kelp & Co"
    assert vars["is_loading_rx_state_"] is False


async def test_the_browser_gets_the_state_the_page_was_rendered_from(visitor: httpx.AsyncClient, kelp: int) -> None:
    answer = await visitor.get("/companies")
    handed = re.search(r'<script type="application/json" id="page-state">(.*?)</script>', answer.text)
    assert handed
    assert json.loads(handed[1]) == drawing(answer)["vars"]


async def test_a_large_state_is_a_separate_file_until_it_changes(
    visitor: httpx.AsyncClient, kelp: int, database: ModuleType
) -> None:
    with database.transaction() as session:
        for _ in range(30):
            add_company(session, tagline="</script>" * 5)
    answer = await visitor.get("/companies")
    assert 'id="page-state"' not in answer.text
    address = re.search(r' data-state="(/page-state/[^"]+/companies)"', answer.text)
    assert address
    state = await visitor.get(address[1])
    assert (state.status_code, state.headers["content-type"]) == (200, "application/json")
    assert "<" not in state.text
    assert json.loads(state.text) == drawing(answer)["vars"]
    rename(database, "kelp", "Sea Grass")
    assert (await visitor.get(address[1])).status_code == 410
    rename(database, "kelp", "Kelp & Co")
    assert (await visitor.get(address[1])).text == state.text
    moved = address[1].replace("/companies", "/team")
    for unknown in (moved, "/page-state/", "/page-state/0123/admin", "/page-state/0/nowhere"):
        assert (await visitor.get(unknown)).status_code == 410
    assert (await visitor.post(address[1])).status_code == 405


async def test_a_page_is_rendered_once_and_again_after_a_change(
    visitor: httpx.AsyncClient, kelp: int, database: ModuleType
) -> None:
    first, second = [await visitor.get("/companies") for _ in range(2)]
    assert drawing(first)["drawn"] == drawing(second)["drawn"]
    rename(database, "kelp", "Sea Grass")
    third = await visitor.get("/companies")
    assert "Sea Grass" in third.text
    assert "Kelp" not in third.text


async def test_a_page_is_compressed_quickly_at_first_and_well_for_later_requests(
    public_pages: PublicPages, kelp: int
) -> None:
    match = public_pages.table.match("/companies")
    assert match
    first = await public_pages.pages.get(match, "/companies", "")
    assert first.bodies["br"] == b"quick"
    async with asyncio.timeout(30):
        while (later := await public_pages.pages.get(match, "/companies", "")) is first:
            await asyncio.sleep(0.01)
    assert later.bodies["br"] == b"br"
    assert (later.bodies[""], later.etag, later.state) == (first.bodies[""], first.etag, first.state)
    assert dict(later.headers["br"]) == dict(first.headers["br"]) | {b"content-length": b"2"}


async def test_the_state_of_a_page_with_a_known_query_is_also_a_file(
    visitor: httpx.AsyncClient, database: ModuleType
) -> None:
    with database.transaction() as session:
        add_company(session, quote="We grew twice. " * 20, quoted_name="N" * 80, quoted_role="R" * 900)
    addresses = set()
    for path in ("/", "/?email=confirmed"):
        state = re.search(r' data-state="(/page-state/[^"]+)"', (await visitor.get(path)).text)
        assert state
        addresses.add(state[1])
        assert (await visitor.get(state[1])).status_code == 200
    assert len(addresses) == 2


async def test_a_page_with_a_known_query_is_rendered_and_cached_separately(visitor: httpx.AsyncClient) -> None:
    plain = await visitor.get("/")
    confirmed = await visitor.get("/?email=confirmed")
    assert drawing(plain)["path"] == "/"
    assert drawing(confirmed)["path"] == "/?email=confirmed"
    assert "noindex" in confirmed.text and "noindex" not in plain.text
    assert (await visitor.get("/?email=confirmed")).text == confirmed.text
    for other in ("/?email=confirmed&x=1", "/?x=1", "/?"):
        assert (await visitor.get(other)).text == plain.text
    assert (await visitor.get("/%3Femail=confirmed")).status_code == 404
    assert (await visitor.get("/companies?email=confirmed")).text == (await visitor.get("/companies")).text


@pytest.mark.spec("CO-3")
@pytest.mark.parametrize("slug", ["nope", "gull", "%00", "..%2f..", "a" * 500])
async def test_an_unknown_record_is_404_and_noindex(visitor: httpx.AsyncClient, kelp: int, slug: str) -> None:
    answer = await visitor.get(f"/companies/{slug}")
    assert answer.status_code == 404
    assert answer.headers["x-robots-tag"] == "noindex"
    assert answer.headers["cache-control"] == "no-store"


async def test_unknown_slugs_share_one_rendered_page(
    visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int
) -> None:
    answers = [await visitor.get(f"/companies/unknown-{number}") for number in range(40)]
    assert len({drawing(answer)["drawn"] for answer in answers}) == 1
    assert len(public_pages.pages.cache) == 0
    assert len(public_pages.page_renderer._error_pages) == 1


async def test_a_newly_added_page_is_found_at_once(visitor: httpx.AsyncClient, kelp: int, database: ModuleType) -> None:
    assert (await visitor.get("/companies/tern")).status_code == 404
    with database.transaction() as session:
        add_company(session, slug="tern")
    assert (await visitor.get("/companies/tern")).status_code == 200


@pytest.mark.spec("NF-1")
async def test_an_unknown_path_is_404_and_logged_on_one_line(
    visitor: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        answer = await visitor.get("/no%0Awhere%1b[31m")
    assert answer.status_code == 404
    assert r"No page at /no\nwhere\x1b[31m" in [record.message for record in caplog.records]


async def test_anchor_links_of_a_shared_page_stay_relative(visitor: httpx.AsyncClient) -> None:
    assert 'href="#content"' in (await visitor.get("/nowhere")).text


@pytest.mark.parametrize("method", ["GET", "HEAD"])
@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/companies/", "/companies"),
        ("/companies/kelp/?a=1", "/companies/kelp?a=1"),
        ("//companies//", "/companies"),
        ("/Companies?sector=Food+%26+Drink&A=B", "/companies?sector=Food+%26+Drink&A=B"),
        ("/COMPANIES//Kelp", "/companies/kelp"),
        ("/companies/KELP", "/companies/kelp"),
        ("/companies/Old-Kelp/", "/companies/kelp"),
        ("/companies//Tern", "/companies/Tern"),
        ("/Admin/users/5", "/admin/users/5"),
        ("/AUTH/forgot?Next=/X", "/auth/forgot?Next=/X"),
        ("///", "/"),
    ],
)
async def test_a_page_spelled_otherwise_is_redirected_permanently_and_once(
    public_pages: PublicPages, kelp: int, database: ModuleType, path: str, location: str, method: str
) -> None:
    with database.transaction() as session:
        add_company(session, slug="Tern")  # as older versions allowed
        session.add(FormerSlug(of_table="companies", slug="old-kelp", record_id=kelp))
    answer = await asked(public_pages, path, method)
    assert (answer.status, answer.headers["location"], answer.body) == (301, location, b"")
    assert (await asked(public_pages, location)).status == 200


@pytest.mark.parametrize(
    "path",
    [
        *("//evil.example/", "/\\evil.example/", "//evil.example/companies/", "//evil.example", "/\\evil.example"),
        *(
            "/companies\\",
            "/Companies/Nope",
            "/companies/Gull",
            "//companies/nope/",
            "/companies/a%2Fb/",
            "/companies/.",
        ),
        *("/Favicon.svg", "//favicon.svg", "/_EVENT", "/Page-State/x", "/Preview/Secret", "/404/", "/Nowhere"),
    ],
)
async def test_what_is_no_page_in_any_spelling_is_not_redirected(
    public_pages: PublicPages, kelp: int, path: str
) -> None:
    answer = await asked(public_pages, path)
    assert (answer.status, "location" in answer.headers) == (404, False)


async def test_a_page_in_capitals_is_shown_where_it_is(
    visitor: httpx.AsyncClient, kelp: int, database: ModuleType
) -> None:
    with database.transaction() as session:
        add_company(session, slug="Kelp", name="Another kelp")
    assert "Another kelp" in (await visitor.get("/companies/Kelp")).text


async def test_spellings_are_redirected_without_the_database(
    public_pages: PublicPages, kelp: int, database_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with missing(database_dir, monkeypatch):
        assert (await asked(public_pages, "/Companies/Kelp")).headers["location"] == "/companies/kelp"
        assert (await asked(public_pages, "/companies/Kelp")).status == 503


async def test_a_page_the_browser_has_is_answered_with_304(visitor: httpx.AsyncClient, kelp: int) -> None:
    first = await visitor.get("/companies")
    again = await visitor.get("/companies", headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    assert "content-security-policy" in again.headers


async def test_a_changed_page_is_sent_in_full(visitor: httpx.AsyncClient, kelp: int, database: ModuleType) -> None:
    first = await visitor.get("/companies")
    rename(database, "kelp", "Sea Grass")
    again = await visitor.get("/companies", headers={"if-none-match": first.headers["etag"]})
    assert again.status_code == 200


async def test_a_head_request_gets_all_headers_without_the_page(visitor: httpx.AsyncClient) -> None:
    whole, head = await visitor.get("/companies"), await visitor.head("/companies")
    assert head.content == b""
    assert head.headers == whole.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
async def test_a_page_refuses_methods_that_write(visitor: httpx.AsyncClient, method: str) -> None:
    answer = await visitor.request(method, "/companies")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS"


async def test_an_options_request_lists_the_methods_of_a_form_page(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.options("/contact")
    assert (answer.status_code, answer.text) == (204, "")
    assert answer.headers["allow"] == "GET, HEAD, OPTIONS, POST"


async def test_static_files_are_served_here_and_events_passed_to_reflex(visitor: httpx.AsyncClient) -> None:
    assert (await visitor.get("/favicon.svg")).text == "<svg/>"
    assert (await visitor.get("/favicon.svg", headers={"range": "bytes=0-1"})).text == "from Reflex"
    for path in ("/ping", "/_event"):
        assert (await visitor.get(path)).text == "from Reflex"


async def test_a_page_contains_only_the_styles_it_can_use(visitor: httpx.AsyncClient) -> None:
    html = (await visitor.get("/why-us")).text
    assert "<style>body{color:ink}.skip{color:jade}.dark{color:moon}</style>" in html


async def test_scripts_are_inert_until_needed(visitor: httpx.AsyncClient) -> None:
    html = (await visitor.get("/why-us")).text
    assert "<script>window.__reactRouterContext" not in html
    assert '<script type="text/plain" data-asleep="">window.__reactRouterContext = {}</script>' in html
    assert '<script type="text/plain"></script>' in html
    assert "react-router-scroll-positions" not in html


async def test_the_content_security_policy_allows_only_the_scripts_of_the_page(visitor: httpx.AsyncClient) -> None:
    answer = await visitor.get("/why-us")
    asked: dict[bool, list[str]] = {True: [], False: []}
    for attributes, text in re.findall(r"<script([^>]*)>(.*?)</script>", answer.text, re.S):
        asked["data-asleep" in attributes or not attributes].append(sha256(text))
    scripts = answer.headers["content-security-policy"].partition("script-src ")[2].partition(";")[0]
    assert len(asked[True]) == 3
    assert set(scripts.split()) == {"'self'", *asked[True]}
    assert asked[False]


@pytest.mark.parametrize("script", ["<script>alert(1)</script>", '<script type=module>import "/assets/x.js"</script>'])
async def test_a_script_unknown_to_the_build_is_not_sent(
    visitor: httpx.AsyncClient, database: ModuleType, script: str, caplog: pytest.LogCaptureFixture
) -> None:
    """The renderer of these tests escapes nothing, as after a slip."""
    with database.transaction() as session:
        add_company(session, tagline=script)
    answer = await visitor.get("/companies")
    assert script[8:-9] not in answer.text and "the plain page" in answer.text
    assert sha256(script.partition(">")[2][:-9]) not in answer.headers["content-security-policy"]
    assert "a script of" in caplog.text and "alert" not in caplog.text


async def test_an_unavailable_database_gives_503_with_retry_after(
    visitor: httpx.AsyncClient,
    public_pages: PublicPages,
    kelp: int,
    database_dir: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with missing(database_dir, monkeypatch):
        answer = await visitor.get("/companies")
        assert answer.status_code == 503
        assert int(answer.headers["retry-after"]) > 0
        assert (await visitor.get("/why-us")).status_code == 200


class TestTheContactForm:
    """Sent without scripts."""

    FORM = {"firstName": "Ann", "lastName": "Lim", "email": "ann@kelp.example", "message": "Hello"}

    @pytest.mark.spec("CON-4")
    async def test_a_sent_form_is_stored_and_acknowledged(
        self, visitor: httpx.AsyncClient, database: ModuleType
    ) -> None:
        answer = await visitor.post("/contact", data=self.FORM)
        assert answer.status_code == 200
        assert '"is_sent_rx_state_":true' in answer.text
        (state,) = [values for name, values in drawing(answer)["vars"].items() if name.endswith("contact_state")]
        thanks = state["thanks_rx_state_"]
        assert (thanks["name"], thanks["email"], bool(thanks["day"])) == ("Ann", "ann@kelp.example", True)
        assert answer.headers["cache-control"] == "no-store"
        with database.read_session() as session:
            assert session.execute(sa.text("SELECT email FROM enquiries")).scalars().all() == ["ann@kelp.example"]

    @pytest.mark.spec("CON-4")
    async def test_a_refused_form_keeps_its_values_and_shows_errors(self, visitor: httpx.AsyncClient) -> None:
        answer = await visitor.post("/contact", data=self.FORM | {"email": "ann at kelp", "message": "<b>Hi"})
        assert answer.status_code == 422
        vars = drawing(answer)["vars"]
        (state,) = [values for name, values in vars.items() if name.endswith("contact_state")]
        assert state["typed_rx_state_"]["message"] == "<b>Hi"
        assert state["drawn_errors_rx_state_"]["email"]
        assert not state["drawn_errors_rx_state_"]["firstName"]

    @pytest.mark.spec("CON-5")
    async def test_forms_of_one_visitor_leave_room_for_the_pages_of_others(
        self, visitor: httpx.AsyncClient, public_pages: PublicPages, kelp: int
    ) -> None:
        answered: asyncio.Queue[None] = asyncio.Queue()

        async def refuse(_form: FormRequest) -> FormResponse:
            answered.put_nowait(None)
            return FormResponse(422)

        never_rendered = "/companies/hang"
        public_pages.forms = {never_rendered: refuse}
        posts = [asyncio.create_task(visitor.post(never_rendered, data=self.FORM)) for _ in range(9)]
        for _ in posts:
            await answered.get()
        for path in ("/team", "/advisors", "/insights", "/companies"):
            answer = await visitor.get(path)
            assert (answer.status_code, drawing(answer)["path"]) == (200, path)
        for post in posts:
            post.cancel()
        await asyncio.gather(*posts, return_exceptions=True)

    @pytest.mark.spec("CON-5")
    async def test_a_form_that_waits_too_long_for_its_page_is_answered_in_words(
        self, visitor: httpx.AsyncClient, public_pages: PublicPages, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def accept(_form: FormRequest) -> FormResponse:
            return FormResponse(200)

        monkeypatch.setattr(public_pages_module, "FORM_TIMEOUT", 0.1)
        public_pages.forms = {"/companies/hang": accept}
        answer = await visitor.post("/companies/hang", data=self.FORM)
        assert (answer.status_code, answer.text) == (200, "Thank you, it has arrived.\n")

    @pytest.mark.spec("CON-5")
    async def test_a_caught_bot_is_thanked_and_nothing_is_stored(
        self, visitor: httpx.AsyncClient, database: ModuleType
    ) -> None:
        answer = await visitor.post("/contact", data=self.FORM | {"website": "https://spam.example"})
        assert answer.status_code == 200
        with database.read_session() as session:
            assert session.execute(sa.text("SELECT count(*) FROM enquiries")).scalar() == 0

    @pytest.mark.spec("CON-5")
    async def test_the_sixth_form_in_an_hour_is_told_to_wait(self, visitor: httpx.AsyncClient) -> None:
        answers = [await visitor.post("/contact", data=self.FORM | {"message": str(n)}) for n in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 5 + [429]

    @pytest.mark.parametrize(
        "headers",
        [
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
            {"origin": "https://evil.example"},
            {"origin": "null"},
        ],
    )
    async def test_another_site_cannot_send_the_form(self, visitor: httpx.AsyncClient, headers: dict[str, str]) -> None:
        assert (await visitor.post("/contact", data=self.FORM, headers=headers)).status_code == 403

    async def test_pages_of_this_site_can_send_the_form(self, visitor: httpx.AsyncClient) -> None:
        headers = {"sec-fetch-site": "same-origin", "origin": "https://firm.example"}
        assert (await visitor.post("/contact", data=self.FORM, headers=headers)).status_code == 200

    @pytest.mark.spec("CON-4")
    async def test_the_page_and_its_answers_show_the_current_partners(
        self, visitor: httpx.AsyncClient, database: ModuleType
    ) -> None:
        with database.transaction() as session:
            add_member(session, slug="grace", name="Grace Ho", designation="Partner, Growth")
        assert "Grace Ho" in (await visitor.get("/contact")).text
        answers = [await visitor.post("/contact", data=form) for form in (self.FORM, self.FORM | {"email": ""})]
        assert [(answer.status_code, "Grace Ho" in answer.text) for answer in answers] == [(200, True), (422, True)]
        assert {answer.headers["cache-control"] for answer in answers} == {"no-store"}
        with database.transaction() as session:
            session.execute(sa.select(TeamMember)).scalar_one().designation = "Principal"
        assert "Grace Ho" not in (await visitor.get("/contact")).text

    async def test_an_oversized_form_is_not_read(self, visitor: httpx.AsyncClient) -> None:
        assert (await visitor.post("/contact", data=self.FORM | {"message": "x" * MAX_BYTES})).status_code == 413

    async def test_a_body_that_is_no_form_is_not_read(self, visitor: httpx.AsyncClient) -> None:
        assert (await visitor.post("/contact", json=self.FORM)).status_code == 415

    async def test_a_form_is_stored_without_a_renderer(
        self, visitor: httpx.AsyncClient, renderer: Renderer, database: ModuleType
    ) -> None:
        await renderer.stop()
        assert (await visitor.post("/contact", data=self.FORM)).status_code == 200
        with database.read_session() as session:
            assert session.execute(sa.text("SELECT count(*) FROM enquiries")).scalar() == 1


@pytest.mark.parametrize(
    ("method", "path", "route", "counted_as"),
    [
        ("GET", "/companies/kelp", "/companies/[slug]", "GET"),
        ("HEAD", "/team?page=2", "/team", "HEAD"),
        ("BREW", "/contact", "/contact", "other"),
        ("GET", "/nobody@kelp.example", "other", "GET"),
    ],
)
async def test_requests_are_counted_by_route_and_method(
    public_pages: PublicPages, kelp: int, method: str, path: str, route: str, counted_as: str
) -> None:
    def count() -> float:
        samples = [sample for metric in metrics.request_seconds.collect() for sample in metric.samples]
        labels = {"route": route, "method": counted_as}
        return sum(one.value for one in samples if one.name.endswith("_count") and one.labels == labels)

    before = count()
    await asked(RequestLog(public_pages, behind_proxy=False), path, method)
    assert count() == before + 1
    asked_for = {sample.labels["route"] for metric in metrics.requests.collect() for sample in metric.samples}
    assert not {"/companies/kelp", "/nobody@kelp.example"} & asked_for
