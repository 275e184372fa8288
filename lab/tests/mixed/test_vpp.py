# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with VPP routers: v4, v5 and v8 as in the paper's testbed, between Linux nodes."""

import json
from collections.abc import Iterator

import pytest
from sextantlab import processes, vpp
from sextantlab.processes import until
from story import Story, example, network

pytestmark = pytest.mark.skipif(bool(vpp.missing()), reason=vpp.missing() or "-")

_PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def running() -> Iterator[Story]:
    with network(p4=[], vpp=["v4", "v5", "v8"]) as story:
        yield story


def test_the_papers_policy_is_seen_as_planned_at_every_node_in_both_directions(story: Story) -> None:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    assert story.check_walks(stored, "h11", "h31") == [10]
    assert story.check_walks(stored, "h31", "h11") == [10]


@pytest.mark.parametrize("version", [4, 6])
def test_packets_go_in_and_come_out_at_vpp(story: Story, version: int) -> None:
    policy = {"name": "both", "from": "h51", "to": "h81", "nodes": ["v5", "v4", "p6", "v8"], "encapsulation": "full"}
    stored = story.install(policy)
    assert story.reaches("h51", "h81", version)
    assert story.check_walks(stored, "h51", "h81", version) == [10]
    assert story.check_walks(stored, "h81", "h51", version) == [10]


def test_a_reduced_list_at_a_vpp_headend_is_refused_with_what_to_do(story: Story) -> None:
    policy = {"name": "reduced", "from": "h51", "to": "h81", "nodes": ["v5", "p6", "v8"]}
    answer = story.post(policy)
    assert answer.status == 422
    assert '"encapsulation": "full"' in json.dumps(answer.body, ensure_ascii=False).replace('\\"', '"')


def test_a_vpp_that_was_killed_is_programmed_again(story: Story) -> None:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    processes.kill(story.lab.router("v5"))
    story.lab.start_router("v5")
    assert story.reaches("h11", "h31")
    assert until(story.whole, _PATIENCE_SECONDS), story.rest.get("/srv6/nodes")
    assert story.await_state(stored["id"], "INSTALLED")
    story.check_walks(stored, "h11", "h31")


def test_an_agent_that_was_killed_stops_no_traffic(story: Story) -> None:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    with story.pinging("h11", "h31") as pings:
        assert pings.await_replies(10, 10)
        processes.kill(story.lab.agent("v5"))
        assert pings.await_replies(50, _PATIENCE_SECONDS)
        story.lab.start_agent("v5")
        assert pings.await_replies(50, _PATIENCE_SECONDS)
    assert until(story.whole, _PATIENCE_SECONDS), story.rest.get("/srv6/nodes")
    story.check_walks(stored, "h11", "h31")


def test_a_link_between_vpp_nodes_that_fails_is_gone_around(story: Story) -> None:
    """VPP does not notice that the other end is down; its agent looks at the carrier."""
    policy = {"name": "loose", "headend": "l3", "steering": ["h51"], "hops": [{"node": "v5", "loose": True}]}
    story.install(policy)
    before = story.via(policy)
    assert before == ["l3", "v4", "v5"]
    story.lab.set_link("v4", "v5", up=False)
    try:
        assert until(lambda: story.via(policy) != before, _PATIENCE_SECONDS)
    finally:
        story.lab.set_link("v4", "v5", up=True)
    assert until(lambda: story.via(policy) == before, _PATIENCE_SECONDS)
