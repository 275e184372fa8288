# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with a node whose agent ends while its kernel forwards (docs/reference/protection.md, ADR 40)."""

import json
from collections.abc import Iterator

import pytest
from sextantlab import failover, processes
from sextantlab.processes import until
from sextantlab.traffic import Stream
from story import Json, Story, network

_PATIENCE_SECONDS = 60
# On the shortest paths from l1 to v8, which has others without it.
_NODE = "p7"
_ROUTED: Json = {"name": "routed", "from": "h11", "to": "h81", "nodes": ["l1", "v8"], "family": "ipv6"}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    file = failover.protected(tmp_path_factory.mktemp("drained"))
    description = json.loads(file.read_text())
    description["waitToRestoreMillis"] = 1000
    file.write_text(json.dumps(description))
    with network(str(file)) as story:
        yield story


def test_a_node_without_an_agent_is_drained_and_used_again_without_loss(story: Story) -> None:
    computed = story.install(_computed("computed", "2001:db8:80::/64"))
    story.install(_ROUTED)
    assert story.reaches("h11", "h81")
    assert _users(story) == ["computed", "routed"]
    with Stream(story.namespace("h11"), story.namespace("h81"), story.address("h81"), 0.002) as stream:
        assert stream.await_more(100)
        processes.kill(story.lab.agent(_NODE))
        assert until(lambda: "overloadedSince" in _node(story), _PATIENCE_SECONDS)
        assert until(lambda: _NODE not in story.via(_computed("later", "2001:db8:90::/64")), 4), "a new path avoids it"
        assert _users(story) == ["computed", "routed"], "what is installed stays"
        assert _carries(story, stream)
        assert not _node(story)["drained"]

        _drain_after_one_second(story)
        assert until(lambda: bool(_node(story)["drained"]), _PATIENCE_SECONDS)
        assert until(lambda: not _carries(story, stream), _PATIENCE_SECONDS), "its neighbors still send over it"
        assert until(lambda: _users(story) == [], _PATIENCE_SECONDS)
        assert story.state(computed["id"]) == "INSTALLED"

        story.lab.start_agent(_NODE)
        assert until(lambda: "overloadedSince" not in _node(story), _PATIENCE_SECONDS)
        assert until(lambda: _carries(story, stream), _PATIENCE_SECONDS), "it is not used again"
        assert until(story.whole, _PATIENCE_SECONDS)
        assert stream.await_more(200)
    assert stream.lost() == [], f"of {stream.sent}"


def _computed(name: str, prefix: str) -> Json:
    return {
        "name": name,
        "headend": "l1",
        "endpoint": "v8",
        "steering": [prefix],
        "candidatePaths": [{"preference": 100, "dynamic": {"metric": "igp"}}],
    }


def _drain_after_one_second(story: Story) -> None:
    """Changes the topology file of the running controller, whose default is ten minutes."""
    file = story.lab.network_file
    file.write_text(json.dumps(json.loads(file.read_text()) | {"drainAfterMillis": 1000}))


def _node(story: Story) -> Json:
    return next(node for node in story.rest.get("/srv6/nodes") if node["name"] == _NODE)


def _users(story: Story) -> list[str]:
    """The policies whose packets pass the node, by their plans."""
    return [policy for policy in ("computed", "routed") if _NODE in _path(story, policy)]


def _path(story: Story, policy: str) -> list[str]:
    return [hop["node"] for hop in story.plan({"id": policy})["directions"][0]["hops"]]


def _carries(story: Story, stream: Stream) -> bool:
    """True if the node forwards most of the next packets."""
    before, first = _forwarded(story), stream.sent
    assert stream.await_more(100)
    return _forwarded(story) - before > (stream.sent - first) / 2


def _forwarded(story: Story) -> int:
    return sum(sent for port, sent in failover.sent_by_port(story.lab).items() if port.startswith(f"{_NODE} "))
