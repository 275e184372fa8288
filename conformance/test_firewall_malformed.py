# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

Packets that cannot be read, and odd ones that can.
"""

import pytest
from nodes.bench import Bench
from nodes.firewall_kit import (
    ALONE,
    DCCP,
    DROP,
    FIRST,
    FRAGMENT,
    GO_LAST,
    GO_NEXT,
    ICMP,
    ICMPV6,
    INNER,
    INNER_4,
    IPV4_IN,
    IPV6_IN,
    OPTIONS,
    OWN,
    PORTS,
    ROUTING,
    SCTP,
    SECOND,
    TCP,
    TO,
    UDP,
    UDP_LITE,
    A,
    drops_as,
    extension,
    fragment,
    hits,
    ipv4,
    ipv6,
    outer,
    routed,
    rule,
    sent_to,
    srh,
    tcp,
    there,
    udp,
    whole,
)
from nodes.packets import SOURCE

PLANES = ("firewalls",)
pytestmark = pytest.mark.usefixtures("has_firewalls")


# --- malformed packets

MALFORMED = {
    "Segments Left above Last Entry": routed(ALONE, 3, [FIRST]),
    "Segments Left 255": routed(ALONE, 255, [FIRST]),
    "a list longer than the header": routed(ALONE, 1, [FIRST], last=1),
    "Last Entry 255": routed(ALONE, 1, [FIRST], last=255),
    "a list longer than the header, ended": routed(TO, 0, [FIRST], last=1),
    "an SRH without a list": routed(TO, 0, [], last=0),
    "half a segment": ipv6(srh(IPV6_IN, 1, [], last=0, length=1) + bytes(8) + INNER, ROUTING, ALONE, SOURCE),
    "an SRH longer than the packet": ipv6(srh(IPV6_IN, 1, [FIRST], length=200) + INNER, ROUTING, ALONE, SOURCE),
    "an SRH cut off": ipv6(srh(IPV6_IN, 1, [FIRST])[:7], ROUTING, ALONE, SOURCE),
    "an SRH cut off in its list": ipv6(srh(IPV6_IN, 1, [FIRST, SECOND])[:30], ROUTING, ALONE, SOURCE),
    "another routing type": routed(ALONE, 1, [FIRST], kind=3),
    "options longer than the packet": ipv6(bytes([IPV6_IN, 99]) + bytes(6) + INNER, OPTIONS, TO, SOURCE),
    "a piece, the first": ipv6(fragment(IPV6_IN, 0, 1) + INNER, FRAGMENT, TO, SOURCE),
    "a piece, another": ipv6(fragment(IPV6_IN, 8) + INNER, FRAGMENT, TO, SOURCE),
    "nine headers": ipv6(extension(OPTIONS) * 8 + extension(IPV6_IN) + INNER, OPTIONS, TO, SOURCE),
    "nine headers with an SRH": ipv6(
        extension(OPTIONS) * 7 + extension(ROUTING) + srh(IPV6_IN, 1, [FIRST]) + INNER, OPTIONS, ALONE, SOURCE
    ),
    "version 4 in IPv6": ipv6(ipv6(udp(), UDP, version=4), IPV6_IN, TO, SOURCE),
    "version 6 in IPv4": ipv6(ipv4(udp(), UDP, version=6), IPV4_IN, TO, SOURCE),
    "IPv4 called IPv6": ipv6(ipv4(bytes(40), UDP), IPV6_IN, TO, SOURCE),
    "IPv6 called IPv4": ipv6(INNER, IPV4_IN, TO, SOURCE),
    "IHL 4": ipv6(ipv4(udp(), UDP, ihl=4), IPV4_IN, TO, SOURCE),
    "IHL 0": ipv6(ipv4(udp(), UDP, ihl=0), IPV4_IN, TO, SOURCE),
    "IHL beyond the packet": ipv6(ipv4(b"", UDP, ihl=6), IPV4_IN, TO, SOURCE),
    "Total Length below IHL": ipv6(ipv4(udp(), UDP, length=19), IPV4_IN, TO, SOURCE),
    "an IPv4 packet cut off": ipv6(ipv4(udp(), UDP)[:-1], IPV4_IN, TO, SOURCE),
    "an IPv4 header cut off": ipv6(ipv4(b"", UDP)[:19], IPV4_IN, TO, SOURCE),
    "an IPv6 packet cut off": ipv6(INNER[:-1], IPV6_IN, TO, SOURCE),
    "an IPv6 header cut off": ipv6(INNER[:39], IPV6_IN, TO, SOURCE),
    "nothing inside": ipv6(b"", IPV6_IN, TO, SOURCE),
    "nothing of IPv4 inside": ipv6(b"", IPV4_IN, TO, SOURCE),
    "options inside longer than the packet": outer(TO, ipv6(bytes([UDP, 9]) + bytes(6) + udp(), OPTIONS)),
    "options inside cut off": outer(TO, ipv6(bytes([UDP]), OPTIONS)),
    "options in a first fragment cut off": outer(
        TO, ipv6(fragment(OPTIONS, 0, 1) + bytes([UDP, 9]) + bytes(6), FRAGMENT)
    ),
    "nine headers inside": outer(TO, ipv6(extension(OPTIONS) * 8 + extension(UDP) + udp(), OPTIONS)),
}  # fmt: skip


@pytest.mark.parametrize("packet", MALFORMED.values(), ids=MALFORMED)
def test_malformed_packets_do_not_pass(firewall: Bench, packet: bytes) -> None:
    """SERA, 9; whatever the rules say."""
    rule(firewall, GO_NEXT)
    drops_as(firewall, "malformed", packet)
    assert hits(firewall) == {1: 0}


TINY = {
    "UDP of 3 bytes": outer(TO, ipv6(udp()[:3], UDP)),
    "UDP of no bytes": outer(TO, ipv6(b"", UDP)),
    "UDP of 3 bytes, IPv4": outer(TO, ipv4(udp()[:3], UDP)),
    "UDP-Lite of 3 bytes": outer(TO, ipv6(udp()[:3], UDP_LITE)),
    "SCTP of 3 bytes": outer(TO, ipv6(udp()[:3], SCTP)),
    "DCCP of 3 bytes": outer(TO, ipv4(udp()[:3], DCCP)),
    "TCP without flags": outer(TO, ipv6(tcp()[:13], TCP)),
    "TCP without flags, IPv4": outer(TO, ipv4(tcp()[:13], TCP)),
    "ICMPv6 without a code": outer(TO, ipv6(b"\x80", ICMPV6)),
    "ICMP without a type": outer(TO, ipv4(b"", ICMP)),
    "first without ports": outer(TO, ipv6(fragment(UDP, 0, 1) + b"\0\1", FRAGMENT)),
    "first with ports and without flags": outer(TO, ipv6(fragment(TCP, 0, 1) + tcp()[:8], FRAGMENT)),
    "first with ports and without flags, IPv4": outer(TO, ipv4(tcp()[:8], TCP, fragment=0x2000)),
    "first that ends in its options": outer(TO, ipv6(fragment(OPTIONS, 0, 1) + extension(TCP), FRAGMENT)),
    "first that ends in its options and 8 bytes": outer(
        TO, ipv6(fragment(OPTIONS, 0, 1) + extension(TCP) + tcp()[:8], FRAGMENT)
    ),
    "a whole fragment without flags": outer(TO, ipv6(fragment(TCP) + tcp()[:8], FRAGMENT)),
    "flags at offset 1": outer(TO, ipv6(fragment(TCP, 1) + tcp()[8:], FRAGMENT)),
    "flags at offset 1, more to come": outer(TO, ipv6(fragment(TCP, 1, 1) + tcp()[8:16], FRAGMENT)),
    "flags at offset 1 behind options": outer(TO, ipv6(extension(FRAGMENT) + fragment(TCP, 1) + tcp()[8:], OPTIONS)),
    "flags at offset 1, IPv4": outer(TO, ipv4(tcp()[8:], TCP, fragment=0x0001)),
    "flags at offset 1, more to come, IPv4": outer(TO, ipv4(tcp()[8:16], TCP, fragment=0x2001)),
    "nothing inside, UDP of 3 bytes": ipv6(udp()[:3], UDP, TO, SOURCE),
    "nothing inside, TCP without flags": ipv6(srh(TCP, 1, [FIRST]) + tcp()[:13], ROUTING, ALONE, SOURCE),
}  # fmt: skip


@pytest.mark.parametrize("packet", TINY.values(), ids=TINY)
def test_what_is_cut_before_rules_could_see_it_does_not_pass(firewall: Bench, packet: bytes) -> None:
    """RFC 1858, 3 and RFC 3128; RFC 7112, 5: the first fragment has the whole header chain. Else a deny list
    passes packets that the receiver reassembles."""
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 2, {"has": there(PORTS), "ip_protocol": TCP, "dst_port": 80})
    drops_as(firewall, "malformed", packet)
    assert hits(firewall) == {1: 0, 2: 0}


FRAGMENTS = {
    "first with flags": outer(TO, ipv6(fragment(TCP, 0, 1) + tcp()[:16], FRAGMENT)),
    "first with flags, IPv4": outer(TO, ipv4(tcp()[:16], TCP, fragment=0x2000)),
    "second of TCP": outer(TO, ipv6(fragment(TCP, 2) + bytes(9), FRAGMENT)),
    "second of TCP, IPv4": outer(TO, ipv4(bytes(9), TCP, fragment=0x0002)),
    "UDP at offset 1": outer(TO, ipv6(fragment(UDP, 1) + b"\0", FRAGMENT)),
    "UDP at offset 1, IPv4": outer(TO, ipv4(b"\0", UDP, fragment=0x0001)),
    "TCP at offset 257": outer(TO, ipv6(fragment(TCP, 257) + b"\0", FRAGMENT)),
    "TCP at offset 257, IPv4": outer(TO, ipv4(b"\0", TCP, fragment=0x0101)),
    "no ports in what has none": outer(TO, ipv6(b"", 0xFD)),
}  # fmt: skip


@pytest.mark.parametrize("packet", FRAGMENTS.values(), ids=FRAGMENTS)
def test_fragments_that_hide_nothing_pass(firewall: Bench, packet: bytes) -> None:
    rule(firewall, GO_NEXT)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


ODD = {
    "padding behind the packet inside": outer(TO, INNER + b"\0" * 9),
    "eight headers": ipv6(extension(OPTIONS) * 7 + extension(IPV6_IN) + INNER, OPTIONS, TO, SOURCE),
    "eight headers inside": outer(TO, ipv6(extension(OPTIONS) * 7 + extension(UDP) + udp(), OPTIONS)),
    "eight headers outside and inside": ipv6(
        extension(OPTIONS) * 7 + extension(IPV6_IN) + ipv6(extension(OPTIONS) * 7 + extension(UDP) + udp(), OPTIONS),
        OPTIONS, TO, SOURCE,
    ),
    "a wrong checksum inside": outer(TO, INNER_4[:10] + b"\xba\xad" + INNER_4[12:]),
    "a packet in the packet inside": outer(TO, ipv6(INNER, IPV6_IN)),
    "an SRH in the packet inside": outer(TO, ipv6(srh(UDP, 9, [A]) + udp(), ROUTING)),
    "a piece of options inside": outer(TO, ipv6(fragment(OPTIONS, 9) + b"\1", FRAGMENT)),
}  # fmt: skip


@pytest.mark.parametrize("packet", ODD.values(), ids=ODD)
def test_odd_packets_pass(firewall: Bench, packet: bytes) -> None:
    rule(firewall, GO_NEXT)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


def test_nothing_is_read_behind_the_packet_inside(firewall: Bench) -> None:
    """Its own length determines where it ends, not that of the outer header: this one has no ports."""
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 2, {"has": there(PORTS)})
    short = ipv6(b"", UDP) + udp()
    drops_as(firewall, "malformed", ipv6(short, IPV6_IN, TO, SOURCE))
    assert hits(firewall) == {1: 0, 2: 0}


def test_only_the_first_packet_inside_is_judged(firewall: Bench) -> None:
    rule(firewall, GO_NEXT)
    rule(firewall, DROP, 3, {"has": there(PORTS)})
    rule(firewall, GO_LAST, 2, {"ip_protocol": IPV4_IN, "src": "fc00:9::9/128"})
    packet = outer(f"{OWN}600:300::", ipv6(INNER_4, IPV4_IN, source="fc00:9::9"))
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:300::")))
