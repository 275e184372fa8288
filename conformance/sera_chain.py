# SPDX-License-Identifier: Apache-2.0
"""TCP between two hosts of lab/sera.json past no, one and two firewalls, both ways through the same ones.

    client -- ingress -- nfv ---- nfv2 -- egress -- d1        firewalls at nfv and nfv2; the packets are steered by
                                                              uSIDs of one container

The agents are programmed as a controller does it. The variants take turns.

    PYTHONPATH=lab:. build/venv/bin/python conformance/sera_chain.py [--seconds S] [--rounds N] > results.json
"""

import argparse
import contextlib
import ipaddress
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from nodes import firewalls
from nodes.p4runtime import INSERT, MODIFY, Action, Client, WriteError
from nodes.target import KINDS
from sextantlab import netns
from sextantlab.errors import UserError
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from sextantlab.network import Node
from sextantlab.processes import until

_RULES = 64
_SECONDS, _ROUNDS = 3, 5
_WAY = ("ingress", "nfv", "nfv2", "egress")
_HOSTS = {"ingress": "client", "egress": "d1"}
_USIDS = {"ingress": "100", "nfv": "200", "nfv2": "400", "egress": "500"}
_FIREWALLS = {"no firewall": (), "one firewall": ("nfv",), "two firewalls": ("nfv", "nfv2")}
_FUNCTION = "f200"
_PORT = 5201


class Chain:
    """The nodes of the path and their entries."""

    def __init__(self, lab: Lab, stack: contextlib.ExitStack) -> None:
        self._lab = lab
        self._clients = {name: stack.enter_context(_client(lab, lab.network.node(name))) for name in _WAY}
        for name, client in self._clients.items():
            client.set_pipeline()
            self._underlay(name, client)
        for name in dict.fromkeys(node for nodes in _FIREWALLS.values() for node in nodes):
            self._firewall(self._clients[name], f"fcbb:bbbb:{_USIDS[name]}:{_FUNCTION}::/60")
        for name in _HOSTS:
            self._steer(name, (), INSERT)

    def lead(self, nodes: tuple[str, ...]) -> None:
        """Has packets pass these firewalls, there and back."""
        for name in _HOSTS:
            self._steer(name, nodes, MODIFY)

    def accepted(self) -> int:
        """Packets that rules of all firewalls let through."""
        return sum(
            firewalls.hits(self._clients[name], firewalls.number(0))[_RULES - 1] for name in _FIREWALLS["two firewalls"]
        )

    def mbps(self, seconds: int) -> float:
        words = [
            "iperf3",
            "-c",
            self._lab.network.host("d1").address(6),
            "-p",
            str(_PORT),
            "-t",
            str(seconds),
            "--json",
        ]
        done = netns.run(self._lab.namespace("client"), *words, timeout=seconds + 60)
        answer = json.loads(done.stdout) if done.stdout.startswith("{") else {}
        if "sum_received" not in answer.get("end", {}):
            raise UserError(f"iperf3: {answer.get('error', done.stderr.strip() or done.stdout[-300:])}")
        return float(answer["end"]["sum_received"]["bits_per_second"]) / 1e6

    def _underlay(self, name: str, client: Client) -> None:
        place = _WAY.index(name)
        ports = {}
        for near in _WAY[max(0, place - 1) : place + 2]:
            if near != name:
                link = self._lab.network.link(name, near)
                here, there = (link.a, link.b) if link.a.node == name else (link.b, link.a)
                ports[near] = here.number
                macs = _mac(self._lab.namespace(name), here.name), _mac(self._lab.namespace(near), there.name)
                client.write([(INSERT, _next_hop(client, here.number, *macs))])
        for other in _WAY:
            if other != name:
                near = _WAY[place + 1] if _WAY.index(other) > place else _WAY[place - 1]
                client.write([(INSERT, _route(client, f"fcbb:bbbb:{_USIDS[other]}::/48", ports[near]))])
        un = Action("un", {"block_length": 32, "csid_length": 16})
        client.write([(INSERT, client.entry("my_sid", {"sid": f"fcbb:bbbb:{_USIDS[name]}::/48"}, un))])
        if name in _HOSTS:
            self._edge(name, client)

    def _edge(self, name: str, client: Client) -> None:
        """Where a host is, on a port with an address of its network: packets leave their encapsulation and get it."""
        f00d = f"fcbb:bbbb:{_USIDS[name]}:f00d::/64"
        client.write([(INSERT, client.entry("my_sid", {"sid": f00d}, Action("udt6", {"vrf": 0})))])
        source = client.entry("encap_source", {}, Action("set_encap_source", {"source": f"fcff:{_USIDS[name]}::1"}))
        source.is_default_action = True
        client.write([(MODIFY, source)])

    def _firewall(self, client: Client, prefix: str) -> None:
        """Rules that miss, then one that accepts the two hosts; all else is dropped."""
        ends = [_prefix(self._lab.network.host(host).address(6)) for host in _HOSTS.values()]
        rules: list[firewalls.Rule] = [
            ({"ip_version": 6, "src": a, "dst": b}, "fw_drop") for a, b in firewalls.strangers(_RULES - 1)
        ]
        # One rule for both ways: both hosts' addresses begin alike.
        rules.append(({"ip_version": 6, "src": "fc00::/16", "dst": "fc00::/16"}, "fw_go_next"))
        assert all(one.startswith("fc00:") for one in ends)
        rule_set = firewalls.number(0)
        firewalls.write(client, INSERT, firewalls.entries(client, rule_set, rules, "fw_drop"))
        client.write([(INSERT, firewalls.sid(client, prefix, rule_set, 0))])

    def _steer(self, name: str, passed: tuple[str, ...], update: int) -> None:
        client = self._clients[name]
        other = next(end for end in _HOSTS if end != name)
        way = _WAY[1:] if name == "ingress" else _WAY[-2::-1]
        usids = [
            part for node in way[:-1] for part in ([_USIDS[node], _FUNCTION] if node in passed else [_USIDS[node]])
        ]
        container = ":".join(["fcbb", "bbbb", *usids, _USIDS[other], "f00d"])
        container += "::" if container.count(":") < 7 else ""
        segments = Action("segments_1", {"segment_1": container})
        client.write([(update, client.entry("sid_list", {"id": 1}, [segments]))])
        if update == INSERT:
            prefix = _prefix(self._lab.network.host(_HOSTS[other]).address(6))
            steering = Action("h_encaps_red", {"sid_list": 1})
            client.write([(INSERT, client.entry("steering_v6", {"vrf": 0, "dst": prefix}, steering))])


def _client(lab: Lab, node: Node) -> Client:
    return Client(f"{node.host}:{node.port}", node.p4runtime_id, KINDS["linux"].p4info, election_id=10, tls=lab.tls)


def _next_hop(client: Client, port: int, source: str, destination: str) -> Any:
    forward = Action("forward", {"port": port, "src_mac": source, "dst_mac": destination})
    return client.entry("next_hop", {"id": port}, forward)


def _route(client: Client, prefix: str, port: int) -> Any:
    return client.entry("route_v6", {"vrf": 0, "dst": prefix}, [Action("set_next_hop", {"next_hop": port})])


def _prefix(address: str) -> str:
    return str(ipaddress.ip_network(f"{address}/64", strict=False))


def _mac(namespace: str, interface: str) -> str:
    return str(json.loads(netns.ip("-j", "link", "show", "dev", interface, namespace=namespace))[0]["address"])


@contextlib.contextmanager
def _server(namespace: str) -> Iterator[None]:
    words = ["ip", "netns", "exec", namespace, "iperf3", "-s", "-p", str(_PORT)]
    null = subprocess.DEVNULL
    process = subprocess.Popen(words, stdin=null, stdout=null, stderr=null)
    try:
        if not until(lambda: f":{_PORT} " in netns.run(namespace, "ss", "-Hltn").stdout, 10):
            raise UserError(f"iperf3 does not listen in {namespace}")
        yield
    finally:
        process.terminate()
        process.wait()


def throughput(seconds: int, rounds: int) -> list[dict[str, Any]]:
    samples: dict[str, list[float]] = {name: [] for name in _FIREWALLS}
    with contextlib.ExitStack() as stack:
        lab = stack.enter_context(Lab("sera", Instance.free(), p4=[], vpp=[]))
        chain = Chain(lab, stack)
        stack.enter_context(_server(lab.namespace("d1")))
        for name, nodes in [*_FIREWALLS.items()] * rounds:
            chain.lead(nodes)
            before = chain.accepted()
            samples[name].append(chain.mbps(seconds))
            if (chain.accepted() > before) != bool(nodes):
                raise UserError(f"{name}: the firewalls counted {chain.accepted() - before} packets")
    return [{"name": name, "unit": "Mb/s", "samples": mbps} for name, mbps in samples.items()]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=_SECONDS)
    parser.add_argument("--rounds", type=int, default=_ROUNDS)
    options = parser.parse_args()
    try:
        print(json.dumps(throughput(options.seconds, options.rounds)))
    except (UserError, WriteError) as problem:
        sys.exit(f"sera_chain: {problem}")


if __name__ == "__main__":
    main()
