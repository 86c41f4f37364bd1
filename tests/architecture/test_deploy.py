"""Deployment files: settings exist, containers are restricted, secrets have no defaults."""

import json
import re
import runpy
import shutil
import subprocess
from pathlib import Path

import pytest
from starlette.datastructures import Headers

from advisory_site.advisors.expertise import FILTER
from advisory_site.asgi import Site
from advisory_site.companies.filters import FILTERS
from advisory_site.core import routes
from advisory_site.http.shared_cache import INSTEAD_OF_ERROR, REVALIDATING
from advisory_site.ops.backup_keep import Keep
from advisory_site.ops.cli import main
from advisory_site.ssr.theme_variants import chosen_theme
from tests.conftest import IS_CI

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
SETTINGS = set(re.findall(r'read\.\w+\(\s*"([A-Z_]+)"', (ROOT / "advisory_site" / "core" / "settings.py").read_text()))
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


@pytest.mark.parametrize("file", DEPLOYED)
def test_every_setting_that_is_deployed_exists(file: str) -> None:
    named = set(re.findall(r"ADVISORY_([A-Z_]+)", (ROOT / file).read_text(encoding="utf-8")))
    assert named - SETTINGS == set()


def test_the_cluster_is_a_proxy_two_backends_a_database_and_redis() -> None:
    assert set(services()) == {"proxy", "first", "second", "backup", "wal", "database", "redis"}


@pytest.mark.parametrize("name", ["proxy", "first", "second", "wal", "database", "redis"])
@pytest.mark.parametrize(
    "rule", ["cap_drop: [ALL]", "no-new-privileges:true", "mem_limit:", "restart: unless-stopped", "logging: *logging"]
)
def test_no_container_has_more_rights_or_memory_than_it_needs(name: str, rule: str) -> None:
    assert rule in services()[name]


@pytest.mark.parametrize("name", ["proxy", "wal", "database", "redis"])
def test_every_container_is_asked_whether_it_is_well(name: str) -> None:
    assert "healthcheck:" in services()[name]


def test_the_image_of_the_site_runs_without_rights_and_is_asked_whether_it_is_well() -> None:
    image = (ROOT / "deploy" / "Containerfile").read_text(encoding="utf-8")
    assert image.index("USER site") < image.index("HEALTHCHECK") < image.index("CMD [")


def test_no_secret_has_a_default() -> None:
    assert re.findall(r"\$\{(\w*(?:SECRET|PASSWORD)\w*):-([^}]+)\}", COMPOSE) == []


def test_the_guide_names_every_variable_of_the_cluster() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    section = guide.partition("\n## The cluster in containers\n")[2].partition("\n## ")[0]
    named = set(re.findall(r"\$\{(\w+)", COMPOSE))
    assert {"MEMORY", "SOCKETS_PER_ADDRESS", "TRUSTED_PROXIES", "TRUSTED_RANGES"} <= named
    assert [name for name in sorted(named) if not re.search(rf"\b{name}\b", section)] == []


def test_every_setting_that_a_cluster_may_change_is_passed_on() -> None:
    passed = set(re.findall(r"ADVISORY_([A-Z_]+):", COMPOSE))
    fixed = {"DATA_DIR", "LOCK_TIMEOUT_MS"}  # of the image, and of SQLite
    assert SETTINGS - fixed == passed


def test_no_setting_in_the_guide_has_a_comment_behind_it() -> None:
    """systemd takes it for a part of the value, and Compose for the whole value if that is empty."""
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    assert re.findall(r"^[A-Z_]+=\S*[ ]+#.*$", guide, re.MULTILINE) == []


def test_the_variables_of_the_library_for_traces_are_passed_on() -> None:
    guide = (ROOT / "docs" / "deploy.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\bOTEL_[A-Z_]+", guide))
    assert named == set(re.findall(r"^    (OTEL_[A-Z_]+):$", COMPOSE, re.MULTILINE)) != set()


def test_shared_caches_let_the_readers_pass_whose_cookies_change_a_page() -> None:
    chosen = [chosen_theme(Headers({"cookie": f"theme={theme}"})) for theme in ("light", "dark")]
    assert all(chosen)
    marked = (ROOT / "advisory_site" / "ui" / "js" / "uncached.jsx").read_text(encoding="utf-8")
    assert "document.cookie = `uncached=1; path=/;" in marked
    assert "(theme=(light|dark)|uncached=1)" in VARNISH
    keeps, passes = CLOUDFLARE["http_request_cache_settings"]["rules"]  # of two rules that match, the last one counts
    assert '(http.cookie contains "theme=" or http.cookie contains "uncached=1")' in passes["expression"]
    assert (keeps["action_parameters"]["cache"], passes["action_parameters"]["cache"]) == (True, False)


def test_shared_caches_keep_nothing_that_is_private() -> None:
    for path in (*routes.PRIVATE, "/_event"):
        assert f'not starts_with(http.request.uri.path, "{path}")' in json.dumps(CLOUDFLARE).replace("\\", "")
        assert f"|{path[1:]}" in VARNISH.replace("^/(", "|")


def test_varnish_knows_the_queries_that_select_a_page(app: Site) -> None:
    assert {route.route for route in app.routes if route.filters} == {routes.COMPANIES, routes.ADVISORS}
    named = "|".join(one.name for one in (*FILTERS, FILTER))
    assert set(re.findall(r"\(([a-z|]+)\)=", VARNISH)) == {named}
    queries = {query for route in app.routes for query in route.queries}
    assert set(re.findall(r'"\^/\\\?([a-z=]+)\$"', VARNISH)) == queries


def test_varnish_keeps_older_pages_as_long_as_their_headers_say() -> None:
    assert f"set req.grace = {REVALIDATING}s;" in VARNISH
    hours = INSTEAD_OF_ERROR // 3600
    assert f"set req.grace = {hours}h;" in VARNISH and f"set beresp.grace = {hours}h;" in VARNISH


def test_the_backup_is_made_by_a_command_that_exists() -> None:
    commands = re.findall(r"-m advisory_site (.+)", (ROOT / "deploy" / "northstrait-backup.service").read_text())
    commands += [" ".join(re.findall(r'"([^"]+)"', line)[3:]) for line in COMPOSE.splitlines() if '"backup"' in line]
    assert len(commands) == 2
    for command in commands:
        name, *arguments = command.split()
        with main.commands[name].make_context(name, arguments, help_option_names=["-h", "--help"]) as context:
            assert context.params["keep"] == Keep.parse("14d,8w,12m")


def test_a_release_copies_what_an_image_has() -> None:
    parts = set(runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"])
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8")
    assert set(re.findall(r"^!(.+)$", ignored, re.MULTILINE)) <= parts
    assert [part for part in parts if not (ROOT / part).exists()] == []


def test_a_release_has_the_packages_that_its_folder_may_install() -> None:
    """`make build`, and `make tracing` for an error tracker and traces."""
    targets = re.split(r"\n(?=\S)", (ROOT / "Makefile").read_text(encoding="utf-8"))
    recipes = [text for text in targets if text.startswith(("$(VENV)/.site:", "tracing:"))]
    named = set(re.findall(r"-r (\S+)", "\n".join(recipes)))
    assert len(named) == 2
    assert named <= set(runpy.run_path(str(ROOT / "deploy" / "release"))["SOURCE"])


@pytest.mark.parametrize("name", ["northstrait-backup", "northstrait-rehearsal"])
def test_the_units_of_backups_have_no_more_rights_than_that_of_the_site(name: str) -> None:
    site, backup = ((ROOT / "deploy" / f"{unit}.service").read_text() for unit in ("northstrait", name))
    rights = re.compile(
        r"^(?:Protect|Private|Restrict|NoNew|Capability|User|Environment|StateDirectory|UMask|Lock|Remove|SystemCall).*$",
        re.MULTILINE,
    )
    place = "Environment=ADVISORY_BACKUP_TO=/var/backups/northstrait"
    assert rights.findall(site) == [right for right in rights.findall(backup) if right != place]


@pytest.mark.parametrize("name", ["northstrait-litestream", "northstrait-wal", "northstrait-wal-base"])
def test_a_unit_of_copies_is_as_restricted_as_the_site_and_runs_a_file_that_exists(name: str) -> None:
    site, copies = ((ROOT / "deploy" / f"{unit}.service").read_text() for unit in ("northstrait", name))
    rights = re.compile(r"^(?:Protect|Private|Restrict|NoNew|Capability|UMask|Lock|Remove|SystemCall).*$", re.MULTILINE)
    assert rights.findall(site) == rights.findall(copies)
    used = re.findall(r"/opt/northstrait/(\S+)", "\n".join(re.findall(r"^ExecStart=.*$", copies, re.MULTILINE)))
    assert used and all((ROOT / file).exists() for file in used)


def test_the_rehearsal_is_a_command_that_exists() -> None:
    unit = (ROOT / "deploy" / "northstrait-rehearsal.service").read_text()
    (command,) = re.findall(r"-m advisory_site (.+)", unit)
    name, *arguments = command.split()
    main.commands[name].make_context(name, arguments, help_option_names=["-h", "--help"]).close()


@pytest.mark.skipif(not (shutil.which("systemd-analyze") or IS_CI), reason="systemd is not installed")
@pytest.mark.parametrize("name", ["northstrait", "northstrait-backup", "northstrait-litestream", "northstrait-wal"])
def test_a_unit_is_exposed_as_little_as_systemd_recommends(name: str) -> None:
    """From 0 to 10; 3.0 and less is fine, and nothing but what Node and the network need is left."""
    unit = ROOT / "deploy" / f"{name}.service"
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Overall exposure level" in done.stdout
