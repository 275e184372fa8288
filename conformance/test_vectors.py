# SPDX-License-Identifier: Apache-2.0
"""Outputs of the P4 program on bmv2, sent through every target: the recorded oracle, where bmv2 is absent too."""

import json
import re
from typing import Any

import pytest
from nodes.bench import Bench, is_one_of
from nodes.oracle import VECTORS, Row, frame_of_json
from nodes.target import Target

DOCUMENT: dict[str, Any] = json.loads(VECTORS.read_text())
_MARKS = {"firewalls": '"action": "sera', "sessions": '"table": "(gtp|ue)_|"action": "(gtp|map)'}


@pytest.fixture
def planes(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The planes that serve the vector's entries."""
    vector = request.node.callspec.params.get("vector", {})
    text = json.dumps(vector.get("entries"))
    return tuple(plane for plane, mark in _MARKS.items() if re.search(mark, text))


def test_the_test_bench_is_still_that_of_the_vectors(node: Bench) -> None:
    assert [row.to_json() for row in node.rows] == DOCUMENT["underlay"]


@pytest.mark.parametrize("vector", DOCUMENT["vectors"], ids=lambda vector: vector["name"].replace(" ", "_"))
def test_vector(request: pytest.FixtureRequest, target: Target, node: Bench, vector: dict[str, Any]) -> None:
    reason = vector.get("differs", {}).get(target.name)
    if reason:
        request.applymarker(pytest.mark.xfail(strict=True, reason=f"{target.name}: {reason}"))
        node.patience_seconds = 0.5  # absent packets are not waited for
    node.install(*map(Row.of_json, vector["entries"]))
    sent = frame_of_json(vector["input"])
    accepted = [frame_of_json(frame) for frame in vector.get("accepted", vector["output"])]
    got = node.onward(sent, node.send(sent.port, sent.data, at_least=len(vector["output"])))
    assert len(got) == len(vector["output"]), f"{[frame.data.hex() for frame in got]} came out"
    for frame in got:
        assert is_one_of(frame, accepted, any_label=vector.get("anyFlowLabel", False) or node.labels), (
            f"{frame.data.hex()} came out of port {frame.port}"
        )
