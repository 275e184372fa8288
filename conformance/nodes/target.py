# SPDX-License-Identifier: Apache-2.0
"""The node under test: where its P4Runtime is and where its ports lead. A test knows no more about it.

A target is made by a context manager per kind of data plane; `linux_target` is sextant-agent over a scratch namespace.
"""

import contextlib
import os
import shutil
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sextantlab import lab, netns, processes
from sextantlab.errors import UserError
from sextantlab.paths import AGENT, BUILD, ROOT

PORTS = (1, 2, 3, 4)
LINUX_P4INFO = ROOT / "pipeconfs/p4info/linux.p4info.txtpb"
_START_SECONDS = 20


@dataclass(frozen=True)
class Port:
    """A port of the node: its own MAC, the one of the neighbor behind it, and where the far end of the wire is."""

    mac: str
    neighbor_mac: str
    far_interface: str


@dataclass(frozen=True)
class Target:
    """A node under test."""

    name: str
    address: str
    device_id: int
    p4info: Path
    ports: dict[int, Port]
    wire_namespace: str


@contextlib.contextmanager
def linux_target() -> Iterator[Target]:
    """sextant-agent over the kernel, with four ports."""
    if os.geteuid() != 0:
        raise UserError("the packet tests make network namespaces: run them as root")
    node, wire, state = "sxc-node", "sxc-wire", BUILD / "conformance"
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        for namespace in (node, wire):
            if netns.exists(namespace):
                raise UserError(f"the namespace {namespace} exists: are packet tests running? ip netns del {namespace}")
            netns.ip("netns", "add", namespace)
            stack.callback(netns.ip, "netns", "del", namespace)
        # The far ends only listen; a kernel that answers neighbor discovery there would be a second node.
        netns.sysctl(wire, {"net.ipv6.conf.default.disable_ipv6": "1"})
        netns.sysctl(node, {"net.ipv6.conf.default.accept_dad": "0"})
        ports = {number: _port(node, wire, number) for number in PORTS}
        address = f"127.0.0.1:{_free_port()}"
        log = state / "agent.log"
        words = [word for number in PORTS for word in ("--port", f"{number}=p{number}")]
        agent = processes.start(
            [
                AGENT,
                "--netns",
                node,
                "--listen",
                address,
                "--device-id",
                "1",
                *words,
                "--state-dir",
                state / "state",
            ],
            log,
        )
        stack.callback(processes.stop, agent)
        host, _, number = address.partition(":")
        served = processes.until(lambda: lab.listening(host, int(number)) or not agent.alive, _START_SECONDS)
        if not served or not agent.alive:
            raise processes.fail_with_log("sextant-agent does not serve", log)
        yield Target("linux", address, 1, LINUX_P4INFO, ports, wire)


def _port(node: str, wire: str, number: int) -> Port:
    mac, neighbor = f"02:00:00:00:01:{number:02x}", f"02:00:00:00:02:{number:02x}"
    netns.ip("link", "add", f"p{number}", "mtu", "9000", "address", mac, "netns", node, "type", "veth",
             "peer", "name", f"w{number}", "mtu", "9000", "address", neighbor, "netns", wire)  # fmt: skip
    netns.ip("link", "set", f"p{number}", "up", namespace=node)
    netns.ip("link", "set", f"w{number}", "up", namespace=wire)
    return Port(mac, neighbor, f"w{number}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
