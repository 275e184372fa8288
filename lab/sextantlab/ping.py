# SPDX-License-Identifier: Apache-2.0
"""Pings between hosts of the lab: once, and without a break to measure how long traffic stood still."""

import re
import subprocess
import threading
import time
from dataclasses import dataclass, field
from typing import Self

from . import netns
from .processes import until

_REPLY = re.compile(r"^\[(\d+\.\d+)\].* icmp_seq=(\d+)(?:.* time=([\d.]+) ms)?")


def ping(namespace: str, address: str, *, count: int = 3, timeout_seconds: int = 2, hop_limit: int = 64) -> bool:
    """True if every request was answered."""
    done = netns.run(namespace, "ping", "-n", "-q", "-c", str(count), "-i", "0.05", "-W", str(timeout_seconds),
                     "-t", str(hop_limit), address)  # fmt: skip
    return done.returncode == 0 and " 0% packet loss" in done.stdout


def until_answered(namespace: str, address: str, seconds: float, *, hop_limit: int = 64) -> bool:
    """Waits until a ping is answered."""
    return until(lambda: ping(namespace, address, count=1, timeout_seconds=1, hop_limit=hop_limit), seconds)


@dataclass
class Pinger:
    """Pings all the time (`with Pinger(...)`) and knows how long no answer came."""

    namespace: str
    address: str
    interval_seconds: float = 0.01
    _replies: list[tuple[float, int]] = field(default_factory=list)
    _round_trips: list[tuple[float, float]] = field(default_factory=list)
    source: str = ""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            ["ip", "netns", "exec", self.namespace,
             "ping", "-n", "-D", "-O", "-i", str(self.interval_seconds),
             *(["-I", self.source] if self.source else []), self.address],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1,
        )  # fmt: skip
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self._reader.join()

    @property
    def replies(self) -> int:
        """How many answers have come."""
        return len(self._replies)

    def await_replies(self, more: int, seconds: float) -> bool:
        """Waits for that many further answers; False if they did not come in time."""
        wanted = self.replies + more
        return until(lambda: self.replies >= wanted, seconds, interval=0.01)

    def outage_millis(self, since: float) -> float:
        """The longest time without an answer after `since` (time.time()), beyond the interval of the pings."""
        times = [seconds for seconds, _ in self._replies if seconds >= since - self.interval_seconds]
        ends = [*times, time.time()]
        longest = max((after - before for before, after in zip([since, *times], ends, strict=True)), default=0.0)
        return max(0.0, longest - self.interval_seconds) * 1000

    def first_reply(self) -> float:
        """When the first answer came, as time.time()."""
        return self._replies[0][0]

    def round_trips(self, since: float = 0) -> list[float]:
        """Milliseconds of each answer after `since` (time.time())."""
        return [millis for seconds, millis in self._round_trips if seconds >= since]

    def lost(self) -> int:
        """Requests between the first and the last answer that got none."""
        numbers = {number for _, number in self._replies}
        return max(numbers) - min(numbers) + 1 - len(numbers) if numbers else 0

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            match = _REPLY.match(line)
            if match and " bytes from " in line:
                self._replies.append((float(match[1]), int(match[2])))
                if match[3]:
                    self._round_trips.append((float(match[1]), float(match[3])))
