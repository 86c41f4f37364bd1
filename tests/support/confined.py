"""Runs a command under what a systemd unit forbids and a process can forbid itself: system calls, rights and modes.

    python -m tests.support.confined UNIT COMMAND...

The sets of system calls are those of the systemd of this machine.
"""

import ctypes
import errno
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_LIBRARY = "libseccomp.so.2"


def can_confine() -> bool:
    """Whether this machine has what is needed."""
    try:
        ctypes.CDLL(_LIBRARY)
    except OSError:
        return False
    return all(map(shutil.which, ("systemd-analyze", "setpriv")))


def allowed_calls(unit: str) -> set[str]:
    """The names of the system calls that a unit's SystemCallFilter lines allow."""
    allowed: set[str] = set()
    for line in re.findall(r"^SystemCallFilter=(.+)$", unit, re.MULTILINE):
        names = set().union(*map(_calls_of, line.removeprefix("~").split()))
        allowed = allowed - names if line.startswith("~") else allowed | names
    return allowed


@cache
def _calls_of(name: str) -> frozenset[str]:
    if not name.startswith("@"):
        return frozenset({name})
    listed = subprocess.run(["systemd-analyze", "syscall-filter", name], capture_output=True, text=True, check=True)
    lines = (line.strip() for line in listed.stdout.splitlines()[1:])
    return frozenset().union(*(_calls_of(line) for line in lines if line and not line.startswith("#")))


def confine(unit: str) -> None:
    """Forbid this process, and all that it starts, other system calls; they fail with EPERM."""
    seccomp = ctypes.CDLL(_LIBRARY, use_errno=True)
    seccomp.seccomp_init.restype = ctypes.c_void_p
    rules = ctypes.c_void_p(seccomp.seccomp_init(_ERRNO | errno.EPERM))
    # systemd always allows to start the command.
    for name in allowed_calls(unit) | {"execve", "exit", "exit_group", "rt_sigreturn", "getrlimit", "time"}:
        if (number := seccomp.seccomp_syscall_resolve_name(name.encode())) >= 0:
            seccomp.seccomp_rule_add(rules, _ALLOW, number, 0)
    if seccomp.seccomp_load(rules) != 0:
        raise OSError("the system calls could not be restricted")


def main(unit: Path, *command: str) -> None:
    """Replace this process by a command that is confined as by a unit."""
    text = unit.read_text(encoding="utf-8")
    if os.environ.pop("CONFINED", ""):
        os.umask(int(re.findall(r"^UMask=(\d+)$", text, re.MULTILINE)[0], 8))
        confine(text)
        os.execvp(command[0], command)
    # Rights are dropped first, by a process whose calls the unit forbids.
    rights = ["--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
    again = [sys.executable, "-m", "tests.support.confined", str(unit), *command]
    os.execvpe("setpriv", ["setpriv", "--no-new-privs", *rights, *again], os.environ | {"CONFINED": "yes"})


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
