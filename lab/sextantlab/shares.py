# SPDX-License-Identifier: Apache-2.0
"""Shares of the tests of a pytest run, so that several runs beside each other have every test once."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, TypeVar

OPTION = "--share"


class _Config(Protocol):
    def getoption(self, name: str) -> object: ...


class _Item(Protocol):
    @property
    def path(self) -> Path: ...


Item = TypeVar("Item", bound=_Item)


@dataclass
class _Share:
    paths: set[Path] = field(default_factory=set)
    size: int = 0


def options(count: int) -> list[list[str]]:
    """The words of the command line for each of so many runs."""
    return [[OPTION, f"{number}/{count}"] for number in range(1, count + 1)]


def of(config: _Config) -> tuple[int, int]:
    """The number of the share that runs, from 1 on, and how many there are."""
    number, count = map(int, str(config.getoption(OPTION)).split("/"))
    return number, count


def dealt(items: list[Item], number: int, count: int) -> list[Item]:
    """The items of whole modules; the module with most of them goes to the share that has the fewest by then."""
    sizes = Counter(item.path for item in items)
    shares = [_Share() for _ in range(count)]
    for path in sorted(sizes, key=lambda path: (-sizes[path], path)):
        smallest = min(shares, key=lambda share: share.size)
        smallest.paths.add(path)
        smallest.size += sizes[path]
    return [item for item in items if item.path in shares[number - 1].paths]
