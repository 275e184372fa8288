# SPDX-License-Identifier: Apache-2.0
"""The entries and counters of a node, read by P4Runtime."""

import ipaddress
from collections.abc import Iterator
from typing import Any

from google.protobuf import text_format
from p4.config.v1 import p4info_pb2
from p4.v1 import p4runtime_pb2, p4runtime_pb2_grpc

from . import network
from .channels import channel
from .paths import ROOT
from .tls import MONITOR, Folder

_RPC_SECONDS = 20
# In cells of a port that stand together, and behind those of all ports in as many.
_REASONS = (("SID", "SRH", "SOURCE", "UNKNOWN_SOURCE"), ("UNREADABLE", "INTERNAL"))
_PORTS, _AT_ONCE = 512, 4


class Counters:
    """Counters of one node, whose tables are those of its kind."""

    def __init__(self, node: network.Node, tls: Folder | None = None) -> None:
        kind = "bmv2" if node.p4 else "vpp" if node.vpp else "linux"
        text = (ROOT / "pipeconfs/p4info" / f"{kind}.p4info.txtpb").read_text()
        info = text_format.Parse(text, p4info_pb2.P4Info())
        self._tables = {table.preamble.alias: table.preamble.id for table in info.tables}
        self._arrays = {array.preamble.alias: array.preamble.id for array in info.counters}
        self._device = node.p4runtime_id
        self._channel = channel(f"{node.host}:{node.port}", tls, MONITOR)
        self._stub = p4runtime_pb2_grpc.P4RuntimeStub(self._channel)

    def close(self) -> None:
        self._channel.close()

    def sids(self) -> dict[ipaddress.IPv6Network, int]:
        """How many packets were for each of the node's SIDs."""
        request = p4runtime_pb2.Entity()
        request.direct_counter_entry.table_entry.table_id = self._tables["my_sid"]
        found = {}
        for entity in self._read(request):
            entry = entity.direct_counter_entry
            (match,) = entry.table_entry.match
            address = ipaddress.IPv6Address(match.lpm.value.rjust(16, b"\0"))
            found[ipaddress.IPv6Network((address, match.lpm.prefix_len))] = entry.data.packet_count
        return found

    def dropped(self) -> dict[tuple[int, str], int]:
        """How many packets the edge dropped, by port and reason."""
        found = {}
        for entity in self._read(self._edge_dropped()):
            at, place = divmod(entity.counter_entry.index.index, _AT_ONCE)
            block, port = divmod(at, _PORTS)
            if entity.counter_entry.data.packet_count:
                found[port, _REASONS[block][place]] = entity.counter_entry.data.packet_count
        return found

    def dropped_at(self, port: int, reason: str) -> int:
        """How many packets the edge dropped at a port for a reason: one cell, of thousands."""
        block = next(block for block, reasons in enumerate(_REASONS) if reason in reasons)
        request = self._edge_dropped()
        request.counter_entry.index.index = _AT_ONCE * (_PORTS * block + port) + _REASONS[block].index(reason)
        (entity,) = self._read(request)
        return int(entity.counter_entry.data.packet_count)

    def _edge_dropped(self) -> Any:
        request = p4runtime_pb2.Entity()
        request.counter_entry.counter_id = self._arrays["edge_dropped"]
        return request

    def _read(self, entity: Any) -> Iterator[Any]:
        request = p4runtime_pb2.ReadRequest(device_id=self._device, entities=[entity])
        for answer in self._stub.Read(request, timeout=_RPC_SECONDS):
            yield from answer.entities
