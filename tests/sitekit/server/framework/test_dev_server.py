"""The server with hot reload is not open to the network."""

import subprocess

import pytest
from reflex.utils.frontend_skeleton import _compile_vite_config
from reflex_base.config import get_config

from sitekit.server.framework.dev_server import on_localhost
from tests.conftest import ROOT


def test_a_plugin_of_vite_has_it_listen_on_localhost_only() -> None:
    """Only a plugin overrides the arguments with which Reflex starts Vite."""
    script = on_localhost(_compile_vite_config(get_config()))
    plugin = script.partition("  plugins: [\n")[2].partition(",\n")[0].strip()
    command = [str(ROOT / ".venv" / "bin" / "node"), "--print", f"({plugin}).config().server.host"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "127.0.0.1\n"


def test_the_settings_of_vite_are_changed_once() -> None:
    script = on_localhost(_compile_vite_config(get_config()))
    assert on_localhost(script) == script


def test_unexpected_settings_of_vite_fail_the_build() -> None:
    with pytest.raises(SystemExit):
        on_localhost("export default {};")
