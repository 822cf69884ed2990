"""Loops that never run are removed, as the compiler before the tool does (R5.10)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

COPY = "for (int i = 0; i < 200; i++) b[i] = a[i] + 1;"


def answer(folder: Path, more: str) -> dict[str, object]:
    (folder / "k.cpp").write_text(f"void f(int a[200], int b[200], int n) {{ {COPY} {more} }}", "utf-8")
    found: dict[str, object] = schedule(folder / "k.cpp", device="xc7z020", settings={"n": 0}).to_dict()
    return found


@pytest.mark.parametrize(
    "more",
    [
        "for (int i = 5; i < 5; i++) b[i] = a[i] + 2;",
        "for (int i = 0; i < n; i++) b[i] = a[i] * 3;",
        "for (int j = 0; j < 9; j++) for (int i = j; i < j; i++) b[i] = a[i] + 2;",
    ],
)
def test_a_loop_that_never_runs_takes_no_cycles_and_is_told(tmp_path: Path, more: str) -> None:
    alone, both = (answer(tmp_path, each) for each in ("", more))
    assert both["cycles"] == alone["cycles"]
    assert any("never runs" in str(each) for each in both["assumptions"])  # type: ignore[attr-defined]


def test_a_loop_that_may_run_or_whose_iterator_is_read_stays(tmp_path: Path) -> None:
    alone = answer(tmp_path, "")
    guess = "for (int i = 0; i < a[3]; i++) {\n#pragma HLS loop_tripcount max=0\nb[i] = 2; }"
    for more in (guess, "for (int j = 0; j < 9; j++) for (int i = 0; i < j; i++) b[i] = a[j] + 2;"):
        assert answer(tmp_path, more)["cycles"] != alone["cycles"]


def test_a_kernel_of_nothing_else_is_counted_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text("void f(int b[9]) { for (int i = 5; i < 5; i++) b[i] = 1; }", "utf-8")
    (loop,) = schedule(tmp_path / "k.cpp", device="xc7z020").to_dict()["loops"]
    assert loop["trip"] == 0
