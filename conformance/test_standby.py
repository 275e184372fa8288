# SPDX-License-Identifier: Apache-2.0
"""Standbys: a repair takes the packets to a prefix (TI-LFA, RFC 9855) as soon as the port of its route has lost its
carrier, and no longer than that.

The protected prefix is behind port 3, and repairs leave by port 2.
"""

import ipaddress
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from nodes import mobile_kit
from nodes.bench import Bench, is_one_of
from nodes.p4runtime import Action, Value, WriteError
from nodes.packets import H1, outer, routed, v6
from nodes.target import Target
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet, Raw
from sextantlab import netns
from sextantlab.processes import until

_PROTECTED = "fcbb:bbbb:300::/48"
_BEHIND = "fcbb:bbbb:300:f00d::"
_REPAIR = "fcbb:bbbb:700:600:300::"
_OWN_FIRST = "fcbb:bbbb:100:e002:700:600::"
_AFTER_OWN = "fcbb:bbbb:700:600::"
_DST: dict[str, Value] = {"vrf": 0, "dst": _PROTECTED}
_PATIENCE_SECONDS = 10


class Protected:
    """A node with a route that has a standby, and the far end of the route's port."""

    def __init__(self, node: Bench) -> None:
        self.node = node
        self.down: set[int] = set()

    def guard(self, *containers: str) -> None:
        self.node.sid_list(9, (1, containers))
        self.node.insert("standby_v6", _DST, Action("repair", {"sid_list": 9}))

    def cut(self, port: int) -> None:
        self._far_end(port, "down")
        self.down.add(port)

    def mend(self, port: int) -> None:
        self._far_end(port, "up")
        self.down.discard(port)

    def _far_end(self, port: int, state: str) -> None:
        target = self.node.target
        netns.ip("link", "set", target.ports[port].far_interface, state, namespace=target.wire_namespace or None)

    def leaves_by(self, port: int) -> bool:
        """True if packets to the prefix come out of a port by now: the time of a carrier event is the node's own."""
        return until(lambda: port in {frame.port for frame in self.node.send(1, v6(destination=_BEHIND))},
                     _PATIENCE_SECONDS)  # fmt: skip

    def check(self, sent: Packet, *accepted: Packet, port: int = 2) -> None:
        self.node.check(1, sent, port, *accepted)

    def check_plain(self) -> None:
        self.check(v6(destination=_BEHIND), v6(destination=_BEHIND, hop_limit=63), port=3)


@pytest.fixture
def protected(target: Target, node: Bench) -> Iterator[Protected]:
    if 'alias: "standby_v6"' not in target.p4info.read_text():
        pytest.skip(f"{target.name}: its P4Info has no table standby_v6")
    node.route("route_v6", _PROTECTED, 3)
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.my_sid("fcbb:bbbb:100:e002::/64", "ua", block_length=32, csid_length=32, next_hop=2)
    bed = Protected(node)
    yield bed
    for port in list(bed.down):
        bed.mend(port)
    if not all(until(partial(_sends, node, port), _PATIENCE_SECONDS) for port in (2, 3)):
        raise AssertionError("a port of the node does not come back")


def _sends(node: Bench, port: int) -> bool:
    """True if a port takes packets again, so that the next test finds the node in its initial state."""
    frame = bytes.fromhex("0180c200000e") + bytes.fromhex("020000000199") + b"\x88\xb5" + bytes(46)
    node.wires.drain()
    node.client.packet_out(port, frame)
    try:
        return any(one.port == port for one in node.wires.receive(1))
    except AssertionError:
        return False


def _entering(build: Callable[[Packet], Packet], inner: Packet) -> list[Packet]:
    """A repair's output for a packet: as at a headend, Linux lowers the outer hop limit only (test_encap.py)."""
    lower = inner.copy()
    lower[IPv6].hlim -= 1
    return [build(lower), build(inner)]


LISTS: dict[str, tuple[list[str], Callable[[Packet], Packet]]] = {
    "one container": ([_REPAIR], lambda inner: outer(_REPAIR, inner, hop_limit=63)),
    "two containers": (
        [_REPAIR, "fcbb:bbbb:300:f00e::"],
        lambda inner: routed(_REPAIR, 1, ["fcbb:bbbb:300:f00e::"], inner, hop_limit=63),
    ),
    "three containers": (
        [_REPAIR, "fcbb:bbbb:500:600::", "fcbb:bbbb:300:f00e::"],
        lambda inner: routed(
            _REPAIR, 2, ["fcbb:bbbb:300:f00e::", "fcbb:bbbb:500:600::"], inner, hop_limit=63
        ),
    ),
    "an own uA first": ([_OWN_FIRST], lambda inner: outer(_AFTER_OWN, inner, hop_limit=63)),
    "an own uA first of two containers": (
        [_OWN_FIRST, "fcbb:bbbb:300:f00e::"],
        lambda inner: routed(_AFTER_OWN, 1, ["fcbb:bbbb:300:f00e::"], inner, hop_limit=63),
    ),
    "an own uA alone in the first container": (
        ["fcbb:bbbb:100:e002::", "fcbb:bbbb:700::"],
        lambda inner: routed("fcbb:bbbb:700::", 0, ["fcbb:bbbb:700::"], inner, hop_limit=63),
    ),
}  # fmt: skip


@pytest.mark.parametrize("containers", LISTS)
def test_a_standby_is_used_while_the_route_has_no_carrier(protected: Protected, containers: str) -> None:
    """RFC 9855, 6; RFC 8986, 5.2: not before, and not afterwards."""
    listed, build = LISTS[containers]
    protected.guard(*listed)
    protected.check_plain()
    protected.cut(3)
    assert protected.leaves_by(2)
    inner = v6(destination=_BEHIND)
    protected.check(inner, *_entering(build, inner))
    protected.mend(3)
    assert protected.leaves_by(3)
    protected.check_plain()


def test_what_travels_a_program_already_gets_another_header(protected: Protected) -> None:
    """RFC 9855, 6: the repair is around whatever the packet is."""
    protected.guard(_REPAIR)
    protected.cut(3)
    assert protected.leaves_by(2)
    inner = routed("fcbb:bbbb:300:400::", 1, ["fcbb:bbbb:500::"], v6())
    protected.check(inner, *_entering(lambda travelling: outer(_REPAIR, travelling, hop_limit=63), inner))


@pytest.mark.parametrize("containers", ["one container", "an own uA first"])
def test_what_a_sid_of_the_node_moves_on_is_repaired(protected: Protected, containers: str) -> None:
    """RFC 9800, 4.1.1: the next uSID's route is the protected one."""
    listed, build = LISTS[containers]
    protected.guard(*listed)
    protected.cut(3)
    assert protected.leaves_by(2)
    shifted = outer(_BEHIND, v6())
    accepted = [build(shifted)]
    for lower in (62, 63, 64):
        for outside in (62, 63):
            packet = build(outer(_BEHIND, v6(), hop_limit=lower))
            packet[IPv6].hlim = outside
            accepted.append(packet)
    protected.check(outer("fcbb:bbbb:100:300:f00d::", v6()), *accepted)


def _destinations(data: bytes, headers: int) -> list[str]:
    """The destinations of a frame with so many IPv6 headers in a row."""
    return [str(ipaddress.ip_address(data[at + 24 : at + 40])) for at in range(14, 14 + 40 * headers, 40)]


def test_what_is_steered_here_is_repaired(protected: Protected) -> None:
    """A headend that is the node at the failed link: two headers at once. Packets of the policy were there before."""
    node = protected.node
    node.steer("2001:db8:9::/64", node.encaps, (1, [_BEHIND]))
    protected.guard(_REPAIR)
    steered = v6(destination="2001:db8:9::1")
    assert {frame.port for frame in node.send(1, *[steered] * 8, at_least=8)} == {3}
    protected.cut(3)
    assert until(lambda: {frame.port for frame in node.send(1, steered)} == {2}, _PATIENCE_SECONDS)
    (frame,) = node.send(1, steered, at_least=1)
    assert _destinations(frame.data, 3) == [_REPAIR, _BEHIND, "2001:db8:9::1"]
    protected.mend(3)
    assert until(lambda: {frame.port for frame in node.send(1, steered)} == {3}, _PATIENCE_SECONDS)


def test_what_is_steered_here_leaves_a_dead_member(protected: Protected) -> None:
    """RFC 2992: the members that are left; whatever way a policy's packets took before."""
    node = protected.node
    node.modify("route_v6", _DST, [Action("set_next_hop", {"next_hop": next_hop}) for next_hop in (3, 4)])
    node.steer("2001:db8:9::/64", node.encaps, (1, [_BEHIND]))
    flows = [v6(destination="2001:db8:9::1", port=2000 + number) for number in range(40)]
    assert {frame.port for frame in node.send(1, *flows, at_least=40)} <= {3, 4}
    protected.cut(3)
    assert until(lambda: len(got := node.send(1, *flows)) == 40 and {frame.port for frame in got} == {4},
                 _PATIENCE_SECONDS)  # fmt: skip


def test_copies_are_repaired(protected: Protected) -> None:
    """Live-Live: a copy whose path begins with the failed link."""
    node = protected.node
    node.sid_list(101, (1, [_BEHIND]))
    node.insert("copy", {"group": 7, "path": 1}, Action("send_copy", {"sid_list": 101}))
    replicate = Action("replicate", {"flow_id": 9, "group": 7, "copies": 1})
    node.insert("flow_v6", {"vrf": 0, "dst": "2001:db8:9::/64"}, replicate, priority=10)
    protected.guard(_REPAIR)
    copied = v6(destination="2001:db8:9::1")
    assert {frame.port for frame in node.send(1, copied, at_least=1)} == {3}
    protected.cut(3)
    assert until(lambda: {frame.port for frame in node.send(1, copied)} == {2}, _PATIENCE_SECONDS)
    (frame,) = node.send(1, copied, at_least=1)
    assert _destinations(frame.data, 2) == [_REPAIR, _BEHIND]


def test_what_gtp_carried_is_repaired(protected: Protected) -> None:
    """RFC 9433: a slice whose path begins with the failed link."""
    node = protected.node
    node.route("route_v4", "192.0.2.0/24", 1)
    node.sid_list(2, (1, [_BEHIND]))
    upf = {"dst": mobile_kit.address(mobile_kit.UPF)}
    mobile_kit.rule(node, mobile_kit.CARRY, "carry", upf, sid_list=2)
    protected.guard(_REPAIR)
    sent = mobile_kit.ipv4(mobile_kit.gtp())
    assert {frame.port for frame in node.send(1, sent, at_least=1)} == {3}
    protected.cut(3)
    assert until(lambda: {frame.port for frame in node.send(1, sent)} == {2}, _PATIENCE_SECONDS)
    (frame,) = node.send(1, sent, at_least=1)
    assert _destinations(frame.data, 2) == [_REPAIR, _BEHIND]


def test_a_member_that_is_left_goes_before_the_standby(protected: Protected) -> None:
    """RFC 9855, 1: a repair is for packets that the route cannot forward."""
    members = [Action("set_next_hop", {"next_hop": next_hop}) for next_hop in (3, 4)]
    protected.node.modify("route_v6", _DST, members)
    protected.guard(_REPAIR)
    protected.cut(3)
    assert protected.leaves_by(4)
    flows = [v6(destination=_BEHIND, port=2000 + number) for number in range(40)]
    assert {frame.port for frame in protected.node.send(1, *flows, at_least=40)} == {4}


def test_a_standby_without_a_route_is_used(protected: Protected) -> None:
    """The contract: a prefix without a route is one whose route has no members."""
    protected.guard(_REPAIR)
    protected.node.delete("route_v6", _DST)
    inner = v6(destination=_BEHIND)
    protected.check(inner, *_entering(LISTS["one container"][1], inner))
    protected.node.route("route_v6", _PROTECTED, 3)
    protected.check_plain()


def test_a_route_without_its_standby_drops(protected: Protected) -> None:
    """Nothing of a repair stays behind; the shorter prefix takes its packets as before."""
    protected.guard(_REPAIR)
    protected.cut(3)
    assert protected.leaves_by(2)
    protected.node.delete("standby_v6", _DST)
    got = protected.node.send(1, v6(destination=_BEHIND))
    wanted = protected.node.out_of(2, v6(destination=_BEHIND, hop_limit=63))
    assert all(is_one_of(frame, [wanted]) for frame in got), "the packet is encapsulated still"


def test_another_list_is_another_repair(protected: Protected) -> None:
    protected.node.sid_list(10, (1, ["fcbb:bbbb:800::"]))
    protected.guard(_REPAIR)
    protected.cut(3)
    assert protected.leaves_by(2)
    protected.node.modify("standby_v6", _DST, Action("repair", {"sid_list": 10}))
    inner = v6(destination=_BEHIND)
    protected.check(inner, *_entering(lambda one: outer("fcbb:bbbb:800::", one, hop_limit=63), inner))


@pytest.mark.parametrize("hop_limit", [0, 1])
def test_the_last_hop_does_not_enter_a_repair(protected: Protected, hop_limit: int) -> None:
    """RFC 8200, 3."""
    protected.guard(_OWN_FIRST)
    protected.cut(3)
    assert protected.leaves_by(2)
    protected.node.check_not_forwarded(1, v6(destination=_BEHIND, hop_limit=hop_limit))


@pytest.mark.parametrize("bytes_over", [0, 1])
def test_the_mtu_counts_the_header_of_a_repair(protected: Protected, bytes_over: int) -> None:
    """9000 bytes fit the link; one more does not (RFC 8200, 5)."""
    protected.guard(_REPAIR)
    protected.cut(3)
    assert protected.leaves_by(2)
    inner = v6(destination=_BEHIND)
    inner = inner / Raw(bytes(9000 - 40 - len(inner) + bytes_over))
    if bytes_over:
        protected.node.check_not_forwarded(1, inner)
    else:
        protected.check(inner, *_entering(lambda one: outer(_REPAIR, one, hop_limit=63), inner))


def test_the_sender_is_told_how_much_fits_a_repair(protected: Protected) -> None:
    """RFC 4443, 3.2, with RFC 2473, 8: the link's 9000 bytes less the header of the repair."""
    protected.guard(_REPAIR)
    protected.cut(3)
    assert protected.leaves_by(2)
    inner = v6(destination=_BEHIND)
    got = protected.node.send(1, inner / Raw(bytes(9000 - len(inner))), at_least=1)
    assert [(frame.port, _destinations(frame.data, 1)) for frame in got] == [(1, [H1])]
    too_big, mtu_bytes = got[0].data[54], int.from_bytes(got[0].data[58:62], "big")
    assert (too_big, mtu_bytes) == (2, 8960)


def test_both_links_are_cut(protected: Protected) -> None:
    """Two failures at once: the repair leads over a dead port, and nothing goes in circles."""
    protected.guard(_OWN_FIRST)
    protected.cut(3)
    assert protected.leaves_by(2)
    protected.cut(2)
    assert until(lambda: not protected.node.send(1, v6(destination=_BEHIND)), _PATIENCE_SECONDS)
    protected.node.check_not_forwarded(1, v6(destination=_BEHIND))


def test_repairs_that_lead_into_each_other_end(protected: Protected) -> None:
    """Two repairs whose first SIDs are behind each other: a packet is dropped, and the node goes on."""
    protected.node.route("route_v6", "fcbb:bbbb:400::/48", 3)
    protected.node.sid_list(10, (1, ["fcbb:bbbb:300:1::"]))
    protected.node.insert("standby_v6", {"vrf": 0, "dst": "fcbb:bbbb:400::/48"}, Action("repair", {"sid_list": 10}))
    protected.guard("fcbb:bbbb:400:1::")
    protected.cut(3)
    assert until(lambda: not protected.node.send(1, v6(destination=_BEHIND)), _PATIENCE_SECONDS)
    protected.node.check_not_forwarded(1, v6(destination=_BEHIND))
    protected.node.check(1, v6(), 2, v6(hop_limit=63))


def test_steering_stands_before_a_standby(protected: Protected) -> None:
    protected.guard(_REPAIR)
    protected.node.steer(_PROTECTED, protected.node.encaps, (1, ["fcbb:bbbb:800::"]), sid_list=10)
    protected.cut(3)
    inner = v6(destination=_BEHIND)
    protected.check(inner, *_entering(lambda one: outer("fcbb:bbbb:800::", one, hop_limit=63), inner))


def test_a_standby_is_read_back_also_while_it_is_used(protected: Protected) -> None:
    """P4Runtime 11.1; so is the route, whose port is coming back some time."""
    protected.guard(_REPAIR)
    client = protected.node.client
    want = [client.entry("standby_v6", _DST, Action("repair", {"sid_list": 9}))]
    assert client.read("standby_v6") == want
    routes = client.read("route_v6")
    protected.cut(3)
    assert protected.leaves_by(2)
    assert client.read("standby_v6") == want
    assert client.read("route_v6") == routes


def test_a_standby_needs_its_list(protected: Protected) -> None:
    """P4Runtime 9.1."""
    with pytest.raises(WriteError):
        protected.node.insert("standby_v6", _DST, Action("repair", {"sid_list": 99}))
    protected.guard(_REPAIR)
    with pytest.raises(WriteError):
        protected.node.delete("sid_list", {"id": 9})
