# SPDX-License-Identifier: Apache-2.0
"""Common parts of Live-Live scenarios: flows, streams, failures that are not reported."""

import json
from typing import Any

from sextantlab import netns
from sextantlab.controller import Controller
from sextantlab.lab import Lab
from sextantlab.processes import until
from sextantlab.rest import Answer
from sextantlab.traffic import Stream

_PATIENCE_SECONDS = 30
Json = dict[str, Any]


class Flows:
    """The network of six paths and its controller."""

    def __init__(self, lab: Lab, controller: Controller) -> None:
        self.lab, self.controller = lab, controller

    def post(self, flow: Json, *, dry_run: bool = False) -> Answer:
        path = "/srv6/livelive?dryRun=true" if dry_run else "/srv6/livelive"
        return self.controller.rest().call("POST", path, json.dumps(flow).encode())

    def install(self, flow: Json) -> Json:
        stored: Json = self.post(flow).expect(200, 201)
        assert stored["state"] == "INSTALLED", stored
        return stored

    def view(self, flow_id: str) -> Json:
        shown: Json = self.controller.rest().get(f"/srv6/livelive/{flow_id}")
        return shown

    def way(self, flow_id: str) -> Json:
        """The way there."""
        there: Json = self.view(flow_id)["directions"][0]
        return there

    def paths(self, flow_id: str) -> dict[int, Json]:
        """The paths of the forward direction, by number."""
        return {path["path"]: path for path in self.way(flow_id)["paths"]}

    def stream(self, version: int = 6, interval_seconds: float = 0.002) -> Stream:
        address = self.lab.network.host("b").address(version)
        return Stream(self.lab.namespace("a"), self.lab.namespace("b"), address, interval_seconds)

    def silence(self, middle: str) -> None:
        """The node drops all copies; its links stay up, so that the failure is not reported."""
        self.spoil(middle, 100)

    def spoil(self, middle: str, percent: int) -> None:
        """The node drops so much of the IPv6 that it receives, at random; this is not reported."""
        rules = ""
        for name in ("e1", "e2"):
            rules += f"add chain netdev test {name} {{ type filter hook ingress device {middle}-{name} priority 0; }}\n"
            rules += f"add rule netdev test {name} meta protocol ip6 numgen random mod 100 <= {percent - 1} drop\n"
        done = netns.run(self.lab.namespace(middle), "nft", "add table netdev test\n" + rules)
        assert done.returncode == 0, done.stderr

    def unsilence(self, middle: str) -> None:
        netns.run(self.lab.namespace(middle), "nft", "delete", "table", "netdev", "test")

    def whole(self) -> bool:
        return not self.troubles()

    def troubles(self) -> list[Any]:
        """Nodes, links and entries that are not as they should be."""
        rest = self.controller.rest()
        return [
            *(node for node in rest.get("/srv6/nodes") if node["state"] != "SYNCED"),
            *(link for link in rest.get("/srv6/topology")["links"] if not link["up"]),
            *(entry for entry in rest.get("/srv6/entries") if entry["state"] != "INSTALLED"),
        ]

    def clear(self) -> None:
        """Removes every flow, repairs every link, and waits until the network is whole again."""
        for number in range(1, 7):
            self.unsilence(f"c{number}")
            self.lab.set_link("e1", f"c{number}", up=True)
        for flow in self.controller.rest().get("/srv6/livelive"):
            self.controller.rest().delete(f"/srv6/livelive/{flow['id']}")
        assert until(self.whole, _PATIENCE_SECONDS), self.controller.rest().get("/srv6/nodes")
