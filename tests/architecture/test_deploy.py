"""Deployment files: settings exist, containers are restricted, secrets have no defaults."""

import json
import os
import re
import runpy
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import product
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from advisory_site import routes
from advisory_site.advisors.public import AdvisorListState
from advisory_site.articles.public import ArticleListState
from advisory_site.companies.public import CompanyListState
from advisory_site.team.directory import DirectoryState
from sitekit.app.site_app import SiteApp
from sitekit.base import paths
from sitekit.base.list_filters import PAGE
from sitekit.ops.backup_keep import Keep
from sitekit.ops.cli import main
from sitekit.server.http.shared_cache import INSTEAD_OF_ERROR, REVALIDATING
from sitekit.server.ssr.theme_variants import chosen_theme
from tests.conftest import IS_CI
from tests.support.each import check_each
from tests.support.fetch import fetch
from tests.support.ports import free_port
from tests.support.waiting import wait_for

ROOT = Path(__file__).parents[2]
DEPLOYED = (
    "deploy/compose.yaml",
    "deploy/northstrait.service",
    "deploy/northstrait-backup.service",
    "deploy/northstrait-rehearsal.service",
    "deploy/Containerfile",
    "deploy/varnish.vcl",
    "docs/deploy.md",
)
SETTINGS = set(re.findall(r'read\.\w+\(\s*"([A-Z_]+)"', (ROOT / "sitekit" / "base" / "settings.py").read_text()))
VARNISH = (ROOT / "deploy" / "varnish.vcl").read_text(encoding="utf-8")
CLOUDFLARE = json.loads((ROOT / "deploy" / "cloudflare.json").read_text(encoding="utf-8"))
COMPOSE = (ROOT / "deploy" / "compose.yaml").read_text(encoding="utf-8")


def services() -> dict[str, str]:
    """The text of each service; the two backends share one."""
    shared, _, rest = COMPOSE.partition("\nservices:\n")
    listed = rest.split("\nnetworks:\n")[0]
    parts = re.split(r"\n  (?=\w+:)", "\n" + listed.strip("\n"))
    named = {part.partition(":")[0].strip(): part for part in parts if part.strip()}
    return {name: shared + text if "*backend" in text else text for name, text in named.items()}


def test_every_setting_in_the_deployment_files_exists() -> None:
    def check(file: str) -> None:
        named = set(re.findall(r"ADVISORY_([A-Z_]+)", (ROOT / file).read_text(encoding="utf-8")))
        assert named - SETTINGS == set()

    check_each(DEPLOYED, check)


def test_the_cluster_has_a_proxy_two_backends_a_database_and_redis() -> None:
    assert set(services()) == {"proxy", "first", "second", "backup", "wal", "database", "redis"}


def test_containers_have_limited_rights_and_memory() -> None:
    def check(case: tuple[str, str]) -> None:
        name, rule = case
        assert rule in services()[name]

    check_each(
        product(
            ["proxy", "first", "second", "wal", "database", "redis"],
            ["cap_drop: [ALL]", "no-new-privileges:true", "mem_limit:", "restart: unless-stopped", "logging: *logging"],
        ),
        check,
    )


@pytest.mark.parametrize("name", ["proxy", "wal", "database", "redis"])
def test_every_container_has_a_health_check(name: str) -> None:
    assert "healthcheck:" in services()[name]


def test_the_site_image_runs_unprivileged_with_a_health_check() -> None:
    image = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    assert image.index("USER site") < image.index("HEALTHCHECK") < image.index("CMD [")


def test_secrets_have_no_default() -> None:
    assert re.findall(r"\$\{(\w*(?:SECRET|PASSWORD)\w*):-([^}]+)\}", COMPOSE) == []


def test_the_guide_names_every_variable_of_the_cluster() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    section = guide.partition("\n## The cluster in containers\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"\$\{(\w+)", COMPOSE))
    assert {"MEMORY", "SOCKETS_PER_ADDRESS", "TRUSTED_PROXIES", "TRUSTED_RANGES"} <= named
    assert [name for name in sorted(named) if not re.search(rf"\b{name}\b", section)] == []


def test_every_cluster_setting_is_passed_to_the_containers() -> None:
    passed = set(re.findall(r"ADVISORY_([A-Z_]+):", COMPOSE))
    fixed = {"DATA_DIR", "LOCK_TIMEOUT_MS"}  # of the image, and of SQLite
    assert SETTINGS - fixed == passed


def test_settings_in_the_guide_have_no_trailing_comments() -> None:
    """systemd takes it for a part of the value, and Compose for the whole value if that is empty."""
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert re.findall(r"^[A-Z_]+=\S*[ ]+#.*$", guide, re.MULTILINE) == []


def test_tracing_variables_are_passed_to_the_containers() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bOTEL_[A-Z_]+", guide))
    assert named == set(re.findall(r"^    (OTEL_[A-Z_]+):$", COMPOSE, re.MULTILINE)) != set()


def test_shared_caches_bypass_requests_with_cookies_that_change_pages() -> None:
    chosen = [chosen_theme(Headers({"cookie": f"theme={theme}"})) for theme in ("light", "dark")]
    assert all(chosen)
    marked = (ROOT / "sitekit" / "ui" / "js" / "uncached.jsx").read_text(encoding="utf-8")
    assert "document.cookie = `uncached=1; path=/;" in marked
    assert "(theme=(light|dark)|uncached=1)" in VARNISH
    keeps, passes = CLOUDFLARE["http_request_cache_settings"]["rules"]  # of two rules that match, the last one counts
    assert '(http.cookie contains "theme=" or http.cookie contains "uncached=1")' in passes["expression"]
    assert (keeps["action_parameters"]["cache"], passes["action_parameters"]["cache"]) == (True, False)


def test_shared_caches_store_nothing_private() -> None:
    for path in (*paths.PRIVATE, paths.PREVIEW.rstrip("/"), "/_event"):
        assert f'not starts_with(http.request.uri.path, "{path}")' in json.dumps(CLOUDFLARE).replace("\\", "")
        assert f"|{path[1:]}" in VARNISH.replace("^/(", "|")


def test_shared_caches_keep_the_queries_that_select_a_page(app: SiteApp) -> None:
    filtered = {route.route for route in app.routes if route.filters}
    assert filtered == {routes.COMPANIES, routes.ADVISORS, routes.TEAM_PROFILES, routes.INSIGHTS}
    lists = (CompanyListState, AdvisorListState, DirectoryState, ArticleListState)
    names = [*dict.fromkeys(one.name for state in lists for one in state.filtered_by), PAGE]
    assert set(re.findall(r"\(([a-z|]+)\)=", VARNISH)) == {"|".join(names)}
    queries = {query for route in app.routes if not route.is_private for query in route.queries}
    assert set(re.findall(r'"\^/\\\?([a-z=]+)\$"', VARNISH)) == queries
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    kept = re.findall(r'not http\.request\.uri\.query contains "([a-z=]+)"', guide)
    assert sorted(kept) == sorted([*(f"{name}=" for name in names), *queries])


def test_varnish_keeps_stale_pages_as_long_as_their_headers_say() -> None:
    assert f"set req.grace = {REVALIDATING}s;" in VARNISH
    hours = INSTEAD_OF_ERROR // 3600
    assert f"set req.grace = {hours}h;" in VARNISH and f"set beresp.grace = {hours}h;" in VARNISH


def test_the_backup_unit_runs_an_existing_command() -> None:
    commands = re.findall(r"-m advisory_site (.+)", (ROOT / "deploy" / "northstrait-backup.service").read_text())
    commands += [" ".join(re.findall(r'"([^"]+)"', line)[3:]) for line in COMPOSE.splitlines() if '"backup"' in line]
    assert len(commands) == 2
    for command in commands:
        name, *arguments = command.split()
        with main.commands[name].make_context(name, arguments, help_option_names=["-h", "--help"]) as context:
            assert context.params["keep"] == Keep.parse("14d,8w,12m")


def test_a_release_copies_every_file_of_the_image() -> None:
    parts = set(runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"])
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    assert set(re.findall(r"^!(.+)$", ignored, re.MULTILINE)) <= parts
    assert [part for part in parts if not (ROOT / part).exists()] == []


def test_a_release_contains_the_requirements_files_it_installs() -> None:
    """`make build`, and `make tracing` for an error tracker and traces."""
    targets = re.split(r"\n(?=\S)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    recipes = [text for text in targets if text.startswith(("$(VENV)/.site:", "tracing:"))]
    named = set(re.findall(r"-r (\S+)", "\n".join(recipes)))
    assert len(named) == 2
    assert named <= set(runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"])


@pytest.mark.parametrize("name", ["northstrait-backup", "northstrait-rehearsal"])
def test_backup_units_have_no_more_rights_than_the_site_unit(name: str) -> None:
    site, backup = ((ROOT / "deploy" / f"{unit}.service").read_text() for unit in ("northstrait", name))
    rights = re.compile(
        r"^(?:Protect|Private|Restrict|NoNew|Capability|User|Environment|StateDirectory|UMask|Lock|Remove|SystemCall).*$",
        re.MULTILINE,
    )
    place = "Environment=ADVISORY_BACKUP_TO=/var/backups/northstrait"
    assert rights.findall(site) == [right for right in rights.findall(backup) if right != place]


@pytest.mark.parametrize("name", ["northstrait-litestream", "northstrait-wal", "northstrait-wal-base"])
def test_copy_units_are_as_restricted_as_the_site_and_run_existing_files(name: str) -> None:
    site, copies = ((ROOT / "deploy" / f"{unit}.service").read_text() for unit in ("northstrait", name))
    rights = re.compile(r"^(?:Protect|Private|Restrict|NoNew|Capability|UMask|Lock|Remove|SystemCall).*$", re.MULTILINE)
    assert rights.findall(site) == rights.findall(copies)
    used = re.findall(r"/opt/northstrait/(\S+)", "\n".join(re.findall(r"^ExecStart=.*$", copies, re.MULTILINE)))
    assert used and all((ROOT / file).exists() for file in used)


def test_a_picture_that_takes_too_much_memory_does_not_stop_the_site() -> None:
    unit = (ROOT / "deploy" / "northstrait.service").read_text()
    assert re.findall(r"^(MemoryMax|OOMPolicy)=(.+)$", unit, re.MULTILINE) == [
        ("MemoryMax", "1G"),
        ("OOMPolicy", "continue"),
    ]


def test_the_rehearsal_unit_runs_an_existing_command() -> None:
    unit = (ROOT / "deploy" / "northstrait-rehearsal.service").read_text()
    (command,) = re.findall(r"-m advisory_site (.+)", unit)
    name, *arguments = command.split()
    main.commands[name].make_context(name, arguments, help_option_names=["-h", "--help"]).close()


@pytest.mark.skipif(not (shutil.which("systemd-analyze") or IS_CI), reason="systemd is not installed")
@pytest.mark.parametrize("name", ["northstrait", "northstrait-backup", "northstrait-litestream", "northstrait-wal"])
def test_units_have_a_low_systemd_exposure_level(name: str) -> None:
    """From 0 to 10; 3.0 and less is fine, and nothing but what Node and the network need is left."""
    unit = ROOT / "deploy" / f"{name}.service"
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Overall exposure level" in done.stdout


# As the log of the proxy has them.
SECRET_ADDRESSES = {
    "/preview/s3cret?page=home": "/preview/...",
    "/Preview%2Fs3cret": "/Preview%2F...",
    "/p%72eview/s3cret": "/p%...",
    "/%50REVIEW/s3cret": "/%...",
    "/p%2572eview/s3cret": "/p%...",
    "/en//preview/s3cret": "/en//preview/...",
    "/page-state/x/preview/s3cret": "/page-state/x/preview/...",
    "/auth/reset?token=s3cret": "/auth/reset?...",
    "/auth/invitation?x=1&token=s3cret": "/auth/invitation?...",
    "/auth/email?%74oken=s3cret": "/auth/email?...",
    "/auth/confirm?token=s3cret&a=b": "/auth/confirm?...",
    "/admin/export?token=s3cret": "/admin/export?...",
    "/_event/?EIO=4&token=s3cret": "/_event/?...",
    "/companies": "/companies",
}


@pytest.mark.spec("DRAFT-7", "AUTH-9")
@pytest.mark.skipif(not (shutil.which("caddy") or IS_CI), reason="Caddy is not installed")
def test_the_log_of_the_proxy_has_no_secret_of_a_link(tmp_path: Path) -> None:
    port, backend = free_port(), free_port()
    (tmp_path / "Caddyfile").write_text(
        (ROOT / "deploy" / "Caddyfile").read_text().replace("duration 5s", "duration 1s")
    )
    env = {"HOME": str(tmp_path), "SITE_ADDRESS": f"http://127.0.0.1:{port}", "BACKENDS": f"127.0.0.1:{backend}"}
    command = ["caddy", "run", "--adapter", "caddyfile", "--config", str(tmp_path / "Caddyfile")]
    with (tmp_path / "log").open("wb") as log:
        proxy = subprocess.Popen(command, env=os.environ | env, stdout=log, stderr=log)
    try:
        wait_for(lambda: _status(port, "/ping") == 404, "the proxy answers")
        with ThreadPoolExecutor(len(SECRET_ADDRESSES)) as readers:
            assert {*readers.map(lambda path: _status(port, path), SECRET_ADDRESSES)} == {503}
    finally:
        proxy.terminate()
        proxy.wait(60)
    logged = (tmp_path / "log").read_text()
    for uri in SECRET_ADDRESSES.values():
        assert f'"uri":"{uri}"' in logged
    assert "s3cret" not in logged


def _status(port: int, path: str) -> int:
    with suppress(OSError):
        referer = f"http://127.0.0.1:{port}/auth/reset?token=s3cret"
        return fetch(f"http://127.0.0.1:{port}{path}", referer=referer, cookie="backend=s3cret").status
    return 0
