# SPDX-License-Identifier: Apache-2.0
"""The decoders of protocols: by EtherType, by IP's next header, by UDP's destination port."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

ETHER_TYPE = "EtherType"
NEXT_HEADER = "next header"
UDP_PORT = "UDP port"
_ETHERNET_BYTES = 14


@dataclass(frozen=True)
class Decoded:
    """A header, the protocol that comes after it, if one does, and the bytes of that."""

    header: object
    carries: tuple[str, int] | None = None
    data: bytes = b""


# None says that the bytes are not a whole header of the protocol.
Decoder = Callable[[bytes], Decoded | None]
_DECODERS: dict[tuple[str, int], Decoder] = {}


def decodes(space: str, *numbers: int) -> Callable[[Decoder], Decoder]:
    """Registers a decoder. Two for one number are a mistake, whichever module comes first."""

    def register(decoder: Decoder) -> Decoder:
        for number in numbers:
            earlier = _DECODERS.setdefault((space, number), decoder)
            if earlier is not decoder:
                raise ValueError(f"{space} {number} has two decoders: {_name(earlier)} and {_name(decoder)}")
        return decoder

    return register


def headers(frame: bytes) -> Iterator[object]:
    """The headers after Ethernet's, outermost first, as far as there are decoders and whole headers for them."""
    ether_type = int.from_bytes(frame[12:_ETHERNET_BYTES], "big")
    decoded: Decoded | None = Decoded(None, (ETHER_TYPE, ether_type), frame[_ETHERNET_BYTES:])
    while decoded and decoded.carries in _DECODERS:
        decoded = _DECODERS[decoded.carries](decoded.data)
        if decoded:
            yield decoded.header


def _name(decoder: Decoder) -> str:
    return f"{decoder.__module__}.{decoder.__qualname__}"
