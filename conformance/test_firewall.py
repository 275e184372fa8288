# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

The effects of verdicts on a packet, arguments, and SIDs of other formats.
"""

import pytest
from model.sera import Format
from nodes.bench import NO_ICMP, Bench
from nodes.firewall_kit import (
    CLASSIC,
    CLASSIC_FORM,
    DROP,
    EVAL_ARGS,
    FIRST,
    GO_LAST,
    GO_NEXT,
    INNER,
    INNER_4,
    IPV6_IN,
    OWN,
    SECOND,
    SKIP_NEXT,
    THIRD,
    A,
    B,
    C,
    at,
    dropped,
    drops_as,
    hits,
    ipv6,
    outer,
    routed,
    rule,
    sent_to,
    sera,
    whole,
)

PLANES = ("firewalls",)
pytestmark = pytest.mark.usefixtures("has_firewalls")


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
    """SERA, 4: End.AN's effects on containers."""
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


CONTAINER_MOVES = {
    "next": (GO_NEXT, f"{OWN}600:300:f00d:0", 0, None, ("fcbb:bbbb:600:300:f00d::", 0)),
    "next of a full container": (GO_NEXT, f"{OWN}600:700:800:900", 0, None, ("fcbb:bbbb:600:700:800:900::", 0)),
    "next leaves segments alone": (GO_NEXT, f"{OWN}600::", 1, [THIRD, SECOND], ("fcbb:bbbb:600::", 1)),
    "next across the boundary": (GO_NEXT, f"{OWN}:", 1, [THIRD], (THIRD, 0)),
    "next of a local uSID": (GO_NEXT, f"{OWN}f00d::", 0, None, ("fcbb:bbbb:f00d::", 0)),
    "next is a segment of another block": (GO_NEXT, f"{OWN}:", 1, [A], (A, 0)),
    "next of none": (GO_NEXT, f"{OWN}:", 0, None, None),
    "next of none, list ended": (GO_NEXT, f"{OWN}:", 0, [THIRD], None),
    "skip": (SKIP_NEXT, f"{OWN}600:300::", 0, None, ("fcbb:bbbb:300::", 0)),
    "skip of two": (SKIP_NEXT, f"{OWN}600:e002:300:f00d", 0, None, ("fcbb:bbbb:300:f00d::", 0)),
    "skip of three": (SKIP_NEXT, f"{OWN}600:e002:e003:300", 0, None, ("fcbb:bbbb:300::", 0)),
    "skip empties the container": (SKIP_NEXT, f"{OWN}600:e002::", 2, [THIRD, SECOND], (SECOND, 1)),
    "skip empties the container, another block": (SKIP_NEXT, f"{OWN}600::", 1, [A], (A, 0)),
    "skip across the boundary": (SKIP_NEXT, f"{OWN}:", 1, [FIRST], ("fcbb:bbbb:300:f00d::", 0)),
    "skip across the boundary empties it": (SKIP_NEXT, f"{OWN}:", 2, [THIRD, SECOND], (THIRD, 0)),
    "skip of an atom that is a container": (
        SKIP_NEXT, f"{OWN}:", 2, [THIRD, "fcbb:bbbb:700:e002:e003:e004:e005:e006"], (THIRD, 0),
    ),
    "skip in a full container": (
        SKIP_NEXT, f"{OWN}:", 1, ["fcbb:bbbb:700:e002:e003:e004:e005:300"], ("fcbb:bbbb:300::", 0),
    ),
    "skip of a segment of another block": (SKIP_NEXT, f"{OWN}:", 2, [THIRD, A], (THIRD, 0)),
    "skip in a list of three": (SKIP_NEXT, f"{OWN}:", 3, [THIRD, SECOND, FIRST], ("fcbb:bbbb:300:f00d::", 2)),
    "skip of the only atom": (SKIP_NEXT, f"{OWN}300:f00d::", 0, None, None),
    "skip of the only atom, list ended": (SKIP_NEXT, f"{OWN}300:f00d::", 0, [FIRST], None),
    "skip of the only atom of the last segment": (SKIP_NEXT, f"{OWN}:", 1, [SECOND], None),
    "skip of the only segment of another block": (SKIP_NEXT, f"{OWN}:", 1, [A], None),
    "skip of nothing": (SKIP_NEXT, f"{OWN}:", 0, None, None),
    "last of the container": (GO_LAST, f"{OWN}600:e002:300:f00d", 0, None, ("fcbb:bbbb:300:f00d::", 0)),
    "last is the only one": (GO_LAST, f"{OWN}300:f00d::", 0, None, ("fcbb:bbbb:300:f00d::", 0)),
    "last of one uSID": (GO_LAST, f"{OWN}600:500::", 0, None, ("fcbb:bbbb:500::", 0)),
    "last of a full container": (
        GO_LAST, f"{OWN}600::", 1, ["fcbb:bbbb:400:500:600:700:300:f00d"], ("fcbb:bbbb:300:f00d::", 0),
    ),
    "last of a full container of one uSID each": (
        GO_LAST, f"{OWN}:", 1, ["fcbb:bbbb:400:500:600:700:800:900"], ("fcbb:bbbb:900::", 0),
    ),
    "last of the list, one atom": (GO_LAST, f"{OWN}600::", 2, [SECOND, FIRST], (SECOND, 0)),
    "last of the list, another block": (GO_LAST, f"{OWN}600::", 2, [A, FIRST], (A, 0)),
    "last of the rest, list ended": (GO_LAST, f"{OWN}600:500::", 0, [FIRST], ("fcbb:bbbb:500::", 0)),
    "last is local": (GO_LAST, f"{OWN}600::", 1, ["fcbb:bbbb:f00d::"], ("fcbb:bbbb:f00d::", 0)),
    "last of nothing": (GO_LAST, f"{OWN}:", 0, None, None),
    "last of an empty container": (GO_LAST, f"{OWN}600::", 1, ["fcbb:bbbb::"], None),
    "a uSID 0 in the middle: next": (GO_NEXT, f"{OWN}0:300::", 0, None, ("fcbb:bbbb:0:300::", 0)),
    "a uSID 0 in the middle: skip": (SKIP_NEXT, f"{OWN}600:0:300:0", 0, None, ("fcbb:bbbb:0:300::", 0)),
    "a uSID 0 in the middle: last": (GO_LAST, f"{OWN}600:500:0:300", 0, None, ("fcbb:bbbb:300::", 0)),
    "a uSID 0 before the function: last": (GO_LAST, f"{OWN}600:500:0:f00d", 0, None, ("fcbb:bbbb:500:0:f00d::", 0)),
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
    packet = outer(f"{OWN}600::", inner, hops=hops)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


@pytest.mark.parametrize("hops", [0, 1])
def test_the_last_hop_ends_here(firewall: Bench, hops: int) -> None:
    """RFC 8986, 4.1, S05; a packet that a rule drops is dropped by the rule."""
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 2, {"ip_version": 4})
    drops_as(firewall, "last hop", outer(f"{OWN}600::", hops=hops))
    before = dropped(firewall)
    firewall.check_not_forwarded(1, whole(outer(f"{OWN}600::", INNER_4, hops=hops)))
    assert dropped(firewall) == before
    assert hits(firewall) == {1: 1, 2: 1}


@pytest.mark.parametrize(
    ("packet", "reason"),
    [
        (outer(f"{OWN}:", INNER[:-1], hops=1), "malformed"),
        (outer(f"{OWN}:", INNER_4, hops=1), "no rule"),
        (outer("fcbb:bbbb:200:f233::", hops=1), "bad arguments"),
        (outer(f"{OWN}:", hops=1), "last hop"),
        (outer(f"{OWN}:"), "unable"),
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
        (ipv6(INNER, IPV6_IN, f"{OWN}600::", "2001:db8:1::7", hops=1), (3, 0), 0),
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
