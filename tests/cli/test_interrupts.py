"""Ctrl-C while modules are loaded ends a command in silence, also where Python loses the interrupt."""

from __future__ import annotations

import importlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ppnsim.cli import interrupts, later, main
from ppnsim.cli.later import Interrupts
from ppnsim.explore.fifo.watch import INTERRUPTED
from tests.helpers.commands import ppnsim

BROKEN = """
from signal import SIGINT, raise_signal
raise_signal(SIGINT)
NAME = 1
"""


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """A background job of a shell ignores Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_of_a_module_that_is_run_by_a_second_import(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Python 3.11 drops what a lazy module raises when it is imported again, and then misses its names."""
    monkeypatch.setattr(Interrupts, "noted", False)
    monkeypatch.setattr(sys.modules["ppnsim"], "__path__", [*sys.modules["ppnsim"].__path__, str(tmp_path)])
    monkeypatch.setattr(sys, "meta_path", [later._Later, *sys.meta_path])
    (tmp_path / "interrupted_module.py").write_text(BROKEN)

    def answer() -> None:
        importlib.import_module("ppnsim.interrupted_module")
        exec("from ppnsim.interrupted_module import NAME")

    monkeypatch.setattr("ppnsim.cli.app.app", answer)
    with pytest.raises(SystemExit) as end:
        main.main()
    assert end.value.code == 130
    sys.modules.pop("ppnsim.interrupted_module", None)


@pytest.mark.parametrize("where", ["ppnsim.library.size.print_sizing", "ppnsim.library.size.print_other_styles"])
def test_ctrl_c_after_an_answer_writes_all_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str) -> None:
    """Printing is not cut off; runs in other styles that have not begun are left out, and said so."""
    written = importlib.import_module("ppnsim.library.size")
    original = getattr(written, where.rpartition(".")[2])

    def interrupted(*given: Any, **named: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        original(*given, **named)

    monkeypatch.setattr(where, interrupted)
    places = {name: tmp_path / name for name in ("sized.toml", "sized.json", "front.csv")}
    options = zip(("-o", "--json", "--csv"), map(str, places.values()), strict=True)
    outcome = ppnsim("size", "scenarios/networks/fork_join.toml", *(word for pair in options for word in pair))
    assert outcome.exit_code == 130
    result = json.loads(places["sized.json"].read_text(encoding="utf-8"))
    refused = {run["refused"] for runs in result["other_styles"].values() for run in runs}
    assert refused == ({INTERRUPTED} if where.endswith("print_sizing") else {""})
    assert places["front.csv"].read_text(encoding="utf-8").count("\n") == len(result["front"]) + 1
    for words in ("to apply those without loss", "with these depths is in", *refused):
        assert words in " ".join(outcome.stdout.split())
    assert places["sized.toml"].exists()


def test_ctrl_c_while_an_answer_is_printed_writes_all_of_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    written = importlib.import_module("ppnsim.library.sweep")
    original = written.print_sweep

    def interrupted(*given: Any, **named: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        original(*given, **named)

    monkeypatch.setattr(written, "print_sweep", interrupted)
    place = tmp_path / "rows.json"
    network = "scenarios/networks/fork_join.toml"
    outcome = ppnsim("sweep", network, "--vary", "short_in.depth=1:3", "--json", str(place))
    assert outcome.exit_code == 130
    assert len(json.loads(place.read_text(encoding="utf-8"))["rows"]) == 3
    assert "3 of 3 points" in outcome.stdout


@pytest.mark.parametrize("where", ["ppnsim.cli.answers.write_table", "ppnsim.cli.common.write_json"])
def test_ctrl_c_while_a_file_is_written_writes_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, where: str) -> None:
    module, _, name = where.rpartition(".")
    original = getattr(importlib.import_module(module), name)

    def interrupted(*given: Any, **named: Any) -> None:
        signal.raise_signal(signal.SIGINT)
        original(*given, **named)

    monkeypatch.setattr(where, interrupted)
    places = [tmp_path / "rows.csv", tmp_path / "all.json"]
    network = "scenarios/networks/fork_join.toml"
    assert ppnsim("lost", network, "--csv", str(places[0]), "--json", str(places[1])).exit_code == 130
    assert all(place.exists() for place in places)


def test_ctrl_c_ends_a_command_that_only_begins() -> None:
    """Before anything is imported that takes a while, and without a traceback."""
    code = (
        "import sys; from ppnsim.cli.main import main; heavy = {'typing', 'inspect', 'typer', 'importlib.util'};"
        "assert not heavy & {*sys.modules}, heavy & {*sys.modules};"
        "from signal import raise_signal;"
        "find = lambda name, *_: raise_signal(2) if name == 'ppnsim.cli.command' else None;"
        "sys.meta_path.insert(0, type('Finder', (), {'find_spec': staticmethod(find)})); main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")


def test_a_second_ctrl_c_is_not_held() -> None:
    with pytest.raises(KeyboardInterrupt), interrupts.HeldInterrupts() as ctrl_c:
        signal.raise_signal(signal.SIGINT)
        assert ctrl_c.noted
        signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_inside_of_an_exec_ends_with_the_code_of_ctrl_c(tmp_path: Path) -> None:
    """Python keeps one that passes through an ``exec``, as of a dataclass, and a ``python -m`` ended by it (-2)."""
    code = (
        "import ppnsim.cli.app as commands\nfrom ppnsim.cli.command import run_command\n"
        "commands.app = lambda: exec('import signal; signal.raise_signal(2)')\nrun_command()\n"
    )
    (tmp_path / "interrupted_command.py").write_text(code)
    ended = subprocess.run(
        [sys.executable, "-m", "interrupted_command"], capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (130, "")
