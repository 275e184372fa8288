# SPDX-License-Identifier: Apache-2.0
"""Live-Live (docs/reference/livelive.md): one copy per path, one delivered."""

import struct
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest
from nodes.bench import Bench
from nodes.p4runtime import Action, Value, WriteError
from nodes.packets import FLOW_LABEL, H1, H2, SOURCE, extended, outer, srh_bytes, v4, v6
from nodes.target import TARGETS, Target
from scapy.layers.inet import TCP
from scapy.layers.inet6 import ICMPv6EchoRequest, IPv6
from scapy.packet import Packet, Raw

FLOW, GROUP = 0xC0000009, 7
EGRESS = "fcbb:bbbb:100:f10{}::"
# Paths by way of ports 2, 3 and 4 of the bench.
VIA = {1: "fcbb:bbbb:200:100:f101::", 2: "fcbb:bbbb:300:100:f102::", 3: "fcbb:bbbb:400:100:f103::"}
PORTS = {1: 2, 2: 3, 3: 4}
DATA = slice(14, None)


@pytest.fixture(autouse=True)
def has_live_live(target: Target) -> None:
    if "flow_v6" not in target.p4info.read_text():
        pytest.skip(f"{target.name}: its pipeline has no Live-Live")


def tlv(sequence: int, *, epoch: int = 1, flow: int = FLOW, head: bytes = b"\x7c\x0e") -> bytes:
    """The 16 bytes of the reference."""
    return head + struct.pack("!HIQ", epoch, flow, sequence)


def copy(
    path: int,
    sequence: int,
    inner: Packet,
    *,
    segments: Sequence[str] | None = None,
    epoch: int = 1,
    flow: int = FLOW,
    hop_limit: int = 62,
) -> Packet:
    """A copy as it arrives at the egress: its list has one segment unless others are given, the last first."""
    listed = list(segments or [EGRESS.format(path)])
    header = srh_bytes(41 if IPv6 in inner else 4, 0, listed, tlvs=tlv(sequence, epoch=epoch, flow=flow))
    return extended(EGRESS.format(path), 43, header, inner, hop_limit=hop_limit)


# --- ingress


def replicate(
    node: Bench,
    match: dict[str, Value] | None = None,
    *,
    table: str = "flow_v6",
    copies: int = 3,
    paths: dict[int, list[str]] | None = None,
    priority: int = 10,
) -> None:
    """Copies matching packets over the paths, each out of a port of its own."""
    for path, lists in (paths or {path: [via] for path, via in VIA.items()}).items():
        node.sid_list(100 + path, (1, lists))
        node.insert("copy", {"group": GROUP, "path": path}, Action("send_copy", {"sid_list": 100 + path}))
    flow(node, match or {"dst": "2001:db8:2::/48"}, table=table, copies=copies, priority=priority)


def flow(
    node: Bench,
    match: dict[str, Value],
    *,
    table: str = "flow_v6",
    copies: int = 3,
    priority: int = 10,
    number: int = FLOW,
    group: int = GROUP,
) -> None:
    action = Action("replicate", {"flow_id": number, "group": group, "copies": copies})
    node.insert(table, {"vrf": 0, **match}, action, priority=priority)


@pytest.fixture
def ingress(node: Bench) -> Bench:
    for path, port in PORTS.items():
        if port != 2:
            node.route("route_v6", f"fcbb:bbbb:{path + 1}00::/48", port)
    return node


def sent(node: Bench, packet: Packet | bytes, count: int) -> dict[int, bytes]:
    """The output, by port: exactly so many copies."""
    got = node.send(1, packet, at_least=count)
    assert len(got) == count, [f"port {frame.port}: {frame.data.hex()}" for frame in got]
    return {frame.port: frame.data for frame in got}


def sequence_of(frame: bytes) -> int:
    """The last 8 bytes of the TLV: behind the SRH's fixed part and its list."""
    listed = frame[14 + 40 + 4] + 1
    at = 14 + 40 + 8 + 16 * listed
    return int(struct.unpack("!Q", frame[at + 8 : at + 16])[0])


def expected(node: Bench, port: int, segments: list[str], sequence: int, inner: Packet, epoch: int = 1) -> bytes:
    """A copy on the wire, from the reference: reduced, but that a list of one is listed."""
    listed = list(reversed(segments[1:])) or segments
    header = srh_bytes(
        41 if IPv6 in inner else 4,
        len(segments) - 1,
        listed,
        tlvs=tlv(sequence, epoch=epoch),
        last_entry=len(listed) - 1,
    )
    return node.out_of(port, extended(segments[0], 43, header, inner, hop_limit=63)).data


def hop_less(inner: Packet) -> Packet:
    lower = inner.copy()
    if IPv6 in lower:
        lower[IPv6].hlim -= 1
    else:
        lower.ttl -= 1
    return lower


@pytest.mark.parametrize("packet", [v6(), v4()], ids=["IPv6", "IPv4"])
def test_every_path_gets_a_copy_with_the_same_number(ingress: Bench, packet: Packet) -> None:
    """The header to the bit; the next packet has the next number."""
    six = IPv6 in packet
    replicate(ingress, {"dst": "2001:db8:2::/48" if six else "10.2.0.0/16"}, table="flow_v6" if six else "flow_v4")
    numbers = []
    for _ in range(3):
        got = sent(ingress, packet, 3)
        number = sequence_of(got[2])
        numbers.append(number)
        for path, port in PORTS.items():
            want = expected(ingress, port, [VIA[path]], number, hop_less(packet))
            assert unlabelled_v4(got[port], six) == unlabelled_v4(want, six), f"path {path}"
    assert numbers == [numbers[0], numbers[0] + 1, numbers[0] + 2]


def unlabelled_v4(frame: bytes, six: bool) -> bytes:
    """The label of an IPv4 packet's header is the headend's own."""
    return frame if six else frame[:15] + bytes([frame[15] & 0xF0, 0, 0]) + frame[18:]


def test_lists_of_every_length(ingress: Bench) -> None:
    """1, 2 and 6 segments: 80, 80 and 144 bytes."""
    more = [f"fcbb:bbbb:{n}00:{n}01:{n}02::" for n in range(5, 9)]
    lists = {1: [VIA[1]], 2: [VIA[2], EGRESS.format(2)], 3: [VIA[3], *more, EGRESS.format(3)]}
    replicate(ingress, paths=lists)
    got = sent(ingress, v6(), 3)
    number = sequence_of(got[2])
    for path, port in PORTS.items():
        assert got[port] == expected(ingress, port, lists[path], number, hop_less(v6())), f"path {path}"
    plain = len(ingress.into(1, v6()).data)
    assert [len(got[port]) - plain for port in (2, 3, 4)] == [80, 80, 144]


def test_a_hop_by_hop_flow_label_and_traffic_class_go_along(ingress: Bench) -> None:
    replicate(ingress)
    packet = v6()
    packet[IPv6].tc = 0xB9
    got = sent(ingress, packet, 3)
    assert all(frame[14:18] == struct.pack("!I", 6 << 28 | 0xB9 << 20 | FLOW_LABEL) for frame in got.values())


@pytest.mark.parametrize(
    ("match", "hits"),
    [
        ({"src": f"{H1}/128"}, True),
        ({"src": "2001:db8:9::/48"}, False),
        ({"dst": f"{H2}/128", "ip_protocol": 17}, True),
        ({"ip_protocol": 6}, False),
        ({"l4_dst_port": 5000}, True),
        ({"l4_dst_port": 5001}, False),
        ({"ip_protocol": 17, "l4_src_port": 4000, "l4_dst_port": 5000}, True),
        ({"l4_src_port": 5000}, False),
        ({}, True),
    ],
)
def test_a_flow_is_what_all_given_fields_match(ingress: Bench, match: dict[str, Value], hits: bool) -> None:
    """A field that is left out matches anything. A packet of no flow is routed."""
    replicate(ingress, {"dst": "2001:db8:2::/48", **match})
    got = sent(ingress, v6(), 3 if hits else 1)
    assert (got[2][20] == 43) is hits


def test_the_highest_priority_wins(ingress: Bench) -> None:
    replicate(ingress, {"dst": "2001:db8:2::/48"}, priority=10)
    flow(ingress, {"dst": f"{H2}/128"}, number=77, copies=1, priority=20)
    flow(ingress, {"src": f"{H1}/128"}, number=78, copies=2, priority=5)
    got = sent(ingress, v6(), 1)
    assert got[2][14 + 40 + 8 + 16 + 4 :][:4] == struct.pack("!I", 77)


def test_a_flow_goes_before_steering(ingress: Bench) -> None:
    ingress.steer("2001:db8:2::/48", "h_encaps_red", (1, ["fcbb:bbbb:200:f00d::"]))
    replicate(ingress)
    sent(ingress, v6(), 3)


def test_what_a_sid_of_the_node_takes_is_of_no_flow(ingress: Bench) -> None:
    """However wide the flow is: SIDs come first."""
    ingress.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    replicate(ingress, {"src": f"{H1}/128"})
    sent(ingress, v6(), 3)
    ingress.check(1, outer("fcbb:bbbb:100:300:f00d::", v6(), source=H1), 3,
                  outer("fcbb:bbbb:300:f00d::", v6(), source=H1, hop_limit=63))  # fmt: skip
    ingress.delete("my_sid", {"sid": "fcbb:bbbb:100::/48"})
    sent(ingress, outer("fcbb:bbbb:100:300:f00d::", v6(), source=H1), 3)


@pytest.mark.differs("bmv2", "it remembers no datagrams: only a fragment's own header tells its flow")
def test_fragments_go_with_their_datagram(ingress: Bench) -> None:
    """The second one has no ports; the first one's are its own."""
    replicate(ingress, {"dst": "2001:db8:2::/48", "ip_protocol": 17, "l4_dst_port": 5000})
    ports = struct.pack("!HH", 4000, 5000)
    for offset, payload in ((1, ports + bytes(12)), (16 | 1, bytes(16)), (32, bytes(5))):
        fragment = struct.pack("!BBHI", 17, 0, offset, 7)
        sent(ingress, IPv6(src=H1, dst=H2, nh=44, fl=FLOW_LABEL) / Raw(fragment + payload), 3)


@pytest.mark.parametrize("version", [0, 4, 5, 7])
def test_what_says_to_be_ipv6_and_is_not_is_of_no_flow(ingress: Bench, version: int) -> None:
    """The EtherType alone makes no IPv6 packet (RFC 8200, 3)."""
    replicate(ingress)
    frame = bytearray(ingress.into(1, v6()).data)
    frame[14] = version << 4 | frame[14] & 15
    ingress.check_not_forwarded(1, bytes(frame))


def test_a_frame_of_a_vlan_is_of_no_flow(ingress: Bench) -> None:
    replicate(ingress)
    frame = ingress.into(1, v6()).data
    ingress.check_not_forwarded(1, frame[:12] + b"\x81\x00\x00\x07" + frame[12:])


def test_fragments_have_no_ports(ingress: Bench) -> None:
    """Protocol 44, of IPv6; of IPv4 the ports are 0."""
    replicate(ingress, {"dst": "::/0", "ip_protocol": 44, "l4_dst_port": 0})
    fragment = IPv6(src=H1, dst=H2, nh=44, fl=FLOW_LABEL) / Raw(
        bytes([17, 0, 0, 1, 0, 0, 0, 1]) + b"\x0f\xa0\x13\x88" * 4
    )
    sent(ingress, fragment, 3)
    sent(ingress, v6(), 1)


@pytest.mark.parametrize(
    "payload",
    [
        TCP(sport=4000, dport=5000, options=[(253, b"\xf9\x89"), ("NOP", None), ("NOP", None)]) / Raw(b"x" * 40),
        ICMPv6EchoRequest(id=1, seq=1),
        Raw(b"no header of layer four"),
    ],
    ids=["TCP with an option nobody knows", "ICMPv6", "protocol 253"],
)
def test_any_packet_is_copied_as_it_is(ingress: Bench, payload: Packet) -> None:
    """The published prototype drops packets that are not UDP or TCP, trips over TCP options and writes into UDP's
    payload.
    """
    replicate(ingress)
    packet = IPv6(src=H1, dst=H2, fl=FLOW_LABEL) / payload
    if isinstance(payload, Raw):
        packet.nh = 253
    got = sent(ingress, packet, 3)
    for path, port in PORTS.items():
        want = expected(ingress, port, [VIA[path]], sequence_of(got[port]), hop_less(packet))
        assert got[port] == want, f"path {path}"


def test_a_path_without_a_row_gets_no_copy_and_a_row_may_come_and_go(ingress: Bench) -> None:
    """The others notice nothing, and the numbers go on."""
    replicate(ingress)
    before = sequence_of(sent(ingress, v6(), 3)[2])
    ingress.delete("copy", {"group": GROUP, "path": 2})
    got = sent(ingress, v6(), 2)
    assert set(got) == {2, 4}
    assert sequence_of(got[2]) == before + 1
    ingress.insert("copy", {"group": GROUP, "path": 2}, Action("send_copy", {"sid_list": 101}))
    assert sequence_of(next(iter(sent_twice(ingress)))) == before + 2


def sent_twice(node: Bench) -> list[bytes]:
    """Three copies, of which two leave by the same port."""
    got = node.send(1, v6(), at_least=3)
    assert sorted(frame.port for frame in got) == [2, 2, 4]
    return [frame.data for frame in got]


def test_no_more_copies_than_the_row_says(ingress: Bench) -> None:
    replicate(ingress, copies=2)
    assert set(sent(ingress, v6(), 2)) == {2, 3}


def test_a_list_that_changes_changes_its_path(ingress: Bench) -> None:
    replicate(ingress)
    ingress.modify("sid_list", {"id": 102}, [Action("segments_1", {"segment_1": "fcbb:bbbb:400:100:f102::"})])
    got = ingress.send(1, v6(), at_least=3)
    assert sorted(frame.port for frame in got) == [2, 4, 4]


def test_a_list_may_begin_at_the_node_itself(ingress: Bench) -> None:
    """An own uA first pins the first link (RFC 9800, 4.1.2)."""
    ingress.my_sid("fcbb:bbbb:100:e004::/64", "ua", block_length=32, csid_length=32, next_hop=4)
    replicate(ingress, copies=1, paths={1: ["fcbb:bbbb:100:e004:300:100:f101::"]})
    got = sent(ingress, v6(), 1)
    assert got[4][14 + 24 :][:16] == bytes.fromhex("fcbbbbbb03000100f101000000000000")


def test_what_is_on_its_last_hop_is_not_copied(ingress: Bench) -> None:
    replicate(ingress)
    ingress.check_not_forwarded(1, v6(hop_limit=1))
    ingress.check_not_forwarded(1, v4(ttl=1))


def test_the_rows_count(ingress: Bench) -> None:
    """A flow its packets, a path its copies."""
    replicate(ingress)
    for _ in range(4):
        sent(ingress, v6(), 3)
    (one,) = ingress.client.read("flow_v6", counters=True)
    assert one.counter_data.packet_count == 4
    assert [row.counter_data.packet_count for row in ingress.client.read("copy", counters=True)] == [4, 4, 4]


# --- egress


@dataclass
class Egress:
    """A node that ends flows, and the window of this test's flow, its own because bmv2's outlive their rows."""

    bench: Bench
    window: int


_WINDOWS = {name: iter(range(63)) for name in TARGETS}


@pytest.fixture
def egress(node: Bench) -> Egress:
    for path in (1, 2, 3):
        node.my_sid(f"{EGRESS.format(path)}/64", "dedup", vrf=0, path=path)
    window = next(_WINDOWS[node.target.name])
    node.insert("dedup_flow", {"flow_id": FLOW}, Action("deduplicate", {"window": window}))
    return Egress(node, window)


@pytest.fixture
def numbers() -> Iterator[int]:
    """Sequence numbers far apart."""
    return iter(range(1 << 40, 1 << 41, 1 << 20))


def cells(egress: Egress, path: int) -> dict[str, int]:
    node, cell = egress.bench, egress.window * 16 + path
    counts = {name: node.client.cell(f"dedup_{name}", cell) for name in ("first", "duplicate", "late")}
    counts["delay"] = sum(node.client.cells("dedup_delay", range(cell * 16, cell * 16 + 16)).values())
    return counts | {name: node.client.cell(f"dedup_{name}", path) for name in ("stray", "malformed")}


def counted(node: Egress, path: int, before: dict[str, int]) -> dict[str, int]:
    """The counts since then."""
    return {name: count - before[name] for name, count in cells(node, path).items() if count != before[name]}


def delivered(node: Egress, packet: Packet, inner: Packet) -> None:
    got = node.bench.send(2, packet, at_least=1)
    want = [node.bench.out_of(1, hop_less(inner))]
    assert got == want, [f"port {frame.port}: {frame.data.hex()}" for frame in got]


def dropped(node: Egress, *packets: Packet | bytes) -> None:
    got = node.bench.send(2, *packets)
    assert not got, got[0].data.hex()


@pytest.mark.parametrize("family", [v6, v4], ids=["IPv6", "IPv4"])
def test_the_first_copy_is_delivered_and_the_others_are_not(
    egress: Egress, numbers: Iterator[int], family: Callable[..., Packet]
) -> None:
    inner = family(H2, H1) if family is v6 else family("10.2.0.2", "10.1.0.2")
    number = next(numbers)
    before = {path: cells(egress, path) for path in (1, 2, 3)}
    delivered(egress, copy(2, number, inner), inner)
    dropped(egress, copy(1, number, inner))
    dropped(egress, copy(3, number, inner))
    dropped(egress, copy(2, number, inner))
    assert counted(egress, 2, before[2]) == {"first": 1, "late": 1}
    assert counted(egress, 1, before[1]) == {"duplicate": 1, "delay": 1}


def test_a_copy_that_comes_again_over_its_path_is_no_arrival(egress: Egress, numbers: Iterator[int]) -> None:
    """Networks repeat packets: a copy that arrived twice would make up for a lost one."""
    number, inner = next(numbers), v6(H2, H1)
    before = cells(egress, 3)
    delivered(egress, copy(1, number, inner), inner)
    dropped(egress, copy(3, number, inner), copy(3, number, inner), copy(3, number, inner))
    assert counted(egress, 3, before) == {"duplicate": 1, "delay": 1, "late": 2}


def test_packets_may_come_in_any_order_within_the_window(egress: Egress, numbers: Iterator[int]) -> None:
    number, inner = next(numbers), v6(H2, H1)
    for step in (5, 1, 3, 4000, 2, 4, 4095):
        delivered(egress, copy(1, number + step, inner), inner)
    for step in (1, 2, 3, 4, 5, 4000, 4095):
        dropped(egress, copy(2, number + step, inner))


def test_what_is_a_window_behind_is_late(egress: Egress, numbers: Iterator[int]) -> None:
    """65,536 is a multiple of every node's window."""
    number, inner = next(numbers), v6(H2, H1)
    delivered(egress, copy(1, number + 65536, inner), inner)
    before = cells(egress, 2)
    dropped(egress, copy(2, number, inner))
    assert counted(egress, 2, before) == {"late": 1}


@pytest.mark.parametrize("boundary", [0x10000, 0x100000000, 0x1000000000000])
def test_the_sequence_does_not_wrap_at_16_32_or_48_bits(egress: Egress, boundary: int) -> None:
    """The published prototype counts to 65,535 and then delivers nothing any more."""
    inner = v6(H2, H1)
    for number in range(boundary - 2, boundary + 2):
        delivered(egress, copy(1, number, inner), inner)
        dropped(egress, copy(2, number, inner))


# How far a number may be ahead of the last one.
AHEAD = 1 << 24


def delivered_at_last(node: Egress, packet: Packet, inner: Packet) -> float:
    """Sends until the packet is delivered, and returns how many seconds that took."""
    start = time.monotonic()
    want = [node.bench.out_of(1, hop_less(inner))]
    while node.bench.send(2, packet) != want:
        assert time.monotonic() - start < 10, "never delivered"
    return time.monotonic() - start


def test_the_numbers_of_a_flow_that_lives_do_not_jump(egress: Egress, numbers: Iterator[int]) -> None:
    """A sender to a node's SIDs that does not see the flow does not lead it astray."""
    number, inner = next(numbers), v6(H2, H1)
    forged = [copy(1, number + 2, inner, epoch=2), copy(2, number + 2 * AHEAD, inner), copy(3, 1 << 63, inner)]
    got = egress.bench.send(2, copy(1, number, inner), *forged, copy(2, number + 1, inner), copy(3, number + 2, inner))
    assert len(got) == 3


def test_a_restarted_ingress_is_heard_soon_and_its_former_life_never_again(
    egress: Egress, numbers: Iterator[int]
) -> None:
    number, inner = next(numbers), v6(H2, H1)
    delivered(egress, copy(1, number, inner), inner)
    delivered_at_last(egress, copy(1, (number & 0xFFFF) + 65536, inner, epoch=2), inner)
    dropped(egress, copy(2, (number & 0xFFFF) + 65536, inner, epoch=2))
    dropped(egress, copy(2, number, inner))
    dropped(egress, copy(2, number + 65536, inner))


def test_epochs_go_round(egress: Egress, numbers: Iterator[int]) -> None:
    """65535 is behind 1, by serial number arithmetic (RFC 1982)."""
    inner, at = v6(H2, H1), next(numbers) & 0xFFFF | 0x123
    for epoch in (0x7000, 0xE000, 0xFFFF, 1):
        delivered_at_last(egress, copy(1, at + 65536, inner, epoch=epoch), inner)
    for epoch in (0xFFFF, 0xE000):
        dropped(egress, copy(1, at + 65536 * 9, inner, epoch=epoch))


def test_what_a_forged_packet_took_is_given_back(egress: Egress, numbers: Iterator[int]) -> None:
    """After 4.2 seconds: an ingress may begin anew with smaller numbers, too."""
    number, inner = next(numbers), v6(H2, H1)
    delivered_at_last(egress, copy(1, number, inner, epoch=9), inner)
    took = delivered_at_last(egress, copy(1, number + 65536, inner), inner)
    assert 4 < took < 9
    dropped(egress, copy(2, number + 65536, inner))


def test_flows_do_not_share_numbers(egress: Egress, numbers: Iterator[int]) -> None:
    """The published prototype has one counter and one window for all flows."""
    number, inner = next(numbers), v6(H2, H1)
    egress.bench.insert("dedup_flow", {"flow_id": FLOW + 1}, Action("deduplicate", {"window": 63}))
    delivered(egress, copy(1, number, inner), inner)
    delivered(egress, copy(1, number, inner, flow=FLOW + 1), inner)
    dropped(egress, copy(2, number, inner, flow=FLOW + 1))


def test_a_window_that_changes_hands_remembers_nothing(egress: Egress, numbers: Iterator[int]) -> None:
    number, inner = next(numbers), v6(H2, H1)
    delivered(egress, copy(1, number + 65536, inner), inner)
    egress.bench.delete("dedup_flow", {"flow_id": FLOW})
    egress.bench.insert("dedup_flow", {"flow_id": FLOW + 3}, Action("deduplicate", {"window": egress.window}))
    delivered(egress, copy(1, number, inner, flow=FLOW + 3), inner)
    dropped(egress, copy(2, number, inner, flow=FLOW + 3))


def test_a_flow_may_take_a_window_over_before_the_one_that_had_it_goes(egress: Egress, numbers: Iterator[int]) -> None:
    """As one does whose ingress moves: it is another flow, and its rows come before those of the first go."""
    first, second, inner = next(numbers), next(numbers), v6(H2, H1)
    delivered(egress, copy(1, second, inner), inner)
    egress.bench.insert("dedup_flow", {"flow_id": FLOW + 4}, Action("deduplicate", {"window": egress.window}))
    delivered(egress, copy(1, first, inner, flow=FLOW + 4), inner)
    delivered(egress, copy(1, second + 1, inner), inner)
    egress.bench.delete("dedup_flow", {"flow_id": FLOW})
    dropped(egress, copy(2, first, inner, flow=FLOW + 4), copy(2, second + 1, inner))
    delivered(egress, copy(2, first + 1, inner, flow=FLOW + 4), inner)


def test_a_flow_that_does_not_end_here_is_stray(egress: Egress, numbers: Iterator[int]) -> None:
    before = cells(egress, 1)
    dropped(egress, copy(1, next(numbers), v6(H2, H1), flow=FLOW + 2))
    assert counted(egress, 1, before) == {"stray": 1}


def test_a_copy_for_another_node_is_not_delivered_here(egress: Egress, numbers: Iterator[int]) -> None:
    """The published prototype looks at the low 64 bits of the SID, and decapsulates whatever has no segments left."""
    header = srh_bytes(41, 0, [EGRESS.format(1)], tlvs=tlv(next(numbers)))
    for other in ("fcbb:bbbb:777:f101::", "fcbb:bbbb:100:f104::"):
        (got,) = egress.bench.send(1, extended(other, 43, header, v6(H2, H1), hop_limit=62), at_least=1)
        assert got == egress.bench.out_of(2, extended(other, 43, header, v6(H2, H1), hop_limit=61))


def test_other_tlvs_and_passed_segments_do_not_matter(egress: Egress, numbers: Iterator[int]) -> None:
    inner = v6(H2, H1)
    number = next(numbers)
    delivered(egress, copy(1, number, inner, segments=[EGRESS.format(1), VIA[1], VIA[2]]), inner)
    padded = srh_bytes(41, 0, [EGRESS.format(2)], tlvs=tlv(number + 1) + bytes([4, 6]) + bytes(6))
    delivered(egress, extended(EGRESS.format(2), 43, padded, inner, hop_limit=62), inner)


GOOD = EGRESS.format(1)
INNER = bytes(v6(H2, H1))
MALFORMED: dict[str, Callable[[int], tuple[int, bytes]]] = {
    "no SRH": lambda n: (41, b""),
    "no TLV": lambda n: (43, srh_bytes(41, 0, [GOOD])),
    "another type": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=tlv(n, head=b"\xff\x0e"))),
    "another length": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=tlv(n, head=b"\x7c\x0d"))),
    "not the first TLV": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=bytes([4, 6]) + bytes(6) + tlv(n))),
    "half a TLV": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=tlv(n)[:8])),
    "epoch 0": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=tlv(n, epoch=0))),
    "sequence 0": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=tlv(0))),
    "segments left": lambda n: (43, srh_bytes(41, 1, [GOOD, GOOD], tlvs=tlv(n))),
    "a list longer than the SRH": lambda n: (43, srh_bytes(41, 0, [GOOD], tlvs=tlv(n), last_entry=9)),
    "no IP packet inside": lambda n: (43, srh_bytes(17, 0, [GOOD], tlvs=tlv(n))),
    "options before the SRH": lambda n: (0, bytes([43, 0, 1, 4, 0, 0, 0, 0]) + srh_bytes(41, 0, [GOOD], tlvs=tlv(n))),
    "options behind the SRH": lambda n: (43, srh_bytes(60, 0, [GOOD], tlvs=tlv(n)) + bytes([41, 0, 1, 4, 0, 0, 0, 0])),
    "the TLV left out of Hdr Ext Len": lambda n: (43, srh_bytes(41, 0, [GOOD]) + tlv(n)),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_what_is_malformed_is_dropped_and_counted(egress: Egress, numbers: Iterator[int], kind: str) -> None:
    first, headers = MALFORMED[kind](next(numbers))
    before = cells(egress, 1)
    dropped(egress, IPv6(src=SOURCE, dst=GOOD, hlim=62, nh=first) / Raw(headers + INNER))
    assert counted(egress, 1, before) == {"malformed": 1}


@pytest.mark.parametrize("inner", [v6(H2, H1), v4("10.2.0.2", "10.1.0.2")], ids=["IPv6", "IPv4"])
def test_half_an_ip_header_inside_is_malformed(egress: Egress, numbers: Iterator[int], inner: Packet) -> None:
    """It is not counted as delivered either, nor does it take the place of the packet that it pretends to be."""
    number, before = next(numbers), cells(egress, 1)
    whole = copy(1, number, inner)
    half = bytes(whole)[: -len(bytes(inner)) + 12]
    dropped(egress, IPv6(src=SOURCE, dst=GOOD, hlim=62, nh=43) / Raw(half[40:]))
    assert counted(egress, 1, before) == {"malformed": 1}
    delivered(egress, whole, inner)


def test_cut_copies_never_come_out(egress: Egress, numbers: Iterator[int]) -> None:
    """Every length of a copy that is cut short, with and without a payload length that says so."""
    whole = bytes(copy(1, next(numbers), v6(H2, H1)))
    ethernet = egress.bench.into(2, v6()).data[:14]
    cuts = []
    for length in range(40, len(whole) - len(INNER) + 40):
        cuts += [whole[:length], whole[:4] + struct.pack("!H", length - 40) + whole[6:length]]
    dropped(egress, *(ethernet + cut for cut in cuts))


def test_a_copy_in_transit_is_left_alone(node: Bench, numbers: Iterator[int]) -> None:
    """A node on the way reads no TLV."""
    node.my_sid("fcbb:bbbb:200::/48", "un", block_length=32, csid_length=16)
    node.route("route_v6", "fcbb:bbbb:100::/48", 3)
    header = srh_bytes(41, 0, [GOOD], tlvs=tlv(next(numbers)))
    passing = extended("fcbb:bbbb:200:100:f101::", 43, header, v6(H2, H1), hop_limit=62)
    (got,) = node.send(2, passing, at_least=1)
    assert got == node.out_of(3, extended(GOOD, 43, header, v6(H2, H1), hop_limit=61))


def test_a_delivered_packet_may_enter_a_policy(egress: Egress, numbers: Iterator[int]) -> None:
    """It is looked up as any packet is (RFC 8986, 4.6)."""
    egress.bench.steer("2001:db8:1::/48", "h_encaps_red", (1, ["fcbb:bbbb:500:f00d::"]))
    (got,) = egress.bench.send(2, copy(1, next(numbers), v6(H2, H1)), at_least=1)
    assert got.port == 2
    assert got.data[14 + 24 :][:10] == bytes.fromhex("fcbbbbbb0500f00d0000")


# --- rows


@pytest.mark.parametrize(
    ("table", "match", "action", "code"),
    [
        ("copy", {"group": 1, "path": 1}, Action("send_copy", {"sid_list": 4711}), "FAILED_PRECONDITION"),
        ("copy", {"group": 0, "path": 1}, Action("send_copy", {"sid_list": 1}), "INVALID_ARGUMENT"),
        ("copy", {"group": 1, "path": 0}, Action("send_copy", {"sid_list": 1}), "INVALID_ARGUMENT"),
    ],
)
def test_rows_that_make_no_sense_are_refused(
    node: Bench, table: str, match: dict[str, Value], action: Action, code: str
) -> None:
    if node.target.name == "bmv2":
        pytest.skip("bmv2 takes any row that P4Info allows")
    with pytest.raises(WriteError) as refused:
        node.insert(table, match, action)
    assert refused.value.codes == [code]
