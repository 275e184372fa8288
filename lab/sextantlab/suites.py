# SPDX-License-Identifier: Apache-2.0
"""The suites of ./sextant test: each runs the tool of its language and reads that tool's own report."""

import functools
import json
import os
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from . import at_once, build, lint, shares
from .at_once import Suite
from .controller import Controller
from .errors import UserError
from .instance import GIVEN_INSTANCES, Instance
from .lab import Lab
from .paths import AGENT_DIR, BUILD, LAB, LOGS, ROOT, WEB, relative
from .reports import Result, go_test, junit
from .steps import command, end_all, say, tail

Runner = Callable[["Terms"], "Result"]
_NO_TESTS = 5  # as pytest ends
_LONGEST = 10
_RUNNERS: dict[str, Runner] = {}
IN_TOOLS: set[str] = set()


@dataclass(frozen=True)
class Terms:
    """How a suite is to run.

    fast: without slow tests.
    instances: the numbers of the labs that it may have; none: any that is free.
    run: the names of all suites that run, this one included.
    jobs: how many suites may run at the same time.
    """

    fast: bool = False
    instances: Sequence[int] = ()
    run: frozenset[str] = frozenset()
    jobs: int = 1


def _suite(runner: Runner) -> Runner:
    """A function that runs the suite of its name."""
    _RUNNERS[runner.__name__.removeprefix("_")] = runner
    return runner


def _suite_with_lab(runner: Runner) -> Runner:
    """A suite that has a lab in this process, which makes certificates: so that needs the Python tools."""
    IN_TOOLS.add(runner.__name__.removeprefix("_"))
    return _suite(runner)


def run(names: Iterable[str], fast: bool, jobs: int) -> int:
    """Runs the suites, up to ``jobs`` at a time, prints their results, and returns the exit code."""

    def one(suite: Suite, instances: Sequence[int]) -> tuple[Result, float]:
        say(f"\n{suite.name}")
        start = time.monotonic()
        result = _found(suite.name, Terms(fast, instances, wanted, jobs))
        for failure in result.failures:  # a run that is cut off has printed its findings
            say(f"  failed: {failure}")
        return result, time.monotonic() - start

    # Controllers of tests live for a minute: they start in three quarters of the time without the second compiler.
    os.environ.setdefault("EXTRA_JAVA_OPTS", "-XX:TieredStopAtLevel=1")
    wanted = frozenset(names)
    suites = [suite for suite in LISTED if suite.name in wanted and _WITH.get(suite.name) not in wanted]
    jobs = min(jobs, len(suites))
    results = at_once.run(suites, jobs, one)
    total = Result()
    lines = []
    for suite in suites:
        result, seconds = results[suite.name]
        lines.append(
            f"{suite.name:<12} {result.passed:>5} passed {len(result.failures):>4} failed"
            f" {len(result.skips):>4} skipped {seconds:>8.1f} s"
        )
        total.add(result)
    say()
    for test, reason in total.skips:
        print(f"skipped: {test}: {reason}")
    for test, seconds in sorted(total.seconds.items(), key=lambda one: -one[1])[:_LONGEST]:
        print(f"longest: {seconds:6.1f} s  {test}")
    for failure in total.failures:  # near the end: there may be a thousand lines about skips
        print(f"failed: {failure}")
    print("\n".join(lines))
    print(f"{total.passed} passed, {len(total.failures)} failed, {len(total.skips)} skipped", flush=True)
    return 1 if total.failures else 0


def _found(name: str, terms: Terms) -> Result:
    try:
        result = SUITES[name](terms)
    except UserError as error:
        say(f"  {error}")
        return Result(failures=[f"{name}: {error}"])
    if not result.passed and not result.failures:
        result.failures.append(f"{name}: no test ran")
    return result


# The modules of the ONOS host. Maven compiles their dependencies in every run of its own.
_ONOS = ("platforms/onos/host", "platforms/onos/oar", "platforms/onos/itest")
# Suites that another one has in its own run of Maven if both are wanted.
_WITH = {"onos": "java"}


@_suite
def _java(terms: Terms) -> Result:
    """All modules with all tests, if the suites crash and onos run too."""
    every = "onos" in terms.run
    modules = [] if every else ["-pl", ",".join(f"!{module}" for module in _ONOS)]
    with_crash = "crash" in terms.run
    options = [*modules, *(_crash_options(terms) if with_crash else [])]
    leave_out = [] if with_crash else ["crash"]
    before = build.modules_state()
    result = _maven("mvn verify", options, terms, leave_out)
    if every and not result.failures:
        build.mark_modules_built(before)
    return result


def _crash_states(terms: Terms) -> str:
    return os.environ.get("SEXTANT_CRASH_STATES", "50" if terms.fast else "100")


def _crash_options(terms: Terms) -> list[str]:
    given = [f"-Dsextant.crash.states={_crash_states(terms)}"]
    if seed := os.environ.get("SEXTANT_CRASH_SEED"):
        given.append(f"-Dsextant.crash.seed={seed}")
    return [f"-DargLine={' '.join(given)}"]


@_suite
def _crash(terms: Terms) -> Result:
    """States that crashes and failing disks can leave of all durable files; SEXTANT_CRASH_STATES of each kind.

    The controller's own files are in Maven's run of the suite java, if that runs too.
    """
    result = Result()
    if "java" not in terms.run:
        only = [
            "-pl",
            "platforms/karaf/host",
            "-am",
            "-Dtest=CrashTest,FailingDiskTest",
            "-Dsurefire.failIfNoSpecifiedTests=false",
        ]
        result.add(_maven("mvn crash", [*only, *_crash_options(terms)], terms))
    events = LOGS / "go-test-crash.json"
    code = command(
        "go test crash",
        ["go", "test", "-json", "-count=1", "-run", "RecordLogKeeps|SurviveEveryCrash|Crash", *_WITH_JOURNALS],
        cwd=AGENT_DIR,
        check=False,
        stdout=events,
        env={"SEXTANT_CRASH_STATES": _crash_states(terms)},
    )
    result.add(_checked(go_test(events), code, "go test crash"))
    result.add(pytest("crash certs", _CERTS_CRASH, terms))
    return result


_CERTS_CRASH = "lab/tests/test_certs_crash.py"
_WITH_JOURNALS = ("./internal/durable/...", "./internal/journal", "./internal/n4/...", "./internal/p4rt")


@_suite
def _onos(terms: Terms) -> Result:
    """The adapters over ONOS's test jars, and the applications against the exports of an ONOS 2.7.0."""
    only = ["-Dtest=org/sextant/onos/**/*Test", "-Dsurefire.failIfNoSpecifiedTests=false"]
    return _maven("mvn onos", ["-pl", ",".join(_ONOS), "-am", *only], terms)


def _maven(name: str, options: list[str], terms: Terms, leave_out: Sequence[str] = ()) -> Result:
    build.forget_other_sources()
    build.forget_unchecked()
    start = time.time()
    excluded = [*leave_out, *(["slow"] if terms.fast else [])]
    groups = [f"-DexcludedGroups={','.join(excluded)}"] if excluded else []
    code = command(
        name,
        [*build.MAVEN, "verify", "--fail-at-end", *options, *groups],
        check=False,
    )
    reports = [
        report
        for pattern in ("surefire-reports", "failsafe-reports")
        for report in ROOT.glob(f"**/target/{pattern}/TEST-*.xml")
        if report.stat().st_mtime >= start
    ]
    return _checked(junit(reports), code, name)


# Go tests packages in the order of the command line: those that take longest are not to begin when the others end.
_LONGEST_GO = ("./internal/linux", "./internal/sera")


@_suite
def _agent(terms: Terms) -> Result:
    result = Result()
    build.agent_constants()
    if command("go vet", ["go", "vet", "./..."], cwd=AGENT_DIR, check=False) == 0:
        result.passed += 1
    else:
        say(tail(LOGS / "go-vet.log"))
        result.failures.append("go vet: see build/logs/go-vet.log")
    events = LOGS / "go-test.json"
    code = command(
        "go test",
        ["go", "test", "-json", *(["-short"] if terms.fast else ["-race"]), *_LONGEST_GO, "./..."],
        cwd=AGENT_DIR,
        check=False,
        stdout=events,
    )
    result.add(_checked(go_test(events), code, "go test"))
    result.add(_pinned())
    return result


def _pinned() -> Result:
    """The objects that outlive an agent, once more with a bpffs, as an agent without CAP_SYS_ADMIN finds them."""
    events = LOGS / "go-test-pinned.json"
    code = command(
        "go test with pins",
        ["go", "test", "-json", "-run", _OUTLIVES, "./internal/linux"],
        cwd=AGENT_DIR,
        check=False,
        stdout=events,
        env={"SEXTANT_TEST_PINS": "1"},
    )
    return _checked(go_test(events), code, "go test with pins")


# Tests of a Linux node in which programs are found again, removed, or lost.
_OUTLIVES = "ReadBack|Restart|Killed|ComeAndGo|ComesBack|ComeBack|Repaired|Programs|LosesItsProgram|WithoutItsMemory"


@_suite
def _lint(terms: Terms) -> Result:
    result = Result()
    for name, problems in lint.run():
        if problems:
            result.failures.append(f"lint {name}: {problems}")
        else:
            result.passed += 1
    return result


_LINUX_SHARES = 8
_PACKETS_AT_ONCE = 4
# The packet tests by the kinds of their nodes; those of Linux nodes, which are most, in shares.
_PACKETS = {
    **{f"linux {place}": ["--kind", "linux", *share] for place, share in enumerate(shares.options(_LINUX_SHARES), 1)},
    "vpp": ["--kind", "vpp"],
    "others": ["--other-than", "linux", "--other-than", "vpp"],
}


@_suite
def _conformance(terms: Terms) -> Result:
    """Some parts at once: a packet test waits for its packets most of its time."""
    build.agent()
    build.python_tools()
    return _beside(
        _PACKETS_AT_ONCE,
        [
            functools.partial(pytest, f"conformance {part}", "conformance", terms, *options)
            for part, options in _PACKETS.items()
        ],
    )


def _beside(count: int, parts: Sequence[Callable[[], Result]]) -> Result:
    """Runs the parts of a suite, so many at a time."""
    result = Result()
    with ThreadPoolExecutor(count) as beside:
        try:
            for part in [beside.submit(part) for part in parts]:
                result.add(part.result())
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            end_all()
            raise
    return result


# Folders of lab/tests that suites of their own run.
_OWN_FOLDERS = ("lab/tests/livelive", "lab/tests/mobile", "lab/tests/sera", "lab/tests/security")


@_suite
def _lab(terms: Terms) -> Result:
    """In halves at once unless another suite may run beside it: a story waits for most of its time."""
    ignored = [f"--ignore={path}" for path in (*_OWN_FOLDERS, _CERTS_CRASH)]
    if terms.jobs > 1:
        return pytest("lab", "lab/tests", terms, *ignored)
    return _beside(
        2,
        [
            functools.partial(
                pytest,
                f"lab {place + 1}",
                "lab/tests",
                replace(terms, instances=terms.instances[place::2]),
                *ignored,
                *share,
            )
            for place, share in enumerate(shares.options(2))
        ],
    )


@_suite
def _livelive(terms: Terms) -> Result:
    """Flows over six paths that fail under traffic."""
    return pytest("livelive", "lab/tests/livelive", terms)


@_suite
def _mobile(terms: Terms) -> Result:
    """Slices and sessions, with peers that others wrote."""
    return pytest("mobile", "lab/tests/mobile", terms)


@_suite
def _sera(terms: Terms) -> Result:
    """Firewalls in a chain, beside those of the kernel."""
    return pytest("sera", "lab/tests/sera", terms)


@_suite
def _security(terms: Terms) -> Result:
    """Attacks on nodes and controller of Figure 4."""
    return pytest("security", "lab/tests/security", terms)


@_suite_with_lab
def _scenarios(terms: Terms) -> Result:
    """The STC scenarios, step by step, against the stand-alone controller over a lab of its own."""
    build.controller()
    build.agent()
    start = time.time()
    lab = Lab("fig4", Instance.free(terms.instances))
    with lab, Controller(lab):
        code = command(
            "mvn scenarios",
            [*build.MAVEN, "-pl", "scenarios", "test", "-Dtest=ScenarioSuite"],
            env={"SEXTANT_INSTANCE": str(lab.instance.number)},
            check=False,
        )
    report = ROOT / "scenarios/target/surefire-reports/TEST-org.sextant.scenario.ScenarioSuite.xml"
    fresh = [report] if report.exists() and report.stat().st_mtime >= start else []
    return _checked(junit(fresh), code, "mvn scenarios")


@_suite_with_lab
def _web(terms: Terms) -> Result:
    """The GUI's computations, against the shared vectors; then the GUI in a browser over a controller and nodes."""
    build.controller()
    build.agent()
    build.web_tools()
    result = _vitest("unit", {})
    # Here and not in lint: its rules look at types, and those of the interface are generated with the controller.
    code = command("eslint", ["node_modules/.bin/eslint", "--max-warnings", "0", "."], cwd=WEB, check=False)
    result.add(_checked(Result(passed=int(code == 0)), code, "eslint"))
    lab = Lab("fig4", Instance.free(terms.instances))
    with lab, Controller(lab) as controller:
        result.add(
            _vitest(
                "e2e",
                {
                    "SEXTANT_URL": controller.url,
                    "SEXTANT_CONTROLLER": str(controller.running().pid),
                    "SEXTANT_ADMIN": controller.password("admin"),
                    "SEXTANT_VIEWER": controller.password("viewer"),
                    "SEXTANT_PREFIX": lab.instance.prefix,
                    "SEXTANT_AGENTS": json.dumps({node.name: lab.agent(node.name).pid for node in lab.network.nodes}),
                    "SEXTANT_ETC": str(controller.data / "etc"),
                    "SEXTANT_PICTURES": str(BUILD / "web"),
                },
            )
        )
    return result


def _vitest(project: str, environment: dict[str, str]) -> Result:
    report = LOGS / f"web-{project}.xml"
    report.unlink(missing_ok=True)
    name = f"vitest {project}"
    code = command(
        name,
        ["node_modules/.bin/vitest", "run", "--project", project, "--reporter=default", "--reporter=junit",
         f"--outputFile.junit={report}"],
        cwd=WEB,
        env=environment,
        check=False,
    )  # fmt: skip
    return _checked(junit([report] if report.exists() else []), code, name)


def _listed() -> list[Suite]:
    """The suites in their order, of the one list there is."""
    lines = (LAB / "suites.txt").read_text().splitlines()
    words = [line.split(maxsplit=2) for line in lines if not line.startswith("#")]
    return [Suite(name, frozenset(needs.split(","))) for name, needs, _ in words]


LISTED = _listed()
SUITES = {suite.name: _RUNNERS[suite.name] for suite in LISTED}


def pytest(name: str, folder: str, terms: Terms, *options: str) -> Result:
    """Runs the Python tests of a folder."""
    tools = build.python_tools()
    report = LOGS / f"{name.replace(' ', '-')}.xml"
    report.unlink(missing_ok=True)
    code = command(
        f"pytest {name}",
        [
            tools / "python",
            "-m",
            "pytest",
            "-q",
            "-rA",
            f"--junitxml={report}",
            *(["-m", "not slow"] if terms.fast else []),
            *options,
            folder,
        ],
        env={
            "PYTHONPATH": os.pathsep.join([str(ROOT / "lab"), str(ROOT)]),
            GIVEN_INSTANCES: " ".join(map(str, terms.instances)),
        },
        check=False,
        fine=(0, _NO_TESTS),
    )
    empty = code == _NO_TESTS  # of this part, on this machine
    return _checked(junit([report] if report.exists() else []), 0 if empty else code, f"pytest {name}")


def _checked(result: Result, code: int, name: str) -> Result:
    """A tool that failed without saying which test did (it did not compile, say) is a failure too."""
    if code != 0 and not result.failures:
        log = LOGS / (name.replace(" ", "-").replace("/", "-") + ".log")
        if log.exists():
            say(tail(log))
        result.failures.append(f"{name}: exit code {code}, see {relative(log)}")
    return result
