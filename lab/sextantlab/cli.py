# SPDX-License-Identifier: Apache-2.0
"""The controller's shell over SSH: one command, or interactive."""

import io
import os
import secrets
import shlex
import stat
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, BinaryIO

from .controller import Controller
from .errors import UsageError, UserError
from .lab import Lab
from .paths import relative

# Karaf ends the connection itself when a command is done, which ssh takes for an accident.
_FAREWELL = b"closed by remote host."
# Messages of the shell around the commands go among the results; the commands themselves know better.
_COMPLAINTS = (b"Command not found: ", b"Error executing command")
_STOP = "--stop-on-error"
# Any name that is none of Karaf's colours makes it use none.
_NO_COLOURS = "KS_COLORS=none=0"


def run(controller: Controller, words: list[str]) -> int:
    """Runs a command in the shell, or the shell itself without one, as the user admin. Returns its exit status."""
    if words and not words[0].strip():
        raise UsageError("cli: there is no command in the first word (./sextant cli help lists them)")
    if controller.process() is None:
        raise UserError(f"no controller is running{_others(controller)}")
    if not os.access(controller.credentials, os.R_OK):
        raise UserError(f"{relative(controller.credentials)} is its owner's only: run it as who started the controller")
    document: BinaryIO | int
    if script := script_words(words, terminal=sys.stdin.isatty()):
        words, document = script, sys.stdin.buffer
    else:
        words, document = take_document(help_words(words))
    # Stands before the exit status among the errors: ssh's own status is lost if Karaf ends the connection too soon.
    mark = secrets.token_hex(8)
    with tempfile.TemporaryDirectory() as folder:
        environment = _answer_the_password(controller, Path(folder))
        argv = [
            "ssh", "-q", "-p", str(controller.ssh_port),
            # The controller made its host key at its first start a moment ago, and listens on this machine only.
            "-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null",
            "-o", f"SetEnv={_NO_COLOURS} SEXTANT_STATUS_MARK={mark}",
            "-o", "PreferredAuthentications=password,keyboard-interactive", "-o", "NumberOfPasswordPrompts=1",
            *([] if words else ["-t"]),
            "--", "admin@127.0.0.1", *([command_line(words)] if words else []),
        ]  # fmt: skip
        if not words:
            return subprocess.run(argv, env=environment, check=False).returncode
        return one_command(argv, environment, document, mark)


def script_words(words: list[str], *, terminal: bool) -> list[str]:
    """The command that runs the lines of the standard input; none if there is another, or a person at a terminal.

    The shell over SSH itself ends at the end of its input, before it did any of it.
    """
    if words not in ([], [_STOP]) or (terminal and not words):
        return []
    if terminal:
        raise UsageError(f"cli: {_STOP} is for commands on the standard input (./sextant cli --help)")
    return ["srv6:script", *words]


def _others(controller: Controller) -> str:
    """Where there is one, or how to start one."""
    running = [one for lab in Lab.up_anywhere() if (one := Controller(lab)).process()]
    if not running:
        return ": ./sextant demo --keep starts one and leaves it, and so does ./sextant lab up TOPOLOGY --controller"
    there = ", ".join(str(one.instance) for one in running)
    return f" in instance {controller.instance}, but in {there}: {_instance(running[0])}./sextant cli …"


def _instance(controller: Controller) -> str:
    return f"SEXTANT_INSTANCE={controller.instance} " if controller.instance else "env -u SEXTANT_INSTANCE "


def help_words(words: list[str]) -> list[str]:
    """Karaf's own help prints nothing without a terminal."""
    if words and words[0] in ("help", "--help", "-h"):
        if len(words) == 1:
            return ["srv6:help"]
        return [words[1] if ":" in words[1] else f"srv6:{words[1]}", "--help"]
    return words


def take_document(words: list[str]) -> tuple[list[str], BinaryIO | int]:
    """The file of `--file` is here, not where the controller is: it goes as the command's standard input."""
    for place, word in enumerate(words):
        name, equals, value = word.partition("=")
        if name not in ("-f", "--file") or (not equals and place + 1 == len(words)):
            continue
        value = value if equals else words[place + 1]
        rest = words[place + 1 :] if equals else words[place + 2 :]
        if value == "-":
            return words, sys.stdin.buffer
        try:
            return [*words[:place], name, "-", *rest], Path(value).open("rb")
        except OSError as error:
            raise UserError(f"{value}: {error.strerror}") from None
    return words, subprocess.DEVNULL


def command_line(words: list[str]) -> str:
    """One word is a line of the shell's language; several are a command and its words, whatever is in them."""
    return words[0] if len(words) == 1 else " ".join(_quoted(word) for word in words)


def _quoted(word: str) -> str:
    if word and all(char.isalnum() or char in "-_./:,+~@%=" for char in word) and "=" not in word[:1]:
        return word
    return "'" + word.replace("\\", "\\\\").replace("'", "\\'") + "'"


def one_command(argv: list[str], environment: dict[str, str], document: BinaryIO | int, mark: str) -> int:
    """Runs ssh; the exit status is the one behind the mark, and ssh's own where no command got so far."""
    statuses: list[int] = []
    with subprocess.Popen(argv, env=environment, stdin=document, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as ssh:
        errors = threading.Thread(target=_pass_on_errors, args=[ssh.stderr, mark.encode(), statuses])
        errors.start()
        try:
            _pass_on(ssh.stdout)
        except BrokenPipeError:
            ssh.kill()
            raise
        finally:
            errors.join()
    return statuses[-1] if statuses else ssh.returncode


def _pass_on(results: IO[bytes] | None) -> None:
    assert results is not None
    first = results.readline()
    to = sys.stderr.buffer if first.startswith(_COMPLAINTS) else sys.stdout.buffer
    to.write(first)
    assert isinstance(results, io.BufferedReader)  # as Popen makes its pipes
    while chunk := results.read1(1 << 16):
        to.write(chunk)
        to.flush()
    to.flush()


def _pass_on_errors(errors: IO[bytes] | None, mark: bytes, statuses: list[int]) -> None:
    assert errors is not None
    for line in errors:
        if line.startswith(mark):
            statuses.append(int(line.split()[1]))
        elif not line.rstrip().endswith(_FAREWELL):
            sys.stderr.buffer.write(line)
            sys.stderr.buffer.flush()


def _answer_the_password(controller: Controller, folder: Path) -> dict[str, str]:
    """ssh asks a program for the password: it reads the owner's file, so the password is in no command line."""
    program = folder / "password"
    program.write_text(f"#!/bin/sh\nexec sed -n 's/^admin=//p' {shlex.quote(str(controller.credentials))}\n")
    program.chmod(stat.S_IRWXU)
    return {**os.environ, "SSH_ASKPASS": str(program), "SSH_ASKPASS_REQUIRE": "force"}
