# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

The firewall is instance 3 of node 0200 in the block fcbb:bbbb::/32: fcbb:bbbb:200:f230::/60, whose last four bits are
arguments. Packets come from port 1; the block, fc00::/16 and what a case names are behind port 2.
"""

import struct
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv6Address, ip_address
from random import Random
from typing import Any

import pytest
from model.sera import VERDICTS, Format, moved, number
from nodes.bench import NO_ICMP, Bench
from nodes.p4runtime import DELETE, INSERT, MODIFY, Action, Value, WriteError
from nodes.packets import SOURCE
from nodes.target import Target
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw

Match = dict[str, Value]

INSTANCE = 3
RULES = INSTANCE << 24 | 1
NEW_RULES = INSTANCE << 24 | 2
SID = "fcbb:bbbb:200:f230::/60"
FIRST, SECOND, THIRD = "fcbb:bbbb:600:300:f00d::", "fcbb:bbbb:700::", "fcbb:bbbb:400:500:f00d::"
CLASSIC = "fc00:2::f1:0"
GO_NEXT, SKIP_NEXT, GO_LAST, EVAL_ARGS, DROP = "fw_go_next", "fw_skip_next", "fw_go_last", "fw_eval_args", "fw_drop"
REASONS = ("unable", "malformed", "bad arguments", "no rule", "last hop", "flows")
PORTS, ICMP_TYPE, SRH, PREVIOUS, NEXT = 1, 2, 4, 8, 16
TCP, UDP, DCCP, ICMPV6, SCTP, UDP_LITE, ICMP = 6, 17, 33, 58, 132, 136, 1
HOP_BY_HOP, IPV4_IN, IPV6_IN, ROUTING, FRAGMENT, AH, NOTHING, OPTIONS = 0, 4, 41, 43, 44, 51, 59, 60


def there(bits: int) -> str:
    """`has`, of a packet that has all of that."""
    return f"{bits}&{bits}"


def lacking(bit: int) -> str:
    return f"0&{bit}"


PLAIN = Format()
CLASSIC_FORM = Format(block=64, csid=0, usid=0, args=16, local_start=0)


@pytest.fixture(autouse=True)
def has_firewalls(target: Target) -> None:
    if 'alias: "firewall"' not in target.p4info.read_text():
        pytest.skip(f"{target.name}: its P4Info has no table firewall")


@pytest.fixture
def firewall(node: Bench) -> Bench:
    """A firewall without rules."""
    sera(node)
    node.route("route_v6", "fc00::/16", 2)
    return node


# --- rows


def sera(node: Bench, sid: str = SID, *, rules: int = RULES, instance: int = INSTANCE, form: Format = PLAIN) -> None:
    node.my_sid(sid, "sera", **parameters(form, rules, instance))


def parameters(form: Format = PLAIN, rules: int = RULES, instance: int = INSTANCE) -> dict[str, Value]:
    return {
        "firewall": rules, "instance": instance, "block_length": form.block, "csid_length": form.csid,
        "usid_length": form.usid, "args_length": form.args, "local_start": form.local_start,
    }  # fmt: skip


def rule(
    node: Bench, action: str, priority: int = 1, match: Match | None = None, *, rules: int = RULES, log: int = 0
) -> None:
    """Without a match the default policy."""
    node.insert("firewall", {"firewall": rules, **(match or {})}, Action(action, {"log": log}), priority=priority)


def hits(node: Bench) -> dict[int, int]:
    """Packets by the priority of the row."""
    return {row.priority: row.counter_data.packet_count for row in node.client.read("firewall", counters=True)}


def dropped(node: Bench, instance: int = INSTANCE) -> dict[str, int]:
    return {reason: node.client.cell("firewall_dropped", 16 * instance + at) for at, reason in enumerate(REASONS)}


def drops_as(node: Bench, reason: str, packet: bytes, instance: int = INSTANCE) -> None:
    """The packet goes nowhere and is counted once, for that reason."""
    before = dropped(node, instance)
    node.check_not_forwarded(1, whole(packet))
    assert dropped(node, instance) == before | {reason: before[reason] + 1}, packet.hex()


# --- packets


def whole(data: bytes) -> Packet:
    """What nobody completes or corrects."""
    return IPv6(data[:40]) / Raw(data[40:])


def ipv6(
    payload: bytes, next_header: int, destination: str = "2001:db8:2::9", source: str = "2001:db8:1::9", *,
    hops: int = 64, version: int = 6, length: int | None = None,
) -> bytes:  # fmt: skip
    head = struct.pack("!IHBB", version << 28, len(payload) if length is None else length, next_header, hops)
    return head + IPv6Address(source).packed + IPv6Address(destination).packed + payload


def ipv4(
    payload: bytes, protocol: int, destination: str = "10.2.0.9", source: str = "10.1.0.9", *, options: bytes = b"",
    fragment: int = 0, ihl: int | None = None, length: int | None = None, version: int = 4,
) -> bytes:  # fmt: skip
    words = 5 + len(options) // 4 if ihl is None else ihl
    total = 20 + len(options) + len(payload) if length is None else length
    head = struct.pack("!BBHHHBBH", version << 4 | words, 0, total, 7, fragment, 64, protocol, 0)
    return head + ip_address(source).packed + ip_address(destination).packed + options + payload


def udp(sport: int = 1000, dport: int = 53) -> bytes:
    return struct.pack("!HHHH", sport, dport, 16, 0) + b"sextant!"


def tcp(sport: int = 1000, dport: int = 80, flags: int = 0x02) -> bytes:
    return struct.pack("!HHIIBBHHH", sport, dport, 1, 0, 0x50, flags, 512, 0, 0)


def srh(
    next_header: int, left: int, segments: Sequence[str], *, last: int | None = None, length: int | None = None,
    kind: int = 4, flags: int = 0, tag: int = 0, tlvs: bytes = b"",
) -> bytes:  # fmt: skip
    """`segments` as they stand in it, the last of the path first."""
    units = 2 * len(segments) + len(tlvs) // 8 if length is None else length
    last = len(segments) - 1 if last is None else last
    head = struct.pack("!BBBBBBH", next_header, units, kind, left, last & 0xFF, flags, tag)
    return head + b"".join(IPv6Address(one).packed for one in segments) + tlvs


def extension(next_header: int, *, words: int = 0) -> bytes:
    """Options: padding only (RFC 8200, 4.2)."""
    size = 8 * words + 4
    options = b"\x01\x04" + bytes(4) if not words else b"\x1e" + bytes([size]) + b"\0" * size
    return bytes([next_header, words]) + options


def fragment(next_header: int, offset: int = 0, more: int = 0) -> bytes:
    return struct.pack("!BBHI", next_header, 0, offset << 3 | more, 7)


INNER = ipv6(udp(), UDP)
INNER_4 = ipv4(udp(), UDP)


def kind_of(inner: bytes) -> int:
    return IPV4_IN if inner[0] >> 4 == 4 else IPV6_IN


def outer(destination: str, inner: bytes = INNER, *, hops: int = 64) -> bytes:
    """Without an SRH."""
    return ipv6(inner, kind_of(inner), destination, SOURCE, hops=hops)


def routed(
    destination: str, left: int, segments: Sequence[str], inner: bytes = INNER, *, hops: int = 64, **fields: int
) -> bytes:
    header = srh(kind_of(inner), left, segments, **fields)  # type: ignore[arg-type]
    return ipv6(header + inner, ROUTING, destination, SOURCE, hops=hops)


def at(packet: bytes, place: int, value: int) -> bytes:
    """The packet with another byte."""
    return packet[:place] + bytes([value]) + packet[place + 1 :]


def sent_to(packet: bytes, destination: str, left: int | None = None, *, srh_at: int = 40) -> bytes:
    """A hop further, with another destination and other Segments Left."""
    packet = packet[:7] + bytes([packet[7] - 1]) + packet[8:24] + IPv6Address(destination).packed + packet[40:]
    return packet if left is None else at(packet, srh_at + 3, left)


# --- the golden bytes

_I = "60000000000c114020010db800010000000000000000000120010db800020000000000000000000103e80035000cba7b73657261"
_P = "6000000000342940fcbbbbbb010000000000000000000001"
_FROM = "fcbbbbbb010000000000000000000001"
GOLDEN = {
    "go next": (GO_NEXT, f"{_P} fcbbbbbb0200f23006000300f00d0000 {_I}", f"{_P} fcbbbbbb06000300f00d000000000000 {_I}"),
    "skip next": (SKIP_NEXT, f"{_P} fcbbbbbb0200f23006000300f00d0000 {_I}",
                  f"{_P} fcbbbbbb0300f00d0000000000000000 {_I}"),
    "go last": (GO_LAST, f"{_P} fcbbbbbb0200f23006000300f00d0000 {_I}",
                f"{_P} fcbbbbbb0300f00d0000000000000000 {_I}"),
    "arguments 1": (EVAL_ARGS, f"{_P} fcbbbbbb0200f23106000300f00d0000 {_I}",
                    f"{_P} fcbbbbbb0300f00d0000000000000000 {_I}"),
    "atom of two": (SKIP_NEXT, f"{_P} fcbbbbbb0200f2300600e0020300f00d {_I}",
                    f"{_P} fcbbbbbb0300f00d0000000000000000 {_I}"),
    "skip next across the boundary": (
        SKIP_NEXT,
        f"60000000004c2b40{_FROM} fcbbbbbb0200f2300000000000000000 2902040100000000 fcbbbbbb06000300f00d000000000000"
        f" {_I}",
        f"60000000004c2b40{_FROM} fcbbbbbb0300f00d0000000000000000 2902040000000000 fcbbbbbb06000300f00d000000000000"
        f" {_I}",
    ),
    "go last of two segments": (
        GO_LAST,
        f"60000000005c2b40{_FROM} fcbbbbbb0200f2300600050000000000 2904040201000000 fcbbbbbb04000300f00d000000000000"
        f" fcbbbbbb070008000000000000000000 {_I}",
        f"60000000005c2b40{_FROM} fcbbbbbb0300f00d0000000000000000 2904040001000000 fcbbbbbb04000300f00d000000000000"
        f" fcbbbbbb070008000000000000000000 {_I}",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("action", "before", "after"), GOLDEN.values(), ids=GOLDEN)
def test_golden_bytes(firewall: Bench, action: str, before: str, after: str) -> None:
    """SERA, 4: what End.AN makes of containers."""
    rule(firewall, action)
    wanted = bytes.fromhex(after)
    firewall.check(1, whole(bytes.fromhex(before)), 2, whole(at(wanted, 7, wanted[7] - 1)))
    assert hits(firewall) == {1: 1}


def test_a_classic_sid_skips_a_segment(firewall: Bench) -> None:
    """SERA, 4: SL 2, list d6, 6::a, f1:0."""
    sera(firewall, f"{CLASSIC}/112", form=CLASSIC_FORM)
    rule(firewall, SKIP_NEXT)
    packet = routed(CLASSIC, 2, ["fc00:3::d6", "fc00:6::a", CLASSIC])
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fc00:3::d6", 0)))


# --- verdicts

# Destination, Segments Left, list; destination and Segments Left behind the verdict, or None: unable.
A, B, C = "fc00:6::a", "fc00:7::b", "fc00:8::c"
CLASSIC_MOVES = {
    "next": (GO_NEXT, 2, [C, B, A], (B, 1)),
    "next of a reduced list": (GO_NEXT, 3, [C, B, A], (A, 2)),
    "next to the end": (GO_NEXT, 1, [C, B, A], (C, 0)),
    "next of none": (GO_NEXT, 0, [C, B, A], None),
    "skip": (SKIP_NEXT, 2, [C, B, A], (C, 0)),
    "skip in a reduced list": (SKIP_NEXT, 3, [C, B, A], (B, 1)),
    "skip with one left": (SKIP_NEXT, 1, [C, B, A], None),
    "skip with none left": (SKIP_NEXT, 0, [C, B, A], None),
    "last": (GO_LAST, 2, [C, B, A], (C, 0)),
    "last of a reduced list": (GO_LAST, 3, [C, B, A], (C, 0)),
    "last with one left": (GO_LAST, 1, [C], (C, 0)),
    "last with none left": (GO_LAST, 0, [C, B, A], None),
}


@pytest.mark.parametrize(("action", "left", "segments", "after"), CLASSIC_MOVES.values(), ids=CLASSIC_MOVES)
def test_verdicts_at_a_classic_sid(
    firewall: Bench, action: str, left: int, segments: list[str], after: tuple[str, int] | None
) -> None:
    """SERA, 3.2: SERA actions (End.AN)."""
    sera(firewall, f"{CLASSIC}/112", form=CLASSIC_FORM)
    rule(firewall, action)
    moves(firewall, CLASSIC, left, segments, after)


_OWN = "fcbb:bbbb:200:f230:"
CONTAINER_MOVES = {
    "next": (GO_NEXT, f"{_OWN}600:300:f00d:0", 0, None, ("fcbb:bbbb:600:300:f00d::", 0)),
    "next of a full container": (GO_NEXT, f"{_OWN}600:700:800:900", 0, None, ("fcbb:bbbb:600:700:800:900::", 0)),
    "next leaves segments alone": (GO_NEXT, f"{_OWN}600::", 1, [THIRD, SECOND], ("fcbb:bbbb:600::", 1)),
    "next across the boundary": (GO_NEXT, f"{_OWN}:", 1, [THIRD], (THIRD, 0)),
    "next of a local uSID": (GO_NEXT, f"{_OWN}f00d::", 0, None, ("fcbb:bbbb:f00d::", 0)),
    "next is a segment of another block": (GO_NEXT, f"{_OWN}:", 1, [A], (A, 0)),
    "next of none": (GO_NEXT, f"{_OWN}:", 0, None, None),
    "next of none, list ended": (GO_NEXT, f"{_OWN}:", 0, [THIRD], None),
    "skip": (SKIP_NEXT, f"{_OWN}600:300::", 0, None, ("fcbb:bbbb:300::", 0)),
    "skip of two": (SKIP_NEXT, f"{_OWN}600:e002:300:f00d", 0, None, ("fcbb:bbbb:300:f00d::", 0)),
    "skip of three": (SKIP_NEXT, f"{_OWN}600:e002:e003:300", 0, None, ("fcbb:bbbb:300::", 0)),
    "skip empties the container": (SKIP_NEXT, f"{_OWN}600:e002::", 2, [THIRD, SECOND], (SECOND, 1)),
    "skip empties the container, another block": (SKIP_NEXT, f"{_OWN}600::", 1, [A], (A, 0)),
    "skip across the boundary": (SKIP_NEXT, f"{_OWN}:", 1, [FIRST], ("fcbb:bbbb:300:f00d::", 0)),
    "skip across the boundary empties it": (SKIP_NEXT, f"{_OWN}:", 2, [THIRD, SECOND], (THIRD, 0)),
    "skip of an atom that is a container": (
        SKIP_NEXT, f"{_OWN}:", 2, [THIRD, "fcbb:bbbb:700:e002:e003:e004:e005:e006"], (THIRD, 0),
    ),
    "skip in a full container": (
        SKIP_NEXT, f"{_OWN}:", 1, ["fcbb:bbbb:700:e002:e003:e004:e005:300"], ("fcbb:bbbb:300::", 0),
    ),
    "skip of a segment of another block": (SKIP_NEXT, f"{_OWN}:", 2, [THIRD, A], (THIRD, 0)),
    "skip in a list of three": (SKIP_NEXT, f"{_OWN}:", 3, [THIRD, SECOND, FIRST], ("fcbb:bbbb:300:f00d::", 2)),
    "skip of the only atom": (SKIP_NEXT, f"{_OWN}300:f00d::", 0, None, None),
    "skip of the only atom, list ended": (SKIP_NEXT, f"{_OWN}300:f00d::", 0, [FIRST], None),
    "skip of the only atom of the last segment": (SKIP_NEXT, f"{_OWN}:", 1, [SECOND], None),
    "skip of the only segment of another block": (SKIP_NEXT, f"{_OWN}:", 1, [A], None),
    "skip of nothing": (SKIP_NEXT, f"{_OWN}:", 0, None, None),
    "last of the container": (GO_LAST, f"{_OWN}600:e002:300:f00d", 0, None, ("fcbb:bbbb:300:f00d::", 0)),
    "last is the only one": (GO_LAST, f"{_OWN}300:f00d::", 0, None, ("fcbb:bbbb:300:f00d::", 0)),
    "last of one uSID": (GO_LAST, f"{_OWN}600:500::", 0, None, ("fcbb:bbbb:500::", 0)),
    "last of a full container": (
        GO_LAST, f"{_OWN}600::", 1, ["fcbb:bbbb:400:500:600:700:300:f00d"], ("fcbb:bbbb:300:f00d::", 0),
    ),
    "last of a full container of one uSID each": (
        GO_LAST, f"{_OWN}:", 1, ["fcbb:bbbb:400:500:600:700:800:900"], ("fcbb:bbbb:900::", 0),
    ),
    "last of the list, one atom": (GO_LAST, f"{_OWN}600::", 2, [SECOND, FIRST], (SECOND, 0)),
    "last of the list, another block": (GO_LAST, f"{_OWN}600::", 2, [A, FIRST], (A, 0)),
    "last of the rest, list ended": (GO_LAST, f"{_OWN}600:500::", 0, [FIRST], ("fcbb:bbbb:500::", 0)),
    "last is local": (GO_LAST, f"{_OWN}600::", 1, ["fcbb:bbbb:f00d::"], ("fcbb:bbbb:f00d::", 0)),
    "last of nothing": (GO_LAST, f"{_OWN}:", 0, None, None),
    "last of an empty container": (GO_LAST, f"{_OWN}600::", 1, ["fcbb:bbbb::"], None),
    "a uSID 0 in the middle: next": (GO_NEXT, f"{_OWN}0:300::", 0, None, ("fcbb:bbbb:0:300::", 0)),
    "a uSID 0 in the middle: skip": (SKIP_NEXT, f"{_OWN}600:0:300:0", 0, None, ("fcbb:bbbb:0:300::", 0)),
    "a uSID 0 in the middle: last": (GO_LAST, f"{_OWN}600:500:0:300", 0, None, ("fcbb:bbbb:300::", 0)),
    "a uSID 0 before the function: last": (GO_LAST, f"{_OWN}600:500:0:f00d", 0, None, ("fcbb:bbbb:500:0:f00d::", 0)),
}  # fmt: skip


@pytest.mark.parametrize(
    ("action", "destination", "left", "segments", "after"), CONTAINER_MOVES.values(), ids=CONTAINER_MOVES
)
def test_verdicts_in_containers(
    firewall: Bench, action: str, destination: str, left: int, segments: list[str] | None,
    after: tuple[str, int] | None,
) -> None:  # fmt: skip
    """SERA, 3.2, by atoms: a uSID is never parted from its function."""
    rule(firewall, action)
    moves(firewall, destination, left, segments, after)


def moves(node: Bench, destination: str, left: int, segments: list[str] | None, after: tuple[str, int] | None) -> None:
    packet = outer(destination) if segments is None else routed(destination, left, segments)
    if after is None:
        drops_as(node, "unable", packet)
    else:
        node.check(1, whole(packet), 2, whole(sent_to(packet, after[0], None if segments is None else after[1])))


@pytest.mark.parametrize("inner", [INNER, INNER_4], ids=["IPv6", "IPv4"])
@pytest.mark.parametrize("hops", [2, 255])
def test_a_verdict_costs_a_hop_and_leaves_the_rest(firewall: Bench, inner: bytes, hops: int) -> None:
    """RFC 8986, 4.1, S12."""
    rule(firewall, GO_NEXT)
    packet = outer(f"{_OWN}600::", inner, hops=hops)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


@pytest.mark.parametrize("hops", [0, 1])
def test_the_last_hop_ends_here(firewall: Bench, hops: int) -> None:
    """RFC 8986, 4.1, S05; what a rule drops is dropped by the rule."""
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 2, {"ip_version": 4})
    drops_as(firewall, "last hop", outer(f"{_OWN}600::", hops=hops))
    before = dropped(firewall)
    firewall.check_not_forwarded(1, whole(outer(f"{_OWN}600::", INNER_4, hops=hops)))
    assert dropped(firewall) == before
    assert hits(firewall) == {1: 1, 2: 1}


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (outer(f"{_OWN}:", INNER[:-1], hops=1), "malformed"),
        (outer(f"{_OWN}:", INNER_4, hops=1), "no rule"),
        (outer("fcbb:bbbb:200:f233::", hops=1), "bad arguments"),
        (outer(f"{_OWN}:", hops=1), "last hop"),
        (outer(f"{_OWN}:"), "unable"),
    ],
    ids=["malformed", "no rule", "bad arguments", "last hop", "unable"],
)
def test_the_first_reason_counts(firewall: Bench, packet: bytes, reason: str) -> None:
    rule(firewall, EVAL_ARGS, 1, {"ip_version": 6})
    drops_as(firewall, reason, packet)


@pytest.mark.differs("bmv2", NO_ICMP)
@pytest.mark.parametrize(
    ("packet", "kind", "pointer"),
    [
        (ipv6(INNER, IPV6_IN, f"{_OWN}600::", "2001:db8:1::7", hops=1), (3, 0), 0),
        (ipv6(INNER, IPV6_IN, "fcbb:bbbb:200:f233:600::", "2001:db8:1::7"), (4, 0), 24),
    ],
    ids=["time exceeded", "parameter problem"],
)
def test_the_sender_is_told(firewall: Bench, packet: bytes, kind: tuple[int, int], pointer: int) -> None:
    """RFC 4443, 3.3 and 3.4; SERA, 3.2: unknown arguments, the pointer is that of the destination."""
    rule(firewall, EVAL_ARGS)
    (answer,) = firewall.send(1, whole(packet), at_least=1)
    message = answer.data[14 + 40 :]
    assert (answer.port, message[0], message[1]) == (1, *kind)
    assert answer.data[14 + 24 : 14 + 40] == packet[8:24]
    assert int.from_bytes(message[4:8], "big") == pointer
    assert message[8 + 24 : 8 + 40] == packet[24:40]


# --- arguments


@pytest.mark.parametrize(
    ("args", "after"),
    [(0, "fcbb:bbbb:600:500:300::"), (1, "fcbb:bbbb:500:300::"), (2, "fcbb:bbbb:300::"), (3, None), (15, None)],
)
def test_arguments_of_a_container(firewall: Bench, args: int, after: str | None) -> None:
    """SERA, 3.2: eval-args."""
    rule(firewall, EVAL_ARGS)
    packet = outer(f"fcbb:bbbb:200:f23{args:x}:600:500:300:0")
    if after is None:
        drops_as(firewall, "bad arguments", packet)
    else:
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, after)))


@pytest.mark.parametrize(("args", "after"), [(0, (B, 2)), (1, (A, 1)), (2, (C, 0)), (3, None), (0x8001, None)])
def test_arguments_of_a_classic_sid(firewall: Bench, args: int, after: tuple[str, int] | None) -> None:
    sera(firewall, f"{CLASSIC}/112", form=CLASSIC_FORM)
    rule(firewall, EVAL_ARGS)
    packet = routed(f"fc00:2::f1:{args:x}", 3, [C, A, B])
    if after is None:
        drops_as(firewall, "bad arguments", packet)
    else:
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, *after)))


def test_a_sid_without_arguments_has_the_arguments_0(firewall: Bench) -> None:
    sera(firewall, "fcbb:bbbb:200:f031::/64", form=Format(args=0))
    rule(firewall, EVAL_ARGS)
    packet = outer("fcbb:bbbb:200:f031:600:500::")
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600:500::")))


def test_arguments_are_a_match(firewall: Bench) -> None:
    rule(firewall, GO_NEXT)
    rule(firewall, SKIP_NEXT, 2, {"args": "4&12"})
    for args, after in ((3, "fcbb:bbbb:600:300::"), (4, "fcbb:bbbb:300::"), (7, "fcbb:bbbb:300::"),
                        (8, "fcbb:bbbb:600:300::")):  # fmt: skip
        packet = outer(f"fcbb:bbbb:200:f23{args:x}:600:300::")
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, after)))


# --- formats of SIDs


def test_a_firewall_behind_the_nodes_own_usid(firewall: Bench) -> None:
    """The local uSID alone: function only."""
    firewall.my_sid("fcbb:bbbb:200::/48", "un", block_length=32, csid_length=16)
    sera(firewall, "fcbb:bbbb:f240::/44", form=Format(csid=16))
    rule(firewall, EVAL_ARGS)
    packet = outer("fcbb:bbbb:200:f241:600:300::")
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:300::")))


@pytest.mark.parametrize(
    ("form", "sid", "packet", "after"),
    [
        (Format(usid=32, csid=64, local_start=0xFFF00000), "fcbb:bbbb:0:200:fff0:30::/92",
         "fcbb:bbbb:0:200:fff0:30:0:600", "fcbb:bbbb:0:600::"),
        (Format(block=48), "fcbb:bbbb:1:200:f230::/76", "fcbb:bbbb:1:200:f231:600:300:f00d",
         "fcbb:bbbb:1:300:f00d::"),
        (Format(block=16), "fcbb:200:f230::/44", "fcbb:200:f231:600:e002:300:f00d::", "fcbb:300:f00d::"),
        (Format(block=40, csid=16, usid=8, args=0, local_start=0xF0), "fcbb:bbbb:1102:f300::/56",
         "fcbb:bbbb:1102:f306:f103:0405::", "fcbb:bbbb:1106:f103:0405::"),
    ],
    ids=["usids of 32 bits", "block of 48", "block of 16", "usids of 8 bits"],
)  # fmt: skip
def test_other_formats(firewall: Bench, form: Format, sid: str, packet: str, after: str) -> None:
    firewall.route("route_v6", "fcbb::/16", 2)
    sera(firewall, sid, form=form)
    rule(firewall, EVAL_ARGS)
    data = outer(packet)
    firewall.check(1, whole(data), 2, whole(sent_to(data, after)))


# --- what rules match

_TO = f"{_OWN}600::"
_ALONE = f"{_OWN}:"


def with_srh(inner: bytes = INNER, *, left: int = 1, **fields: int) -> bytes:
    return routed(_ALONE, left, ["fcbb:bbbb:600::", "fcbb:bbbb:200:f230::", "fcbb:bbbb:900::"], inner, **fields)


def protocol(number: int, payload: bytes = bytes(20)) -> bytes:
    return outer(_TO, ipv6(payload, number))


_PORTS_THERE: Match = {"has": there(PORTS)}
_UDP_PLAIN = outer(_TO)
_TCP_SYN = outer(_TO, ipv6(tcp(), TCP))
_ECHO = outer(_TO, ipv6(bytes([128, 3, 0, 0, 0, 1, 0, 1]), ICMPV6))
_PING = outer(_TO, ipv4(bytes([8, 3, 0, 0, 0, 1, 0, 1]), ICMP))
_NO_SRH: Match = {"has": lacking(SRH)}
_SRH_THERE: Match = {"has": there(SRH)}

# A match, a packet that it takes, and packets that it does not take.
MATCHES: dict[str, tuple[Match, bytes, list[bytes]]] = {
    "IPv6": ({"ip_version": 6}, _UDP_PLAIN, [outer(_TO, INNER_4)]),
    "IPv4": ({"ip_version": 4}, outer(_TO, INNER_4), [_UDP_PLAIN]),
    "source": ({"src": "2001:db8:1::/48"}, _UDP_PLAIN, [outer(_TO, ipv6(udp(), UDP, source="2001:db8:2::1"))]),
    "source, a bit": ({"src": "2001:db8:1::9/128"}, _UDP_PLAIN, [outer(_TO, ipv6(udp(), UDP, source="2001:db8:1::8"))]),
    "destination": ({"dst": "2001:db8:2::/49"}, _UDP_PLAIN,
                    [outer(_TO, ipv6(udp(), UDP, "2001:db8:2:8000::1"))]),
    "IPv4 source": ({"src": "::ffff:10.1.0.0/112"}, outer(_TO, INNER_4),
                    [outer(_TO, ipv4(udp(), UDP, source="10.2.0.9")), _UDP_PLAIN]),
    "IPv4 destination": ({"dst": "::ffff:10.2.0.9/128"}, outer(_TO, INNER_4),
                         [outer(_TO, ipv4(udp(), UDP, "10.2.0.8"))]),
    "protocol": ({"ip_protocol": UDP}, _UDP_PLAIN, [_TCP_SYN, protocol(0xFD)]),
    "protocol of IPv4": ({"ip_protocol": UDP}, outer(_TO, INNER_4), [_PING]),
    "source port": (_PORTS_THERE | {"src_port": "1000-1001"}, _UDP_PLAIN,
                    [outer(_TO, ipv6(udp(999), UDP)), outer(_TO, ipv6(udp(1002), UDP)), _ECHO]),
    "destination port": (_PORTS_THERE | {"dst_port": 53}, outer(_TO, INNER_4),
                         [outer(_TO, ipv4(udp(1000, 54), UDP)), _TCP_SYN]),
    "port 0": (_PORTS_THERE | {"dst_port": 0}, outer(_TO, ipv6(udp(1000, 0), UDP)),
               [_UDP_PLAIN, _ECHO, outer(_TO, ipv6(fragment(UDP, 7) + bytes(16), FRAGMENT))]),
    "not a port, below": (_PORTS_THERE | {"dst_port": "0-52"}, outer(_TO, ipv6(udp(1, 52), UDP)), [_UDP_PLAIN, _ECHO]),
    "not a port, above": (_PORTS_THERE | {"dst_port": "54-65535"}, _TCP_SYN, [_UDP_PLAIN, _ECHO]),
    "ports of UDP-Lite": (_PORTS_THERE | {"dst_port": 53}, protocol(UDP_LITE, udp()), [protocol(UDP_LITE)]),
    "ports of SCTP": (_PORTS_THERE | {"src_port": 1000}, protocol(SCTP, udp()), [protocol(SCTP)]),
    "ports of DCCP": (_PORTS_THERE | {"src_port": 1000}, protocol(DCCP, udp()), [protocol(DCCP)]),
    "no ports": ({"has": lacking(PORTS)}, _ECHO, [_UDP_PLAIN, _TCP_SYN]),
    "no ports of others": ({"has": lacking(PORTS)}, protocol(0xFD), [protocol(DCCP)]),
    "no ports in 3 bytes": ({"has": lacking(PORTS)}, protocol(UDP, bytes(3)), [protocol(UDP, bytes(4))]),
    "no ports without flags": ({"has": lacking(PORTS)}, protocol(TCP, tcp()[:13]), [protocol(TCP, tcp()[:14])]),
    "flags": (_PORTS_THERE | {"ip_protocol": TCP, "tcp_flags": "2&23"}, _TCP_SYN,
              [outer(_TO, ipv6(tcp(flags=0x12), TCP)), outer(_TO, ipv6(tcp(flags=0x10), TCP)), _UDP_PLAIN]),
    "flags of IPv4": (_PORTS_THERE | {"ip_protocol": TCP, "tcp_flags": "192&192"},
                      outer(_TO, ipv4(tcp(flags=0xC2), TCP)), [outer(_TO, ipv4(tcp(flags=0x42), TCP))]),
    "ICMPv6 type": ({"has": there(ICMP_TYPE), "icmp_type": 128}, _ECHO,
                    [outer(_TO, ipv6(bytes([129, 3, 0, 0]), ICMPV6)), _UDP_PLAIN]),
    "ICMP code": ({"has": there(ICMP_TYPE), "icmp_type": 8, "icmp_code": 3}, _PING,
                  [outer(_TO, ipv4(bytes([8, 0, 0, 0]), ICMP)), _ECHO]),
    "no ICMP type": ({"has": lacking(ICMP_TYPE)}, _UDP_PLAIN, [_ECHO, _PING]),
    "no ICMP type in a byte": ({"has": lacking(ICMP_TYPE)}, protocol(ICMPV6, bytes(1)), [protocol(ICMPV6, bytes(2))]),
    "no SRH": (_NO_SRH, _UDP_PLAIN, [with_srh()]),
    "an SRH": (_SRH_THERE, with_srh(), [_UDP_PLAIN]),
    "next header of the SRH": (_SRH_THERE | {"srh_next_hdr": IPV4_IN}, with_srh(INNER_4), [with_srh(), _UDP_PLAIN]),
    "length of the SRH": (_SRH_THERE | {"srh_hdr_len": "6-7"}, with_srh(), [routed(_ALONE, 1, [FIRST]), _UDP_PLAIN]),
    "segments left": (_SRH_THERE | {"segments_left": 1}, with_srh(), [with_srh(left=2), with_srh(left=3), _UDP_PLAIN]),
    "segments left 0": (_SRH_THERE | {"segments_left": 0}, routed(_TO, 0, [FIRST]), [_UDP_PLAIN, with_srh()]),
    "segments left of a reduced list": (_SRH_THERE | {"segments_left": "3-255"}, with_srh(left=3), [with_srh()]),
    "last entry": (_SRH_THERE | {"last_entry": "0-1"}, routed(_ALONE, 1, [FIRST, SECOND]), [with_srh(), _UDP_PLAIN]),
    "flags of the SRH": (_SRH_THERE | {"srh_flags": "8&8"}, with_srh(flags=0x18), [with_srh(flags=0x10), _UDP_PLAIN]),
    "tag": (_SRH_THERE | {"srh_tag": 3}, with_srh(tag=3), [with_srh(tag=0x300), with_srh(), _UDP_PLAIN]),
    "previous SID": ({"has": there(PREVIOUS), "previous_sid": "fcbb:bbbb:900::/48"}, with_srh(),
                     [with_srh(left=2), with_srh(left=3), _UDP_PLAIN]),
    "no previous SID": ({"has": lacking(PREVIOUS)}, with_srh(left=2), [with_srh()]),
    "no previous SID in a reduced list": ({"has": lacking(PREVIOUS)}, with_srh(left=3), [with_srh(left=0)]),
    "next SID": ({"has": there(NEXT), "next_sid": "fcbb:bbbb:600::/48"}, with_srh(),
                 [routed(_ALONE, 1, [SECOND]), outer(f"{_OWN}700::")]),
    "next SID in the container": ({"has": there(NEXT), "next_sid": "fcbb:bbbb:600::/128"}, _UDP_PLAIN,
                                  [outer(f"{_OWN}600:300::")]),
    "no next SID": ({"has": lacking(NEXT)}, outer(_ALONE), [_UDP_PLAIN]),
    "last SID": ({"last_sid": "fcbb:bbbb:600::/48"}, with_srh(), [routed(_ALONE, 1, [SECOND]), _UDP_PLAIN]),
    "last SID without SRH": ({"last_sid": "fcbb:bbbb:200:f230::/60"}, _UDP_PLAIN, [with_srh()]),
    "last SID of an ended list": ({"last_sid": f"{SECOND}/128"}, routed(_TO, 0, [SECOND]), [_UDP_PLAIN]),
    "outer source": ({"outer_src": f"{SOURCE}/128"}, _UDP_PLAIN,
                     [ipv6(INNER, IPV6_IN, _TO, "fcff:2::1")]),
    "all at once": (
        _SRH_THERE | {
            "ip_version": 6, "src": "2001:db8:1::/48", "dst": "2001:db8:2::/48", "ip_protocol": UDP, "dst_port": 53,
            "segments_left": "1-2", "srh_tag": "0&255", "last_sid": "fcbb:bbbb:600::/48", "args": "0&15",
            "has": there(PORTS | SRH | PREVIOUS),
        },
        with_srh(), [with_srh(INNER_4), with_srh(left=2), with_srh(tag=1), with_srh(ipv6(udp(1, 54), UDP))],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("match", "hit", "misses"), MATCHES.values(), ids=MATCHES)
def test_a_match(firewall: Bench, match: Match, hit: bytes, misses: list[bytes]) -> None:
    """SERA, 3.1: basic and advanced matches. What misses goes to the default policy."""
    rule(firewall, DROP)
    rule(firewall, GO_LAST, 7, match)
    firewall.send(1, whole(hit))
    assert hits(firewall) == {7: 1, 1: 0}
    for packet in misses:
        firewall.send(1, whole(packet))
    assert hits(firewall) == {7: 1, 1: len(misses)}


def test_the_packet_inside_decides(firewall: Bench) -> None:
    """Behind any headers outside, and its own."""
    rule(firewall, DROP)
    rule(firewall, GO_NEXT, 2, {"ip_protocol": UDP, "dst_port": 53, "has": there(PORTS)})
    inner = ipv6(extension(OPTIONS) + extension(ROUTING, words=1) + fragment(AH) + ah(UDP) + udp(), HOP_BY_HOP)
    # Their first is hop-by-hop options; each names the next.
    for headers, first in (
        (b"", IPV6_IN),
        (extension(IPV6_IN, words=3), OPTIONS),
        (extension(OPTIONS) + extension(IPV6_IN), HOP_BY_HOP),
        (fragment(IPV6_IN), FRAGMENT),
        (ah(IPV6_IN), AH),
    ):
        packet = ipv6(headers + inner, first, _TO, SOURCE)
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


def ah(next_header: int) -> bytes:
    """RFC 4302, 2.2: with an ICV of 12 bytes."""
    return bytes([next_header, 4]) + bytes(22)


# What the first header is, headers before the SRH, what the SRH says is next, headers behind it.
SRH_PLACES = {
    "first": (ROUTING, b"", IPV6_IN, b""),
    "behind hop-by-hop options": (HOP_BY_HOP, extension(ROUTING), IPV6_IN, b""),
    "behind destination options": (OPTIONS, extension(ROUTING, words=2), IPV6_IN, b""),
    "behind a routing header that has ended": (ROUTING, srh(ROUTING, 0, [A], kind=3), IPV6_IN, b""),
    "behind a whole fragment": (FRAGMENT, fragment(ROUTING), IPV6_IN, b""),
    "before destination options": (ROUTING, b"", OPTIONS, extension(IPV6_IN)),
    "before another SRH": (ROUTING, b"", ROUTING, srh(IPV6_IN, 1, [B])),
    "among seven others": (
        HOP_BY_HOP, extension(OPTIONS) * 3 + extension(ROUTING), OPTIONS, extension(OPTIONS) * 2 + extension(IPV6_IN),
    ),
}  # fmt: skip


@pytest.mark.parametrize("action", [GO_NEXT, SKIP_NEXT, GO_LAST])
@pytest.mark.parametrize(("first", "before", "then", "behind"), SRH_PLACES.values(), ids=SRH_PLACES)
def test_an_srh_at_any_place(firewall: Bench, first: int, before: bytes, then: int, behind: bytes, action: str) -> None:
    """RFC 8200, 4.1; the first SRH is that of the packet."""
    rule(firewall, DROP)
    rule(firewall, action, 2, {"segments_left": 3, "ip_protocol": UDP, "dst_port": 53, "has": there(SRH | PORTS)})
    header = srh(then, 3, [THIRD, SECOND, "fcbb:bbbb:600::"], tlvs=bytes([4, 6]) + bytes(6))
    packet = ipv6(before + header + behind + INNER, first, _ALONE, SOURCE)
    after = {GO_NEXT: ("fcbb:bbbb:600::", 2), SKIP_NEXT: (SECOND, 1), GO_LAST: ("fcbb:bbbb:500:f00d::", 0)}[action]
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, *after, srh_at=40 + len(before))))


@pytest.mark.parametrize("count", [1, 2, 20, 126, 127])
@pytest.mark.parametrize("action", [GO_NEXT, SKIP_NEXT, GO_LAST])
def test_lists_of_any_length(firewall: Bench, count: int, action: str) -> None:
    """RFC 8754, 2: Hdr Ext Len counts up to 127 segments; the list is reduced."""
    rule(firewall, action)
    segments = [f"fc00:{place + 1:x}::1" for place in range(count)]
    left = {GO_NEXT: count - 1, SKIP_NEXT: count - 2, GO_LAST: 0}[action]
    packet = routed(_ALONE, count, segments)
    if left < 0:
        drops_as(firewall, "unable", packet)
    else:
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, segments[left], left)))


# --- no packet inside

INSERTED: dict[str, tuple[bytes, Match]] = {
    "UDP": (ipv6(srh(UDP, 1, ["2001:db8:2::7"]) + udp(), ROUTING, _ALONE, "2001:db8:1::7"),
            _PORTS_THERE | {"dst_port": 53}),
    "TCP behind options": (
        ipv6(srh(OPTIONS, 1, ["2001:db8:2::7"]) + extension(TCP) + tcp(), ROUTING, _ALONE, "2001:db8:1::7"),
        _PORTS_THERE | {"ip_protocol": TCP, "tcp_flags": 2},
    ),
    "ICMPv6": (
        ipv6(srh(ICMPV6, 1, ["2001:db8:2::7"]) + bytes([128, 0, 0, 0]), ROUTING, _ALONE, "2001:db8:1::7"),
        {"ip_protocol": ICMPV6, "has": there(ICMP_TYPE), "icmp_type": 128},
    ),
    "nothing": (
        ipv6(srh(NOTHING, 1, ["2001:db8:2::7"]), ROUTING, _ALONE, "2001:db8:1::7"), {"ip_protocol": NOTHING},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("packet", "match"), INSERTED.values(), ids=INSERTED)
def test_an_inserted_srh(firewall: Bench, packet: bytes, match: Match) -> None:
    """SERA, 3.1: the packet itself, and where its list ends."""
    rule(firewall, DROP)
    rule(firewall, GO_NEXT, 2, {"ip_version": 6, "src": "2001:db8:1::7/128", "dst": "2001:db8:2::7/128", **match})
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "2001:db8:2::7", 0)))


@pytest.mark.parametrize(
    "packet",
    [
        ipv6(udp(), UDP, _TO, SOURCE),
        ipv6(srh(UDP, 0, ["2001:db8:2::7"]) + udp(), ROUTING, _TO, SOURCE),
    ],
    ids=["no SRH", "ended"],
)
def test_without_a_list_the_destination_is_the_sid(firewall: Bench, packet: bytes) -> None:
    rule(firewall, DROP)
    rule(
        firewall,
        GO_NEXT,
        2,
        {"dst": f"{_TO}/128", "outer_src": f"{SOURCE}/128", "dst_port": 53, "has": there(PORTS)},
    )
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


# --- fragments

_FRAGMENTS = {
    "first": (ipv6(fragment(UDP, 0, 1) + udp(), FRAGMENT), True),
    "first without ports": (ipv6(fragment(UDP, 0, 1) + b"\0\1", FRAGMENT), False),
    "later": (ipv6(fragment(UDP, 1) + udp(), FRAGMENT), False),
    "later, options": (ipv6(extension(FRAGMENT) + fragment(UDP, 185, 1) + udp(), OPTIONS), False),
    "whole": (ipv6(fragment(UDP) + udp(), FRAGMENT), True),
    "first of IPv4": (ipv4(udp(), UDP, fragment=0x2000), True),
    "later of IPv4": (ipv4(udp(), UDP, fragment=0x2001), False),
    "last of IPv4": (ipv4(udp(), UDP, fragment=0x0001), False),
    "whole of IPv4": (ipv4(udp(), UDP, fragment=0x4000), True),
    "options of IPv4": (ipv4(udp(), UDP, options=b"\x94\x04\0\0" + bytes(36)), True),
}


@pytest.mark.parametrize(("inner", "ports"), _FRAGMENTS.values(), ids=_FRAGMENTS)
@pytest.mark.parametrize("negated", [False, True], ids=["port", "not the port"])
def test_ports_of_fragments(firewall: Bench, inner: bytes, ports: bool, negated: bool) -> None:
    """RFC 8200, 4.5: only the first piece has them; no range matches what is not there, nor does its negation."""
    rule(firewall, DROP)
    rule(firewall, GO_NEXT, 2, {"ip_protocol": UDP})
    if negated:
        rule(firewall, DROP, 4, {"has": there(PORTS), "dst_port": "0-52"})
        rule(firewall, DROP, 3, {"has": there(PORTS), "dst_port": "54-65535"})
    else:
        rule(firewall, GO_LAST, 3, {"has": there(PORTS), "dst_port": 53})
    packet = outer(f"{_OWN}600:300::", inner)
    after = "fcbb:bbbb:300::" if ports and not negated else "fcbb:bbbb:600:300::"
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, after)))


# --- malformed packets

MALFORMED = {
    "Segments Left above Last Entry": routed(_ALONE, 3, [FIRST]),
    "Segments Left 255": routed(_ALONE, 255, [FIRST]),
    "a list longer than the header": routed(_ALONE, 1, [FIRST], last=1),
    "Last Entry 255": routed(_ALONE, 1, [FIRST], last=255),
    "a list longer than the header, ended": routed(_TO, 0, [FIRST], last=1),
    "an SRH without a list": routed(_TO, 0, [], last=0),
    "half a segment": ipv6(srh(IPV6_IN, 1, [], last=0, length=1) + bytes(8) + INNER, ROUTING, _ALONE, SOURCE),
    "an SRH longer than the packet": ipv6(srh(IPV6_IN, 1, [FIRST], length=200) + INNER, ROUTING, _ALONE, SOURCE),
    "an SRH cut off": ipv6(srh(IPV6_IN, 1, [FIRST])[:7], ROUTING, _ALONE, SOURCE),
    "an SRH cut off in its list": ipv6(srh(IPV6_IN, 1, [FIRST, SECOND])[:30], ROUTING, _ALONE, SOURCE),
    "another routing type": routed(_ALONE, 1, [FIRST], kind=3),
    "options longer than the packet": ipv6(bytes([IPV6_IN, 99]) + bytes(6) + INNER, OPTIONS, _TO, SOURCE),
    "a piece, the first": ipv6(fragment(IPV6_IN, 0, 1) + INNER, FRAGMENT, _TO, SOURCE),
    "a piece, another": ipv6(fragment(IPV6_IN, 8) + INNER, FRAGMENT, _TO, SOURCE),
    "nine headers": ipv6(extension(OPTIONS) * 8 + extension(IPV6_IN) + INNER, OPTIONS, _TO, SOURCE),
    "nine headers with an SRH": ipv6(
        extension(OPTIONS) * 7 + extension(ROUTING) + srh(IPV6_IN, 1, [FIRST]) + INNER, OPTIONS, _ALONE, SOURCE
    ),
    "version 4 in IPv6": ipv6(ipv6(udp(), UDP, version=4), IPV6_IN, _TO, SOURCE),
    "version 6 in IPv4": ipv6(ipv4(udp(), UDP, version=6), IPV4_IN, _TO, SOURCE),
    "IPv4 called IPv6": ipv6(ipv4(bytes(40), UDP), IPV6_IN, _TO, SOURCE),
    "IPv6 called IPv4": ipv6(INNER, IPV4_IN, _TO, SOURCE),
    "IHL 4": ipv6(ipv4(udp(), UDP, ihl=4), IPV4_IN, _TO, SOURCE),
    "IHL 0": ipv6(ipv4(udp(), UDP, ihl=0), IPV4_IN, _TO, SOURCE),
    "IHL beyond the packet": ipv6(ipv4(b"", UDP, ihl=6), IPV4_IN, _TO, SOURCE),
    "Total Length below IHL": ipv6(ipv4(udp(), UDP, length=19), IPV4_IN, _TO, SOURCE),
    "an IPv4 packet cut off": ipv6(ipv4(udp(), UDP)[:-1], IPV4_IN, _TO, SOURCE),
    "an IPv4 header cut off": ipv6(ipv4(b"", UDP)[:19], IPV4_IN, _TO, SOURCE),
    "an IPv6 packet cut off": ipv6(INNER[:-1], IPV6_IN, _TO, SOURCE),
    "an IPv6 header cut off": ipv6(INNER[:39], IPV6_IN, _TO, SOURCE),
    "nothing inside": ipv6(b"", IPV6_IN, _TO, SOURCE),
    "nothing of IPv4 inside": ipv6(b"", IPV4_IN, _TO, SOURCE),
    "options inside longer than the packet": outer(_TO, ipv6(bytes([UDP, 9]) + bytes(6) + udp(), OPTIONS)),
    "options inside cut off": outer(_TO, ipv6(bytes([UDP]), OPTIONS)),
    "options in a first fragment cut off": outer(
        _TO, ipv6(fragment(OPTIONS, 0, 1) + bytes([UDP, 9]) + bytes(6), FRAGMENT)
    ),
    "nine headers inside": outer(_TO, ipv6(extension(OPTIONS) * 8 + extension(UDP) + udp(), OPTIONS)),
}  # fmt: skip


@pytest.mark.parametrize("packet", MALFORMED.values(), ids=MALFORMED)
def test_malformed_packets_do_not_pass(firewall: Bench, packet: bytes) -> None:
    """SERA, 9; whatever the rules say."""
    rule(firewall, GO_NEXT)
    drops_as(firewall, "malformed", packet)
    assert hits(firewall) == {1: 0}


ODD = {
    "padding behind the packet inside": outer(_TO, INNER + b"\0" * 9),
    "eight headers": ipv6(extension(OPTIONS) * 7 + extension(IPV6_IN) + INNER, OPTIONS, _TO, SOURCE),
    "eight headers inside": outer(_TO, ipv6(extension(OPTIONS) * 7 + extension(UDP) + udp(), OPTIONS)),
    "eight headers outside and inside": ipv6(
        extension(OPTIONS) * 7 + extension(IPV6_IN) + ipv6(extension(OPTIONS) * 7 + extension(UDP) + udp(), OPTIONS),
        OPTIONS, _TO, SOURCE,
    ),
    "a wrong checksum inside": outer(_TO, INNER_4[:10] + b"\xba\xad" + INNER_4[12:]),
    "a packet in the packet inside": outer(_TO, ipv6(INNER, IPV6_IN)),
    "an SRH in the packet inside": outer(_TO, ipv6(srh(UDP, 9, [A]) + udp(), ROUTING)),
    "a piece of options inside": outer(_TO, ipv6(fragment(OPTIONS, 9) + b"\1", FRAGMENT)),
}  # fmt: skip


@pytest.mark.parametrize("packet", ODD.values(), ids=ODD)
def test_odd_packets_pass(firewall: Bench, packet: bytes) -> None:
    rule(firewall, GO_NEXT)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


def test_nothing_is_read_behind_the_packet_inside(firewall: Bench) -> None:
    """Its own length says where it ends, not that of the outer header."""
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 2, {"has": there(PORTS)})
    short = ipv6(b"", UDP) + udp()
    packet = ipv6(short, IPV6_IN, _TO, SOURCE)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


def test_only_the_first_packet_inside_is_judged(firewall: Bench) -> None:
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 3, {"has": there(PORTS)})
    rule(firewall, GO_LAST, 2, {"ip_protocol": IPV4_IN, "src": "fc00:9::9/128"})
    packet = outer(f"{_OWN}600:300::", ipv6(INNER_4, IPV4_IN, source="fc00:9::9"))
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:300::")))


# --- rules


def test_the_bigger_priority_wins(firewall: Bench) -> None:
    packet = outer(f"{_OWN}600:500:300::")
    for priority, action, after in (
        (1, GO_NEXT, "fcbb:bbbb:600:500:300::"), (100000, GO_LAST, "fcbb:bbbb:300::"),
        (50000, GO_NEXT, "fcbb:bbbb:300::"), (100001, SKIP_NEXT, "fcbb:bbbb:500:300::"),
    ):  # fmt: skip
        rule(firewall, action, priority, ({"ip_protocol": UDP} if priority > 1 else {}))
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, after)))
    assert hits(firewall) == {1: 1, 100000: 2, 50000: 0, 100001: 1}


def test_without_a_rule_nothing_passes(firewall: Bench) -> None:
    """Rules of others are none of this one."""
    rule(firewall, GO_NEXT, rules=NEW_RULES)
    rule(firewall, GO_NEXT, 2, {"ip_version": 4})
    drops_as(firewall, "no rule", outer(_TO))
    assert hits(firewall) == {1: 0, 2: 0}


def test_what_a_rule_drops_only_its_counter_counts(firewall: Bench) -> None:
    rule(firewall, DROP, log=1)
    before = dropped(firewall)
    firewall.check_not_forwarded(1, whole(outer(_TO)))
    assert hits(firewall) == {1: 1}
    assert dropped(firewall) == before


@pytest.mark.parametrize("packets", [1, 7])
def test_counters(firewall: Bench, packets: int) -> None:
    """Of the rule and of the SID; every packet once, with its bytes."""
    rule(firewall, GO_NEXT, 5, log=1)
    rule(firewall, DROP)
    data = whole(outer(_TO))
    firewall.send(1, *[data] * packets, at_least=packets)
    counted = {row.priority: row.counter_data for row in firewall.client.read("firewall", counters=True)}
    assert (counted[5].packet_count, counted[1].packet_count) == (packets, 0)
    (sid,) = firewall.client.read("my_sid", counters=True)
    assert sid.counter_data.packet_count == packets
    assert counted[5].byte_count == sid.counter_data.byte_count > packets * len(bytes(data)) - 1


def test_instances_count_for_themselves(firewall: Bench) -> None:
    sera(firewall, "fcbb:bbbb:200:f2f0::/60", instance=15, rules=15 << 24)
    rule(firewall, EVAL_ARGS, rules=15 << 24)
    before = dropped(firewall)
    drops_as(firewall, "bad arguments", outer("fcbb:bbbb:200:f2ff:600::"), instance=15)
    assert dropped(firewall) == before


def test_rules_are_replaced_at_once(firewall: Bench) -> None:
    """New rows under a new number, one MODIFY of the SID, and the old rows go: no packet meets half of both.

    Old rules pass UDP to the next function and TCP to the last, new ones the other way round.
    """
    udp_in, tcp_in = outer(f"{_OWN}600:300::"), outer(f"{_OWN}600:300::", ipv6(tcp(), TCP))

    def installed(number: int, of_udp: str, of_tcp: str) -> None:
        rule(firewall, of_udp, 9, {"ip_protocol": UDP}, rules=number)
        rule(firewall, of_tcp, 8, {"ip_protocol": TCP}, rules=number)

    def judged(of_udp: str, of_tcp: str) -> None:
        firewall.check(1, whole(udp_in), 2, whole(sent_to(udp_in, of_udp)))
        firewall.check(1, whole(tcp_in), 2, whole(sent_to(tcp_in, of_tcp)))

    following, last = "fcbb:bbbb:600:300::", "fcbb:bbbb:300::"
    installed(RULES, GO_NEXT, GO_LAST)
    judged(following, last)
    installed(NEW_RULES, GO_LAST, GO_NEXT)
    judged(following, last)
    firewall.modify("my_sid", {"sid": SID}, Action("sera", parameters(rules=NEW_RULES)))
    judged(last, following)
    firewall.delete("firewall", {"firewall": RULES, "ip_protocol": UDP})
    judged(last, following)
    firewall.delete("firewall", {"firewall": RULES, "ip_protocol": TCP})
    judged(last, following)


def test_no_packet_is_lost_while_rules_are_replaced(firewall: Bench) -> None:
    """Twenty rule sets, one after the other, under traffic: each packet is judged by all of one.

    Old rows go from the default policy upwards, so that what is on its way to them meets the right one or none.
    """

    def rows(number: int) -> list[Any]:
        passing: Match = {"firewall": number, "ip_protocol": UDP}
        return [
            firewall.client.entry("firewall", {"firewall": number}, Action(DROP, {"log": 0}), priority=1),
            firewall.client.entry("firewall", passing, Action(GO_NEXT, {"log": 0}), priority=2),
        ]

    def replace_often() -> None:
        for old in range(RULES, RULES + 20):
            sid = firewall.client.entry("my_sid", {"sid": SID}, Action("sera", parameters(rules=old + 1)))
            firewall.client.write([(INSERT, row) for row in rows(old + 1)])
            firewall.client.write([(MODIFY, sid)])
            firewall.client.write([(DELETE, row) for row in rows(old)])

    firewall.client.write([(INSERT, row) for row in rows(RULES)])
    packet, before = whole(outer(_TO)), dropped(firewall)
    with ThreadPoolExecutor(1) as pool:
        replacing = pool.submit(replace_often)
        while not replacing.done():
            assert len(firewall.send(1, *[packet] * 20, at_least=20)) == 20
        replacing.result()
    assert dropped(firewall) == before


def test_a_sid_counts_on_when_its_rules_change(firewall: Bench) -> None:
    for packets, rules in ((3, RULES), (5, NEW_RULES)):
        rule(firewall, GO_NEXT, rules=rules)
        firewall.modify("my_sid", {"sid": SID}, Action("sera", parameters(rules=rules)))
        firewall.send(1, *[whole(outer(_TO))] * packets, at_least=packets)
    (sid,) = firewall.client.read("my_sid", counters=True)
    assert sid.counter_data.packet_count == 8


def test_a_verdict_may_lead_to_another_sid_of_the_node(firewall: Bench) -> None:
    """One hop for a node, whatever it does."""
    firewall.my_sid("fcbb:bbbb:200:f00d::/64", "udt6", vrf=0)
    firewall.my_sid("fcbb:bbbb:200::/48", "un", block_length=32, csid_length=16)
    rule(firewall, GO_NEXT)
    packet = outer(f"{_OWN}200:f00d::")
    firewall.check(1, whole(packet), 2, whole(at(INNER, 7, 63)))


def test_two_firewalls_in_a_row(firewall: Bench) -> None:
    sera(firewall, "fcbb:bbbb:200:f250::/60", instance=5, rules=5 << 24)
    rule(firewall, GO_NEXT)
    rule(firewall, EVAL_ARGS, rules=5 << 24)
    packet = outer(f"{_OWN}200:f251:600:300")
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:300::")))
    drops_as(firewall, "bad arguments", outer(f"{_OWN}200:f25f:600:300"), instance=5)


def test_many_firewalls_of_a_node_cost_one_hop(firewall: Bench) -> None:
    """As many as bmv2 has passes for."""
    rule(firewall, GO_NEXT)
    packet = routed(_ALONE, 16, [SECOND] + 15 * [_ALONE], hops=2)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, SECOND, 0)))


def test_a_sid_that_is_no_firewall_is_not_judged(firewall: Bench) -> None:
    firewall.my_sid("fcbb:bbbb:200::/48", "un", block_length=32, csid_length=16)
    packet = outer("fcbb:bbbb:200:f220:600::")
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:f220:600::")))


_ACCEPTED = (
    "PI, the P4Runtime server of bmv2, takes a range of everything, and does not know that fields ask for others"
)
_KNOWN_TO_PI = "range the wrong way round"

REFUSED: dict[str, Match] = {
    _KNOWN_TO_PI: {"has": there(PORTS), "src_port": "9-8"},
    "range of everything": {"has": there(PORTS), "src_port": "0-65535"},
    "port of none": {"dst_port": 53},
    "port of none there": {"has": lacking(PORTS), "dst_port": 53},
    "flags of none": {"tcp_flags": 2, "ip_protocol": TCP},
    "flags of another": {"tcp_flags": 2, "has": there(PORTS), "ip_protocol": UDP},
    "type of none": {"icmp_type": 8},
    "segments left of none": {"segments_left": 1},
    "tag of none": {"srh_tag": 1},
    "previous SID of none": {"previous_sid": "fcbb:bbbb:900::/48"},
    "next SID of none": {"next_sid": "fcbb:bbbb:900::/48"},
}


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(match, marks=() if name == _KNOWN_TO_PI else pytest.mark.differs("bmv2", _ACCEPTED), id=name)
        for name, match in REFUSED.items()
    ],
)
def test_a_row_that_matches_what_is_not_there_is_refused(firewall: Bench, match: Match) -> None:
    """P4Runtime, 9.1.1; and values that a packet lacks are none."""
    entry = firewall.client.entry("firewall", {"firewall": RULES, **match}, Action(DROP, {"log": 0}), priority=1)
    with pytest.raises(WriteError) as caught:
        firewall.client.write([(INSERT, entry)])
    assert caught.value.codes == ["INVALID_ARGUMENT"]
    assert firewall.client.read("firewall") == []


def test_a_row_needs_a_priority(firewall: Bench) -> None:
    """P4Runtime, 9.1.1: rows of the same priority have no order."""
    entry = firewall.client.entry("firewall", {"firewall": RULES}, Action(DROP, {"log": 0}))
    with pytest.raises(WriteError) as caught:
        firewall.client.write([(INSERT, entry)])
    assert caught.value.codes == ["INVALID_ARGUMENT"]


# --- flows

ESTABLISHED: Match = {"established": 1}


def stateful(node: Bench, *, flows: int = 100, instance: int = INSTANCE) -> None:
    """A firewall that lets nothing through but questions to port 53, and what belongs to a flow that it knows."""
    node.my_sid(SID, "sera_stateful", **parameters(rules=instance << 24, instance=instance), flows=flows)
    allow(node, instance << 24)


def allow(node: Bench, rules: int, *, questions: bool = True) -> None:
    rule(node, GO_NEXT, 9, ESTABLISHED, rules=rules)
    if questions:
        rule(node, GO_NEXT, 5, {"has": there(PORTS), "dst_port": 53}, rules=rules)
    rule(node, DROP, rules=rules)


def question(port: int, *, four: bool = False) -> bytes:
    return outer(_TO, ipv4(udp(port, 53), UDP) if four else ipv6(udp(port, 53), UDP))


def answer(port: int, *, four: bool = False, protocol: int = UDP) -> bytes:
    if four:
        return outer(_TO, ipv4(udp(53, port), protocol, "10.1.0.9", "10.2.0.9"))
    return outer(_TO, ipv6(udp(53, port), protocol, "2001:db8:1::9", "2001:db8:2::9"))


def passes(node: Bench, packet: bytes) -> None:
    node.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


def is_dropped(node: Bench, packet: bytes) -> None:
    node.check_not_forwarded(1, whole(packet))


@pytest.mark.parametrize("four", [False, True], ids=["IPv6", "IPv4"])
def test_an_answer_passes_behind_its_question(node: Bench, four: bool) -> None:
    """Both directions of a 5-tuple are one flow; what is not of it is judged by the other rules."""
    stateful(node)
    is_dropped(node, answer(2000, four=four))
    passes(node, question(2000, four=four))
    passes(node, answer(2000, four=four))
    passes(node, question(2000, four=four))
    is_dropped(node, answer(2001, four=four))
    is_dropped(node, answer(2000, four=four, protocol=UDP_LITE))
    is_dropped(node, answer(2000, four=not four))
    assert hits(node) == {9: 2, 5: 1, 1: 4}


def test_what_is_dropped_opens_no_flow(node: Bench) -> None:
    stateful(node)
    is_dropped(node, answer(2100))
    is_dropped(node, answer(2100))
    drops_as(node, "unable", outer(_ALONE, ipv6(udp(2101, 53), UDP)))
    is_dropped(node, answer(2101))
    assert hits(node) == {9: 0, 5: 1, 1: 3}


def test_flows_outlive_their_rules(node: Bench) -> None:
    """By instance, not by the number of the rules: a change of those cuts nobody off."""
    stateful(node)
    passes(node, question(2200))
    allow(node, NEW_RULES, questions=False)
    changed = {**parameters(rules=NEW_RULES), "flows": 100}
    node.modify("my_sid", {"sid": SID}, Action("sera_stateful", changed))
    passes(node, answer(2200))
    is_dropped(node, question(2201))


def test_flows_are_of_one_instance(node: Bench) -> None:
    stateful(node)
    other = {**parameters(rules=11 << 24, instance=11), "flows": 100}
    node.my_sid("fcbb:bbbb:200:f2b0::/60", "sera_stateful", **other)
    allow(node, 11 << 24)
    passes(node, question(2300))
    elsewhere = answer(2300)
    is_dropped(node, elsewhere[:30] + b"\xf2\xb0" + elsewhere[32:])
    passes(node, answer(2300))


def test_more_flows_than_allowed_are_dropped(node: Bench) -> None:
    """Those that are known go on."""
    stateful(node, flows=2, instance=9)
    passes(node, question(2400))
    passes(node, question(2401))
    drops_as(node, "flows", question(2402), instance=9)
    passes(node, question(2400))
    passes(node, answer(2401))
    is_dropped(node, answer(2402))


# --- any program


_BLOCK = number("fcbb:bbbb::") >> 96
_GLOBAL, _LOCAL = range(0x300, 0x900), range(0xE000, 0xF000)


def any_program(random: Random) -> tuple[int, int, list[int] | None]:
    """Destination, Segments Left and list of a packet to the firewall: atoms, packed or not."""
    form = PLAIN

    def usids(room: int) -> list[int]:
        found: list[int] = []
        while room and random.random() < 0.85:
            count = min(room, random.choice((1, 1, 2, 2, 3)))
            found += [random.choice(_GLOBAL), *(random.choice(_LOCAL) for _ in range(count - 1))]
            room -= count
        return found

    own = form.container(_BLOCK, [0x200, 0xF230 | random.randrange(4), *usids(4)])
    if random.random() < 0.2:
        return own, 0, None
    segments = [
        number(f"fc00:{random.randrange(1, 99):x}::1") if random.random() < 0.2
        else form.container(_BLOCK, usids(6) or [random.choice(_GLOBAL)])
        for _ in range(random.randrange(1, 6))
    ]  # fmt: skip
    return own, random.randrange(len(segments) + 1), segments


def test_any_program_moves_by_atoms(firewall: Bench, seed: int) -> None:
    """SERA, 4: the operation on bytes is the one on a list of atoms (model/sera.py)."""
    rule(firewall, EVAL_ARGS)
    random = Random(seed)
    before = dropped(firewall)
    unable = bad = passed = 0
    for first in range(0, 400, 20):
        sent: list[bytes] = []
        wanted: list[bytes] = []
        for count in range(first, first + 20):
            destination, left, segments = any_program(random)
            packet = carrying(destination, left, segments, ipv6(udp(count, 53), UDP))
            sent.append(packet)
            args = destination >> 64 & 0xF
            after = moved(PLAIN, VERDICTS[args], destination, left, segments or []) if args < len(VERDICTS) else None
            if after is not None:
                wanted.append(sent_to(packet, str(IPv6Address(after[0])), None if segments is None else after[1]))
            bad += args >= len(VERDICTS)
            unable += args < len(VERDICTS) and after is None
        got = firewall.send(1, *map(whole, sent), at_least=len(wanted))
        came = sorted(frame.data for frame in got if frame.port == 2)
        assert came == sorted(firewall.out_of(2, whole(one)).data for one in wanted)
        passed += len(wanted)
    assert passed > 200
    assert min(unable, bad) > 20
    counted = dropped(firewall)
    assert counted["unable"] == before["unable"] + unable
    assert counted["bad arguments"] == before["bad arguments"] + bad


def carrying(destination: int, left: int, segments: list[int] | None, inner: bytes) -> bytes:
    address = str(IPv6Address(destination))
    if segments is None:
        return outer(address, inner)
    return routed(address, left, [str(IPv6Address(one)) for one in segments], inner)
