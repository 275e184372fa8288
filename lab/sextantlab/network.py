# SPDX-License-Identifier: Apache-2.0
"""The network description (the shape of ONOS netcfg) as values; what the lab builds."""

import ipaddress
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import bmv2, vpp
from .errors import UserError

_MANAGEMENT = re.compile(r"grpc://(?P<host>[^:/]+):(?P<port>\d+)\?device_id=(?P<id>\d+)")
DEFAULT_MTU_BYTES = 1500
# Linux: IFNAMSIZ without the terminating zero.
_INTERFACE_NAME_BYTES = 15


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

    `p4` nodes are bmv2 switches, `vpp` nodes a VPP router with an agent, the others Linux with an agent.
    """

    name: str
    device_id: str
    host: str
    port: int
    p4runtime_id: int
    p4: bool
    vpp: bool
    interfaces: tuple[Interface, ...]


@dataclass(frozen=True)
class Link:
    """Two ports and what is between them."""

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
    """What a description says."""

    nodes: tuple[Node, ...]
    links: tuple[Link, ...]
    hosts: tuple[Host, ...]

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
    """The description as JSON."""
    try:
        return json.loads(file.read_text())
    except FileNotFoundError:
        raise UserError(f"no network description {file}: give a name of lab/*.json or a path") from None
    except ValueError as error:
        raise UserError(f"{file} is not JSON: {error}") from None


def shifted(description: dict[str, Any], offset: int) -> dict[str, Any]:
    """The same network with its management ports moved, so that two labs run beside each other."""
    copy = json.loads(json.dumps(description))
    for device in copy["devices"].values():
        basic = device["basic"]
        match = _MANAGEMENT.fullmatch(basic["managementAddress"])
        if match:
            port = int(match["port"]) + offset
            basic["managementAddress"] = f"grpc://{match['host']}:{port}?device_id={match['id']}"
    return copy


def with_p4(description: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The same network with these nodes as bmv2 switches. MAC and MTU of their ports are written down, as a switch has
    no gNMI to tell them. Raises UserError for a node that is not there.
    """
    copy = json.loads(json.dumps(description))
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


def with_vpp(description: dict[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """The same network with these nodes as VPP routers. Raises UserError for a node that is not there."""
    copy = json.loads(json.dumps(description))
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


def parse(description: dict[str, Any]) -> Network:
    """Raises UserError, naming the place, for what the lab cannot build."""
    names = {device: body["basic"]["name"] for device, body in description["devices"].items()}
    interfaces = _interfaces(description, names)
    nodes = tuple(
        _node(device, body["basic"], tuple(port for port in interfaces.values() if port.node == names[device]))
        for device, body in description["devices"].items()
    )
    links = tuple(_link(key, body, interfaces) for key, body in description.get("links", {}).items())
    hosts = tuple(_host(key, body["basic"], interfaces) for key, body in description.get("hosts", {}).items())
    return Network(nodes, links, hosts)


def _interfaces(description: dict[str, Any], names: dict[str, str]) -> dict[str, Interface]:
    interfaces = {}
    for key, body in description["ports"].items():
        device, _, number = key.rpartition("/")
        if device not in names:
            raise UserError(f"ports: {key}: there is no device {device}")
        first = body["interfaces"][0]
        if len(first["name"].encode()) > _INTERFACE_NAME_BYTES:
            raise UserError(f"ports: {key}: {first['name']} is longer than {_INTERFACE_NAME_BYTES} bytes")
        interfaces[key] = Interface(
            names[device], int(number), first["name"], tuple(first.get("ips", ())), first.get("mac")
        )
    return interfaces


def _node(device: str, basic: dict[str, Any], interfaces: tuple[Interface, ...]) -> Node:
    match = _MANAGEMENT.fullmatch(basic["managementAddress"])
    if not match:
        raise UserError(f"{device}: managementAddress {basic['managementAddress']} is not grpc://HOST:PORT?device_id=N")
    pipeconf = basic.get("pipeconf")
    return Node(
        basic["name"], device, match["host"], int(match["port"]), int(match["id"]),
        pipeconf == bmv2.PIPECONF, pipeconf == vpp.PIPECONF, interfaces,
    )  # fmt: skip


def _link(key: str, body: dict[str, Any], interfaces: dict[str, Interface]) -> Link:
    one, _, other = key.partition("-device:")
    ends = [one, "device:" + other]
    for end in ends:
        if end not in interfaces:
            raise UserError(f"links: {key}: ports has no {end}")
    return Link(interfaces[ends[0]], interfaces[ends[1]], body.get("srv6", {}).get("mtuBytes", DEFAULT_MTU_BYTES))


def _host(key: str, basic: dict[str, Any], interfaces: dict[str, Interface]) -> Host:
    location = interfaces.get(basic["locations"][0])
    if location is None:
        raise UserError(f"hosts: {key}: ports has no {basic['locations'][0]}")
    addresses, gateways = [], []
    for text in basic["ips"]:
        address = ipaddress.ip_address(text)
        gateway = next(
            (here for here in map(ipaddress.ip_interface, location.addresses) if address in here.network), None
        )
        if gateway is None:
            raise UserError(f"hosts: {key}: {text} is in no prefix of {location.node}'s interface {location.name}")
        addresses.append(f"{address}/{gateway.network.prefixlen}")
        if str(gateway.ip) not in gateways:
            gateways.append(str(gateway.ip))
    return Host(basic["name"], key.partition("/")[0], tuple(addresses), tuple(gateways), location)
