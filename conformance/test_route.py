# SPDX-License-Identifier: Apache-2.0
"""The underlay: routes, several equally good next hops, neighbors, packets in and out."""

import queue
from functools import partial

import pytest
from nodes.bench import ADDRESSES, NO_ADDRESS, NO_ICMP, NO_OPTIONS, Bench
from nodes.p4runtime import Action, Value
from nodes.packets import H1, PAYLOAD, outer, routed, v4, v6, with_options
from nodes.wire import Frame
from scapy.layers.inet import IP
from scapy.layers.inet6 import ICMPv6ND_NS, IPv6, IPv6ExtHdrFragment
from scapy.layers.l2 import Ether
from scapy.packet import Raw

LLDP = 0x88CC


def test_ipv6_is_routed_with_the_neighbors_mac(node: Bench) -> None:
    node.check(1, v6(), 2, v6(hop_limit=63))


def test_ipv4_is_routed_with_the_neighbors_mac(node: Bench) -> None:
    node.check(1, v4(), 2, v4(ttl=63))


def test_the_longest_prefix_wins(node: Bench) -> None:
    node.route("route_v6", "2001:db8:2::2/128", 3)
    node.check(1, v6(), 3, v6(hop_limit=63))
    node.check(
        1,
        v6(destination="2001:db8:2::3"),
        2,
        v6(destination="2001:db8:2::3", hop_limit=63),
    )


def test_a_deleted_route_is_gone(node: Bench) -> None:
    node.route("route_v6", "2001:db8:2::2/128", 3)
    node.delete("route_v6", {"vrf": 0, "dst": "2001:db8:2::2/128"})
    node.check(1, v6(), 2, v6(hop_limit=63))


def test_equal_next_hops_share_the_flows(node: Bench) -> None:
    """400 flows over two: the bounds are five standard deviations around 200."""
    node.route("route_v6", "2001:db8:5::/48", 2, 3)
    flows = [v6(source=f"2001:db8:1::{n:x}", destination=f"2001:db8:5::{n:x}", port=2000 + n) for n in range(400)]
    got = node.send(1, *flows, at_least=len(flows))
    assert len(got) == 400
    assert 150 <= sum(frame.port == 2 for frame in got) <= 250
    assert {frame.port for frame in got} == {2, 3}


def test_lldp_goes_to_the_controller_with_its_port(node: Bench) -> None:
    node.insert("punt", {"ether_type": LLDP}, Action("to_controller", {}), priority=10)
    frame = bytes(Ether(src="02:00:00:00:02:03", dst="01:80:c2:00:00:0e", type=LLDP) / Raw(PAYLOAD.ljust(46, b"\0")))
    node.wires.send(Frame(3, frame))
    assert node.client.packet_in(5) == (3, frame)


def test_other_frames_do_not_go_to_the_controller(node: Bench) -> None:
    node.insert("punt", {"ether_type": LLDP}, Action("to_controller", {}), priority=10)
    node.check(1, v6(), 2, v6(hop_limit=63))
    with pytest.raises(queue.Empty):
        node.client.packet_in(0.2)


@pytest.mark.parametrize("port", [1, 3])
def test_the_controller_sends_frames_out_of_a_port(node: Bench, port: int) -> None:
    frame = bytes(Ether(src="02:00:00:00:01:01", dst="01:80:c2:00:00:0e", type=LLDP) / Raw(PAYLOAD.ljust(46, b"\0")))
    node.wires.drain()
    node.client.packet_out(port, frame)
    assert node.wires.receive(1) == [Frame(port, frame)]


@pytest.mark.differs("vpp", NO_ADDRESS)
@pytest.mark.differs("bmv2", NO_ICMP)
def test_hop_limit_one_answers_time_exceeded(node: Bench) -> None:
    got = node.send(1, v6(hop_limit=1))
    assert [frame.port for frame in got] == [1]
    assert IPv6(got[0].data[14:]).dst == "2001:db8:1::2"


def test_the_last_hop_is_not_forwarded(node: Bench) -> None:
    """RFC 8200, 3; RFC 1812, 5.3.1."""
    for last in (0, 1):
        node.check_not_forwarded(1, v6(hop_limit=last))
        node.check_not_forwarded(1, v4(ttl=last))


@pytest.mark.differs("vpp", NO_OPTIONS)
@pytest.mark.parametrize("options", [b"\x01" * 4, b"\x01" * 40], ids=["4 bytes", "40 bytes"])
def test_ipv4_options_are_forwarded(node: Bench, options: bytes) -> None:
    """RFC 1812, 5.3.1: TTL and checksum change, nothing else."""
    node.check(1, with_options(v4(), options), 2, with_options(v4(ttl=63), options))


@pytest.mark.parametrize(
    ("identification", "checksum"), [(0x0001, 0x26B7), (0x27B8, 0xFEFF), (0x27B7, 0xFF00), (0x2737, 0xFF80)]
)
def test_the_checksum_follows_the_ttl(node: Bench, identification: int, checksum: int) -> None:
    """RFC 1624, with the carries that one's complement has."""
    before, after = v4(), v4(ttl=63)
    before.id = after.id = identification
    assert IP(bytes(before)).chksum == checksum
    node.check(1, before, 2, after)


def test_a_wrong_ipv4_header_is_not_forwarded(node: Bench) -> None:
    """RFC 1812, 5.2.2."""
    for field, value in (("chksum", 0x1234), ("len", 60000), ("len", 19), ("ihl", 4), ("version", 6)):
        wrong = v4()
        setattr(wrong, field, value)
        if field != "chksum":
            wrong = IP(bytes(wrong))
            del wrong.chksum
            setattr(wrong, field, value)
        node.check_not_forwarded(1, wrong)


@pytest.mark.differs("vpp", "VPP forwards a packet that is shorter than its Payload Length says")
def test_an_ipv6_packet_shorter_than_it_says_is_not_forwarded(node: Bench) -> None:
    """RFC 8200, 3: Payload Length."""
    node.check_not_forwarded(1, v6()[IPv6].__class__(bytes(v6())[:-1]))


def test_an_ipv6_packet_of_another_version_is_not_forwarded(node: Bench) -> None:
    """RFC 8200, 3: Version."""
    wrong = v6()
    wrong.version = 5
    node.check_not_forwarded(1, wrong)


@pytest.mark.differs("vpp", "VPP forwards the padding of a short frame behind the packet")
def test_padding_of_the_link_stays_behind(node: Bench) -> None:
    """RFC 894: a short packet in a longer frame."""
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    for sent, after in (
        (v6(), v6(hop_limit=63)),
        (v4(), v4(ttl=63)),
        (outer("fcbb:bbbb:100:200::", v6()), outer("fcbb:bbbb:200::", v6(), hop_limit=63)),
    ):
        node.check(1, node.into(1, sent).data + bytes(10), 2, after)


def test_padding_does_not_enter_a_tunnel(node: Bench) -> None:
    """RFC 8986, 5.1: the packet is encapsulated, not the frame."""
    node.steer("2001:db8:2::/64", "h_encaps_red", (1, ["fcbb:bbbb:200::", "fcbb:bbbb:300::"]))
    build = partial(routed, "fcbb:bbbb:200::", 1, ["fcbb:bbbb:300::"], hop_limit=63)
    node.check(1, node.into(1, v6()).data + bytes(10), 2, build(v6(hop_limit=63)), build(v6()))


@pytest.mark.differs("vpp", "VPP forwards what came to a group address of the link")
@pytest.mark.parametrize("mac", ["ff:ff:ff:ff:ff:ff", "33:33:00:00:00:01", "01:00:5e:00:00:01"])
def test_frames_to_a_group_are_not_forwarded(node: Bench, mac: str) -> None:
    """RFC 1812, 5.3.4: a link-layer broadcast is not for forwarding."""
    for packet in (v6(), v4()):
        node.check_not_forwarded(1, bytes(Ether(src="02:00:00:00:02:01", dst=mac) / packet))


@pytest.mark.differs("bmv2", "the contract has no table of a node's own MACs: a port takes every frame that is for one")
def test_frames_to_another_node_are_not_forwarded(node: Bench) -> None:
    node.check_not_forwarded(1, bytes(Ether(src="02:00:00:00:02:01", dst="02:00:00:00:77:77") / v6()))


@pytest.mark.differs("vpp", ADDRESSES, "fe80::1", "::", "ff02::1-2001:db8:2::2", "::1")
@pytest.mark.parametrize(
    ("source", "destination"),
    [
        ("fe80::1", "2001:db8:2::2"),
        ("2001:db8:1::2", "fe80::2"),
        ("::", "2001:db8:2::2"),
        ("2001:db8:1::2", "ff02::1"),
        ("ff02::1", "2001:db8:2::2"),
        ("::1", "2001:db8:2::2"),
        ("2001:db8:1::2", "::1"),
    ],
)
def test_ipv6_addresses_that_do_not_leave_a_link_are_not_forwarded(node: Bench, source: str, destination: str) -> None:
    """RFC 4291, 2.5.2, 2.5.3, 2.5.6 and 2.7; RFC 4007, 9."""
    node.route("route_v6", "::/0", 2)
    node.check_not_forwarded(1, v6(source, destination))


@pytest.mark.differs("linux", "link-local IPv4 sources are forwarded", "169.254.77.9-10.2.0.2")
@pytest.mark.differs(
    "vpp", ADDRESSES, "127.0.0.1", "127.0.0.2", "0.0.0.0-10.2.0.2", "224.0.0.1-10.2.0.2", "169.254.77.9"
)
@pytest.mark.parametrize(
    ("source", "destination"),
    [
        ("127.0.0.1", "10.2.0.2"),
        ("10.1.0.2", "127.0.0.2"),
        ("0.0.0.0", "10.2.0.2"),
        ("10.1.0.2", "0.0.0.0"),
        ("224.0.0.1", "10.2.0.2"),
        ("10.1.0.2", "224.0.0.1"),
        ("10.1.0.2", "255.255.255.255"),
        ("169.254.77.9", "10.2.0.2"),
        ("10.1.0.2", "169.254.77.9"),
    ],
)
def test_ipv4_addresses_that_do_not_leave_a_link_are_not_forwarded(node: Bench, source: str, destination: str) -> None:
    """RFC 1812, 5.3.7; RFC 3927, 7."""
    node.route("route_v4", "0.0.0.0/0", 2)
    node.check_not_forwarded(1, v4(source, destination))


def test_what_has_no_route_is_not_forwarded(node: Bench) -> None:
    node.check_not_forwarded(1, v6(destination="2001:dead::1"))
    node.check_not_forwarded(1, v4(destination="192.0.2.1"))


@pytest.mark.differs("vpp", "VPP shares fragments of IPv4 by ports that only the first one has", "4")
@pytest.mark.parametrize("family", [4, 6])
def test_fragments_of_a_packet_take_one_way(node: Bench, family: int) -> None:
    """Only the first has ports, so ports of fragments do not choose (RFC 6438, 3)."""
    node.route("route_v6", "2001:db8:5::/48", 2, 3)
    node.route("route_v4", "10.5.0.0/16", 2, 3)
    for host in range(1, 9):
        frames = []
        for number in range(4):
            if family == 4:
                packet = v4(destination=f"10.5.0.{host}", port=2000 + number)
                packet.flags, packet.frag = "MF", number
            else:
                packet = v6(destination=f"2001:db8:5::{host}", port=2000 + number)
                fragment = IPv6ExtHdrFragment(nh=17, offset=number, m=1, id=5)
                packet = IPv6(src=packet.src, dst=packet.dst, fl=packet.fl) / fragment / packet.payload
            frames.append(packet)
        assert len({frame.port for frame in node.send(1, *frames, at_least=4)}) == 1


@pytest.mark.parametrize("bytes_over", [0, 1])
def test_the_mtu_counts_the_outer_header(node: Bench, bytes_over: int) -> None:
    """9000 bytes fit the link; one more does not (RFC 8200, 5)."""
    node.steer("2001:db8:2::/64", node.encaps, (1, ["fcbb:bbbb:200::"]))
    inner = v6() / Raw(bytes(9000 - 40 - len(v6()) + bytes_over))
    lower = inner.copy()
    lower.hlim = 63
    if bytes_over:
        node.check_not_forwarded(1, inner)
    else:
        build = partial(outer, "fcbb:bbbb:200::", hop_limit=63)
        node.check(1, inner, 2, build(lower), build(inner))


@pytest.mark.differs("vpp", "VPP does neighbor discovery itself; the agent refuses the entry, saying so")
@pytest.mark.differs("linux", "the kernel does neighbor discovery itself; the agent refuses the entry, saying so")
def test_neighbor_discovery_goes_to_the_controller(node: Bench) -> None:
    """RFC 4861, 4.3: so that hosts work behind a switch that has no stack of its own."""
    match: dict[str, Value] = {"ether_type": 0x86DD, "ip_protocol": 58, "icmpv6_type": 135}
    node.insert("punt", match, Action("to_controller", {}), priority=10)
    solicitation = IPv6(src=H1, dst="ff02::1:ff00:1", hlim=255) / ICMPv6ND_NS(tgt="2001:db8:1::1")
    frame = bytes(Ether(src="02:00:00:00:02:01", dst="33:33:ff:00:00:01") / solicitation)
    node.wires.send(Frame(1, frame))
    assert node.client.packet_in(5) == (1, frame)
    node.check(1, v6(), 2, v6(hop_limit=63))
    # Inside a tunnel it is none of this node's.
    node.check(1, outer("fcbb:bbbb:200::", solicitation), 2, outer("fcbb:bbbb:200::", solicitation, hop_limit=63))


@pytest.mark.differs("linux", "its P4Info has no discard")
def test_discard_stands_before_everything(node: Bench) -> None:
    node.insert("punt", {"in_port": 3}, Action("discard", {}), priority=10)
    assert node.send(3, v6()) == []
    node.check(1, v6(), 2, v6(hop_limit=63))


@pytest.mark.differs("vpp", "its P4Info has no such counter")
@pytest.mark.differs("linux", "the kernel counts no plain routes; its P4Info has no such counter")
def test_the_counter_of_a_route_counts_packets_and_bytes(node: Bench) -> None:
    node.route("route_v6", "2001:db8:5::/48", 2)
    assert len(node.send(1, *[v6(destination="2001:db8:5::1")] * 3, at_least=3)) == 3
    counted = [entry.counter_data for entry in node.client.read("route_v6", counters=True)
               if entry.match[1].lpm.prefix_len == 48 and entry.match[1].lpm.value[5] == 5]  # fmt: skip
    assert [(one.packet_count, one.byte_count) for one in counted] == [(3, 3 * (14 + len(v6())))]
