# SPDX-License-Identifier: Apache-2.0
"""The behavior of the P4 program, as test vectors: packets in and out with the entries that made it so.

A run of the packet tests on bmv2 with --record writes conformance/vectors/bmv2.json; test_vectors.py sends the same
packets through every target, so that a machine without bmv2 still compares with it.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .p4runtime import Action, Value
from .wire import Frame

VECTORS = Path(__file__).parents[1] / "vectors/bmv2.json"
# The data plane whose answers the vectors are.
RECORDED = "bmv2"
_ABOUT = (
    "Packets through the P4 program on bmv2. A node has the underlay and then the vector's entries. Ports are of the "
    "test bench, frames whole and hexadecimal. output: what bmv2 sent; none is a packet that goes nowhere, and an ICMP "
    "error back to its sender is nowhere. accepted: every frame that is right, where the standards or Linux leave more "
    "than one. anyFlowLabel: the outermost header's may be any. differs: targets that cannot do as bmv2, and why."
)


@dataclass(frozen=True)
class Row:
    """An entry in the contract's names. Several actions are a one-shot action set; no match, a default entry."""

    table: str
    match: dict[str, Value]
    action: Action | Sequence[Action]
    priority: int = 0

    def to_json(self) -> dict[str, Any]:
        one = isinstance(self.action, Action)
        action = _action(self.action) if one else {"members": [_action(member) for member in self.action]}  # type: ignore[arg-type,union-attr]
        return {
            "table": self.table,
            "match": self.match,
            **({"priority": self.priority} if self.priority else {}),
            **action,
        }

    @staticmethod
    def of_json(data: dict[str, Any]) -> "Row":
        members = [Action(member["action"], member["parameters"], member.get("weight", 1))
                   for member in data.get("members", [data])]  # fmt: skip
        return Row(data["table"], data["match"], members if "members" in data else members[0], data.get("priority", 0))


def _action(action: Action) -> dict[str, Any]:
    weight = {"weight": action.weight} if action.weight != 1 else {}
    return {"action": action.name, "parameters": action.parameters, **weight}


@dataclass
class Oracle:
    """Collects vectors, or does nothing if not asked to."""

    recording: bool
    underlay: list[Row] = field(default_factory=list)
    vectors: list[dict[str, Any]] = field(default_factory=list)

    def write(self, path: Path) -> None:
        """One line per entry and vector, so that a change of one shows as one."""
        parts = [
            '  "SPDX-License-Identifier": "Apache-2.0"',
            f'  "about": {json.dumps(_ABOUT)}',
            _lines("underlay", [row.to_json() for row in self.underlay]),
            _lines("vectors", self.vectors),
        ]
        path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


def _lines(name: str, values: Sequence[dict[str, Any]]) -> str:
    return f'  "{name}": [\n' + ",\n".join(f"    {json.dumps(value)}" for value in values) + "\n  ]"


@dataclass(frozen=True)
class Case:
    """A test whose packets become vectors: its name as a sentence and the standard it comes from."""

    oracle: Oracle
    name: str
    source: str
    differs: dict[str, str]

    def record(
        self, rows: Sequence[Row], sent: Frame, got: Sequence[Frame], right: Sequence[Frame], *, any_label: bool = False
    ) -> None:
        if not self.oracle.recording or RECORDED in self.differs:
            return  # faults of the recorded target itself are no oracle
        if any(row.table.startswith("edge_") for row in rows):
            return  # a model predicts the edge for every target (model/edge.py), and a walk knows no ports
        vector: dict[str, Any] = {
            "name": self._unique_name(),
            "source": self.source,
            "entries": [row.to_json() for row in rows if row not in self.oracle.underlay],
            "input": _frame(sent),
            "output": [_frame(frame) for frame in got],
        }
        if len(right) > 1:
            vector["accepted"] = [_frame(frame) for frame in right]
        if any_label:
            vector["anyFlowLabel"] = True
        if self.differs:
            vector["differs"] = self.differs
        self.oracle.vectors.append(vector)

    def _unique_name(self) -> str:
        """A test's second packet is its name and 2."""
        earlier = sum(self.name == vector["name"].partition(" #")[0] for vector in self.oracle.vectors)
        return f"{self.name} #{earlier + 1}" if earlier else self.name


def _frame(frame: Frame) -> dict[str, Any]:
    return {"port": frame.port, "hex": frame.data.hex()}


def frame_of_json(data: dict[str, Any]) -> Frame:
    return Frame(data["port"], bytes.fromhex(data["hex"]))
