# SPDX-License-Identifier: Apache-2.0
"""GTP over IPv6 between two kernels' sockets, written and read by scapy: each end keeps the other's address."""

import socket
from functools import partial

from scapy.contrib.gtp import GTP_U_Header, GTPPDUSessionContainer
from scapy.layers.inet import IP, UDP
from scapy.packet import Packet, Raw
from sextantlab import netns
from slices import Mobile

_PORT = 2152


def _bound(address: str) -> socket.socket:
    one = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    one.settimeout(5)
    one.bind((address, _PORT))
    return one


def _message(teid: int, pdu_type: int, inner: Packet) -> bytes:
    container = GTPPDUSessionContainer(type=pdu_type, QFI=9)
    return bytes(GTP_U_Header(teid=teid, E=1, next_ex=0x85) / container / inner)


def test_both_ends_speak_with_each_other_by_their_own_addresses(mobile: Mobile) -> None:
    """The kernels' sockets drop packets that have no checksum or a wrong one (RFC 8200, 8.1)."""
    gnb, upf = (mobile.lab.network.host(name).address(6) for name in ("gnb1", "upf"))
    mobile.slice({
        "name": "v6", "access": {"gateway": "g1", "gnbs": [f"{gnb}/128"]}, "core": {"gateway": "u1", "upfs": [upf]},
        "uplink": {"hops": ["b1"]}, "default": True,
    })  # fmt: skip
    there = IP(src="10.60.0.1", dst="198.18.0.7") / UDP(sport=4660, dport=7) / Raw(b"sextant!")
    back = IP(src="198.18.0.7", dst="10.60.0.1") / UDP(sport=7, dport=4660) / Raw(b"sextant?" * 150)
    near = netns.inside(mobile.lab.namespace("gnb1"), partial(_bound, gnb))
    far = netns.inside(mobile.lab.namespace("upf"), partial(_bound, upf))
    with near, far:
        for sender, target, teid, pdu_type, inner in ((near, upf, 0x12345678, 1, there), (far, gnb, 0x3EA, 0, back)):
            sender.sendto(_message(teid, pdu_type, inner), (target, _PORT))
            heard = GTP_U_Header((far if sender is near else near).recv(65535))
            assert (heard.teid, heard.gtp_type) == (teid, 255)
            container = heard[GTPPDUSessionContainer]
            assert (container.type, container.QFI) == (pdu_type, 9)
            assert bytes(heard[IP]) == bytes(inner)
