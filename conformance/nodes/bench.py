# SPDX-License-Identifier: Apache-2.0
"""A programmed node on the test bench: entries go in by name, packets go through, all is undone after a test."""

from collections.abc import Sequence

from scapy.layers.inet6 import IPv6
from scapy.packet import Packet

from . import packets
from .p4runtime import DELETE, INSERT, MODIFY, Action, Client, Value
from .target import Target
from .wire import Frame, Wires

_SENTINEL = packets.v6("2001:db8:ffff::1", "2001:db8:ffff::2")
_SENTINEL_PORT = 4


class Bench:
    """The node, its controller and its wires.

    Port n leads to the neighbor of next hop n. Customers are behind port 1 (2001:db8:1::/48, 10.1.0.0/16) and port 2
    (2001:db8:2::/48, 10.2.0.0/16); the SID block fcbb:bbbb::/32 is behind port 2.
    """

    def __init__(self, target: Target, client: Client, wires: Wires) -> None:
        self.target, self.client, self.wires = target, client, wires
        self._written: list[object] = []

    def underlay(self) -> None:
        """Neighbors, routes and the encapsulation source, which most tests share."""
        ports = self.target.ports
        for number, port in ports.items():
            forward = Action(
                "forward",
                {"port": number, "src_mac": port.mac, "dst_mac": port.neighbor_mac},
            )
            self.insert("next_hop", {"id": number}, forward)
        source = self.client.entry("encap_source", {}, Action("set_encap_source", {"source": packets.SOURCE}))
        source.is_default_action = True
        self.client.write([(MODIFY, source)])
        for table, prefix, next_hop in (
            ("route_v6", "2001:db8:1::/48", 1), ("route_v6", "2001:db8:2::/48", 2), ("route_v6", "fcbb:bbbb::/32", 2),
            ("route_v6", "2001:db8:ffff::/48", _SENTINEL_PORT),
            ("route_v4", "10.1.0.0/16", 1), ("route_v4", "10.2.0.0/16", 2),
        ):  # fmt: skip
            self.route(table, prefix, next_hop)

    def route(self, table: str, prefix: str, *next_hops: int) -> None:
        members = [Action("set_next_hop", {"next_hop": next_hop}) for next_hop in next_hops]
        self.insert(table, {"vrf": 0, "dst": prefix}, members)

    def my_sid(self, sid: str, action: str, **parameters: Value) -> None:
        self.insert("my_sid", {"sid": sid}, Action(action, parameters))

    def steer(
        self,
        prefix: str,
        action: str,
        *lists: tuple[int, Sequence[str]],
        sid_list: int = 1,
    ) -> None:
        """Steers a prefix into weighted segment lists, each with its containers in travel order."""
        members = [segments(containers, weight) for weight, containers in lists]
        self.insert("sid_list", {"id": sid_list}, members)
        table = "steering_v6" if ":" in prefix else "steering_v4"
        self.insert(table, {"vrf": 0, "dst": prefix}, Action(action, {"sid_list": sid_list}))

    def insert(
        self,
        table: str,
        match: dict[str, Value],
        action: Action | Sequence[Action],
        *,
        priority: int = 0,
    ) -> None:
        entry = self.client.entry(table, match, action, priority=priority)
        self.client.write([(INSERT, entry)])
        self._written.append(entry)

    def forget(self) -> None:
        """Deletes what this bench inserted, the latest first."""
        while self._written:
            self.client.write([(DELETE, self._written.pop())])

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

    def send(self, port: int, *sent: Packet) -> list[Frame]:
        """What comes out of the node for packets that go into a port."""
        after = _SENTINEL.copy()
        after[IPv6].hlim -= 1
        return self.wires.exchange(
            [self.into(port, packet) for packet in sent],
            self.into(port, _SENTINEL),
            self.out_of(_SENTINEL_PORT, after),
        )

    def check(self, port: int, sent: Packet, out: int, *accepted: Packet) -> None:
        """One packet goes in and exactly one comes out: one of the accepted, byte by byte."""
        got = self.send(port, sent)
        wanted = [self.out_of(out, packet) for packet in accepted]
        assert len(got) == 1, f"{len(got)} packets came out instead of one: {[frame.data.hex() for frame in got]}"
        if got[0] not in wanted:
            where = f"out of port {got[0].port}, expected port {out}"
            raise AssertionError(f"{where}\n{packets.difference(got[0].data, wanted[0].data)}")

    def check_dropped(self, port: int, sent: Packet) -> None:
        """A packet goes in and nothing comes out."""
        got = self.send(port, sent)
        assert not got, f"came out of port {got[0].port}: {got[0].data.hex()}"


def segments(containers: Sequence[str], weight: int = 1) -> Action:
    """The action of a segment list: containers in travel order."""
    parameters: dict[str, Value] = {f"segment_{place}": value for place, value in enumerate(containers, 1)}
    return Action(f"segments_{len(containers)}", parameters, weight)
