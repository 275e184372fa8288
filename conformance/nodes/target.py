# SPDX-License-Identifier: Apache-2.0
"""The node under test: where its P4Runtime is and where its ports lead. A test knows no more about it.

A target is on the command line (given.py) or made by a context manager per kind of data plane: `linux_target` is
sextant-agent over a scratch namespace, `bmv2_target` is bmv2's simple_switch_grpc that runs the compiled program and
`vpp_target` a VPP with sextant-agent, on machines that have them.
"""

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sextantlab import netns, processes, vpp
from sextantlab.errors import UserError
from sextantlab.instance import Instance
from sextantlab.paths import AGENT, BUILD, ROOT
from sextantlab.tls import Folder

Argv = Sequence[str | os.PathLike[str]]
PORTS = (1, 2, 3, 4)
P4INFO = ROOT / "pipeconfs/p4info"
_START_SECONDS = 20
_SWITCH = "simple_switch_grpc"
# A packet may pass the pipeline again and again; the tests need no more than this.
_PASSES = 5
_FIRST_INDEX = 1000
_CPU_PORT = 255  # as pipeconfs/p4src/instantiations/bmv2.p4 has it


@dataclass(frozen=True)
class Port:
    """A port of the node: its own MAC, the one of the neighbor behind it, and where the far end of the wire is."""

    mac: str
    neighbor_mac: str
    far_interface: str


@dataclass(frozen=True)
class Target:
    """A node under test.

    `program` is loaded into a switch beside P4Info; a node with a fixed pipeline has none. `wire_namespace` is where
    the far ends are, "" for here; `namespace` where the node is, if the suite made it. `rounds` is how many packets
    must come through one after the other until everything sent before them has. `tls` has certificates for a node that
    wants some. A headend with `own_labels` gives outer headers a hash of the flow as flow label (RFC 6438, 3), where
    others carry that of the inner header.
    """

    name: str
    address: str
    device_id: int
    p4info: Path
    program: Path | None
    ports: dict[int, Port]
    wire_namespace: str
    rounds: int = 1
    own_labels: bool = False
    namespace: str = ""
    tls: Folder | None = None


@dataclass(frozen=True)
class Kind:
    """The common part of all nodes of one data plane: the fields of Target that say so."""

    p4info: Path
    program: Path | None = None
    rounds: int = 1
    own_labels: bool = False


KINDS = {
    "bmv2": Kind(P4INFO / "bmv2.p4info.txtpb", P4INFO / "bmv2.json", _PASSES),
    "linux": Kind(P4INFO / "linux.p4info.txtpb"),
    "vpp": Kind(P4INFO / "vpp.p4info.txtpb", own_labels=True),
}


def names_of_all() -> frozenset[str]:
    """The tables and actions that any kind of node has: any other name is a mistake of the test."""
    return frozenset(
        match[1] for kind in KINDS.values() for match in re.finditer(r'\balias: "(\w+)"', kind.p4info.read_text())
    )


def node(
    kind: str, address: str, device_id: int, ports: dict[int, Port], wire_namespace: str, namespace: str = ""
) -> Target:
    common = KINDS[kind]
    return Target(
        kind, address, device_id, common.p4info, common.program, ports, wire_namespace, common.rounds,
        common.own_labels, namespace,
    )  # fmt: skip


@contextlib.contextmanager
def linux_target(label: str = "linux", kind: str = "linux", words: Sequence[str] = ()) -> Iterator[Target]:
    """sextant-agent over the kernel, with four ports; `words` are further ones of its command line."""
    with _namespaces(label) as (own, wire, state, ports), _socket() as path:
        netns.sysctl(own, {"net.ipv6.conf.default.accept_dad": "0"})
        _connect(ports, own, wire)
        wired = [word for number in PORTS for word in ("--port", f"{number}=p{number}")]
        argv: Argv = [AGENT, "--netns", own, "--socket", path, "--device-id", "1", *wired, *words,
                      "--state-dir", state / "state"]  # fmt: skip
        with _serving(argv, state / "agent.log", path.exists):
            yield node(kind, f"unix:{path}", 1, ports, wire, own)


@contextlib.contextmanager
def kernel_target(label: str) -> Iterator[Target]:
    """Four ports and nothing behind them, to compare with something else than a node of Sextant."""
    with _namespaces(label) as (own, wire, _, ports):
        netns.sysctl(own, {"net.ipv6.conf.default.accept_dad": "0"})
        _connect(ports, own, wire)
        yield node("linux", "", 0, ports, wire, own)


@contextlib.contextmanager
def bmv2_target(label: str = "bmv2") -> Iterator[Target]:
    """simple_switch_grpc in a namespace of its own, where no other process reaches its listeners."""
    with _namespaces(label) as (own, wire, state, ports), _socket() as path:
        # The kernel beneath the switch has nothing to say on its ports.
        netns.sysctl(own, {"net.ipv6.conf.default.disable_ipv6": "1"})
        _connect(ports, own, wire)
        words = [word for number in PORTS for word in ("-i", f"{number}@p{number}")]
        argv = ["ip", "netns", "exec", own, _SWITCH, "--no-p4", "--device-id", "1", *words,
                "--", "--grpc-server-addr", f"unix:{path}", "--cpu-port", str(_CPU_PORT)]  # fmt: skip
        with _serving(argv, state / "switch.log", path.exists):
            yield node("bmv2", f"unix:{path}", 1, ports, wire, own)


@contextlib.contextmanager
def vpp_target(label: str = "vpp") -> Iterator[Target]:
    """VPP in a namespace of its own, and sextant-agent beside it."""
    with _namespaces(label) as (own, wire, state, ports), _socket() as path:
        # The kernel beneath VPP has nothing to say on its ports.
        netns.sysctl(own, {"net.ipv6.conf.default.disable_ipv6": "1"})
        _connect(ports, own, wire)
        router = vpp.start(own, [vpp.Port(f"p{number}", 9000) for number in PORTS], state / "vpp.log")
        try:
            if not vpp.await_up(own, router):
                raise processes.fail_with_log("VPP does not come up", state / "vpp.log", router)
            words = vpp.agent_words(own, [(number, f"p{number}") for number in PORTS])
            argv: Argv = [AGENT, *words, "--socket", path, "--device-id", "1", "--state-dir", state / "state"]
            with _serving(argv, state / "agent.log", path.exists):
                yield node("vpp", f"unix:{path}", 1, ports, wire, own)
        finally:
            processes.stop(router)
            vpp.clean(own)


@contextlib.contextmanager
def _namespaces(kind: str) -> Iterator[tuple[str, str, Path, dict[int, Port]]]:
    """The namespaces of a node and of its neighbors, a folder for its state, and its ports-to-be."""
    if os.geteuid() != 0:
        raise UserError("the packet tests make network namespaces: run them as root")
    name = f"sxc{Instance.from_environment().number or ''}-{kind}"
    node, wire, state = name, f"{name}-wire", BUILD / "conformance" / name
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        for namespace in (node, wire):
            if netns.exists(namespace):
                raise UserError(
                    f"the namespace {namespace} exists: are packet tests running? ip netns del {namespace}, or use "
                    "other names (SEXTANT_INSTANCE=1)"
                )
            netns.ip("netns", "add", namespace)
            stack.callback(netns.ip, "netns", "del", namespace)
        # The far ends only listen; a kernel that answers neighbor discovery there would be a second node.
        netns.sysctl(wire, {"net.ipv6.conf.default.disable_ipv6": "1"})
        yield node, wire, state, {number: _port(number) for number in PORTS}


def _port(number: int) -> Port:
    return Port(f"02:00:00:00:01:{number:02x}", f"02:00:00:00:02:{number:02x}", f"w{number}")


def _connect(ports: dict[int, Port], node: str, wire: str) -> None:
    for number, port in ports.items():
        # Ends with one index would report a lost carrier late (sextantlab.lab).
        netns.ip("link", "add", f"p{number}", "index", str(_FIRST_INDEX + number), "mtu", "9000",
                 "address", port.mac, "netns", node, "type", "veth",
                 "peer", "name", port.far_interface, "mtu", "9000", "address", port.neighbor_mac,
                 "netns", wire)  # fmt: skip
        netns.ip("link", "set", f"p{number}", "up", namespace=node)
        netns.ip("link", "set", port.far_interface, "up", namespace=wire)


@contextlib.contextmanager
def _serving(argv: Argv, log: Path, ready: Callable[[], bool]) -> Iterator[None]:
    """A process of the node, from when it serves until the end of the tests."""
    process = processes.start(argv, log)
    try:
        served = processes.until(lambda: ready() or not process.alive, _START_SECONDS)
        if not served or not process.alive:
            raise processes.fail_with_log(f"{Path(argv[0]).name} does not serve", log, process)
        yield
    finally:
        processes.stop(process)


@contextlib.contextmanager
def _socket() -> Iterator[Path]:
    """Where a node serves P4Runtime: in the file system, which is reached from every network namespace; shortly."""
    with tempfile.TemporaryDirectory(prefix="sextant-") as run:
        yield Path(run, "p4runtime")


TARGETS = {"bmv2": bmv2_target, "linux": linux_target, "vpp": vpp_target}


def missing(name: str) -> str:
    """The missing parts to run a target on this machine, and how to get them; "" if none."""
    if name == "bmv2" and shutil.which(_SWITCH) is None:
        return f"{_SWITCH} is not on PATH: build bmv2 with PI from github.com/p4lang/behavioral-model"
    if name == "vpp":
        return vpp.missing()
    return ""


def present() -> list[str]:
    return [name for name in sorted(TARGETS) if not missing(name)]
