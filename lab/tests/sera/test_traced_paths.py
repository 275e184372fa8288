# SPDX-License-Identifier: Apache-2.0
"""A traced path against the wire: node by node the outer header that the trace says is the one that is captured."""

import itertools
import struct
from ipaddress import IPv6Address

import pytest
from fabric import Fabric, Json
from sextantlab.capture import Capture, Packet
from sextantlab.demo_firewall import SOURCE_PORTS, example, sent
from sextantlab.protocols.ip import Ip
from sextantlab.protocols.udp import Udp
from sextantlab.traffic import PORT

_DNS, _NOBODYS = 53, 9999
_HOST_HOPS = 64  # hop limit of packets from Linux hosts


def captured(fabric: Fabric, port: int) -> list[Packet]:
    """One datagram at all nodes, in the order of time; not between the ends of the agents' own pairs."""
    lab = fabric.lab
    client, server = (lab.network.host(name).address(6) for name in ("client", "d1"))
    with Capture({node.name: lab.namespace(node.name) for node in lab.network.nodes}) as capture:
        sent(lab, port)
        seen = capture.packets(client, server)
    ends = (SOURCE_PORTS[0], port)
    return [one for one in seen if _ports(one) == ends and not one.interface.startswith("sextant")]


def _ports(packet: Packet) -> tuple[int, int] | None:
    udp = next((header for header in packet.headers if isinstance(header, Udp)), None)
    return None if udp is None else (udp.source_port, udp.destination_port)


def bytes_of(header: Ip, hop_limit: int) -> bytes:
    """The packet, but for traffic class and flow label."""
    head = struct.pack("!IHBB", 6 << 28, len(header.payload), header.protocol, hop_limit)
    return head + b"".join(IPv6Address(end).packed for end in (header.source, header.destination)) + header.payload


def traced(fabric: Fabric, policy: str, packet: Packet) -> Json:
    """The trace of the packet, as its host sent it."""
    body = {"hex": bytes_of(packet.inner, _HOST_HOPS).hex(), "policy": policy, "path": 0}
    answer: Json = fabric.rest.post("/srv6/firewalls/fw-web/trace", body)
    return answer


def told(header: Json) -> tuple[str, int, int, bytes]:
    """Destination, segments left, hop limit, and the bytes behind traffic class and flow label."""
    data = bytes.fromhex(header["header"])[4:]
    return header["destinationAddress"], header.get("segmentsLeft", 0), header["hopLimit"], data


def wire(packet: Packet, length: int) -> tuple[str, int, int, bytes]:
    outer = next(header for header in packet.headers if isinstance(header, Ip))
    return packet.destination, packet.segments_left, packet.hop_limit, bytes_of(outer, outer.hop_limit)[4 : 4 + length]


@pytest.mark.parametrize(
    ("port", "ways", "end"),
    [
        (_DNS, ["ingress", "nfv", "nfv2", "egress"], "delivered"),
        (PORT, ["ingress", "nfv", "ids", "nfv2", "egress"], "delivered"),
        (_NOBODYS, ["ingress", "nfv"], "dropped"),
    ],
)
def test_each_header_of_a_traced_path_is_the_one_on_the_wire(
    fabric: Fabric, port: int, ways: list[str], end: str
) -> None:
    body = example("fw-web")
    open_one = {"name": "open", "family": "ipv6", "protocol": "udp", "destinationPorts": str(PORT), "action": "accept"}
    fabric.chain(body | {"rules": [*body["rules"], open_one]}, "chain")
    packets = captured(fabric, port)
    answer = traced(fabric, "chain", packets[0])
    assert answer["end"]["outcome"] == end, answer
    visits = [(node, list(hops)) for node, hops in itertools.groupby(answer["hops"], lambda hop: str(hop["node"]))]
    assert [node for node, _ in visits] == list(dict.fromkeys(packet.node for packet in packets)) == ways
    for node, hops in visits:
        _compare(node, hops[0].get("before"), [one for one in packets if one.node == node and not one.leaving])
        _compare(node, hops[-1].get("after"), [one for one in packets if one.node == node and one.leaving])


def _compare(node: str, header: Json | None, packets: list[Packet]) -> None:
    """One packet with that header, or none where there is no header."""
    if header is None:
        assert packets == [], f"{node}: the trace knows of no header here"
        return
    assert len(packets) == 1, f"{node}: the trace has {header}, captured are {packets}"
    wanted = told(header)
    assert wire(packets[0], len(wanted[3])) == wanted, node
