# SPDX-License-Identifier: Apache-2.0
"""An SMF and a UPF that others wrote (pfcpsim, eUPF), and the fabric as UPF: the same sessions, the same packets."""

import contextlib
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import BinaryIO

import pytest
from sextantlab import bmv2, netns, peers
from sextantlab.errors import UserError
from sextantlab.lab import Lab
from sextantlab.processes import until
from sextantlab.protocols.gtpu import Gtpu
from sextantlab.radio import Radio, Tunnel
from slice_rows import Rows

_UPF, _GNB = "198.51.100.1", "192.0.2.1"
_POOL, _UE = "10.60.0.0/24", "10.60.0.1"
_QFI = 9
# pfcpsim: the uplink's TEID is the session's base id, the downlink's the next number.
_UP, _DOWN = 1, 2
_PORT, _SMF_PORT = 7, "54321"
_DATAGRAMS = 20


class Smf:
    """pfcpsim in a namespace, and pfcpctl that tells it what to do."""

    def __init__(self, lab: Lab, folder: Path) -> None:
        self._lab, self._folder = lab, folder

    def __enter__(self) -> "Smf":
        namespace = self._lab.namespace("upf")
        self._log = (self._folder / "pfcpsim.log").open("wb")
        words = [str(peers.pfcpsim() / "pfcpsim"), "--port", _SMF_PORT, "--interface", "eth0"]
        self._process = _in(namespace, words, self._log)
        assert until(lambda: f":{_SMF_PORT}" in netns.run(namespace, "ss", "-Htln").stdout, 10)
        self.do("service", "configure", "--n3-addr", _UPF, "--remote-peer-addr", "127.0.0.1:8805")
        self.do("service", "associate")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self._log.close()

    def do(self, *words: str) -> None:
        server = ["--server", f"127.0.0.1:{_SMF_PORT}"]
        done = netns.run(self._lab.namespace("upf"), str(peers.pfcpsim() / "pfcpctl"), *server, *words)
        assert done.returncode == 0, (done.stdout + done.stderr, (self._folder / "pfcpsim.log").read_text()[-2000:])

    def session(self) -> None:
        """As an SMF does it: established, and the gNB's end told when that is known."""
        ue = ["--count", "1", "--baseID", str(_UP), "--ue-pool", _POOL, "--gnb-addr", _GNB]
        self.do("session", "create", *ue)
        self.do("session", "modify", *ue)


@contextmanager
def eupf(lab: Lab, folder: Path) -> Iterator[None]:
    """eUPF on the host upf, as the network's UPF; addresses of UEs are routed there."""
    try:
        program = peers.eupf()
    except UserError as problem:
        pytest.skip(str(problem))
    namespace, u1 = lab.namespace("upf"), lab.namespace("u1")
    netns.sysctl(namespace, {"net.ipv4.ip_forward": "1"})
    netns.ip("route", "add", _POOL, "via", _UPF, namespace=u1)
    # Its XDP program reads bytes, and would tunnel a checksum that nobody wrote.
    netns.inside(lab.namespace("dn"), partial(bmv2.fill_checksums, "eth0"))
    with (folder / "eupf.log").open("wb") as log:
        # It pins its maps; `ip netns exec` gives it a /sys of its own, without a place for them.
        shell = ["sh", "-c", 'mount -t bpf bpf /sys/fs/bpf && exec "$@"', "sh", str(program)]
        words = ["--iface", "eth0", "--attach", "generic", "--n3addr", _UPF, "--paddr", "127.0.0.1:8805",
                 "--nodeid", "127.0.0.1", "--hbinterval", "60"]  # fmt: skip
        process = _in(namespace, [*shell, *words], log, folder)
        try:
            ready = until(lambda: ":8805" in netns.run(namespace, "ss", "-Huln").stdout, 10)
            assert ready, (folder / "eupf.log").read_text()[-2000:]
            yield
        finally:
            process.terminate()
            process.wait()
            netns.ip("route", "del", _POOL, namespace=u1)
            netns.inside(lab.namespace("dn"), partial(bmv2.fill_checksums, "eth0", now=False))


def _in(namespace: str, words: list[str], log: BinaryIO, cwd: Path | None = None) -> "subprocess.Popen[bytes]":
    argv = ["ip", "netns", "exec", namespace, *words]
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=cwd)


def exchange(lab: Lab) -> dict[str, object]:
    """Datagrams of a UE and their echoes: what came where."""
    gnbs = {"gnb1": (lab.namespace("gnb1"), _GNB)}
    dn = lab.network.host("dn").address(4)
    with Radio(gnbs) as radio, netns.inside(lab.namespace("dn"), partial(_bound, dn, _PORT)) as server:
        ue = radio.attach("gnb1", _UE, Tunnel(_UPF, _UP), _DOWN, qfi=_QFI)
        with netns.inside(ue.namespace, partial(_bound, _UE, 0)) as client:
            there, back = [], []
            assert until(lambda: _echoed(client, server, dn, b"first") is not None, 10)
            for number in range(_DATAGRAMS):
                echoed = _echoed(client, server, dn, b"datagram %d " % number * (number + 1))
                assert echoed is not None
                there.append(echoed[0])
                back.append(echoed[1])
    return {"network": there, "UE": back, "header": ue.heard}


def _echoed(client: socket.socket, server: socket.socket, address: str, data: bytes) -> tuple[object, bytes] | None:
    client.sendto(data, (address, _PORT))
    with contextlib.suppress(TimeoutError):
        heard, (source, port) = server.recvfrom(65535)
        server.sendto(heard[::-1], (source, port))
        return (source, heard), client.recv(65535)
    return None


def _bound(address: str, port: int) -> socket.socket:
    one = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    one.settimeout(2)
    one.bind((address, port))
    return one


def test_eupf_makes_of_pfcpsims_sessions_what_is_expected(mobile: Rows, tmp_path: Path) -> None:
    """The network as it is without Sextant's UPF: GTP passes the fabric whole, by a policy of its hosts."""
    mobile.policy("gnb1", "upf")
    with eupf(mobile.lab, tmp_path), Smf(mobile.lab, tmp_path) as smf:
        smf.session()
        seen = exchange(mobile.lab)
    # Neither has the SMF given a QFI.
    assert seen["header"] == Gtpu(255, _DOWN, None, 0, 0, False)
