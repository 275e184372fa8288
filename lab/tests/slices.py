# SPDX-License-Identifier: Apache-2.0
"""Common parts of slice scenarios: slices, sessions and policies of a controller."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from described import checked
from sextantlab import build
from sextantlab.controller import Controller
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.processes import until

Json = dict[str, Any]
_PATIENCE_SECONDS = 30


@contextmanager
def network(p4: Sequence[str] = ()) -> Iterator["Mobile"]:
    """Figure 4 of the mobile paper under a controller; the named nodes are bmv2 switches."""
    build.controller()
    build.agent()
    lab = Lab("slices", Instance.free(), p4=p4)
    with lab, Controller(lab) as controller, checked(controller.rest()):
        yield Mobile(lab, controller)


class Mobile:
    """The network and its controller."""

    def __init__(self, lab: Lab, controller: Controller) -> None:
        self.lab, self.controller = lab, controller
        self.rest = controller.rest()

    def slice(self, body: Json) -> Json:
        return self._post("/srv6/slices", body)

    def sessions(self, name: str, bodies: Sequence[Json]) -> None:
        self.rest.post(f"/srv6/slices/{name}/sessions", list(bodies))

    def hand_over(self, name: str, session: Json) -> None:
        body = json.dumps({"downlink": session["downlink"]}).encode()
        self.rest.call("PATCH", f"/srv6/slices/{name}/sessions/{session['id']}", body).expect(200)

    def policy(self, one: str, other: str) -> None:
        """IPv4 between two hosts, both ways: GTP-C, PFCP."""
        nodes = [self.lab.network.host(name).location.node for name in (one, other)]
        self._post("/srv6/policies", {"from": one, "to": other, "nodes": nodes})

    def _post(self, path: str, body: Json) -> Json:
        stored: Json = self.rest.call("POST", path, json.dumps(body).encode()).expect(200, 201)
        assert stored["state"] == "INSTALLED", stored
        return stored

    def restarted(self, node: str) -> None:
        """Waits until a node whose agent was started anew is in step."""
        assert until(lambda: self._states()[node] == "SYNCED", _PATIENCE_SECONDS), self._states()

    def _states(self) -> dict[str, str]:
        return {one["name"]: one["state"] for one in self.rest.get("/srv6/nodes")}

    def clear(self) -> None:
        """Removes all sessions, slices and policies, and waits until nothing is left."""
        for one in self.rest.get("/srv6/slices"):
            self.rest.call("DELETE", f"/srv6/slices/{one['id']}/sessions?all=true")
        for path in ("slices", "policies"):
            self.rest.call("DELETE", f"/srv6/{path}?all=true").expect(200, 202)
        assert until(self._whole, _PATIENCE_SECONDS), self.rest.get("/srv6/entries?state=pending")

    def _whole(self) -> bool:
        return set(self._states().values()) == {"SYNCED"} and all(
            entry["state"] == "INSTALLED" for entry in self.rest.get("/srv6/entries")
        )
