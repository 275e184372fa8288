# SPDX-License-Identifier: Apache-2.0
"""Labs beside each other, each with names and ports of its own."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .errors import UserError
from .paths import BUILD
from .ports import listening

_PORT_STEP = 100
# The ports of lab/fig4.json and the controller; the process that has these has the instance.
_FIRST_NODE_PORT = 20101
_HTTP_PORT = 8181
# The instances of tests, the highest first, as people begin with the lowest; and where a process finds those that are
# its own.
TEST_INSTANCES = range(8, 0, -1)
GIVEN_INSTANCES = "SEXTANT_TEST_INSTANCES"


@dataclass(frozen=True)
class Instance:
    """Separates labs beside each other: 0 has the ports of the topology file, N has others."""

    number: int = 0

    @staticmethod
    def from_environment() -> "Instance":
        text = os.environ.get("SEXTANT_INSTANCE", "0")
        if not text.isdigit() or int(text) > 9:
            raise UserError(f"SEXTANT_INSTANCE={text}: a number from 0 to 9")
        return Instance(int(text))

    @staticmethod
    def free(numbers: Sequence[int] = ()) -> "Instance":
        """One that no lab uses now: for tests, which must not get in each other's way.

        One of these numbers; without any, of those that this process was started with for its tests.
        """
        names = subprocess.run(["ip", "netns"], capture_output=True, text=True, check=False).stdout.split()
        given = [int(number) for number in os.environ.get(GIVEN_INSTANCES, "").split()]
        for number in numbers or given or TEST_INSTANCES:
            one = Instance(number)
            ports = (_FIRST_NODE_PORT + one.port_offset, _HTTP_PORT + number)
            if not any(name.startswith(one.prefix) for name in names) and not any(
                listening("127.0.0.1", port) for port in ports
            ):
                return one
        raise UserError("all instances are in use: ip netns lists their namespaces, ./sextant lab down ends one")

    @property
    def prefix(self) -> str:
        return f"sx{self.number or ''}-"

    @property
    def port_offset(self) -> int:
        return self.number * _PORT_STEP

    def directory(self, topology: str) -> Path:
        return BUILD / "lab" / (f"{topology}-{self.number}" if self.number else topology)
