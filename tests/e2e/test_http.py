"""What programs get over HTTP: encodings, lifetimes, headers, and pages that validators accept."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import httpx
import pytest

from sitekit.ops.live_connection import ConnectionAttempt, attempt
from sitekit.server.seo.meta_tags import JsonLd
from tests.e2e.conftest import ROOT, Site
from tests.support.each import check_each
from tests.support.public_pages import PUBLIC
from tests.support.slow_line import line_to

NODE = Path(sys.executable).with_name("node")
PACKAGES = ROOT / "tests" / "node_modules"
EVERYWHERE = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "cross-origin-opener-policy": "same-origin",
}


@pytest.fixture
def visitor(site: Site) -> Iterator[httpx.Client]:
    """A program that asks the shared site."""
    with httpx.Client(base_url=site.url, timeout=60) as visitor:
        yield visitor


def structured_data(html: str) -> JsonLd:
    """The one block of structured data on a page."""
    (text,) = re.findall(r'<script type="application/ld\+json">(.*?)</script>', html)
    graph: JsonLd = json.loads(text)
    return graph


def named(html: str, kind: str) -> JsonLd:
    """The first thing of a kind on a page."""
    things: list[JsonLd] = structured_data(html)["@graph"]
    return next(thing for thing in things if thing["@type"] == kind)


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip"])
@pytest.mark.parametrize("kind", ["page", "script"])
def test_public_responses_are_compressed(visitor: httpx.Client, encoding: str, kind: str) -> None:
    home = visitor.get("/", headers={"accept-encoding": "identity"})
    script = re.search(r"/assets/entry\.client-[\w-]+\.js", home.text)
    assert script
    path = "/" if kind == "page" else script[0]
    with visitor.stream("GET", path, headers={"accept-encoding": encoding}) as answer:
        assert answer.headers["content-encoding"] == encoding
        assert "accept-encoding" in answer.headers["vary"].lower()
        whole = len(visitor.get(path, headers={"accept-encoding": "identity"}).content)
        assert sum(map(len, answer.iter_raw())) < whole / 2


def test_hashed_files_are_cached_for_a_year_and_pages_are_revalidated(visitor: httpx.Client) -> None:
    home = visitor.get("/")
    script = re.search(r"/assets/root-[\w-]+\.js", home.text)
    assert script
    assert visitor.get(script[0]).headers["cache-control"] == "public, max-age=31536000, immutable"
    assert home.headers["cache-control"] == "no-cache"


def test_partial_responses_of_hashed_files_are_cached_for_a_year(visitor: httpx.Client) -> None:
    script = re.search(r"/assets/root-[\w-]+\.js", visitor.get("/").text)
    assert script
    part = visitor.get(script[0], headers={"range": "bytes=0-99", "accept-encoding": "identity"})
    assert (part.status_code, len(part.content)) == (206, 100)
    assert part.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_client_rendered_pages_are_compressed_too(visitor: httpx.Client) -> None:
    assert visitor.get("/auth").headers["content-encoding"] == "gzip"


def test_every_response_has_security_headers(visitor: httpx.Client) -> None:
    def check(path: str) -> None:
        headers = visitor.get(path).headers
        assert {name: headers.get(name) for name in EVERYWHERE} == EVERYWHERE
        policy = headers["content-security-policy"]
        assert "unsafe-eval" not in policy
        assert not re.search(r"script-src [^;]*'unsafe-inline'", policy)
        assert "frame-ancestors 'none'" in policy

    check_each(["/", "/companies", "/nowhere", "/favicon.svg", "/ping", "/robots.txt", "/auth"], check)


def test_pages_have_title_description_canonical_and_open_graph_tags(visitor: httpx.Client) -> None:
    def check(path: str) -> None:
        html = visitor.get(path).text
        for tag in (r"<title>[^<]{10,}</title>", r'<meta content="[^"]{50,}" name="description"/>'):
            assert len(re.findall(tag, html)) == 1
        assert re.findall(r'<link rel="canonical" href="(.*?)">', html) == [str(visitor.base_url).rstrip("/") + path]
        for name in ("og:title", "og:description", "og:url", "og:image", "og:type"):
            assert len(re.findall(f'<meta property="{name}" content="[^"]+">', html)) == 1

    check_each(PUBLIC, check)


def test_the_open_graph_image_exists(visitor: httpx.Client) -> None:
    found = re.search(r'<meta property="og:image" content="([^"]+)">', visitor.get("/").text)
    assert found
    picture = visitor.get(found[1])
    assert picture.headers["content-type"] == "image/png"


@pytest.mark.spec("LAY-7")
def test_structured_data_describes_the_firm_as_an_organization(visitor: httpx.Client) -> None:
    firm = named(visitor.get("/").text, "Organization")
    assert firm["legalName"] == "Northstrait Advisory Pte. Ltd."
    assert firm["identifier"]["value"] == "202014387K"


def test_structured_data_describes_members_and_companies(visitor: httpx.Client) -> None:
    assert named(visitor.get("/team-profile/adeline-koh").text, "Person")["name"] == "Adeline Koh"
    company = named(visitor.get("/companies/treacle-tech").text, "Organization")
    assert (company["name"], company["legalName"]) == ("Treacle Tech", "Treacle Tech Pte. Ltd.")
    assert company["subjectOf"]["creator"]["name"] == "Clarence Teo"
    trail = named(visitor.get("/companies/treacle-tech").text, "BreadcrumbList")["itemListElement"]
    assert [step["name"] for step in trail] == ["Home", "Companies", "Treacle Tech"]


def test_structured_data_uses_only_known_vocabulary(visitor: httpx.Client, tmp_path: Path) -> None:
    graphs = [structured_data(visitor.get(path).text) for path in PUBLIC]
    assert _misuses(graphs, tmp_path) == ""


def test_a_misspelt_structured_data_property_is_detected(visitor: httpx.Client, tmp_path: Path) -> None:
    graph = structured_data(visitor.get("/team-profile/adeline-koh").text)
    person = next(thing for thing in graph["@graph"] if thing["@type"] == "Person")
    person["jobTitel"] = person.pop("jobTitle")
    assert "jobTitel" in _misuses([graph], tmp_path)


def _misuses(graphs: list[JsonLd], folder: Path) -> str:
    """What the compiler says of these graphs against schema.org's vocabulary, written as types by Google."""
    (folder / "node_modules").symlink_to(PACKAGES)
    lines = [f"export const page{number}: Graph = {json.dumps(graph)};" for number, graph in enumerate(graphs)]
    source = folder / "graphs.ts"
    source.write_text("\n".join(['import type { Graph } from "schema-dts";', *lines]))
    compiler = PACKAGES / "typescript" / "bin" / "tsc"
    options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--moduleResolution", "nodenext"]
    done = subprocess.run([NODE, compiler, *options, source], cwd=folder, capture_output=True, text=True)
    return done.stdout


def test_the_html_of_every_kind_of_page_is_valid(visitor: httpx.Client, tmp_path: Path) -> None:
    for number, path in enumerate((*PUBLIC, "/nowhere", "/companies/nobody")):
        (tmp_path / f"{number}.html").write_text(visitor.get(path).text)
    validator = PACKAGES / "html-validate" / "bin" / "html-validate.mjs"
    pages = sorted(map(str, tmp_path.glob("*.html")))
    rules = ROOT / "tests" / "html-validate.json"
    done = subprocess.run([NODE, validator, "--config", rules, *pages], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


def test_the_sitemap_lists_every_public_page_and_no_other(visitor: httpx.Client) -> None:
    space = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}
    tree = ElementTree.fromstring(visitor.get("/sitemap.xml").text)
    listed = {entry.findtext("s:loc", "", space): entry.findtext("s:lastmod", "", space) for entry in tree}
    origin = str(visitor.base_url).rstrip("/")
    assert {origin + path for path in PUBLIC} <= listed.keys()
    assert not [address for address in listed if "/admin" in address or "/auth" in address]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00", listed[f"{origin}/companies/treacle-tech"])
    assert {visitor.get(address).status_code for address in listed} == {200}
    assert visitor.get("/sitemap.xml").headers["cache-control"] == "no-cache"


def test_robots_txt_excludes_the_back_office(visitor: httpx.Client) -> None:
    text = visitor.get("/robots.txt").text
    for line in ("Disallow: /auth", "Disallow: /admin", "Allow: /"):
        assert line in text.splitlines()
    assert text.splitlines()[-1].endswith("/sitemap.xml")


def test_security_txt_names_a_contact(visitor: httpx.Client) -> None:
    text = visitor.get("/.well-known/security.txt").text
    assert re.search(r"^Contact: mailto:\S+@\S+$", text, re.M)
    assert re.search(r"^Expires: \d{4}-\d\d-\d\dT00:00:00Z$", text, re.M)


def test_the_web_manifest_names_existing_icons(visitor: httpx.Client) -> None:
    manifest = json.loads(visitor.get("/site.webmanifest").text)
    for icon in manifest["icons"]:
        assert visitor.get(icon["src"]).headers["content-type"] == icon["type"]


def test_a_live_connection_is_accepted_from_the_public_address_alone(site: Site) -> None:
    """As `check` tries it: the server under the site tells why it refuses one."""
    assert attempt(site.url) == ConnectionAttempt(site.url, refusal="", is_origin_refused=False)
    with line_to(int(site.url.rpartition(":")[2])) as line:
        assert attempt(line.url) == ConnectionAttempt(line.url, refusal="status 403", is_origin_refused=True)
