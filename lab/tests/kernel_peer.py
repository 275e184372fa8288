# SPDX-License-Identifier: Apache-2.0
"""Which packets a kernel forwards under rules of ip6tables, iptables or nft: a namespace between two device pairs."""

import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from sextantlab import netns
from sextantlab.processes import until

_NAMESPACE = f"rules-{os.getpid()}"
_IN, _OUT = "02:00:00:00:00:0a", "02:00:00:00:00:0b"
_NO_ONE = "02:00:00:00:00:ee"
_ALL, _IPV4, _IPV6 = 3, 0x0800, 0x86DD
_SECONDS = 10


class Kernel:
    """`a1` is where packets are put in; packets that the namespace forwards come out of `b1`."""

    def __init__(self) -> None:
        self._into = netns.inside(_NAMESPACE, lambda: _raw("a1", 0))
        self._out = netns.inside(_NAMESPACE, lambda: _raw("b1", _ALL))
        self._out.settimeout(0.2)
        self._arrived = self._counted()

    def close(self) -> None:
        self._into.close()
        self._out.close()

    def load(self, command: Sequence[str], text: str) -> None:
        done = self._run(command, text)
        assert done.returncode == 0, f"{command}: {done.stderr}\n{text}"

    def takes(self, command: Sequence[str], text: str) -> bool:
        return self._run(command, text).returncode == 0

    @staticmethod
    def _run(command: Sequence[str], text: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            ["ip", "netns", "exec", _NAMESPACE, *command], input=text, capture_output=True, text=True, check=False
        )

    def forwarded(self, packets: Sequence[bytes]) -> set[bytes]:
        """Which of the packets come out, hop limit aside."""
        came: set[bytes] = set()
        for at in range(0, len(packets), 50):
            sent = packets[at : at + 50]
            for packet in sent:
                self._into.send(_frame(packet))
            self._await_handled(len(sent))
            came |= self._read()
        return came

    def _await_handled(self, packets: int) -> None:
        """The device that they arrive at counts them before they are forwarded, in the same breath."""
        self._arrived += packets
        assert until(lambda: self._counted() >= self._arrived, _SECONDS, interval=0.01)

    @staticmethod
    def _counted() -> int:
        return int(netns.run(_NAMESPACE, "cat", "/sys/class/net/a0/statistics/rx_packets").stdout)

    def _read(self) -> set[bytes]:
        came: set[bytes] = set()
        while True:
            try:
                frame = self._out.recv(65535)
            except TimeoutError:
                return came
            if frame[12:14] in (b"\x08\x00", b"\x86\xdd"):
                came.add(still(frame[14:]))


def still(packet: bytes) -> bytes:
    """A packet without the fields that a hop changes and without the padding of a short frame."""
    if packet[0] >> 4 == 6:
        return packet[:7] + b"\0" + packet[8 : 40 + int.from_bytes(packet[4:6], "big")]
    return packet[:8] + b"\0" + packet[9:10] + b"\0\0" + packet[12 : int.from_bytes(packet[2:4], "big")]


def _raw(device: str, protocol: int) -> socket.socket:
    one = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(protocol))
    one.bind((device, protocol))
    one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
    return one


def _frame(packet: bytes) -> bytes:
    kind = _IPV6 if packet[0] >> 4 == 6 else _IPV4
    return bytes.fromhex(_IN.replace(":", "") + _NO_ONE.replace(":", "")) + kind.to_bytes(2, "big") + packet


@contextmanager
def kernel() -> Iterator[Kernel]:
    netns.ip_batch([f"netns add {_NAMESPACE}"])
    try:
        netns.sysctl(
            _NAMESPACE,
            {
                "net.ipv6.conf.all.forwarding": "1", "net.ipv6.conf.default.accept_dad": "0",
                "net.ipv4.ip_forward": "1", "net.ipv4.conf.all.rp_filter": "0", "net.ipv4.conf.default.rp_filter": "0",
                # Errors about dropped packets would come out like packets.
                "net.ipv4.icmp_ratemask": "0",
            },
        )  # fmt: skip
        for near, far, address in (("a0", "a1", _IN), ("b0", "b1", _OUT)):
            netns.ip_batch(
                [
                    f"link add {near} address {address} type veth peer name {far}",
                    f"link set {far} up",
                    f"link set {near} up",
                ],
                _NAMESPACE,
            )
            netns.sysctl(_NAMESPACE, {f"net.ipv6.conf.{far}.disable_ipv6": "1"})
        netns.ip_batch(
            [
                "address add fd00:b::1/64 dev b0 nodad", "address add 192.0.2.1/24 dev b0",
                f"neighbor add fd00:b::2 lladdr {_NO_ONE} dev b0", f"neighbor add 192.0.2.2 lladdr {_NO_ONE} dev b0",
                "route add default via fd00:b::2 dev b0", "route add default via 192.0.2.2 dev b0",
            ],
            _NAMESPACE,
        )  # fmt: skip
        one = Kernel()
        try:
            assert until(lambda: "state UP" in netns.ip("link", "show", "b0", namespace=_NAMESPACE), _SECONDS)
            yield one
        finally:
            one.close()
    finally:
        netns.ip_batch([f"netns delete {_NAMESPACE}"])
