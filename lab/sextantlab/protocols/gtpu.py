# SPDX-License-Identifier: Apache-2.0
"""GTP-U (TS 29.281, 5.1 and 5.2), with the PDU Session Container of TS 38.415, 5.5.2."""

from dataclasses import dataclass

from .ip import IPV4, IPV6
from .registry import NEXT_HEADER, UDP_PORT, Decoded, decodes

_PORT = 2152
_VERSION_1, _G_PDU, _CONTAINER = 0x30, 255, 0x85
_OPTIONAL, _EXTENSION = 0x07, 0x04
_HEADER_BYTES, _OPTIONAL_BYTES, _WORD = 8, 4, 4
_MOST_EXTENSIONS = 16


@dataclass(frozen=True)
class Gtpu:
    """A message. `qfi`, `rqi` and `pdu_type` (0 downlink, 1 uplink) are None without a PDU Session Container."""

    message_type: int
    teid: int
    sequence: int | None = None
    pdu_type: int | None = None
    qfi: int | None = None
    rqi: bool | None = None


@decodes(UDP_PORT, _PORT)
def gtpu(data: bytes) -> Decoded | None:
    if len(data) < _HEADER_BYTES or data[0] & 0xF0 != _VERSION_1:
        return None
    flags, kind, end = data[0], data[1], _HEADER_BYTES + int.from_bytes(data[2:4], "big")
    at, sequence, container = _HEADER_BYTES, None, b""
    if flags & _OPTIONAL:
        at += _OPTIONAL_BYTES
        sequence = int.from_bytes(data[8:10], "big") if flags & 0x02 else None
        extension = data[11] if flags & _EXTENSION and len(data) >= at else 0
        for _ in range(_MOST_EXTENSIONS):
            if not extension:
                break
            size = data[at] * _WORD if at < len(data) else 0
            if not size or at + size > end:
                return None
            if extension == _CONTAINER:
                container = data[at + 1 : at + size - 1]
            extension, at = data[at + size - 1], at + size
    if not at <= end <= len(data):
        return None
    header = Gtpu(kind, int.from_bytes(data[4:8], "big"), sequence, *_session(container))
    payload = data[at:end]
    version = payload[0] >> 4 if kind == _G_PDU and payload else 0
    return Decoded(header, {4: (NEXT_HEADER, IPV4), 6: (NEXT_HEADER, IPV6)}.get(version), payload)


def _session(container: bytes) -> tuple[int | None, int | None, bool | None]:
    if not container:
        return None, None, None
    pdu_type = container[0] >> 4
    return pdu_type, container[1] & 0x3F, bool(container[1] & 0x40) if pdu_type == 0 else False
