# SPDX-License-Identifier: Apache-2.0
"""The edge of Figure 4: a host that speaks SRv6 reaches no SID, is counted, and reaches them all when it is a peer."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sextantlab import netns
from sextantlab.ping import ping
from sextantlab.processes import until
from story import Json, Story

_PEER = {"name": "speaker", "sources": ["fd00:0:11::2"], "ports": ["l1/2"]}
_FAR = "fd00:0:31::2"


@pytest.fixture
def edge(story: Story) -> Story:
    lacking = story.rest.get("/srv6/edge")["unfiltered"]
    if lacking:
        pytest.skip(f"needs agents that serve edge_port; these do not: {', '.join(lacking)}")
    return story


@contextmanager
def speaking(story: Story, *segments: str) -> Iterator[None]:
    """h11 itself steers its packets to h31, whose answers have a policy."""
    namespace = story.namespace("h11")
    story.install({"from": "h31", "to": "h11", "nodes": ["l3", "l2", "l1"], "symmetry": "one-way"})
    way = netns.ip("-6", "route", "get", _FAR, namespace=namespace).split()
    device = way[way.index("dev") + 1]
    via = ["via", way[way.index("via") + 1]] if "via" in way else []
    route = [_FAR, "encap", "seg6", "mode", "encap", "segs", ",".join(segments), *via, "dev", device]
    netns.ip("-6", "route", "add", *route, namespace=namespace)
    try:
        yield
    finally:
        netns.ip("-6", "route", "del", *route, namespace=namespace)


def _port(story: Story, number: int) -> Json:
    ports = story.rest.get("/srv6/edge/nodes/l1")["ports"]
    return next(port for port in ports if port["port"] == number)


def test_roles_follow_links_and_hosts(edge: Story) -> None:
    for node in edge.rest.get("/srv6/edge")["nodes"]:
        assert node["read"], node
        for port in node["ports"]:
            assert (port["role"], port["because"]) in {("internal", "link"), ("external", "host")}, (node["node"], port)


@pytest.mark.parametrize("segments", [("fcbb:bbbb:200:300:f00d::",), ("fcbb:bbbb:200::", "fcbb:bbbb:300:f00d::")])
def test_a_host_reaches_no_sid_until_it_is_a_peer(edge: Story, segments: tuple[str, ...]) -> None:
    before = _port(edge, 2)["dropped"]["sid"]["packets"]
    with speaking(edge, *segments):
        assert not ping(edge.namespace("h11"), _FAR)
        assert until(lambda: _port(edge, 2)["dropped"]["sid"]["packets"] > before, 10)
        edge.rest.post("/srv6/edge/peers", _PEER)
        try:
            assert until(lambda: ping(edge.namespace("h11"), _FAR), 20)
            assert until(lambda: _port(edge, 2)["peers"][0]["packets"] > 0, 10)
        finally:
            edge.rest.delete("/srv6/edge/peers/speaker")
        assert until(lambda: _port(edge, 2)["peers"] == [], 10)
        assert until(lambda: not ping(edge.namespace("h11"), _FAR), 20)


def test_nobody_outside_speaks_as_the_domain(edge: Story) -> None:
    """Also not to a host, by a plain packet."""
    namespace = edge.namespace("h11")
    before = _port(edge, 2)["dropped"]["source"]["packets"]
    netns.ip("-6", "addr", "add", "fcff:3::1/128", "dev", "lo", namespace=namespace)
    try:
        assert (
            netns.run(namespace, "ping", "-n", "-c", "1", "-W", "1", "-I", "fcff:3::1", "fd00:0:12::2").returncode != 0
        )
        assert until(lambda: _port(edge, 2)["dropped"]["source"]["packets"] > before, 10)
    finally:
        netns.ip("-6", "addr", "del", "fcff:3::1/128", "dev", "lo", namespace=namespace)


def test_plain_packets_of_hosts_and_steering_pass(edge: Story) -> None:
    edge.install({"from": "h12", "to": "h32", "nodes": ["l1", "l2", "l3"]})
    assert edge.reaches("h12", "h32")
    assert ping(edge.namespace("h11"), "fd00:0:12::2")
