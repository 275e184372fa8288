# SPDX-License-Identifier: Apache-2.0
"""Certificates after every kind of crash: docs/reference/durability.md.

SEXTANT_CRASH_STATES states of each kind, SEXTANT_CRASH_SEED repeats a run. The recorder is the controller's.
"""

import os
import random
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from sextantlab import certs, network
from sextantlab.errors import UserError
from sextantlab.paths import ROOT
from sextantlab.tls import Folder
from small import SMALL

NODES = network.parse(SMALL).nodes
STATES = int(os.environ.get("SEXTANT_CRASH_STATES", "100"))
SEED = int(os.environ.get("SEXTANT_CRASH_SEED", str(time.time_ns())))
_BLOCK = 4096
_RECORDER = ROOT / "platforms/karaf/host/src/test/c/record_writes.c"
_STEPS: tuple[Callable[[Folder], object], ...] = (
    lambda folder: certs.make(folder, NODES),
    lambda folder: certs.rotate(folder),
    lambda folder: certs.begin_ca(folder),
    lambda folder: certs.rotate(folder),
    lambda folder: certs.drop_ca(folder),
    lambda folder: certs.revoke(folder, ["a"]),
)
_DROPPED, _REVOKED = 5, 6


def steps(path: Path) -> None:
    """The process that is recorded: the number of each step that ended goes to the file `acks`."""
    with (path / "acks").open("wb", buffering=0) as acks:
        for number, step in enumerate(_STEPS, 1):
            step(Folder(path / "certs"))
            acks.write(f"{number}\n".encode())


@dataclass(frozen=True)
class Operation:
    kind: str
    name: str
    offset: int
    body: bytes


def recorded(scratch: Path) -> list[Operation]:
    library, out, folder = scratch / "record.so", scratch / "trace", scratch / "recorded"
    folder.mkdir()
    build = ["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(_RECORDER), "-ldl", "-lpthread"]
    subprocess.run(build, check=True)
    environment = {
        **os.environ,
        "LD_PRELOAD": str(library),
        "SEXTANT_RECORD_FOLDER": str(folder),
        "SEXTANT_RECORD_FILE": str(out),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    program = f"from pathlib import Path; import test_certs_crash as t; t.steps(Path({str(folder)!r}))"
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    return list(operations(out.read_bytes()))


def operations(trace: bytes) -> list[Operation]:
    found, at = [], 0
    while at < len(trace):
        kind, length = chr(trace[at]), struct.unpack_from("<H", trace, at + 1)[0]
        name = trace[at + 3 : at + 3 + length].decode()
        offset, size = struct.unpack_from("<QI", trace, at + 3 + length)
        at += 15 + length
        found.append(Operation(kind, name, offset, trace[at : at + size]))
        at += size
    return found


@dataclass
class Inode:
    folder: bool
    seen: bytes = b""
    certain: bytes = b""


@dataclass
class Disk:
    """The files while a trace is played: the content that programs see, and the part that is certainly on disk."""

    names: dict[str, Inode] = field(default_factory=dict)
    certain: dict[str, Inode] = field(default_factory=dict)
    pending: list[tuple[Operation, Inode | None]] = field(default_factory=list)

    def play(self, operation: Operation) -> None:
        kind, name = operation.kind, operation.name
        if kind == "w":
            old, end = self.names[name].seen, operation.offset + len(operation.body)
            self.names[name].seen = old[: operation.offset].ljust(operation.offset, b"\0") + operation.body + old[end:]
        elif kind == "t":
            self.names[name].seen = self.names[name].seen[: operation.offset].ljust(operation.offset, b"\0")
        elif kind == "s":
            self.names[name].certain = self.names[name].seen
        elif kind == "d":
            self.certain = {one: inode for one, inode in self.certain.items() if above(one) != name}
            self.certain |= {one: inode for one, inode in self.names.items() if above(one) == name}
            self.pending = [entry for entry in self.pending if above(entry[0].name) != name]
        else:
            inode = Inode(kind == "m") if kind in "cm" else None
            self.pending.append((operation, inode))
            renamed(self.names, operation, inode)

    def killed(self, chance: random.Random, last: Operation) -> dict[str, bytes]:
        left = {name: inode.seen for name, inode in self.names.items() if not inode.folder}
        if last.kind == "w" and last.offset + len(last.body) == len(left[last.name]):
            left[last.name] = left[last.name][: last.offset + chance.randrange(len(last.body) + 1)]
        return left

    def powerless(self, chance: random.Random, in_order: bool) -> dict[str, bytes]:
        names = dict(self.certain)
        for operation, inode in self.pending[: chance.randrange(len(self.pending) + 1)]:
            renamed(names, operation, inode)
        return {
            name: survived(inode, chance, in_order)
            for name, inode in names.items()
            if not inode.folder and is_reached(name, names)
        }


def above(name: str) -> str:
    return name.rpartition("/")[0]


def is_reached(name: str, names: dict[str, Inode]) -> bool:
    folder = above(name)
    return not folder or (folder in names and is_reached(folder, names))


def renamed(names: dict[str, Inode], operation: Operation, inode: Inode | None) -> None:
    if inode is not None:
        names[operation.name] = inode
        return
    moved = names.pop(operation.name, None)
    if operation.kind == "r" and moved is not None:
        names[operation.body.decode()] = moved


def survived(inode: Inode, chance: random.Random, in_order: bool) -> bytes:
    if inode.seen == inode.certain:
        return inode.seen
    if in_order:
        return inode.seen[: chance.randrange(len(inode.seen) + 1)]
    size = max(len(inode.seen), len(inode.certain))
    blocks = [chance.choice([inode.seen, inode.certain])[at : at + _BLOCK] for at in range(0, size, _BLOCK)]
    return b"".join(block.ljust(_BLOCK, b"\0") for block in blocks)[
        : chance.choice([len(inode.seen), len(inode.certain)])
    ]


def fault(path: Path, acknowledged: int) -> str:
    """Opens a state as the next command does; empty if nothing is wrong."""
    folder = Folder(path / "certs")
    try:
        certs.make(folder, NODES)
    except UserError as error:
        if acknowledged or "--force makes all anew" not in str(error):
            return f"refused: {error}"
        certs.make(folder, NODES, force=True)
    authorities = x509.load_pem_x509_certificates(folder.ca.read_bytes())
    for one in certs._present(folder):
        certificate = x509.load_pem_x509_certificate(one.pair.certificate.read_bytes())
        key = serialization.load_pem_private_key(one.pair.key.read_bytes(), None)
        if key.public_key() != certificate.public_key():
            return f"{one.name} has another key"
        if certificate.issuer not in [authority.subject for authority in authorities]:
            return f"{one.name} is signed by an authority that is gone"
    if acknowledged >= _DROPPED and len(authorities) != 1:
        return "an authority that was dropped is back"
    states = {row["name"]: row["state"] for row in certs.show(folder)}
    if acknowledged >= _REVOKED and states["a"] != "revoked":
        return "a certificate that was revoked is good again"
    return ""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not there: it builds the recorder")
@pytest.mark.parametrize("crash", ["KILL", "IN_ORDER", "ANY_BLOCKS"])
def test_certificates_survive_every_crash(tmp_path: Path, crash: str) -> None:
    trace = recorded(tmp_path)
    chance = random.Random(f"{SEED} {crash}")
    disk, played, bad = Disk(), 0, []
    for point in sorted(chance.randrange(len(trace)) for _ in range(STATES)):
        while played <= point:
            disk.play(trace[played])
            played += 1
        left = disk.killed(chance, trace[point]) if crash == "KILL" else disk.powerless(chance, crash == "IN_ORDER")
        acks = disk.names["acks"].seen.split() if "acks" in disk.names else []
        state = tmp_path / "state"
        for name, body in left.items():
            (state / name).parent.mkdir(parents=True, exist_ok=True)
            (state / name).write_bytes(body)
        state.mkdir(exist_ok=True)
        bad += [
            f"after {point} of {len(trace)}: {told}"
            for _ in range(2)
            if (told := fault(state, int(acks[-1]) if acks else 0))
        ]
        shutil.rmtree(state)
    print(f"crash certs: seed {SEED}, {crash} {STATES} states, {len(bad)} bad, each opened twice")
    assert not bad, f"seed {SEED}: {bad[:5]}"
