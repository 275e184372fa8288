# SPDX-License-Identifier: Apache-2.0
"""Slices as rows written directly, for nodes without a controller: what forwards SIDs is the kernel's own."""

import ipaddress
import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from nodes.bench import segments
from nodes.p4runtime import DELETE, INSERT, MODIFY, Action, Client, Value
from nodes.target import P4INFO
from sextantlab import netns
from sextantlab.lab import Lab

Json = dict[str, Any]
_CONTAINER = {"never": 0, "nonzero": 1, "always": 2}


def mapped(prefix: str) -> str:
    """A prefix of either family in a field of 128 bits."""
    address, _, length = prefix.partition("/")
    return f"::ffff:{address}/{96 + int(length or 32)}" if "." in address else f"{address}/{length or 128}"


class Rows:
    """Slices over GTP of IPv4, and policies of hosts, as the rows of every node of a lab."""

    def __init__(self, lab: Lab, clients: dict[str, Client]) -> None:
        self.lab, self._clients = lab, clients
        self._put: list[tuple[str, Any]] = []
        self._slices: dict[str, Json] = {}

    # --- slices

    def slice(self, body: Json) -> None:
        """What POST /srv6/slices takes, as far as tests need it."""
        number = 10 * (len(self._slices) + 1)
        access, core = body["access"]["gateway"], body["core"].get("gateway") or body["core"]["anchor"]
        self._slices[body["name"]] = body | {"number": number}
        gnbs, upfs, hops = body["access"]["gnbs"], body["core"]["upfs"], body.get("uplink", {}).get("hops", [])
        if ":" in upfs[0]:
            self._slice6(number, access, core, gnbs, upfs, hops)
            return
        up = self._sid4(core, body, uplink=True) if "gateway" in body["core"] else self._decapsulation(core, 4)
        self.path(access, number, *self._over(hops, up))
        self.path(access, number + 1, *self._over(hops, self._decapsulation(core, 4)))
        down = self._sid4(access, body, uplink=False)
        if "anchor" in body["core"] and hops:
            self.path(core, number, *self._over(hops[::-1], ""))
        arguments: Json = {"source": down, "source_at": 48}
        if "gateway" in body["core"]:
            self.path(core, number, *self._over(hops[::-1], down))
            self.path(core, number + 1, *self._over(hops[::-1], self._decapsulation(access, 4)))
            arguments |= {"address_at": 48, "args_at": 80}
        dropped = int(body.get("sequenceNumbers") == "drop")
        for upf in upfs:
            for gnb in gnbs:
                self._translate(access, number, gnb, upf, drop_sequence=dropped, **arguments)
                if "gateway" in body["core"]:
                    self._translate(core, number, upf, gnb, drop_sequence=dropped, **(arguments | {"source": up}))

    def _slice6(
        self, number: int, access: str, core: str, gnbs: Sequence[str], upfs: Sequence[str], hops: Sequence[str]
    ) -> None:
        """Both ends keep their addresses, which are SIDs of the gateways before them (RFC 9433, 6.4 and 6.5)."""
        ways = ((access, core, gnbs, upfs, hops, 1), (core, access, upfs, gnbs, hops[::-1], 0))
        for here, there, sources, targets, over, uplink in ways:
            first = "fcbb:bbbb:" + ":".join(usid(self.lab, hop) for hop in [*over, there])
            end = f"fcbb:bbbb:{usid(self.lab, there)}:f61{uplink}::"
            self.put(there, "my_sid", {"sid": f"{end}/64"}, Action("gtp6_e", {
                "at": 64, "source": f"fcbb:bbbb:{usid(self.lab, there)}:f600::", "pdu_type": uplink, "container": 2,
                "udp_source": 0}))  # fmt: skip
            self.path(here, number, f"{first}:f61{uplink}::")
            self.path(here, number + 1, f"{first}:f00d::")
            for target in targets:
                self.put(here, "my_sid", {"sid": f"{target.partition(chr(47))[0]}/128"}, Action("gtp6_d", {}))
                for source in sources:
                    self._translate(here, number, source, target, args_at=64 + 16 * len(over), source="::", source_at=0,
                                    keep_destination=1, drop_sequence=0)  # fmt: skip

    def sessions(self, name: str, bodies: Sequence[Json]) -> None:
        """What POST /srv6/slices/{name}/sessions takes, at an anchor."""
        for body in bodies:
            self._session(INSERT, name, body)

    def hand_over(self, name: str, body: Json) -> None:
        """The session with another downlink."""
        self._session(MODIFY, name, body)

    def _session(self, kind: int, name: str, body: Json) -> None:
        one = self._slices[name]
        anchor, access = one["core"]["anchor"], one["access"]["gateway"]
        number = one["number"] if one.get("uplink", {}).get("hops") else 0
        down, up = body["downlink"], body["uplink"]
        args = (body.get("qfi", 0) << 2 | int(body.get("rqi", False)) << 1) << 32 | down["teid"]
        locator = int(ipaddress.IPv6Address(self._sid4(access, one, uplink=False)))
        last = locator | int(ipaddress.IPv4Address(down["endpoint"])) << 48 | args << 8
        source = int(ipaddress.IPv6Address(f"fcbb:bbbb:{usid(self.lab, anchor, 5)}::"))
        source |= int(ipaddress.IPv4Address(up["endpoint"])) << 48
        parameters: dict[str, Value] = {"sid_list": number, "args_at": 0, "args": 0, "last": last, "source": source}
        for prefix in body["ue"]:
            table = "ue_v6" if ":" in prefix else "ue_v4"
            self._write(kind, anchor, table, {"vrf": 0, "dst": prefix}, Action("send_to", parameters))

    def policy(self, one: str, other: str) -> None:
        """IPv4 between two hosts, both ways, over shortest paths."""
        ends = [self.lab.network.host(name) for name in (one, other)]
        for number, (here, there) in enumerate((ends, ends[::-1]), 1):
            node, far = here.location.node, there.location.node
            self.path(node, number, self._decapsulation(far, 4))
            prefix = f"{there.address(4)}/32"
            action = Action("h_encaps_red", {"sid_list": number})
            self.put(node, "steering_v4", {"vrf": 0, "dst": prefix}, action)

    def _translate(self, node: str, number: int, from_: str, to: str, **parameters: Value) -> None:
        """Over the path of that number, else carried whole over the next one."""
        match: dict[str, Value] = {"vrf": 0, "src": mapped(from_), "dst": mapped(to)}
        given: dict[str, Value] = {"sid_list": number, "args_at": 0, "address_at": 0, "keep_destination": 0}
        self.put(node, "gtp_rule", match, Action("gtp_d", given | parameters), 20)
        self.put(node, "gtp_rule", match, Action("carry", {"sid_list": number + 1}), 10)

    def _over(self, hops: Sequence[str], last: str) -> list[str]:
        """A container of the hops, then one of the last SID; or that alone."""
        first = ["fcbb:bbbb:" + ":".join(usid(self.lab, hop) for hop in hops) + "::"] if hops else []
        return [*first, *([last] if last else [])]

    def _decapsulation(self, node: str, version: int) -> str:
        return f"fcbb:bbbb:{usid(self.lab, node)}:{'f004' if version == 4 else 'f00d'}::"

    def _sid4(self, node: str, body: Json, *, uplink: bool) -> str:
        sid = f"fcbb:bbbb:{usid(self.lab, node, 5 if uplink else 4)}::"
        container = _CONTAINER[body.get("container", "always")]
        self.once(
            node,
            "my_sid",
            {"sid": f"{sid}/48"},
            Action(
                "gtp4_e", {"at": 48, "source_at": 48, "pdu_type": int(uplink), "container": container, "udp_source": 0}
            ),
        )
        return sid

    # --- rows

    def restarted(self, node: str) -> None:
        """To a node whose agent was started anew."""
        old = self._clients[node]
        old.__exit__()
        self._clients[node] = _client(self.lab, node).__enter__()

    def provision(self) -> None:
        """Of every node: how encapsulation ends there, and its source."""
        for number, node in enumerate(self._clients, 1):
            for version, action in ((4, "udt4"), (6, "udt6")):
                self.put(
                    node, "my_sid", {"sid": f"{self._decapsulation(node, version)}/64"}, Action(action, {"vrf": 0})
                )
            self._write(MODIFY, node, "encap_source", {}, Action("set_encap_source", {"source": f"fcff:{number}::1"}))
        self._put.clear()

    def put(self, node: str, table: str, match: dict[str, Value], action: Any, priority: int = 0) -> None:
        self._write(INSERT, node, table, match, action, priority)

    def once(self, node: str, table: str, match: dict[str, Value], action: Action) -> None:
        """As put, if it is not there yet."""
        entry = self._clients[node].entry(table, match, action)
        if (node, entry) not in self._put:
            self.put(node, table, match, action)

    def path(self, node: str, number: int, *containers: str) -> None:
        """A slice's path, under its number."""
        self.put(node, "sid_list", {"id": number}, [segments(containers)])

    def cell(self, node: str, array: str, index: int) -> int:
        return self._clients[node].cell(array, index)

    def clear(self) -> None:
        for node, entry in reversed(self._put):
            self._clients[node].write([(DELETE, entry)])
        self._put.clear()
        self._slices.clear()

    def _write(self, kind: int, node: str, table: str, match: dict[str, Value], action: Any, priority: int = 0) -> None:
        entry = self._clients[node].entry(table, match, action, priority=priority)
        entry.is_default_action = not match
        self._clients[node].write([(kind, entry)])
        if kind == INSERT:
            self._put.append((node, entry))


@contextmanager
def rows(lab: Lab) -> Iterator[Rows]:
    """The nodes as primary, with the kernel's routes between their locators."""
    with ExitStack() as stack:
        clients = {}
        for node in lab.network.nodes:
            clients[node.name] = _client(lab, node.name).__enter__()
            stack.callback(_leave, clients, node.name)
            clients[node.name].set_pipeline()
        underlay(lab)
        found = Rows(lab, clients)
        found.provision()
        yield found


def _client(lab: Lab, name: str) -> Client:
    node = lab.network.node(name)
    return Client(f"{node.host}:{node.port}", node.p4runtime_id, P4INFO / "linux.p4info.txtpb", election_id=10)


def _leave(clients: dict[str, Client], name: str) -> None:
    clients[name].__exit__()


def underlay(lab: Lab) -> None:
    """Shortest paths by the links' metrics; each node's uSIDs are a /44."""
    names = [node.name for node in lab.network.nodes]
    metrics = _metrics(lab)
    for node in names:
        netns.sysctl(lab.namespace(node), {"net.ipv6.conf.all.forwarding": "1", "net.ipv4.ip_forward": "1"})
    for target in names:
        block = usid(lab, target)
        distance = _distances(metrics, target)
        for node in names:
            if node == target:
                own = f"fcbb:bbbb:{block}::/48 encap seg6local action End flavors next-csid lblen 32 nflen 16"
                _ip(lab, node, f"-6 route add {own} dev {lab.network.node(node).interfaces[0].name}")
                continue
            neighbors = [other for one, other in metrics if one == node]
            via = min(neighbors, key=lambda other: (metrics[node, other] + distance[other], other))  # noqa: B023
            link = lab.network.link(node, via)
            near, far = (link.a, link.b) if link.a.node == node else (link.b, link.a)
            gateway = _link_local(lab.namespace(via), far.name)
            _ip(lab, node, f"-6 route add fcbb:bbbb:{block}::/44 via {gateway} dev {near.name}")


def usid(lab: Lab, node: str, function: int = 0) -> str:
    """A node's uSID, or one of its numbering."""
    body = next(one for one in lab.description["devices"].values() if one["basic"]["name"] == node)
    return f"{int(body['srv6']['uSid'], 16) + function:x}"


def _metrics(lab: Lab) -> dict[tuple[str, str], int]:
    found = {}
    for link, body in zip(lab.network.links, lab.description["links"].values(), strict=True):
        for pair in ((link.a.node, link.b.node), (link.b.node, link.a.node)):
            found[pair] = body["srv6"]["igpMetric"]
    return found


def _distances(metrics: dict[tuple[str, str], int], target: str) -> dict[str, int]:
    distance = {target: 0}
    for _ in metrics:
        for (one, other), metric in metrics.items():
            if other in distance:
                distance[one] = min(distance.get(one, 1 << 30), distance[other] + metric)
    return distance


def _link_local(namespace: str, interface: str) -> str:
    shown = json.loads(netns.ip("-j", "-6", "addr", "show", "dev", interface, "scope", "link", namespace=namespace))
    return str(shown[0]["addr_info"][0]["local"])


def _ip(lab: Lab, node: str, words: str) -> None:
    done = subprocess.run(
        ["ip", "-n", lab.namespace(node), *words.split()], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{words}: {done.stderr}"
