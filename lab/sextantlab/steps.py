# SPDX-License-Identifier: Apache-2.0
"""One step of work: its exact command, a log file, and one line that says how long it took.

Everything goes to standard error, so that results on standard output can be piped. On a terminal the line is alive and
shows where the command is; elsewhere (CI) a step that takes long says so every half minute.
"""

import contextlib
import os
import re
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path

from .errors import UserError
from .paths import LOGS, ROOT, relative

TAIL_LINES = 30
_running: "set[subprocess.Popen[bytes]]" = set()
_ending = threading.Event()
HEARTBEAT_SECONDS = 30


class Interrupted(BaseException):
    """Ends a thread whose process is being ended, and the processes that the thread had started."""


def is_ending() -> bool:
    """True while everything is being ended: then nothing new begins."""
    return _ending.is_set()


def go_on() -> None:
    """Raises Interrupted while everything is being ended."""
    if _ending.is_set():
        raise Interrupted


def say(text: str = "") -> None:
    """One line of progress."""
    print(text, file=sys.stderr, flush=True)


class _Ticker:
    """Shows that a step is alive, until it is stopped."""

    def __init__(self, name: str, where: Callable[[], str]) -> None:
        self._name, self._where, self._start = name, where, time.monotonic()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        alive = sys.stderr.isatty()
        while not self._done.wait(1 if alive else HEARTBEAT_SECONDS):
            line = f"  … {self._name}  {self.seconds:.0f} s  {self._where()}"
            if alive:
                width = os.get_terminal_size(sys.stderr.fileno()).columns
                print("\r\033[K" + line[: width - 1], end="", file=sys.stderr, flush=True)
            else:
                say(line)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._start

    def stop(self) -> float:
        seconds = self.seconds
        self._done.set()
        self._thread.join()
        if sys.stderr.isatty():
            print("\r\033[K", end="", file=sys.stderr, flush=True)
        return seconds


@contextlib.contextmanager
def step(name: str, where: Callable[[], str] = lambda: "") -> Iterator[None]:
    """A named piece of work done by this process; its line is printed when it ends."""
    ticker = _Ticker(name, where)
    try:
        yield
    except BaseException:
        say(f"  ✗ {name}  {ticker.stop():.1f} s")
        raise
    say(f"  ✓ {name}  {ticker.stop():.1f} s")


def command(
    name: str,
    argv: Sequence[str | os.PathLike[str]],
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
    check: bool = True,
    stdout: Path | None = None,
    fine: Collection[int] = (0,),
) -> int:
    """Runs a command with its output in build/logs/NAME.log (or its standard output in a file of its own).

    The exit codes in `fine` are no failure. With `check` a failure prints the log's tail and raises UserError. The
    command is a process group of its own and is ended with us.
    """
    go_on()
    words = [os.fspath(word) for word in argv]
    log = LOGS / (re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") + ".log")
    log.parent.mkdir(parents=True, exist_ok=True)
    # Short enough to read, and the same wherever the repository is.
    shown = [os.path.relpath(word, cwd) if word.startswith(f"{ROOT}/") else word for word in words]
    say(f"  $ {'' if cwd == ROOT else f'cd {relative(cwd)} && '}{shlex.join(shown)}")
    with contextlib.ExitStack() as stack:
        err = stack.enter_context(log.open("wb"))
        out = stack.enter_context(stdout.open("wb")) if stdout else err
        process = subprocess.Popen(
            words,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT if stdout is None else err,
            start_new_session=True,
        )
        stack.callback(end_group, process)
        _running.add(process)
        stack.callback(_running.discard, process)
        ticker = _Ticker(name, lambda: _last_line(log))
        try:
            if _ending.is_set():  # since it was looked at
                end_group(process)
            code = process.wait()
        finally:
            seconds = ticker.stop()
    go_on()
    say(f"  {'✓' if code in fine else '✗'} {name}  {seconds:.1f} s")
    if code not in fine and check:
        say(tail(log))
        raise UserError(f"{name} failed (exit code {code}); the whole log is {relative(log)}")
    return code


def end_all() -> None:
    """Ends the commands that run in other threads, all at the same time; those that would follow do not begin."""
    _ending.set()
    threads = [threading.Thread(target=end_group, args=[process]) for process in tuple(_running)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def end_group(process: "subprocess.Popen[bytes]", seconds: float = 30) -> None:
    """Ends a process that leads its own group, and its children; politely first.

    An interrupt lets pytest undo its fixtures, that is: take down its labs.
    """
    if process.poll() is not None:
        return
    for how in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        try:
            process.wait(seconds)
            return
        except subprocess.TimeoutExpired:
            continue


def tail(log: Path, lines: int = TAIL_LINES) -> str:
    """The last lines of a log, indented."""
    text = log.read_text(errors="replace").splitlines()[-lines:]
    return "\n".join("    | " + line for line in text)


def _last_line(log: Path) -> str:
    with contextlib.suppress(OSError), log.open("rb") as file:
        file.seek(max(0, os.path.getsize(log) - 2000))
        lines = [line for line in file.read().decode(errors="replace").split("\n") if line.strip()]
        # Maven rewrites its download line with carriage returns; the last of them is where it is.
        return lines[-1].split("\r")[-1].strip() if lines else ""
    return ""
