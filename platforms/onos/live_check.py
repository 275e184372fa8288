#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that need a real ONOS 2.7: an upgrade of the applications, and writes after it.

    platforms/onos/live_check.py ONOS_FOLDER NETCFG POLICY [OAR_FOLDER]

ONOS_FOLDER is that of a built ONOS which runs, with the applications of docs/onos.md active; its log is read. NETCFG
describes nodes that are up, with the MAC addresses of their ports; POLICY is a policy over them that is not there yet.
The environment is that of applications.py.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from applications import OURS, TARGET, Onos, OnosError, archive, from_environment, install, upgrade

_PATIENCE = 120.0
_WRONG = ("missing requirement", "ServiceNotFoundException")


def _synced(onos: Onos, expected: int) -> None:
    end = time.monotonic() + _PATIENCE
    while True:
        _, answer = onos.ask("GET", "/srv6/nodes")
        nodes: list[dict[str, Any]] = answer if isinstance(answer, list) else []
        states = [str(node.get("state")) for node in nodes]
        if len(states) == expected and set(states) == {"SYNCED"}:
            return
        if time.monotonic() > end:
            raise OnosError(f"after {_PATIENCE:.0f} s nodes are {states}, and {expected} are described")
        time.sleep(1)


def _written(onos: Onos, policy: bytes) -> None:
    """The policy is installed at once, and gone when it is deleted."""
    status, answer = onos.ask("POST", "/srv6/policies", policy)
    if status not in (200, 201) or answer.get("state") != "INSTALLED":
        raise OnosError(f"POST of the policy: {status} {json.dumps(answer)[:300]}")
    status, answer = onos.ask("DELETE", f"/srv6/policies/{answer['id']}")
    if status not in (200, 204):
        raise OnosError(f"DELETE of the policy: {status} {answer}")


def check(onos: Onos, log: Path, netcfg: bytes, policy: bytes, folder: Path) -> None:
    """Raises OnosError with the first problem."""
    begin = log.stat().st_size
    archives = [archive(file) for file in sorted(folder.glob("*.oar"))]
    there = onos.applications()
    install(onos, archives, {one.name for one in archives}, there)
    status, answer = onos.ask("POST", "/onos/v1/network/configuration", netcfg)
    if status != 200:
        raise OnosError(f"the network configuration: {status} {answer}")
    nodes = len(json.loads(netcfg)["devices"])
    _synced(onos, nodes)
    _written(onos, policy)
    states = upgrade(onos, archives)
    if set(states.values()) != {"ACTIVE"} or len(states) != len(archives):
        raise OnosError(f"after the upgrade: {states}")
    time.sleep(30)  # ONOS's checkups of devices come every 10 s, and find the state that the upgrade left
    _synced(onos, nodes)
    _written(onos, policy)
    with log.open(encoding="utf-8", errors="replace") as lines:
        lines.seek(begin)
        for line in lines:
            if any(word in line for word in _WRONG) and OURS in line:
                raise OnosError(f"in ONOS's log: {line.strip()[:300]}")


def main(argv: list[str]) -> int:
    """The command line."""
    if len(argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    logs = sorted(Path(argv[0]).glob("apache-karaf-*/data/log/karaf.log"))
    if not logs:
        print(f"live_check.py: no apache-karaf-*/data/log/karaf.log in {argv[0]}: start this ONOS", file=sys.stderr)
        return 1
    folder = Path(argv[3]) if len(argv) == 4 else TARGET
    try:
        check(from_environment(), logs[-1], Path(argv[1]).read_bytes(), Path(argv[2]).read_bytes(), folder)
    except OnosError as error:
        print(f"live_check.py: {error}", file=sys.stderr)
        return 1
    print("live_check.py: every check passed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
