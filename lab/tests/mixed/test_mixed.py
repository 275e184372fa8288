# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with bmv2 switches between Linux nodes: l1 with its hosts, p6 and p7 within the network."""

from collections.abc import Iterator

import pytest
from sextantlab import bmv2, netns, processes
from sextantlab.demo import LOOSE
from sextantlab.ping import ping
from sextantlab.processes import until
from story import Story, example, network

pytestmark = pytest.mark.skipif(bool(bmv2.missing()), reason=bmv2.missing() or "-")

_PATIENCE_SECONDS = 60
# Rounds of LLDP are seconds apart, and a link is silent after some of them.
_AGING_SECONDS = 40


@pytest.fixture(scope="module")
def running() -> Iterator[Story]:
    with network(p4=["l1", "p6", "p7"]) as story:
        yield story


def test_the_papers_policy_is_seen_as_planned_at_every_node_in_both_directions(story: Story) -> None:
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    assert story.check_walks(stored, "h11", "h31") == [10]
    assert story.check_walks(stored, "h31", "h11") == [10]


def test_ipv4_goes_in_and_comes_out_at_a_switch(story: Story) -> None:
    stored = story.install({"name": "four", "from": "h12", "to": "h52", "nodes": ["l1", "l2", "p7", "p6", "v5"]})
    assert story.reaches("h12", "h52", 4)
    assert story.check_walks(stored, "h12", "h52", 4) == [10]
    assert story.check_walks(stored, "h52", "h12", 4) == [10]


def test_hosts_behind_a_switch_find_their_gateway(story: Story) -> None:
    """The gateway's addresses are the port's in the topology file; only the controller answers for them."""
    story.install(example("paper"))
    assert story.reaches("h11", "h31")
    ports = story.lab.description["ports"]
    mac = ports["device:l1/2"]["interfaces"][0]["mac"]
    namespace = story.namespace("h11")
    for family, gateway in (("-6", "fd00:0:11::1"), ("-4", "10.0.11.1")):
        netns.run(namespace, "ip", family, "neigh", "flush", "dev", "eth0")
        # One packet to somewhere else makes the host ask.
        ping(namespace, story.address("h31", int(family[1])), count=1, timeout_seconds=1)

        def known(family: str = family, gateway: str = gateway) -> bool:
            return mac in netns.run(namespace, "ip", family, "neigh", "show", gateway).stdout

        assert until(known, 10), netns.run(namespace, "ip", family, "neigh").stdout


def test_questions_for_addresses_come_to_the_controller_only_from_switches(story: Story) -> None:
    """Questions for addresses are the controller's where there is no kernel, and the kernel's where there is one."""
    punts = {
        node: sorted(
            entry["match"] for entry in story.rest.get(f"/srv6/entries?node={node}") if entry["table"] == "punt"
        )
        for node in ("p6", "l2")
    }
    assert punts["l2"] == ["priority 100 ether_type 88cc&ffff"]
    assert punts["p6"] == [
        "priority 100 ether_type 88cc&ffff",
        "priority 90 ether_type 806&ffff",
        "priority 90 ether_type 86dd&ffff ip_protocol 3a&ff icmpv6_type 87&ff",
    ]


def test_a_link_to_a_switch_that_fails_is_gone_around(story: Story) -> None:
    """The switch does not say that it lost the carrier; the Linux node at the other end does."""
    for policy in LOOSE:
        story.install(policy)
    assert story.reaches("h12", "h33")
    before = story.via(LOOSE[0])
    with story.pinging("h12", "h33") as pings:
        assert pings.await_replies(10, 10)
        story.lab.set_link("p7", "v8", up=False)
        try:
            assert until(lambda: story.via(LOOSE[0]) != before, _PATIENCE_SECONDS)
            assert pings.await_replies(100, _PATIENCE_SECONDS)
        finally:
            story.lab.set_link("p7", "v8", up=True)
        assert until(lambda: story.via(LOOSE[0]) == before, _PATIENCE_SECONDS)
        assert pings.await_replies(50, _PATIENCE_SECONDS)


def test_a_link_between_switches_that_falls_silent_is_down(story: Story) -> None:
    def both_ways() -> list[bool]:
        links = story.rest.get("/srv6/topology")["links"]
        return [link["up"] for link in links if {link[end]["node"] for end in ("from", "to")} == {"p6", "p7"}]

    # Only a link that was seen once can be lost: a round of LLDP must have passed.
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    story.lab.set_link("p6", "p7", up=False)
    try:
        assert until(lambda: both_ways() == [False, False], _AGING_SECONDS)
    finally:
        story.lab.set_link("p6", "p7", up=True)
    assert until(lambda: both_ways() == [True, True], _AGING_SECONDS)
    assert story.await_state(stored["id"], "INSTALLED")
    assert story.reaches("h11", "h31")


def test_a_switch_that_was_killed_is_programmed_again(story: Story) -> None:
    """Unlike a kernel, a switch that starts again knows nothing."""
    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    processes.kill(story.lab.agent("p6"))
    assert until(lambda: story.node_state("p6") != "SYNCED", _PATIENCE_SECONDS)
    story.lab.start_agent("p6")
    assert until(lambda: story.node_state("p6") == "SYNCED", _PATIENCE_SECONDS)
    assert story.await_state(stored["id"], "INSTALLED")
    assert story.reaches("h11", "h31")
    story.check_walks(stored, "h11", "h31")
