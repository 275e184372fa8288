# SPDX-License-Identifier: Apache-2.0
"""A gNMI subscription without generated code: as little of the protocol as a test needs to see a node's messages.

Field numbers are those of gnmi.proto 0.10; docs list the paths.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import grpc

_SUBSCRIBE = "/gnmi.gNMI/Subscribe"
_STREAM, _PROTO = 0, 2  # SubscriptionList.Mode, Encoding
_ON_CHANGE = 1  # SubscriptionMode
_VARINT, _BYTES = 0, 2
_STEP = re.compile(r"/([^/\[\]]+)(?:\[([^=]+)=([^\]]+)\])?")
Value = str | int
Fields = dict[int, list[int | bytes]]


@dataclass(frozen=True)
class Told:
    """A notification: leaves by their paths, as of a moment in nanoseconds."""

    nanos: int
    leaves: dict[str, Value]


class Subscription:
    """A node's notifications of changes of some paths, from `with` on until its end."""

    def __init__(self, channel: grpc.Channel, *paths: str) -> None:
        self._channel = channel
        self._request = request(*paths)

    def __enter__(self) -> Self:
        call = self._channel.stream_stream(
            _SUBSCRIBE, request_serializer=lambda data: data, response_deserializer=lambda data: data
        )
        self._call = call(iter([self._request]))
        return self

    def __exit__(self, *_: object) -> None:
        self._call.cancel()
        self._channel.close()

    def told(self) -> Iterator[Told | None]:
        """Waits for each; None is the end of the initial state. Raises grpc.RpcError when the node ends it."""
        return (response(data) for data in self._call)


def request(*paths: str) -> bytes:
    """A SubscribeRequest with a STREAM of ON_CHANGE subscriptions."""
    subscriptions = b"".join(_field(2, _field(1, _path(text)) + _number(2, _ON_CHANGE)) for text in paths)
    return _field(1, subscriptions + _number(5, _STREAM) + _number(8, _PROTO))


def response(data: bytes) -> Told | None:
    """A SubscribeResponse."""
    fields = _fields(data)
    if 1 not in fields:
        return None
    notification = _fields(_message(fields, 1))
    return Told(_first(notification, 1), dict(_update(update) for update in notification.get(4, [])))


def _update(data: int | bytes) -> tuple[str, Value]:
    assert isinstance(data, bytes)
    fields = _fields(data)
    value = _fields(_message(fields, 3))
    elems = _fields(_message(fields, 1)).get(3, [])
    text = value[1][0] if 1 in value else _first(value, 3)
    return "".join(_elem(one) for one in elems), text.decode() if isinstance(text, bytes) else text


def _elem(data: int | bytes) -> str:
    assert isinstance(data, bytes)
    fields = _fields(data)
    keys = ""
    for entry in fields.get(2, []):
        assert isinstance(entry, bytes)
        pair = _fields(entry)
        keys += f"[{_message(pair, 1).decode()}={_message(pair, 2).decode()}]"
    return f"/{_message(fields, 1).decode()}{keys}"


def _path(text: str) -> bytes:
    elems = b""
    for name, key, value in _STEP.findall(text):
        keys = _field(2, _field(1, key.encode()) + _field(2, value.encode())) if key else b""
        elems += _field(3, _field(1, name.encode()) + keys)
    return elems


# --- protocol buffers (the wire format alone)


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes(out) + bytes([number])


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3 | _VARINT) + _varint(number)


def _field(field: int, data: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(data)) + data


def _fields(data: bytes) -> Fields:
    fields: Fields = {}
    at = 0
    while at < len(data):
        tag, at = _read(data, at)
        number, at = _read(data, at)
        if tag & 7 == _VARINT:
            fields.setdefault(tag >> 3, []).append(number)
        elif tag & 7 == _BYTES:
            fields.setdefault(tag >> 3, []).append(data[at : at + number])
            at += number
        else:
            raise ValueError(f"field {tag >> 3} is of wire type {tag & 7}, which gNMI's leaves are not")
    return fields


def _read(data: bytes, at: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        number |= (data[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if data[at - 1] < 0x80:
            return number, at


def _message(fields: Fields, number: int) -> bytes:
    one = fields.get(number, [b""])[0]
    assert isinstance(one, bytes)
    return one


def _first(fields: Fields, number: int) -> int:
    one = fields.get(number, [0])[0]
    assert isinstance(one, int)
    return one
