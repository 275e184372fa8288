# SPDX-License-Identifier: Apache-2.0
"""A host's messages about others, about links and about errors change nothing: next hops come from the topology file,
links from nodes, and the size of packets from the routers that forward them.
"""

import functools
import json
import os
import socket
from collections.abc import Iterator

import pytest
from outside import Outsider, gateway, settled
from scapy.layers.inet6 import (
    ICMPv6EchoRequest,
    ICMPv6ND_NA,
    ICMPv6ND_RA,
    ICMPv6NDOptDstLLAddr,
    ICMPv6NDOptPrefixInfo,
    ICMPv6PacketTooBig,
    ICMPv6ParamProblem,
    ICMPv6TimeExceeded,
    IPv6,
    IPv6ExtHdrSegmentRouting,
)
from scapy.layers.l2 import ARP, Ether
from scapy.packet import Packet
from sextantlab import netns
from sextantlab.processes import until
from story import Json, Story

_PATIENCE_SECONDS = 30
# A round of LLDP.
_ROUND_SECONDS = 3
_POLICY = {"name": "forged", "from": "h11", "to": "h51", "nodes": ["l1", "l2", "p7", "p6", "v5"]}
_LLDP = 0x88CC
# Larger than the forged MTU, smaller than that of links.
_PAYLOAD_BYTES = 1380


@pytest.fixture
def policy(story: Story) -> Json:
    installed = story.install(_POLICY)
    assert story.reaches("h11", "h51")
    assert _large(story)
    return installed


def _large(story: Story) -> bool:
    """Pings that have to go whole are answered."""
    done = netns.run(story.namespace("h11"), "ping", "-n", "-q", "-c", "3", "-i", "0.05", "-W", "5", "-M", "do",
                     "-s", str(_PAYLOAD_BYTES), story.address("h51"))  # fmt: skip
    return done.returncode == 0 and " 0% packet loss" in done.stdout


def _state(story: Story) -> set[str]:
    """The entries of nodes and the controller's view of the network, without counters."""
    entries = story.rest.get("/srv6/entries")
    for entry in entries:
        for counted in ("packets", "bytes"):
            entry.pop(counted, None)
    held = {f"entries: {json.dumps(entry, sort_keys=True)}" for entry in entries}
    topology = story.rest.get("/srv6/topology")
    return held | {f"{kind}: {json.dumps(one, sort_keys=True)}" for kind, them in topology.items() for one in them}


def _at_rest(story: Story) -> set[str]:
    """The state, once the effects of earlier changes are over: links that come back, rows that go."""
    seen: list[set[str]] = []

    def rests() -> bool:
        seen.append(_state(story))
        return len(seen) > 1 and seen[-1] == seen[-2]

    assert until(rests, _PATIENCE_SECONDS, _ROUND_SECONDS), seen[-1] ^ seen[-2]
    return seen[-1]


def _unchanged(story: Story, before: set[str]) -> None:
    now = _state(story)
    assert (now - before, before - now) == (set(), set())


def test_no_host_takes_anothers_address(story: Story, outsiders: list[Outsider], policy: Json) -> None:
    before = _at_rest(story)
    claimed = [(host.address(6), host.address(4)) for host in story.lab.network.hosts]
    claimed += [(gateway(host, ":"), gateway(host, ".")) for host in story.lab.network.hosts]
    for outsider in outsiders:
        mac = outsider.host.mac
        for six, four in claimed:
            if four == outsider.host.address(4):
                continue
            for sender in ("fe80::bad", six):
                outsider.send_frame(bytes(
                    Ether(src=mac, dst="33:33:00:00:00:01") / IPv6(src=sender, dst="ff02::1", hlim=255)
                    / ICMPv6ND_NA(tgt=six, R=1, S=0, O=1) / ICMPv6NDOptDstLLAddr(lladdr=mac)
                ))  # fmt: skip
            for operation in (1, 2):
                outsider.send_frame(bytes(
                    Ether(src=mac, dst="ff:ff:ff:ff:ff:ff")
                    / ARP(op=operation, hwsrc=mac, psrc=four, hwdst="00:00:00:00:00:00", pdst=four)
                ))  # fmt: skip
        outsider.send_frame(bytes(
            Ether(src=mac, dst="33:33:00:00:00:01") / IPv6(src="fe80::bad", dst="ff02::1", hlim=255)
            / ICMPv6ND_RA(routerlifetime=9000) / ICMPv6NDOptPrefixInfo(prefix="2001:db8:bad::", prefixlen=64)
        ))  # fmt: skip
        settled(story, outsider)
    _unchanged(story, before)
    assert _large(story)
    for node in story.lab.network.nodes:
        assert "2001:db8:bad" not in netns.run(story.namespace(node.name), "ip", "-6", "addr").stdout


@pytest.fixture
def heard(story: Story) -> Iterator[list[bytes]]:
    """The nodes' messages to their neighbors about links: one frame of each port of l2."""
    namespace = story.namespace("l2")

    def listener() -> socket.socket:
        return socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_LLDP))

    with netns.inside(namespace, functools.partial(listener)) as opened:
        opened.settimeout(_PATIENCE_SECONDS)
        frames: dict[tuple[str, int], bytes] = {}
        while len(frames) < 3:
            frame, (interface, _, kind, *_) = opened.recvfrom(65536)
            frames.setdefault((interface, kind), frame)
        yield list(frames.values())


def test_no_host_makes_a_link(story: Story, outsiders: list[Outsider], policy: Json, heard: list[bytes]) -> None:
    """Replayed from other ports as they are, with a byte changed, and made up."""
    before = _at_rest(story)
    for outsider in outsiders:
        for frame in heard:
            for changed in (
                frame,
                frame[:-1] + bytes([frame[-1] ^ 1]),
                frame[:6] + os.urandom(6) + frame[12:],
                frame[:30],
            ):
                outsider.send_frame(changed)
        for size in (0, 1, 2, 40, 1400):
            outsider.send_frame(frame[:14] + os.urandom(size))
            outsider.send_frame(
                frame[:14]
                + b"\x02\x07\x04"
                + os.urandom(6)
                + b"\x04\x02\x071\x06\x02\x00\x78\x00\x00"
                + os.urandom(size)
            )
        settled(story, outsider)
    _unchanged(story, before)
    # Two rounds of real ones later it is still so.
    assert _large(story)
    _unchanged(story, before)


def _complaints(story: Story, plan: Json, router: str) -> Iterator[Packet]:
    """About a packet that the headend did send, as a router on its way would."""
    source = str(story.lab.description["devices"]["device:l1"]["srv6"]["encapSource"])
    for segment in sorted({container for one in plan["directions"] for container in one["containers"]}):
        inside = IPv6(src=story.address("h11"), dst=story.address("h51")) / ICMPv6EchoRequest(data=b"x" * 400)
        for quoted in (
            IPv6(src=source, dst=segment) / inside,
            IPv6(src=source, dst=segment)
            / IPv6ExtHdrSegmentRouting(addresses=[segment], segleft=0, lastentry=0)
            / inside,
        ):
            for complaint in (
                ICMPv6PacketTooBig(mtu=1280),
                ICMPv6PacketTooBig(mtu=0),
                ICMPv6ParamProblem(code=0, ptr=40),
                ICMPv6TimeExceeded(),
            ):
                yield IPv6(src=router, dst=source) / complaint / quoted


def test_no_host_makes_the_packets_of_a_policy_smaller(story: Story, outsiders: list[Outsider], policy: Json) -> None:
    plan = story.plan(policy)
    for outsider in outsiders:
        for complaint in _complaints(story, plan, outsider.address):
            outsider.send(complaint)
        settled(story, outsider)
    exceptions = netns.run(story.namespace("l1"), "ip", "-6", "route", "show", "cache").stdout
    assert "mtu 1280" not in exceptions, exceptions
    assert "mtu" not in netns.run(story.namespace("h11"), "ip", "-6", "route", "get", story.address("h51")).stdout
    assert _large(story)
