# SPDX-License-Identifier: Apache-2.0
"""A controller over Figure 4 whose disk fails with EIO and ENOSPC, once or from then on, while policies change.

Acknowledged changes are there, refused ones are there whole or not at all, and the controller reports which of the two;
also after kill -9. `SEXTANT_DISK_SEED` repeats the changes and faults of a run, `SEXTANT_DISK_FAULTS` is the number of
changes that meet a fault.
"""

import errno
import json
import mmap
import os
import random
import struct
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from described import checked
from sextantlab import build, trail
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.paths import ROOT
from sextantlab.processes import until
from sextantlab.rest import Answer, Rest

Json = dict[str, Any]
_SOURCE = ROOT / "platforms/karaf/host/src/test/c/fail_calls.c"
_PATIENCE_SECONDS = 30
_FAULTS = int(os.environ.get("SEXTANT_DISK_FAULTS", "12"))
# A change makes some 5 to 20 calls: its audit lines, its transaction, the log. One that is refused with 409 makes
# fewer, and a fault behind its last call is not met.
_MOST_CALLS = 24
_MOST_CHANGES_PER_FAULT = 20
_ENDPOINTS = {"h31": "l3", "h32": "l3", "h33": "l3", "h51": "v5", "h52": "v5", "h53": "v5", "h81": "v8", "h82": "v8"}


class Disk:
    """Orders to fail_calls.c: struct orders."""

    def __init__(self, file: Path) -> None:
        file.write_bytes(bytes(40))
        with file.open("r+b") as shared:
            self._orders = mmap.mmap(shared.fileno(), 40)

    def fail(self, call: int, error: int, *, once: bool) -> None:
        """The call-th call from now on fails; all behind it too, unless it is once."""
        struct.pack_into("4q", self._orders, 8, error, once, 0, 0)
        struct.pack_into("q", self._orders, 0, call)

    def mend(self) -> bool:
        """No call fails from now on. True if one had."""
        struct.pack_into("q", self._orders, 0, 0)
        return bool(struct.unpack_from("q", self._orders, 32)[0])


class _Failing(Controller):
    """Its process has the library preloaded."""

    preloaded: dict[str, str]

    def _environment(self) -> dict[str, str | None]:
        return super()._environment() | {**self.preloaded, "SEXTANT_FAIL_FOLDER": str(self.data.resolve())}


@dataclass
class Held:
    """The acknowledged policies, by id; after a refused change the controller is asked for the present one."""

    rest: Rest
    policies: dict[str, Json] = field(default_factory=dict)

    def chosen(self, random_: random.Random) -> tuple[str, Json | None]:
        """One random change: the id of a policy, and its new body; None: gone."""
        name = f"p{random_.randrange(6)}"
        if name in self.policies and random_.random() < 0.4:
            return name, None
        host = random_.choice(list(_ENDPOINTS))
        return name, {
            "name": name, "headend": "l1", "endpoint": _ENDPOINTS[host], "steering": [host],
            "candidatePaths": [{"dynamic": {"metric": "igp"}}],
        }  # fmt: skip

    def send(self, name: str, wanted: Json | None) -> Answer:
        if wanted is None:
            return self.rest.call("DELETE", f"/srv6/policies/{name}")
        return self.rest.call("POST", "/srv6/policies", json.dumps(wanted).encode())

    def send_until_taken(self, name: str, wanted: Json | None) -> Answer:
        """On a disk that works again: the store begins a new file a second after it last tried."""
        answers: list[Answer] = []

        def taken() -> bool:
            answers.append(self.send(name, wanted))
            return answers[-1].status != 503

        assert until(taken, _PATIENCE_SECONDS), answers[-1]
        return answers[-1]

    def settle(self, name: str, wanted: Json | None, answer: Answer) -> None:
        """Takes over an acknowledged change; for a refused one, the controller's answer now that the disk is well."""
        before = self.policies.get(name)
        if answer.status < 300:
            now = wanted
        else:
            # 409: another policy steers this host's packets already, whatever the disk does.
            assert answer.status in (409, 503), answer
            now = self._asked(name)
            assert _same(now, before) or (answer.status == 503 and _same(now, wanted)), (before, wanted, now)
        if now is None:
            self.policies.pop(name, None)
        else:
            self.policies[name] = now

    def _asked(self, name: str) -> Json | None:
        """Once the controller knows: until then it answers 503."""
        answers: list[Answer] = []

        def known() -> bool:
            answers.append(self.rest.call("GET", f"/srv6/policies/{name}"))
            return answers[-1].status in (200, 404)

        assert until(known, _PATIENCE_SECONDS), answers[-1]
        found = answers[-1]
        return found.body["policy"] if found.status == 200 and found.body["state"] != "REMOVING" else None

    def check(self) -> None:
        listed = {one["id"]: one["policy"] for one in self.rest.get("/srv6/policies") if one["state"] != "REMOVING"}
        assert listed.keys() == self.policies.keys()
        for name, policy in self.policies.items():
            assert _same(listed[name], policy), (listed[name], policy)


def _same(one: Json | None, other: Json | None) -> bool:
    return (one and one["steering"]) == (other and other["steering"])


@pytest.fixture
def preloaded(tmp_path: Path) -> Iterator[tuple[dict[str, str], Disk]]:
    library, orders = tmp_path / "fail_calls.so", tmp_path / "orders"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", library, _SOURCE, "-ldl", "-lpthread"], check=True)
    disk = Disk(orders)
    yield {"LD_PRELOAD": str(library), "SEXTANT_FAIL_CONTROL": str(orders)}, disk
    disk.mend()


@pytest.mark.slow
def test_a_disk_that_fails_loses_nothing_acknowledged(preloaded: tuple[dict[str, str], Disk]) -> None:
    seed = int(os.environ.get("SEXTANT_DISK_SEED", random.SystemRandom().randrange(1 << 31)))
    print(f"SEXTANT_DISK_SEED={seed}")
    random_ = random.Random(seed)
    build.controller()
    build.agent()
    lab = Lab("fig4", Instance.free())
    controller = _Failing(lab)
    controller.preloaded, disk = preloaded
    with lab, controller, checked(controller.rest()):
        held = Held(controller.rest())
        failed = changes = 0
        while failed < _FAULTS:
            assert changes < _FAULTS * _MOST_CHANGES_PER_FAULT, f"{changes} changes met {failed} faults"
            name, wanted = held.chosen(random_)
            # Every fifth change is on a disk that works.
            if changes % 5 == 0:
                answer = held.send_until_taken(name, wanted)
            else:
                error = random_.choice((errno.EIO, errno.ENOSPC))
                disk.fail(random_.randint(1, _MOST_CALLS), error, once=random_.random() < 0.5)
                answer = held.send(name, wanted)
                assert held.rest.call("GET", "/srv6/policies").status == 200, "readers are answered meanwhile"
                failed += disk.mend()
            held.settle(name, wanted, answer)
            changes += 1
            print(name, wanted and wanted["steering"], answer.status, sorted(held.policies))
        held.check()
        controller.kill()
        controller.start()
        controller.await_ready()
        held.rest = controller.rest()
        held.check()
        for name in list(held.policies):
            held.settle(name, None, held.send_until_taken(name, None))
        held.check()
        assert until(lambda: held.rest.get("/srv6/policies") == [], _PATIENCE_SECONDS)
        folder = controller.data / "audit"
        key = trail.key_of(controller.data / "etc/sextant/audit.key")
        assert trail.verify(trail.files([folder]), folder / "trail.head", key).problems == []
    print(f"{failed} of {changes} changes met a fault")
