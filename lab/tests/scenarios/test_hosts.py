# SPDX-License-Identifier: Apache-2.0
"""Hosts that come and go beside others whose traffic must not notice."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sextantlab import netns
from sextantlab.processes import until
from story import Json, Story

_ROUNDS = 5


def described(story: Story) -> Path:
    return story.lab.network_file


@contextmanager
def restored(file: Path) -> Iterator[Json]:
    """The description, which is as before in the end."""
    before = file.read_text()
    try:
        yield json.loads(before)
    finally:
        _replace(file, before)


def _replace(file: Path, text: str) -> None:
    """In one step, as the controller may look at any moment."""
    fresh = file.with_suffix(".new")
    fresh.write_text(text)
    fresh.rename(file)


def _describe(story: Story, description: Json, *hosts: str) -> None:
    """Leaves these hosts only, and waits until the nodes are so."""
    some = {key: body for key, body in description["hosts"].items() if body["basic"]["name"] in hosts}
    _replace(described(story), json.dumps({**description, "hosts": some}))
    assert until(lambda: {host["name"] for host in story.rest.get("/srv6/topology")["hosts"]} == set(hosts), 30)
    assert until(story.whole, 30), story.rest.get("/srv6/entries?state=pending")


def _strangers_packets(story: Story, host: str) -> int:
    """Packets that came to a host and were not for it."""
    counters = netns.run(story.namespace(host), "cat", "/proc/net/snmp6").stdout.split()
    return int(counters[counters.index("Ip6InAddrErrors") + 1])


def test_hosts_that_are_added_and_removed_cost_others_no_packet_and_get_none_of_theirs(story: Story) -> None:
    with restored(described(story)) as description:
        everybody = [body["basic"]["name"] for body in description["hosts"].values()]
        others = [host for host in everybody if host not in ("h11", "h12")]
        _describe(story, description, *others, "h12")
        strangers = {host: _strangers_packets(story, host) for host in everybody}
        with story.pinging("h13", "h12") as one, story.pinging("h12", "h13") as other:
            for _ in range(_ROUNDS):
                _describe(story, description, *others, "h11", "h12")
                _describe(story, description, *others, "h12")
            assert one.await_replies(10, 10)
            assert other.await_replies(10, 10)
        assert (one.lost(), other.lost()) == (0, 0)
        assert {host: _strangers_packets(story, host) for host in everybody} == strangers
    assert until(lambda: {host["name"] for host in story.rest.get("/srv6/topology")["hosts"]} == set(everybody), 30)
    assert until(story.whole, 30)
