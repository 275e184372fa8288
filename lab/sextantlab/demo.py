# SPDX-License-Identifier: Apache-2.0
"""./sextant demo: the uSID paper's Figure 4 with real packets, and a link that fails."""

import contextlib
import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import bmv2, build, vpp, walk
from .capture import Capture, Packet
from .controller import Controller
from .errors import UserError
from .lab import Lab, need_root
from .network import Host
from .paths import LAB, relative
from .ping import Pinger, ping, until_answered
from .processes import until
from .rest import Rest
from .steps import say, step

PAPER = LAB / "policies" / "paper.json"
_PINGS = 5
_TRAFFIC_SECONDS = 20
_REPAIR_SECONDS = 60
_LOOK = "; with --keep the network stays, and ./sextant cli srv6:entries says what is not installed"

# h12 and h33 talk by way of v8, over whatever links are best at the time: the links to v8 are not the paper policy's.
LOOSE = [
    {"name": "demo-there", "headend": "l1", "steering": ["h33"], "family": "ipv6",
     "hops": [{"node": "v8", "loose": True}, {"node": "l3", "loose": True}]},
    {"name": "demo-back", "headend": "l3", "steering": ["h12"], "family": "ipv6",
     "hops": [{"node": "v8", "loose": True}, {"node": "l1", "loose": True}]},
]  # fmt: skip


# In the paper's testbed, these were P4 switches and VPP routers.
_P4_NODES = ["p6", "p7"]
_VPP_NODES = ["v4", "v5", "v8"]


def run(keep: bool, report: Path | None, p4: list[str] | None = None, routers: list[str] | None = None) -> int:
    """Without `p4`, p6 and p7 are bmv2 switches where the machine has bmv2; without `routers`, v4, v5 and v8 are VPP
    where the machine has that.

    Returns 0 if both directions ping, every captured destination is the planned one and both repairs worked.
    """
    need_root()
    p4 = _present(_P4_NODES, "bmv2", bmv2.missing(), without=routers) if p4 is None else p4
    routers = _present(_VPP_NODES, "VPP", vpp.missing(), without=p4) if routers is None else routers
    lab = Lab("fig4", p4=p4, vpp=routers)
    return play(lab, lambda rest: _story(lab, rest), keep, report, "h11", "h31")


def _story(lab: Lab, rest: Rest) -> dict[str, Any]:
    print(_data_planes(lab))
    results: dict[str, Any] = {"paper": paper(lab, rest), "failure": failure(lab, rest)}
    results["ok"] = results["paper"]["ok"] and results["failure"]["ok"]
    return results


def play(lab: Lab, story: Callable[[Rest], dict[str, Any]], keep: bool, report: Path | None, *hosts: str) -> int:
    """Builds, starts the lab under a controller, runs a scenario there and prints its result; `hosts` are two of which
    one reaches the other.

    Returns 0 if all went as planned.
    """
    say("Building")
    build.controller()
    build.agent()
    say("\nStarting")
    with contextlib.ExitStack() as stack:
        stack.enter_context(lab)
        controller = Controller(lab)
        stack.callback(controller.stop)
        begin(controller, stack)
        # A kept network also stays when something goes wrong, to be looked at; only an interruption ends it.
        kept = stack.pop_all() if keep else contextlib.ExitStack()
        try:
            results = story(controller.rest())
        except KeyboardInterrupt:
            kept.close()
            raise
        if report is not None:
            report.write_text(json.dumps(results, indent=2) + "\n")
        if keep:
            look_around(lab, controller, *hosts)
        else:
            say("\nStopping")
    print("\nThe demo went as planned." if results["ok"] else "\nThe demo did NOT go as planned.")
    return 0 if results["ok"] else 1


def begin(controller: Controller, undo: contextlib.ExitStack) -> None:
    """Starts the controller; where it does not come up, nothing is undone, so that a person can look why."""
    try:
        controller.begin()
    except UserError:
        undo.pop_all()
        raise


def _present(names: list[str], what: str, missing: str, *, without: list[str] | None) -> list[str]:
    """The paper's nodes of one kind, if this machine has it: all but those that are something else already."""
    names = [name for name in names if name not in (without or [])]
    if missing and names:
        print(f"{', '.join(names)}: Linux, not {what} ({missing})")
        return []
    return names


def _data_planes(lab: Lab) -> str:
    """The data plane of each node."""
    kinds = {"bmv2": lab.switches, "VPP": lab.routers}
    kinds["Linux"] = [node.name for node in lab.network.nodes if node.name not in (*lab.switches, *lab.routers)]
    return "; ".join(f"{kind}: {', '.join(names)}" for kind, names in kinds.items() if names)


def paper(lab: Lab, rest: Rest) -> dict[str, Any]:
    """The paper's policy: planned beside captured, at every node, in both directions."""
    policy = json.loads(PAPER.read_text())
    plan = rest.post("/srv6/policies?dryRun=true", policy)
    started = time.monotonic()
    rest.post("/srv6/policies", policy)
    there, back = lab.network.host(policy["from"]), lab.network.host(policy["to"])
    if not until_answered(lab.namespace(there.name), back.address(6), _TRAFFIC_SECONDS):
        raise UserError(
            f"{there.name} does not reach {back.name}: ./sextant cli srv6:entries says what is not installed"
        )
    millis = (time.monotonic() - started) * 1000
    print(f"\nPolicy {relative(PAPER)}: {' '.join(policy['nodes'])}; from POST to the first answer {millis:.0f} ms")
    pings = {}
    with Capture({node.name: lab.namespace(node.name) for node in lab.network.nodes}) as capture:
        since = time.time()
        for source, destination in ((there, back), (back, there)):
            name = f"{source.name} -> {destination.name}"
            pings[name] = ping(lab.namespace(source.name), destination.address(6), count=_PINGS)
            print(f"ping {name}: {'answered' if pings[name] else 'NOT answered'}")
        # Requests and answers of both pings: 2 * _PINGS packets each way.
        settled = until(lambda: _seen(capture, there, back, since) and _seen(capture, back, there, since), 5)
    directions = []
    for direction in plan["directions"]:
        directions.append(_direction(direction, lab, capture, since))
    ok = all(pings.values()) and settled and bool(directions) and all(one["ok"] for one in directions)
    return {"policy": policy, "pings": pings, "postToTrafficMillis": millis, "directions": directions, "ok": ok}


def _seen(capture: Capture, source: Host, destination: Host, since: float) -> bool:
    return bool(capture.packets(source.address(6), destination.address(6), since))


def _direction(direction: dict[str, Any], lab: Lab, capture: Capture, since: float) -> dict[str, Any]:
    source, destination = (lab.network.host(direction[end]).address(6) for end in ("from", "to"))
    packets: list[Packet] = capture.packets(source, destination, since)
    rows = walk.compare(direction, packets)
    print(f"\n{direction['from']} -> {direction['to']}: containers {', '.join(direction['containers'])}; "
          f"{direction['encapsulationBytes']} bytes, plain SRv6 {direction['plainSrv6Bytes']} "
          f"({direction['savingPercent']} % saved)")  # fmt: skip
    print("\n".join(walk.table(rows)))
    return {
        "from": direction["from"],
        "to": direction["to"],
        "containers": direction["containers"],
        "encapsulationBytes": direction["encapsulationBytes"],
        "ok": all(row.ok for row in rows),
        "nodes": [
            {"node": row.node, "planned": str(row.planned), "captured": sorted(map(str, row.captured)), "ok": row.ok}
            for row in rows
        ],
    }


def failure(lab: Lab, rest: Rest) -> dict[str, Any]:
    """A loose policy loses a link and finds another way; then the link comes back."""
    there, back = lab.network.host("h12"), lab.network.host("h33")
    for policy in LOOSE:
        rest.post("/srv6/policies", policy)
    if not until_answered(lab.namespace(there.name), back.address(6), _TRAFFIC_SECONDS):
        raise UserError(f"{there.name} does not reach {back.name} over the loose policies{_LOOK}")
    return cut_and_repair(lab, rest, there, back)


def cut_and_repair(lab: Lab, rest: Rest, there: Host, back: Host) -> dict[str, Any]:
    """The first loose policy's link to v8 is cut, and comes back, while pings go."""
    via = _nodes(rest, LOOSE[0])
    at = via.index("v8")
    link = (via[at - 1], via[at])
    print(f"\nLoose policy: {there.name} -> {back.name} by way of v8, now {' '.join(via)}")
    with Pinger(lab.namespace(there.name), back.address(6)) as pinger:
        if not pinger.await_replies(20, _TRAFFIC_SECONDS):
            raise UserError("the pings stopped before the link was cut")
        with step(f"cut the link {link[0]}-{link[1]}"):
            cut = time.time()
            lab.set_link(*link, up=False)
            rerouted = until(lambda: _nodes(rest, LOOSE[0])[: at + 1] != via[: at + 1], _REPAIR_SECONDS)
            rerouted = rerouted and pinger.await_replies(50, _REPAIR_SECONDS)
        outage = pinger.outage_millis(cut)
        around = _nodes(rest, LOOSE[0])
        print(f"link {link[0]}-{link[1]} cut: now {' '.join(around)}; no answers for {outage:.0f} ms")
        with step(f"repair the link {link[0]}-{link[1]}"):
            repair = time.time()
            lab.set_link(*link, up=True)
            returned = until(lambda: _nodes(rest, LOOSE[0]) == via, _REPAIR_SECONDS)
            returned = returned and pinger.await_replies(50, _REPAIR_SECONDS)
        seconds = time.time() - repair
        repair_outage = pinger.outage_millis(repair)
        print(f"link {link[0]}-{link[1]} repaired: back on {' '.join(via)} after {seconds:.1f} s; "
              f"no answers for {repair_outage:.0f} ms")  # fmt: skip
    return {
        "link": "-".join(link), "before": via, "after": around, "rerouted": rerouted, "returned": returned,
        "cutOutageMillis": outage, "repairOutageMillis": repair_outage, "ok": rerouted and returned,
    }  # fmt: skip


def _nodes(rest: Rest, policy: dict[str, Any]) -> list[str]:
    """The nodes that a policy's packets pass now."""
    hops = rest.post("/srv6/policies?dryRun=true", policy)["directions"][0]["hops"]
    return [node for node, _ in itertools.groupby(hop["node"] for hop in hops)]


def look_around(lab: Lab, controller: Controller, *hosts: str) -> None:
    """How to look around in a network that was kept; `hosts` are two of which one reaches the other."""
    name = lab.namespace(
        next((node.name for node in lab.network.nodes if not node.p4 and not node.vpp), lab.network.nodes[0].name)
    )
    sextant = f"SEXTANT_INSTANCE={lab.instance.number} ./sextant" if lab.instance.number else "./sextant"
    if hosts:
        to = lab.network.host(hosts[1]).address(6)
        ping = f"\n  a host     ip netns exec {lab.namespace(hosts[0])} ping {to}"
    else:
        ping = "\n  a policy   hosts reach each other where a policy says how: docs/reference/policies.md"
    print(f"""
The network is there. Look around:
  password   {relative(controller.credentials)} (users admin and viewer)
  map        {controller.url}/srv6/ui/
  REST       curl -u admin:PASSWORD {controller.url}/srv6/policies      (OpenAPI: {controller.url}/srv6/openapi.json)
  shell      {sextant} cli srv6:policies      {sextant} cli      (type help)
  a node     ip netns exec {name} ip -6 route      ip netns exec {name} tcpdump -ni any ip6{ping}
  logs       {relative(controller.log.parent)}
End it with {lab.words("down")}""")
