# SPDX-License-Identifier: Apache-2.0
"""Four Linux nodes in a square, of which one protects its link to the next, to measure a repair.

    source ── a ═══ b ── sink       the link a-b is cut; the repair of a: [own uA to c, d, b, f00d]
              │     │
              c ─── d ── beyond     or the node b is lost; the repair of a: [own uA to c, d, f00d]

Packets of the source are on their way to [b, f00d] already, or a steers them there: into the list itself, or into one
that begins with a's own uSID. Or it is on its way to [d, f00d], past b.
"""

import contextlib
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sextantlab import netns, processes
from sextantlab.errors import UserError
from sextantlab.instance import Instance
from sextantlab.paths import AGENT, BUILD
from sextantlab.processes import Started

from .oracle import Row
from .p4runtime import INSERT, MODIFY, Action, Client
from .packets import H1, H2, outer, v6
from .target import KINDS, Argv

PROTECTED_PORT = 3
ENDS = {"a": "source", "b": "sink", "d": "beyond"}
_START_SECONDS = 20
_FIRST_INDEX = 1000
P4INFO = KINDS["linux"].p4info
_BLOCK = "fcbb:bbbb"
_USIDS = {"a": "100", "b": "200", "c": "300", "d": "400"}
# The ports of a node, and whose port is at the other end; "" is the source or the sink.
_LINKS = {
    "a": {1: "", 2: "c1", 3: "b3"},
    "b": {1: "", 2: "d2", 3: "a3"},
    "c": {1: "a2", 2: "d1"},
    "d": {1: "c2", 2: "b2", 3: ""},
}
# By which port a node reaches the others' SIDs where all links are there.
_ROUTES = {"a": {"b": 3, "c": 2, "d": 3}, "b": {"d": 2}, "c": {"d": 2}, "d": {"b": 2}}
REPAIR = f"{_BLOCK}:100:e002:400:200:f00d::"
REPAIR_PAST = f"{_BLOCK}:100:e002:400:f00d::"
POLICY = f"{_BLOCK}:200:f00d::"
POLICY_PAST = f"{_BLOCK}:400:f00d::"
TRANSIT, STEERED, OWN_FIRST = "in transit", "steered at the node", "steered at the node, own uSID first"
PAST = "in transit past the node behind the link"
TRAFFIC = (TRANSIT, STEERED, OWN_FIRST)
_LISTS = {TRANSIT: POLICY, PAST: POLICY_PAST}
_STEERED = {STEERED: H2, OWN_FIRST: "2001:db8:3::2"}


def _mac(node: str, port: int) -> str:
    return f"02:00:00:00:{'abcd'.index(node) + 1:02x}:{port:02x}"


def _far_mac(node: str, port: int) -> str:
    far = _LINKS[node][port]
    return _mac(far[0], int(far[1:])) if far else f"02:00:00:00:0f:{'abcd'.index(node):02x}"


@dataclass
class Square:
    """Namespaces of the nodes, their agents, and where these listen; `ends` is that of the interfaces of ENDS."""

    name: str
    ends: str
    agents: dict[str, Started] = field(default_factory=dict)
    served: dict[str, str] = field(default_factory=dict)

    def namespace(self, node: str) -> str:
        return f"{self.name}-{node}"

    def frame(self, payload: bytes, traffic: str) -> bytes:
        """A packet of the source for the sink, as it reaches the node a: one of TRAFFIC."""
        packet = v6(H1, _STEERED.get(traffic, H2))
        packet["Raw"].load = payload
        if traffic in _LISTS:
            packet = outer(_LISTS[traffic], packet)
        mac = bytes.fromhex((_mac("a", 1) + _far_mac("a", 1)).replace(":", ""))
        return mac + b"\x86\xdd" + bytes(packet)

    def link(self, state: str, node: str = "b") -> None:
        """Sets an end of the protected link up or down: at b, so that a loses its carrier, or at a itself."""
        netns.ip("link", "set", f"p{PROTECTED_PORT}", state, namespace=self.namespace(node))

    def node(self, state: str) -> None:
        """Sets all ports of b down or up, as if it lost its power: its neighbors lose their carriers."""
        lines = [f"link set p{port} {state}" for port in sorted(_LINKS["b"], reverse=True)]
        netns.ip_batch(lines, namespace=self.namespace("b"))

    def end_agents(self, but: str = "") -> None:
        """The kernels go on with their entries."""
        for node in [one for one in self.agents if one != but]:
            processes.stop(self.agents.pop(node))


@contextlib.contextmanager
def square(label: str, standbys: int) -> Iterator[Square]:
    """`standbys` is for how many prefixes behind the link a has a repair, of which the first one is b's; 0 for none."""
    name = f"sxc{Instance.from_environment().number or ''}-{label}"
    made = Square(name, f"{name}-ends")
    state = BUILD / "conformance" / label
    shutil.rmtree(state, ignore_errors=True)
    state.mkdir(parents=True)
    with contextlib.ExitStack() as stack:
        for namespace in (made.ends, *map(made.namespace, _LINKS)):
            if netns.exists(namespace):
                raise UserError(f"the namespace {namespace} exists: is a measurement running? ip netns del {namespace}")
            netns.ip("netns", "add", namespace)
            stack.callback(netns.ip, "netns", "del", namespace)
        _wire(made)
        run = stack.enter_context(tempfile.TemporaryDirectory(prefix="sextant-"))
        stack.callback(made.end_agents)
        for number, node in enumerate(_LINKS, 1):
            served = Path(run, node)
            made.agents[node] = _serve(made.namespace(node), node, number, served, state)
            made.served[node] = f"unix:{served}"
            _program(made.served[node], number, rows(node, standbys))
        yield made


def _serve(namespace: str, node: str, number: int, served: Path, state: Path) -> Started:
    """Starts the agent of a node, which listens where `served` is."""
    wired = [word for port in _LINKS[node] for word in ("--port", f"{port}=p{port}")]
    words: Argv = [AGENT, "--netns", namespace, "--socket", served, "--device-id", str(number), *wired,
                   "--state-dir", state / node]  # fmt: skip
    agent = processes.start(words, state / f"{node}.log")
    if not processes.until(lambda: served.exists() or not agent.alive, _START_SECONDS) or not agent.alive:
        failure = processes.fail_with_log("the agent does not serve", state / f"{node}.log", agent)
        processes.stop(agent)
        raise failure
    return agent


def _wire(made: Square) -> None:
    for node in _LINKS:
        netns.sysctl(made.namespace(node), {"net.ipv6.conf.default.accept_dad": "0"})
    netns.sysctl(made.ends, {"net.ipv6.conf.default.disable_ipv6": "1"})
    for place, (node, links) in enumerate(_LINKS.items(), 1):
        for port, far in links.items():
            if far and far[0] < node:
                continue  # made from the other side
            there, name = (made.namespace(far[0]), f"p{far[1:]}") if far else (made.ends, ENDS[node])
            netns.ip("link", "add", f"p{port}", "index", str(_FIRST_INDEX * place + port), "address",
                     _mac(node, port), "mtu", "9000", "netns", made.namespace(node), "type", "veth", "peer", "name",
                     name, "address", _far_mac(node, port), "mtu", "9000", "netns", there)  # fmt: skip
            netns.ip("link", "set", f"p{port}", "up", namespace=made.namespace(node))
            netns.ip("link", "set", name, "up", namespace=there)


def rows(node: str, standbys: int) -> list[Row]:
    """The rows that a controller would write."""
    made = [
        Row("next_hop", {"id": port}, Action(
            "forward", {"port": port, "src_mac": _mac(node, port), "dst_mac": _far_mac(node, port)}))
        for port in _LINKS[node]
    ]  # fmt: skip
    made += [
        Row("encap_source", {}, Action("set_encap_source", {"source": f"fcff:{_USIDS[node]}::1"})),
        Row("my_sid", {"sid": f"{_BLOCK}:{_USIDS[node]}::/48"}, Action("un", {"block_length": 32, "csid_length": 16})),
        *(route(f"{_BLOCK}:{_USIDS[far]}::/48", port) for far, port in _ROUTES[node].items()),
    ]
    if node == "a":
        own = Action("ua", {"block_length": 32, "csid_length": 32, "next_hop": 2})
        made += [
            Row("my_sid", {"sid": f"{_BLOCK}:100:e002::/64"}, own),
            Row("sid_list", {"id": 1}, [Action("segments_1", {"segment_1": POLICY})]),
            Row("sid_list", {"id": 2}, [Action("segments_1", {"segment_1": REPAIR})]),
            Row("sid_list", {"id": 3}, [Action("segments_1", {"segment_1": f"{_BLOCK}:100:200:f00d::"})]),
            Row("steering_v6", {"vrf": 0, "dst": "2001:db8:2::/64"}, Action("h_encaps_red", {"sid_list": 1})),
            Row("steering_v6", {"vrf": 0, "dst": "2001:db8:3::/64"}, Action("h_encaps_red", {"sid_list": 3})),
        ]
        prefixes = [f"{_BLOCK}:200::/48", *(f"fcbb:b:{number:x}::/48" for number in range(1, standbys))][:standbys]
        made += [route(prefix, PROTECTED_PORT) for prefix in prefixes[1:]]
        made += [Row("standby_v6", {"vrf": 0, "dst": one}, Action("repair", {"sid_list": 2})) for one in prefixes]
        if standbys:
            made += [
                Row("sid_list", {"id": 4}, [Action("segments_1", {"segment_1": REPAIR_PAST})]),
                Row("standby_v6", {"vrf": 0, "dst": f"{_BLOCK}:400::/48"}, Action("repair", {"sid_list": 4})),
            ]
    for last, port in (("b", 1), ("d", 3)):
        if node == last:
            made += [
                Row("my_sid", {"sid": f"{_BLOCK}:{_USIDS[node]}:f00d::/64"}, Action("udt6", {"vrf": 0})),
                route("2001:db8::/32", port),
            ]
    return made


def route(prefix: str, next_hop: int) -> Row:
    return Row("route_v6", {"vrf": 0, "dst": prefix}, [Action("set_next_hop", {"next_hop": next_hop})])


def _program(address: str, device_id: int, wanted: Sequence[Row]) -> None:
    with Client(address, device_id, P4INFO, election_id=10) as client:
        client.set_pipeline()
        updates = []
        for row in wanted:
            entry = client.entry(row.table, row.match, row.action)
            entry.is_default_action = not row.match
            updates.append((INSERT if row.match else MODIFY, entry))
        client.write(updates)
