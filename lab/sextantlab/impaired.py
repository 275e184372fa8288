# SPDX-License-Identifier: Apache-2.0
"""A lab with some links that take time and lose packets: they lead through a relay in a namespace of its own."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from . import bmv2, netns, processes, relay
from .instance import Instance
from .lab import Lab, State
from .network import Link
from .paths import LAB
from .relay import Ends, Impairment

_RELAY = "relay"


class ImpairedLab(Lab):
    """As Lab; `impairments` are the impairments of the links between two nodes, by the names of the nodes."""

    def __init__(
        self,
        topology: str,
        impairments: Mapping[tuple[str, str], Impairment],
        instance: Instance | None = None,
        p4: Sequence[str] | None = None,
    ) -> None:
        super().__init__(topology, instance, p4)
        self._ends = [
            (self.network.link(*names), Ends(f"r{number}a", f"r{number}b", impairment))
            for number, (names, impairment) in enumerate(impairments.items())
        ]

    @property
    def _relay_log(self) -> Path:
        return self.directory / "log" / "relay.log"

    def _extra_namespaces(self) -> list[str]:
        return [self.namespace(_RELAY)]

    def _make(self, state: State) -> None:
        super()._make(state)
        argv = relay.command(self.namespace(_RELAY), [ends for _, ends in self._ends])
        state.agents[_RELAY] = processes.start(argv, self._relay_log, {"PYTHONPATH": str(LAB)})
        self._save(state)

    def _make_network(self) -> None:
        netns.ip_batch([f"netns add {self.namespace(_RELAY)}"])
        netns.sysctl(self.namespace(_RELAY), {"net.ipv6.conf.default.disable_ipv6": "1"})
        super()._make_network()
        netns.ip_batch(
            (f"link set {name} up" for _, ends in self._ends for name in (ends.left, ends.right)),
            self.namespace(_RELAY),
        )
        # The relay sees bytes, and would pass on unwritten checksums and uncut segments.
        for host in self.network.hosts:
            netns.inside(self.namespace(host.name), functools.partial(bmv2.fill_checksums, "eth0"))

    def _link_commands(self) -> Iterator[str]:
        through = {link.name: ends for link, ends in self._ends}
        for link in self.network.links:
            ends = through.get(link.name)
            if ends is None:
                yield from self._pair(link)
            else:
                for own, other in ((link.a, ends.left), (link.b, ends.right)):
                    yield (
                        f"link add {own.name}{self._index(own)} mtu {link.mtu_bytes} "
                        f"netns {self.namespace(own.node)} type veth "
                        f"peer name {other} mtu {link.mtu_bytes} netns {self.namespace(_RELAY)}"
                    )

    def _pair(self, link: Link) -> Iterator[str]:
        yield from (one for one in super()._link_commands() if f"add {link.a.name} " in one)
