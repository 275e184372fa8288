# SPDX-License-Identifier: Apache-2.0
"""Mobile sessions: GTP-U into SRv6 and back (RFC 9433; docs/reference/mobile-node.md).

GTP over IPv4.
"""

import pytest
from nodes.bench import Bench
from nodes.mobile_kit import (
    CARRY,
    DOWNLINK,
    T_PDU,
    T_PDU_6,
    UPF,
    UPLINK,
    WHOLE,
    address,
    carried,
    gtp,
    hop_less,
    in_srv6,
    ipv4,
    ipv6,
    rule,
    session,
    srh,
    to_gtp4,
    translate,
    udp,
)
from nodes.packets import v4
from scapy.layers.inet import IP
from scapy.packet import Packet

PLANES = ("sessions",)
pytestmark = pytest.mark.usefixtures("has_mobile_sessions")


# --- GTP over IPv4


def test_gtp_over_ipv4_becomes_one_container(uplink4: Bench) -> None:
    """RFC 9433, 6.7: addresses, TEID and QFI in the SID, no SRH; the DSCP goes on, the packet inside is as it was."""
    uplink4.check(1, ipv4(gtp()), 2, in_srv6(), any_label=True)


@pytest.mark.parametrize(
    ("container", "args"),
    [
        (None, "0012345678"),
        ("01100000", "0012345678"),
        ("01103f00", "fc12345678"),
        ("01004900", "2612345678"),
        ("01000900", "2412345678"),
    ],
    ids=["no container", "QFI 0", "QFI 63", "downlink with RQI", "downlink"],
)
def test_what_a_container_says_is_in_the_arguments(uplink4: Bench, container: str | None, args: str) -> None:
    """RFC 9433, 6.1: QFI and RQI; the U bit is 0."""
    packet = gtp(container=None if container is None else bytes.fromhex(container))
    uplink4.check(1, ipv4(packet), 2, in_srv6(args), any_label=True)


def of_direction(gateway: Bench, pdu_type: int, *, drop_sequence: int = 0) -> None:
    """As `uplink4`, but for containers of one PDU type, and without a rule for the others."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    gateway.sid_list(2, (1, ["fcbb:bbbb:200:300:f004::"]))
    translate(
        gateway, address_at=48, source="fcbb:bbbb:104::", source_at=48, match={"dst": address(UPF)},
        pdu_type=pdu_type, drop_sequence=drop_sequence,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("pdu_type", "container", "args"),
    [
        (UPLINK, None, "0012345678"),
        (UPLINK, "01100900", "2412345678"),
        (DOWNLINK, None, "0012345678"),
        (DOWNLINK, "01004900", "2612345678"),
    ],
    ids=["uplink, no container", "uplink", "downlink, no container", "downlink with RQI"],
)
def test_a_rule_of_one_direction_takes_its_containers(
    gateway: Bench, pdu_type: int, container: str | None, args: str
) -> None:
    of_direction(gateway, pdu_type)
    packet = gtp(container=None if container is None else bytes.fromhex(container))
    gateway.check(1, ipv4(packet), 2, in_srv6(args), any_label=True)


OTHER_DIRECTION = pytest.mark.parametrize(
    ("pdu_type", "packet"),
    [
        (UPLINK, gtp(container=bytes.fromhex("01004900"))),
        (UPLINK, gtp(container=bytes.fromhex("01000900"))),
        (UPLINK, gtp(optional=bytes.fromhex("00010085 01004900"), flags=0x36)),
        (UPLINK, gtp(T_PDU_6, container=bytes.fromhex("01004900"))),
        (DOWNLINK, gtp()),
        (DOWNLINK, gtp(optional=bytes.fromhex("00010085 01100900"), flags=0x36)),
    ],
    ids=["downlink with RQI", "downlink", "downlink with a number", "downlink, IPv6", "uplink", "uplink with a number"],
)


@OTHER_DIRECTION
def test_a_container_of_the_other_direction_is_carried_whole(gateway: Bench, pdu_type: int, packet: bytes) -> None:
    """RFC 9433, 6.1: Args.Mob.Session has no bit for the PDU type, and would lose it."""
    of_direction(gateway, pdu_type, drop_sequence=1)
    rule(gateway, CARRY, "carry", {"dst": address(UPF)}, sid_list=2)
    gateway.check(1, ipv4(packet), 2, carried(ipv4(packet)), any_label=True)


@OTHER_DIRECTION
def test_a_container_of_the_other_direction_is_discarded(gateway: Bench, pdu_type: int, packet: bytes) -> None:
    """Where the rule for fields that SRv6 lacks discards it."""
    of_direction(gateway, pdu_type, drop_sequence=1)
    rule(gateway, CARRY, "gtp_discard", {"dst": address(UPF)})
    before = gateway.client.cell("gtp_dropped", 10)
    gateway.check_not_forwarded(1, ipv4(packet))
    assert gateway.client.cell("gtp_dropped", 10) == before + 1
    counts = {row.priority: row.counter_data.packet_count for row in gateway.client.read("gtp_rule", counters=True)}
    assert counts == {20: 0, CARRY: 1}


def test_ipv6_inside(uplink4: Bench) -> None:
    uplink4.check(1, ipv4(gtp(T_PDU_6)), 2, in_srv6(inner=T_PDU_6), any_label=True)


def test_gtp_over_ipv4_comes_out_as_it_went_in(gateway: Bench) -> None:
    """RFC 9433, 6.6: the headers of the golden packet, two hops further."""
    to_gtp4(gateway)
    gateway.check(1, in_srv6(hops=62), 2, ipv4(gtp(), ttl=61))


def test_a_sid_behind_an_srh(gateway: Bench) -> None:
    """All extension headers go (RFC 9433, 6.6)."""
    to_gtp4(gateway)
    plain = in_srv6()
    routed = ipv6(srh(4, 0, plain.dst) + T_PDU, plain.src, plain.dst, next_header=43, hops=63)
    gateway.check(1, routed, 2, ipv4(gtp(), ttl=62))


@pytest.mark.parametrize(
    ("pdu_type", "container", "args", "expected"),
    [
        (1, 0, "2412345678", None),
        (1, 1, "0012345678", None),
        (1, 2, "0012345678", "01100000"),
        (1, 1, "fc12345678", "01103f00"),
        (0, 1, "2612345678", "01004900"),
        (0, 1, "0212345678", "01004000"),
        (1, 1, "2612345678", "01100900"),
        (1, 1, "0112345678", None),
    ],
    ids=["never", "nothing to say", "always", "QFI 63", "RQI", "RQI alone", "RQI up", "U"],
)
def test_the_container_that_the_sid_wants(
    gateway: Bench, pdu_type: int, container: int, args: str, expected: str | None
) -> None:
    """TS 38.415, 5.5.2: RQI is of downlinks only. The U bit is unused (RFC 9433, 6.1)."""
    to_gtp4(gateway, pdu_type=pdu_type, container=container)
    out = gtp(container=None if expected is None else bytes.fromhex(expected))
    gateway.check(1, in_srv6(args), 2, ipv4(out, ttl=62))


def test_the_source_port_may_be_of_the_flow(gateway: Bench) -> None:
    """One port for a flow, from the dynamic ones, so that paths of equal cost are used."""
    to_gtp4(gateway, udp_source=0)
    ports = []
    for inner in (T_PDU, T_PDU, T_PDU[:20] + b"\x12\x35" + T_PDU[22:]):
        (got,) = gateway.send(1, in_srv6(inner=inner), at_least=1)
        ports.append(int.from_bytes(got.data[34:36], "big"))
    assert ports[0] == ports[1] != ports[2]
    assert min(ports) >= 49152


@pytest.mark.parametrize("packet", WHOLE.values(), ids=WHOLE)
def test_what_srv6_cannot_say_is_carried_whole(uplink4: Bench, packet: bytes) -> None:
    uplink4.check(1, ipv4(packet), 2, carried(ipv4(packet)), any_label=True)


@pytest.mark.parametrize(
    "packet",
    [
        ipv4(gtp(), options=b"\x94\x04\0\0"),
        ipv4(gtp(), fragment=0x2000),
        ipv4(T_PDU, fragment=6),
    ],
    ids=["options", "first fragment", "later fragment"],
)
def test_headers_that_srv6_cannot_say_are_carried_whole(uplink4: Bench, packet: Packet) -> None:
    uplink4.check(1, packet, 2, carried(packet), any_label=True)


def test_a_sequence_number_may_be_lost(uplink4: Bench) -> None:
    """Where a rule says so: the payload behind needs none (TS 29.281, 5.1)."""
    translate(uplink4, address_at=48, source="fcbb:bbbb:104::", source_at=48, drop_sequence=1, priority=30)
    sequenced = gtp(optional=b"\0\1\0\0", flags=0x32)
    uplink4.check(1, ipv4(sequenced), 2, in_srv6("0012345678"), any_label=True)


@pytest.mark.parametrize("port", [2123, 8805, 2153])
def test_other_protocols_to_the_same_address_are_routed(uplink4: Bench, port: int) -> None:
    packet = ipv4(udp(gtp()[8:], port=port))
    uplink4.check(1, packet, 2, hop_less(packet))


def test_gtp_that_no_rule_takes_is_routed(gateway: Bench) -> None:
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    translate(gateway, match={"dst": address("198.51.100.2")})
    gateway.check(1, ipv4(gtp()), 2, hop_less(ipv4(gtp())))


def test_hops_of_the_outer_header_go_on(uplink4: Bench) -> None:
    """Around GTP as around the inner packet."""
    uplink4.check(1, ipv4(gtp(), ttl=9), 2, in_srv6(hops=8), any_label=True)
    whole = ipv4(gtp(kind=254), ttl=9)
    uplink4.check(1, whole, 2, carried(whole, hops=8), any_label=True)
    session(uplink4, "10.60.0.1/32", last="fcbb:bbbb:304:f004::")
    plain = v4(destination="10.60.0.1")
    plain.ttl = 9
    uplink4.check(1, plain, 2, carried(IP(bytes(plain)), "fcbb:bbbb:304:f004::", hops=8), any_label=True)


def test_gtp_on_its_last_hop_is_dropped(uplink4: Bench) -> None:
    uplink4.check_not_forwarded(1, ipv4(gtp(), ttl=1))


def test_padding_of_the_link_stays_behind(uplink4: Bench) -> None:
    frame = uplink4.into(1, ipv4(gtp())).data + bytes(6)
    uplink4.check(1, frame, 2, in_srv6(), any_label=True)
