"""pytest kept warm: one process has collected all tests, and a fork of it runs those of a mutant, at no start at all.

In the fork the functions of the mutated file are exchanged (`tests.mutation.live`). What was worked out while modules
were imported and tests collected is that of the right file, so that a mutant may be missed here but never noticed
wrongly: whoever is not noticed has to be judged by a process that starts anew (`tests.mutation.runs`).
"""

from __future__ import annotations

import gc
import math
import multiprocessing
import os
import resource
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
from _pytest.main import pytest_runtestloop

from tests.mutation.live import exchange, functions_by_file
from tests.mutation.mutants import Mutant
from tests.mutation.runs import OPTIONS, Watcher, enter, told_by

_Text = tuple[str, str, str]  # path, right, wrong
Told = tuple[int | None, list[str], str | None] | None  # exit code, tests, the first that fails


class Warm:
    """A process that has collected the tests of a tree; ``collected`` are their names.

    Raises
    ------
    RuntimeError
        If pytest collects nothing.
    """

    def __init__(self, tree: Path, environment: Mapping[str, str]) -> None:
        fork = multiprocessing.get_context("fork")
        self._ours, theirs = fork.Pipe()
        self._process: BaseProcess = fork.Process(target=_collect, args=(self._ours, theirs, tree, dict(environment)))
        self._process.start()
        theirs.close()
        try:
            self.collected: list[str] = self._ours.recv()
        except EOFError:
            raise RuntimeError((tree.parent / "output").read_text(encoding="utf-8")) from None

    def run(self, tests: Sequence[str], mutant: Mutant | None, seconds: float) -> Watcher | None:
        """Return what tests tell, up to the first that fails; None if the mutant cannot be put into what is imported.

        ``seconds`` are of processor time.
        """
        change = None if mutant is None else (mutant.file, mutant.begin, mutant.end, mutant.put)
        self._ours.send((list(tests), change, seconds))  # no class of ours: the other side has its own
        told = self._ours.recv()
        return None if told is None else Watcher((), *told)

    def close(self) -> None:
        """End the process."""
        self._ours.close()
        self._process.join()


def _collect(other_end: Connection, pipe: Connection, tree: Path, environment: dict[str, str]) -> None:
    other_end.close()  # or it would never see the end of the other process
    enter(tree, environment)
    server: Any = _Server(pipe, tree)
    pytest.main([*OPTIONS, "-x"], plugins=[server])
    os._exit(0)


class _Server:
    """A plugin in the place of pytest's loop: it waits for requests and forks for each."""

    def __init__(self, pipe: Connection, tree: Path) -> None:
        self.pipe, self.tree = pipe, tree

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Serve until the other end is closed."""
        items = {item.nodeid: item for item in session.items}
        texts = {path: path.read_text(encoding="utf-8") for path in (self.tree / "ppnsim").rglob("*.py")}
        self.functions = functions_by_file()
        gc.freeze()  # what a fork only looks at is not copied
        self.pipe.send(list(items))
        while True:
            try:
                tests, change, seconds = self.pipe.recv()
            except EOFError:
                os._exit(0)
            text = None
            if change is not None:
                file, begin, end, put = change
                right = texts[self.tree / file]
                text = str(self.tree / file), right, right[:begin] + put + right[end:]
            self.pipe.send(self._forked(session, [items[name] for name in tests], text, seconds))

    def _forked(self, session: pytest.Session, items: list[pytest.Item], text: _Text | None, seconds: float) -> Told:
        functions = [] if text is None else self.functions[text[0]]
        told = told_by(_run, (session, items, text, functions, seconds), seconds)
        return (None, [], None) if told is None else told[0]


def _run(
    pipe: Connection,
    session: pytest.Session,
    items: list[pytest.Item],
    text: _Text | None,
    functions: list[FunctionType],
    seconds: float,
) -> None:
    os.setsid()
    most = math.ceil(seconds + sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
    resource.setrlimit(resource.RLIMIT_CPU, (most, most))
    if text is not None and not exchange(functions, *text):
        pipe.send((None,))
        os._exit(0)
    watcher = Watcher()
    session.config.pluginmanager.register(watcher)
    session.items, session.testscollected = items, len(items)
    with suppress(session.Failed, session.Interrupted):
        pytest_runtestloop(session)
    told: Told = (int(watcher.failed is not None), [item.nodeid for item in items], watcher.failed)
    pipe.send((told,))
    pipe.close()
    sys.stdout.flush()
    os._exit(0)
