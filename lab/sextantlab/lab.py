# SPDX-License-Identifier: Apache-2.0
"""A network of namespaces: one per node and host, veth pairs for links, per node one sextant-agent, with a
VPP router where asked for, or one bmv2 switch. Nothing else: routes, SIDs and neighbors are the controller's work.

Everything that the lab made stands in state.json before it is made, so that `down` also removes objects that a crash
left half made, and never touches foreign ones.
"""

import contextlib
import dataclasses
import fcntl
import functools
import json
import os
import shlex
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import bmv2, netns, network, processes, tls, vpp
from .errors import UserError
from .instance import Instance
from .paths import BUILD, LAB, relative
from .ports import listening, port_holder
from .processes import Started
from .release import THIS, Release
from .steps import step

# Hosts do not wait for routers to announce themselves: their routes are static.
_EVERYWHERE = {"net.ipv6.conf.all.accept_dad": "0", "net.ipv6.conf.default.accept_dad": "0"}
_HOST = _EVERYWHERE | {"net.ipv6.conf.default.accept_ra": "0", "net.ipv6.conf.default.router_solicitations": "0"}
# Beneath a switch the kernel has nothing to say: it neither answers nor forwards.
_P4 = {"net.ipv6.conf.default.disable_ipv6": "1", "net.ipv4.ip_forward": "0"}
_INDEXES_PER_NODE = 1000
_HOST_INTERFACE = "eth0"
_AGENT_START_SECONDS = 20


@dataclass
class State:
    """The content of state.json."""

    namespaces: list[str] = field(default_factory=list)
    topology: str = ""
    instance: int = 0
    agents: dict[str, Started] = field(default_factory=dict)
    complete: bool = False
    p4: list[str] = field(default_factory=list)
    vpp: list[str] = field(default_factory=list)
    routers: dict[str, Started] = field(default_factory=dict)

    def anything_left(self) -> bool:
        """False after a reboot, which takes namespaces and processes but not files."""
        return any(map(netns.exists, self.namespaces)) or any(
            one.alive for one in (*self.agents.values(), *self.routers.values())
        )

    @staticmethod
    def parse(body: dict[str, Any]) -> "State":
        agents, routers = (
            {name: Started(**started) for name, started in body.get(kind, {}).items()} for kind in ("agents", "routers")
        )
        return State(
            body["namespaces"], body.get("topology", ""), body.get("instance", 0), agents, body["complete"],
            body.get("p4", []), body.get("vpp", []), routers,
        )  # fmt: skip


class Lab:
    """One network. `with Lab(...)` brings it up and takes it down again.

    The nodes named by `p4` are bmv2 switches and those named by `vpp` VPP routers, as are those that the topology file
    declares so; None is for a lab that is up already: it has the data planes it was brought up with, even if its
    topology file has changed. Agents are those of a release; another one can be set, and has the agents that are
    started from then on. All nodes and the controller show certificates, which are made when the lab comes up; `plain`
    has them speak in the clear.
    """

    def __init__(
        self,
        topology: str = "fig4",
        instance: Instance | None = None,
        p4: Sequence[str] | None = None,
        vpp: Sequence[str] | None = None,
        release: Release = THIS,
        *,
        plain: bool = False,
    ) -> None:
        self.release = release
        self.instance = instance or Instance.from_environment()
        source = Path(topology) if "/" in topology or topology.endswith(".json") else LAB / f"{topology}.json"
        self.topology = source.stem
        self.directory = self.instance.directory(self.topology)
        self.network_file = self.directory / "network.json"
        self.certificates = tls.Folder(self.directory / "certs")
        self._state_file = self.directory / "state.json"
        state = self.state() if p4 is None or vpp is None else None
        self._p4 = list(p4 if p4 is not None else state.p4 if state else ())
        self._vpp = list(vpp if vpp is not None else state.vpp if state else ())
        if state and state.anything_left() and self.network_file.exists():
            self.description = network.load(self.network_file)
        else:
            shifted = network.with_tls(network.shifted(network.load(source), self.instance.port_offset), tls=not plain)
            self.description = network.with_vpp(network.with_p4(shifted, self._p4), self._vpp)
        self.network = network.parse(self.description)

    @staticmethod
    def up_now(instance: Instance | None = None) -> list["Lab"]:
        """The labs of an instance that are up, wholly or in part, by name."""
        instance = instance or Instance.from_environment()
        return [lab for lab in Lab.up_anywhere() if lab.instance == instance]

    @staticmethod
    def up_anywhere() -> list["Lab"]:
        """The labs of all instances that are up, wholly or in part."""
        found = []
        for file in sorted((BUILD / "lab").glob("*/state.json")):
            state = State.parse(json.loads(file.read_text()))
            if state.topology and state.anything_left():
                found.append(Lab(state.topology, Instance(state.instance)))
        return found

    def __enter__(self) -> "Lab":
        self.up()
        return self

    def __exit__(self, *_: object) -> None:
        self.down()

    def words(self, action: str) -> str:
        """The command line that does something with this lab."""
        before = f"SEXTANT_INSTANCE={self.instance.number} " if self.instance.number else ""
        return f"{before}./sextant lab {action} {shlex.quote(self.topology)}"

    def namespace(self, name: str) -> str:
        """The namespace of a node or host."""
        return self.instance.prefix + name

    @property
    def switches(self) -> list[str]:
        """The nodes that are bmv2 switches."""
        return [node.name for node in self.network.nodes if node.p4]

    @property
    def routers(self) -> list[str]:
        """The nodes that are VPP routers."""
        return [node.name for node in self.network.nodes if node.vpp]

    def state(self) -> State | None:
        """The objects that were made and not removed; None if there is nothing."""
        try:
            return State.parse(json.loads(self._state_file.read_text()))
        except FileNotFoundError:
            return None

    # --- up and down

    def up(self) -> None:
        """Raises UserError if the lab, one of its ports or a namespace of that name is there already.

        Whatever stops it half-way, nothing of it stays.
        """
        with self._locked():
            earlier = self.state()
            if earlier and earlier.anything_left():
                raise UserError(f"the lab {self.topology} is up already: {self.words('status')}, {self.words('down')}")
            self._refuse_what_cannot_run()
            members = [self.namespace(member.name) for member in self.network.members]
            names = [*members, *self._extra_namespaces()]
            self._refuse_what_is_taken(names)
            # State of agents of an earlier lab about namespaces that are gone, and their logs.
            for leftover in ("agent", "log"):
                shutil.rmtree(self.directory / leftover, ignore_errors=True)
            self.network_file.write_text(json.dumps(self.description, indent=2) + "\n")
            self._make_certificates()
            state = State(names, self.topology, self.instance.number, p4=self._p4, vpp=self._vpp)
            self._save(state)
            try:
                self._make(state)
            except BaseException:
                self._remove(state)
                raise

    def _extra_namespaces(self) -> list[str]:
        """The namespaces of this lab that are of no node or host."""
        return []

    @property
    def tls(self) -> tls.Folder | None:
        """The certificates by which clients of the nodes, as the controller, authenticate; None if no node asks for
        them.
        """
        return self.certificates if any(node.tls for node in self.network.nodes) else None

    def _make_certificates(self) -> None:
        if self.tls:
            from . import certs  # needs a library, which labs that are down or in the clear do without

            certs.ensure(self.tls, self.network.nodes)

    def _make(self, state: State) -> None:
        net = self.network
        with step(f"{len(state.namespaces)} namespaces, {len(net.links)} links, {len(net.hosts)} hosts"):
            self._make_network()
        if self.routers:
            with step(f"VPP for {', '.join(self.routers)}"):
                for node in net.nodes:
                    if node.vpp:
                        state.routers[node.name] = self._start_router(node)
                        self._save(state)
                for name, router in state.routers.items():
                    self._await_router(name, router)
        with step(self._programs()):
            for node in net.nodes:
                state.agents[node.name] = self._start_agent(node)
                self._save(state)
            for node in net.nodes:
                self._await_agent(node, state.agents[node.name])
        state.complete = True
        self._save(state)

    def down(self) -> None:
        """Stops the agents and removes the namespaces that this lab made; nothing if it made none."""
        with self._locked():
            state = self.state()
            if state is not None:
                self._remove(state)

    def _remove(self, state: State) -> None:
        for agent in {*state.agents.values(), *state.routers.values(), *self._stray_agents(state.namespaces)}:
            processes.stop(agent)
        for name in self.routers:
            vpp.clean(self.namespace(name))
        present = [name for name in state.namespaces if netns.exists(name)]
        netns.ip_batch(f"netns del {name}" for name in present)
        self._state_file.unlink()

    def _programs(self) -> str:
        agents = f"{len(self.network.nodes) - len(self.switches)} agents"
        return f"{agents}, bmv2 for {', '.join(self.switches)}" if self.switches else agents

    def _refuse_what_cannot_run(self) -> None:
        if self.switches and bmv2.missing():
            raise UserError(f"{', '.join(self.switches)}: {bmv2.missing()}")
        if self.routers and vpp.missing():
            raise UserError(f"{', '.join(self.routers)}: {vpp.missing()}")

    def _refuse_what_is_taken(self, namespaces: list[str]) -> None:
        for name in namespaces:
            if netns.exists(name):
                raise UserError(
                    f"the namespace {name} exists and this lab did not make it: remove it (ip netns del {name}), "
                    "or use other names (SEXTANT_INSTANCE=1)"
                )
        for node in self.network.nodes:
            holder = port_holder(node.host, node.port)
            if holder:
                raise UserError(
                    f"port {node.port}, where the agent of {node.name} is to listen, is held by {holder}: stop it, or "
                    "use other ports (SEXTANT_INSTANCE=1)"
                )

    def _make_network(self) -> None:
        netns.ip_batch(f"netns add {self.namespace(member.name)}" for member in self.network.members)
        for node in self.network.nodes:
            netns.sysctl(self.namespace(node.name), _P4 if node.p4 or node.vpp else _EVERYWHERE)
        for host in self.network.hosts:
            netns.sysctl(self.namespace(host.name), _HOST)
        netns.ip_batch([*self._link_commands(), *self._host_link_commands()])
        for node in self.network.nodes:
            netns.ip_batch(_node_commands(node), self.namespace(node.name))
        for host in self.network.hosts:
            netns.ip_batch(_host_commands(host), self.namespace(host.name))
        for member, interface in self._ends_at_switches():
            netns.inside(self.namespace(member), functools.partial(bmv2.fill_checksums, interface))

    def _link_commands(self) -> Iterator[str]:
        for link in self.network.links:
            yield (
                f"link add {link.a.name}{self._index(link.a)} mtu {link.mtu_bytes}{_address(link.a)} "
                f"netns {self.namespace(link.a.node)} type veth "
                f"peer name {link.b.name}{self._index(link.b)} mtu {link.mtu_bytes}{_address(link.b)} "
                f"netns {self.namespace(link.b.node)}"
            )

    def _host_link_commands(self) -> Iterator[str]:
        for host in self.network.hosts:
            yield (
                f"link add {host.location.name}{self._index(host.location)}{_address(host.location)} "
                f"netns {self.namespace(host.location.node)} "
                f"type veth peer name {_HOST_INTERFACE} address {host.mac} netns {self.namespace(host.name)}"
            )

    def _index(self, port: network.Interface) -> str:
        """An interface index that the other end of the link does not have.

        Where both ends have the same one, Linux takes the pair for a single device and reports its carrier some 0.4 s
        late (linkwatch: such an event is not urgent), so that a failure would last longer than on any cable.
        """
        nodes = [node.name for node in self.network.nodes]
        return f" index {_INDEXES_PER_NODE * (1 + nodes.index(port.node)) + port.number}"

    def _ends_at_switches(self) -> Iterator[tuple[str, str]]:
        """Namespace and interface of whatever sends to a switch or to a VPP."""
        for link in self.network.links:
            for here, there in ((link.a, link.b), (link.b, link.a)):
                if self._reads_bytes(there.node):
                    yield here.node, here.name
        for host in self.network.hosts:
            if self._reads_bytes(host.location.node):
                yield host.name, _HOST_INTERFACE

    def _reads_bytes(self, name: str) -> bool:
        node = self.network.node(name)
        return node.p4 or node.vpp

    # --- agents and switches

    def agent_log(self, node: str) -> Path:
        return self.directory / "log" / f"agent-{node}.log"

    def start_agent(self, name: str, words: Sequence[str] = ()) -> Started:
        """Starts the agent of a node again, after it was stopped or killed, with further options."""
        state = self._up_state()
        node = self.network.node(name)
        agent = state.agents[name] = self._start_agent(node, words)
        self._save(state)
        self._await_agent(node, agent)
        return agent

    def agent(self, name: str) -> Started:
        return self._up_state().agents[name]

    def _start_agent(self, node: network.Node, more: Sequence[str] = ()) -> Started:
        if node.p4:
            ports = [(port.number, port.name) for port in node.interfaces]
            secret = self.certificates.switch_words(node.name) if node.tls else ()
            argv = bmv2.command(self.namespace(node.name), node.host, node.port, node.p4runtime_id, ports, secret)
            return processes.start(argv, self.agent_log(node.name), {"PYTHONPATH": str(LAB)})
        if node.vpp:
            ports = [(port.number, port.name) for port in node.interfaces]
            words = vpp.agent_words(self.namespace(node.name), ports)
        else:
            words = ["--netns", self.namespace(node.name)]
            words += [word for port in node.interfaces for word in ("--port", f"{port.number}={port.name}")]
            words += self._measuring()
        words += self._door(node)
        return processes.start(
            [self.release.agent, *words, "--listen", f"{node.host}:{node.port}",
             "--device-id", str(node.p4runtime_id),
             "--state-dir", self.directory / "agent" / node.name, *more],
            self.agent_log(node.name),
        )  # fmt: skip

    def _measuring(self) -> list[str]:
        """Where measured delays are to count, nodes measure. The last release cannot."""
        wanted = self.description.get("measuredDelay") is True and self.release == THIS
        return ["--measure-delay", "1s"] if wanted else []

    def _door(self, node: network.Node) -> list[str]:
        """How an agent knows its clients. The last release has no revocation lists."""
        if not node.tls:
            return ["--insecure"]
        return self.certificates.agent_words(node.name, revocation=self.release == THIS)

    def router_log(self, node: str) -> Path:
        return self.directory / "log" / f"vpp-{node}.log"

    def router(self, name: str) -> Started:
        return self._up_state().routers[name]

    def start_router(self, name: str) -> Started:
        """Starts the VPP of a node again, after it was stopped or killed."""
        state = self._up_state()
        router = state.routers[name] = self._start_router(self.network.node(name))
        self._save(state)
        self._await_router(name, router)
        return router

    def _start_router(self, node: network.Node) -> Started:
        mtus = {(end.node, end.number): link.mtu_bytes for link in self.network.links for end in (link.a, link.b)}
        ports = [
            vpp.Port(port.name, mtus.get((node.name, port.number), network.DEFAULT_MTU_BYTES), port.addresses)
            for port in node.interfaces
        ]
        return vpp.start(self.namespace(node.name), ports, self.router_log(node.name))

    def _await_router(self, name: str, router: Started) -> None:
        if not vpp.await_up(self.namespace(name), router):
            raise processes.fail_with_log(f"the VPP of {name} does not come up", self.router_log(name), router)

    def _await_agent(self, node: network.Node, agent: Started) -> None:
        served = processes.until(lambda: listening(node.host, node.port) or not agent.alive, _AGENT_START_SECONDS)
        if not served or not agent.alive:
            problem = f"did not listen on {node.port} within {_AGENT_START_SECONDS} s" if agent.alive else "ended"
            raise processes.fail_with_log(
                f"the {'switch' if node.p4 else 'agent'} of {node.name} {problem}", self.agent_log(node.name), agent
            )

    def _stray_agents(self, namespaces: list[str]) -> Iterator[Started]:
        """Agents of this lab that a crash kept out of state.json."""
        for entry in Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().decode(errors="replace").split("\0")
                ours = Path(words[0]).name == self.release.agent.name or bmv2.__name__ in words
                ours = ours and "--netns" in words and words[words.index("--netns") + 1] in namespaces
                if ours or any(vpp.runs_in(words, namespace) for namespace in namespaces):
                    yield Started(int(entry.name), processes.start_ticks(int(entry.name)))

    # --- links

    def set_link(self, one: str, other: str, *, up: bool) -> None:
        """Cuts or repairs the link between two nodes, at the first one's interface; at the other's if the first is a
        switch and the other is not: a switch loses its carrier, as it does when a cable is cut.
        """
        link = self.network.link(one, other)
        ends = sorted((link.a, link.b), key=lambda end: (self.network.node(end.node).p4, end.node != one))
        netns.ip("link", "set", ends[0].name, "up" if up else "down", namespace=self.namespace(ends[0].node))

    # --- state

    def _up_state(self) -> State:
        state = self.state()
        if state is None:
            raise UserError(f"the lab {self.topology} is not up: ./sextant lab up {self.topology}")
        return state

    def _save(self, state: State) -> None:
        fresh = self._state_file.with_suffix(".new")
        fresh.write_text(json.dumps(dataclasses.asdict(state), indent=2) + "\n")
        fresh.rename(self._state_file)

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """One command at a time changes a lab."""
        need_root()
        self.directory.mkdir(parents=True, exist_ok=True)
        with (self.directory / "lock").open("w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise UserError(f"another command is changing the lab ({relative(self.directory)}): wait") from None
            yield


def need_root(why: str = "the lab makes network namespaces") -> None:
    """Raises UserError for other users, so that they see it before minutes of building."""
    if os.geteuid() != 0:
        raise UserError(f"{why}: run it as root")


def _address(port: network.Interface) -> str:
    return f" address {port.mac}" if port.mac else ""


def _node_commands(node: network.Node) -> Iterator[str]:
    yield "link set lo up"
    for port in node.interfaces:
        for address in () if node.p4 or node.vpp else port.addresses:
            yield f"addr add {address} dev {port.name}"
        yield f"link set {port.name} up"


def _host_commands(host: network.Host) -> Iterator[str]:
    yield "link set lo up"
    for address in host.addresses:
        yield f"addr add {address} dev {_HOST_INTERFACE}"
    yield f"link set {_HOST_INTERFACE} up"
    for gateway in host.gateways:
        yield f"route add default via {gateway} dev {_HOST_INTERFACE}"
