# SPDX-License-Identifier: Apache-2.0
"""Live-Live between a bmv2 switch and a Linux node over six paths, both ways, with the real controller."""

import json
from collections.abc import Iterator

import pytest
from sextantlab import bmv2, processes
from sextantlab.ping import Pinger, until_answered
from sextantlab.processes import until
from story import Json, Story, network

pytestmark = pytest.mark.skipif(bool(bmv2.missing()), reason=bmv2.missing() or "-")

_PATIENCE_SECONDS = 60
_ADDRESS = "fd00:0:2::2"
_PATHS = [f"c{number}" for number in range(1, 7)]


@pytest.fixture(scope="module")
def story() -> Iterator[Story]:
    with network("livelive", p4=["e1"]) as story:
        yield story


@pytest.fixture(scope="module")
def flow(story: Story) -> Json:
    """Everything between the hosts, copied over all paths in both directions."""
    wish = {"name": "all", "from": "a", "to": "b", "paths": 6, "symmetry": "symmetric"}
    answer = story.rest.call("POST", "/srv6/livelive", json.dumps(wish).encode())
    installed: Json = answer.expect(200, 201)
    assert installed["state"] == "INSTALLED", installed
    assert until_answered(story.lab.namespace("a"), _ADDRESS, _PATIENCE_SECONDS)
    return installed


def pinging(story: Story) -> Pinger:
    return Pinger(story.lab.namespace("a"), _ADDRESS, interval_seconds=0.02)


def test_every_path_delivers_and_every_packet_comes_once(story: Story, flow: Json) -> None:
    with pinging(story) as pings:
        assert pings.await_replies(200, _PATIENCE_SECONDS)
    assert pings.lost() == 0
    for direction in story.rest.get("/srv6/livelive/all")["directions"]:
        paths = direction["paths"]
        assert len(paths) == 6
        assert sum(path["first"] for path in paths) == direction["delivered"] >= 200
        for path in paths:
            assert path["first"] + path["duplicate"] + path["lost"] == direction["delivered"], path
            assert path["lost"] < 20, path


def test_five_of_six_paths_may_fail_and_no_packet_is_lost(story: Story, flow: Json) -> None:
    with pinging(story) as pings:
        assert pings.await_replies(20, _PATIENCE_SECONDS)
        try:
            for node in _PATHS[:5]:
                story.lab.set_link(node, "e2", up=False)
                assert pings.await_replies(20, _PATIENCE_SECONDS)
        finally:
            for node in _PATHS[:5]:
                story.lab.set_link(node, "e2", up=True)
        assert pings.await_replies(50, _PATIENCE_SECONDS)
    assert pings.lost() == 0


def test_an_agent_that_is_killed_costs_no_packet(story: Story, flow: Json) -> None:
    with pinging(story) as pings:
        assert pings.await_replies(20, _PATIENCE_SECONDS)
        processes.kill(story.lab.agent("e2"))
        assert pings.await_replies(50, _PATIENCE_SECONDS)
        story.lab.start_agent("e2")
        assert until(lambda: story.node_state("e2") == "SYNCED", _PATIENCE_SECONDS)
        assert pings.await_replies(50, _PATIENCE_SECONDS)
    assert pings.lost() == 0


def test_a_switch_that_was_killed_is_heard_again_at_once(story: Story, flow: Json) -> None:
    """It numbers from 1 again: without a new epoch the egress would take its packets for old ones."""
    with pinging(story) as pings:
        assert pings.await_replies(100, _PATIENCE_SECONDS)
        processes.kill(story.lab.agent("e1"))
        assert until(lambda: story.node_state("e1") != "SYNCED", _PATIENCE_SECONDS)
        story.lab.start_agent("e1")
        assert until(lambda: story.node_state("e1") == "SYNCED", _PATIENCE_SECONDS)
        assert pings.await_replies(50, _PATIENCE_SECONDS)
