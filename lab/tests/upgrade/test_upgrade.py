# SPDX-License-Identifier: Apache-2.0
"""Fleet and controller are upgraded apart: the last release's agents under this controller, and the reverse.

Tables and actions of one side that the other does not know are left alone. lab/last-release names the commit that
counts as released; it is built from the history of this checkout.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from flows import Flows
from sextantlab import processes, release
from sextantlab.controller import Controller
from sextantlab.lab import need_root
from sextantlab.processes import until
from sextantlab.release import THIS
from story import Json, Story, network

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(release.missing()), reason=release.missing() or "-")]

_PATIENCE_SECONDS = 60
_POLICY: Json = {"name": "there", "from": "a", "to": "b", "nodes": ["e1", "c3", "e2"]}
_COPIED: Json = {
    "name": "copied",
    "from": "a",
    "to": "b",
    "paths": [["e1", f"c{number}", "e2"] for number in (1, 2, 4)],
}


@dataclass(frozen=True)
class Mixed:
    """A network whose agents and whose controller are of two releases."""

    story: Story
    flows: Flows
    agents_are_older: bool

    def upgrade(self) -> None:
        """The older side is exchanged, as packages do: agents one by one, or the controller."""
        if self.agents_are_older:
            self.story.lab.release = THIS
            for node in self.story.lab.network.nodes:
                processes.stop(self.story.lab.agent(node.name))
                self.story.lab.start_agent(node.name)
            return
        self.story.controller.stop()
        newer = Controller(self.story.lab, THIS)
        newer.unpack()
        newer.start()
        self.story.controller = self.flows.controller = newer
        newer.await_ready()


def prepare(_: Path) -> None:
    """The last release is built below build/releases, once for all sessions."""
    if not release.missing():
        release.last()


@pytest.fixture(scope="module", params=["old agents, new controller", "new agents, old controller"])
def running(request: pytest.FixtureRequest, prepared: Path) -> Iterator[Mixed]:
    need_root()
    last = release.last()
    older = request.param.startswith("old")
    agents, controllers = (last, THIS) if older else (THIS, last)
    with network("livelive", agents=agents, controllers=controllers) as story:
        yield Mixed(story, Flows(story.lab, story.controller), older)


@pytest.fixture
def mixed(running: Mixed) -> Iterator[Mixed]:
    """Afterwards without policies and flows."""
    yield running
    running.story.clear()
    running.flows.clear()


def test_a_policy_is_installed_and_packets_take_its_path(mixed: Mixed) -> None:
    stored = mixed.story.install(_POLICY)
    assert mixed.story.reaches("a", "b")
    assert mixed.story.check_walks(stored, "a", "b") == [10]
    assert mixed.story.check_walks(stored, "b", "a") == [10]
    assert mixed.story.whole()


def test_a_flow_is_copied_and_every_packet_comes_once(mixed: Mixed) -> None:
    mixed.flows.install(_COPIED)
    with mixed.flows.stream() as stream:
        assert stream.await_more(200)
        mixed.flows.silence("c1")
        assert stream.await_more(200)
    assert (stream.lost(), stream.repeated()) == ([], [])
    paths = mixed.flows.paths("copied")
    assert list(paths) == [1, 2, 3]
    assert all(path["first"] + path["duplicate"] > 0 for path in paths.values()), paths


def test_what_is_installed_stays_while_the_older_side_is_upgraded(mixed: Mixed) -> None:
    """The last test of its network: afterwards both sides are of this release."""
    stored = mixed.story.install(_POLICY)
    assert mixed.story.reaches("a", "b")
    with mixed.story.pinging("a", "b") as pings:
        assert pings.await_replies(20, _PATIENCE_SECONDS)
        mixed.upgrade()
        assert until(mixed.story.whole, _PATIENCE_SECONDS), mixed.flows.troubles()
        assert pings.await_replies(20, _PATIENCE_SECONDS)
    assert pings.lost() == 0
    assert mixed.story.state(stored["id"]) == "INSTALLED"
    assert mixed.story.check_walks(stored, "a", "b") == [10]
