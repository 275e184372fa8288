# SPDX-License-Identifier: Apache-2.0
"""Foreign changes of a node: objects of the agent are back in seconds, foreign ones are reported with their owner."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sextantlab import netns
from sextantlab.ping import ping
from sextantlab.processes import until
from story import Json, Story, example

_REPAIR_SECONDS = 5


@pytest.fixture
def paper(story: Story) -> Json:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    return stored


def _failed(story: Story) -> list[Json]:
    entries: list[Json] = story.rest.get("/srv6/entries?state=failed")
    return entries


@contextmanager
def _told(story: Story, *reason: str) -> Iterator[None]:
    """An audit finds an entry failed, with these words; after the block another finds all in order."""
    story.rest.post("/srv6/audit", {})
    failed = _failed(story)
    assert any(all(word in str(entry) for word in reason) for entry in failed), failed
    yield
    story.rest.post("/srv6/audit", {})
    assert until(story.whole, _REPAIR_SECONDS), _failed(story)


def test_a_foreign_route_before_a_steered_prefix_is_told_with_its_owner(story: Story, paper: Json) -> None:
    l1, prefix = story.namespace("l1"), story.address("h31") + "/128"
    netns.ip("-6", "route", "add", prefix, "dev", "lo", "metric", "1", "proto", "bgp", namespace=l1)
    try:
        assert not ping(story.namespace("h11"), story.address("h31"), count=2, timeout_seconds=1)
        with _told(story, "steering_v6", "186, bgp, metric 1"):
            assert story.state(paper["id"]) == "DEGRADED"
            assert "186, bgp" in str(story.rest.get(f"/srv6/policies/{paper['id']}")["troubles"])
            netns.ip("-6", "route", "del", prefix, "dev", "lo", "metric", "1", namespace=l1)
    finally:
        netns.run(l1, "ip", "-6", "route", "del", prefix, "dev", "lo", "metric", "1")
    assert story.await_state(paper["id"], "INSTALLED")
    assert story.reaches("h11", "h31")


def test_a_prefix_that_a_routing_daemon_has_is_not_taken_over(story: Story) -> None:
    """FRR's routes stand at metric 20, behind the agent's; it withdraws routes that it finds taken."""
    l1, prefix = story.namespace("l1"), story.address("h31") + "/128"
    netns.ip("-6", "route", "add", prefix, "dev", "l1-l2", "metric", "20", "proto", "isis", namespace=l1)
    before = netns.run(l1, "ip", "-6", "route", "show", prefix).stdout
    try:
        stored = story.post(example("paper")).expect(202)
        assert stored["state"] == "FAILED", stored
        assert "187, isis, metric 20" in str(stored["troubles"])
        assert netns.run(l1, "ip", "-6", "route", "show", prefix).stdout == before
    finally:
        netns.ip("-6", "route", "del", prefix, "dev", "l1-l2", "metric", "20", namespace=l1)
    story.rest.post("/srv6/audit", {})
    assert story.await_state(stored["id"], "INSTALLED")
    assert story.reaches("h11", "h31")


def test_the_address_that_hosts_send_to_is_missed(story: Story, paper: Json) -> None:
    l1, port = story.namespace("l1"), story.lab.network.host("h11").location
    address = next(one for one in port.addresses if ":" in one)
    netns.ip("addr", "del", address, "dev", port.name, namespace=l1)
    try:
        with _told(story, "route_v6", f"has lost the address {address}"):
            netns.ip("addr", "add", address, "dev", port.name, "nodad", namespace=l1)
    finally:
        netns.run(l1, "ip", "addr", "add", address, "dev", port.name, "nodad")
    assert story.await_state(paper["id"], "INSTALLED")


@pytest.mark.parametrize(
    "sabotage",
    [
        "ip -6 route flush proto 200",
        "sysctl -qw net.ipv6.conf.all.forwarding=0",
        "ip link del sextant0",
        "ip -6 neigh flush nud permanent",
    ],
)
def test_traffic_flows_again_within_five_seconds(story: Story, paper: Json, sabotage: str) -> None:
    for node in ("l1", "p6", "l3"):
        done = netns.run(story.namespace(node), *sabotage.split())
        assert done.returncode == 0, done.stderr
        broken = time.monotonic()
        assert until(lambda: ping(story.namespace("h11"), story.address("h31"), count=1, timeout_seconds=1), 10)
        assert time.monotonic() - broken < _REPAIR_SECONDS, f"{sabotage} at {node}"
    assert story.state(paper["id"]) == "INSTALLED"
