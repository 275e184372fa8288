# SPDX-License-Identifier: Apache-2.0
"""A P4 node: bmv2's simple_switch_grpc in the namespace of the node, and its P4Runtime at a TCP port outside of it.

The switch serves a socket in the file system, which is reached from every network namespace; this process starts it,
passes bytes between TCP and that socket, and ends when the switch does, so that the two are one to their parent. It
cannot read the bytes that it passes on, where the switch speaks TLS.
"""

import argparse
import asyncio
import contextlib
import ctypes
import fcntl
import shutil
import signal
import socket
import struct
import sys
from collections.abc import Sequence
from pathlib import Path

SWITCH = "simple_switch_grpc"
PIPECONF = "org.sextant.bmv2"
# The path of a socket is at most 107 bytes long, so it is not with the lab's other files.
_SOCKETS = Path("/run/sextant")
_CPU_PORT = 255  # as pipeconfs/p4src/instantiations/bmv2.p4 has it
_START_SECONDS = 20
_CHUNK_BYTES = 65536
_PR_SET_PDEATHSIG = 1
_SIOCETHTOOL, _ETHTOOL_STXCSUM = 0x8946, 0x17


def missing() -> str:
    """The missing parts for a P4 node on this machine, and how to get them; "" if none."""
    if shutil.which(SWITCH) is None:
        return f"{SWITCH} is not on PATH: build bmv2 with PI from github.com/p4lang/behavioral-model"
    return ""


def command(
    namespace: str, host: str, port: int, device_id: int, ports: Sequence[tuple[int, str]], tls: Sequence[str] = ()
) -> list[str]:
    """The command line of a P4 node's process; run it with this package on PYTHONPATH. `tls` is for the switch."""
    words = [word for number, name in ports for word in ("--port", f"{number}={name}")]
    return [sys.executable, "-m", __name__, "--netns", namespace, "--listen", f"{host}:{port}",
            "--device-id", str(device_id), *words, *(["--", *tls] if tls else [])]  # fmt: skip


def fill_checksums(interface: str, *, now: bool = True) -> None:
    """Has the kernel write the checksums of packets that leave an interface of this namespace; without `now`, leave it
    again.

    A veth pair leaves that to hardware that it has not, and marks the packet for the other end; a switch that reads
    bytes would pass on an unwritten checksum.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        value = ctypes.create_string_buffer(struct.pack("=II", _ETHTOOL_STXCSUM, 0 if now else 1))
        request = struct.pack("16sP", interface.encode(), ctypes.addressof(value))
        fcntl.ioctl(any_socket, _SIOCETHTOOL, request.ljust(40, b"\0"))


async def serve(
    namespace: str, host: str, port: int, device_id: str, ports: Sequence[str], tls: Sequence[str] = ()
) -> int:
    """Runs the switch until it ends. Returns its exit code, or 1 if it does not come up."""
    _SOCKETS.mkdir(exist_ok=True)
    path = _SOCKETS / namespace
    path.unlink(missing_ok=True)
    interfaces = [
        word for number, _, name in (text.partition("=") for text in ports) for word in ("-i", f"{number}@{name}")
    ]
    switch = await asyncio.create_subprocess_exec(
        "ip", "netns", "exec", namespace, SWITCH, "--no-p4", "--device-id", device_id, *interfaces,
        "--", "--grpc-server-addr", f"unix:{path}", "--cpu-port", str(_CPU_PORT), *tls,
        preexec_fn=_end_with_parent,
    )  # fmt: skip
    for ending in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(ending, switch.terminate)
    ended = asyncio.create_task(switch.wait())
    try:
        if not await _appears(path, ended):
            print(f"{SWITCH} does not serve {path}", file=sys.stderr)
            return 1
        server = await asyncio.start_server(lambda *client: _relay(path, *client), host, port)
        code = await ended
        server.close()
        return code
    finally:
        if not ended.done():
            switch.kill()
            await ended
        path.unlink(missing_ok=True)


async def _appears(path: Path, ended: "asyncio.Task[int]") -> bool:
    deadline = asyncio.get_running_loop().time() + _START_SECONDS
    while not path.exists():
        if ended.done() or asyncio.get_running_loop().time() > deadline:
            return False
        await asyncio.sleep(0.05)
    return True


async def _relay(path: Path, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One connection; when either side ends it, so does the other."""
    try:
        inner_reader, inner_writer = await asyncio.open_unix_connection(path)
    except OSError:
        writer.close()
        return
    ways = [asyncio.create_task(_copy(reader, inner_writer)), asyncio.create_task(_copy(inner_reader, writer))]
    await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    for side in (writer, inner_writer):
        side.close()
    await asyncio.gather(*ways, return_exceptions=True)


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()


def _end_with_parent() -> None:
    """Between fork and exec: a relay that is killed leaves no switch behind."""
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog=__name__)
    for option in ("--netns", "--listen", "--device-id"):
        parser.add_argument(option, required=True)
    parser.add_argument("--port", action="append", default=[])
    parser.add_argument("tls", nargs="*")
    options = parser.parse_args(argv)
    host, _, port = options.listen.rpartition(":")
    return asyncio.run(serve(options.netns, host, int(port), options.device_id, options.port, options.tls))


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
