# SPDX-License-Identifier: Apache-2.0
"""N9 over GTP, which slices are compared with: bench/gtp/n9.c on plain namespaces (nobody's agent, nobody's rows)."""

import platform
import subprocess
from pathlib import Path

from . import netns
from .errors import UserError
from .paths import BUILD, ROOT

# As bench/gtp/n9.c has it.
NEXT_UPF = "198.51.100.17"
_SOURCE, _OBJECT = ROOT / "bench/gtp/n9.c", BUILD / "bench/n9.o"


def attach(namespace: str, interface: str, section: str) -> None:
    """Has one of the programs see what an interface receives."""
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
