# SPDX-License-Identifier: Apache-2.0
"""Documents of several kinds in one request: a policy through a firewall, one back, the firewall, a peer and a flow."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sextantlab.ping import ping, until_answered
from sextantlab.processes import until
from story import Json, Story

_H11 = "fd00:0:11::2"
_H31 = "fd00:0:31::2"
_ICMP: Json = {"name": "ping", "protocol": "ipv6-icmp", "action": "accept"}
_FIREWALL: Json = {"kind": "firewall", "name": "fw", "spec": {"node": "l2", "default": "drop", "rules": [_ICMP]}}
_POLICY: Json = {
    "kind": "policy",
    "name": "through-fw",
    "spec": {"headend": "l1", "hops": [{"firewall": "fw"}, "l3"], "steering": [f"{_H31}/128"]},
}
_BACK: Json = {
    "kind": "policy",
    "name": "back",
    "spec": {"headend": "l3", "hops": ["l2", "l1"], "steering": [f"{_H11}/128"]},
}
_PEER: Json = {"kind": "edge-peer", "name": "speaker", "spec": {"sources": [_H11], "ports": ["l1/2"]}}
_FLOW: Json = {"kind": "flow", "name": "copied", "spec": {"from": "h12", "to": "h32", "paths": 2}}
_ALL: list[Json] = [_POLICY, _BACK, _FIREWALL, _PEER, _FLOW]


def _apply(story: Story, documents: list[Json], query: str = "", status: int = 200) -> Any:
    body = json.dumps(documents).encode()
    return story.rest.call("POST", f"/srv6/apply{query}", body).expect(status)


def _actions(answer: Any) -> list[str]:
    return [item["action"] for item in answer["items"]]


@pytest.fixture
def tidy(story: Story) -> Iterator[Story]:
    yield story
    for address in ("policies/through-fw", "policies/back", "livelive/copied", "firewalls/fw", "edge/peers/speaker"):
        story.rest.call("DELETE", f"/srv6/{address}").expect(202, 204, 404)


def test_documents_of_four_kinds_are_one_plan_and_then_nothing_to_do(tidy: Story) -> None:
    tried = _apply(tidy, _ALL, "?dryRun=true")
    assert _actions(tried) == ["created"] * 5
    assert tidy.rest.get("/srv6/firewalls") == []
    applied = _apply(tidy, _ALL)
    assert [item["state"] for item in applied["items"]] == ["INSTALLED"] * 5
    assert until_answered(tidy.namespace("h11"), _H31, 10)
    assert _actions(_apply(tidy, _ALL)) == ["unchanged"] * 5


def test_only_the_difference_is_installed(tidy: Story) -> None:
    _apply(tidy, _ALL)
    closed = {**_FIREWALL, "spec": {**_FIREWALL["spec"], "rules": [{**_ICMP, "action": "drop"}]}}
    assert until_answered(tidy.namespace("h11"), _H31, 10)
    answer = _apply(tidy, [_POLICY, closed, _PEER, _FLOW])
    assert _actions(answer) == ["unchanged", "changed", "unchanged", "unchanged"]
    assert answer["items"][1]["changes"] == [{"field": "/spec/rules/0/action", "old": "accept", "new": "drop"}]
    assert until(lambda: not ping(tidy.namespace("h11"), _H31), 10)


def test_one_that_is_refused_keeps_the_others_out(tidy: Story) -> None:
    lost = {**_POLICY, "spec": {**_POLICY["spec"], "hops": [{"firewall": "fw-b"}, "l3"]}}
    answer = _apply(tidy, [lost, _FIREWALL, _PEER], status=422)
    assert [error["field"] for error in answer["errors"]] == ["/0/spec/hops/0/firewall"]
    assert tidy.rest.get("/srv6/firewalls") == []
    assert tidy.rest.get("/srv6/edge/peers") == []
