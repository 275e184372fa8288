# SPDX-License-Identifier: Apache-2.0
"""The node under test, for every packet test: the one of the command line, else one of each kind that this machine has.

`@pytest.mark.differs("bmv2", "…")` marks a case that one data plane cannot pass, with the reason: it is expected to
fail there, and only there, and fails the run when it starts passing. Further arguments name the parameters that it
cannot pass with, if not all. docs/reference/conformance.md lists these.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from model.deviations import DEVIATIONS
from model.wild import program
from nodes import edge_kit, firewall_kit, given, mobile_kit
from nodes.bench import Bench
from nodes.oracle import RECORDED, VECTORS, Case, Oracle
from nodes.p4runtime import Client
from nodes.standing import Standing
from nodes.target import TARGETS, Target, present
from nodes.wire import Wires
from sextantlab import shares

_SEEDS = [1, 2]


def pytest_addoption(parser: pytest.Parser) -> None:
    given.add_options(parser)
    parser.addoption("--kind", action="append", help="only what runs on this kind of node")
    parser.addoption("--other-than", action="append", help="only what does not run on this kind of node")
    parser.addoption(shares.OPTION, default="1/1", help="of the modules: N/M, the Nth of M")
    parser.addoption("--seed", type=int, action="append", help="of test_fuzz.py, as often as wanted (1 and 2)")
    parser.addoption("--packets", type=int, default=3000, help="of test_fuzz.py, for each seed (3000)")
    parser.addoption("--record", action="store_true", help="write what bmv2 does to conformance/vectors/bmv2.json")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[given.ABSENT] = set()
    config.addinivalue_line("markers", "differs(target, reason, *ids): a data plane cannot pass this case")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Vectors that are recorded anew are not compared with the old ones; and vectors hold the MAC addresses of nodes
    made here.
    """
    alone = config.getoption("--record") or config.getoption("--node")
    return True if alone and collection_path.name == "test_vectors.py" else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    config.stash[given.COLLECTED] = {_kind(item) for item in items}
    kinds, others = config.getoption("--kind"), config.getoption("--other-than") or []
    of_kinds = [item for item in items if _kind(item) not in others and (not kinds or _kind(item) in kinds)]
    wanted = shares.dealt(of_kinds, *shares.of(config))
    kept = set(wanted)
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = wanted
    for item in items:
        if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
            continue
        target = item.callspec.params.get("target")
        if target in (differences := _differences(item)):
            item.add_marker(pytest.mark.xfail(strict=True, reason=f"{target}: {differences[target]}"))


def _kind(item: pytest.Item) -> str:
    """The kind of node that a test is run on; "" if on none, or on several."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return ""
    return str(item.callspec.params.get("target", ""))


def _differences(item: pytest.Function) -> dict[str, str]:
    """The data planes that cannot pass a case, and why."""
    marks = [mark.args for mark in item.iter_markers("differs")]
    return {
        target: reason
        for target, reason, *ids in marks
        if not ids or any(f"-{one}-" in f"-{item.callspec.id}-" for one in ids)
    }


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "target" in metafunc.fixturenames:
        node = metafunc.config.getoption("--node")
        targets = present() if node is None else [node[0]]
        if "modelled" in metafunc.fixturenames:
            targets = [name for name in targets if name in DEVIATIONS]
        metafunc.parametrize("target", targets, indirect=True, scope="session")
    if "seed" in metafunc.fixturenames:
        metafunc.parametrize("seed", metafunc.config.getoption("--seed") or _SEEDS)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A kind of node that does not start fails one case, with the reason; the others are skipped and refer to it."""
    if _kind(item) in item.config.stash[given.ABSENT]:
        pytest.skip(f"{_kind(item)} did not start: the first case of it says why")


@pytest.fixture(scope="session")
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    node = given.target(request.config)
    if node is not None:
        yield node
        return
    with ExitStack() as started:
        try:
            number, _ = shares.of(request.config)
            label = request.param if number == 1 else f"{request.param}-{number}"
            node = started.enter_context(TARGETS[request.param](label))
        except Exception:
            request.config.stash[given.ABSENT].add(request.param)
            raise
        yield node


@pytest.fixture(scope="session")
def client(target: Target) -> Iterator[Client]:
    with Client(target.address, target.device_id, target.p4info, election_id=10, tls=target.tls) as primary:
        primary.set_pipeline(target.program)
        primary.prepare_copying(epoch=1)
        yield primary


@pytest.fixture(scope="session")
def standing(target: Target, client: Client) -> Iterator[Standing]:
    rows = Standing(target, client)
    yield rows
    rows.need(())


@pytest.fixture
def planes(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The planes of nodes/standing.py that the cases of a module need: its PLANES."""
    return getattr(request.module, "PLANES", ())


@pytest.fixture(autouse=True)
def loaded(request: pytest.FixtureRequest, planes: tuple[str, ...]) -> None:
    if "client" in request.fixturenames:
        request.getfixturevalue("standing").need(planes)


@pytest.fixture(scope="session")
def wires(target: Target) -> Iterator[Wires]:
    with Wires(
        target.wire_namespace,
        {number: port.far_interface for number, port in target.ports.items()},
    ) as far:
        yield far


@pytest.fixture(scope="session")
def oracle(request: pytest.FixtureRequest, target: Target) -> Iterator[Oracle]:
    recorded = Oracle(recording=request.config.getoption("--record") and target.name == RECORDED)
    yield recorded
    if recorded.recording and not request.session.testsfailed:
        recorded.write(VECTORS)


@pytest.fixture
def case(request: pytest.FixtureRequest, target: Target, oracle: Oracle) -> Case:
    """This test as the name and the source of its vectors: the first line of its description, or its module's."""
    test = request.node
    parameters = test.callspec.id.removeprefix(target.name).strip("-")
    name = test.originalname.removeprefix("test_").replace("_", " ") + (f" ({parameters})" if parameters else "")
    source = (test.function.__doc__ or test.module.__doc__ or test.name).splitlines()[0]
    return Case(oracle, name, source, _differences(test))


@pytest.fixture
def empty(target: Target, client: Client, wires: Wires, case: Case) -> Iterator[Bench]:
    """A node without entries."""
    bench = Bench(target, client, wires, case, expected=target.name not in case.differs)
    yield bench
    bench.forget()


@pytest.fixture
def node(empty: Bench) -> Bench:
    """A node with neighbors and routes."""
    empty.underlay()
    return empty


@pytest.fixture
def modelled(node: Bench) -> Bench:
    """A node with every behavior and policies of every kind, of a data plane whose deviations are listed."""
    program(node)
    return node


# --- the edge, firewalls and mobile sessions, whose cases are in several files


@pytest.fixture
def open_node(node: Bench) -> Bench:
    """A node with SIDs and all entries of the edge except those of ports."""
    node.my_sid("fcbb:bbbb:100::/48", "un", block_length=32, csid_length=16)
    node.my_sid(edge_kit.F00D + "/64", "udt6", vrf=0)
    node.install(edge_kit.sid(edge_kit.BLOCK), edge_kit.source(edge_kit.SOURCES))
    return node


@pytest.fixture
def edge(open_node: Bench) -> Bench:
    open_node.install(edge_kit.port(edge_kit.OUTSIDE, "external", 0), edge_kit.port(edge_kit.INSIDE, "internal", 1))
    return open_node


@pytest.fixture
def has_firewalls(target: Target) -> None:
    if 'alias: "firewall"' not in target.p4info.read_text():
        pytest.skip(f"{target.name}: its P4Info has no table firewall")


@pytest.fixture
def firewall(node: Bench) -> Bench:
    """A firewall without rules."""
    firewall_kit.sera(node)
    node.route("route_v6", "fc00::/16", 2)
    return node


@pytest.fixture
def has_mobile_sessions(target: Target) -> None:
    if "gtp_rule" not in target.p4info.read_text():
        pytest.skip(f"{target.name}: its P4Info has no gtp_tunnel, gtp_rule, ue_v6, ue_v4 (mobile sessions)")


@pytest.fixture
def gateway(node: Bench) -> Bench:
    node.route("route_v4", "192.0.2.0/24", 1)
    node.route("route_v4", "198.51.100.0/24", 2)
    return node


@pytest.fixture
def uplink4(gateway: Bench) -> Bench:
    """H.M.GTP4.D toward an End.M.GTP4.E, and whole packets to an End.DT4."""
    gateway.sid_list(1, (1, ["fcbb:bbbb:305::"]))
    gateway.sid_list(2, (1, ["fcbb:bbbb:200:300:f004::"]))
    upf = {"dst": mobile_kit.address(mobile_kit.UPF)}
    mobile_kit.translate(gateway, address_at=48, source="fcbb:bbbb:104::", source_at=48, match=upf)
    mobile_kit.rule(gateway, mobile_kit.CARRY, "carry", upf, sid_list=2)
    return gateway
