"""The rendering on the server knows nothing of the firm: an app of 60 lines gets it from `ssr` and `http` alone."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from sitekit.server.framework.built_site import SERVE_BUILD
from tests.e2e.conftest import ROOT, wait_until_it_answers
from tests.support.fetch import fetch
from tests.support.ports import free_port

BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the tea shop, built with the packages of the site's own build, and served."""
    folder = tmp_path_factory.mktemp("shop") / "app"
    shutil.copytree(ROOT / "tests" / "second_app", folder)
    shutil.copytree(ROOT / "reflex.lock", folder / "reflex.lock")
    shutil.copytree(ROOT / ".web" / "node_modules", folder / ".web" / "node_modules", symlinks=True)
    for name in ("package.json", "package-lock.json"):
        shutil.copy(ROOT / ".web" / name, folder / ".web")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("ADVISORY_")}
    environ |= {"PYTHONPATH": f"{folder}:{ROOT}", "REFLEX_ENV_MODE": "prod"}
    build = [str(BIN / "reflex"), "export", "--no-zip", "--frontend-only"]
    built = subprocess.run(build, cwd=folder, env=environ, capture_output=True, text=True)
    assert built.returncode == 0, built.stdout + built.stderr
    environ |= SERVE_BUILD
    port, log_file = free_port(), folder.parent / "shop.log"
    serve = [str(BIN / "granian"), "--interface", "asgi", "--factory", "--port", str(port), "tea_shop.tea_shop:app"]
    with log_file.open("wb") as log:
        process = subprocess.Popen(serve, cwd=folder, env=environ, stdout=log, stderr=subprocess.STDOUT)
    try:
        wait_until_it_answers(f"http://127.0.0.1:{port}/tea.css", process, log_file)
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(30)


def test_pages_of_the_second_app_are_complete_html_with_their_state(shop: str) -> None:
    assert "<h1>Tea</h1>" in fetch(shop).text
    page = fetch(f"{shop}/teas/sencha")
    assert (page.status, "<h1>Steamed and rolled</h1>" in page.text) == (200, True)


@pytest.mark.parametrize("path", ["/teas/nettle", "/coffee"])
def test_unknown_paths_of_the_second_app_are_404(shop: str, path: str) -> None:
    assert fetch(shop + path).status == 404


def test_the_content_security_policy_of_the_second_app_allows_only_its_scripts(shop: str) -> None:
    policy = fetch(f"{shop}/teas/sencha").headers["content-security-policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src "))
    assert "'self'" in scripts
    assert "unsafe" not in scripts
    assert "default-src 'self'" in policy


def test_the_second_app_causes_no_browser_errors(shop: str, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(f"{shop}/teas/oolong", wait_until="networkidle")
    expect(page.get_by_role("heading", name="Half oxidised")).to_be_visible()
    assert page.locator("h1").evaluate("title => getComputedStyle(title).color") == "rgb(0, 100, 0)"
