# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with protection, under a controller that may be killed: a stream from h11 to h31 by way of l1, l2 and l3."""

import contextlib
import functools
import json
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sextantlab import netns
from sextantlab.controller import Controller
from sextantlab.errors import UserError
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.paths import LAB
from sextantlab.ping import until_answered
from sextantlab.processes import until

_SOURCE, _SINK = "h11", "h31"
_PORT = 40001
_SO_RCVBUFFORCE = 33
_PATIENCE_SECONDS = 20
_POLICY = {"name": "straight", "from": _SOURCE, "to": _SINK, "nodes": ["l1", "l3"], "family": "ipv6"}


@dataclass(frozen=True)
class Protected:
    """The network and its controller."""

    lab: Lab
    controller: Controller

    def ends(self, buffer_bytes: int) -> tuple[socket.socket, socket.socket]:
        """Where datagrams are sent, and where they arrive."""
        address = self.lab.network.host(_SINK).address(6)
        sink = netns.inside(self.lab.namespace(_SINK), functools.partial(_bound, address, buffer_bytes))
        return netns.inside(self.lab.namespace(_SOURCE), functools.partial(_connected, address)), sink

    def settle(self) -> None:
        """Waits until packets arrive and, if a controller is there, until all is installed again."""
        if self.controller.process() is not None and not until(self._whole, _PATIENCE_SECONDS):
            raise UserError("a link is mended, but not all is installed again: ./sextant cli srv6:entries")
        if not until_answered(self.lab.namespace(_SOURCE), self.lab.network.host(_SINK).address(6), _PATIENCE_SECONDS):
            raise UserError("a link is mended, but no ping is answered")

    def _whole(self) -> bool:
        rest = self.controller.rest()
        links = rest.get("/srv6/topology")["links"]
        return all(link["up"] for link in links) and rest.get("/srv6/entries?state=pending") == []


@contextlib.contextmanager
def protected() -> Iterator[Protected]:
    """Up while it lasts."""
    description = json.loads((LAB / "fig4.json").read_text())
    description["protection"] = {"link": True, "node": True}
    with tempfile.TemporaryDirectory(prefix="sextant-") as folder:
        file = Path(folder) / "protected.json"
        file.write_text(json.dumps(description))
        with Lab(str(file), Instance.from_environment(), [], []) as lab, Controller(lab) as controller:
            controller.rest().post("/srv6/policies", _POLICY)
            made = Protected(lab, controller)
            made.settle()
            yield made


def _bound(address: str, buffer_bytes: int) -> socket.socket:
    sink = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    sink.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, buffer_bytes)
    sink.bind((address, _PORT))
    sink.setblocking(False)
    return sink


def _connected(address: str) -> socket.socket:
    source = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    source.connect((address, _PORT))
    return source
