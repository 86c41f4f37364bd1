"""Finds the Debian programs that the measurements use (nginx, wrk), or installs their packages."""

import shutil

from bench.servers import NGINX
from tests.install_services import install

if __name__ == "__main__":
    install([name for name, path in (("nginx", NGINX), ("wrk", shutil.which("wrk"))) if path is None])
