# SPDX-License-Identifier: Apache-2.0
"""The topology file (the shape of ONOS netcfg) as values, from which the lab is built."""

import ipaddress
import json
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import bmv2, description, vpp
from .errors import UserError

DEFAULT_MTU_BYTES = 1500


@dataclass(frozen=True)
class Interface:
    """A port of a node: its number in the contract, the interface behind it, and the addresses hosts use as gateway.

    A MAC address that the description does not give is the kernel's choice.
    """

    node: str
    number: int
    name: str
    addresses: tuple[str, ...]
    mac: str | None


@dataclass(frozen=True)
class Node:
    """A node and how its P4Runtime is reached.

    `p4` nodes are bmv2 switches, `vpp` nodes a VPP router with an agent, the others Linux with an agent. With `tls`
    both sides show certificates; without it every client may program the node.
    """

    name: str
    device_id: str
    host: str
    port: int
    p4runtime_id: int
    p4: bool
    vpp: bool
    tls: bool
    interfaces: tuple[Interface, ...]


@dataclass(frozen=True)
class Link:
    """Two ports and the link between them."""

    a: Interface
    b: Interface
    mtu_bytes: int

    @property
    def name(self) -> str:
        return f"{self.a.node}/{self.a.number}-{self.b.node}/{self.b.number}"


@dataclass(frozen=True)
class Host:
    """An end system with its addresses (with the prefix length of the gateway's) and default gateways."""

    name: str
    mac: str
    addresses: tuple[str, ...]
    gateways: tuple[str, ...]
    location: Interface

    def address(self, version: int) -> str:
        """The host's address of IP version 4 or 6, without prefix length."""
        for address in self.addresses:
            parsed = ipaddress.ip_interface(address)
            if parsed.version == version:
                return str(parsed.ip)
        raise UserError(f"host {self.name} has no IPv{version} address")


@dataclass(frozen=True)
class Network:
    """A topology file as values."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    hosts: tuple[Host, ...]

    @property
    def members(self) -> tuple[Node | Host, ...]:
        return (*self.nodes, *self.hosts)

    def node(self, name: str) -> Node:
        return next(node for node in self.nodes if node.name == name)

    def host(self, name: str) -> Host:
        return next(host for host in self.hosts if host.name == name)

    def link(self, one: str, other: str) -> Link:
        """The link between two nodes."""
        for link in self.links:
            if {link.a.node, link.b.node} == {one, other}:
                return link
        raise UserError(f"no link between {one} and {other}")


def load(file: Path) -> dict[str, Any]:
    """The description as JSON. Raises UserError with all that keeps the lab from building it."""
    try:
        body: dict[str, Any] = json.loads(file.read_text())
    except FileNotFoundError:
        raise UserError(f"no network description {file}: give a name of lab/*.json or a path") from None
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file} is not JSON: {error}") from None
    _refuse(body, f"the lab cannot build {file}:\n  ")
    return body


def _refuse(body: Any, before: str) -> None:
    found = description.problems(body)
    if found:
        raise UserError(before + "\n  ".join(found))


def shifted(described: dict[str, Any], offset: int) -> dict[str, Any]:
    """The same network with its management ports moved, so that two labs run beside each other."""
    copy = deepcopy(described)
    for device in copy["devices"].values():
        basic = device["basic"]
        match = description.MANAGEMENT.fullmatch(basic["managementAddress"])
        if match:
            port = int(match["port"]) + offset
            basic["managementAddress"] = f"{match['scheme']}://{match['host']}:{port}?device_id={match['id']}"
    return copy


def with_tls(described: dict[str, Any], *, tls: bool) -> dict[str, Any]:
    """The same network with all nodes reached by TLS, or none."""
    copy = deepcopy(described)
    for device in copy["devices"].values():
        basic = device["basic"]
        _, _, rest = basic["managementAddress"].partition("://")
        basic["managementAddress"] = f"{'grpcs' if tls else 'grpc'}://{rest}"
    return copy


def with_p4(described: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The same network with these nodes as bmv2 switches. MAC and MTU of their ports are written down, as a switch has
    no gNMI to report them. Raises UserError for a node that is not there.
    """
    copy = deepcopy(described)
    devices = {body["basic"]["name"]: body["basic"] for body in copy["devices"].values()}
    for name in names:
        if name not in devices:
            raise UserError(f"--p4: there is no node {name}; there are {', '.join(devices)}")
        devices[name] |= {"driver": "srv6-bmv2", "pipeconf": bmv2.PIPECONF}
    network = parse(copy)
    mtus = {(end.node, end.number): link.mtu_bytes for link in network.links for end in (link.a, link.b)}
    for node in network.nodes:
        for port in node.interfaces if node.p4 else ():
            body = copy["ports"][f"{node.device_id}/{port.number}"]
            body["interfaces"][0].setdefault("mac", _p4_mac(node.p4runtime_id, port.number))
            mtu_bytes = mtus.get((node.name, port.number), DEFAULT_MTU_BYTES)
            body.setdefault("srv6", {}).setdefault("mtuBytes", mtu_bytes)
    return copy


def with_vpp(described: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The same network with these nodes as VPP routers. Raises UserError for a node that is not there."""
    copy = deepcopy(described)
    devices = {body["basic"]["name"]: body["basic"] for body in copy["devices"].values()}
    for name in names:
        if name not in devices:
            raise UserError(f"--vpp: there is no node {name}; there are {', '.join(devices)}")
        if devices[name].get("pipeconf") == bmv2.PIPECONF:
            raise UserError(f"--vpp {name}: that node is a bmv2 switch already")
        devices[name] |= {"driver": vpp.DRIVER, "pipeconf": vpp.PIPECONF}
    return copy


def _p4_mac(device_id: int, port: int) -> str:
    """Locally administered; "P4" in its middle."""
    return ":".join(f"{byte:02x}" for byte in (0x02, 0x50, 0x34, device_id & 0xFF, port >> 8, port & 0xFF))


def parse(described: dict[str, Any]) -> Network:
    """Raises UserError, naming the places, for a topology that the lab cannot build."""
    _refuse(described, "")
    names = {device: body["basic"]["name"] for device, body in described["devices"].items()}
    interfaces = {key: _interface(key, body, names) for key, body in described.get("ports", {}).items()}
    nodes = tuple(
        _node(device, body["basic"], tuple(port for port in interfaces.values() if port.node == names[device]))
        for device, body in described["devices"].items()
    )
    links: dict[frozenset[Interface], Link] = {}
    for key, body in described.get("links", {}).items():
        link = _link(key, body, interfaces)
        links.setdefault(frozenset((link.a, link.b)), link)  # both directions may be described; the cable is one
    hosts = tuple(_host(key, body["basic"], interfaces) for key, body in described.get("hosts", {}).items())
    return Network(nodes, tuple(links.values()), hosts)


def _interface(key: str, body: dict[str, Any], names: dict[str, str]) -> Interface:
    device, _, number = key.rpartition("/")
    first = body["interfaces"][0]
    return Interface(names[device], int(number), first["name"], tuple(first.get("ips", ())), first.get("mac"))


def _node(device: str, basic: dict[str, Any], interfaces: tuple[Interface, ...]) -> Node:
    match = description.MANAGEMENT.fullmatch(basic["managementAddress"])
    assert match is not None
    pipeconf = basic.get("pipeconf")
    return Node(
        basic["name"], device, match["host"], int(match["port"]), int(match["id"]),
        pipeconf == bmv2.PIPECONF, pipeconf == vpp.PIPECONF, match["scheme"] == "grpcs", interfaces,
    )  # fmt: skip


def _link(key: str, body: dict[str, Any], interfaces: dict[str, Interface]) -> Link:
    ends = description.link_ends(key)
    assert ends is not None
    mtu_bytes = body.get("srv6", {}).get("mtuBytes", 0) or DEFAULT_MTU_BYTES
    return Link(interfaces[ends[0]], interfaces[ends[1]], mtu_bytes)


def _host(key: str, basic: dict[str, Any], interfaces: dict[str, Interface]) -> Host:
    location = interfaces[basic["locations"][0]]
    addresses, gateways = [], []
    for text in basic["ips"]:
        address = ipaddress.ip_address(text)
        gateway = next(here for here in map(ipaddress.ip_interface, location.addresses) if address in here.network)
        addresses.append(f"{address}/{gateway.network.prefixlen}")
        if str(gateway.ip) not in gateways:
            gateways.append(str(gateway.ip))
    return Host(basic["name"], key.partition("/")[0], tuple(addresses), tuple(gateways), location)
