# SPDX-License-Identifier: Apache-2.0
"""Network namespaces: making them, entering one for a moment, running a command in one."""

import ctypes
import os
import subprocess
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from .errors import UserError

_CLONE_NEWNET = 0x40000000
_RUN = Path("/run/netns")
_libc = ctypes.CDLL(None, use_errno=True)

Value = TypeVar("Value")


def exists(name: str) -> bool:
    return (_RUN / name).exists()


def ip(*words: str, namespace: str | None = None) -> str:
    """The output of one `ip` command; its own words are the error."""
    argv = ["ip", *(["-n", namespace] if namespace else []), *words]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{' '.join(argv)}: {done.stderr.strip()}")
    return done.stdout


def ip_batch(lines: Iterable[str], namespace: str | None = None) -> None:
    """Many `ip` commands in one process; the first that fails ends it."""
    argv = ["ip", *(["-n", namespace] if namespace else []), "-batch", "-"]
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(argv, input=text, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{' '.join(argv)}: {done.stderr.strip()}")


def inside(namespace: str, function: Callable[[], Value]) -> Value:
    """The function's value, called in a namespace by a thread of its own, so that this process stays where it is.

    Sockets opened there stay there: that is how a capture looks into a node without a process in it. "" is here.
    """
    if not namespace:
        return function()
    outcome: list[Value] = []
    failure: list[BaseException] = []

    def enter() -> None:
        try:
            descriptor = os.open(_RUN / namespace, os.O_RDONLY | os.O_CLOEXEC)
            try:
                if _libc.setns(descriptor, _CLONE_NEWNET) != 0:
                    error = ctypes.get_errno()
                    raise OSError(error, os.strerror(error), namespace)
            finally:
                os.close(descriptor)
            outcome.append(function())
        except BaseException as problem:
            failure.append(problem)

    thread = threading.Thread(target=enter)
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return outcome[0]


def sysctl(namespace: str, values: dict[str, str]) -> None:
    """Sets kernel parameters of a namespace."""

    def write() -> None:
        for key, value in values.items():
            Path("/proc/sys", key.replace(".", "/")).write_text(value)

    inside(namespace, write)


def run(namespace: str, *argv: str, timeout: float = 60) -> "subprocess.CompletedProcess[str]":
    """A command in a namespace; never raises for its exit code."""
    return subprocess.run(
        ["ip", "netns", "exec", namespace, *argv],
        capture_output=True, text=True, check=False, timeout=timeout, stdin=subprocess.DEVNULL,
    )  # fmt: skip
