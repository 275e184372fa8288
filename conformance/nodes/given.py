# SPDX-License-Identifier: Apache-2.0
"""A node that is there already: the suite runs against its P4Runtime address and the interfaces wired to its ports.

    --node linux@192.0.2.1:9559 --certs build/certs --port 1=eth1,02:00:00:00:01:01 --port 2=eth2,…  (four ports)

`linux` (or `bmv2`) says whose P4Info and whose known differences hold. A port is its number, the interface of this
machine at the other end of the wire, and the node's own MAC address there.
"""

import argparse
import re
import socket
from dataclasses import replace
from pathlib import Path

import pytest
from sextantlab import netns
from sextantlab.tls import Folder

from .target import KINDS, PORTS, Port, Target, node

_MAC = re.compile(r"[0-9a-f]{2}(:[0-9a-f]{2}){5}")

# The kinds of nodes that there are cases for; "" for those of none, or of several.
COLLECTED = pytest.StashKey[set[str]]()
# Kinds of nodes that did not start.
ABSENT = pytest.StashKey[set[str]]()


def add_options(parser: pytest.Parser) -> None:
    group = parser.getgroup("a node that is there already")
    group.addoption("--node", type=_node, metavar="KIND@HOST:PORT", help=f"its kind ({', '.join(KINDS)}) and P4Runtime")
    group.addoption("--certs", type=Path, metavar="FOLDER", help="of ./sextant certs; without it, in the clear")
    group.addoption("--node-id", type=int, default=1, metavar="N", help="its P4Runtime device id (1)")
    group.addoption("--port", type=_port, action="append", default=[], metavar="N=INTERFACE,MAC",
                    help=f"one for each of the ports {', '.join(map(str, PORTS))}")  # fmt: skip
    group.addoption("--wires", default="", metavar="NAMESPACE", help="where the interfaces are, if not here")


def target(config: pytest.Config) -> Target | None:
    """The node of the command line, if there is one."""
    if config.getoption("--node") is None:
        return None
    kind, address = config.getoption("--node")
    namespace = config.getoption("--wires")
    ports = {
        number: Port(mac, _neighbor_mac(interface, namespace), interface)
        for number, interface, mac in config.getoption("--port")
    }
    absent = [number for number in PORTS if number not in ports]
    if absent:
        raise pytest.UsageError(f"--node needs a --port for each of {absent}: --port {absent[0]}=INTERFACE,MAC")
    given = node(kind, address, config.getoption("--node-id"), ports, namespace)
    certs = config.getoption("--certs")
    return replace(given, tls=Folder(certs)) if certs else given


def _node(text: str) -> tuple[str, str]:
    kind, _, address = text.partition("@")
    if kind not in KINDS or not address:
        raise argparse.ArgumentTypeError(f"{text}: expected KIND@HOST:PORT, KIND one of {', '.join(KINDS)}")
    return kind, address


def _port(text: str) -> tuple[int, str, str]:
    number, _, rest = text.partition("=")
    interface, _, mac = rest.partition(",")
    if not number.isdigit() or int(number) not in PORTS or not interface or not _MAC.fullmatch(mac.lower()):
        raise argparse.ArgumentTypeError(f"{text}: expected N=INTERFACE,MAC, N one of {', '.join(map(str, PORTS))}")
    return int(number), interface, mac.lower()


def _neighbor_mac(interface: str, namespace: str) -> str:
    def read() -> str:
        with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
            wire.bind((interface, 0))
            *_, address = wire.getsockname()
            return bytes(address).hex(":")

    try:
        return netns.inside(namespace, read)
    except OSError as problem:
        where = f" in the namespace {namespace}" if namespace else ""
        raise pytest.UsageError(f"--port: {interface}{where}: {problem.strerror}") from problem
