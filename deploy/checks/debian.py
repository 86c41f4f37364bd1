"""Debian in a folder: makes such roots, and runs commands in them. Needs root, and Debian's or Ubuntu's apt.

The mirror, the package index, the npm registry and the certificates are those of this machine, read when they are
needed. A root has them only while a command runs, so what is made of it does not contain them.
"""

import hashlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
ARCHIVE = "http://deb.debian.org/debian"
SECURITY_ARCHIVE = "http://deb.debian.org/debian-security"
KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg"
# A cached root is made anew after this, because packages get corrections.
MAX_AGE = 7 * 24 * 3600
# Where a root finds the settings of this machine while a command runs. Debian keeps this folder empty.
SETTINGS = "/mnt"
CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_USING_CERTIFICATES = (
    *("CURL_CA_BUNDLE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS", "NPM_CONFIG_CAFILE"),
    *("PIP_CERT", "REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"),
)
_PROXIES = ("http_proxy", "https_proxy", "no_proxy")
_STREAMS = {"fd": "", "stdin": "/0", "stdout": "/1", "stderr": "/2"}
_DEVICES = ("full", "null", "random", "tty", "urandom", "zero")


def make_root(folder: Path, suite: str, packages: Sequence[str] = ()) -> None:
    """Fill a new folder with a small Debian (apt and what is essential) and these packages."""
    kept = _cached(suite, packages)
    if not kept.exists() or time.time() - kept.stat().st_mtime > MAX_AGE:
        _bootstrap(kept, suite, packages)
    folder.mkdir(parents=True)
    _run(["tar", "--extract", "--numeric-owner", "--same-permissions", "--file", str(kept), "--directory", str(folder)])


def run_in(
    root: Path,
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    user: str = "root",
    cwd: str = "/",
    online: bool = True,
    timeout: float = 1800,
) -> subprocess.CompletedProcess[str]:
    """Run a command in a root and return what it printed; `env` is added to what `environment` returns.

    A server that the command leaves behind goes on, with its mounts. After a timeout all is killed that the command
    started in its process group.
    """
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen(
            entering(root, command, user=user, cwd=cwd, online=online),
            env={**environment(online=online), **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            start_new_session=True,
        )
        try:
            process.wait(timeout)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            raise
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read())
        return subprocess.CompletedProcess(list(command), process.returncode, *texts)


def entering(
    root: Path,
    command: Sequence[str],
    *,
    user: str = "root",
    cwd: str = "/",
    online: bool = True,
    mounts: Sequence[Sequence[str]] = (),
    unshare: Sequence[str] = (),
    read_only: bool = False,
) -> list[str]:
    """The command line that runs a command in a root, with its own mounts, which end with its last process.

    `mounts` are arguments of mount(8), the last one being a path in the root; `unshare` are more options of unshare(1).
    With `read_only` nothing can be written but below these mounts.
    """
    device = ["mknod", "--mode=666"]
    steps: list[list[str]] = [
        *([["mount", "--bind", str(root), str(root)]] if read_only else []),
        ["mount", "-t", "proc", "proc", f"{root}/proc"],
        ["mount", "-t", "tmpfs", "-o", "mode=755,size=64k", "dev", f"{root}/dev"],
        *([*device, f"{root}/dev/{name}", "c", *map(str, _numbers(name))] for name in _DEVICES),
        *(["ln", "-s", f"/proc/self/fd{to}", f"{root}/dev/{name}"] for name, to in _STREAMS.items()),
        ["mkdir", f"{root}/dev/pts", f"{root}/dev/shm"],
        ["mount", "-t", "devpts", "-o", "newinstance,ptmxmode=666", "devpts", f"{root}/dev/pts"],
        ["ln", "-s", "pts/ptmx", f"{root}/dev/ptmx"],
        ["mount", "-t", "tmpfs", "-o", "mode=1777", "shm", f"{root}/dev/shm"],
    ]
    for name in ("resolv.conf", "hosts"):
        steps.append(["touch", f"{root}/etc/{name}"])
        steps.append(["mount", "--bind", f"/etc/{name}", f"{root}/etc/{name}"])
    if online:
        steps.append(["mount", "-t", "tmpfs", "-o", "mode=755", "settings", f"{root}{SETTINGS}"])
        steps.append(["cp", str(CERTIFICATES), f"{root}{SETTINGS}/{CERTIFICATES.name}"])
        options = "".join(f"{line}\n" for line in _apt_options())
        steps.append(["sh", "-c", 'printf %s "$1" > "$2"', "sh", options, f"{root}{SETTINGS}/apt.conf"])
    steps += [["mount", *words[:-1], f"{root}{words[-1]}"] for words in mounts]
    if read_only:
        steps.append(["mount", "-o", "remount,ro,bind", str(root)])
    chroot = ["chroot", f"--userspec={user}", str(root), "/usr/bin/env", f"--chdir={cwd}", *command]
    # The command may have another PATH than the programs that prepare its root.
    lines = ["given=$PATH", f"PATH={PATH}", *map(shlex.join, steps)]
    start = f"exec {shlex.quote(shutil.which('chroot', path=PATH) or 'chroot')} {shlex.join(chroot[1:])}"
    script = " && ".join((*lines, "PATH=$given", start))
    found = shutil.which("unshare", path=PATH) or "unshare"
    return [found, "--mount", "--propagation", "private", *unshare, "/bin/sh", "-c", script]


def environment(*, online: bool = True) -> dict[str, str]:
    """What a command in a root has in its environment: with `online` also this machine's way to the registries."""
    plain = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"}
    if not online:
        return plain
    proxies = {name: os.environ[name] for lower in _PROXIES for name in (lower, lower.upper()) if name in os.environ}
    certificates = dict.fromkeys(_USING_CERTIFICATES, f"{SETTINGS}/{CERTIFICATES.name}")
    return {
        **plain,
        **proxies,
        **certificates,
        **_pip_settings(),
        **_npm_settings(),
        "APT_CONFIG": f"{SETTINGS}/apt.conf",
        "DEBIAN_FRONTEND": "noninteractive",
    }


def _numbers(device: str) -> tuple[int, int]:
    number = Path("/dev", device).stat().st_rdev
    return os.major(number), os.minor(number)


def _cached(suite: str, packages: Sequence[str]) -> Path:
    machine = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True)
    named = hashlib.sha256("\n".join((machine.stdout, *sorted(packages))).encode()).hexdigest()[:12]
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "northstrait" / f"{suite}-{named}.tar"


def _bootstrap(target: Path, suite: str, packages: Sequence[str]) -> None:
    """Write a root as a tar file."""
    if shutil.which("mmdebstrap") is None or not Path(KEYRING).exists():
        _run(["apt-get", "update", "-qq"])
        install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
        _run([*install, "mmdebstrap", "debian-archive-keyring"])
    target.parent.mkdir(parents=True, exist_ok=True)
    archive, security = _archives()
    lines = [
        f"deb {archive} {suite} main",
        f"deb {archive} {suite}-updates main",
        f"deb {security} {suite}-security main",
    ]
    # The options and the resolver are this machine's; "run_in" brings them again.
    forget = 'rm -f "$1/etc/apt/apt.conf.d/99mmdebstrap" && : > "$1/etc/resolv.conf" && : > "$1/etc/hostname"'
    with tempfile.TemporaryDirectory(dir=target.parent) as folder:
        made = Path(folder, "root.tar")
        _run(
            [
                *("mmdebstrap", "--quiet", "--mode=root", "--variant=minbase", f"--keyring={KEYRING}"),
                *(f"--aptopt={option}" for option in _apt_options()),
                f"--customize-hook={forget}",
                *([f"--include={','.join(packages)}"] if packages else []),
                *(suite, str(made), *lines),
            ]
        )
        made.replace(target)


def _archives() -> tuple[str, str]:
    """Where this machine gets Debian's packages, and their corrections for security."""
    listed = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(LABEL) $(REPO_URI)", "Identifier: Packages"],
        capture_output=True,
        text=True,
    ).stdout
    known = dict(line.split()[:2] for line in listed.splitlines() if len(line.split()) == 2)
    return known.get("Debian", ARCHIVE), known.get("Debian-Security", SECURITY_ARCHIVE)


def _apt_options() -> list[str]:
    """How this machine reaches the archives: proxies and checks, without its hooks."""
    listed = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout
    wanted = re.compile(r'^Acquire::(?:https?::|Check-|Retries)[^ ]* "[^"]+";$', re.MULTILINE)
    return wanted.findall(listed)


def _pip_settings() -> dict[str, str]:
    """This machine's settings of pip that are addresses or numbers; its folders do not exist in a root."""
    listed = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True).stdout
    found = {
        name.replace("-", "_").upper(): value for name, value in re.findall(r"^global\.([\w-]+)='(.*)'$", listed, re.M)
    }
    found |= {name.removeprefix("PIP_"): value for name, value in os.environ.items() if name.startswith("PIP_")}
    kept = ("INDEX_URL", "EXTRA_INDEX_URL", "TRUSTED_HOST", "DEFAULT_TIMEOUT", "TIMEOUT", "RETRIES", "PROXY")
    return {f"PIP_{name}": value for name in kept if (value := " ".join(_remote(found.get(name, ""))))}


def _remote(value: str) -> Iterator[str]:
    return (word for word in value.replace("\\n", " ").split() if not word.startswith(("/", "file:")))


def _npm_settings() -> dict[str, str]:
    """This machine's registry, if it has npm and another registry than npm's own."""
    if shutil.which("npm") is None:
        return {}
    asked = subprocess.run(["npm", "config", "get", "registry"], capture_output=True, text=True, cwd="/").stdout.strip()
    return {"NPM_CONFIG_REGISTRY": asked} if asked.startswith("http") else {}


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    )
    if done.returncode != 0:
        raise RuntimeError(f"'{shlex.join(command)[:200]}' failed:\n{(done.stdout + done.stderr)[-3000:]}")
