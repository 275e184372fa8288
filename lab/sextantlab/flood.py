# SPDX-License-Identifier: Apache-2.0
"""Attacks on an agent: agent/tools/flood as a process of its own, and the resources of the attacked process."""

import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Self

from .errors import UserError
from .paths import FLOOD
from .processes import Started
from .tls import CONTROLLER, Folder

_STOP_SECONDS = 20
# Attackers are on machines of their own, which take nothing from the node's; here they get the idle time.
_NICE = 15


class Flood:
    """An attack that is under way (`with Flood(...)`); at its end `answers` has how often it got which status."""

    def __init__(self, attack: str, address: str, device_id: int, *options: str) -> None:
        self.attack = attack
        self.answers: Counter[str] = Counter()
        self._words = [os.fspath(FLOOD), "--target", address, "--device-id", str(device_id), *options, attack]

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=lambda: os.nice(_NICE),
        )  # fmt: skip
        assert self._process.stdout is not None
        if self._process.stdout.readline() != "at work\n":
            raise UserError(f"flood {self.attack}: {self._process.communicate()[1][-2000:]}")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._process.terminate()
        try:
            told, problem = self._process.communicate(timeout=_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            told, problem = self._process.communicate()
        if kind is None:
            if self._process.returncode != 0:
                raise UserError(f"flood {self.attack} ended with {self._process.returncode}: {problem[-2000:]}")
            self.answers.update(json.loads(told))


def flood_words(tls: Folder | None, host: str) -> list[str]:
    """An attacker who has the controller's key: no other one gets as far. None of it where no key is needed."""
    if tls is None:
        return []
    own = tls.client(CONTROLLER)
    files = {"--cert": own.certificate, "--key": own.key, "--ca": tls.ca}
    return [*(word for option, file in files.items() for word in (option, os.fspath(file))), "--server-name", host]


class Usage:
    """The resources of a process: memory that it holds and the most it held, files it has open."""

    def __init__(self, process: Started) -> None:
        self._folder = Path(f"/proc/{process.pid}")

    def forget_peak(self) -> None:
        """From now on the peak is a new one."""
        (self._folder / "clear_refs").write_text("5")

    def peak_bytes(self) -> int:
        return self._status("VmHWM")

    def resident_bytes(self) -> int:
        return self._status("VmRSS")

    def files(self) -> int:
        return len(os.listdir(self._folder / "fd"))

    def seconds(self) -> float:
        """Processor time since its start."""
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _status(self, name: str) -> int:
        for line in (self._folder / "status").read_text().splitlines():
            if line.startswith(name + ":"):
                return int(line.split()[1]) * 1024
        raise UserError(f"{self._folder}/status does not say {name}")
