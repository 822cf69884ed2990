"""Ctrl-C while modules are loaded ends a command in silence, also where Python loses the interrupt."""

from __future__ import annotations

import importlib
import signal
import sys
from pathlib import Path

import pytest

from ppnsim.cli import later, main
from ppnsim.cli.later import Interrupts

BROKEN = """
from signal import SIGINT, raise_signal
raise_signal(SIGINT)
NAME = 1
"""


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
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    try:
        with pytest.raises(SystemExit) as end:
            main.main()
    finally:
        signal.signal(signal.SIGINT, before)
    assert end.value.code == 130
    sys.modules.pop("ppnsim.interrupted_module", None)
