"""Confines a process by Landlock, which Linux has since 5.13: it can open only the files that it needs.

The numbers are those of linux/landlock.h, and the same on x86 and ARM.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_GET_VERSION, _PATH_BENEATH, _NO_NEW_PRIVILEGES = 1, 1, 38
_WRITE_FILE, _READ_FILE, _READ_FOLDER, _MAKE_FILE, _TRUNCATE = 1 << 1, 1 << 2, 1 << 3, 1 << 8, 1 << 14
# How many rights to files each version knows; TCP, and reaching other processes, can be denied since later ones.
_FILE_RIGHTS = (0, 13, 14, 15, 15, 16)
_TCP_SINCE, _TCP = 4, 0b11
_SCOPES_SINCE, _SCOPES = 6, 0b11


def version() -> int:
    """The version of Landlock that the kernel has and permits; 0 without it."""
    return max(0, _call(_CREATE_RULESET, None, 0, _GET_VERSION)) if sys.platform == "linux" else 0


def confine(read: Iterable[Path], write: Path) -> None:
    """Let this thread read only these files and folders, and write only into a folder; no effect without Landlock.

    It also cannot connect by TCP or signal other processes, if the kernel can prevent that.
    """
    if not (available := version()):
        return
    rights = (1 << _FILE_RIGHTS[min(available, len(_FILE_RIGHTS) - 1)]) - 1
    tcp, scopes = _TCP * (available >= _TCP_SINCE), _SCOPES * (available >= _SCOPES_SINCE)
    attributes = struct.pack("=QQQ", rights, tcp, scopes)
    ruleset = _checked(_call(_CREATE_RULESET, attributes, len(attributes), 0))
    for path in read:
        if path.exists():
            _allow(ruleset, path, _READ_FILE | (_READ_FOLDER if path.is_dir() else 0))
    _allow(ruleset, write, (_WRITE_FILE | _MAKE_FILE | _TRUNCATE) & rights)
    _checked(ctypes.CDLL(None, use_errno=True).prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0))
    _checked(_call(_RESTRICT_SELF, ruleset, 0))


def _allow(ruleset: int, path: Path, rights: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    _checked(_call(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, folder), 0))
    os.close(folder)


def _call(number: int, *arguments: int | bytes | None) -> int:
    wide = (ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments)
    return int(ctypes.CDLL(None, use_errno=True).syscall(ctypes.c_long(number), *wide))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
