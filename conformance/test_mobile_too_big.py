# SPDX-License-Identifier: Apache-2.0
"""Mobile sessions: GTP-U into SRv6 and back (RFC 9433; docs/reference/mobile-node.md).

Packets that are too big, and packets of no session.
"""

import struct
import subprocess
from collections.abc import Iterator

import pytest
from nodes.bench import NO_ICMP, Bench
from nodes.mobile_kit import GNB, GNB6, D, gtp, hop_less, in_srv6, ipv4, ipv6, session, to_gtp4, translate
from nodes.packets import SOURCE, v6
from nodes.target import Target
from scapy.layers.inet import IP
from scapy.layers.inet6 import IPv6
from scapy.utils import checksum

PLANES = ("sessions",)
pytestmark = pytest.mark.usefixtures("has_mobile_sessions")


# --- too big


@pytest.fixture
def narrow(gateway: Bench, target: Target) -> Iterator[Bench]:
    """Port 2 takes 1,400 bytes, and afterwards its former MTU."""
    if not target.namespace:
        pytest.skip("needs to set the MTU of a port of the node")
    command = ["ip", "-n", target.namespace, "link", "set", "p2", "mtu"]
    subprocess.run([*command, "1400"], check=True)
    yield gateway
    subprocess.run([*command, "9000"], check=True)


def large(bytes_of_it: int) -> bytes:
    return bytes(IP(src="10.60.0.1", dst="198.18.0.7", proto=253, flags="DF", len=bytes_of_it)) + bytes(
        bytes_of_it - 20
    )


@pytest.mark.differs("bmv2", NO_ICMP)
def test_the_sender_of_gtp_is_told_how_much_fits(narrow: Bench) -> None:
    """RFC 1191: 1,400 bytes of SRv6 with one container of 40 are 1,404 of GTP with a container of 44."""
    narrow.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    translate(narrow, address_at=48, source="fcbb:bbbb:104::", source_at=48)
    narrow.check(1, ipv4(gtp(large(1360))), 2, in_srv6(inner=large(1360)), any_label=True)
    before = narrow.client.cell("gtp_dropped", 3)
    (got,) = narrow.send(1, ipv4(gtp(large(1361))), at_least=1)
    told = IP(got.data[14:])
    assert (got.port, told.dst, told.proto) == (1, GNB, 1)
    data = bytes(told.payload)
    assert data[:2] == b"\x03\x04"
    assert int.from_bytes(data[6:8], "big") == 1404
    assert data[8:] == bytes(ipv4(gtp(large(1361))))[:548]
    assert checksum(data) == 0
    assert narrow.client.cell("gtp_dropped", 3) == before + 1


@pytest.mark.differs("bmv2", NO_ICMP)
def test_the_sender_of_gtp_over_ipv6_is_told_how_much_fits(narrow: Bench) -> None:
    """RFC 8201: 40 bytes come for 64."""
    narrow.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    narrow.sid_list(1, (1, ["fcbb:bbbb:200:300:f004::"]))
    translate(narrow)
    whole = ipv6(gtp(large(1361)), GNB6, D)
    (got,) = narrow.send(1, whole, at_least=1)
    told = IPv6(got.data[14:])
    data = bytes(told.payload)
    assert (got.port, told.src, told.dst, told.nh, data[:2]) == (1, SOURCE, GNB6, 58, b"\x02\0")
    assert int.from_bytes(data[4:8], "big") == 1424
    assert data[8:] == bytes(whole)[:1232]
    pseudo = got.data[22:54] + struct.pack("!II", len(data), 58)
    assert checksum(pseudo + data) == 0


@pytest.mark.differs("bmv2", NO_ICMP)
def test_the_sender_to_a_session_is_told_how_much_fits(narrow: Bench) -> None:
    session(narrow, "198.18.0.7/32", last="fcbb:bbbb:305:f004::")
    (got,) = narrow.send(1, IP(large(1400)), at_least=1)
    assert got.data[34:36] == b"\x03\x04"
    assert int.from_bytes(got.data[40:42], "big") == 1360


@pytest.mark.differs("bmv2", NO_ICMP)
def test_what_a_router_on_the_way_says_is_told_to_the_sender_of_gtp(gateway: Bench) -> None:
    """Packet Too Big about a packet of this gateway's becomes Fragmentation Needed about that of the gNB."""
    to_gtp4(gateway, "fcbb:bbbb:104::/48", pdu_type=0)
    about = bytes(in_srv6(inner=large(1400), hops=60))[:1232]
    head = b"\x02\0\0\0" + struct.pack("!I", 1400)
    plain = ipv6(head + about, "2001:db8:2::7", "fcbb:bbbb:104:c000:201::", next_header=58, tos=0)
    pseudo = bytes(plain)[8:40] + struct.pack("!II", 8 + len(about), 58)
    total = struct.pack("!H", checksum(pseudo + head + about))
    whole = ipv6(head[:2] + total + head[4:] + about, plain.src, plain.dst, next_header=58, tos=0)
    gateway.check_not_forwarded(2, plain)  # its checksum is wrong
    (got,) = gateway.send(2, whole, at_least=1)
    told = IP(got.data[14:])
    data = bytes(told.payload)
    assert (got.port, told.dst, told.proto, data[:2], checksum(data), len(data)) == (1, GNB, 1, b"\x03\x04", 0, 44)
    assert int.from_bytes(data[6:8], "big") == 1404
    quoted = bytes(ipv4(gtp(large(1400)), tos=0))
    assert data[8:28] == quoted[:20]
    assert data[28:34] + data[36:] == quoted[20:26] + quoted[28:36]


def test_other_sids_of_the_node_stay_what_they_are(gateway: Bench) -> None:
    """The longest SID wins, whatever it does; and a session's prefix takes no packet to a SID."""
    gateway.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    gateway.my_sid("fcbb:bbbb:100:f00d::/64", "udt6", vrf=0)
    gateway.my_sid("fcbb:bbbb:100:f601::/64", "gtp6_d")
    session(gateway, "fcbb:bbbb:100::/40", last="fcbb:bbbb:301:f00d::")
    shifted = ipv6(bytes(v6()), "fcff:3::1", "fcbb:bbbb:100:200:f00d::", next_header=41)
    out = shifted.copy()
    out.dst = "fcbb:bbbb:200:f00d::"
    gateway.check(1, shifted, 2, hop_less(out))
    gateway.check(1, ipv6(bytes(v6()), "fcff:3::1", "fcbb:bbbb:100:f00d::", next_header=41), 2, hop_less(v6()))
