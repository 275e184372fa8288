# SPDX-License-Identifier: Apache-2.0
"""The listeners on ports of this machine."""

import socket
import subprocess


def listening(host: str, port: int) -> bool:
    """True if something accepts connections there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, port)) == 0


def port_holder(host: str, port: int) -> str:
    """The process that listens on a port, "" if there is none."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
            return ""
        except OSError:
            pass
    listing = subprocess.run(["ss", "-Hltnp", f"sport = :{port}"], capture_output=True, text=True, check=False).stdout
    _, _, users = listing.partition("users:((")
    return users.strip().rstrip(")").replace('"', "") or "another process"
