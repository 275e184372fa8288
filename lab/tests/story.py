# SPDX-License-Identifier: Apache-2.0
"""Common parts of scenarios: policies, traffic, captures, failures."""

import ipaddress
import itertools
import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from described import Described, checked
from sextantlab import build, netns, walk
from sextantlab.capture import Capture, Packet
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.paths import LAB
from sextantlab.ping import Pinger, until_answered
from sextantlab.processes import pause, until
from sextantlab.release import THIS, Release
from sextantlab.rest import Answer, Rest
from sextantlab.traffic import datagrams

Json = dict[str, Any]
_FLOWS = range(30000, 30010)
_PATIENCE_SECONDS = 30


# The policies of lab/policies that a network can do.
EXAMPLES = sorted(file.stem for file in (LAB / "policies").glob("*.json") if file.stem != "infeasible")


def example(name: str) -> Json:
    """One of lab/policies."""
    policy: Json = json.loads((LAB / "policies" / f"{name}.json").read_text())
    return policy


@contextmanager
def network(
    topology: str = "fig4",
    *,
    p4: Sequence[str] | None = None,
    vpp: Sequence[str] | None = None,
    agents: Release = THIS,
    controllers: Release = THIS,
) -> Iterator["Story"]:
    """A network under a controller, both new and gone afterwards; `p4` and `vpp` name nodes that are no Linux ones."""
    build.controller()
    build.agent()
    lab = Lab(topology, Instance.free(), p4, vpp, agents)
    with lab, Controller(lab, controllers) as controller, checked(controller.rest()) as described:
        yield Story(lab, controller, described)


class Story:
    """A network and its controller."""

    def __init__(self, lab: Lab, controller: Controller, described: Described) -> None:
        self.lab, self.controller, self.described = lab, controller, described

    @property
    def rest(self) -> Rest:
        return self.controller.rest()

    # --- policies

    def install(self, policy: Json) -> Json:
        """Posts a policy that must be installed when the answer comes, and returns it as stored."""
        answer = self.rest.call("POST", "/srv6/policies", json.dumps(policy).encode())
        stored: Json = answer.expect(200, 201)
        assert stored["state"] == "INSTALLED", stored
        return stored

    def post(self, policy: object, *, dry_run: bool = False) -> Answer:
        path = "/srv6/policies?dryRun=true" if dry_run else "/srv6/policies"
        return self.rest.call("POST", path, json.dumps(policy).encode())

    def plan(self, stored: Json) -> Json:
        plan: Json = self.rest.get(f"/srv6/policies/{stored['id']}/plan")
        return plan

    def probe(self, stored: Json, query: str = "") -> Json:
        answer: Json = self.rest.call("POST", f"/srv6/policies/{stored['id']}/probe?count=3{query}").expect(200)
        return answer

    def via(self, policy: Json) -> list[str]:
        """The nodes that a policy's packets pass now, by its plan."""
        hops = self.post(policy, dry_run=True).expect(200)["directions"][0]["hops"]
        return [node for node, _ in itertools.groupby(hop["node"] for hop in hops)]

    def state(self, policy_id: str) -> str:
        return str(self.rest.get(f"/srv6/policies/{policy_id}")["state"])

    def await_state(self, policy_id: str, *states: str) -> bool:
        return until(lambda: self.state(policy_id) in states, _PATIENCE_SECONDS)

    def clear(self) -> None:
        """Removes every policy and waits until the network is whole again."""
        self.rest.call("DELETE", "/srv6/policies?all=true").expect(200, 202)
        assert until(self.whole, _PATIENCE_SECONDS), self.rest.get("/srv6/nodes")

    def whole(self) -> bool:
        """Every node is in step, every link is up, every wanted entry installed."""
        return (
            all(node["state"] == "SYNCED" for node in self.rest.get("/srv6/nodes"))
            and all(link["up"] for link in self.rest.get("/srv6/topology")["links"])
            and all(entry["state"] == "INSTALLED" for entry in self.rest.get("/srv6/entries"))
        )

    def node_state(self, node: str) -> str:
        return next(str(one["state"]) for one in self.rest.get("/srv6/nodes") if one["name"] == node)

    # --- packets

    def address(self, host: str, version: int = 6) -> str:
        return self.lab.network.host(host).address(version)

    def namespace(self, name: str) -> str:
        return self.lab.namespace(name)

    @property
    def switches(self) -> list[str]:
        return self.lab.switches

    def reaches(self, source: str, destination: str, version: int = 6) -> bool:
        """Pings are answered within a while."""
        return until_answered(self.namespace(source), self.address(destination, version), _PATIENCE_SECONDS)

    def pinging(self, source: str, destination: str) -> Pinger:
        return Pinger(self.namespace(source), self.address(destination))

    @contextmanager
    def controller_stopped(self) -> Iterator[None]:
        """The controller's process is stopped, as if it hung, and continues afterwards."""
        process = self.controller.process()
        assert process
        with pause(process.pid):
            yield

    @contextmanager
    def capturing(self) -> Iterator[Capture]:
        with Capture({node.name: self.namespace(node.name) for node in self.lab.network.nodes}) as capture:
            yield capture

    @contextmanager
    def dropping_srv6(self, node: str) -> Iterator[None]:
        """The node drops packets for a SID; its links stay up, so that the failure is not reported."""
        rule = "chain srv6 { type filter hook prerouting priority -400; ip6 daddr fcbb:bbbb::/32 drop; }; "
        assert netns.run(self.namespace(node), "nft", "add table inet test { " + rule + " }").returncode == 0
        try:
            yield
        finally:
            netns.run(self.namespace(node), "nft", "delete", "table", "inet", "test")

    def flows(self, source: str, destination: str, version: int = 6) -> dict[int, list[Packet]]:
        """Sends ten flows, all of which must arrive, and returns the captured packets of each by source port."""
        start, end = self.address(source, version), self.address(destination, version)
        with self.capturing() as capture:
            since = time.time()
            arrived = datagrams(self.namespace(source), self.namespace(destination), end, _FLOWS)
            assert arrived == len(_FLOWS), (
                f"{arrived} of {len(_FLOWS)} datagrams from {source} arrived at {destination}"
            )
            captured = capture.packets(start, end, since)
        flows: dict[int, list[Packet]] = {port: [] for port in _FLOWS}
        for packet in captured:
            flows[int.from_bytes(packet.inner.payload[:2], "big")].append(packet)
        return flows

    def check_walks(self, stored: Json, source: str, destination: str, version: int = 6) -> list[int]:
        """Every flow must be seen on one of the planned walks, at every node with exactly the planned header.

        Returns how many flows took each of the policy's walks between these hosts.
        """
        family = f"ipv{version}"
        wanted = self.address(destination, version)
        walks = [
            one for one in self.plan(stored)["directions"]
            if one["family"] == family and any(_covers(prefix, wanted) for prefix in one["steering"])
        ]  # fmt: skip
        assert walks, f"the policy has no {family} direction to {destination}"
        taken = [0] * len(walks)
        for port, packets in self.flows(source, destination, version).items():
            rows = [walk.compare(one, packets) for one in walks]
            matching = [place for place, one in enumerate(rows) if all(row.ok for row in one)]
            shown = "\n".join("\n".join(walk.table(one)) for one in rows)
            assert matching, f"flow {port} from {source} to {destination} took none of the planned walks:\n{shown}"
            taken[matching[0]] += 1
        return taken


def _covers(prefix: str, address: str) -> bool:
    network = ipaddress.ip_network(prefix)
    return ipaddress.ip_address(address) in network
