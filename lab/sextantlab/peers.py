# SPDX-License-Identifier: Apache-2.0
"""PFCP peers that others wrote, built from the Go module proxy: an SMF (pfcpsim) and a UPF (eUPF).

Both are in one namespace: the UPF's PFCP is at 127.0.0.1, the SMF's at an address of the namespace.
"""

import http.client
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from . import netns
from .errors import UserError
from .paths import AGENT_DIR, BUILD
from .processes import fail_with_log, until
from .steps import command

_PINS = AGENT_DIR / "tools" / "peers"
_EUPF = "github.com/edgecomllc/eupf"
_EUPF_VERSION, _EUPF_SUM = "v0.7.1", "h1:feSppwieIhmF33QYFCPiHHTHHtQaEDo0cih7+ZmAb7c="


_PFCP, _RPC_PORT = "127.0.0.1:8805", "54321"
_PATIENCE_SECONDS = 10


class Smf:
    """pfcpsim in a namespace (`with Smf(…)`), and pfcpctl that controls it. It has an association."""

    def __init__(self, namespace: str, interface: str, n3: str, folder: Path) -> None:
        self._namespace, self._interface, self._n3, self._file = namespace, interface, n3, folder / "pfcpsim.log"

    def __enter__(self) -> "Smf":
        self._log = self._file.open("wb")
        words = [str(pfcpsim() / "pfcpsim"), "--port", _RPC_PORT, "--interface", self._interface]
        self._process = running(self._namespace, words, self._log)
        if not until(lambda: f":{_RPC_PORT}" in netns.run(self._namespace, "ss", "-Htln").stdout, _PATIENCE_SECONDS):
            raise fail_with_log("pfcpsim does not serve", self._file)
        self._do("service", "configure", "--n3-addr", self._n3, "--remote-peer-addr", _PFCP)
        self._do("service", "associate")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self._log.close()

    def session(self, base: int, pool: str, gnb: str) -> None:
        """One of the pool's first address: established, and modified with the gNB's end when that is known, as SMFs do.

        Its TEIDs are `base` for the uplink and the next number for the downlink.
        """
        words = ["--count", "1", "--baseID", str(base), "--ue-pool", pool, "--gnb-addr", gnb]
        self._do("session", "create", *words)
        self._do("session", "modify", *words)

    def release(self, base: int) -> None:
        self._do("session", "delete", "--count", "1", "--baseID", str(base))

    def _do(self, *words: str) -> None:
        server = ["--server", f"127.0.0.1:{_RPC_PORT}"]
        done = netns.run(self._namespace, str(pfcpsim() / "pfcpctl"), *server, *words)
        if done.returncode != 0:
            raise fail_with_log(f"pfcpctl {' '.join(words)}: {(done.stdout + done.stderr).strip()}", self._file)


@contextmanager
def upf(namespace: str, interfaces: Sequence[str], n3: str, folder: Path) -> Iterator[None]:
    """eUPF in a namespace, at interfaces that receive GTP and packets for UEs."""
    program, log = eupf(), folder / "eupf.log"
    netns.sysctl(namespace, {"net.ipv4.ip_forward": "1"})
    # It pins its maps; `ip netns exec` gives it a /sys of its own, without a place for them.
    shell = ["sh", "-c", 'mount -t bpf bpf /sys/fs/bpf && exec "$@"', "sh", str(program)]
    words = ["--attach", "generic", "--n3addr", n3, "--paddr", _PFCP, "--nodeid", "127.0.0.1"]
    # pfcpsim does not answer its heartbeats in a way that it takes: after 15 s the sessions would be gone.
    words += ["--hbinterval", "600", "--hbtimeout", "600"]
    for interface in interfaces:
        words += ["--iface", interface]
    with log.open("wb") as out:
        process = running(namespace, [*shell, *words], out, folder)
        try:
            if not until(lambda: ":8805" in netns.run(namespace, "ss", "-Huln").stdout, _PATIENCE_SECONDS):
                raise fail_with_log("eUPF does not serve", log)
            yield
        finally:
            process.terminate()
            process.wait()


def unlimited(namespace: str) -> None:
    """pfcpsim limits every session to 50 Mb/s; eUPF forgets that by its own REST."""

    def ask(method: str, path: str, body: bytes | None = None) -> Any:
        wire = http.client.HTTPConnection("127.0.0.1", 8080, timeout=_PATIENCE_SECONDS)
        wire.request(method, f"/api/v1/{path}", body, {"Content-Type": "application/json"})
        return json.loads(wire.getresponse().read())

    def forget() -> None:
        for limit in ask("GET", "qer_map"):
            free = limit | {"max_bitrate_ul": 0, "max_bitrate_dl": 0}
            ask("PUT", f"qer_map/{limit['id']}", json.dumps(free).encode())

    netns.inside(namespace, forget)


def running(
    namespace: str, words: Sequence[str], log: BinaryIO, folder: Path | None = None
) -> "subprocess.Popen[bytes]":
    """A program in a namespace."""
    argv = ["ip", "netns", "exec", namespace, *words]
    return subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)


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
    # Files that Debian's headers need on a machine that they do not know as one of 32 bits.
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
