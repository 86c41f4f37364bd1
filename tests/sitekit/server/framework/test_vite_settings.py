"""Our plugins of Vite: the server with hot reload is not open to the network, and pages draw without Emotion."""

import json
import subprocess

import pytest
from reflex.utils.frontend_skeleton import _compile_vite_config
from reflex_base.config import get_config

from sitekit.server.framework.vite_settings import with_plugins
from sitekit.ui.scripts import SEAMS
from tests.conftest import ROOT


def evaluated(expression: str) -> object:
    """The value of an expression with our plugins as `plugins`."""
    plugins = json.dumps(str(SEAMS / "vite_plugins.js"))
    program = f"import * as plugins from {plugins}; console.log(JSON.stringify({expression}))"
    command = [str(ROOT / ".venv" / "bin" / "node"), "--input-type=module", "--eval", program]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def test_a_plugin_of_vite_has_it_listen_on_localhost_only() -> None:
    """Only a plugin overrides the arguments with which Reflex starts Vite."""
    assert evaluated("plugins.onLocalhost.config().server.host") == "127.0.0.1"


@pytest.mark.parametrize(
    ("source", "importer", "is_plain"),
    [
        ("@emotion/react", "/site/.web/app/routes/[admin]._index.jsx", True),
        ("@emotion/react", "/site/.web/ui/chakra.jsx", False),
        ("@emotion/react", "/site/.web/node_modules/@chakra-ui/system/index.mjs", False),
        ("react", "/site/.web/app/root.jsx", False),
    ],
)
def test_pages_draw_without_emotion(source: str, importer: str, is_plain: bool) -> None:
    plain = str(SEAMS / "plain_jsx.js") if is_plain else None
    assert evaluated(f"plugins.plainJsx.resolveId({json.dumps(source)}, {json.dumps(importer)})") == plain


def test_the_settings_of_vite_have_the_plugins_once() -> None:
    script = with_plugins(_compile_vite_config(get_config()))
    assert "plugins: [\n    onLocalhost,\n    plainJsx,\n" in script
    assert with_plugins(script) == script


def test_unexpected_settings_of_vite_fail_the_build() -> None:
    with pytest.raises(SystemExit):
        with_plugins("export default {};")
