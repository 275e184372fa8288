# SPDX-License-Identifier: Apache-2.0
"""The counters of paths that take time."""

import time

import pytest
from flows import Flows
from sextantlab.controller import Controller
from sextantlab.impaired import ImpairedLab
from sextantlab.instance import Instance
from sextantlab.relay import Impairment

_PATHS = 3
_DELAY_MILLIS = 40.0


def _far(flows: Flows, count: int) -> None:
    paths = [["e1", f"c{number}", "e2"] for number in range(1, count + 1)]
    flows.install({"name": "far", "from": "a", "to": "b", "paths": paths})


@pytest.mark.slow
def test_what_is_on_its_way_is_not_lost(built: None) -> None:
    """Packets that the ingress has counted and the egress not yet are on a path that takes 40 ms."""
    links = {("e1", f"c{number}"): Impairment(_DELAY_MILLIS, 0, number) for number in range(1, _PATHS + 1)}
    lab = ImpairedLab("livelive", links, Instance.free())
    with lab, Controller(lab) as controller:
        flows = Flows(lab, controller)
        _far(flows, _PATHS)
        with flows.stream(interval_seconds=0.001) as stream:
            assert stream.await_more(500)
            shown = [flows.way("far")["lost"] for _ in range(10)]
        assert stream.lost() == []
        assert shown == [0] * len(shown)
        assert flows.way("far")["packets"] == flows.way("far")["delivered"] == stream.sent


@pytest.mark.slow
def test_packets_overtake_those_that_only_a_slow_path_carried_by_its_delay_and_no_more(built: None) -> None:
    """As docs/livelive.md describes packets that nothing reorders."""
    links = {("e1", "c1"): Impairment(1, 10, 1), ("e1", "c2"): Impairment(201, 0, 2)}
    lab = ImpairedLab("livelive", links, Instance.free())
    with lab, Controller(lab) as controller:
        flows = Flows(lab, controller)
        _far(flows, 2)
        with flows.stream(interval_seconds=0.002) as stream:
            start = time.monotonic()
            assert stream.await_more(2000)
            per_second = 2000 / (time.monotonic() - start)
        depth = stream.depth()
        print(f"{per_second:.0f} packets a second: depth {depth}")
        assert stream.lost() == stream.repeated() == []
        assert 0.1 * per_second < depth < 0.4 * per_second
