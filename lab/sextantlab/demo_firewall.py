# SPDX-License-Identifier: Apache-2.0
"""./sextant demo firewall: a chain with an IDS that DNS skips, the trace of a dropped packet, a rule added live."""

import json
import struct
import time
from ipaddress import IPv6Address
from pathlib import Path
from typing import Any

from . import demo, sera
from .capture import Capture, Packet
from .errors import UserError
from .lab import Lab, need_root
from .paths import LAB
from .ping import Pinger
from .processes import until
from .protocols.ip import Ip
from .protocols.udp import Udp
from .rest import Rest
from .steps import step
from .traffic import datagrams

FOLDER = LAB / "sera"
_CLIENT, _SERVER, _GUARDED = "client", "d1", "ids"
_DNS, _GAME = 53, 7007
SOURCE_PORTS = range(40_000, 40_010)
_SECONDS = 20
_PINGS = 50


def example(name: str) -> dict[str, Any]:
    """One of lab/sera."""
    body: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    return body


def install(rest: Rest, path: str, body: dict[str, Any]) -> dict[str, Any]:
    stored: dict[str, Any] = rest.call("POST", path, json.dumps(body).encode()).expect(200, 201)
    if stored["state"] != "INSTALLED":
        raise UserError(f"{body['name']} is {stored['state']}: GET {path}/{body['name']} says what is not installed")
    return stored


def run(keep: bool, report: Path | None) -> int:
    """Returns 0 if DNS went past the IDS and nothing else did, and the new rule accepted packets that were dropped
    before.
    """
    need_root()
    lab = Lab(sera.TOPOLOGY)
    return demo.play(lab, lambda rest: story(lab, rest), keep, report, _CLIENT, _SERVER)


def story(lab: Lab, rest: Rest) -> dict[str, Any]:
    firewall = install(rest, "/srv6/firewalls", example("fw-web"))
    for policy in ("chain", "back"):
        install(rest, "/srv6/policies", example(policy))
    print(f"\nFirewall fw-web at nfv, SID {firewall['sid']}, {firewall['rows']} rows")
    results: dict[str, Any] = {"chain": chain(lab), "trace": trace(lab, rest), "live": live(lab, rest)}
    results["counters"] = counters(rest)
    results["ok"] = all(one["ok"] for one in results.values())
    return results


# --- DNS goes past the IDS, the rest through it


def chain(lab: Lab) -> dict[str, Any]:
    with _captured(lab) as capture:
        answered = ping(lab)
        resolved = sent(lab, _DNS)
        ways = {"ping": _way(_seen(lab, capture, None)), "dns": _way(_seen(lab, capture, _DNS))}
    print("\nThe chain: fw-web, then the IDS, then the egress")
    for name, way in ways.items():
        print(f"  {name:<5} {' -> '.join(way)}")
    ok = answered and resolved == len(SOURCE_PORTS) and _GUARDED in ways["ping"] and _GUARDED not in ways["dns"]
    return {"ways": ways, "dnsArrived": resolved, "ok": ok}


def _captured(lab: Lab) -> Capture:
    return Capture({node.name: lab.namespace(node.name) for node in lab.network.nodes})


def ping(lab: Lab) -> bool:
    with Pinger(lab.namespace(_CLIENT), lab.network.host(_SERVER).address(6)) as pinger:
        return pinger.await_replies(5, _SECONDS)


def sent(lab: Lab, port: int) -> int:
    """How many datagrams to a port arrive."""
    here, there = lab.namespace(_CLIENT), lab.namespace(_SERVER)
    return datagrams(here, there, lab.network.host(_SERVER).address(6), SOURCE_PORTS, port=port)


def _seen(lab: Lab, capture: Capture, port: int | None) -> list[Packet]:
    """The packets that nodes saw in the forward direction, to a UDP port or of anything else."""
    client, server = (lab.network.host(name).address(6) for name in (_CLIENT, _SERVER))
    return [one for one in capture.packets(client, server) if _port(one) == port]


def _port(packet: Packet) -> int | None:
    return next((header.destination_port for header in packet.headers if isinstance(header, Udp)), None)


def _way(packets: list[Packet]) -> list[str]:
    """The nodes in the order in which they saw the first of the packets."""
    return list(dict.fromkeys(packet.node for packet in packets))


# --- a packet is dropped, and why


def trace(lab: Lab, rest: Rest) -> dict[str, Any]:
    """The firewall's verdict on a dropped packet's own bytes."""
    with _captured(lab) as capture:
        arrived = sent(lab, _GAME)
        at_firewall = [one for one in _seen(lab, capture, _GAME) if one.node == "nfv" and not one.leaving]
    if not at_firewall:
        raise UserError("the packets did not come to the firewall: ./sextant cli srv6:policies")
    traced = rest.post("/srv6/firewalls/fw-web/trace", {"hex": _bytes(at_firewall[0]).hex()})
    print(f"\nUDP to port {_GAME}: {arrived} of {len(SOURCE_PORTS)} arrive. The trace of one of them:")
    for passed in traced["passed"]:
        print(f"  not {passed['name']}: {passed['differs']}")
    print(f"  {traced['verdict']}, says {traced['rule']['name']}")
    return {"arrived": arrived, "trace": traced, "ok": arrived == 0 and traced["verdict"] == "drop"}


def _bytes(packet: Packet) -> bytes:
    """The packet as it came, but for traffic class and flow label of its outer header."""
    outer = next(header for header in packet.headers if isinstance(header, Ip))
    head = struct.pack("!IHBB", 6 << 28, len(outer.payload), outer.protocol, outer.hop_limit)
    return head + b"".join(IPv6Address(end).packed for end in (outer.source, outer.destination)) + outer.payload


# --- a rule is added while packets go


def live(lab: Lab, rest: Rest) -> dict[str, Any]:
    changed = example("fw-web")
    rule = {"name": "game", "family": "ipv6", "protocol": "udp", "destinationPorts": str(_GAME), "action": "accept"}
    changed["rules"].append(rule | {"destination": ["group:servers"]})
    with Pinger(lab.namespace(_CLIENT), lab.network.host(_SERVER).address(6)) as pinger:
        if not pinger.await_replies(_PINGS, _SECONDS):
            raise UserError("the pings stopped before the rule was added")
        with step(f"a rule for port {_GAME}"):
            start = time.monotonic()
            stored = install(rest, "/srv6/firewalls", changed)
            millis = (time.monotonic() - start) * 1000
        arrived = sent(lab, _GAME)
        pinger.await_replies(_PINGS, _SECONDS)
    lost = pinger.lost()
    print(f"\nA rule for UDP port {_GAME}, added in {millis:.0f} ms (version {stored['version']}): {arrived} of "
          f"{len(SOURCE_PORTS)} arrive; {pinger.replies} pings answered meanwhile, {lost} lost")  # fmt: skip
    ok = arrived == len(SOURCE_PORTS) and lost == 0
    return {"millis": millis, "version": stored["version"], "arrived": arrived, "lost": lost, "ok": ok}


def counters(rest: Rest) -> dict[str, Any]:
    """Each rule has counted the packets sent to it."""
    hits: dict[str, int] = {}

    def counted() -> bool:
        shown = rest.get("/srv6/firewalls/fw-web/counters")
        hits.update({rule["name"]: rule["hits"] for rule in shown["rules"]})
        return hits["game"] == len(SOURCE_PORTS)

    ok = until(counted, _SECONDS)
    print("\nHits since: " + ", ".join(f"{name} {number}" for name, number in hits.items()))
    return {"hits": hits, "ok": ok}
