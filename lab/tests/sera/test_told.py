# SPDX-License-Identifier: Apache-2.0
"""Events of firewalls about real packets: gNMI of the node, events and log of the controller."""

from collections.abc import Iterator

import grpc
import pytest
from fabric import Fabric, Json
from sextantlab.channels import channel
from sextantlab.demo_firewall import SOURCE_PORTS, example, sent
from sextantlab.gnmi import Subscription, Told, Value
from sextantlab.news import Event, News
from sextantlab.processes import until
from sextantlab.tls import MONITOR
from sextantlab.traffic import datagrams

_NOBODYS = 9999
_SECONDS = 20
_EVENT = "/firewalls/firewall[instance=*]/log/event"


def loud() -> Json:
    """fw-web, with a rule that drops and logs packets for a port without a listener."""
    body = example("fw-web")
    rule = {"name": "nobodys", "family": "ipv6", "protocol": "udp", "destinationPorts": str(_NOBODYS), "action": "drop"}
    body["rules"] = [*body["rules"], rule | {"log": True}]
    return body


@pytest.fixture
def news(fabric: Fabric) -> Iterator[News]:
    fabric.chain(loud(), "chain")
    with News(fabric.rest) as one:
        assert one.next(lambda event: event.name == "network", _SECONDS) is not None
        yield one


def lines(event: Event) -> list[Json]:
    return [line for line in event.data["lines"] if line["name"] == "nobodys"] if event.name == "firewallLog" else []


def packet(fabric: Fabric) -> Json:
    """The expected event of each of the datagrams."""
    client, server = (fabric.lab.network.host(name).address(6) for name in ("client", "d1"))
    return {"firewall": "fw-web", "node": "nfv", "rule": 3, "verdict": "drop", "source": client, "destination": server,
            "protocol": 17, "destinationPort": _NOBODYS}  # fmt: skip


def test_a_logged_packet_is_an_event_and_a_line_of_the_log(fabric: Fabric, news: News) -> None:
    assert sent(fabric.lab, _NOBODYS) == 0
    told: list[Json] = []
    while len(told) < len(SOURCE_PORTS):
        event = news.next(lambda one: lines(one) != [], _SECONDS)
        assert event is not None, told
        told += lines(event)
    for line in told:
        assert packet(fabric).items() <= line.items(), line
    assert sorted(line["sourcePort"] for line in told) == list(SOURCE_PORTS)
    log = fabric.rest.get("/srv6/firewalls/fw-web/log?limit=200")
    assert [line["sourcePort"] for line in log["lines"]] == [line["sourcePort"] for line in reversed(told)]
    assert (log["heard"], log["seen"], log["unlogged"], log["lost"]) == (True, len(SOURCE_PORTS), 0, 0)


def test_what_rules_count_is_an_event(fabric: Fabric, news: News) -> None:
    assert sent(fabric.lab, _NOBODYS) == 0

    def counted(event: Event) -> bool:
        if event.name != "firewallCounters":
            return False
        rules: list[Json] = [rule for one in event.data["firewalls"] if one["id"] == "fw-web" for rule in one["rules"]]
        return any(rule["rule"] == 3 and rule["hits"] == len(SOURCE_PORTS) for rule in rules)

    assert news.next(counted, _SECONDS) is not None
    assert fabric.rest.get("/srv6/firewalls/fw-web/counters")["live"] is True


def test_a_monitor_hears_of_logged_packets_from_the_node_itself(fabric: Fabric) -> None:
    fabric.chain(loud(), "chain")
    with Subscription(_channel(fabric), _EVENT) as subscription:
        told = subscription.told()
        assert next(told) is None  # earlier events are not sent
        assert sent(fabric.lab, _NOBODYS) == 0
        events = [_told(next(told)) for _ in SOURCE_PORTS]
    wanted = {"action": "fw_drop", "protocol": 17, "destination-port": _NOBODYS, "lost": 0, "unlogged": 0}
    for event in events:
        assert wanted.items() <= leaves(event).items(), event
        assert event.nanos == leaves(event)["time"]
    assert sorted(leaves(event)["source-port"] for event in events) == list(SOURCE_PORTS)


def leaves(event: Told) -> dict[str, Value]:
    """By their last steps."""
    return {path.rpartition("/")[2]: value for path, value in event.leaves.items()}


def test_a_flood_is_told_in_part_and_the_rest_is_counted(fabric: Fabric, news: News) -> None:
    server = fabric.lab.network.host("d1").address(6)
    here, there = fabric.lab.namespace("client"), fabric.lab.namespace("d1")
    assert datagrams(here, there, server, range(40_000, 40_200), port=_NOBODYS) == 0

    def all_known() -> bool:
        sent(fabric.lab, _NOBODYS)  # the next line says how many were not reported before it
        log = fabric.rest.get("/srv6/firewalls/fw-web/log?limit=1")
        return bool(log["unlogged"] > 0 and log["seen"] + log["unlogged"] == fabric.hits("fw-web")["nobodys"])

    log = "/srv6/firewalls/fw-web/log?limit=1"
    assert until(all_known, _SECONDS), f"{fabric.hits('fw-web')}, {fabric.rest.get(log)}"


def test_rules_cannot_be_followed_on_change(fabric: Fabric) -> None:
    refused = pytest.raises(grpc.RpcError, match="of firewalls only log/event supports ON_CHANGE")
    with Subscription(_channel(fabric), "/firewalls/firewall[instance=*]/rules") as subscription, refused:
        next(subscription.told())


def _channel(fabric: Fabric) -> grpc.Channel:
    node = next(node for node in fabric.lab.network.nodes if node.name == "nfv")
    return channel(f"{node.host}:{node.port}", fabric.lab.tls, MONITOR)


def _told(one: Told | None) -> Told:
    assert one is not None
    return one
