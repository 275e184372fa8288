# SPDX-License-Identifier: Apache-2.0
"""Which suites run at the same time. Most wait most of their time: for packets, processes, a browser."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import TypeVar

from .instance import TEST_INSTANCES
from .steps import end_all

T = TypeVar("T")


@dataclass(frozen=True)
class Suite:
    """A suite with its needs."""

    name: str
    needs: frozenset[str]

    @property
    def alone(self) -> bool:
        return not self.needs.isdisjoint({"alone", "busy"})

    @property
    def compiles(self) -> bool:
        """True if it has Maven write files that suites with a controller start."""
        return "maven" in self.needs and "lab" not in self.needs

    @property
    def starts_controllers(self) -> bool:
        return {"maven", "lab"} <= self.needs

    def beside(self, others: Iterable["Suite"]) -> bool:
        """True if it may run while these do."""
        return not any(
            self.alone
            or other.alone
            or (self.compiles and (other.compiles or other.starts_controllers))
            or (self.starts_controllers and other.compiles)
            for other in others
        )


def run(suites: Sequence[Suite], jobs: int, one: Callable[[Suite, Sequence[int]], T]) -> Mapping[str, T]:
    """Runs ``one`` for each suite, up to ``jobs`` at a time, each with numbers of instances that no other has.

    The first in the list that may run beside those that do is the next.
    """
    waiting = list(suites)
    free: list[Sequence[int]] = [TEST_INSTANCES[job::jobs] for job in range(jobs)]
    running: dict[Future[T], tuple[Suite, Sequence[int]]] = {}
    results: dict[str, T] = {}
    with ThreadPoolExecutor(jobs) as beside:
        try:
            while waiting or running:
                while free and (suite := _next(waiting, [other for other, _ in running.values()])):
                    waiting.remove(suite)
                    instances = free.pop()
                    running[beside.submit(one, suite, instances)] = suite, instances
                for done in wait(running, return_when=FIRST_COMPLETED).done:
                    suite, instances = running.pop(done)
                    free.append(instances)
                    results[suite.name] = done.result()
        except BaseException:
            beside.shutdown(wait=False, cancel_futures=True)
            end_all()
            raise
    return results


def _next(waiting: Sequence[Suite], running: Sequence[Suite]) -> Suite | None:
    return next((suite for suite in waiting if suite.beside(running)), None)
