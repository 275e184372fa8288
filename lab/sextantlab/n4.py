# SPDX-License-Identifier: Apache-2.0
"""sextant-n4 beside a lab: which controller it asks, and one that runs while a story does."""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from . import processes
from .controller import Controller
from .errors import UserError
from .paths import LOGS, N4

_START_SECONDS = 10


def become(controller: Controller | None, words: Sequence[str]) -> NoReturn:
    """Becomes sextant-n4. Where the words name no controller, it asks the one of the lab that is up, if any."""
    argv = [str(N4), *words]
    serves = not words or words[0].startswith("-")
    named = any(word.startswith(("--controller", "--credentials")) for word in words)
    if controller is not None and serves and not named:
        argv += controller_words(controller)
    sys.stdout.flush()
    os.execv(N4, argv)


def controller_words(controller: Controller) -> list[str]:
    """Options that make sextant-n4 ask this controller, with the passwords that its first start made."""
    return ["--controller", controller.url, "--credentials", str(controller.credentials)]


@dataclass(frozen=True)
class N4Process:
    """A running sextant-n4 and the folder of its state."""

    state: Path
    log: Path
    process: processes.Started

    def status(self) -> Any:
        """The output of `sextant-n4 status --json`."""
        argv = [str(N4), "status", "--state-dir", str(self.state), "--json"]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UserError(done.stderr.strip())
        return json.loads(done.stdout)

    def _serves(self) -> bool:
        with contextlib.suppress(UserError):
            self.status()
            return True
        return False


@contextlib.contextmanager
def running(state: Path, words: Sequence[str]) -> Iterator[N4Process]:
    """A sextant-n4 that serves, and is stopped at the end. Sessions stay. With --netns it is a lab's host for SMFs."""
    log = LOGS / f"n4-{state.name}.log"
    started = processes.start([N4, "--state-dir", state, *words], log)
    one = N4Process(state, log, started)
    try:
        if not processes.until(lambda: one._serves() or not started.alive, _START_SECONDS) or not started.alive:
            raise processes.fail_with_log("sextant-n4 does not serve", log, started)
        yield one
    finally:
        processes.stop(started)
