# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with a policy whose headend watches its paths (docs/reference/policies.md, Liveness).

Links become silent and keep their carrier, while no controller runs.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sextantlab import netns
from sextantlab.news import News
from sextantlab.processes import until
from sextantlab.traffic import Stream
from story import Json, Story, example, network

_INTERVAL_SECONDS = 0.0005
# Probes every 10 ms, of which three stay away; a machine with other work does nothing on time.
_MOST_LOST = 1000
_PATIENCE_SECONDS = 30
_LONG = ["l1", "l2", "p7", "p6", "v4", "l3"]


@pytest.fixture(scope="module")
def running() -> Iterator[Story]:
    with network() as story:
        yield story


@pytest.fixture
def watched(story: Story) -> Json:
    """The example, both paths of which are up, and a way back over no link that becomes silent."""
    nodes = _LONG[::-1]
    story.install({"name": "back", "from": "h31", "to": "h11", "nodes": nodes, "symmetry": "one-way", "family": "ipv6"})
    stored = story.install({**example("liveness"), "steering": ["h31"]})
    assert story.reaches("h11", "h31")
    assert until(lambda: _states(story) == ["UP", "UP"], _PATIENCE_SECONDS), _paths(story)
    return stored


def _paths(story: Story) -> list[Json]:
    paths: list[Json] = story.rest.get("/srv6/policies/liveness")["candidatePaths"]
    return paths


def _states(story: Story) -> list[str]:
    return [path["liveness"]["state"] for path in _paths(story)]


def _in_use(story: Story) -> list[int]:
    return [path["preference"] for path in _paths(story) if path["inUse"]]


@contextmanager
def _silent(story: Story, *ends: tuple[str, str]) -> Iterator[None]:
    """Nodes drop whatever comes in from a neighbour; no port loses its carrier."""
    for node, neighbour in ends:
        link = story.lab.network.link(node, neighbour)
        port = link.a if link.a.node == node else link.b
        chain = f"chain in {{ type filter hook ingress device {port.name} priority 0; policy drop; }}; "
        done = netns.run(story.namespace(node), "nft", f"add table netdev silent {{ {chain} }}")
        assert done.returncode == 0, done.stderr
    try:
        yield
    finally:
        for node, _ in ends:
            netns.run(story.namespace(node), "nft", "delete", "table", "netdev", "silent")


def _entries(story: Story) -> set[tuple[str, str, str]]:
    """The controller's desired entries on the headend."""
    return {(one["table"], one["match"], one["action"]) for one in story.rest.get("/srv6/entries?node=l1")}


def _stream(story: Story) -> Stream:
    return Stream(story.namespace("h11"), story.namespace("h31"), story.address("h31"), _INTERVAL_SECONDS)


def test_both_paths_are_up_and_measured(story: Story, watched: Json) -> None:
    assert _in_use(story) == [200]
    assert until(lambda: all("delayMicros" in path["liveness"] for path in _paths(story)), _PATIENCE_SECONDS)
    for path in _paths(story):
        delay = path["liveness"]["delayMicros"]
        assert 0 < delay["min"] <= delay["avg"] <= delay["max"]
    assert story.plan(watched)["candidatePaths"][0]["probes"], "the plan shows the way of probes"


# Other traffic on an idle link: LLDP, neighbor discovery, a flow's end.
_IDLE_BITS_PER_SECOND = 4_000
_PROBES_BITS_PER_SECOND = 50_000
# A node that watches, two on the way, and one at the end.
_PROBED = [("l1", "l2"), ("l2", "p7"), ("p7", "p6"), ("l3", "v4")]


def _ports(story: Story) -> dict[tuple[str, int], str]:
    """Both ends of the links that probes pass, with the name of the link as the end sends to it."""
    ports = {}
    for one, other in _PROBED:
        link = story.lab.network.link(one, other)
        a, b = (f"{end.node}/{end.number}" for end in (link.a, link.b))
        ports[link.a.node, link.a.number], ports[link.b.node, link.b.number] = f"link:{a}-{b}", f"link:{b}-{a}"
    return ports


def _is_probed_only(port: Json) -> bool:
    def parts(direction: str) -> tuple[int, int]:
        probes = int(port.get(f"{direction}ProbeBitsPerSecond", 0))
        return probes, int(port[f"{direction}BitsPerSecond"]) - probes

    return all(
        probes > _PROBES_BITS_PER_SECOND and 0 <= traffic < _IDLE_BITS_PER_SECOND
        for probes, traffic in (parts("in"), parts("out"))
    )


@pytest.mark.usefixtures("watched")
def test_an_idle_network_has_no_load_though_probes_pass_it(story: Story) -> None:
    """At the node that watches, at the others on the way, and at the end, in both directions."""
    waiting, seen = set(_ports(story)), {}
    with News(story.rest) as news:

        def idle(port: Json) -> None:
            at = port["node"], port["port"]
            seen[at] = port
            if at in waiting and _is_probed_only(port):
                waiting.remove(at)

        def all_idle() -> bool:
            told = news.next(lambda event: event.name == "traffic", _PATIENCE_SECONDS)
            for port in told.data["ports"] if told else ():
                idle(port)
            return not waiting

        assert until(all_idle, _PATIENCE_SECONDS), [seen.get(at) for at in waiting]


@pytest.mark.usefixtures("watched")
def test_the_history_has_traffic_and_probes_apart(story: Story) -> None:
    names = list(_ports(story).values())

    def last() -> list[dict[str, float | None]]:
        things = story.rest.get(f"/srv6/history?of={','.join(names)}&points=360")["things"]
        return [{one["quantity"]: one["values"][-1] for one in thing["series"]} for thing in things]

    def apart(link: dict[str, float | None]) -> bool:
        traffic, probes = link.get("bytesPerSecond"), link.get("probeBytesPerSecond")
        return (
            traffic is not None
            and probes is not None
            and 8 * traffic < _IDLE_BITS_PER_SECOND
            and 8 * probes > _PROBES_BITS_PER_SECOND
        )

    assert until(lambda: all(apart(link) for link in last()), 2 * _PATIENCE_SECONDS), last()


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize(
    "ends",
    [[("l3", "l2")], [("l2", "l3")], [("l3", "l2"), ("l2", "l3")]],
    ids=["on the way there", "on the way back", "both ways"],
)
def test_a_silent_link_costs_milliseconds_without_a_controller(story: Story, ends: list[tuple[str, str]]) -> None:
    with _stream(story) as stream:
        assert stream.await_more(1000)
        with story.controller_stopped(), _silent(story, *ends):
            assert stream.await_more(4000)
            before = stream.arrived
            assert stream.await_more(1000)
            assert stream.arrived > before, "packets take the other path"
        assert stream.await_more(500)
        assert until(lambda: _in_use(story) == [200], _PATIENCE_SECONDS), _paths(story)
        assert stream.await_more(1000)
    lost = stream.lost()
    print(f"lost {len(lost)} of {stream.sent} at {1 / _INTERVAL_SECONDS:.0f} a second")
    assert len(lost) <= _MOST_LOST, f"{len(lost)} of {stream.sent} datagrams"


@pytest.mark.usefixtures("watched")
def test_what_the_headend_does_is_shown_and_told_and_the_plan_stays(story: Story) -> None:
    entries = _entries(story)
    with News(story.rest) as news, _silent(story, ("l3", "l2")):
        told = news.next(lambda event: event.name == "policyLiveness", _PATIENCE_SECONDS)
        assert told is not None
        assert [policy["id"] for policy in told.data["policies"]] == ["liveness"]
        assert until(lambda: _states(story) == ["DOWN", "UP"], _PATIENCE_SECONDS), _paths(story)
        assert _in_use(story) == [100]
        assert story.state("liveness") == "INSTALLED"
        assert _entries(story) == entries
        with story.capturing() as capture:
            assert story.reaches("h11", "h31")
            passed = {packet.node for packet in capture.packets(story.address("h11"), story.address("h31"), 0)}
        assert set(_LONG) <= passed
    assert until(lambda: _states(story) == ["UP", "UP"] and _in_use(story) == [200], _PATIENCE_SECONDS)


@pytest.mark.usefixtures("watched")
def test_where_all_paths_are_silent_the_first_is_used(story: Story) -> None:
    with _silent(story, ("l3", "l2"), ("l2", "p7")):
        assert until(lambda: _states(story) == ["DOWN", "DOWN"], _PATIENCE_SECONDS), _paths(story)
        assert _in_use(story) == [200]
    assert until(lambda: _states(story) == ["UP", "UP"], _PATIENCE_SECONDS), _paths(story)
