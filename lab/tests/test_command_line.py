# SPDX-License-Identifier: Apache-2.0
"""./sextant as a person meets it: help, versions, mistakes."""

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sextantlab import __main__ as commands
from sextantlab import cli, lint, suites
from sextantlab.errors import UsageError, UserError
from sextantlab.paths import LAB, ROOT

HELP = subprocess.check_output([ROOT / "sextant", "--help"], text=True)
COMMANDS = re.findall(r"^  ([a-z0-9]+)  ", HELP, re.MULTILINE)


def sextant(*words: str, path: Path | None = None) -> "subprocess.CompletedProcess[str]":
    env = os.environ | {"PATH": str(path)} if path else None
    return subprocess.run([ROOT / "sextant", *words], capture_output=True, text=True, check=False, timeout=60, env=env)


def test_help_lists_the_commands_that_exist() -> None:
    assert set(COMMANDS) == set(commands.COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    done = sextant(command, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"Usage: ./sextant {command}")


def test_version_is_the_projects() -> None:
    assert sextant("--version").stdout == "sextant 0.1.0-SNAPSHOT\n"


def test_the_listed_suites_are_those_that_exist() -> None:
    _, _, listed = sextant("test", "--help").stdout.partition("Suites (")
    assert re.findall(r"^  ([a-z]+) ", listed, re.MULTILINE) == list(suites.SUITES)
    named = re.search(r"^  test .*: (.*)$", HELP, re.MULTILINE)
    assert named is not None
    assert named[1].split() == list(suites.SUITES)


def test_every_suite_that_can_be_run_is_listed() -> None:
    assert set(suites._RUNNERS) == {suite.name for suite in suites.LISTED}


def test_what_a_suite_needs_of_the_machine_can_be_looked_for() -> None:
    lines = (LAB / "suites.txt").read_text().splitlines()
    needs = {need for line in lines if not line.startswith("#") for need in line.split()[1].split(",")}
    assert needs <= set(re.findall(r"^need_([a-z]+)\(\)", (ROOT / "sextant").read_text(), re.MULTILINE))


def test_documents_name_suites_that_exist() -> None:
    documents = [path for path in lint.tracked() if path.suffix == ".md"] + [ROOT / ".ci/run"]
    named = {name for path in documents for name in re.findall(r"\./sextant test ([a-z]+)", path.read_text())}
    assert named
    assert named <= set(suites.SUITES)


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["frobnicate"], "frobnicate"),
        (["--frobnicate"], "--frobnicate"),
        (["test", "frobnicate"], "frobnicate"),
        (["test", "--frobnicate"], "--frobnicate"),
        (["lab", "sideways"], "sideways"),
        (["lab"], "action"),
        (["demo", "--frobnicate"], "--frobnicate"),
        (["demo", "--json"], "--json"),
        (["demo", "frobnicate"], "frobnicate"),
        (["demo", "mobile", "--p4", "g1"], "--p4"),
        (["bench", "pack", "--quick"], "--quick"),
        (["explain"], "policy"),
        (["certs"], "action"),
        (["certs", "make", "fig4", "livelive"], "one description"),
        (["certs", "make", "--days", "0"], "--days"),
        (["certs", "revoke"], "revoke whom"),
        (["certs", "show", "--force"], "--force is for make"),
        (["certs", "rotate", "--new-ca", "l1"], "l1"),
        (["lab", "down", "--plain"], "--plain"),
        (["bench", "frobnicate"], "frobnicate"),
        (["backup"], "file"),
        (["backup", "b.db", "--controller", "http://127.0.0.1:1"], "--credentials"),
        (["backup", "b.db", "--controller", "127.0.0.1", "--credentials", "c"], "a URL"),
        (["restore", "--dry-run"], "file"),
        (["store"], "action"),
        (["store", "mend"], "mend"),
        (["store", "check", "b.db", "--data", "."], "--data"),
    ],
    ids=" ".join,
)
def test_a_mistake_is_one_line_and_exit_code_2(words: list[str], named: str) -> None:
    done = sextant(*words)
    assert done.returncode == 2
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 1
    assert named in done.stderr


def test_a_mistake_is_told_before_anything_is_installed_for_the_command(tmp_path: Path) -> None:
    tools = {name: shutil.which(name) for name in ("bash", "dirname", "readlink", "sed")} | {"python3": sys.executable}
    for tool, there in tools.items():
        (tmp_path / tool).write_text(f'#!/bin/sh\nexec {there} "$@"\n')
        (tmp_path / tool).chmod(0o755)
    done = sextant("bench", "frobnicate", path=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr


def test_who_reads_no_further_ends_a_command_without_a_traceback() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([ROOT / "sextant", "lab", "status"], stdout=writing, stderr=subprocess.PIPE, check=False)
    os.close(writing)
    assert done.returncode == 128 + signal.SIGPIPE
    assert b"Traceback" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.parametrize("words", [["absent.json"], ["--network", "absent.json", "lab/policies/paper.json"]], ids=len)
def test_explain_says_that_a_file_is_not_there_before_it_builds(words: list[str]) -> None:
    done = sextant("explain", *words)
    assert (done.returncode, done.stderr) == (1, "sextant: there is no file absent.json\n")


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["srv6:nodes"], "srv6:nodes"),
        (["srv6:nodes | grep l1"], "srv6:nodes | grep l1"),
        (["srv6:policy-add", "h11", "10.0.0.0/8", "--return=l3,l1"], "srv6:policy-add h11 10.0.0.0/8 --return=l3,l1"),
        (["srv6:policies", "--source", "a b"], "srv6:policies --source 'a b'"),
        (["srv6:policy", "$x | {[(;'"], "srv6:policy '$x | {[(;\\''"),
        (["srv6:policy", ""], "srv6:policy ''"),
    ],
)  # fmt: skip
def test_words_reach_the_shell_as_they_were_typed(words: list[str], line: str) -> None:
    assert cli.command_line(words) == line


def test_lines_of_the_standard_input_are_a_script() -> None:
    assert cli.script_words([], terminal=False) == ["srv6:script"]
    assert cli.script_words(["--stop-on-error"], terminal=False) == ["srv6:script", "--stop-on-error"]
    assert cli.script_words([], terminal=True) == []
    assert cli.script_words(["srv6:nodes"], terminal=False) == []
    with pytest.raises(UsageError, match="for commands on the standard input"):
        cli.script_words(["--stop-on-error"], terminal=True)


def test_help_is_what_the_shell_can_print_without_a_terminal() -> None:
    assert cli.help_words(["help"]) == ["srv6:help"]
    assert cli.help_words(["help", "policy-add"]) == ["srv6:policy-add", "--help"]
    assert cli.help_words(["help", "srv6:nodes"]) == ["srv6:nodes", "--help"]
    assert cli.help_words(["srv6:nodes", "--help"]) == ["srv6:nodes", "--help"]


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (["srv6:policy-add", "--file", "HERE"], ["srv6:policy-add", "--file", "-"]),
        (["srv6:policy-add", "--file=HERE", "--json"], ["srv6:policy-add", "--file", "-", "--json"]),
        (["srv6:livelive-add", "-f", "HERE", "--dry-run"], ["srv6:livelive-add", "-f", "-", "--dry-run"]),
    ],
)
def test_a_document_is_one_of_this_machine(tmp_path: Path, words: list[str], left: list[str]) -> None:
    file = tmp_path / "policy.json"
    file.write_text("{}")
    taken, document = cli.take_document([word.replace("HERE", str(file)) for word in words])
    assert taken == left
    assert not isinstance(document, int)
    with document:
        assert document.read() == b"{}"


def test_a_document_that_is_not_there_is_named() -> None:
    with pytest.raises(UserError, match="absent.json: No such file"):
        cli.take_document(["srv6:policy-add", "-f", "absent.json"])
    assert cli.take_document(["srv6:policies"]) == (["srv6:policies"], subprocess.DEVNULL)


def test_the_exit_status_is_the_commands_where_ssh_lost_it(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    script = "echo result; echo wrong >&2; echo 'mark 1' >&2; echo Connection closed by remote host. >&2; exit 255"
    status = cli.one_command(["sh", "-c", script], dict(os.environ), subprocess.DEVNULL, "mark")
    assert (status, *capfdbinary.readouterr()) == (1, b"result\n", b"wrong\n")


def test_a_lab_that_does_not_exist_is_exit_code_1_without_a_stack_trace() -> None:
    done = sextant("lab", "status", "absent")
    assert done.returncode == 1
    assert "absent.json" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "words", [["lab", "up"], ["lab", "up", "--controller"], ["lab", "down"], ["demo"]], ids=" ".join
)
def test_who_is_not_root_is_told_so_before_anything_is_built(words: list[str]) -> None:
    if subprocess.run(["test", "-x", ROOT / "sextant"], check=False, user="nobody").returncode:
        pytest.skip(f"needs a clone that the user nobody may read: {ROOT} is not")
    done = subprocess.run(
        [ROOT / "sextant", *words], capture_output=True, text=True, check=False, timeout=60, user="nobody",
        env=os.environ | {"SEXTANT_INSTANCE": "9", "HOME": "/nonexistent"},
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "sextant: the lab makes network namespaces: run it as root\n")


@pytest.mark.parametrize(
    "words",
    [
        ["bench", "pack", "--quick"],
        ["certs", "make", "a", "b"],
        ["demo", "mobile", "--p4", "g1"],
        ["lab", "down", "--plain"],
    ],
    ids=" ".join,
)
def test_a_mistake_is_told_before_anything_is_installed(words: list[str]) -> None:
    asked = [sys.executable, "-m", "sextantlab", "--only-parse", *words]
    done = subprocess.run(asked, cwd=ROOT / "lab", capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
