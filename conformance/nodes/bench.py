# SPDX-License-Identifier: Apache-2.0
"""A programmed node on the test bench: entries go in by name, packets go through, all is undone after a test."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from scapy.layers.inet6 import IPv6
from scapy.packet import Packet

from . import packets
from .oracle import Case, Row
from .p4runtime import DELETE, INSERT, MODIFY, Action, Client, Value
from .target import Target, names_of_all
from .wire import Frame, Wires

_SENTINEL = packets.v6("2001:db8:ffff::1", "2001:db8:ffff::2")
_SENTINEL_PORT = 4
_BURST = 20
NO_ICMP = "the P4 program drops silently: it makes no ICMP errors"
NO_ADDRESS = "VPP sends ICMP errors from an address of the port that the packet came by, and here it has none"
NO_OPTIONS = "VPP drops IPv4 packets with options"
LAST_ENTRY = "VPP follows Segments Left wherever it leads: it does not look at Last Entry"
DEPTH = "VPP looks for an SRH in the first 256 bytes, which ends with 15 segments"
INNER = "VPP looks up what it decapsulates, and checks nothing else of it"
LENGTH = "VPP looks at frames and not at Payload Length"
FRAGMENTS = "VPP decapsulates no packet with a fragment header"
MANY_HEADERS = "VPP looks at four extension headers"
ADDRESSES = "VPP forwards whatever has a route: it looks at no source address, and loopback addresses are like others"
ROUTING_TYPES = "VPP's ACLs see a routing header and not its type: any is an SRH"
AUTHENTICATION = "VPP's ACLs step over no authentication header: what is behind may be an SRH"
UNSEEN = "VPP's ACLs see the outer packet, and nothing judges what VPP has decapsulated"
TAGS = "behind a tag, VPP takes a service tag for an unknown EtherType, and does not count the frame"
CUT_CHAINS = "VPP's ACLs step over any number of headers; a chain that ends before an SRH has none, and passes"


class Bench:
    """The node, its controller and its wires.

    Port n leads to the neighbor of next hop n. Customers are behind port 1 (2001:db8:1::/48, 10.1.0.0/16) and port 2
    (2001:db8:2::/48, 10.2.0.0/16); the SID block fcbb:bbbb::/32 is behind port 2.
    """

    def __init__(self, target: Target, client: Client, wires: Wires, case: Case, *, expected: bool = True) -> None:
        """With `expected` false the case is not expected to pass, and packets are not waited for as long."""
        self.target, self.client, self.wires, self.case = target, client, wires, case
        self.patience_seconds = 5.0 if expected else 0.5
        self.rows: list[Row] = []

    def underlay(self) -> None:
        """Neighbors, routes and the encapsulation source, which most tests share."""
        neighbors = [
            Row(
                "next_hop",
                {"id": number},
                Action("forward", {"port": number, "src_mac": port.mac, "dst_mac": port.neighbor_mac}),
            )
            for number, port in self.target.ports.items()
        ]
        routes = [
            Row(table, {"vrf": 0, "dst": prefix}, [Action("set_next_hop", {"next_hop": next_hop})])
            for table, prefix, next_hop in (
                ("route_v6", "2001:db8:1::/48", 1),
                ("route_v6", "2001:db8:2::/48", 2),
                ("route_v6", "fcbb:bbbb::/32", 2),
                ("route_v6", "2001:db8:ffff::/48", _SENTINEL_PORT),
                ("route_v4", "10.1.0.0/16", 1),
                ("route_v4", "10.2.0.0/16", 2),
            )
        ]
        self.install(*neighbors, _source(packets.SOURCE), *routes)
        self.case.oracle.underlay = list(self.rows)

    def route(self, table: str, prefix: str, *next_hops: int, vrf: int = 0) -> None:
        members = [Action("set_next_hop", {"next_hop": next_hop}) for next_hop in next_hops]
        self.insert(table, {"vrf": vrf, "dst": prefix}, members)

    def my_sid(self, sid: str, action: str, **parameters: Value) -> None:
        self.insert("my_sid", {"sid": sid}, Action(action, parameters))

    def sid_list(self, number: int, *lists: tuple[int, Sequence[str]]) -> None:
        """Weighted segment lists, each with its containers in travel order."""
        self.insert("sid_list", {"id": number}, [segments(containers, weight) for weight, containers in lists])

    def steer(self, prefix: str, action: str, *lists: tuple[int, Sequence[str]], sid_list: int = 1) -> None:
        """Steers a prefix into weighted segment lists."""
        self.sid_list(sid_list, *lists)
        table = "steering_v6" if ":" in prefix else "steering_v4"
        self.insert(table, {"vrf": 0, "dst": prefix}, Action(action, {"sid_list": sid_list}))

    def encap_source(self, source: str) -> None:
        """The source of outer headers: the default entry, which stays when all others go."""
        self.install(_source(source))

    @property
    def encaps(self) -> str:
        """The action of a headend for lists of one container, which both behaviors send without an SRH."""
        return "h_encaps_red" if self.client.offers("h_encaps_red") else "h_encaps"

    @property
    def labels(self) -> bool:
        """True if the flow labels of packets that this node encapsulates are its own choice."""
        return self.target.own_labels and any(row.table.startswith("steering") for row in self.rows)

    def insert(
        self, table: str, match: dict[str, Value], action: Action | Sequence[Action], *, priority: int = 0
    ) -> None:
        self.install(Row(table, match, action, priority))

    def install(self, *rows: Row) -> None:
        self.client.write([(INSERT if row.match else MODIFY, self._entry(row)) for row in rows])
        self.rows += rows

    def modify(self, table: str, match: dict[str, Value], action: Action | Sequence[Action]) -> None:
        row = Row(table, match, action)
        self.client.write([(MODIFY, self._entry(row))])
        self.rows = [row if (one.table, one.match) == (table, match) else one for one in self.rows]

    def delete(self, table: str, match: dict[str, Value]) -> None:
        (row,) = [one for one in self.rows if (one.table, one.match) == (table, match)]
        self.client.write([(DELETE, self._entry(row))])
        self.rows.remove(row)

    def delete_all(self, table: str, which: Callable[[Row], bool]) -> None:
        """Deletes the rows of a table that a test chooses."""
        gone = [row for row in self.rows if row.table == table and which(row)]
        self.client.write([(DELETE, self._entry(row)) for row in gone])
        self.rows = [row for row in self.rows if row not in gone]

    def forget(self) -> None:
        """Deletes the rows that this bench inserted, the latest first, and those that a test for refused entries left
        behind.
        """
        self.client.write([(DELETE, self._entry(row)) for row in reversed(self.rows) if row.match])
        self.rows = []
        left = [entry for entry in self.client.read() if not entry.is_default_action]
        self.client.write([(DELETE, entry) for entry in left])

    def _entry(self, row: Row) -> Any:
        absent = sorted(name for name in _names(row) if not self.client.offers(name) and name in names_of_all())
        if absent:  # no failure of the node: that is how it says so
            pytest.xfail(f"{self.target.name}: its P4Info has no {', '.join(absent)}")
        entry = self.client.entry(row.table, row.match, row.action, priority=row.priority)
        entry.is_default_action = not row.match
        return entry

    # --- packets

    def into(self, port: int, packet: Packet | bytes) -> Frame:
        """A packet as the neighbor behind a port sends it."""
        here = self.target.ports[port]
        data = packet if isinstance(packet, bytes) else packets.framed(packet, here.neighbor_mac, here.mac)
        return Frame(port, data)

    def out_of(self, port: int, packet: Packet) -> Frame:
        """A packet as the neighbor behind a port receives it."""
        here = self.target.ports[port]
        return Frame(port, packets.framed(packet, here.mac, here.neighbor_mac))

    def send(self, port: int, *sent: Packet | bytes, at_least: int = 0) -> list[Frame]:
        """The output of the node for packets that go into a port, a few at a time: queues are short."""
        after = _SENTINEL.copy()
        after[IPv6].hlim -= 1
        sentinel, sentinel_out = self.into(1, _SENTINEL), self.out_of(_SENTINEL_PORT, after)
        frames = [self.into(port, packet) for packet in sent]
        out: list[Frame] = []
        for start in range(0, len(frames), _BURST):
            burst = frames[start : start + _BURST]
            wanted = at_least * len(burst) // len(frames)
            out += self.wires.exchange(burst, sentinel, sentinel_out, at_least=wanted, rounds=self.target.rounds,
                                       patience_seconds=self.patience_seconds)  # fmt: skip
        return out

    def check(self, port: int, sent: Packet | bytes, out: int, *accepted: Packet, any_label: bool = False) -> None:
        """One packet goes in and exactly one comes out: one of the accepted, byte by byte.

        With `any_label` the flow label of its outermost header may be any, as the headend chooses it.
        """
        got = self.send(port, sent, at_least=1)
        wanted = [self.out_of(out, packet) for packet in accepted]
        assert len(got) == 1, f"{len(got)} packets came out instead of one: {[frame.data.hex() for frame in got]}"
        any_label = any_label or self.labels
        if not is_one_of(got[0], wanted, any_label=any_label):
            where = f"out of port {got[0].port}, expected port {out}"
            raise AssertionError(f"{where}\n{packets.difference(got[0].data, wanted[0].data)}")
        self.case.record(self.rows, self.into(port, sent), got, wanted, any_label=any_label)

    def check_not_forwarded(self, port: int, sent: Packet | bytes) -> None:
        """A packet goes in and nothing comes out, or an ICMP error back to its sender (RFC 4443, RFC 792)."""
        sent_frame = self.into(port, sent)
        onward = self.onward(sent_frame, self.send(port, sent))
        assert not onward, f"came out of port {onward[0].port}: {onward[0].data.hex()}"
        self.case.record(self.rows, sent_frame, [], [])

    @staticmethod
    def onward(sent: Frame, got: Sequence[Frame]) -> list[Frame]:
        """The output but for ICMP errors back to the sender."""
        return [frame for frame in got if frame.port != sent.port or not packets.is_icmp_error(frame.data)]


def _names(row: Row) -> set[str]:
    """The table and the actions of a row."""
    actions = [row.action] if isinstance(row.action, Action) else row.action
    return {row.table, *(action.name for action in actions)}


def is_one_of(got: Frame, accepted: Sequence[Frame], *, any_label: bool = False) -> bool:
    if not any_label:
        return got in accepted
    return (got.port, packets.unlabelled(got.data)) in [(one.port, packets.unlabelled(one.data)) for one in accepted]


def _source(address: str) -> Row:
    return Row("encap_source", {}, Action("set_encap_source", {"source": address}))


def segments(containers: Sequence[str], weight: int = 1) -> Action:
    """The action of a segment list: containers in travel order."""
    parameters: dict[str, Value] = {f"segment_{place}": value for place, value in enumerate(containers, 1)}
    return Action(f"segments_{len(containers)}", parameters, weight)
