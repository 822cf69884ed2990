"""Cycles of reports of synthesis, which --worst counts (R5.12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule

LOOP = "for (int i = 0; i < 20; i++) {{\n#pragma HLS pipeline {words}\nb[i] = a[i] * 3; }}"


def more(tmp_path: Path, body: str, release: str = "2022.2") -> int:
    """Return how many cycles a report has more than the hardware takes."""
    (tmp_path / "k.cpp").write_text(f"void top(int a[20], int b[20], int c) {{ {body} }}")
    usual, worst = (
        schedule(tmp_path / "k.cpp", function="top", release=release or None, worst=worst).kernels[0].machine.cycles
        for worst in (False, True)
    )
    return worst - usual


@pytest.mark.parametrize(("words", "cycles"), [("", 2), ("rewind", 1)])
@pytest.mark.parametrize("release", ["2019.1", "2022.2"])
def test_a_kernel_that_is_one_loop_has_two_cycles_more_and_one_with_rewind(
    tmp_path: Path, words: str, cycles: int, release: str
) -> None:
    assert more(tmp_path, LOOP.format(words=words), release) == cycles


@pytest.mark.parametrize(("release", "cycles"), [("2019.1", 0), ("2022.2", 2 * 6)])
def test_each_run_of_a_loop_in_other_code_has_two_cycles_more_where_it_is_a_module(
    tmp_path: Path, release: str, cycles: int
) -> None:
    again = "for (int r = 0; r < 6; r++) {\n#pragma HLS loop_flatten off\n" + LOOP.format(words="") + "}"
    assert more(tmp_path, again, release) == cycles


@pytest.mark.parametrize(("behind", "cycles"), [("", 1), ("b[2] = 5;", 0)])
def test_a_state_is_behind_the_last_loop_where_loops_are_in_the_state_machine(
    tmp_path: Path, behind: str, cycles: int
) -> None:
    assert more(tmp_path, f"b[0] = a[1]; {LOOP.format(words='')} {behind}", "2020.1") == cycles


def test_loops_that_run_at_the_same_time_are_waited_for_once(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 20; i++) {0}[i] = c;"
    assert more(tmp_path, loop.format("a") + loop.format("b")) == 2


def test_a_pipelined_function_is_no_run_of_a_loop(tmp_path: Path) -> None:
    assert more(tmp_path, "\n#pragma HLS pipeline\nb[0] = a[0] * c;") == 0


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (LOOP.format(words="rewind"), "1 more cycle for each run of a pipelined loop: 1 in all"),
        (f"for (int r = 0; r < 6; r++) {{\n#pragma HLS loop_flatten off\n{LOOP.format(words='')}}}",
         "2 more cycles for each run of a pipelined loop: 12 in all"),
    ],
)  # fmt: skip
def test_the_answer_says_how_many_cycles_a_run_has_more(tmp_path: Path, body: str, words: str) -> None:
    """It said '12 cycles around runs of pipelined loops', which is read as cycles between the loops."""
    (tmp_path / "k.cpp").write_text(f"void top(int a[20], int b[20]) {{ {body} }}")
    said = schedule(tmp_path / "k.cpp", function="top", release="2022.2", worst=True).kernels[0].machine.said
    assert any(f"reports of synthesis count {words}, which are in it" in each for each in said)


@pytest.mark.parametrize("worst", [False, True])
def test_a_loop_that_numbers_leave_hands_as_many_tokens_on_as_it_has_iterations(tmp_path: Path, worst: bool) -> None:
    text = (
        "#include <hls_stream.h>\n"
        "void w(int x[64], hls::stream<int> &s) { for (int i = 0; i < 64; i++) {\n"
        "s.write(x[i]); if (i == 20) break; } }\n"
        "void r(hls::stream<int> &s, int y[64]) { for (int i = 0; i < 21; i++) y[i] = s.read(); }\n"
        "void top(int x[64], int y[64]) {\n#pragma HLS dataflow\nhls::stream<int> s; w(x, s); r(s, y); }\n"
    )
    (tmp_path / "k.cpp").write_text(text)
    found = schedule(tmp_path / "k.cpp", function="top", worst=worst).to_dict()
    assert [loop["iterations"] for loop in found["loops"]] == [21, 21]
    assert found["cycles"] == 22 + 2 * worst  # it deadlocked when the writer ran to its end


AGAIN = "for (int i = 1; i < 20; i++) b[x[i] & 15] = b[y[i] & 15] + 1;"


@pytest.mark.parametrize(
    ("first", "handed", "words"),
    [
        ("for (int i = 0; i < 20; i++) b[i] = x[i];", True, ""),
        (f"b[0] = x[0]; {AGAIN}", False, "'f' loads it again"),
        ("\n#pragma HLS stream variable=b depth=2\nfor (int i = 0; i < 20; i++) b[19 - i] = x[i];", False, "a FIFO"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("release", ["2019.1", "2024.1"])
def test_tasks_of_a_report_wait_for_arrays_that_their_writer_does_not_load(
    tmp_path: Path, first: str, handed: bool, words: str, release: str
) -> None:
    """R9.40: its reader starts a cycle after it, or with it; the hardware always hands the array over."""
    pragma, _, body = first.rpartition("\n")
    (tmp_path / "k.cpp").write_text(
        f"void f(int x[20], int y[20], int b[20]) {{ {body} }}\n"
        "void g(int b[20], int z[20]) { for (int i = 0; i < 20; i++) z[i] = b[i] * 3; }\n"
        "void top(int x[20], int y[20], int z[20]) {\n#pragma HLS dataflow\n"
        f"int b[20];{pragma}\nf(x, y, b); g(b, z); }}"
    )
    hardware, report = (
        schedule(tmp_path / "k.cpp", function="top", release=release or None, worst=worst).kernels[0].machine
        for worst in (False, True)
    )
    one, other = (task.cycles for task in report.tasks)
    assert report.cycles == (one + 1 + other if handed else max(one, other))
    assert hardware.cycles > max(task.cycles for task in hardware.tasks)
    assert report.region is not None
    assert [words in each for each in report.region.said if "no wait of 'g' for 'b'" in each] == [True] * (not handed)
