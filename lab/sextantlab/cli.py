# SPDX-License-Identifier: Apache-2.0
"""The controller's shell over SSH: one command, or interactive."""

import os
import shlex
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

from .controller import Controller
from .errors import UserError


def run(controller: Controller, words: list[str]) -> int:
    """Runs a command in the shell, or the shell itself without one, as the user admin. Returns ssh's exit code."""
    if controller.process() is None:
        raise UserError(
            "no controller is running: ./sextant demo --keep starts one and leaves it, and so does ./sextant lab up "
            "TOPOLOGY --controller"
        )
    with tempfile.TemporaryDirectory() as folder:
        environment = _answer_the_password(controller, Path(folder))
        argv = [
            "ssh", "-q", "-p", str(controller.ssh_port),
            # The controller made its host key at its first start a moment ago, and listens on this machine only.
            "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", "PreferredAuthentications=password,keyboard-interactive", "-o", "NumberOfPasswordPrompts=1",
            *([] if words or not sys.stdin.isatty() else ["-t"]),
            "admin@127.0.0.1", *words,
        ]  # fmt: skip
        return subprocess.run(
            argv, env=environment, stdin=subprocess.DEVNULL if words else None, check=False
        ).returncode


def _answer_the_password(controller: Controller, folder: Path) -> dict[str, str]:
    """ssh asks a program for the password: it reads the owner's file, so the password is in no command line."""
    program = folder / "password"
    program.write_text(f"#!/bin/sh\nexec sed -n 's/^admin=//p' {shlex.quote(str(controller.credentials))}\n")
    program.chmod(stat.S_IRWXU)
    return {**os.environ, "SSH_ASKPASS": str(program), "SSH_ASKPASS_REQUIRE": "force"}
