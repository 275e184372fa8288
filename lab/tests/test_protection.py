# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with protection: links are cut while no controller runs (docs/reference/protection.md)."""

import os
import signal
import socket
import time
from collections.abc import Iterator

import pytest
from sextantlab import failover, netns
from sextantlab.network import Link
from sextantlab.processes import until
from sextantlab.traffic import Stream
from story import Story, network

# A kernel switches in milliseconds; without a repair nothing would come before the controller does.
_MOST_MILLIS = 500
_PERIOD_MILLIS = 1000
_DATAGRAMS = 300
# LLDP, neighbor discovery, and a stream that goes on while counters are read.
_OTHER_TRAFFIC = 100
_NODES = ["l1", "l2", "l3", "v4", "v5", "p6", "p7", "v8"]

_BESIDES = {"name": "besides", "headend": "l1", "hops": ["l2"], "steering": ["2001:db8:99::/64"]}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    with network(str(failover.protected(tmp_path_factory.mktemp("protected")))) as story:
        yield story


@pytest.mark.parametrize(("one", "other"), [("l2", "l3"), ("l3", "l2")])
def test_a_cut_on_the_way_costs_next_to_nothing_without_a_controller(story: Story, one: str, other: str) -> None:
    assert "metric 4" in netns.run(story.namespace("l2"), "ip", "-6", "route", "show", "proto", "200").stdout
    story.install(failover.STRAIGHT)
    assert story.reaches("h11", "h31")
    with story.controller_stopped(), story.pinging("h11", "h31") as pings:
        assert pings.await_replies(50, 30)
        cut = time.time()
        story.lab.set_link(one, other, up=False)
        try:
            assert pings.await_replies(200, 30)
            outage = pings.outage_millis(cut)
        finally:
            story.lab.set_link(one, other, up=True)
    assert outage <= _MOST_MILLIS, f"no answer for {outage:.0f} ms"


def test_a_link_that_flaps_every_second_costs_less_than_a_period_and_all_is_as_before(story: Story) -> None:
    story.install(failover.STRAIGHT)
    assert story.reaches("h11", "h31")
    with story.pinging("h11", "h31") as pings:
        assert pings.await_replies(50, 30)
        begun = time.time()
        for _ in range(6):
            for up in (False, True):
                story.lab.set_link("l3", "l2", up=up)
                time.sleep(_PERIOD_MILLIS / 2000)
        assert pings.await_replies(50, 30)
        outage = pings.outage_millis(begun)
    assert outage < _PERIOD_MILLIS, f"no answer for {outage:.0f} ms"
    assert until(story.whole, 30), story.rest.get("/srv6/entries?state=pending")


def test_a_cut_while_an_agent_next_to_it_hangs_is_carried_by_the_repair_as_long_as_it_hangs(story: Story) -> None:
    """p7 forwards and answers nothing: over it l2's new route would lead back, so l2 keeps its repair (ADR 32)."""
    story.install(failover.STRAIGHT)
    assert story.reaches("h11", "h31")
    agent = story.lab.agent("p7")
    with Stream(story.namespace("h11"), story.namespace("h31"), story.address("h31"), 0.002) as stream:
        assert stream.await_more(50)
        os.kill(agent.pid, signal.SIGSTOP)
        before, first = failover.sent_by_port(story.lab), stream.sent
        try:
            story.lab.set_link("l2", "l3", up=False)
            assert stream.await_more(2500)
            _no_storm(before, failover.sent_by_port(story.lab), stream.sent - first)
            last = stream.sent
            waiting = story.rest.get("/srv6/entries?state=pending&node=l2")
            assert {entry["waitsFor"] for entry in waiting if entry["table"] == "route_v6"} == {"p7"}, waiting
            assert story.install(_BESIDES)["state"] == "INSTALLED", "nothing else waits for p7"
        finally:
            os.kill(agent.pid, signal.SIGCONT)
            story.lab.set_link("l2", "l3", up=True)
    lost = [number for number in stream.lost() if first <= number < last]
    assert 2 * len(lost) <= _MOST_MILLIS, f"{len(lost)} packets of {last - first} were lost"
    assert until(story.whole, 30), story.rest.get("/srv6/entries?state=pending")


def test_two_failures_at_once_make_no_storm_and_the_controller_mends_both(story: Story) -> None:
    """The second cut is on the repair of the first: packets need not arrive until the controller has reacted."""
    story.install(failover.STRAIGHT)
    assert story.reaches("h11", "h31")
    link = story.lab.network.link("l2", "l3").name
    moves = story.rest.get(f"/srv6/protection?failed={link}")["outage"]["moves"]
    (repair,) = (move["links"] for move in moves if (move["node"], move["destination"]) == ("l2", "l3"))
    ends = [{end.rpartition("/")[0] for end in one.split("-")} for one in repair]
    second = next(sorted(one) for one in ends if "l2" not in one)
    cuts = [("l2", "l3"), (second[0], second[1])]
    with Stream(story.namespace("h11"), story.namespace("h31"), story.address("h31"), 0.002) as stream:
        assert stream.await_more(50)
        try:
            with story.controller_stopped():
                before, first = failover.sent_by_port(story.lab), stream.sent
                for one, other in cuts:
                    story.lab.set_link(one, other, up=False)
                assert stream.await_more(1000)
                _no_storm(before, failover.sent_by_port(story.lab), stream.sent - first)
            assert until(lambda: story.reaches("h11", "h31"), 30)
        finally:
            for one, other in cuts:
                story.lab.set_link(one, other, up=True)
    assert until(story.whole, 30), story.rest.get("/srv6/entries?state=pending")


@pytest.mark.parametrize("dead", [node for node in _NODES if node != "l1"])
def test_packets_to_a_node_that_dies_are_on_no_link_more_than_twice(story: Story, dead: str) -> None:
    """All its neighbors repair at once, each as if it had lost a link; repairs meet nodes that have lost one, too."""
    assert until(story.whole, 30), story.rest.get("/srv6/entries?state=pending")
    nodes = story.rest.get("/srv6/topology")["nodes"]
    sid = next(str(node["srv6"]["sid"]) for node in nodes if node["name"] == dead)
    source = "v5" if dead == "l2" else "l1"  # l1 has no other link
    neighbors = sorted({node for link in story.lab.network.links for node in _across(link, dead)})
    with story.controller_stopped():
        try:
            for neighbor in neighbors:
                story.lab.set_link(dead, neighbor, up=False)
            time.sleep(1)  # until kernels have seen all carriers go
            before = failover.sent_by_port(story.lab)
            with netns.inside(
                story.namespace(source), lambda: socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            ) as sender:
                for _ in range(_DATAGRAMS):
                    sender.sendto(bytes(100), (sid, 7007))
                    time.sleep(0.002)
            _no_storm(before, failover.sent_by_port(story.lab), _DATAGRAMS)
        finally:
            for neighbor in neighbors:
                story.lab.set_link(dead, neighbor, up=True)


def _across(link: Link, node: str) -> list[str]:
    """The node at the other end of a link of this one."""
    ends = [link.a.node, link.b.node]
    return [end for end in ends if end != node] if node in ends else []


def _no_storm(before: dict[str, int], after: dict[str, int], sent: int) -> None:
    most = max(after, key=lambda port: after[port] - before[port])
    print(f"{sent} packets: {after[most] - before[most]} left by {most}")
    assert after[most] - before[most] <= 2 * sent + _OTHER_TRAFFIC


def test_an_outage_is_foretold(story: Story) -> None:
    """The controller's prediction of a lost link is equal to the node's kernel entries for it."""
    story.install(failover.STRAIGHT)
    outage = story.rest.get("/srv6/protection?failed=l2")["outage"]
    assert outage["pairs"]["dropped"] == 0, outage["pairs"]
    link = story.lab.network.link("l2", "l3").name
    outage = story.rest.get(f"/srv6/protection?failed={link}")["outage"]
    moves = [move for move in outage["moves"] if move["node"] == "l2" and move["becomes"] == "repaired"]
    repaired = {move["segments"][0] for move in moves}
    routes = netns.run(story.namespace("l2"), "ip", "-6", "route", "show", "proto", "200").stdout
    assert repaired, outage
    assert all(segment in routes for segment in repaired)
    assert "repaired" in {one["becomes"] for one in outage["lists"]}, outage["lists"]
    (straight,) = outage["intents"]["changes"]
    assert (straight["becomes"], straight["entries"]) == ("moved", 0), "nodes find another way to l3 by themselves"
    assert link in straight["linksBefore"]
    assert straight["linksAfter"]
    assert link not in straight["linksAfter"]
    answer = story.rest.call("GET", "/srv6/protection?failed=l2/99-l3/1")
    assert answer.status == 404


def test_coverage_says_what_the_kernel_holds(story: Story) -> None:
    told = story.rest.get("/srv6/protection?node=l2")["nodes"][0]
    told_lists = {entry["segments"][0] for repair in told["repairs"] for entry in repair["destinations"]}
    routes = netns.run(story.namespace("l2"), "ip", "-6", "route", "show", "proto", "200").stdout
    standbys = [line for line in routes.splitlines() if "metric 4" in line and "segs 1 " in line]
    held = {line.split("[ ")[1].split(" ]")[0] for line in standbys}
    assert told["offered"]
    assert told["protectedFrom"]["link"] == 6, "all but l1, which has one link"
    assert held == told_lists
