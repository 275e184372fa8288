# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

The fields of a packet that rules see.
"""

import pytest
from nodes.bench import Bench
from nodes.firewall_kit import (
    AH,
    ALONE,
    DCCP,
    DROP,
    FIRST,
    FRAGMENT,
    GO_LAST,
    GO_NEXT,
    HOP_BY_HOP,
    ICMP,
    ICMP_TYPE,
    ICMPV6,
    INNER,
    INNER_4,
    IPV4_IN,
    IPV6_IN,
    NEXT,
    NOTHING,
    OPTIONS,
    OWN,
    PORTS,
    PREVIOUS,
    ROUTING,
    SCTP,
    SECOND,
    SKIP_NEXT,
    SRH,
    TCP,
    THIRD,
    TO,
    UDP,
    UDP_LITE,
    A,
    B,
    Match,
    ah,
    drops_as,
    extension,
    fragment,
    hits,
    ipv4,
    ipv6,
    lacking,
    outer,
    protocol,
    routed,
    rule,
    sent_to,
    srh,
    tcp,
    there,
    udp,
    whole,
    with_srh,
)
from nodes.packets import SOURCE

PLANES = ("firewalls",)
pytestmark = pytest.mark.usefixtures("has_firewalls")


# --- matches of rules


_PORTS_THERE: Match = {"has": there(PORTS)}
_UDP_PLAIN = outer(TO)
_TCP_SYN = outer(TO, ipv6(tcp(), TCP))
_ECHO = outer(TO, ipv6(bytes([128, 3, 0, 0, 0, 1, 0, 1]), ICMPV6))
_PING = outer(TO, ipv4(bytes([8, 3, 0, 0, 0, 1, 0, 1]), ICMP))
_NO_SRH: Match = {"has": lacking(SRH)}
_SRH_THERE: Match = {"has": there(SRH)}

# A match, a packet that it takes, and packets that it does not take.
MATCHES: dict[str, tuple[Match, bytes, list[bytes]]] = {
    "IPv6": ({"ip_version": 6}, _UDP_PLAIN, [outer(TO, INNER_4)]),
    "IPv4": ({"ip_version": 4}, outer(TO, INNER_4), [_UDP_PLAIN]),
    "source": ({"src": "2001:db8:1::/48"}, _UDP_PLAIN, [outer(TO, ipv6(udp(), UDP, source="2001:db8:2::1"))]),
    "source, a bit": ({"src": "2001:db8:1::9/128"}, _UDP_PLAIN, [outer(TO, ipv6(udp(), UDP, source="2001:db8:1::8"))]),
    "destination": ({"dst": "2001:db8:2::/49"}, _UDP_PLAIN,
                    [outer(TO, ipv6(udp(), UDP, "2001:db8:2:8000::1"))]),
    "IPv4 source": ({"src": "::ffff:10.1.0.0/112"}, outer(TO, INNER_4),
                    [outer(TO, ipv4(udp(), UDP, source="10.2.0.9")), _UDP_PLAIN]),
    "IPv4 destination": ({"dst": "::ffff:10.2.0.9/128"}, outer(TO, INNER_4),
                         [outer(TO, ipv4(udp(), UDP, "10.2.0.8"))]),
    "protocol": ({"ip_protocol": UDP}, _UDP_PLAIN, [_TCP_SYN, protocol(0xFD)]),
    "protocol of IPv4": ({"ip_protocol": UDP}, outer(TO, INNER_4), [_PING]),
    "source port": (_PORTS_THERE | {"src_port": "1000-1001"}, _UDP_PLAIN,
                    [outer(TO, ipv6(udp(999), UDP)), outer(TO, ipv6(udp(1002), UDP)), _ECHO]),
    "destination port": (_PORTS_THERE | {"dst_port": 53}, outer(TO, INNER_4),
                         [outer(TO, ipv4(udp(1000, 54), UDP)), _TCP_SYN]),
    "port 0": (_PORTS_THERE | {"dst_port": 0}, outer(TO, ipv6(udp(1000, 0), UDP)),
               [_UDP_PLAIN, _ECHO, outer(TO, ipv6(fragment(UDP, 7) + bytes(16), FRAGMENT))]),
    "not a port, below": (_PORTS_THERE | {"dst_port": "0-52"}, outer(TO, ipv6(udp(1, 52), UDP)), [_UDP_PLAIN, _ECHO]),
    "not a port, above": (_PORTS_THERE | {"dst_port": "54-65535"}, _TCP_SYN, [_UDP_PLAIN, _ECHO]),
    "ports of UDP-Lite": (_PORTS_THERE | {"dst_port": 53}, protocol(UDP_LITE, udp()), [protocol(UDP_LITE)]),
    "ports of SCTP": (_PORTS_THERE | {"src_port": 1000}, protocol(SCTP, udp()), [protocol(SCTP)]),
    "ports of DCCP": (_PORTS_THERE | {"src_port": 1000}, protocol(DCCP, udp()), [protocol(DCCP)]),
    "no ports": ({"has": lacking(PORTS)}, _ECHO, [_UDP_PLAIN, _TCP_SYN]),
    "no ports of others": ({"has": lacking(PORTS)}, protocol(0xFD), [protocol(DCCP)]),
    "flags": (_PORTS_THERE | {"ip_protocol": TCP, "tcp_flags": "2&23"}, _TCP_SYN,
              [outer(TO, ipv6(tcp(flags=0x12), TCP)), outer(TO, ipv6(tcp(flags=0x10), TCP)), _UDP_PLAIN]),
    "flags of IPv4": (_PORTS_THERE | {"ip_protocol": TCP, "tcp_flags": "192&192"},
                      outer(TO, ipv4(tcp(flags=0xC2), TCP)), [outer(TO, ipv4(tcp(flags=0x42), TCP))]),
    "ICMPv6 type": ({"has": there(ICMP_TYPE), "icmp_type": 128}, _ECHO,
                    [outer(TO, ipv6(bytes([129, 3, 0, 0]), ICMPV6)), _UDP_PLAIN]),
    "ICMP code": ({"has": there(ICMP_TYPE), "icmp_type": 8, "icmp_code": 3}, _PING,
                  [outer(TO, ipv4(bytes([8, 0, 0, 0]), ICMP)), _ECHO]),
    "no ICMP type": ({"has": lacking(ICMP_TYPE)}, _UDP_PLAIN, [_ECHO, _PING]),
    "no SRH": (_NO_SRH, _UDP_PLAIN, [with_srh()]),
    "an SRH": (_SRH_THERE, with_srh(), [_UDP_PLAIN]),
    "next header of the SRH": (_SRH_THERE | {"srh_next_hdr": IPV4_IN}, with_srh(INNER_4), [with_srh(), _UDP_PLAIN]),
    "length of the SRH": (_SRH_THERE | {"srh_hdr_len": "6-7"}, with_srh(), [routed(ALONE, 1, [FIRST]), _UDP_PLAIN]),
    "segments left": (_SRH_THERE | {"segments_left": 1}, with_srh(), [with_srh(left=2), with_srh(left=3), _UDP_PLAIN]),
    "segments left 0": (_SRH_THERE | {"segments_left": 0}, routed(TO, 0, [FIRST]), [_UDP_PLAIN, with_srh()]),
    "segments left of a reduced list": (_SRH_THERE | {"segments_left": "3-255"}, with_srh(left=3), [with_srh()]),
    "last entry": (_SRH_THERE | {"last_entry": "0-1"}, routed(ALONE, 1, [FIRST, SECOND]), [with_srh(), _UDP_PLAIN]),
    "flags of the SRH": (_SRH_THERE | {"srh_flags": "8&8"}, with_srh(flags=0x18), [with_srh(flags=0x10), _UDP_PLAIN]),
    "tag": (_SRH_THERE | {"srh_tag": 3}, with_srh(tag=3), [with_srh(tag=0x300), with_srh(), _UDP_PLAIN]),
    "previous SID": ({"has": there(PREVIOUS), "previous_sid": "fcbb:bbbb:900::/48"}, with_srh(),
                     [with_srh(left=2), with_srh(left=3), _UDP_PLAIN]),
    "no previous SID": ({"has": lacking(PREVIOUS)}, with_srh(left=2), [with_srh()]),
    "no previous SID in a reduced list": ({"has": lacking(PREVIOUS)}, with_srh(left=3), [with_srh(left=0)]),
    "next SID": ({"has": there(NEXT), "next_sid": "fcbb:bbbb:600::/48"}, with_srh(),
                 [routed(ALONE, 1, [SECOND]), outer(f"{OWN}700::")]),
    "next SID in the container": ({"has": there(NEXT), "next_sid": "fcbb:bbbb:600::/128"}, _UDP_PLAIN,
                                  [outer(f"{OWN}600:300::")]),
    "no next SID": ({"has": lacking(NEXT)}, outer(ALONE), [_UDP_PLAIN]),
    "last SID": ({"last_sid": "fcbb:bbbb:600::/48"}, with_srh(), [routed(ALONE, 1, [SECOND]), _UDP_PLAIN]),
    "last SID without SRH": ({"last_sid": "fcbb:bbbb:200:f230::/60"}, _UDP_PLAIN, [with_srh()]),
    "last SID of an ended list": ({"last_sid": f"{SECOND}/128"}, routed(TO, 0, [SECOND]), [_UDP_PLAIN]),
    "outer source": ({"outer_src": f"{SOURCE}/128"}, _UDP_PLAIN,
                     [ipv6(INNER, IPV6_IN, TO, "fcff:2::1")]),
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
    """SERA, 3.1: basic and advanced matches. A packet that misses gets the default policy."""
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
        packet = ipv6(headers + inner, first, TO, SOURCE)
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


# The first header, headers before the SRH, the SRH's next header, headers behind it.
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
    packet = ipv6(before + header + behind + INNER, first, ALONE, SOURCE)
    after = {GO_NEXT: ("fcbb:bbbb:600::", 2), SKIP_NEXT: (SECOND, 1), GO_LAST: ("fcbb:bbbb:500:f00d::", 0)}[action]
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, *after, srh_at=40 + len(before))))


@pytest.mark.parametrize("count", [1, 2, 20, 126, 127])
@pytest.mark.parametrize("action", [GO_NEXT, SKIP_NEXT, GO_LAST])
def test_lists_of_any_length(firewall: Bench, count: int, action: str) -> None:
    """RFC 8754, 2: Hdr Ext Len counts up to 127 segments; the list is reduced."""
    rule(firewall, action)
    segments = [f"fc00:{place + 1:x}::1" for place in range(count)]
    left = {GO_NEXT: count - 1, SKIP_NEXT: count - 2, GO_LAST: 0}[action]
    packet = routed(ALONE, count, segments)
    if left < 0:
        drops_as(firewall, "unable", packet)
    else:
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, segments[left], left)))


# --- no packet inside

INSERTED: dict[str, tuple[bytes, Match]] = {
    "UDP": (ipv6(srh(UDP, 1, ["2001:db8:2::7"]) + udp(), ROUTING, ALONE, "2001:db8:1::7"),
            _PORTS_THERE | {"dst_port": 53}),
    "TCP behind options": (
        ipv6(srh(OPTIONS, 1, ["2001:db8:2::7"]) + extension(TCP) + tcp(), ROUTING, ALONE, "2001:db8:1::7"),
        _PORTS_THERE | {"ip_protocol": TCP, "tcp_flags": 2},
    ),
    "ICMPv6": (
        ipv6(srh(ICMPV6, 1, ["2001:db8:2::7"]) + bytes([128, 0, 0, 0]), ROUTING, ALONE, "2001:db8:1::7"),
        {"ip_protocol": ICMPV6, "has": there(ICMP_TYPE), "icmp_type": 128},
    ),
    "nothing": (
        ipv6(srh(NOTHING, 1, ["2001:db8:2::7"]), ROUTING, ALONE, "2001:db8:1::7"), {"ip_protocol": NOTHING},
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
        ipv6(udp(), UDP, TO, SOURCE),
        ipv6(srh(UDP, 0, ["2001:db8:2::7"]) + udp(), ROUTING, TO, SOURCE),
    ],
    ids=["no SRH", "ended"],
)
def test_without_a_list_the_destination_is_the_sid(firewall: Bench, packet: bytes) -> None:
    rule(firewall, DROP)
    rule(
        firewall,
        GO_NEXT,
        2,
        {"dst": f"{TO}/128", "outer_src": f"{SOURCE}/128", "dst_port": 53, "has": there(PORTS)},
    )
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


# --- fragments

_FRAGMENTS = {
    "first": (ipv6(fragment(UDP, 0, 1) + udp(), FRAGMENT), True),
    "first, all of its ports": (ipv6(fragment(UDP, 0, 1) + udp()[:4], FRAGMENT), True),
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
    """RFC 8200, 4.5: only the first piece has them; no range matches a missing field, nor does its negation."""
    rule(firewall, DROP)
    rule(firewall, GO_NEXT, 2, {"ip_protocol": UDP})
    if negated:
        rule(firewall, DROP, 4, {"has": there(PORTS), "dst_port": "0-52"})
        rule(firewall, DROP, 3, {"has": there(PORTS), "dst_port": "54-65535"})
    else:
        rule(firewall, GO_LAST, 3, {"has": there(PORTS), "dst_port": 53})
    packet = outer(f"{OWN}600:300::", inner)
    after = "fcbb:bbbb:300::" if ports and not negated else "fcbb:bbbb:600:300::"
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, after)))
