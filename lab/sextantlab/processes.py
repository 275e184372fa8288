# SPDX-License-Identifier: Apache-2.0
"""Processes that outlive the command that started them, found again by pid and start time."""

import contextlib
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import UserError
from .paths import relative
from .steps import tail


@dataclass(frozen=True)
class Started:
    """A process. The start time distinguishes it from another one that got the same pid later."""

    pid: int
    start_ticks: int

    @property
    def alive(self) -> bool:
        """False also for one that had ended before its start time was read."""
        return self.start_ticks != 0 and start_ticks(self.pid) == self.start_ticks


def start(argv: Sequence[str | os.PathLike[str]], log: Path, env: Mapping[str, str | None] | None = None) -> Started:
    """Starts a process in a session of its own with its output appended to a log. A None unsets a variable."""
    log.parent.mkdir(parents=True, exist_ok=True)
    whole = {**os.environ, **(env or {})}
    with log.open("ab") as out:
        process = subprocess.Popen(
            [os.fspath(word) for word in argv], stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.STDOUT,
            env={key: value for key, value in whole.items() if value is not None}, start_new_session=True,
        )  # fmt: skip
    # Else subprocess would reap it some time after it ends, and how it ended would be lost.
    process.returncode = 0
    return Started(process.pid, start_ticks(process.pid))


def piped(argv: Sequence[str], env: Mapping[str, str]) -> "subprocess.Popen[str]":
    """A process whose output this one reads."""
    return subprocess.Popen(
        argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(env)
    )  # fmt: skip


def stop(process: Started, seconds: float = 10) -> None:
    """Ends a process and its group, politely first; nothing if it is gone."""
    for how, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 5.0)):
        if not process.alive:
            break
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        until(lambda: not process.alive, patience)
    _reap(process.pid)


def kill(process: Started) -> None:
    """Ends a process without giving it a chance, as a crash would."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    until(lambda: not process.alive, 5)
    _reap(process.pid)


@contextlib.contextmanager
def pause(pid: int) -> Iterator[None]:
    """Stops a process, as if it hung, and continues it afterwards."""
    os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(pid, signal.SIGCONT)


def until(condition: Callable[[], bool], seconds: float, interval: float = 0.05) -> bool:
    """Waits for a condition; False if it did not come in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(interval)
    return True


def until_stalled(
    condition: Callable[[], bool],
    progress: Callable[[], object],
    seconds: float,
    most: float,
    interval: float = 0.1,
) -> bool:
    """Waits for a condition as long as `progress` changes; False if it did not within `seconds`, or after `most`."""
    began = time.monotonic()
    moved, before = began, progress()
    while not condition():
        now = time.monotonic()
        if (latest := progress()) != before:
            moved, before = now, latest
        if now - moved > seconds or now - began > most:
            return False
        time.sleep(interval)
    return True


def start_ticks(pid: int) -> int:
    """When a process started, in clock ticks after boot; 0 if there is none.

    A zombie counts as none once its last thread has ended: until then it may hold its ports and locks.
    """
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ended = fields[0] in ("Z", "X") and len(os.listdir(f"/proc/{pid}/task")) <= 1
    except (FileNotFoundError, ProcessLookupError):
        return 0
    return 0 if ended else int(fields[19])


def ending(process: Started) -> str:
    """How a child of this process ended, as "exit status 1" or "signal 11 (SIGSEGV)"; "" while it runs, once it was
    stopped, and for a process that is no child."""
    try:
        result = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return ""
    if result is None:
        return ""
    if result.si_code == os.CLD_EXITED:
        return f"exit status {result.si_status}"
    return f"signal {result.si_status} ({signal.Signals(result.si_status).name})"


def fail_with_log(what: str, log: Path, process: Started | None = None) -> UserError:
    """An error with the end of a log, the path of the rest, and how the process that writes it ended.

    If a signal ended the process, the kernel's log lines about it are included: it may have written nothing itself.
    """
    ended = ending(process) if process else ""
    how = f" ({ended})" if ended else ""
    said = "".join(f"\n    | kernel: {line}" for line in _kernel_lines(process)) if process and ended else ""
    written = tail(log) if log.exists() and log.stat().st_size else "    | (empty)"
    return UserError(f"{what}{how}; the end of {relative(log)}:\n{written}{said}")


def _kernel_lines(process: Started) -> list[str]:
    """The lines of the kernel's log about a process: where it crashed, or that there was no memory for it."""
    try:
        log = subprocess.run(["dmesg"], capture_output=True, text=True, check=False).stdout
    except OSError:
        return []
    return [line for line in log.splitlines() if re.search(rf"(\[|process ){process.pid}\b", line)][-3:]


def _reap(pid: int) -> None:
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
