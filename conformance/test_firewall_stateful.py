# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

Flows. Each case begins with none: the programs go with the last row (no PLANES).
"""

import pytest
from nodes.bench import Bench
from nodes.firewall_kit import (
    ALONE,
    DROP,
    GO_NEXT,
    INSTANCE,
    NEW_RULES,
    PORTS,
    SID,
    TO,
    UDP,
    UDP_LITE,
    Match,
    dropped,
    drops_as,
    hits,
    ipv4,
    ipv6,
    outer,
    parameters,
    rule,
    sent_to,
    there,
    udp,
    whole,
)
from nodes.p4runtime import Action

pytestmark = pytest.mark.usefixtures("has_firewalls")


# --- flows

ESTABLISHED: Match = {"established": 1}


def stateful(node: Bench, *, flows: int = 100, instance: int = INSTANCE) -> None:
    """A firewall that accepts only questions to port 53, and packets of a flow that it knows."""
    node.my_sid(SID, "sera_stateful", **parameters(rules=instance << 24, instance=instance), flows=flows)
    allow(node, instance << 24)


def allow(node: Bench, rules: int, *, questions: bool = True) -> None:
    rule(node, GO_NEXT, 9, ESTABLISHED, rules=rules)
    if questions:
        rule(node, GO_NEXT, 5, {"has": there(PORTS), "dst_port": 53}, rules=rules)
    rule(node, DROP, rules=rules)


def question(port: int, *, four: bool = False) -> bytes:
    return outer(TO, ipv4(udp(port, 53), UDP) if four else ipv6(udp(port, 53), UDP))


def answer(port: int, *, four: bool = False, protocol: int = UDP) -> bytes:
    if four:
        return outer(TO, ipv4(udp(53, port), protocol, "10.1.0.9", "10.2.0.9"))
    return outer(TO, ipv6(udp(53, port), protocol, "2001:db8:1::9", "2001:db8:2::9"))


def passes(node: Bench, packet: bytes) -> None:
    node.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:600::")))


def is_dropped(node: Bench, packet: bytes) -> None:
    node.check_not_forwarded(1, whole(packet))


@pytest.mark.parametrize("four", [False, True], ids=["IPv6", "IPv4"])
def test_an_answer_passes_behind_its_question(node: Bench, four: bool) -> None:
    """Both directions of a 5-tuple are one flow; other packets are judged by the other rules."""
    stateful(node)
    is_dropped(node, answer(2000, four=four))
    passes(node, question(2000, four=four))
    passes(node, answer(2000, four=four))
    passes(node, question(2000, four=four))
    is_dropped(node, answer(2001, four=four))
    is_dropped(node, answer(2000, four=four, protocol=UDP_LITE))
    is_dropped(node, answer(2000, four=not four))
    assert hits(node) == {9: 2, 5: 1, 1: 4}


def test_what_is_dropped_opens_no_flow(node: Bench) -> None:
    stateful(node)
    is_dropped(node, answer(2100))
    is_dropped(node, answer(2100))
    drops_as(node, "unable", outer(ALONE, ipv6(udp(2101, 53), UDP)))
    is_dropped(node, answer(2101))
    assert hits(node) == {9: 0, 5: 1, 1: 3}


def test_flows_outlive_their_rules(node: Bench) -> None:
    """By instance, not by the number of the rules: a change of those cuts off no flow."""
    stateful(node)
    passes(node, question(2200))
    allow(node, NEW_RULES, questions=False)
    changed = {**parameters(rules=NEW_RULES), "flows": 100}
    node.modify("my_sid", {"sid": SID}, Action("sera_stateful", changed))
    passes(node, answer(2200))
    is_dropped(node, question(2201))


def test_flows_are_of_one_instance(node: Bench) -> None:
    stateful(node)
    other = {**parameters(rules=11 << 24, instance=11), "flows": 100}
    node.my_sid("fcbb:bbbb:200:f2b0::/60", "sera_stateful", **other)
    allow(node, 11 << 24)
    passes(node, question(2300))
    elsewhere = answer(2300)
    is_dropped(node, elsewhere[:30] + b"\xf2\xb0" + elsewhere[32:])
    passes(node, answer(2300))


def test_more_flows_than_allowed_are_dropped(node: Bench) -> None:
    """Open flows, with packets in both directions and an acknowledgment, continue."""
    stateful(node, flows=2, instance=9)
    converse(node, 2400)
    converse(node, 2401)
    drops_as(node, "flows", question(2402), instance=9)
    passes(node, question(2400))
    passes(node, answer(2401))
    is_dropped(node, answer(2402))


def converse(node: Bench, port: int) -> None:
    """A flow that is acknowledged."""
    passes(node, question(port))
    passes(node, answer(port))
    passes(node, question(port))


def test_what_was_never_acknowledged_gives_way(node: Bench) -> None:
    """The flow that was opened first goes first; a conversation stays, however many come. The eviction is counted."""
    stateful(node, flows=3, instance=10)
    converse(node, 2500)
    before = dropped(node, 10)
    for port in range(2501, 2541):
        passes(node, question(port))
    assert dropped(node, 10) == before | {"evicted": before["evicted"] + 38}
    is_dropped(node, answer(2538))
    passes(node, answer(2540))
    passes(node, answer(2500))
