# SPDX-License-Identifier: Apache-2.0
"""Common parts of firewall scenarios: the chain of lab/sera.json under a controller."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from described import checked
from sextantlab import build
from sextantlab.controller import Controller
from sextantlab.demo_firewall import example, install
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.processes import until
from sextantlab.rest import Answer

Json = dict[str, Any]
_PATIENCE_SECONDS = 30


class Fabric:
    """The network and its controller."""

    def __init__(self, lab: Lab, controller: Controller) -> None:
        self.lab, self.controller = lab, controller
        self.rest = controller.rest()

    def firewall(self, body: Json) -> Json:
        return install(self.rest, "/srv6/firewalls", body)

    def policy(self, body: Json) -> Json:
        return install(self.rest, "/srv6/policies", body)

    def chain(self, firewall: Json, *policies: str) -> Json:
        """A firewall with policies of lab/sera through it, and the way back."""
        stored = self.firewall(firewall)
        for name in (*policies, "back"):
            self.policy(example(name))
        return stored

    def call(self, method: str, path: str, body: object = None) -> Answer:
        return self.rest.call(method, path, None if body is None else json.dumps(body).encode())

    def hits(self, firewall: str) -> dict[str, int]:
        shown = self.rest.get(f"/srv6/firewalls/{firewall}/counters")
        return {rule["name"]: rule["hits"] for rule in shown["rules"]}

    def restarted(self, node: str) -> None:
        """Waits until a node whose agent was started anew is in step."""
        assert until(lambda: self._states()[node] == "SYNCED", _PATIENCE_SECONDS), self._states()

    def _states(self) -> dict[str, str]:
        return {one["name"]: one["state"] for one in self.rest.get("/srv6/nodes")}

    def clear(self) -> None:
        """Removes all intents, policies before the objects they refer to, and waits until nothing is left."""
        for path in ("policies", "firewalls"):
            for one in self.rest.get(f"/srv6/{path}"):
                self.rest.delete(f"/srv6/{path}/{one['id']}")
        assert until(self._whole, _PATIENCE_SECONDS), self.rest.get("/srv6/entries?state=pending")

    def _whole(self) -> bool:
        return set(self._states().values()) == {"SYNCED"} and all(
            entry["state"] == "INSTALLED" for entry in self.rest.get("/srv6/entries")
        )


@contextmanager
def network() -> Iterator[Fabric]:
    """Figure 5 of the SERA paper, longer by an IDS and a second firewall, under a controller."""
    build.controller()
    build.agent()
    lab = Lab("sera", Instance.free())
    with lab, Controller(lab) as controller, checked(controller.rest()):
        yield Fabric(lab, controller)
