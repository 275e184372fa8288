# SPDX-License-Identifier: Apache-2.0
"""A P4Runtime client that speaks in the contract's names: tables, fields and actions as P4Info calls them."""

import ipaddress
import queue
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import grpc
from google.protobuf import text_format
from google.rpc import status_pb2
from p4.config.v1 import p4info_pb2
from p4.v1 import p4runtime_pb2, p4runtime_pb2_grpc
from sextantlab.channels import channel
from sextantlab.tls import Folder

Value = int | str
INSERT = p4runtime_pb2.Update.INSERT
MODIFY = p4runtime_pb2.Update.MODIFY
DELETE = p4runtime_pb2.Update.DELETE
_RPC_SECONDS = 20


@dataclass(frozen=True)
class Action:
    """An action with its parameters; `weight` counts where it is one of several."""

    name: str
    parameters: dict[str, Value]
    weight: int = 1


class WriteError(Exception):
    """A batch in which at least one update failed; one canonical code name and message per update."""

    def __init__(self, code: str, details: Sequence[tuple[str, str]]) -> None:
        super().__init__(f"{code}: {list(details)}")
        self.code = code
        self.details = details
        self.codes = [code for code, _ in details]


def encode(value: Value, bits: int) -> bytes:
    """The canonical byte string of a value (P4Runtime 8.4): no leading zero bytes. Text is an address or a MAC."""
    number = value if isinstance(value, int) else _number(value)
    if number >> bits:
        raise ValueError(f"{value} does not fit {bits} bits")
    return number.to_bytes(max(1, (number.bit_length() + 7) // 8), "big")


def _number(text: str) -> int:
    if re.fullmatch(r"([0-9a-f]{2}:){5}[0-9a-f]{2}", text):
        return int(text.replace(":", ""), 16)
    return int(ipaddress.ip_address(text))


class Client:
    """One controller of a node: primary if its election id is the highest."""

    def __init__(
        self, address: str, device_id: int, p4info: Path, election_id: int = 1, tls: Folder | None = None
    ) -> None:
        self.device_id = device_id
        self.election_id = election_id
        self.info = text_format.Parse(p4info.read_text(), p4info_pb2.P4Info())
        self._tables = {table.preamble.alias: table for table in self.info.tables}
        self._actions = {action.preamble.alias: action for action in self.info.actions}
        self._kept: list[Any] = []
        self._channel = channel(address, tls)
        self.stub = p4runtime_pb2_grpc.P4RuntimeStub(self._channel)
        self._requests: queue.Queue[Any] = queue.Queue()
        self._answers: queue.Queue[Any] = queue.Queue()
        self.packets: queue.Queue[Any] = queue.Queue()

    def __enter__(self) -> Self:
        self._stream = self.stub.StreamChannel(iter(self._requests.get, None))
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.arbitration = self.arbitrate(self.election_id)
        return self

    def __exit__(self, *_: object) -> None:
        self._requests.put(None)
        self._stream.cancel()
        self._reader.join()
        self._channel.close()

    def arbitrate(self, election_id: int) -> Any:
        """Asks to be primary and returns the node's answer."""
        request = p4runtime_pb2.StreamMessageRequest()
        request.arbitration.device_id = self.device_id
        request.arbitration.election_id.low = election_id
        self._requests.put(request)
        return self._answers.get(timeout=_RPC_SECONDS)

    def set_pipeline(self, program: Path | None = None) -> None:
        """Gives the node the P4Info that the tests were written for, and the program to a node that loads one."""
        kind = p4runtime_pb2.SetForwardingPipelineConfigRequest
        action = kind.VERIFY_AND_COMMIT if program else kind.RECONCILE_AND_COMMIT
        request = kind(device_id=self.device_id, action=action)
        if program:
            request.config.p4_device_config = program.read_bytes()
        request.election_id.low = self.election_id
        request.config.p4info.CopyFrom(self.info)
        self.stub.SetForwardingPipelineConfig(request, timeout=_RPC_SECONDS)

    def prepare_copying(self, epoch: int) -> None:
        """The set-up of a switch before it copies: multicast groups of 1 to 15 copies, and an epoch."""
        table = self._tables.get("epoch")
        if table is None:
            return
        request = p4runtime_pb2.WriteRequest(device_id=self.device_id)
        request.election_id.low = self.election_id
        for copies in range(1, 16):
            entity = request.updates.add(type=INSERT).entity
            group = entity.packet_replication_engine_entry.multicast_group_entry
            group.multicast_group_id = copies
            for instance in range(1, copies + 1):
                group.replicas.add(egress_port=1, instance=instance)
        self.stub.Write(request, timeout=_RPC_SECONDS)
        self.set_epoch(epoch)

    def set_epoch(self, epoch: int) -> None:
        """The epoch in the next packets of the node's flows."""
        entry = self.entry("epoch", {}, Action("set_epoch", {"epoch": epoch}))
        entry.is_default_action = True
        self.write([(MODIFY, entry)])

    def cell(self, array: str, index: int) -> int:
        """The packets that a cell of a counter array has counted."""
        return self.cells(array, [index])[index]

    def cells(self, array: str, indexes: Iterable[int]) -> dict[int, int]:
        """The packets that cells of a counter array have counted, by one Read."""
        request = p4runtime_pb2.ReadRequest(device_id=self.device_id)
        number = next(one.preamble.id for one in self.info.counters if one.preamble.alias == array)
        for index in indexes:
            wanted = request.entities.add().counter_entry
            wanted.counter_id = number
            wanted.index.index = index
        counted = [
            entity.counter_entry
            for response in self.stub.Read(request, timeout=_RPC_SECONDS)
            for entity in response.entities
        ]
        assert len(counted) == len(request.entities), f"{len(counted)} of {len(request.entities)} cells of {array}"
        return {one.index.index: int(one.data.packet_count) for one in counted}

    # --- entries

    def entry(
        self,
        table: str,
        match: Mapping[str, Value],
        action: Action | Sequence[Action] | None = None,
        *,
        priority: int = 0,
    ) -> Any:
        """A table entry. A text with a slash is a prefix, one with an & a value and its mask, for a range one with a
        minus its ends; several actions are a one-shot action set."""
        definition = self._tables[table]
        entry = p4runtime_pb2.TableEntry(table_id=definition.preamble.id, priority=priority)
        for field in definition.match_fields:
            # A prefix of no bits matches everything: the field is left out (P4Runtime 9.1.1).
            if field.name in match and not str(match[field.name]).endswith("/0"):
                self._match(entry.match.add(), field, match[field.name])
        if isinstance(action, Action):
            self._action(entry.action.action, action)
        elif action is not None:
            for member in action:
                one = entry.action.action_profile_action_set.action_profile_actions.add(weight=member.weight)
                self._action(one.action, member)
        return entry

    def _match(self, match: Any, field: Any, value: Value) -> None:
        match.field_id = field.id
        kind = p4info_pb2.MatchField
        if field.match_type == kind.LPM:
            address, _, length = str(value).partition("/")
            match.lpm.value, match.lpm.prefix_len = (
                encode(address, field.bitwidth),
                int(length),
            )
        elif field.match_type == kind.TERNARY:
            if "&" in str(value):  # a mask that is none of a prefix
                match.ternary.value, match.ternary.mask = (
                    encode(int(one), field.bitwidth) for one in str(value).split("&")
                )
                return
            address, _, length = str(value).partition("/")
            ones = int(length or field.bitwidth)
            match.ternary.value = encode(address if length else value, field.bitwidth)
            match.ternary.mask = encode((1 << ones) - 1 << field.bitwidth - ones, field.bitwidth)
        elif field.match_type == kind.RANGE:
            low, _, high = str(value).partition("-")
            match.range.low, match.range.high = (encode(int(one), field.bitwidth) for one in (low, high or low))
        else:
            match.exact.value = encode(value, field.bitwidth)

    def offers(self, name: str) -> bool:
        """True if the node's P4Info has a table or an action of this name."""
        return name in self._tables or name in self._actions

    def _action(self, message: Any, action: Action) -> None:
        definition = self._actions[action.name]
        message.action_id = definition.preamble.id
        for parameter in definition.params:
            one = message.params.add(param_id=parameter.id)
            one.value = encode(action.parameters[parameter.name], parameter.bitwidth)

    # --- write and read

    def write(self, updates: Iterable[tuple[int, Any]], election_id: int | None = None) -> None:
        """Writes a batch of (INSERT | MODIFY | DELETE, entry). Raises WriteError with the result of each update."""
        self.send(self.request(updates, election_id))

    def request(self, updates: Iterable[tuple[int, Any]], election_id: int | None = None) -> Any:
        """Such a batch, ready to be sent."""
        request = p4runtime_pb2.WriteRequest(device_id=self.device_id)
        request.election_id.low = self.election_id if election_id is None else election_id
        for kind, entry in updates:
            update = request.updates.add(type=kind)
            update.entity.table_entry.CopyFrom(entry)
        return request

    def send(self, request: Any) -> None:
        if not request.updates:
            return
        try:
            self.stub.Write(request, timeout=_RPC_SECONDS)
        except grpc.RpcError as error:
            raise _write_error(error) from None

    def keep(self, entries: Sequence[Any]) -> None:
        """Writes entries that `read` leaves out, in the place of former ones."""
        self.write([(DELETE, entry) for entry in self._kept])
        self._kept = []
        self.write([(INSERT, entry) for entry in entries])
        self._kept = list(entries)

    def read(self, table: str = "", *, counters: bool = False, default: bool = False) -> list[Any]:
        """All entries of a table, or of all tables, with their counters if asked for; or the default ones."""
        request = p4runtime_pb2.ReadRequest(device_id=self.device_id)
        wanted = request.entities.add().table_entry
        wanted.SetInParent()
        wanted.is_default_action = default
        if table:
            wanted.table_id = self._tables[table].preamble.id
        if counters:
            wanted.counter_data.SetInParent()
        kept = [(entry.table_id, list(entry.match)) for entry in self._kept]
        return [
            entity.table_entry
            for response in self.stub.Read(request, timeout=_RPC_SECONDS)
            for entity in response.entities
            if (entity.table_entry.table_id, list(entity.table_entry.match)) not in kept
        ]

    def packet_out(self, port: int, frame: bytes) -> None:
        """Sends a frame out of a port of the node."""
        request = p4runtime_pb2.StreamMessageRequest()
        request.packet.payload = frame
        header = self._header("packet_out")
        for metadata in header.metadata:
            value = port if metadata.name == "egress_port" else 0
            request.packet.metadata.add(metadata_id=metadata.id, value=encode(value, metadata.bitwidth))
        self._requests.put(request)

    def packet_in(self, seconds: float) -> tuple[int, bytes]:
        """The next packet that the node sends to its controller: port and frame. Raises queue.Empty if none comes."""
        packet = self.packets.get(timeout=seconds)
        names = {metadata.id: metadata.name for metadata in self._header("packet_in").metadata}
        values = {names[one.metadata_id]: int.from_bytes(one.value, "big") for one in packet.metadata}
        return values["ingress_port"], packet.payload

    def _header(self, name: str) -> Any:
        return next(header for header in self.info.controller_packet_metadata if header.preamble.alias == name)

    def _read(self) -> None:
        try:
            for message in self._stream:
                (self.packets if message.HasField("packet") else self._answers).put(_payload(message))
        except grpc.RpcError:
            return


def _payload(message: Any) -> Any:
    return getattr(message, message.WhichOneof("update"))


def _write_error(error: grpc.RpcError) -> WriteError:
    details = []
    for key, value in error.trailing_metadata() or ():
        if key == "grpc-status-details-bin":
            details = list(_details(status_pb2.Status.FromString(value)))
    return WriteError(error.code().name, details or [(error.code().name, error.details())])


def _details(status: Any) -> Iterator[tuple[str, str]]:
    names = {code.value[0]: code.name for code in grpc.StatusCode}
    for packed in status.details:
        one = p4runtime_pb2.Error()
        if packed.Unpack(one):
            yield names[one.canonical_code], one.message
