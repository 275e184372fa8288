# SPDX-License-Identifier: Apache-2.0
"""Figure 4 with a wait-to-restore: a link that is back is used once it has stayed up (docs/reference/protection.md)."""

import json
import time
from collections.abc import Iterator

import pytest
from sextantlab import failover
from sextantlab.processes import until
from sextantlab.traffic import Stream
from story import Json, Story, network

_WAIT_SECONDS = 3
_PATIENCE_SECONDS = 60
# Half a second, on a machine that has other things to do.
_ONE_MOVE = 250


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    file = failover.protected(tmp_path_factory.mktemp("restored"))
    description = json.loads(file.read_text())
    description["waitToRestoreMillis"] = 1000 * _WAIT_SECONDS
    file.write_text(json.dumps(description))
    with network(str(file)) as story:
        yield story


def _link(story: Story) -> Json:
    links: list[Json] = story.rest.get("/srv6/topology")["links"]
    return next(link for link in links if (link["from"]["node"], link["to"]["node"]) == ("l2", "l3"))


def _one_move_lost_at_most(stream: Stream) -> None:
    lost = stream.lost()
    assert len(lost) < _ONE_MOVE, f"{len(lost)} of {stream.sent}"


def test_a_link_that_is_back_is_used_when_it_has_been_up_for_the_wait(story: Story) -> None:
    story.install(failover.STRAIGHT)
    assert story.reaches("h11", "h31")
    assert "restores" not in _link(story)
    with Stream(story.namespace("h11"), story.namespace("h31"), story.address("h31"), 0.002) as stream:
        assert stream.await_more(100)
        story.lab.set_link("l2", "l3", up=False)
        assert until(lambda: not _link(story)["up"], _PATIENCE_SECONDS)
        back = time.monotonic()
        story.lab.set_link("l2", "l3", up=True)
        assert until(lambda: "restores" in _link(story), _PATIENCE_SECONDS), _link(story)
        assert not _link(story)["up"], "it is not used yet"
        assert until(lambda: bool(_link(story)["up"]), _PATIENCE_SECONDS), _link(story)
        assert time.monotonic() - back >= _WAIT_SECONDS
        assert "restores" not in _link(story)
        assert stream.await_more(500)
    _one_move_lost_at_most(stream)


def test_a_link_that_flaps_moves_paths_once(story: Story) -> None:
    story.install(failover.STRAIGHT)
    assert until(lambda: story.whole() and bool(_link(story)["up"]), _PATIENCE_SECONDS)
    with Stream(story.namespace("h11"), story.namespace("h31"), story.address("h31"), 0.002) as stream:
        assert stream.await_more(100)
        seen = []
        try:
            for _ in range(5):
                story.lab.set_link("l2", "l3", up=False)
                assert until(lambda: not _link(story)["up"], _PATIENCE_SECONDS)
                time.sleep(0.5)
                story.lab.set_link("l2", "l3", up=True)
                time.sleep(0.5)
                seen.append(_link(story)["up"])
        finally:
            story.lab.set_link("l2", "l3", up=True)
        assert not any(seen), "it is used between two cuts"
        assert until(lambda: bool(_link(story)["up"]), _PATIENCE_SECONDS), _link(story)
        assert stream.await_more(500)
    _one_move_lost_at_most(stream)


def test_a_route_does_not_follow_a_link_that_flaps_while_no_controller_lives(story: Story) -> None:
    """Agents keep the link's ports out of routes, which use their standbys, and use them again after the wait."""
    story.install(failover.STRAIGHT)
    assert until(lambda: story.whole() and bool(_link(story)["up"]), _PATIENCE_SECONDS)
    ports = _ends(story)
    with (
        story.controller_stopped(),
        Stream(story.namespace("h11"), story.namespace("h31"), story.address("h31"), 0.002) as stream,
    ):
        assert stream.await_more(100)
        flapping, first = failover.sent_by_port(story.lab), stream.sent
        for _ in range(8):
            for up in (False, True):
                story.lab.set_link("l2", "l3", up=up)
                time.sleep(0.5)
        assert stream.await_more(1)
        sent = stream.sent - first
        used = failover.sent_by_port(story.lab)
        carried = {port: used[port] - flapping[port] for port in ports}
        assert max(carried.values()) < sent / 10, f"of {sent} packets the link carried {carried}"
        # The tests before have lost the link, too: it may wait for four times as long.
        assert until(lambda: _carries(story, stream, ports), _PATIENCE_SECONDS), "it is not used again"
    _one_move_lost_at_most(stream)


def _ends(story: Story) -> list[str]:
    """Both directions of the link, as failover.sent_by_port names them."""
    link = story.lab.network.link("l2", "l3")
    return [f"{end.node} {end.name}" for end in (link.a, link.b)]


def _carries(story: Story, stream: Stream, ports: list[str]) -> bool:
    """True if one of the ports sends most of the next packets."""
    before, first = failover.sent_by_port(story.lab), stream.sent
    assert stream.await_more(100)
    after, sent = failover.sent_by_port(story.lab), stream.sent - first
    return max(after[port] - before[port] for port in ports) > sent / 2
