"""Finds the Debian programs that the measurements use (nginx, wrk, Varnish), or installs their packages."""

import shutil

from bench.servers import NGINX
from tests.install_services import install
from tests.support.varnish import varnishd

if __name__ == "__main__":
    programs = {"nginx": NGINX, "wrk": shutil.which("wrk"), "varnish": varnishd()}
    install([name for name, path in programs.items() if path is None])
