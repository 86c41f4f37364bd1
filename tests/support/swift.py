"""OpenStack Swift with its S3 API, all its servers in one process: `python -m tests.support.swift FOLDER`.

The process prints its port when it is ready, keeps its objects in memory, and ends when its standard input is closed.
"""

import os
import sys
from pathlib import Path

import eventlet

eventlet.monkey_patch()

from eventlet import wsgi  # noqa: E402  patched first
from eventlet.hubs import trampoline  # noqa: E402
from swift.common import storage_policy, utils  # noqa: E402
from swift.common.ring import RingBuilder  # noqa: E402
from swift.common.wsgi import SwiftHttpProtocol, loadapp  # noqa: E402

# The servers and the rings that lead to them.
RINGS = {"account": "account", "container": "container", "mem_object": "object"}
SWIFT = """
[swift-hash]
swift_hash_path_suffix = tests
[storage-policy:0]
name = only
default = yes
"""
BEHIND = """
[DEFAULT]
swift_dir = {folder}
devices = {folder}
mount_check = false
[app:main]
use = egg:swift#{kind}
"""
PROXY = """
[DEFAULT]
swift_dir = {folder}
[pipeline:main]
pipeline = s3api tempauth slo proxy-server
[filter:s3api]
use = egg:swift#s3api
[filter:tempauth]
use = egg:swift#tempauth
user_tests_site = a/secret+of=tests .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
"""


def serve(folder: Path) -> int:
    """Start all servers; the port of the S3 API."""
    (folder / "swift.conf").write_text(SWIFT)
    (folder / "disk").mkdir()
    utils.set_swift_dir(str(folder))
    storage_policy.reload_storage_policies()
    for kind, name in RINGS.items():
        ring = RingBuilder(4, 1, 0)
        place = {"id": 0, "region": 0, "zone": 0, "weight": 1, "ip": "127.0.0.1", "device": "disk"}
        ring.add_dev(place | {"port": _start(folder, kind, BEHIND)})
        ring.rebalance()
        ring.get_ring().save(str(folder / f"{name}.ring.gz"))
    return _start(folder, "proxy", PROXY)


def _start(folder: Path, kind: str, settings: str) -> int:
    file = folder / f"{kind}.conf"
    file.write_text(settings.format(folder=folder, kind=kind))
    listener = eventlet.listen(("127.0.0.1", 0))
    log = (folder / "requests").open("a")
    # S3 clients look for `ETag`, which eventlet would make `Etag`.
    options = {"protocol": SwiftHttpProtocol, "capitalize_response_headers": False}
    eventlet.spawn(wsgi.server, listener, loadapp(str(file)), log, **options)
    port: int = listener.getsockname()[1]
    return port


if __name__ == "__main__":
    print(serve(Path(sys.argv[1])), flush=True)
    while True:
        trampoline(0, read=True)
        if not os.read(0, 1):
            break
