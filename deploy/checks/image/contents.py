"""What must not get into an image: laid beside the source before it is built, and looked for afterwards."""

import re
import secrets
import shutil
import subprocess
from pathlib import Path

from deploy.checks.debian import CERTIFICATES, SETTINGS
from deploy.checks.image.builder import Image, paths

ROOT = Path(__file__).parents[3]
# The content of files that are put into the folder from which the image is built, and must not get into it.
MARK = f"planted-{secrets.token_hex(16)}"
PLANTED = (
    *(".env", ".git/config", ".data/advisory.db", ".npmrc", ".pytest_cache/planted", ".venv/planted", ".web/planted"),
    *("deploy/.env", "tests/planted.py", "node_modules/planted", "planted.db", "planted.pem", "id_ed25519"),
    *("sitekit/base/__pycache__/planted.pyc", "alembic/versions/__pycache__/planted.pyc"),
    *("assets/external/planted.js", "deploy/checks/planted.py"),
)
OF_THIS_MACHINE = f"{SETTINGS}/{CERTIFICATES.name}"
# What no image has on top of its base, except in the packages.
UNWANTED = re.compile(
    r"/(\.env|\.git|\.netrc|\.npmrc|\.pypirc|pip\.conf|\.data|\.cache|\.npm|_cacache|\.(pytest|mypy|ruff)_cache)(/|$)"
    r"|/(tests?|node_modules)(/|$)|\.(db|deb|pem|key|log)$|^/(tmp|root|var/(tmp|log|cache|lib/apt/lists))/"
)
PACKAGES = re.compile(r"^/site/\.venv/lib/")
PRIVATE_KEY = b"PRIVATE KEY-----"
# Beside the image's volumes, the place of the volume that compose.yaml has for the backups.
BACKUPS = "/backups"


def lay_context(folder: Path) -> None:
    """Fill a folder with the source, and with what a folder of work has beside it."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for name in PLANTED:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(MARK)


def inspect(image: Image) -> None:
    """Fail with everything in an image that does not belong there, or that the site could change."""
    search = ["grep", "--recursive", "--files-with-matches", "--fixed-strings", "-e", MARK, "-e", OF_THIS_MACHINE]
    marked = subprocess.run([*search, image.root / "site"], capture_output=True, text=True).stdout.splitlines()
    wrong = [f"{path} has what was planted, or a setting of this machine" for path in marked]
    uid, gid = image.numbers_of(image.user)
    assert uid != 0, "the image runs as root"
    own = (*image.volumes, image.home, BACKUPS)
    for name in paths(image.root):
        if name in image.inherited:
            continue
        path = image.root / name.lstrip("/")
        found = path.lstat()
        if UNWANTED.search(name) and not PACKAGES.search(name):
            wrong.append(f"{name} does not belong into an image")
        if path.is_file() and found.st_size < 10_000 and PRIVATE_KEY in path.read_bytes():
            wrong.append(f"{name} has a private key")
        may_write = found.st_uid == uid or found.st_gid == gid or found.st_mode & 0o002
        if may_write and not path.is_symlink() and not any(Path(name).is_relative_to(place) for place in own):
            wrong.append(f"{name} can be changed by the site")
    assert not wrong, "\n".join(wrong[:40])
