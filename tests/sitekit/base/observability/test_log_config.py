"""The configuration of the log, which the server reads from a file before it loads the site."""

import json
import logging
import logging.config
import subprocess
import sys
from pathlib import Path

import pytest

from sitekit.base.observability import log_config, log_format
from sitekit.base.settings import Settings
from tests.conftest import ROOT

PRODUCTION = {
    "ADVISORY_ENV": "production",
    "ADVISORY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz",
    "ADVISORY_SIGN_UP": "closed",
}


@pytest.mark.parametrize(("environ", "formatter"), [({}, log_format.Readable), (PRODUCTION, log_format.JsonLines)])
def test_the_written_log_configuration_is_valid(
    environ: dict[str, str], formatter: type[logging.Formatter], tmp_path: Path
) -> None:
    path = log_config.write_configuration(Settings.from_environment(environ | {"ADVISORY_DATA_DIR": str(tmp_path)}))
    configuration = json.loads(path.read_text())
    configurator = logging.config.DictConfigurator(configuration)
    assert isinstance(configurator.configure_formatter(configuration["formatters"]["own"]), formatter)
    assert isinstance(configurator.configure_filter(configuration["filters"]["brief"]), log_format.Brief)


def test_the_log_can_be_configured_before_the_site_is_loaded() -> None:
    configuration = log_config.configuration(Settings.from_environment({}))
    code = f"import logging.config; logging.config.dictConfig({configuration!r}); import advisory_site"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
