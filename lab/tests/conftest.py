# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the lab's tests. They use instances of their own, so that a lab that is up is not in the way."""

import json
import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import ModuleType

import pytest
from sextantlab import build, shares
from sextantlab.errors import UserError
from sextantlab.instance import Instance
from sextantlab.lab import Lab
from small import SMALL
from story import Story

_PREPARE = "prepare"
_POLITELY = 10


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(shares.OPTION, default="1/1", help="of the modules: N/M, the Nth of M")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests whose preparation has to be built first come last."""
    items[:] = shares.dealt(items, *shares.of(config))
    items.sort(key=lambda item: hasattr(_module(item), _PREPARE))


@pytest.fixture(scope="session", autouse=True)
def prepared_folders(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, Future[Path]]]:
    """Folders of modules that have a function `prepare`, by the names of these modules.

    The work of these functions, copying and compiling, goes on from the start of the session on, one after the other,
    beside labs that mostly wait; at a lower priority, so that these do not wait longer.
    """
    modules = {_module(item).__name__: _module(item) for item in request.session.items}
    wanted = {name: module for name, module in modules.items() if hasattr(module, _PREPARE)}
    problem = _build() if wanted else None  # they start programs that are built here

    def prepare(name: str) -> Path:
        if problem:
            raise problem
        folder = tmp_path_factory.mktemp(name.rpartition(".")[2], numbered=False)
        getattr(wanted[name], _PREPARE)(folder)
        return folder

    with ThreadPoolExecutor(1, initializer=lambda: os.nice(_POLITELY)) as beside:
        try:
            yield {name: beside.submit(prepare, name) for name in wanted}
        finally:
            beside.shutdown(cancel_futures=True)


def _build() -> UserError | None:
    """Build errors surface in the tests that need the build."""
    try:
        build.controller()
        build.agent()
        build.web_tools()
        build.python_tools()
    except UserError as error:
        return error
    return None


def _module(item: pytest.Item) -> ModuleType:
    assert isinstance(item, pytest.Function)
    module: ModuleType = item.module
    return module


@pytest.fixture(scope="module")
def prepared(request: pytest.FixtureRequest, prepared_folders: dict[str, Future[Path]]) -> Path:
    """The folder that the module's `prepare` was given, when it has ended."""
    return prepared_folders[request.module.__name__].result()


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Lab]:
    """A lab of two nodes and a host that is not up yet, and is down afterwards."""
    build.agent()
    file = tmp_path / "small.json"
    file.write_text(json.dumps(SMALL))
    lab = Lab(str(file), Instance.free())
    lab.down()
    yield lab
    lab.down()


@pytest.fixture
def story(running: Story) -> Iterator[Story]:
    """The network of a module or folder, which `running` makes; afterwards without the test's policies."""
    yield running
    running.clear()
