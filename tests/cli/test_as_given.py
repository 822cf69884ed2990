"""Options are converted as typer does, and those that need no conversion without its converters."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app
from ppnsim.cli.options import as_given
from tests.helpers.commands import ppnsim


def test_a_command_without_numbers_among_its_options_imports_no_pydantic() -> None:
    code = (
        "import sys; sys.argv = ['ppnsim', 'profile', 'scenarios/kernels/gemm.c']\n"
        "from ppnsim.cli.command import run_command\n"
        "try: run_command()\n"
        "finally: print('pydantic' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert told.splitlines()[-1] == "False"
    assert "gemm" in told


@pytest.mark.parametrize(
    "options",
    [
        [], ["--seconds", "5"], ["--seconds", "many"], ["--cost", "bits"], ["--cost", "fpgas"], ["--budget", "3.5"],
        ["--limit", "short_in=2", "--limit", "long_in=3"], ["--no-front"], ["--plot", "a.jpeg"],
    ],
)  # fmt: skip
def test_values_and_mistakes_are_those_of_typer(monkeypatch: pytest.MonkeyPatch, options: list[str]) -> None:
    def told() -> tuple[str, str, int]:
        monkeypatch.setattr("ppnsim.cli.app.command_called", original.__wrapped__)  # with new converters
        outcome = CliRunner().invoke(app, ["size", "scenarios/networks/nowhere.toml", *options])
        return outcome.output, repr(outcome.exception), outcome.exit_code

    original = sys.modules["ppnsim.cli.app"].command_called
    ours = told()
    monkeypatch.setattr(as_given, "_is_a", lambda *_: False)
    assert told() == ours


def test_several_files_arrive_as_a_list() -> None:
    outcome = ppnsim("run", "scenarios/networks/predictor.toml", "scenarios/networks/fork_join.toml")
    assert outcome.exit_code == 0
    assert outcome.stdout.count("finish") >= 2
