# SPDX-License-Identifier: Apache-2.0
"""A flood of SYNs at a firewall that remembers flows, through the chain: answered or not, it locks none out."""

import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import IPv6Address

import pytest
from fabric import Fabric, Json
from sextantlab import netns
from sextantlab.demo_firewall import example
from sextantlab.processes import until

_HTTP, _NO_LISTENER = 80, 81
_FLOWS = 256
_SYNS = 20 * _FLOWS
_SECONDS = 10
_CONNECTIONS = 5


def remembering() -> Json:
    """Only connections that the client opens, and packets of these."""
    return {
        "name": "fw-web", "node": "nfv", "default": "drop", "flows": _FLOWS,
        "rules": [
            {"name": "known", "state": ["established"], "action": "accept"},
            {"name": "web", "family": "ipv6", "destination": ["fc00:d1::/64"], "protocol": "tcp",
             "destinationPorts": f"{_HTTP},{_NO_LISTENER}", "state": ["new"], "action": "accept"},
        ],
    }  # fmt: skip


@pytest.fixture
def guarded(fabric: Fabric) -> Fabric:
    """Both ways lead through the firewall."""
    fabric.firewall(remembering())
    fabric.policy(example("chain") | {"hops": [{"firewall": "fw-web"}]})
    fabric.policy(
        example("back") | {"hops": [{"firewall": "fw-web", "loose": True}, {"node": "ingress", "loose": True}]}
    )
    return fabric


@contextmanager
def echo(namespace: str) -> Iterator[None]:
    """An echo server."""
    listener = netns.inside(namespace, lambda: socket.create_server(("::", _HTTP), family=socket.AF_INET6, backlog=64))
    listener.settimeout(0.2)
    done = threading.Event()

    def serve(one: socket.socket) -> None:
        with one, suppress(OSError):
            while heard := one.recv(100):
                one.sendall(heard)

    def accept() -> None:
        while not done.is_set():
            with suppress(TimeoutError):
                threading.Thread(target=serve, args=(listener.accept()[0],), daemon=True).start()

    server = threading.Thread(target=accept, daemon=True)
    server.start()
    try:
        yield
    finally:
        done.set()
        server.join()
        listener.close()


def connected(namespace: str, address: str) -> socket.socket:
    def connect() -> socket.socket:
        return socket.create_connection((address, _HTTP), timeout=_SECONDS)

    return netns.inside(namespace, connect)


def answers(connection: socket.socket, said: bytes) -> bool:
    connection.sendall(said)
    return connection.recv(100) == said


def syn(source: IPv6Address, port: int, destination: IPv6Address, destination_port: int) -> bytes:
    """With its IPv6 header."""
    segment = struct.pack("!HHIIBBHHH", port, destination_port, 1, 0, 0x50, 2, 512, 0, 0)
    pseudo = source.packed + destination.packed + struct.pack("!II", len(segment), 6) + segment
    total = sum(struct.unpack(f"!{len(pseudo) // 2}H", pseudo))
    total = (total & 0xFFFF) + (total >> 16)
    checksum = ~(total + (total >> 16)) & 0xFFFF
    segment = segment[:16] + struct.pack("!H", checksum) + segment[18:]
    return struct.pack("!IHBB", 6 << 28, len(segment), 6, 64) + source.packed + destination.packed + segment


def flood(namespace: str, to: IPv6Address, port: int, *, first: int, syns: int) -> None:
    """Each SYN from another source, none of which is there."""
    sender = netns.inside(namespace, lambda: socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW))
    with sender:
        for number in range(first, first + syns):
            source = IPv6Address(int(IPv6Address("2001:db8:bad::")) + number)
            sender.sendto(syn(source, 1024 + number % 60000, to, port), (str(to), 0))


@pytest.mark.parametrize("port", [_HTTP, _NO_LISTENER], ids=["a server", "no listener"])
def test_a_flood_of_syns_locks_no_connection_out(guarded: Fabric, port: int) -> None:
    client, server = (guarded.lab.namespace(name) for name in ("client", "d1"))
    address = guarded.lab.network.host("d1").address(6)
    before = dropped(guarded)
    with echo(server), connected(client, address) as first:
        assert answers(first, b"before")
        for at in range(_CONNECTIONS):
            attack = threading.Thread(
                target=flood,
                args=(client, IPv6Address(address), port),
                kwargs={"first": at * _SYNS, "syns": _SYNS},
            )
            attack.start()
            with connected(client, address) as other:
                assert answers(other, b"meanwhile")
                attack.join()
                assert answers(other, b"afterwards")
            assert answers(first, b"still there")
    assert until(lambda: dropped(guarded)["evicted"] - before["evicted"] > _SYNS, _SECONDS), dropped(guarded)
    assert dropped(guarded)["flows"] == before["flows"]


def dropped(fabric: Fabric) -> dict[str, int]:
    shown: dict[str, int] = fabric.rest.get("/srv6/firewalls/fw-web/counters")["dropped"]
    return shown
