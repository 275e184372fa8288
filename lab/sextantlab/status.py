# SPDX-License-Identifier: Apache-2.0
"""./sextant lab status: the parts of a lab that are there."""

import json
import subprocess

from . import netns
from .controller import Controller
from .lab import Lab, State
from .paths import relative


def show(lab: Lab, controller: Controller) -> int:
    """Prints nodes, links and hosts. Returns 0 if all of it is up, 3 if not (as service managers do)."""
    state = lab.state()
    if state is None:
        print(f"lab {lab.topology}: down")
        return 3
    up = _interfaces_up(lab, state)
    rows = []
    for node in lab.network.nodes:
        agent = state.agents.get(node.name)
        kind = "bmv2" if node.p4 else "VPP" if node.vpp else "agent"
        router = state.routers.get(node.name)
        running = agent is not None and agent.alive and (not node.vpp or (router is not None and router.alive))
        where, who = f"{node.host}:{node.port}", f"{kind} {agent.pid}" if running and agent else f"no {kind}"
        rows.append((node.name, lab.namespace(node.name), where, who, "up" if running else "DOWN"))
    for link in lab.network.links:
        ends_up = {(link.a.node, link.a.name), (link.b.node, link.b.name)} <= up
        rows.append((link.name, link.a.name, link.b.name, f"MTU {link.mtu_bytes}", "up" if ends_up else "DOWN"))
    for host in lab.network.hosts:
        attached = (host.location.node, host.location.name) in up
        rows.append(
            (host.name, lab.namespace(host.name), host.addresses[0], host.location.node, "up" if attached else "DOWN")
        )
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    whole = state.complete and all(row[4] == "up" for row in rows)
    print(f"lab {lab.topology}: {'up' if whole else 'incomplete'} ({relative(lab.directory)})")
    for row in rows:
        print("  " + "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    process = controller.process()
    print(f"controller: {f'pid {process.pid}, {controller.url}' if process else 'not running'}")
    return 0 if whole else 3


def _interfaces_up(lab: Lab, state: State) -> set[tuple[str, str]]:
    """(node, interface) of every interface that is up and has a carrier."""
    found = set()
    for node in lab.network.nodes:
        namespace = lab.namespace(node.name)
        if not netns.exists(namespace):
            continue
        listing = subprocess.run(["ip", "-n", namespace, "-json", "link"], capture_output=True, text=True, check=False)
        for interface in json.loads(listing.stdout or "[]"):
            if "LOWER_UP" in interface["flags"]:
                found.add((node.name, interface["ifname"]))
    return found
