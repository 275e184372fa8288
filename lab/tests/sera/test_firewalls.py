# SPDX-License-Identifier: Apache-2.0
"""Firewalls in chains of functions, with real packets: the accepted packets and their paths, whatever happens."""

import pytest
from fabric import Fabric, Json
from sextantlab import demo_firewall, processes
from sextantlab.demo_firewall import FOLDER, SOURCE_PORTS, example, sent
from sextantlab.processes import until
from sextantlab.traffic import PORT, Stream

_DNS, _NOBODYS = 53, 9999
_DATAGRAMS = 500
_SECONDS = 10


def open_for(port: int, *, rules: int = 0) -> Json:
    """fw-web with a rule for a UDP port, behind so many that match nothing here."""
    body = example("fw-web")
    body["rules"] = [
        *({"name": f"other-{n}", "family": "ipv6", "source": [f"2001:db8:{n:x}::/48"], "action": "drop"}
          for n in range(1, rules + 1)),
        *body["rules"],
        {"name": "open", "family": "ipv6", "protocol": "udp", "destinationPorts": str(port), "action": "accept"},
    ]  # fmt: skip
    return body


def stream(fabric: Fabric) -> Stream:
    client, server = (fabric.lab.namespace(name) for name in ("client", "d1"))
    return Stream(client, server, fabric.lab.network.host("d1").address(6))


def test_the_demo_goes_as_planned(fabric: Fabric, capsys: pytest.CaptureFixture[str]) -> None:
    result = demo_firewall.story(fabric.lab, fabric.rest)
    assert result["ok"], result
    assert result["chain"]["ways"]["ping"] == ["ingress", "nfv", "ids", "nfv2", "egress"]
    assert result["chain"]["ways"]["dns"] == ["ingress", "nfv", "nfv2", "egress"]
    assert "/destinationPorts" in capsys.readouterr().out


def test_listing_4_drops_what_the_ingress_sends_and_counts_it(fabric: Fabric) -> None:
    fabric.chain(example("fw-paper"), "listing-4")
    assert sent(fabric.lab, _NOBODYS) == 0
    assert until(lambda: fabric.hits("fw-paper") == {"all-of-the-ingress": len(SOURCE_PORTS)}, _SECONDS)


def test_an_audit_counts_what_it_would_have_dropped(fabric: Fabric) -> None:
    fabric.chain(example("fw-paper") | {"enforcement": "audit"}, "listing-4")
    assert sent(fabric.lab, _NOBODYS) == len(SOURCE_PORTS)
    assert until(lambda: fabric.hits("fw-paper") == {"all-of-the-ingress": len(SOURCE_PORTS)}, _SECONDS)


def test_rules_of_ip6tables_are_imported_and_hold(fabric: Fabric) -> None:
    text = (FOLDER / "rules.v6").read_bytes()
    query = "format=ip6tables-save&chain=FORWARD&name=fw-web&node=nfv"
    fabric.rest.call("POST", f"/srv6/firewalls/import?{query}", text, kind="text/plain").expect(201)
    for policy in ("chain", "back"):
        fabric.policy(example(policy))
    # 7000:7999 are open, 9999 is not.
    assert (sent(fabric.lab, _DNS), sent(fabric.lab, PORT), sent(fabric.lab, _NOBODYS)) == (10, 10, 0)


def test_rules_are_replaced_and_no_packet_is_lost(fabric: Fabric) -> None:
    first = fabric.chain(open_for(PORT), "chain")
    with stream(fabric) as packets:
        assert packets.await_more(_DATAGRAMS)
        for rules in (300, 0, 1000):
            stored = fabric.firewall(open_for(PORT, rules=rules))
        assert packets.await_more(_DATAGRAMS)
    assert packets.lost() == []
    assert stored["version"] == first["version"] + 3


def test_a_killed_agent_costs_no_packet_and_opens_nothing(fabric: Fabric) -> None:
    fabric.chain(open_for(PORT), "chain")
    with stream(fabric) as packets:
        assert packets.await_more(_DATAGRAMS)
        processes.kill(fabric.lab.agent("nfv"))
        assert packets.await_more(_DATAGRAMS)
        assert sent(fabric.lab, _NOBODYS) == 0
        fabric.lab.start_agent("nfv")
        fabric.restarted("nfv")
        assert packets.await_more(_DATAGRAMS)
    assert packets.lost() == []
    assert sent(fabric.lab, _NOBODYS) == 0
    fabric.firewall(open_for(_NOBODYS))
    assert sent(fabric.lab, _NOBODYS) == len(SOURCE_PORTS)


def test_a_firewall_that_policies_use_is_not_deleted(fabric: Fabric) -> None:
    fabric.chain(open_for(PORT), "chain")
    refused = fabric.call("DELETE", "/srv6/firewalls/fw-web")
    assert refused.status == 409
    assert "chain" in str(refused.body)
    assert sent(fabric.lab, PORT) == len(SOURCE_PORTS)


def test_a_verdict_that_leads_nowhere_is_refused_with_the_rule(fabric: Fabric) -> None:
    """Behind this firewall there is the egress alone: DNS, which goes past the next function, would arrive nowhere."""
    fabric.firewall(example("fw-web"))
    refused = fabric.call("POST", "/srv6/policies", example("chain") | {"hops": [{"firewall": "fw-web"}]})
    assert refused.status == 422
    assert "dns-past-ids" in str(refused.body)


def test_each_rule_counts_its_packets(fabric: Fabric) -> None:
    fabric.chain(open_for(PORT), "chain")
    assert (sent(fabric.lab, _DNS), sent(fabric.lab, PORT), sent(fabric.lab, _NOBODYS)) == (10, 10, 0)
    assert until(lambda: fabric.hits("fw-web") == {"dns-past-ids": 10, "web": 0, "ping": 0, "open": 10}, _SECONDS)
