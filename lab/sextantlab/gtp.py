# SPDX-License-Identifier: Apache-2.0
"""N9 over GTP, which slices are compared with (without agent and rows).

bench/gtp/n9.c on plain namespaces, bench/gtp/n9.p4 on bmv2 switches.
"""

import ipaddress
import platform
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from . import bmv2, netns, processes
from .errors import UserError
from .paths import BUILD, ROOT

# As bench/gtp/n9.c has it.
NEXT_UPF = "198.51.100.17"
_SOURCE, _OBJECT = ROOT / "bench/gtp/n9.c", BUILD / "bench/n9.o"
_P4_SOURCE, _P4C = ROOT / "bench/gtp/n9.p4", "p4c-bm2-ss"
_START_SECONDS = 20


@dataclass(frozen=True)
class Tunnel:
    """A tunnel in a switch: it becomes that of the next UPF with this TEID, or ends here without one."""

    address: str
    teid: int
    next_teid: int | None = None


@dataclass(frozen=True)
class Route:
    """The next hop of a switch for an address: port, MAC addresses of the port and of the neighbor."""

    address: str
    port: int
    source: str
    destination: str


def attach(namespace: str, interface: str, section: str) -> None:
    """Has one of the programs see the packets that an interface receives."""
    program = ["bpf", "da", "obj", _compiled(), "sec", f"tc/{section}"]
    for words in (
        ["qdisc", "add", "dev", interface, "clsact"],
        ["filter", "add", "dev", interface, "ingress", *program],
    ):
        done = netns.run(namespace, "tc", *words)
        if done.returncode != 0:
            raise UserError(f"tc {' '.join(words)}: {done.stderr.strip()}")


def received(namespace: str, interface: str) -> int:
    """Frames that an interface has received."""
    shown = netns.inside(namespace, lambda: Path("/proc/thread-self/net/dev").read_text())
    line = next(line for line in shown.splitlines() if line.strip().startswith(f"{interface}:"))
    return int(line.partition(":")[2].split()[1])


def _compiled() -> str:
    if not _OBJECT.exists() or _OBJECT.stat().st_mtime < _SOURCE.stat().st_mtime:
        _OBJECT.parent.mkdir(parents=True, exist_ok=True)
        words = ["clang", "-O2", "-g", "-Wall", "-Werror", "-target", "bpf"]
        # Where Debian has the headers of this kind of machine.
        words += ["-idirafter", f"/usr/include/{platform.machine()}-linux-gnu", "-c", str(_SOURCE), "-o", str(_OBJECT)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise UserError(f"{' '.join(words)}: {done.stderr.strip()[-500:]}")
    return str(_OBJECT)


def switch_lacks() -> str:
    """The missing parts for a switch of these on this machine, and how to get them; "" if none."""
    if shutil.which(_P4C) is None:
        return f"{_P4C} is not on PATH: build p4c (bmv2 back end) from github.com/p4lang/p4c"
    return bmv2.missing()


def program(name: str, tunnels: Sequence[Tunnel], routes: Sequence[Route]) -> Path:
    """The program of one switch, with its entries."""
    if switch_lacks():
        raise UserError(switch_lacks())
    source = BUILD / f"bench/n9-{name}.p4"
    source.parent.mkdir(parents=True, exist_ok=True)
    source.write_text(
        f"#define TUNNELS {' '.join(map(_tunnel, tunnels))}\n"
        f"#define ROUTES {' '.join(map(_route, routes))}\n"
        f'#include "{_P4_SOURCE}"\n'
    )
    compiled = source.with_suffix(".json")
    words = [_P4C, "--arch", "v1model", "--Werror", "-o", str(compiled), str(source)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise UserError(f"{' '.join(words)}: {done.stderr.strip()[-500:]}")
    return compiled


def _tunnel(one: Tunnel) -> str:
    action = "end()" if one.next_teid is None else f"swap({_number(NEXT_UPF)}, {one.next_teid})"
    return f"({_number(one.address)}, {one.teid}): {action};"


def _route(one: Route) -> str:
    macs = ", ".join(f"0x{mac.replace(':', '')}" for mac in (one.source, one.destination))
    return f"{_number(one.address)} &&& 0xffffffff: forward({one.port}, {macs});"


def _number(address: str) -> str:
    return f"{int(ipaddress.IPv4Address(address)):#x}"


def start_switch(namespace: str, ports: Mapping[int, str], compiled: Path, log: Path) -> processes.Started:
    """A switch with that program in a namespace that is its own, forwarding."""
    words = [word for number, name in ports.items() for word in ("-i", f"{number}@{name}")]
    # Its gRPC is the namespace's own; it has no client.
    argv = ["ip", "netns", "exec", namespace, bmv2.SWITCH, *words, str(compiled)]
    started = processes.start(argv, log)
    listening = "9559"
    if not processes.until(lambda: f":{listening}" in netns.run(namespace, "ss", "-Htln").stdout, _START_SECONDS):
        failure = processes.fail_with_log(f"{bmv2.SWITCH} does not come up in {namespace}", log, started)
        processes.stop(started)
        raise failure
    return started
