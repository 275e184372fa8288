# SPDX-License-Identifier: Apache-2.0
"""The verbs of the scenarios: a user's own means and nothing else (REST, the controller's shell over SSH, ping).

They speak to the stand-alone controller of the lab SEXTANT_INSTANCE, or to the controller that SEXTANT_URL,
SEXTANT_SSH_PORT, SEXTANT_USER and SEXTANT_PASSWORD name (an ONOS, say). SEXTANT_RESTART is the shell command that kills
such a controller and starts it again.
"""

import argparse
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from sextantlab import cli, ping
from sextantlab.controller import Controller
from sextantlab.errors import UserError
from sextantlab.lab import Lab
from sextantlab.processes import until
from sextantlab.rest import Answer, Rest

_PATIENCE_SECONDS = 60


class Target:
    """The lab and the controller that the steps speak to."""

    def __init__(self) -> None:
        self.lab = Lab("fig4")
        self.controller = Controller(self.lab)
        self.url = os.environ.get("SEXTANT_URL", "")

    @property
    def rest(self) -> Rest:
        if self.url:
            return Rest(self.url, (os.environ["SEXTANT_USER"], os.environ["SEXTANT_PASSWORD"]))
        return self.controller.rest()

    def shell(self, command: str) -> str:
        """The output of a command in the controller's shell."""
        if self.url:
            return self._ssh(command)
        with tempfile.TemporaryFile("w+") as output:
            saved = os.dup(1)
            os.dup2(output.fileno(), 1)
            try:
                cli.run(self.controller, [command])
            finally:
                os.dup2(saved, 1)
                os.close(saved)
            output.seek(0)
            return output.read()

    def _ssh(self, command: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "password"
            program.write_text('#!/bin/sh\nprintf "%s\\n" "$SEXTANT_PASSWORD"\n')
            program.chmod(0o700)
            argv = [
                "ssh", "-q", "-p", os.environ.get("SEXTANT_SSH_PORT", "8101"),
                "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
                "-o", "PreferredAuthentications=password,keyboard-interactive", "-o", "NumberOfPasswordPrompts=1",
                "-o", "HostKeyAlgorithms=+ssh-rsa", f"{os.environ['SEXTANT_USER']}@127.0.0.1", command,
            ]  # fmt: skip
            environment = {**os.environ, "SSH_ASKPASS": str(program), "SSH_ASKPASS_REQUIRE": "force"}
            done = subprocess.run(
                argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False
            )
            return done.stdout + done.stderr

    def restart(self) -> None:
        if self.url:
            subprocess.run(["bash", "-c", os.environ["SEXTANT_RESTART"]], check=True)
            return
        self.controller.kill()
        self.controller.start()


def main() -> int:
    parser = argparse.ArgumentParser(prog="sextant-step", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)

    rest = verbs.add_parser("rest", help="one request; the answer is as told, at once")
    rest.add_argument("method")
    rest.add_argument("path")
    rest.add_argument("--body", help="a file, or JSON text")
    rest.add_argument("--status", type=int, action="append", required=True)
    _expectations(rest)

    wait = verbs.add_parser("await", help="GET until the answer is as told")
    wait.add_argument("path")
    wait.add_argument("--within", type=float, default=_PATIENCE_SECONDS, help="seconds")
    _expectations(wait)

    shell = verbs.add_parser("cli", help="a command in the controller's shell; what it prints has all these texts")
    shell.add_argument("command")
    shell.add_argument("--prints", action="append", required=True)

    pings = verbs.add_parser("ping", help="from host to host, until answered")
    pings.add_argument("source")
    pings.add_argument("destination")
    pings.add_argument("--ip", type=int, choices=(4, 6), default=6)
    pings.add_argument("--once", action="store_true", help="no patience: the first three are answered")

    link = verbs.add_parser("link", help="cuts or repairs a link")
    link.add_argument("ends", nargs=2)
    link.add_argument("state", choices=("up", "down"))

    verbs.add_parser("restart", help="kill -9 for the controller, and a new start")
    arguments = parser.parse_args()
    return 0 if _VERBS[arguments.verb](Target(), arguments) else 1


def _expectations(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--where", action="append", default=[], help="path=value; [] is every element of a list")
    parser.add_argument("--has", action="append", default=[], help="a text in the answer")
    parser.add_argument("--via", help="the nodes that the first direction of a plan begins with, by commas")
    parser.add_argument("--count", type=int, help="how many elements the answer has")


def _rest(target: Target, arguments: argparse.Namespace) -> bool:
    body = arguments.body
    if body is not None:
        body = Path(body).read_bytes() if not body.startswith(("{", "[")) else body.encode()
    answer = target.rest.call(arguments.method, arguments.path, body)
    return _as_told(answer, arguments, arguments.status)


def _await(target: Target, arguments: argparse.Namespace) -> bool:
    def reached() -> bool:
        try:
            return not problems(target.rest.call("GET", arguments.path), arguments, [200])
        except (OSError, UserError):
            return False

    return until(reached, arguments.within) or _as_told(target.rest.call("GET", arguments.path), arguments, [200])


def _as_told(answer: Answer, arguments: argparse.Namespace, statuses: list[int]) -> bool:
    found = problems(answer, arguments, statuses)
    for problem in found:
        print(problem)
    print(answer.status, json.dumps(answer.body)[:4000])
    return not found


def problems(answer: Answer, arguments: argparse.Namespace, statuses: list[int]) -> list[str]:
    """The differences of an answer from the expected one."""
    found = []
    if answer.status not in statuses:
        found.append(f"status {answer.status}, not {' or '.join(map(str, statuses))}")
    text = json.dumps(answer.body)
    found += [f"{wanted!r} is not in the answer" for wanted in arguments.has if wanted not in text]
    if arguments.count is not None and len(answer.body or ()) != arguments.count:
        found.append(f"{len(answer.body or ())} elements, not {arguments.count}")
    if arguments.via:
        passed = [node for node, _ in itertools.groupby(pick(answer.body, ["directions", "0", "hops", "[]", "node"]))]
        wanted_nodes = arguments.via.split(",")
        if passed[: len(wanted_nodes)] != wanted_nodes:
            found.append(f"the way is {' '.join(passed)}")
    for condition in arguments.where:
        path, _, wanted = condition.partition("=")
        values = pick(answer.body, path.split("."))
        if not values or any(value != wanted for value in values):
            found.append(f"{path} is {', '.join(values) or 'not there'}, not {wanted}")
    return found


def pick(value: Any, path: list[str]) -> list[str]:
    """The values at a path, as text: names of fields, numbers of elements, [] for all elements."""
    if not path or path == [""]:
        return [value if isinstance(value, str) else json.dumps(value)]
    step, rest = path[0], path[1:]
    if step == "[]" and isinstance(value, list):
        return [found for one in value for found in pick(one, rest)]
    if isinstance(value, list) and step.isdigit() and int(step) < len(value):
        return pick(value[int(step)], rest)
    if isinstance(value, dict) and step in value:
        return pick(value[step], rest)
    return []


def _cli(target: Target, arguments: argparse.Namespace) -> bool:
    printed = re.sub(r"\x1b\[[0-9;]*m", "", target.shell(arguments.command))
    missing = [text for text in arguments.prints if text not in printed]
    for text in missing:
        print(f"it does not print {text!r}")
    print(printed)
    return not missing


def _ping(target: Target, arguments: argparse.Namespace) -> bool:
    namespace = target.lab.namespace(arguments.source)
    address = target.lab.network.host(arguments.destination).address(arguments.ip)
    if not arguments.once and not ping.until_answered(namespace, address, _PATIENCE_SECONDS):
        print(f"{arguments.source} gets no answer from {address}")
        return False
    return ping.ping(namespace, address)


def _link(target: Target, arguments: argparse.Namespace) -> bool:
    target.lab.set_link(*arguments.ends, up=arguments.state == "up")
    return True


def _restart(target: Target, arguments: argparse.Namespace) -> bool:
    target.restart()
    return True


_VERBS = {"rest": _rest, "await": _await, "cli": _cli, "ping": _ping, "link": _link, "restart": _restart}

if __name__ == "__main__":
    try:
        sys.exit(main())
    except (UserError, OSError) as error:
        sys.exit(f"sextant-step: {error}")
