# SPDX-License-Identifier: Apache-2.0
"""A folder of certificates: its files, and the options that pass them to agents, switches and the controller.

`certs` makes its content, with a library; to name the files takes none.
"""

import os
from dataclasses import dataclass
from pathlib import Path

# The organizational units (OU) that agents take roles from; docs/reference/southbound-security.md.
CONTROLLER, MONITOR = "controller", "monitor"
UNITS = {CONTROLLER: "sextant-controller", MONITOR: "sextant-monitor"}
NODE_UNIT = "sextant-node"


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, PEM."""

    certificate: Path
    key: Path


@dataclass(frozen=True)
class Folder:
    """The files of a network: an authority with its revocation list, clients and nodes."""

    path: Path

    @property
    def ca(self) -> Path:
        """The authorities that are trusted: one, or two while one follows the other; the one that signs first."""
        return self.path / "ca.crt"

    @property
    def crl(self) -> Path:
        """A list of each of them."""
        return self.path / "ca.crl"

    @property
    def ca_key(self) -> Path:
        return self.path / "ca.key"

    @property
    def old_ca_key(self) -> Path:
        """The key of the authority that leaves, whose list is still written."""
        return self.path / "old-ca.key"

    def client(self, name: str) -> Pair:
        """`controller` or `monitor`."""
        return _pair(self.path / name)

    def node(self, name: str) -> Pair:
        return _pair(self.path / "nodes" / name)

    def agent_words(self, node: str, *, revocation: bool = True) -> list[str]:
        """The options of sextant-agent."""
        own = self.node(node)
        files = {"--tls-cert": own.certificate, "--tls-key": own.key, "--tls-ca": self.ca}
        return _words(files | {"--tls-crl": self.crl} if revocation else files)

    def switch_words(self, node: str) -> list[str]:
        """The options of simple_switch_grpc, among those of its target. It takes no list and knows no roles."""
        own = self.node(node)
        files = {"--grpc-server-cacert": self.ca, "--grpc-server-cert": own.certificate, "--grpc-server-key": own.key}
        return ["--grpc-server-ssl", "--grpc-server-with-client-auth", *_words(files)]

    def settings(self) -> dict[str, str]:
        """The settings in etc/org.sextant.cfg of the controller."""
        own = self.client(CONTROLLER)
        files = {"tls.ca": self.ca, "tls.crl": self.crl, "tls.certificate": own.certificate, "tls.key": own.key}
        return {key: os.fspath(file) for key, file in files.items()}


def _words(files: dict[str, Path]) -> list[str]:
    return [word for option, file in files.items() for word in (option, os.fspath(file))]


def _pair(stem: Path) -> Pair:
    return Pair(stem.parent / f"{stem.name}.crt", stem.parent / f"{stem.name}.key")
