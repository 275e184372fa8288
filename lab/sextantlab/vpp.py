# SPDX-License-Identifier: Apache-2.0
"""A VPP router in the namespace of a node: its configuration and how it is started. The agent beside it does the rest.

One VPP per node. It serves its API at a socket in the file system, which is reached from every network namespace, and
writes nothing outside of its folder and of its namespace.
"""

import functools
import json
import os
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import netns, processes
from .bmv2 import fill_checksums
from .processes import Started

PIPECONF = "org.sextant.vpp"
DRIVER = "srv6-vpp"
_PROGRAMS = ("vpp", "vppctl")
# The path of a socket is at most 107 bytes long, so it is not with the lab's other files.
_SOCKETS = Path("/run/sextant")
_START_SECONDS = 30

# Small enough for several on one machine. Buffers of ordinary pages, as a namespace has no huge ones of its own;
# poll-sleep-usec is how long an idle VPP sleeps before it looks at its sockets again.
_STARTUP = """\
unix {{
  nodaemon
  nosyslog
  runtime-dir {run}
  cli-listen {run}/cli.sock
  startup-config {interfaces}
  poll-sleep-usec {sleep_micros}
}}
socksvr {{ socket-name {run}/api.sock }}
statseg {{ socket-name {run}/stats.sock size 32M }}
memory {{ main-heap-size 192M }}
buffers {{ buffers-per-numa 8192 page-size 4K }}
plugins {{
  plugin default {{ disable }}
  plugin af_packet_plugin.so {{ enable }}
  plugin ping_plugin.so {{ enable }}
  plugin acl_plugin.so {{ enable }}
}}
"""


@dataclass(frozen=True)
class Port:
    """A Linux interface that VPP takes packets from, and the addresses it answers for."""

    interface: str
    mtu_bytes: int
    addresses: tuple[str, ...] = ()


def missing() -> str:
    """The missing parts for a VPP node on this machine, and how to get them; "" if none."""
    absent = [name for name in _PROGRAMS if shutil.which(name) is None]
    if absent:
        return (
            f"{' and '.join(absent)} not on PATH: build VPP 26.06 from github.com/FDio/vpp, "
            "with the plugins af_packet, ping and acl"
        )
    return ""


def name_in_vpp(interface: str) -> str:
    """VPP's name of a Linux interface that it reads packets from."""
    return f"host-{interface}"


def folder(namespace: str) -> Path:
    """Where the sockets of this namespace's VPP are."""
    return _SOCKETS / f"vpp-{namespace}"


def agent_words(namespace: str, ports: Iterable[tuple[int, str]]) -> list[str]:
    """The options of sextant-agent to serve this VPP."""
    words = [word for number, name in ports for word in ("--port", f"{number}={name_in_vpp(name)}")]
    return ["--backend", "vpp", "--vpp-api", os.fspath(folder(namespace) / "api.sock"), "--netns", namespace, *words]


def start(namespace: str, ports: Sequence[Port], log: Path, sleep_micros: int = 100) -> Started:
    """Starts VPP on interfaces of a namespace, where the kernel was configured to keep quiet."""
    run = folder(namespace)
    clean(namespace)
    run.mkdir(parents=True)
    macs = _macs(namespace)
    for port in ports:
        # VPP reads bytes: a checksum that was left to hardware would never be written.
        netns.inside(namespace, functools.partial(fill_checksums, port.interface))
    interfaces = run / "interfaces"
    interfaces.write_text("".join(line + "\n" for port in ports for line in _commands(port, macs[port.interface])))
    startup = run / "startup.conf"
    startup.write_text(_STARTUP.format(run=run, interfaces=interfaces, sleep_micros=sleep_micros))
    return processes.start(["ip", "netns", "exec", namespace, "vpp", "-c", startup], log)


def await_up(namespace: str, started: Started) -> bool:
    """Waits for the API and the last interface; False if VPP ended or is not ready in time."""
    sockets = [folder(namespace) / name for name in ("api.sock", "cli.sock", "stats.sock")]
    wanted = sum(line.startswith("create ") for line in (folder(namespace) / "interfaces").read_text().splitlines())

    def ready() -> bool:
        return all(socket.exists() for socket in sockets) and ctl(namespace, "show interface").count("host-") >= wanted

    return processes.until(lambda: not started.alive or ready(), _START_SECONDS) and started.alive


def ctl(namespace: str, *words: str) -> str:
    """The answer of VPP's command line; "" while there is none."""
    argv = ["vppctl", "-s", os.fspath(folder(namespace) / "cli.sock"), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout


def clean(namespace: str) -> None:
    """Removes the files that a VPP which has ended leaves behind."""
    shutil.rmtree(folder(namespace), ignore_errors=True)


def runs_in(words: Sequence[str], namespace: str) -> bool:
    """True if a command line is that of this namespace's VPP."""
    return os.fspath(folder(namespace) / "startup.conf") in words


def _commands(port: Port, mac: str) -> Iterable[str]:
    """Without the bypass of queues, so that captures in the namespace see the packets that VPP sends."""
    name = name_in_vpp(port.interface)
    yield f"create host-interface name {port.interface} hw-addr {mac} cksum-gso-disable qdisc-bypass-disable"
    yield f"set interface mtu packet {port.mtu_bytes} {name}"
    yield f"set interface state {name} up"
    yield f"enable ip6 interface {name}"
    yield f"ip6 nd {name} ra-suppress"
    for address in port.addresses:
        yield f"set interface ip address {name} {address}"


def _macs(namespace: str) -> dict[str, str]:
    argv = ["ip", "-n", namespace, "-j", "link"]
    links = json.loads(subprocess.run(argv, capture_output=True, text=True, check=True).stdout)
    return {link["ifname"]: link["address"] for link in links}
