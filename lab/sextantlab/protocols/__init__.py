# SPDX-License-Identifier: Apache-2.0
"""The protocols of a capture: one module here per protocol, and nothing else names them.

A module decorates its decoders with where they are found; it is imported because it is there:

    @decodes(UDP_PORT, 2152)
    def gtpu(data: bytes) -> Decoded | None:
        …
        return Decoded(Gtpu(teid), (NEXT_HEADER, 41), data[8:])
"""

import importlib
import pkgutil

from .registry import ETHER_TYPE, NEXT_HEADER, UDP_PORT, Decoded, decodes, headers

__all__ = ["ETHER_TYPE", "NEXT_HEADER", "UDP_PORT", "Decoded", "decodes", "headers"]

for _module in pkgutil.iter_modules(__path__, f"{__name__}."):
    importlib.import_module(_module.name)
