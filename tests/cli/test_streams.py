"""Standard streams that are closed, full or abandoned: one message, exit 2, and no file that is asked for is lost."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path

import pytest

from ppnsim.cli.main import main

SCENARIOS = Path(__file__).parents[2] / "scenarios"

FORK_JOIN = SCENARIOS / "networks" / "fork_join.toml"
_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")


def shell(command: str) -> subprocess.CompletedProcess[str]:
    said = command.replace("ppnsim", f"{sys.executable} -m ppnsim")
    return subprocess.run(["bash", "-c", said], capture_output=True, text=True, check=False)


@_FULL
@pytest.mark.parametrize("command", [f"run {FORK_JOIN}", f"size {FORK_JOIN}", "--help", f"run {FORK_JOIN} --json -"])
def test_a_full_standard_output_is_one_message_and_exit_2(command: str) -> None:
    done = shell(f"ppnsim {command} > /dev/full")
    said = [line for line in done.stderr.splitlines() if not line.startswith(" ")]  # progress, on a busy machine
    assert (done.returncode, said) == (2, ["error: standard output cannot be written (No space left on device)"])


@pytest.mark.parametrize("where", [pytest.param("> /dev/full", marks=_FULL), "| true", ">&-"])
def test_files_are_written_though_nobody_reads_the_table(where: str, tmp_path: Path) -> None:
    shell(f"ppnsim size {FORK_JOIN} --json {tmp_path / 'a.json'} -o {tmp_path / 'sized.toml'} {where}")
    assert json.loads((tmp_path / "a.json").read_text())["name"] == "fork and join"
    assert "depth" in (tmp_path / "sized.toml").read_text()


@_FULL
def test_a_full_standard_error_keeps_the_exit_code() -> None:
    assert shell("ppnsim run missing.toml 2> /dev/full").returncode == 2
    assert shell("ppnsim run missing.toml > /dev/full 2>&1").returncode == 2


def test_a_standard_output_that_is_no_file_stays_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where a program, or a test, keeps what is printed."""
    kept = io.StringIO()
    monkeypatch.setattr(sys, "stdout", kept)
    monkeypatch.setattr(sys, "argv", ["ppnsim", "run", str(FORK_JOIN)])
    with pytest.raises(SystemExit) as end:
        main()
    assert (end.value.code, sys.stdout) == (0, kept)
    assert kept.getvalue().startswith("fork and join   finish 55 cycles")
