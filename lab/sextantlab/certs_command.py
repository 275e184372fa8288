# SPDX-License-Identifier: Apache-2.0
"""`./sextant certs`: the options of the command line."""

import argparse
from pathlib import Path

from . import certs, network
from .paths import LAB, relative
from .steps import say
from .tls import Folder


def run(options: argparse.Namespace) -> int:
    """0, or 1 if `show` finds certificates that are no longer valid."""
    folder = Folder(options.folder.absolute())
    match options.action:
        case "make":
            _make(folder, options)
        case "rotate":
            _rotate(folder, options)
        case "revoke":
            for name, serial in zip(options.names, certs.revoke(folder, options.names), strict=True):
                say(f"  ✓ {name}: {serial} is on {relative(folder.crl)}")
            say("Who reads that list ends its connections; ./sextant certs rotate NAME makes a new certificate.")
        case "show":
            rows = certs.show(folder)
            print(certs.text(rows, as_json=options.json))
            return 1 if any(row["state"] in ("expired", "revoked", "not yet valid") for row in rows) else 0
    return 0


def _make(folder: Folder, options: argparse.Namespace) -> None:
    topology = options.names[0] if options.names else "fig4"
    source = Path(topology) if "/" in topology or topology.endswith(".json") else LAB / f"{topology}.json"
    nodes = network.parse(network.load(source)).nodes
    made = certs.make(folder, nodes, options.days or certs.DAYS, force=options.force)
    for file in made:
        say(f"  ✓ {file}")
    kept = len(nodes) + 2 - len(made)
    say(f"{len(made)} certificates made in {relative(folder.path)}" + (f", {kept} were there" if kept else ""))


def _rotate(folder: Folder, options: argparse.Namespace) -> None:
    if options.new_ca:
        say(f"  ✓ {certs.begin_ca(folder)} signs from now on")
        say(f"Bring {relative(folder.ca)} and {relative(folder.crl)} everywhere, then: ./sextant certs rotate")
    elif options.drop_old_ca:
        say(f"  ✓ {certs.drop_ca(folder)} is trusted no more")
        say(f"Bring {relative(folder.ca)} and {relative(folder.crl)} everywhere")
    else:
        for name in certs.rotate(folder, options.names, options.days or certs.DAYS):
            say(f"  ✓ {name}")
