# SPDX-License-Identifier: Apache-2.0
"""PFCP peers that others wrote, built from the Go module proxy: an SMF (pfcpsim) and a UPF (eUPF)."""

import json
import os
import platform
import shutil
import subprocess
from pathlib import Path

from .errors import UserError
from .paths import AGENT_DIR, BUILD
from .steps import command

_PINS = AGENT_DIR / "tools" / "peers"
_EUPF = "github.com/edgecomllc/eupf"
_EUPF_VERSION, _EUPF_SUM = "v0.7.1", "h1:feSppwieIhmF33QYFCPiHHTHHtQaEDo0cih7+ZmAb7c="


def pfcpsim() -> Path:
    """The folder with pfcpsim and pfcpctl, as agent/tools/peers/go.mod pins them."""
    folder, pins = BUILD / "peers", (_PINS / "go.mod").read_text() + (_PINS / "go.sum").read_text()
    stamp = folder / "go.installed"
    if not stamp.exists() or stamp.read_text() != pins:
        folder.mkdir(parents=True, exist_ok=True)
        command("build pfcpsim", ["go", "build", "-o", f"{folder}/", "tool"], cwd=_PINS, env={"CGO_ENABLED": "0"})
        stamp.write_text(pins)
    return folder


def eupf() -> Path:
    """eUPF's program. Its module has neither its compiled eBPF nor the package of its API's description."""
    folder = BUILD / "eupf"
    program = folder / "eupf"
    if program.exists():
        return program
    fresh = folder.with_suffix(".new")
    shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(_downloaded(), fresh, copy_function=shutil.copyfile)
    (fresh / "cmd/docs").mkdir()
    (fresh / "cmd/docs/docs.go").write_text("package docs\n")
    # What Debian's headers want of a machine that it does not know as one of 32 bits.
    (fresh / "include/gnu").mkdir(parents=True)
    (fresh / "include/gnu/stubs-32.h").touch()
    # Locked memory has not counted for eBPF since Linux 5.11, and root in a container may not raise its limit.
    limits = fresh / "cmd/ebpf/utils.go"
    raising = "func IncreaseResourceLimits() error {\n"
    limits.write_text(limits.read_text().replace(raising, raising + "\treturn nil\n"))
    include = f"/usr/include/{platform.machine()}-linux-gnu:{fresh / 'include'}"
    command("compile eUPF's eBPF", ["go", "generate", "./cmd/ebpf"], cwd=fresh, env={"C_INCLUDE_PATH": include})
    command("build eUPF", ["go", "build", "-o", "eupf", "./cmd"], cwd=fresh, env={"CGO_ENABLED": "0"})
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    return program


def _downloaded() -> Path:
    """The module's folder in Go's cache; its sum is looked at here, as it is no dependency of ours."""
    done = subprocess.run(
        ["go", "mod", "download", "-json", f"{_EUPF}@{_EUPF_VERSION}"],
        capture_output=True, text=True, check=False, cwd="/", env=os.environ | {"GONOSUMDB": _EUPF},
    )  # fmt: skip
    answer = json.loads(done.stdout or "{}")
    if done.returncode != 0:
        raise UserError(f"eUPF {_EUPF_VERSION} cannot be fetched: {answer.get('Error') or done.stderr.strip()}")
    if answer["Sum"] != _EUPF_SUM:
        raise UserError(f"eUPF {_EUPF_VERSION} is not what it was: {answer['Sum']}, not {_EUPF_SUM}")
    return Path(answer["Dir"])
