# SPDX-License-Identifier: Apache-2.0
"""Where the packet inside of GTP-U begins (TS 29.281, 5.1 and 5.2)."""

from .packet import word

UDP, GTP_PORT = 17, 2152
_UDP_BYTES, _GTP_BYTES, _OPTIONAL_BYTES = 8, 8, 4
_VERSION_1, _VERSION_AND_TYPE, _G_PDU = 0x30, 0xF0, 255
_EXTENSION, _ANY_OPTIONAL = 4, 7


def payload_at(data: bytes, udp: int) -> int | None:
    """The offset of the T-PDU behind the UDP header at an offset; None if it is no G-PDU, or ends before."""
    at = udp + _UDP_BYTES
    header = data[at : at + _GTP_BYTES]
    if len(header) < _GTP_BYTES or header[0] & _VERSION_AND_TYPE != _VERSION_1 or header[1] != _G_PDU:
        return None
    end, at = at + _GTP_BYTES + word(header, 2), at + _GTP_BYTES
    if not header[0] & _ANY_OPTIONAL:
        return at
    kind, at = data[at + 3] if header[0] & _EXTENSION and at + 3 < len(data) else 0, at + _OPTIONAL_BYTES
    while kind and at < min(end, len(data)):
        words = data[at]
        if not words:
            return None
        at += 4 * words
        kind = data[at - 1] if at <= len(data) else 0
    return at if at < min(end, len(data)) else None
