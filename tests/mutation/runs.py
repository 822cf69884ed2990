"""pytest in a child of this process: forked once the slow libraries are there, ended at a time limit with all it began.

The parent must not import ``ppnsim``: each child takes it from the copy of the tree that it is given. The limit is
of processor time, so that a busy machine makes no verdict; what only waits is ended after a multiple of it. Examples of
hypothesis are drawn the same every time, and a failing one is not made smaller.
"""

from __future__ import annotations

import importlib
import math
import multiprocessing
import os
import resource
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

_SLOW = (
    "llvmlite",
    "pandas",
    "matplotlib.pyplot",
    "islpy",
    "simpy",
    "networkx",
    "pydantic",
    "typer",
    "rich",
    "hypothesis",
)
_LATE = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is imported before pytest starts
_MOST_BYTES = 8 << 30  # of address space: a mutant that allocates without end
WAITING = 8  # times the limit of processor time
OPTIONS = ("-q", "-p", "no:cacheprovider", "--hypothesis-profile=mutation", "-W", _LATE)


@dataclass(slots=True, eq=False)
class Watcher:
    """What a run of pytest tells: its exit code (None: it had to be ended), the tests, and the first that fails.

    Of the tests that pytest finds in the files that it is given, those of ``wanted`` are run, in that order; a name
    that is gone (a mutant may change what a test is parametrised with) is left out.
    """

    wanted: Sequence[str] = ()
    code: int | None = None
    collected: list[str] = field(default_factory=list)
    failed: str | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Choose the tests and note them."""
        if self.wanted:
            found = {item.nodeid: item for item in items}
            items[:] = [found[name] for name in self.wanted if name in found]
        self.collected = [item.nodeid for item in items]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        if report.failed and self.failed is None:
            self.failed = report.nodeid


def warm_up() -> None:
    """Import what every child needs."""
    for name in _SLOW:
        importlib.import_module(name)
    sys.dont_write_bytecode = False  # of the copy, which every child would compile anew
    hypothesis = importlib.import_module("hypothesis")
    once = [hypothesis.Phase.explicit, hypothesis.Phase.generate]
    hypothesis.settings.register_profile("mutation", deadline=None, derandomize=True, database=None, phases=once)


def tests_in(tree: Path, tests: Sequence[str], environment: Mapping[str, str], seconds: float) -> Watcher:
    """Return what some tests tell, by their names, up to the first that fails."""
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    return pytest_in(tree, ["-x", *files], environment, seconds, tests)


def pytest_in(
    tree: Path, arguments: Sequence[str], environment: Mapping[str, str], seconds: float, tests: Sequence[str] = ()
) -> Watcher:
    """Return what a run of pytest told before so many seconds of processor time were over.

    Raises
    ------
    RuntimeError
        If the parent has imported ``ppnsim``: its children would test that one.
    """
    if "ppnsim" in sys.modules:
        raise RuntimeError("ppnsim is imported already: every child would test this one and not its copy")
    told = told_by(_child, (tree, list(arguments), dict(environment), tests, seconds), seconds)
    return Watcher() if told is None else Watcher((), *told)


def told_by(target: Callable[..., None], arguments: tuple[Any, ...], seconds: float) -> Any:
    """Return what a forked process sends through the pipe that it is given first, None if it never does.

    It is waited for as long as ``seconds`` of processor time may take, and ended then with all that it began.
    """
    fork = multiprocessing.get_context("fork")
    ours, theirs = fork.Pipe(duplex=False)
    child = fork.Process(target=target, args=(theirs, *arguments))
    child.start()
    theirs.close()
    told = None
    try:
        if ours.poll(WAITING * seconds):
            with suppress(EOFError):  # it died without a word: killed by a signal, or out of memory
                told = ours.recv()
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child.pid or 0, signal.SIGKILL)
        child.join()
        ours.close()
    return told


def _child(
    pipe: Connection,
    tree: Path,
    arguments: list[str],
    environment: dict[str, str],
    tests: Sequence[str],
    seconds: float,
) -> None:
    enter(tree, environment)
    most = math.ceil(seconds + sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    watcher: Any = Watcher(tests)
    code = int(pytest.main([*OPTIONS, *arguments], plugins=[watcher]))
    pipe.send((code, watcher.collected, watcher.failed))
    pipe.close()
    os._exit(0)


def enter(tree: Path, environment: Mapping[str, str]) -> None:
    """Make this process, a new one, one of a tree: its folder, its modules, its output."""
    os.setsid()
    os.chdir(tree)
    os.environ.update(environment)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    sys.path[:] = [str(tree), *(each for each in sys.path if each not in ("", str(Path(__file__).parents[2])))]
    for name in [name for name in sys.modules if name.split(".")[0] in ("tests", "validation")]:
        del sys.modules[name]
    with (tree.parent / "output").open("w", encoding="utf-8") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
