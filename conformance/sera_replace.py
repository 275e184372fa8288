# SPDX-License-Identifier: Apache-2.0
"""All rules of a firewall replaced under packets, as a controller does it: which rules judged them, how long it took.

The last of the old rules drops the packets and the first of the new ones; all others would let them on. So a packet
that is judged by rules of both is one that neither of the two has counted.

    PYTHONPATH=lab:. build/venv/bin/python conformance/sera_replace.py 4096 [--rounds N] > results.json
"""

import argparse
import contextlib
import json
import os
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nodes import firewalls
from nodes.p4runtime import DELETE, INSERT, MODIFY, Client, WriteError
from nodes.target import linux_target
from sera import CLASSIC, encapsulated, frame, rules_of, sid
from sextantlab import live
from sextantlab.errors import UserError
from sextantlab.processes import until

_ROUNDS = 5
_INSTANCE = 1
_CHUNK = 256
_PAUSE_SECONDS = 0.0005
_TRAFFIC_SECONDS = 10


class Traffic:
    """Equal frames, fed a few at a time by a thread of its own."""

    def __init__(self, feed: live.Feed, data: bytes) -> None:
        self.fed = 0
        self._feed, self._data = feed, data
        self._done = threading.Event()
        self._problem: list[BaseException] = []
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> "Traffic":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._done.wait(_PAUSE_SECONDS):
                self._feed.nanos(self._data, _CHUNK)
                self.fed += _CHUNK
        except BaseException as problem:
            self._problem.append(problem)

    def more(self) -> None:
        """Waits for some packets that were fed from now on."""
        wanted = self.fed + 4 * _CHUNK
        if not until(lambda: self.fed >= wanted or bool(self._problem), _TRAFFIC_SECONDS, interval=0.001):
            raise UserError("no packets are fed")
        if self._problem:
            raise self._problem[0]


class Agent:
    """The process of a node, by its processor time: beside a busy machine that says more than the clock."""

    def __init__(self, namespace: str) -> None:
        words = f"--netns\0{namespace}\0".encode()
        (self._folder,) = [one.parent for one in Path("/proc").glob("[0-9]*/cmdline") if words in _read(one)]

    def millis(self) -> float:
        fields = (self._folder / "stat").read_text().rpartition(")")[2].split()
        return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _read(file: Path) -> bytes:
    with contextlib.suppress(OSError):
        return file.read_bytes()
    return b""


class Firewall:
    """One on a node, whose rules are replaced again and again."""

    def __init__(self, client: Client, rules: int) -> None:
        self._client, self._version = client, 1
        first = rules_of(rules)
        # The rule that hits is the last of one set and the first of the next one.
        self._orders: Sequence[Sequence[firewalls.Rule]] = (first[::-1], first)
        self._written = self._entries()
        firewalls.write(client, INSERT, self._written)
        client.write([(INSERT, self._sid())])

    @property
    def rule_set(self) -> int:
        return firewalls.number(_INSTANCE, self._version)

    def _entries(self) -> list[Any]:
        return firewalls.entries(self._client, self.rule_set, self._orders[self._version % 2])

    def _sid(self) -> Any:
        return firewalls.sid(self._client, f"{sid(_INSTANCE)}/112", self.rule_set, _INSTANCE, **CLASSIC)

    def replace(self, agent: Agent, feed: live.Feed, data: bytes) -> dict[str, float]:
        """Milliseconds of the steps. Raises UserError if a packet was not judged by one of both sets alone."""
        old, before, drops = self.rule_set, self._hits(self.rule_set), firewalls.dropped(self._client, _INSTANCE)
        self._version += 1
        new = self._entries()
        # The client's time to build these is not the node's time.
        steps = {
            "new rows written": firewalls.requests(self._client, INSERT, new),
            "SID led to them": [self._client.request([(MODIFY, self._sid())])],
            "old rows deleted": firewalls.requests(self._client, DELETE, self._written),
        }
        self._written, by_old, millis, used = new, 0, {}, 0.0
        with Traffic(feed, data) as traffic:
            for name, requests in steps.items():
                traffic.more()
                if name == "old rows deleted":
                    by_old = self._hits(old) - before
                start, before_it = time.monotonic(), agent.millis()
                for request in requests:
                    self._client.send(request)
                millis[name] = 1000 * (time.monotonic() - start)
                used += agent.millis() - before_it
            traffic.more()
        by_new, now = self._hits(self.rule_set), firewalls.dropped(self._client, _INSTANCE)
        judged = f"{by_old} judged by the old rules, {by_new} by the new ones"
        if by_old + by_new != traffic.fed or now != drops:
            raise UserError(f"of {traffic.fed} packets {judged}; without a rule, by reason: {drops} before, {now} now")
        print(f"{traffic.fed} packets: {judged}", file=sys.stderr, flush=True)
        return {**millis, "in all": sum(millis.values()), "processor time of the agent": used}

    def _hits(self, rule_set: int) -> int:
        """Hits of the rule that drops. No other one may have any."""
        found = firewalls.hits(self._client, rule_set)
        place = 0 if rule_set % 2 == 0 else len(found) - 1
        if strays := {other: hits for other, hits in found.items() if hits and other != place}:
            raise UserError(f"packets that only rule {place} matches were judged by others: {strays}")
        return found[place]


def replacements(rules: int, rounds: int) -> list[dict[str, Any]]:
    samples: dict[str, list[float]] = {}
    with contextlib.ExitStack() as stack:
        target = stack.enter_context(linux_target("replaced"))
        client = stack.enter_context(
            Client(target.address, target.device_id, target.p4info, election_id=10, tls=target.tls)
        )
        client.set_pipeline()
        firewall = Firewall(client, rules)
        feed, agent = stack.enter_context(live.fed(target.namespace, "p1")), Agent(target.namespace)
        for _ in range(rounds):
            for name, millis in firewall.replace(agent, feed, frame(target, encapsulated(_INSTANCE))).items():
                samples.setdefault(name, []).append(millis)
    return [{"name": name, "unit": "ms", "samples": millis} for name, millis in samples.items()]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("rules", type=int)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    options = parser.parse_args()
    try:
        print(json.dumps(replacements(options.rules, options.rounds)))
    except (UserError, WriteError) as problem:
        sys.exit(f"sera_replace: {problem}")


if __name__ == "__main__":
    main()
