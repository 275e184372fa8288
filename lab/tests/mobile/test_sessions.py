# SPDX-License-Identifier: Apache-2.0
"""Sessions that end in the fabric: packets that UEs send over GTP reach the data network and come back, whatever
happens.
"""

import hashlib
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from sextantlab import bmv2, netns, processes
from sextantlab.ping import Pinger
from sextantlab.processes import until
from sextantlab.protocols.gtpu import Gtpu, gtpu
from sextantlab.radio import PORT, Radio, Tunnel, Ue, message
from slices import Json, Mobile

UE, UPF = "10.60.0.1", "198.51.100.1"
SLICE: Json = {
    "name": "urllc", "mode": "enhanced", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]},
    "core": {"anchor": "u1", "upfs": [UPF]}, "uplink": {"hops": ["a1", "a2"]}, "default": True,
}  # fmt: skip
SESSION: Json = {
    "id": "imsi-001-1", "ue": [f"{UE}/32"], "qfi": 9, "uplink": {"endpoint": UPF, "teid": 0x1001},
    "downlink": {"endpoint": "192.0.2.1", "teid": 0x2001},
}  # fmt: skip
_WARM_UP = 50
_BYTES = 1_000_000
_IP_MTU, _IP_MTU_DISCOVER, _IP_PMTUDISC_DO = 14, 10, 2


@contextmanager
def radio(mobile: Mobile) -> Iterator[Radio]:
    gnbs = {name: (mobile.lab.namespace(name), mobile.lab.network.host(name).address(4)) for name in ("gnb1", "gnb2")}
    with Radio(gnbs) as one:
        yield one


@contextmanager
def attached(mobile: Mobile) -> Iterator[tuple[Radio, Ue]]:
    """A UE with a session."""
    mobile.slice(SLICE)
    mobile.sessions("urllc", [SESSION])
    with radio(mobile) as one:
        yield one, one.attach("gnb1", UE, Tunnel(UPF, 0x1001), 0x2001)


def pinging(mobile: Mobile, ue: Ue) -> Pinger:
    return Pinger(ue.namespace, mobile.lab.network.host("dn").address(4), source=ue.address)


def test_a_session_speaks_with_the_data_network(mobile: Mobile) -> None:
    with attached(mobile) as (_, ue), pinging(mobile, ue) as pinger:
        assert pinger.await_replies(_WARM_UP, 10)
    assert pinger.lost() == 0
    assert ue.heard == Gtpu(255, 0x2001, None, 0, 9, False)


def test_a_handover_loses_nothing(mobile: Mobile) -> None:
    with attached(mobile) as (gnbs, ue), pinging(mobile, ue) as pinger:
        assert pinger.await_replies(_WARM_UP, 10)
        gnbs.expect(ue, "gnb2", 0x2002)
        mobile.hand_over("urllc", SESSION | {"downlink": {"endpoint": "192.0.2.17", "teid": 0x2002}})
        assert until(lambda: ue.heard is not None and ue.heard.teid == 0x2002, 10)
        gnbs.hand_over(ue, "gnb2")
        assert pinger.await_replies(_WARM_UP, 10)
    assert pinger.lost() == 0


def test_what_a_gnb_forwards_in_a_handover_reaches_the_next_one(mobile: Mobile) -> None:
    """Indirect forwarding, whatever the container says; packets of no forwarded flow do not come back."""
    mobile.slice(SLICE)
    forwarding = {
        "from": {"endpoint": UPF, "teid": 0x1002},
        "to": {"endpoint": "192.0.2.17", "teid": 0x3002},
        "qfis": [9],
    }
    mobile.sessions("urllc", [SESSION | {"forwarding": forwarding}])
    gnb1, gnb2 = (mobile.lab.namespace(name) for name in ("gnb1", "gnb2"))
    source = netns.inside(gnb1, partial(_connected, mobile.lab.network.host("gnb1").address(4)))
    target = netns.inside(gnb2, partial(_receiving, mobile.lab.network.host("gnb2").address(4)))
    with source, target:
        for size, pdu_type in ((100, 0), (1200, 0), (100, 1)):
            packet = _datagram_to_ue(size)
            source.send(message(packet, 0x1002, 9, pdu_type=pdu_type))
            data, sender = target.recvfrom(2048)
            decoded = gtpu(data)
            assert decoded is not None
            assert (decoded.header, decoded.data) == (Gtpu(255, 0x3002, None, 0, 9, False), packet)
            assert sender[0] == mobile.lab.network.host("gnb1").address(4)
        source.setblocking(False)
        for qfi in (5, 9):  # the first is none of the forwarded ones, the second shows that the path still works
            source.send(message(_datagram_to_ue(300 + qfi), 0x1002, qfi, pdu_type=0))
        decoded = gtpu(target.recv(2048))
        assert decoded is not None
        assert len(decoded.data) == 309
        with pytest.raises(BlockingIOError):
            source.recv(2048)


@pytest.mark.parametrize("node", ["g1", "u1"])
def test_a_killed_agent_costs_no_packet(mobile: Mobile, node: str) -> None:
    with attached(mobile) as (_, ue), pinging(mobile, ue) as pinger:
        assert pinger.await_replies(_WARM_UP, 10)
        processes.kill(mobile.lab.agent(node))
        assert pinger.await_replies(_WARM_UP, 10)
        mobile.lab.start_agent(node)
        mobile.restarted(node)
        assert pinger.await_replies(_WARM_UP, 10)
    assert pinger.lost() == 0


def test_the_sender_of_gtp_is_told_what_fits(mobile: Mobile) -> None:
    """A link behind the gateway takes less than a packet and its SIDs: the gNB's kernel learns it as of any path."""
    mobile.slice(SLICE)
    gnb = mobile.lab.namespace("gnb1")
    netns.ip("link", "set", "g1-a1", "mtu", "1400", namespace=mobile.lab.namespace("g1"))
    try:
        sender = netns.inside(gnb, partial(_connected, mobile.lab.network.host("gnb1").address(4)))
        with sender:
            assert sender.getsockopt(socket.IPPROTO_IP, _IP_MTU) == 1500
            sender.send(message(_datagram(1400), 0x1001, 9))
            assert until(lambda: sender.getsockopt(socket.IPPROTO_IP, _IP_MTU) < 1500, 5)
            fits = sender.getsockopt(socket.IPPROTO_IP, _IP_MTU)
    finally:
        netns.ip("link", "set", "g1-a1", "mtu", "9000", namespace=mobile.lab.namespace("g1"))
        netns.ip("route", "flush", "cache", namespace=gnb)  # the MTU that it has learned
    # 44 bytes of GTP go, 40 and an SRH of 24 or 40 come.
    assert fits in (1400 + 44 - 64, 1400 + 44 - 80)


@pytest.mark.parametrize("offload", [True, False], ids=["offload", "no offload"])
def test_tcp_arrives_as_it_was_sent_whatever_hosts_leave_to_devices(mobile: Mobile, offload: bool) -> None:
    for host in ("dn", "gnb1"):
        netns.inside(mobile.lab.namespace(host), partial(bmv2.fill_checksums, "eth0", now=not offload))
    with attached(mobile) as (_, ue):
        sent = bytes(range(251)) * (_BYTES // 251)
        assert exchanged(mobile, ue, sent) == (hashlib.sha256(sent).hexdigest(),) * 2


def exchanged(mobile: Mobile, ue: Ue, data: bytes) -> tuple[str, str]:
    """The bytes that the data network received, and those of them that came back, as digests."""
    address = mobile.lab.network.host("dn").address(4)
    server = netns.inside(mobile.lab.namespace("dn"), lambda: socket.create_server((address, PORT + 1)))
    client = netns.inside(ue.namespace, lambda: _client(ue.address))
    heard: list[bytes] = []
    with server, client:
        thread = threading.Thread(target=_echo, args=(server, heard, len(data)))
        thread.start()
        client.connect((address, PORT + 1))
        client.sendall(data)
        back = _all(client, len(data))
        thread.join()
    return hashlib.sha256(heard[0]).hexdigest(), hashlib.sha256(back).hexdigest()


def _client(address: str) -> socket.socket:
    one = socket.socket()
    one.settimeout(20)
    one.bind((address, 0))
    return one


def _echo(server: socket.socket, heard: list[bytes], size: int) -> None:
    server.settimeout(10)
    connection, _ = server.accept()
    with connection:
        connection.settimeout(20)
        heard.append(_all(connection, size))
        connection.sendall(heard[0])


def _all(connection: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size and (more := connection.recv(65536)):
        data += more
    return bytes(data)


def _connected(address: str) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.setsockopt(socket.IPPROTO_IP, _IP_MTU_DISCOVER, _IP_PMTUDISC_DO)
    one.bind((address, PORT))
    one.connect((UPF, PORT))
    return one


def _receiving(address: str) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.settimeout(10)
    one.bind((address, PORT))
    return one


def _datagram_to_ue(size: int) -> bytes:
    header = (
        bytes.fromhex("4500")
        + size.to_bytes(2, "big")
        + bytes.fromhex("0000400040fd0000c6120007")
        + bytes([10, 60, 0, 1])
    )
    return header.ljust(size, b"\x5a")


def _datagram(size: int) -> bytes:
    """An IPv4 packet of an unused protocol."""
    header = bytes.fromhex("4500") + size.to_bytes(2, "big") + bytes.fromhex("0000400040fd0000") + bytes([10, 60, 0, 1])
    return (header + bytes([198, 18, 0, 7])).ljust(size, b"\0")
