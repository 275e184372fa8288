# SPDX-License-Identifier: Apache-2.0
"""osmo-ggsn and sgsnemu, as Debian has them, over GTP that becomes SRv6 on its way and GTP again."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address
from pathlib import Path

import pytest
from sextantlab import netns
from sextantlab.capture import Capture, Packet
from sextantlab.processes import until
from sextantlab.protocols.gtpu import Gtpu
from slices import Mobile

_CONFIGURATION = """
log stderr
 logging level lgtp info
line vty
 no login
ggsn ggsn0
 gtp state-dir {state}
 gtp bind-ip {address}
 apn internet
  gtpu-mode tun
  tun-device tun4
  type-support v4
  ip prefix dynamic 10.70.0.0/24
  ip dns 0 192.0.2.53
  ip ifconfig 10.70.0.1/24
  no shutdown
 default-apn internet
 no shutdown ggsn
"""
_NETWORK, _UE = "10.70.0.1", "10.70.0.2"
_PINGS = 20

pytestmark = pytest.mark.skipif(
    not (shutil.which("osmo-ggsn") and shutil.which("sgsnemu")),
    reason="osmo-ggsn and sgsnemu are not on PATH: apt-get install osmo-ggsn",
)


@contextmanager
def ggsn(mobile: Mobile, folder: Path) -> Iterator[None]:
    namespace = mobile.lab.namespace("upf")
    configuration = folder / "osmo-ggsn.cfg"
    configuration.write_text(_CONFIGURATION.format(state=folder, address=mobile.lab.network.host("upf").address(4)))
    with (folder / "osmo-ggsn.log").open("wb") as log:
        process = subprocess.Popen(
            ["ip", "netns", "exec", namespace, "osmo-ggsn", "-c", str(configuration)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            ready = until(lambda: ":2152" in netns.run(namespace, "ss", "-Huln").stdout, 10)
            assert ready, (folder / "osmo-ggsn.log").read_text()
            yield
        finally:
            process.terminate()
            process.wait()


def ping(mobile: Mobile, folder: Path) -> str:
    """The output of sgsnemu about its pings through a PDP context of its own."""
    here, there = (mobile.lab.network.host(name).address(4) for name in ("gnb1", "upf"))
    process = subprocess.Popen(
        ["ip", "netns", "exec", mobile.lab.namespace("gnb1"), "stdbuf", "-oL", "sgsnemu", "--listen", here,
         "--remote", there, "--pinghost", _NETWORK, "--pingcount", str(_PINGS), "--pingrate", "50", "--timelimit", "20",
         "--pidfile", str(folder / "pid"), "--statedir", str(folder)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if "Received delete PDP context response" in line:
            break  # it stays for another 20 seconds
    process.kill()
    process.wait()
    return said


def teids(packets: list[Packet], node: str, *, leaving: bool) -> set[int]:
    """The TEIDs of the GTP that a host sent, or got."""
    return {
        header.teid for one in packets if (one.node, one.leaving) == (node, leaving)
        for header in one.headers if isinstance(header, Gtpu)
    }  # fmt: skip


def destinations(packets: list[Packet]) -> dict[str, set[str]]:
    """The packets that each node received as IPv6."""
    seen: dict[str, set[str]] = {}
    for one in packets:
        if ":" in one.source and not one.leaving and not one.interface.startswith("sextant"):
            seen.setdefault(one.node, set()).add(one.destination)
    return seen


def args(teid: int, locator: str) -> str:
    """The last SID: no QFI, and the TEID (RFC 9433, 6.1 and 6.6)."""
    return str(IPv6Address(int(IPv6Address(locator)) | teid << 8))


@pytest.mark.parametrize("hops", [[], ["a1", "a2"]], ids=["traditional", "enhanced"])
def test_sgsnemu_pings_through_osmo_ggsn(mobile: Mobile, tmp_path: Path, hops: list[str]) -> None:
    """Both set sequence numbers, which their slice does without, and neither knows PDU Session Containers."""
    mobile.policy("gnb1", "upf")
    mobile.slice({
        "name": "internet", "access": {"gateway": "g1", "gnbs": ["192.0.2.0/24"]},
        "core": {"gateway": "u1", "upfs": ["198.51.100.1"]}, **({"uplink": {"hops": hops}} if hops else {}),
        "default": True, "container": "never", "sequenceNumbers": "drop",
    })  # fmt: skip
    names = [node.name for node in mobile.lab.network.nodes] + ["gnb1", "upf"]
    with ggsn(mobile, tmp_path), Capture({name: mobile.lab.namespace(name) for name in names}) as capture:
        since = time.time()
        said = ping(mobile, tmp_path)
        assert f"{_PINGS} packets received, 0% packet loss" in said, said
        up = capture.packets(_UE, _NETWORK, since)
        down = capture.packets(_NETWORK, _UE, since)
    (above,) = teids(up, "gnb1", leaving=True)
    (below,) = teids(down, "upf", leaving=True)
    assert teids(up, "upf", leaving=False) == {above}
    assert teids(down, "gnb1", leaving=False) == {below}
    end, start = args(above, "fcbb:bbbb:609:c633:6401::"), args(below, "fcbb:bbbb:108:c000:201::")
    if hops:
        assert destinations(up) == {"a1": {"fcbb:bbbb:200:300::"}, "a2": {"fcbb:bbbb:300::"}, "u1": {end}}
        assert destinations(down) == {"a2": {"fcbb:bbbb:300:200::"}, "a1": {"fcbb:bbbb:200::"}, "g1": {start}}
    else:
        assert destinations(up) == {"a1": {end}, "u1": {end}}
        assert destinations(down) == {"a1": {start}, "g1": {start}}
