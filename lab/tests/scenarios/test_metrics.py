# SPDX-License-Identifier: Apache-2.0
"""Metrics of the controller and of an agent move when the network does (docs/reference/metrics.md)."""

import re
import socket
import ssl
import urllib.request
from collections.abc import Callable, Iterator

import pytest
from sextantlab import netns, processes
from sextantlab.processes import until
from sextantlab.rest import Rest
from story import Story, example

# Apps measure every ten seconds, and a measure is shown a round later.
_PATIENCE_SECONDS = 35
_NODE = "l1"
_SAMPLE = re.compile(r"(\w+(?:\{.*\})?) (\S+)$")

Series = dict[str, float]


def _parse(text: str) -> Series:
    """The series of a text in Prometheus' format, by name and labels."""
    samples = (_SAMPLE.match(line) for line in text.splitlines() if not line.startswith("#"))
    return {sample[1]: float(sample[2]) for sample in samples if sample}


def _of_controller(story: Story) -> Series:
    answer = story.controller.rest("viewer").call("GET", "/srv6/metrics")
    assert answer.headers["Content-Type"].startswith("text/plain"), answer.headers
    return _parse(answer.expect(200))


@pytest.fixture
def of_agent(story: Story) -> Iterator[Callable[[], Series]]:
    """Scrapes the agent of a node, with the certificate of a monitor."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{probe.getsockname()[1]}"
    processes.stop(story.lab.agent(_NODE))
    story.lab.start_agent(_NODE, ["--metrics", address])
    certificates = story.lab.certificates
    monitor = certificates.client("monitor")
    context = ssl.create_default_context(cafile=certificates.ca)
    context.check_hostname = False
    context.load_cert_chain(monitor.certificate, monitor.key)

    def scrape() -> Series:
        with urllib.request.urlopen(f"https://{address}/metrics", timeout=10, context=context) as answer:
            return _parse(answer.read().decode())

    try:
        yield scrape
    finally:
        processes.stop(story.lab.agent(_NODE))
        story.lab.start_agent(_NODE)
        assert until(story.whole, _PATIENCE_SECONDS)


def test_series_move_with_policies_packets_links_and_sessions(story: Story, of_agent: Callable[[], Series]) -> None:
    lost = f'sextant_node_sessions_lost_total{{node="{_NODE}"}}'
    assert until(lambda: _of_controller(story).get(lost, 0) >= 1, _PATIENCE_SECONDS), "the agent was restarted"
    assert until(story.whole, _PATIENCE_SECONDS)
    before, node_before = _of_controller(story), of_agent()
    assert before['sextant_nodes{state="synced"}'] == 8
    assert before['sextant_links{state="down"}'] == 0
    assert before["sextant_engine_hold_seconds_count"] > 0
    assert node_before["sextant_agent_controller_sessions"] == node_before["sextant_agent_primary_connected"] == 1

    stored = story.install(example("paper"))
    assert story.reaches("h11", "h31")
    to_a_sid = "ping -6 -c 3 -i 0.2 -W 1 fcbb:bbbb:100::"
    sid = netns.run(story.namespace("h11"), *to_a_sid.split())
    assert sid.returncode != 0, "the edge drops packets to SIDs"
    _moved(of_agent, node_before, [
        'sextant_agent_table_entries{table="steering_v6"}',
        'sextant_agent_table_packets_total{table="steering_v6"}',
        'sextant_agent_table_bytes_total{table="steering_v6"}',
        'sextant_agent_dropped_packets_total{program="edge",reason="a packet from outside to a SID of the domain"}',
    ])  # fmt: skip
    _moved(lambda: _of_controller(story), before, [
        'sextant_intents{kind="policy",state="installed"}',
        'sextant_intent_changes_total{kind="policy",state="installed"}',
        f'sextant_entries_written_total{{node="{_NODE}",operation="insert"}}',
        f'sextant_node_entries{{node="{_NODE}"}}',
        f'sextant_policy_packets_total{{policy="{stored["id"]}"}}',
        f'sextant_policy_bytes_total{{policy="{stored["id"]}"}}',
        f'sextant_port_received_packets_total{{node="{_NODE}",port="1"}}',
        "sextant_engine_hold_seconds_count",
        "sextant_store_commit_seconds_count",
        "process_cpu_seconds_total",
    ])  # fmt: skip

    story.lab.set_link("p7", "v8", up=False)
    try:
        assert until(lambda: _of_controller(story)['sextant_links{state="down"}'] == 2, _PATIENCE_SECONDS)
        down = [name for name, up in _of_controller(story).items() if name.startswith("sextant_link_up") and not up]
        assert all("p7/" in name and "v8/" in name for name in down), down
    finally:
        story.lab.set_link("p7", "v8", up=True)
    assert until(lambda: _of_controller(story)['sextant_links{state="down"}'] == 0, _PATIENCE_SECONDS)


def _moved(scrape: Callable[[], Series], before: Series, names: list[str]) -> None:
    """Each of the series becomes larger than it was; one that was not there was 0."""

    def still() -> dict[str, float | None]:
        now = scrape()
        return {name: now.get(name) for name in names if now.get(name, 0) <= before.get(name, 0)}

    assert until(lambda: not still(), _PATIENCE_SECONDS, 0.5), still()


def test_a_scrape_without_a_role_is_refused(story: Story) -> None:
    assert Rest(story.controller.url, None).call("GET", "/srv6/metrics").status == 401
