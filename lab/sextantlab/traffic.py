# SPDX-License-Identifier: Apache-2.0
"""Datagrams from host to host: what arrives, without needing a way back as a ping does."""

import contextlib
import socket
import time
from collections.abc import Sequence

from . import netns

_PORT = 7007
_PATIENCE_SECONDS = 3


def datagrams(source: str, destination: str, address: str, source_ports: Sequence[int]) -> int:
    """Sends one datagram per source port between two namespaces and returns how many arrive."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with contextlib.ExitStack() as stack:
        receiver = netns.inside(destination, lambda: _bound(family, address, _PORT))
        stack.callback(receiver.close)
        for port in source_ports:
            sender = netns.inside(source, lambda port=port: _bound(family, "", port))
            stack.callback(sender.close)
            sender.sendto(b"sextant", (address, _PORT))
        return _received(receiver, len(source_ports))


def _received(receiver: socket.socket, wanted: int) -> int:
    deadline = time.monotonic() + _PATIENCE_SECONDS
    count = 0
    while count < wanted:
        receiver.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            receiver.recv(100)
        except TimeoutError:
            break
        count += 1
    return count


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket:
    datagram = socket.socket(family, socket.SOCK_DGRAM)
    datagram.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 * 1024 * 1024)
    datagram.bind((address, port))
    return datagram
