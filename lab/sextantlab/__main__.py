# SPDX-License-Identifier: Apache-2.0
"""The command line behind ./sextant, which has already checked the command's name and printed its help."""

import argparse
import contextlib
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from . import (
    apps,
    bench,
    build,
    cli,
    demo,
    demo_firewall,
    demo_mobile,
    lint,
    n4,
    replay,
    rooms,
    sbom,
    segments,
    status,
    store_command,
    suites,
    trail,
    words,
)
from .controller import Controller
from .errors import UsageError, UserError
from .lab import Lab, need_root
from .paths import AGENT_DIR, CERTS, EXPLAIN_JAR, LAB, ROOT, VENV, WEB
from .steps import command, say


class _Parser(argparse.ArgumentParser):
    """Errors are one line and exit code 2; help is in ./sextant, which works before Python is installed."""

    def __init__(self, *, prog: str, only_parse: bool) -> None:
        super().__init__(prog=prog, add_help=False, allow_abbrev=False)
        self._only_parse = only_parse

    def understood(self, argv: list[str], check: Callable[[argparse.Namespace], str | None]) -> argparse.Namespace:
        """The options, unless ``check`` returns a usage error about them. Nothing is installed or done before."""
        options = super().parse_args(argv)
        if wrong := check(options):
            self.error(wrong)
        if self._only_parse:
            sys.exit(0)
        return options

    def parse_args(self, *arguments: Any, **named: Any) -> Any:
        options = super().parse_args(*arguments, **named)
        if self._only_parse:
            sys.exit(0)
        return options

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog}: {message} (./sextant {self.prog} --help)")


def main(argv: list[str]) -> int:
    """Runs a command; with --only-parse before it, says whether its words make sense and does nothing."""
    only_parse = argv[0] == "--only-parse"
    name, *rest = argv[1:] if only_parse else argv
    return COMMANDS[name](_Parser(prog=name, only_parse=only_parse), rest)


def _test(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("--fast", action="store_true")
    parser.add_argument("--jobs", type=int, choices=(1, 2), default=min(2, os.cpu_count() or 1))
    parser.add_argument("suites", nargs="+", choices=list(suites.SUITES))
    options = parser.parse_args(argv)
    if suites.IN_TOOLS & set(options.suites):
        _in_tools()
    return suites.run(options.suites, options.fast, options.jobs)


def _build(parser: _Parser, argv: list[str]) -> int:
    parser.parse_args(argv)
    build.modules()
    build.agent()
    build.n4()
    return 0


def _fmt(parser: _Parser, argv: list[str]) -> int:
    parser.parse_args(argv)
    tools = build.python_tools()
    apps.write(ROOT)
    segments.write(ROOT)
    command("gofumpt", [build.go_tools() / "golangci-lint", "fmt"], cwd=AGENT_DIR)
    command("spotless", [*build.MAVEN, "-q", "spotless:apply"])
    rooms.write(ROOT)
    command("ruff fix", [tools / "ruff", "check", "--no-cache", "--fix-only", *lint.python_folders()])
    command("ruff format", [tools / "ruff", "format", "--no-cache", *lint.python_folders()])
    build.web_tools()
    command("prettier", ["node_modules/.bin/prettier", "--write", "--log-level", "warn", "."], cwd=WEB)
    return 0


def _lint(parser: _Parser, argv: list[str]) -> int:
    parser.parse_args(argv)
    return 1 if any([problems for _, problems in lint.run()]) else 0


def _replay(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("--json", action="store_true")
    parser.add_argument("recording", type=Path)
    options = parser.parse_args(argv)
    if not options.recording.is_file():
        raise UserError(f"there is no file {options.recording}")
    build.controller()
    return replay.run(options.recording, as_json=options.json)


def _words(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--files", action="store_true")
    options = parser.parse_args(argv)
    files = words.measure(ROOT, lint.tracked())
    sums = words.by_area(files)
    shown = {name: one for name, one in files.items() if one.found} | {"all": sums["all"]} if options.files else sums
    if options.json:
        print(json.dumps({name: one.row() for name, one in shown.items()}, indent=2))
    else:
        print(words.table(shown))
    return 0


def _explain(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("--network", type=Path, default=LAB / "fig4.json")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("policy", type=Path)
    options = parser.parse_args(argv)
    for file in (options.network, options.policy):
        if str(file) != "-" and not file.is_file():
            raise UserError(f"there is no file {file}")
    build.explain()
    sys.stdout.flush()
    os.execvp(
        "java",
        [
            "java",
            # It runs for half a second: the quick compiler and the plain collector halve that.
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-jar",
            str(EXPLAIN_JAR),
            "--network",
            str(options.network),
            str(options.policy),
            *(["--json"] if options.json else []),
        ],
    )


def _demo_misunderstood(options: argparse.Namespace) -> str | None:
    if options.name is not None and (options.p4 is not None or options.vpp is not None):
        return "--p4 and --vpp are for the uSID paper's network"
    return None


def _demo(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("name", nargs="?", choices=list(_DEMOS))
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--p4", type=_nodes)
    parser.add_argument("--vpp", type=_nodes)
    options = parser.understood(argv, _demo_misunderstood)
    need_root()
    _in_tools()
    if options.name is not None:
        return _DEMOS[options.name](options.keep, options.json)
    return demo.run(options.keep, options.json, options.p4, options.vpp)


# Beside the one of the uSID paper.
_DEMOS = {"mobile": demo_mobile.run, "firewall": demo_firewall.run}


def _nodes(text: str) -> list[str]:
    """p6,p7 as a list; "none" is the empty one."""
    return [] if text == "none" else [name for name in text.split(",") if name]


def _in_tools() -> None:
    """Goes on in the virtual environment, where the libraries are that Python comes without; nothing has begun yet."""
    python = build.python_tools() / "python"
    if not os.path.samefile(sys.prefix, VENV):
        sys.stdout.flush()
        os.execv(python, [os.fspath(python), "-m", "sextantlab", *sys.argv[1:]])


def _lab_misunderstood(options: argparse.Namespace) -> str | None:
    for name in ("p4", "vpp", "controller", "plain"):
        if getattr(options, name) is not None and options.action != "up":
            return f"--{name} is for up; {options.action} knows what the lab was brought up with"
    return None


def _lab(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("action", choices=["up", "down", "status"])
    parser.add_argument("topology", nargs="?")
    parser.add_argument("--p4", type=_nodes)
    parser.add_argument("--vpp", type=_nodes)
    parser.add_argument("--controller", action="store_true", default=None)
    parser.add_argument("--plain", action="store_true", default=None)
    options = parser.understood(argv, _lab_misunderstood)
    if options.action == "up":
        need_root()
        if not options.plain:
            _in_tools()
        # Nodes that are not named are as in the topology file.
        lab = Lab(options.topology or "fig4", p4=options.p4 or [], vpp=options.vpp or [], plain=bool(options.plain))
        return _lab_up(lab, bool(options.controller))
    labs = [Lab(options.topology)] if options.topology else Lab.up_now()
    if options.action == "down":
        for lab in labs or [Lab("fig4")]:  # whose controller may be all that is left
            Controller(lab).stop()
            lab.down()
        say("\n".join(f"lab {lab.topology}: down" for lab in labs) or f"no lab is up{_elsewhere('down')}")
        return 0
    if not labs:
        say(f"no lab is up{_elsewhere('status')}")
    if labs:
        need_root("the namespaces of a lab are root's to look into")
    return max(status.show(lab, Controller(lab)) for lab in labs or [Lab("fig4")])


def _elsewhere(action: str) -> str:
    """The labs of other instances: a user that sees none may have forgotten SEXTANT_INSTANCE."""
    others = Lab.up_anywhere()
    return f" in this instance; there is {', '.join(lab.words(action) for lab in others)}" if others else ""


def _lab_up(lab: Lab, with_controller: bool) -> int:
    need_root()
    if not with_controller:
        build.agent()
        lab.up()
        return status.show(lab, Controller(lab))
    build.controller()
    build.agent()
    with contextlib.ExitStack() as undo:
        undo.enter_context(lab)
        controller = Controller(lab)
        undo.callback(controller.stop)
        demo.begin(controller, undo)
        undo.pop_all()
    code = status.show(lab, controller)
    demo.look_around(lab, controller)
    return code


def _cli(parser: _Parser, argv: list[str]) -> int:
    controllers = [Controller(lab) for lab in Lab.up_now() or [Lab("fig4")]]
    return cli.run(next((one for one in controllers if one.process()), controllers[0]), argv)


def _n4(parser: _Parser, argv: list[str]) -> int:
    build.n4()
    controllers = [Controller(lab) for lab in Lab.up_now()]
    return n4.become(next((one for one in controllers if one.process()), None), argv)


def _bench_misunderstood(options: argparse.Namespace) -> str | None:
    if (options.quick or options.json) and options.names not in [[name] for name in bench.EXPERIMENTS]:
        return f"--quick and --json are for one of {', '.join(bench.EXPERIMENTS)}"
    return None


def _bench(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("names", nargs="*", type=bench.known)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", type=Path)
    options = parser.understood(argv, _bench_misunderstood)
    _in_tools()
    return bench.run(options.names, options.quick, options.json)


def _audit(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("action", choices=["verify"])
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--head", type=Path)
    parser.add_argument("--key", type=Path)
    parser.add_argument("--anchors", type=Path)
    options = parser.parse_args(argv)
    paths, head, key = options.files, options.head, options.key
    if not paths:
        running = [one for lab in Lab.up_now() if (one := Controller(lab)).process()]
        if not running:
            raise UserError("no controller is running here: name the files, or the folder that they are in")
        paths, key = [running[0].data / "audit"], key or running[0].data / "etc" / "sextant" / "audit.key"
    if head is None and len(paths) == 1 and paths[0].is_dir():
        head = paths[0] / "trail.head"
    mac_key = trail.key_of(key) if key else None
    return trail.show(trail.verify(trail.files(paths), head, mac_key, options.anchors))


def _backup_misunderstood(options: argparse.Namespace) -> str | None:
    if (options.controller is None) != (options.credentials is None):
        return "--controller and --credentials go together"
    if options.controller_ca is not None and options.controller is None:
        return "--controller-ca is for --controller"
    return None


def _backup(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("file", type=Path)
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--controller", type=_url)
    parser.add_argument("--credentials", type=Path)
    parser.add_argument("--user", default="admin")
    parser.add_argument("--controller-ca", type=Path)
    return store_command.back_up(parser.understood(argv, _backup_misunderstood))


def _url(text: str) -> str:
    if not text.startswith(("http://", "https://")):
        raise argparse.ArgumentTypeError(f"{text}: a URL such as http://127.0.0.1:8181")
    return text


def _restore(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("file", type=Path)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--json", action="store_true")
    return store_command.restored(parser.parse_args(argv))


def _store_misunderstood(options: argparse.Namespace) -> str | None:
    return "--data is for the store of a controller, not for a FILE" if options.file and options.data else None


def _store(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("action", choices=["check"])
    parser.add_argument("file", nargs="?", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--json", action="store_true")
    return store_command.check(parser.understood(argv, _store_misunderstood))


def _certs_misunderstood(options: argparse.Namespace) -> str | None:
    for word, given, actions in (
        ("--days", options.days, ("make", "rotate")),
        ("--force", options.force, ("make",)),
        ("--new-ca", options.new_ca, ("rotate",)),
        ("--drop-old-ca", options.drop_old_ca, ("rotate",)),
        ("--json", options.json, ("show",)),
    ):
        if given and options.action not in actions:
            return f"{word} is for {' and '.join(actions)}"
    if options.action == "make" and len(options.names) > 1:
        return "make takes one description"
    if options.action == "revoke" and not options.names:
        return "revoke whom? certs show lists the names"
    if (options.action == "show" or options.new_ca or options.drop_old_ca) and options.names:
        return f"{options.names[0]}: names are not wanted here"
    return None


def _certs(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("action", choices=["make", "rotate", "revoke", "show"])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--in", dest="folder", type=Path, default=CERTS)
    parser.add_argument("--days", type=_days)
    parser.add_argument("--force", action="store_true")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--new-ca", action="store_true")
    which.add_argument("--drop-old-ca", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.understood(argv, _certs_misunderstood)
    _in_tools()
    from . import certs_command  # needs a library that is there from here on

    return certs_command.run(options)


def _days(text: str) -> int:
    if not text.isdigit() or not 0 < int(text) <= 3650:
        raise argparse.ArgumentTypeError(f"{text}: a number of days from 1 to 3650")
    return int(text)


def _sbom(parser: _Parser, argv: list[str]) -> int:
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args(argv)
    parts = sbom.shipped()
    problems = sbom.refused(parts)
    for problem in problems:
        say(f"not allowed: {problem}")
    if options.check:
        print(f"{len(set(parts))} components, {len(problems)} without a licence that lab/licences.json allows")
        return 1 if problems else 0
    text = json.dumps(sbom.document(parts), indent=2) + "\n"
    if options.output:
        options.output.write_text(text)
    else:
        print(text, end="")
    return 0


COMMANDS = {
    "sbom": _sbom,
    "audit": _audit,
    "backup": _backup,
    "restore": _restore,
    "store": _store,
    "demo": _demo,
    "lab": _lab,
    "cli": _cli,
    "n4": _n4,
    "test": _test,
    "build": _build,
    "fmt": _fmt,
    "lint": _lint,
    "words": _words,
    "explain": _explain,
    "replay": _replay,
    "bench": _bench,
    "certs": _certs,
}


# As a shell reports a program that SIGPIPE ended.
_READER_GONE = 128 + signal.SIGPIPE
_ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def _terminated(signum: int, frame: FrameType | None) -> NoReturn:
    """Unwinds the context managers, which end the processes that they started. An impatient second signal does not stop
    them.

    The exception contains the signal.
    """
    for ending in _ENDINGS:
        signal.signal(ending, signal.SIG_IGN)
    raise KeyboardInterrupt(signum)


def guarded(argv: list[str]) -> int:
    """As main, with errors as lines and exit statuses: of a signal 128 and its number, as a shell has it."""
    for one in _ENDINGS:
        signal.signal(one, _terminated)
    try:
        code = main(argv)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        # The reader has seen enough (| head). Further output of Python goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _READER_GONE
    except UsageError as error:
        say(f"sextant: {error}")
        return 2
    except UserError as error:
        say(f"sextant: {error}")
        return 1
    except PermissionError as error:
        say(f"sextant: {error.filename}: permission denied: run it as the owner of this clone, or as root")
        return 1
    except KeyboardInterrupt as interrupt:
        say("sextant: interrupted; what it had started is stopped")
        return 128 + (interrupt.args[0] if interrupt.args else signal.SIGINT)


if __name__ == "__main__":
    sys.exit(guarded(sys.argv[1:]))
