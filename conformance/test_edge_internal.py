# SPDX-License-Identifier: Apache-2.0
"""Addresses that nodes use inside themselves, for next hops, probes and policies, are not reached by packets: not at a
port, whatever its role, and not behind a decapsulation (docs/reference/edge.md)."""

import pytest
from model.edge import Reason
from nodes.bench import Bench
from nodes.edge_kit import F00D, INSIDE, NEITHER, OUTSIDE, PEER, cells, drops, peer, port
from nodes.packets import H1, H1_V4, SOURCE, outer, v4, v6
from scapy.packet import Packet

# Addresses of the bench's next hops, of no next hop, of a probed list, and of a policy.
NEXT_HOPS, NOBODY, PROBE, POLICY = (
    ["fd5e:7e00::1", "fd5e:7e00::2", "fd5e:7e00::3"], "fd5e:7e00::feff", "fd5e:7e00::2:0:7", "fd5e:7e01::7",
)  # fmt: skip
NEXT_HOPS_V4 = ["169.254.0.1", "169.254.0.2", "169.254.0.3"]
ALL = [*NEXT_HOPS, NOBODY, PROBE, "fd5e:7e00::1:0", "fd5e:7e00:ffff:ffff::1", POLICY, *NEXT_HOPS_V4]
F004 = "fcbb:bbbb:100:f004::"
ROLES = {
    "external": (OUTSIDE, 0),
    "external, strict": (OUTSIDE, 1),
    "internal": (INSIDE, 0),
    "known sources": (INSIDE, 1),
}


def to(destination: str, source: str | None = None, hops: int = 255) -> Packet:
    """A packet to an address of either family."""
    if "." in destination:
        return v4(source or H1_V4, destination, ttl=hops)
    return v6(source or H1, destination, hop_limit=hops)


@pytest.mark.parametrize("destination", ALL)
@pytest.mark.parametrize("role", ROLES)
def test_no_packet_goes_to_a_next_hop(edge: Bench, role: str, destination: str) -> None:
    """Two neighbors with the same id for each other would return it until its hop limit ends."""
    number, strict = ROLES[role]
    edge.modify(
        "edge_port",
        {"in_port": number},
        port(number, role.split(",")[0] if number == OUTSIDE else "internal", strict).action,
    )
    drops(edge, number, Reason.INTERNAL, to(destination))


@pytest.mark.parametrize("destination", ALL)
def test_no_packet_goes_to_a_next_hop_at_a_port_without_a_role(edge: Bench, destination: str) -> None:
    before = cells(edge)
    edge.check_not_forwarded(NEITHER, to(destination))
    assert cells(edge) == before


@pytest.mark.parametrize("destination", ALL)
def test_no_packet_goes_to_a_next_hop_of_a_node_without_an_edge(node: Bench, destination: str) -> None:
    node.check_not_forwarded(1, to(destination))


@pytest.mark.parametrize("destination", ["fd5e:7e00::2", PROBE])
def test_not_for_a_peer_nor_as_the_domain(edge: Bench, destination: str) -> None:
    edge.install(peer(OUTSIDE, "2001:db8:1:7::/64"))
    drops(edge, OUTSIDE, Reason.INTERNAL, to(destination, PEER))
    drops(edge, OUTSIDE, Reason.INTERNAL, to(destination, SOURCE))
    drops(edge, INSIDE, Reason.INTERNAL, to(destination, SOURCE))


@pytest.mark.parametrize("destination", [*NEXT_HOPS, *NEXT_HOPS_V4])
def test_what_is_decapsulated_goes_to_no_next_hop(edge: Bench, destination: str) -> None:
    """Also where it has come from a node of the domain."""
    edge.my_sid(F004 + "/64", "udt4", vrf=0)
    sid = F004 if "." in destination else F00D
    edge.check_not_forwarded(INSIDE, outer(sid, to(destination)))
    edge.check_not_forwarded(NEITHER, outer(sid, to(destination)))


def test_next_hops_are_still_looked_up(edge: Bench) -> None:
    """By the SIDs that lead to one."""
    edge.my_sid("fcbb:bbbb:100:e003::/64", "ua", block_length=32, csid_length=32, next_hop=3)
    edge.my_sid("fcbb:bbbb:100:d003::/64", "udx6", next_hop=3)
    edge.check(INSIDE, outer("fcbb:bbbb:100:d003::", v6()), 3, v6(hop_limit=63))
    edge.check(INSIDE, outer("fcbb:bbbb:100:e003:200::", v6()), 3, outer("fcbb:bbbb:200::", v6(), hop_limit=63))
