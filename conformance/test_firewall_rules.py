# SPDX-License-Identifier: Apache-2.0
"""Firewalls that understand segments (SERA, End.AN; docs/reference/firewall-node.md).

The order of rules, counters, and rules that are exchanged under traffic.
"""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from nodes.bench import Bench
from nodes.firewall_kit import (
    ALONE,
    DROP,
    EVAL_ARGS,
    GO_LAST,
    GO_NEXT,
    INNER,
    NEW_RULES,
    OWN,
    PORTS,
    RULES,
    SECOND,
    SID,
    SKIP_NEXT,
    TCP,
    TO,
    UDP,
    Match,
    at,
    dropped,
    drops_as,
    hits,
    ipv6,
    lacking,
    outer,
    parameters,
    routed,
    rule,
    sent_to,
    sera,
    tcp,
    there,
    whole,
)
from nodes.p4runtime import DELETE, INSERT, MODIFY, Action, WriteError

PLANES = ("firewalls",)
pytestmark = pytest.mark.usefixtures("has_firewalls")


# --- rules


def test_the_bigger_priority_wins(firewall: Bench) -> None:
    packet = outer(f"{OWN}600:500:300::")
    for priority, action, after in (
        (1, GO_NEXT, "fcbb:bbbb:600:500:300::"), (100000, GO_LAST, "fcbb:bbbb:300::"),
        (50000, GO_NEXT, "fcbb:bbbb:300::"), (100001, SKIP_NEXT, "fcbb:bbbb:500:300::"),
    ):  # fmt: skip
        rule(firewall, action, priority, ({"ip_protocol": UDP} if priority > 1 else {}))
        firewall.check(1, whole(packet), 2, whole(sent_to(packet, after)))
    assert hits(firewall) == {1: 1, 100000: 2, 50000: 0, 100001: 1}


def test_without_a_rule_nothing_passes(firewall: Bench) -> None:
    """Rules of others are none of this one."""
    rule(firewall, GO_NEXT, rules=NEW_RULES)
    rule(firewall, GO_NEXT, 2, {"ip_version": 4})
    drops_as(firewall, "no rule", outer(TO))
    assert hits(firewall) == {1: 0, 2: 0}


def test_what_a_rule_drops_only_its_counter_counts(firewall: Bench) -> None:
    rule(firewall, DROP, log=1)
    before = dropped(firewall)
    firewall.check_not_forwarded(1, whole(outer(TO)))
    assert hits(firewall) == {1: 1}
    assert dropped(firewall) == before


@pytest.mark.parametrize("packets", [1, 7])
def test_counters(firewall: Bench, packets: int) -> None:
    """Counters of the rule and of the SID; every packet once, with its bytes."""
    rule(firewall, GO_NEXT, 5, log=1)
    rule(firewall, DROP)
    data = whole(outer(TO))
    firewall.send(1, *[data] * packets, at_least=packets)
    counted = {row.priority: row.counter_data for row in firewall.client.read("firewall", counters=True)}
    assert (counted[5].packet_count, counted[1].packet_count) == (packets, 0)
    (sid,) = firewall.client.read("my_sid", counters=True)
    assert sid.counter_data.packet_count == packets
    assert counted[5].byte_count == sid.counter_data.byte_count > packets * len(bytes(data)) - 1


def test_instances_count_for_themselves(firewall: Bench) -> None:
    sera(firewall, "fcbb:bbbb:200:f2f0::/60", instance=15, rules=15 << 24)
    rule(firewall, EVAL_ARGS, rules=15 << 24)
    before = dropped(firewall)
    drops_as(firewall, "bad arguments", outer("fcbb:bbbb:200:f2ff:600::"), instance=15)
    assert dropped(firewall) == before


def test_rules_are_replaced_at_once(firewall: Bench) -> None:
    """New rows under a new number, one MODIFY of the SID, and the old rows go: no packet meets half of both.

    Old rules pass UDP to the next function and TCP to the last, new ones the other way round.
    """
    udp_in, tcp_in = outer(f"{OWN}600:300::"), outer(f"{OWN}600:300::", ipv6(tcp(), TCP))

    def installed(number: int, of_udp: str, of_tcp: str) -> None:
        rule(firewall, of_udp, 9, {"ip_protocol": UDP}, rules=number)
        rule(firewall, of_tcp, 8, {"ip_protocol": TCP}, rules=number)

    def judged(of_udp: str, of_tcp: str) -> None:
        firewall.check(1, whole(udp_in), 2, whole(sent_to(udp_in, of_udp)))
        firewall.check(1, whole(tcp_in), 2, whole(sent_to(tcp_in, of_tcp)))

    following, last = "fcbb:bbbb:600:300::", "fcbb:bbbb:300::"
    installed(RULES, GO_NEXT, GO_LAST)
    judged(following, last)
    installed(NEW_RULES, GO_LAST, GO_NEXT)
    judged(following, last)
    firewall.modify("my_sid", {"sid": SID}, Action("sera", parameters(rules=NEW_RULES)))
    judged(last, following)
    firewall.delete("firewall", {"firewall": RULES, "ip_protocol": UDP})
    judged(last, following)
    firewall.delete("firewall", {"firewall": RULES, "ip_protocol": TCP})
    judged(last, following)


def test_no_packet_is_lost_while_rules_are_replaced(firewall: Bench) -> None:
    """Twenty rule sets, one after the other, under traffic: each packet is judged by all of one.

    Old rows go from the default policy upwards, so that a packet on its way to them meets the right one or none.
    """

    def rows(number: int) -> list[Any]:
        passing: Match = {"firewall": number, "ip_protocol": UDP}
        return [
            firewall.client.entry("firewall", {"firewall": number}, Action(DROP, {"log": 0}), priority=1),
            firewall.client.entry("firewall", passing, Action(GO_NEXT, {"log": 0}), priority=2),
        ]

    def replace_often() -> None:
        for old in range(RULES, RULES + 20):
            sid = firewall.client.entry("my_sid", {"sid": SID}, Action("sera", parameters(rules=old + 1)))
            firewall.client.write([(INSERT, row) for row in rows(old + 1)])
            firewall.client.write([(MODIFY, sid)])
            firewall.client.write([(DELETE, row) for row in rows(old)])

    firewall.client.write([(INSERT, row) for row in rows(RULES)])
    packet, before = whole(outer(TO)), dropped(firewall)
    with ThreadPoolExecutor(1) as pool:
        replacing = pool.submit(replace_often)
        while not replacing.done():
            assert len(firewall.send(1, *[packet] * 20, at_least=20)) == 20
        replacing.result()
    assert dropped(firewall) == before


def test_a_sid_counts_on_when_its_rules_change(firewall: Bench) -> None:
    for packets, rules in ((3, RULES), (5, NEW_RULES)):
        rule(firewall, GO_NEXT, rules=rules)
        firewall.modify("my_sid", {"sid": SID}, Action("sera", parameters(rules=rules)))
        firewall.send(1, *[whole(outer(TO))] * packets, at_least=packets)
    (sid,) = firewall.client.read("my_sid", counters=True)
    assert sid.counter_data.packet_count == 8


def test_a_verdict_may_lead_to_another_sid_of_the_node(firewall: Bench) -> None:
    """One hop for a node, whatever it does."""
    firewall.my_sid("fcbb:bbbb:200:f00d::/64", "udt6", vrf=0)
    firewall.my_sid("fcbb:bbbb:200::/48", "un", block_length=32, csid_length=16)
    rule(firewall, GO_NEXT)
    packet = outer(f"{OWN}200:f00d::")
    firewall.check(1, whole(packet), 2, whole(at(INNER, 7, 63)))


def test_two_firewalls_in_a_row(firewall: Bench) -> None:
    sera(firewall, "fcbb:bbbb:200:f250::/60", instance=5, rules=5 << 24)
    rule(firewall, GO_NEXT)
    rule(firewall, EVAL_ARGS, rules=5 << 24)
    packet = outer(f"{OWN}200:f251:600:300")
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:300::")))
    drops_as(firewall, "bad arguments", outer(f"{OWN}200:f25f:600:300"), instance=5)


def test_many_firewalls_of_a_node_cost_one_hop(firewall: Bench) -> None:
    """As many as bmv2 has passes for."""
    rule(firewall, GO_NEXT)
    packet = routed(ALONE, 16, [SECOND] + 15 * [ALONE], hops=2)
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, SECOND, 0)))


def test_a_sid_that_is_no_firewall_is_not_judged(firewall: Bench) -> None:
    firewall.my_sid("fcbb:bbbb:200::/48", "un", block_length=32, csid_length=16)
    packet = outer("fcbb:bbbb:200:f220:600::")
    firewall.check(1, whole(packet), 2, whole(sent_to(packet, "fcbb:bbbb:f220:600::")))


_ACCEPTED = (
    "PI, the P4Runtime server of bmv2, takes a range of everything, and does not know that fields ask for others"
)
_KNOWN_TO_PI = "range the wrong way round"

REFUSED: dict[str, Match] = {
    _KNOWN_TO_PI: {"has": there(PORTS), "src_port": "9-8"},
    "range of everything": {"has": there(PORTS), "src_port": "0-65535"},
    "port of none": {"dst_port": 53},
    "port of none there": {"has": lacking(PORTS), "dst_port": 53},
    "flags of none": {"tcp_flags": 2, "ip_protocol": TCP},
    "flags of another": {"tcp_flags": 2, "has": there(PORTS), "ip_protocol": UDP},
    "type of none": {"icmp_type": 8},
    "segments left of none": {"segments_left": 1},
    "tag of none": {"srh_tag": 1},
    "previous SID of none": {"previous_sid": "fcbb:bbbb:900::/48"},
    "next SID of none": {"next_sid": "fcbb:bbbb:900::/48"},
}


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(match, marks=() if name == _KNOWN_TO_PI else pytest.mark.differs("bmv2", _ACCEPTED), id=name)
        for name, match in REFUSED.items()
    ],
)
def test_a_row_that_matches_what_is_not_there_is_refused(firewall: Bench, match: Match) -> None:
    """P4Runtime, 9.1.1; and values that a packet lacks are none."""
    entry = firewall.client.entry("firewall", {"firewall": RULES, **match}, Action(DROP, {"log": 0}), priority=1)
    with pytest.raises(WriteError) as caught:
        firewall.client.write([(INSERT, entry)])
    assert caught.value.codes == ["INVALID_ARGUMENT"]
    assert firewall.client.read("firewall") == []


def test_a_row_needs_a_priority(firewall: Bench) -> None:
    """P4Runtime, 9.1.1: rows of the same priority have no order."""
    entry = firewall.client.entry("firewall", {"firewall": RULES}, Action(DROP, {"log": 0}))
    with pytest.raises(WriteError) as caught:
        firewall.client.write([(INSERT, entry)])
    assert caught.value.codes == ["INVALID_ARGUMENT"]
