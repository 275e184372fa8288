# SPDX-License-Identifier: Apache-2.0
"""Figure 4, shared by all attacks. Hosts are behind nodes of all kinds that this machine has."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from described import checked
from outside import Outsider
from sextantlab import bmv2, build, vpp
from sextantlab.controller import Controller
from sextantlab.counters import Counters
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.paths import LAB
from starting import Started, asking
from story import Story

# Behind these, and behind l1 and v5, which are Linux nodes, are the hosts.
_SWITCHES = () if bmv2.missing() else ("l3",)
_ROUTERS = () if vpp.missing() else ("v8",)


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    build.flood()
    build.controller()
    build.agent()
    lab = Lab(str(_without_wait(tmp_path_factory.mktemp("security"))), Instance.free(), _SWITCHES, _ROUTERS)
    answers: Counter[tuple[int, str]] = Counter()
    with lab, ExitStack() as watching:
        watching.enter_context(asking(Controller(lab).http_port, answers))
        with Controller(lab) as controller, checked(controller.rest()) as described:
            watching.close()
            yield Started(Story(lab, controller, described), answers)


def _without_wait(folder: Path) -> Path:
    """Figure 4, whose links do not wait to be restored: the same one is cut in every flood."""
    description = json.loads((LAB / "fig4.json").read_text())
    description["apps"]["org.sextant.srv6"]["srv6"]["waitToRestoreMillis"] = 0
    file = folder / "fig4.json"
    file.write_text(json.dumps(description))
    return file


@pytest.fixture(scope="session")
def running(started: Started) -> Story:
    return started.story


@pytest.fixture(scope="module")
def counters(running: Story) -> Iterator[dict[str, Counters]]:
    """The counters of each node."""
    of = {node.name: Counters(node, running.lab.tls) for node in running.lab.network.nodes}
    yield of
    for one in of.values():
        one.close()


@pytest.fixture(scope="module")
def outsiders(running: Story) -> Iterator[list[Outsider]]:
    """All hosts."""
    hosts = [Outsider(running, host) for host in running.lab.network.hosts]
    yield hosts
    for host in hosts:
        host.close()
