# SPDX-License-Identifier: Apache-2.0
"""Every pair of data planes as neighbors in every role: four nodes of each kind, and a chain of four per pair.

    host ─ X1 ─ Y1 ─ X2 ─ Y2 ─ host      X headend, Y shifts, X ends a container, Y decapsulates;
    host ─ X1 ─ X2 ─ X3 ─ X4 ─ host      the other way round Y is the headend, and so on

So with both directions each kind has each role next to each kind, itself included.
"""

import itertools
from dataclasses import dataclass
from typing import Any

from sextantlab import bmv2, vpp

Json = dict[str, Any]
BLOCK = "fcbb:bbbb::/32"
_FIRST_PORT = 20130
_OF_A_KIND = 4
# The marker behind the last node's uSID: which family it decapsulates.
MARKERS = {6: "f00d", 4: "f004"}
KINDS = ("bmv2", "linux", "vpp")


@dataclass(frozen=True)
class Chain:
    """The nodes of a pair, by their numbers in the whole network."""

    kinds: tuple[str, str]

    @property
    def name(self) -> str:
        return f"{self.kinds[0]}-{self.kinds[1]}"

    @property
    def numbers(self) -> list[int]:
        """From one end to the other."""
        one, other = (KINDS.index(kind) * _OF_A_KIND + 1 for kind in self.kinds)
        return [one, one + 1, one + 2, one + 3] if one == other else [one, other, one + 1, other + 1]

    @property
    def hosts(self) -> tuple[str, str]:
        return f"h{self.numbers[0]}", f"h{self.numbers[-1]}"

    def policy(self, version: int, *, back: bool) -> Json:
        """From one end to the other. The first container ends at the third node, after packets went between the second
        and the third three times: only a full container is followed by another.
        """
        numbers = self.numbers[:: -1 if back else 1]
        usids = [usid(number) for number in numbers]
        return {
            "name": f"{self.name}-{version}-{'back' if back else 'there'}",
            "headend": f"n{numbers[0]}",
            "hops": [{"block": BLOCK, "usids": [*usids[1:3] * 3, usids[3], MARKERS[version]]}],
            "steering": [address(numbers[-1], version)],
            "decap": "none",
            "encapsulation": "full" if kind_of(numbers[0]) == "vpp" else "reduced",
        }


def kind_of(number: int) -> str:
    return KINDS[(number - 1) // _OF_A_KIND]


def usid(number: int) -> str:
    return f"{number << 8:04x}"


def address(number: int, version: int) -> str:
    """That of the host behind a node."""
    return f"fd00:0:{number:x}::2" if version == 6 else f"10.0.{number}.2"


def missing() -> dict[str, str]:
    """The missing parts for a kind of node on this machine; "" if none."""
    return {"bmv2": bmv2.missing(), "linux": "", "vpp": vpp.missing()}


def chains() -> list[Chain]:
    """One per pair of the kinds that this machine has."""
    kinds = [kind for kind, lacks in missing().items() if not lacks]
    return [Chain(pair) for pair in itertools.combinations_with_replacement(kinds, 2)]


def description(of: list[Chain]) -> Json:
    """The network of all chains."""
    network: Json = {
        "apps": {"org.sextant.srv6": {"srv6": {"block": BLOCK, "format": "F3216"}}},
        "devices": {}, "ports": {}, "links": {}, "hosts": {},
    }  # fmt: skip
    for number in sorted({number for chain in of for number in chain.numbers}):
        network["devices"][f"device:n{number}"] = _device(number)
    for pair in sorted({tuple(sorted(pair)) for chain in of for pair in itertools.pairwise(chain.numbers)}):
        _link(network, *pair)
    for end in sorted({end for chain in of for end in (chain.numbers[0], chain.numbers[-1])}):
        _host(network, end)
    return network


def _device(number: int) -> Json:
    # All are Linux; the lab changes the kinds of some, as --p4 and --vpp do.
    return {
        "basic": {
            "name": f"n{number}", "driver": "srv6-linux", "pipeconf": "org.sextant.linux",
            "managementAddress": f"grpc://127.0.0.1:{_FIRST_PORT + number}?device_id={number}",
        },
        "srv6": {"uSid": usid(number), "encapSource": f"fcff:{number:x}::1"},
    }  # fmt: skip


def _port(network: Json, number: int, interface: Json) -> str:
    """The next free port of a node."""
    taken = sum(port.startswith(f"device:n{number}/") for port in network["ports"])
    port = f"device:n{number}/{taken + 1}"
    network["ports"][port] = {"interfaces": [interface]}
    return port


def _link(network: Json, left: int, right: int) -> None:
    ends = (
        _port(network, left, {"name": f"n{left}-n{right}"}),
        _port(network, right, {"name": f"n{right}-n{left}"}),
    )
    network["links"]["-".join(ends)] = {
        "basic": {"bidirectional": True, "type": "DIRECT"}, "srv6": {"igpMetric": 10, "mtuBytes": 9000},
    }  # fmt: skip


def _host(network: Json, number: int) -> None:
    gateways = [address(number, 6).removesuffix("2") + "1/64", address(number, 4).removesuffix("2") + "1/24"]
    port = _port(network, number, {"name": f"n{number}-h", "ips": gateways})
    network["hosts"][f"02:00:00:00:01:{number:02x}/None"] = {
        "basic": {"name": f"h{number}", "ips": [address(number, 6), address(number, 4)], "locations": [port]}
    }
