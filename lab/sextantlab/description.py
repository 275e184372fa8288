# SPDX-License-Identifier: Apache-2.0
"""Checks whether the lab can build a topology file: all faults, each with its place, before anything is made. The
controller reads more of a topology file, and checks its part itself.
"""

import ipaddress
import re
from collections.abc import Callable, Iterator
from typing import Any

from . import vpp

MANAGEMENT = re.compile(r"(?P<scheme>grpcs?)://(?P<host>[^:/]+):(?P<port>\d{1,5})\?device_id=(?P<id>\d+)")
# Linux: IFNAMSIZ without the terminating zero.
INTERFACE_NAME_BYTES = 15
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")
_INTERFACE = re.compile(r"[^\s/:]+")
_MAC = re.compile(r"[0-9A-Fa-f]{2}(:[0-9A-Fa-f]{2}){5}")
_PORT = re.compile(r"(?P<device>.+)/(?P<number>[1-9]\d{0,2})")


def problems(description: Any) -> list[str]:
    """One line for each fault: the place, and the fault."""
    check = _Check()
    check.all(description)
    return check.found


class _Check:
    def __init__(self) -> None:
        self.found: list[str] = []
        self._owner_of: dict[str, str] = {}
        self._vpp: set[str] = set()

    def all(self, description: Any) -> None:
        if not isinstance(description, dict):
            self._say("", f"a network description is an object, not {_kind(description)}")
            return
        for key, body in self._entries(description, "devices"):
            self._device(f"devices: {key}", key, body)
        if not description.get("devices"):
            self._say("devices", "there is no node")
        ports = dict(self._entries(description, "ports"))
        devices = _keys(description, "devices")
        self._ports(ports, devices)
        ends: dict[str, str] = {}
        for key, body in self._entries(description, "links"):
            self._link(f"links: {key}", key, body, ports, ends)
        for key, body in self._entries(description, "hosts"):
            self._host(f"hosts: {key}", key, body, ports, ends)

    def _say(self, where: str, what: str) -> None:
        self.found.append(f"{where}: {what}" if where else what)

    def _entries(self, body: dict[str, Any], key: str) -> Iterator[tuple[str, dict[str, Any]]]:
        """The objects in a section; other values are reported and left out."""
        section = self._value(body, key, "", dict, {})
        for name, one in section.items():
            if isinstance(one, dict):
                yield name, one
            else:
                self._say(f"{key}: {name}", f"an object is wanted here, not {_kind(one)}")

    def _value(self, body: dict[str, Any], key: str, where: str, kind: type, otherwise: Any = None) -> Any:
        """A field of that type; without `otherwise` it has to be there."""
        place = f"{where}: {key}" if where else key
        if key not in body:
            if otherwise is None:
                self._say(place, "is missing")
            return otherwise
        if not isinstance(body[key], kind) or isinstance(body[key], bool):
            self._say(place, f"{_NAMES[kind]} is wanted here, not {_kind(body[key])}")
            return otherwise
        return body[key]

    def _name(self, name: Any, where: str) -> None:
        if name is None:
            return
        if not _NAME.fullmatch(name):
            self._say(where, f"{name!r} is not a name: up to 64 letters, digits and . _ : -")
        elif self._owner_of.setdefault(name, where) != where:
            self._say(where, f"the name {name} is taken by {self._owner_of[name]}")

    def _device(self, where: str, key: str, body: dict[str, Any]) -> None:
        basic = self._value(body, "basic", where, dict)
        if basic is None:
            return
        if basic.get("pipeconf") == vpp.PIPECONF:
            self._vpp.add(key)
        self._name(self._value(basic, "name", where, str), where)
        address = self._value(basic, "managementAddress", where, str)
        if address is None:
            return
        match = MANAGEMENT.fullmatch(address)
        if not match or not 0 < int(match["port"]) < 65536:
            self._say(where, f"managementAddress {address} is not grpc://HOST:PORT?device_id=N (or grpcs://)")
            return
        owner = self._owner_of.setdefault(f"{match['host']}:{match['port']}", where)
        if owner != where:
            self._say(where, f"managementAddress {address} is taken by {owner}")

    def _ports(self, ports: dict[str, dict[str, Any]], devices: set[str]) -> None:
        names: set[tuple[str, str]] = set()
        for key, body in ports.items():
            where = f"ports: {key}"
            match = _PORT.fullmatch(key)
            if not match:
                self._say(where, "a port is DEVICE/NUMBER, such as device:a/1")
                continue
            if match["device"] not in devices:
                self._say(where, f"there is no device {match['device']}")
            interfaces = self._value(body, "interfaces", where, list)
            if interfaces is not None and not (interfaces and isinstance(interfaces[0], dict)):
                self._say(where, "interfaces names no interface")
            elif interfaces:
                self._interface(where, match["device"], interfaces[0], names)

    def _interface(self, where: str, device: str, body: dict[str, Any], names: set[tuple[str, str]]) -> None:
        name = self._value(body, "name", where, str)
        if name is not None:
            if len(name.encode()) > INTERFACE_NAME_BYTES:
                self._say(where, f"{name} is longer than {INTERFACE_NAME_BYTES} bytes")
            elif not _INTERFACE.fullmatch(name) or name in (".", "..", "lo"):
                self._say(where, f"{name!r} is no name for an interface")
            elif (device, name) in names:
                self._say(where, f"the interface {name} is another port's of {device}")
            elif device in self._vpp and "." in name:
                self._say(where, f"VPP takes {vpp.name_in_vpp(name)} for a sub-interface: name it without a dot")
            names.add((device, name))
        self._mac(where, self._value(body, "mac", where, str, ""))
        self._addresses(where, self._value(body, "ips", where, list, []), ipaddress.ip_interface)

    def _mac(self, where: str, mac: str) -> None:
        if mac and not _MAC.fullmatch(mac):
            self._say(where, f"{mac} is not a MAC address such as 02:00:00:00:00:01")

    def _addresses(self, where: str, texts: list[Any], parse: Callable[[str], Any]) -> list[Any]:
        parsed = []
        for text in texts:
            try:
                parsed.append(parse(text if isinstance(text, str) else ""))
            except ValueError:
                self._say(where, f"{text!r} is not an address")
        return parsed

    def _link(
        self, where: str, key: str, body: dict[str, Any], ports: dict[str, dict[str, Any]], ends: dict[str, str]
    ) -> None:
        cable = link_ends(key)
        if cable is None:
            self._say(where, "a link is DEVICE/NUMBER-DEVICE/NUMBER, such as device:a/1-device:b/1")
            return
        for end, other in (cable, cable[::-1]):
            if end not in ports:
                self._say(where, f"ports has no {end}")
            elif ends.setdefault(end, other) != other:  # the two directions of a link are one cable
                self._say(where, f"{end} is taken by a link to {ends[end]}")
        mtu_bytes = self._value(self._value(body, "srv6", where, dict, {}) or {}, "mtuBytes", where, int, 0)
        if mtu_bytes and not 1280 <= mtu_bytes <= 65535:
            self._say(where, f"mtuBytes is {mtu_bytes}, not within 1280 (IPv6 needs it) and 65535")

    def _host(
        self, where: str, key: str, body: dict[str, Any], ports: dict[str, dict[str, Any]], ends: dict[str, str]
    ) -> None:
        if not _MAC.fullmatch(key.partition("/")[0]):
            self._say(where, "the lab wants MAC/None, such as 02:00:00:00:00:01/None")
        basic = self._value(body, "basic", where, dict)
        if basic is None:
            return
        self._name(self._value(basic, "name", where, str), where)
        ips = self._value(basic, "ips", where, list)
        addresses = self._addresses(where, ips or [], ipaddress.ip_address)
        if ips == []:
            self._say(where, "the host has no address")
        locations = self._value(basic, "locations", where, list)
        if locations is None:
            return
        if len(locations) != 1 or not isinstance(locations[0], str):
            self._say(where, f"locations has {len(locations)} ports, not one")
        elif locations[0] not in ports:
            self._say(where, f"ports has no {locations[0]}")
        elif ends.setdefault(locations[0], where) != where:
            self._say(where, f"{locations[0]} is taken: it leads to {ends[locations[0]]}")
        else:
            self._gateways(where, addresses, ports[locations[0]])

    def _gateways(self, where: str, addresses: list[Any], port: dict[str, Any]) -> None:
        try:
            gateways = [ipaddress.ip_interface(text) for text in port["interfaces"][0].get("ips", ())]
            name = port["interfaces"][0]["name"]
        except (KeyError, IndexError, TypeError, AttributeError, ValueError):
            return  # that the port is wrong was said where it stands
        for address in addresses:
            if not any(address in gateway.network for gateway in gateways):
                self._say(where, f"{address} is in no prefix of the interface {name}")


_NAMES = {dict: "an object", list: "a list", str: "a string", int: "an integer"}


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return _NAMES.get(type(value), "a number")


def _keys(description: dict[str, Any], section: str) -> set[str]:
    found = description.get(section)
    return set(found) if isinstance(found, dict) else set()


def link_ends(key: str) -> tuple[str, str] | None:
    """The two ports that a link's key names: device:a/1-device:b/2. Devices may have dashes in their names."""
    match = re.fullmatch(r"(.+/\d+)-(.+/\d+)", key)
    return (match[1], match[2]) if match else None
