# SPDX-License-Identifier: Apache-2.0
"""An SMF and a UPF that others wrote (pfcpsim, eUPF), and the fabric as UPF: the same sessions, the same packets."""

import contextlib
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from sextantlab import bmv2, build, n4, netns, peers
from sextantlab.lab import Lab
from sextantlab.processes import until
from sextantlab.radio import Radio, Tunnel
from slices import Mobile

_UPF, _GNB = "198.51.100.1", "192.0.2.1"
_POOL, _UE = "10.60.0.0/24", "10.60.0.1"
_QFI = 9
# pfcpsim: the uplink's TEID is the session's base id, the downlink's the next number.
_UP, _DOWN = 1, 2
_PORT = 7
_DATAGRAMS = 20


@contextmanager
def eupf(mobile: Mobile, folder: Path) -> Iterator[None]:
    """eUPF on the host upf, as the network's UPF: GTP passes the fabric whole, UEs' addresses are routed there."""
    mobile.policy("gnb1", "upf")
    namespace, u1, dn = (mobile.lab.namespace(name) for name in ("upf", "u1", "dn"))
    netns.ip("route", "add", _POOL, "via", _UPF, namespace=u1)
    # Its XDP program reads bytes, and would tunnel an unwritten checksum.
    netns.inside(dn, partial(bmv2.fill_checksums, "eth0"))
    try:
        with peers.upf(namespace, ["eth0"], _UPF, folder):
            yield
    finally:
        netns.ip("route", "del", _POOL, namespace=u1)
        netns.inside(dn, partial(bmv2.fill_checksums, "eth0", now=False))


def exchange(lab: Lab) -> dict[str, object]:
    """Datagrams of a UE and their echoes, by the place where they came."""
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


@contextmanager
def fabric(mobile: Mobile, folder: Path) -> Iterator[None]:
    """sextant-n4 in the place of the UPF's control plane, beside the SMF; GTP ends at u1."""
    mobile.slice({
        "name": "mbb", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]}, "core": {"anchor": "u1", "upfs": [_UPF]},
        "mode": "enhanced", "uplink": {"hops": ["b1", "b2"]},
    })  # fmt: skip
    build.n4()
    words = ["--netns", mobile.lab.namespace("upf"), "--listen", "127.0.0.1:8805", "--slice", "mbb=default",
             "--ignore", "qer-rates,urr"]  # fmt: skip
    with n4.running(folder / "n4", [*words, *n4.controller_words(mobile.controller)]):
        yield


@pytest.mark.usefixtures("smf_of_others", "upf_of_others")
def test_the_fabric_makes_the_same_packets_as_eupf(mobile: Mobile, tmp_path: Path) -> None:
    """Packets of the same sessions, UE and network: at the UE, at the network, in GTP's header."""
    seen = []
    for upf in (eupf, fabric):
        folder = tmp_path / upf.__name__
        folder.mkdir()
        with upf(mobile, folder), peers.Smf(mobile.lab.namespace("upf"), "eth0", _UPF, folder) as smf:
            smf.session(_UP, _POOL, _GNB)
            seen.append(exchange(mobile.lab))
            smf.release(_UP)
        mobile.clear()
    assert seen[0] == seen[1]
