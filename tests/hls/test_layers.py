"""Layers of generated neural networks: a task that writes a token where counters, or data, say so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest

from ppnsim import schedule
from ppnsim.hls.region import estimate
from ppnsim.library.schedule import KernelSchedules

HEAD = """#include "hls_stream.h"
#include "ap_int.h"
typedef hls::stream<int> fifo;
void lookup(int x, int &y) {
  int row[6], s = 0;
  for (int r = 0; r < 6; r++) { row[r] = s; if ((r + 1) % 3 == 0) s++; }
  int sum[2] = {0, 0};
#pragma HLS array_partition variable=sum complete
  for (int r = 0; r < 6; r++) {
#pragma HLS pipeline II=1
    sum[row[r]] += x * r;
  }
  y = sum[0] + sum[1];
}
void windows(fifo &in, fifo &out) {
  for (int i = 0; i < 64; i++) {
    static int column = 0;
    int x = in.read();
    if (column == 3) { int y; lookup(x, y); out.write(y); }
    column = column == 3 ? 0 : column + 1;
  }
}
"""
LAYERS = """void layers(fifo &in, fifo &out) {
#pragma HLS dataflow
  fifo middle;
#pragma HLS stream variable=middle depth=DEPTH
  windows(in, middle);
  for (int i = 0; i < READ; i++) {
#pragma HLS pipeline
    out.write(middle.read() + 1);
  }
}
"""


FILL = "int row[6], s = 0;\n  for (int r = 0; r < 6; r++) { row[r] = s; if ((r + 1) % 3 == 0) s++; }"


def layers(
    tmp_path: Path, depth: int = 4, read: int = 16, release: str = "2019.2", rows: str = FILL
) -> KernelSchedules:  # fmt: skip
    text = HEAD.replace(FILL, rows) + LAYERS.replace("DEPTH", str(depth)).replace("READ", str(read))
    (tmp_path / "k.cpp").write_text(text)
    return schedule(tmp_path / "k.cpp", function="layers", release=release, worst=True)


@pytest.mark.parametrize(
    ("depth", "read", "run"),
    [
        (4, 16, False),  # as the counter has it: 16 tokens, and not 64
        (48, 16, True),  # what is left over has room
        (47, 16, False),
        (4, 64, True),  # as many as the assumption says
        (4, 65, False),
    ],
)
def test_tokens_that_data_decide_about_make_no_deadlock(tmp_path: Path, depth: int, read: int, run: bool) -> None:
    machine = layers(tmp_path, depth, read).kernels[0].machine  # R7.4
    assert (machine.outcome is not None) == run
    assert run or any(f"reads {read} tokens and" in each and "is always executed" in each for each in machine.said)


def test_a_task_that_is_not_run_against_others_looks_up_tables_that_nothing_fills(tmp_path: Path) -> None:
    table = "static const int row[6] = {0, 0, 0, 1, 1, 1};"
    for release, filled in (("2019.2", False), ("2022.1", True)):  # R9.44
        found, known = (layers(tmp_path, release=release, rows=rows).to_dict()["cycles"] for rows in (FILL, table))
        assert (found > known) == filled


def test_an_interval_is_no_longer_than_an_iteration_with_tokens(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(
        '#include "hls_stream.h"\nvoid f(hls::stream<int> &a, hls::stream<int> &b) {\n'
        "  for (int i = 0; i < 64; i++) {\n#pragma HLS pipeline II=50\n    b.write(a.read() * 3);\n  }\n}\n"
    )
    (loop,) = schedule(tmp_path / "k.cpp", function="f").to_dict()["loops"]
    assert (loop["ii"], loop["ii_asked"]) == (loop["depth"] - 1, 50)  # R3.7, and R3.5 for the last test


@pytest.mark.parametrize(("config", "ii"), [("slow", 2), ("fast", 1)])
def test_a_directive_names_a_constant_of_a_type_in_a_template_argument(tmp_path: Path, config: str, ii: int) -> None:
    (tmp_path / "k.cpp").write_text(
        "struct two { static const unsigned factor = 2; };\nstruct one { static const unsigned factor = 1; };\n"
        "struct slow { typedef two inner; };\nstruct fast { typedef one inner; };\nstruct inner { };\n"
        "template <class C> void scale(int a[16], int b[16]) {\n  for (int i = 0; i < 16; i++) {\n"
        "#pragma HLS pipeline II=C::inner::factor\n    b[i] = a[i] * a[i] + 7;\n  }\n}\n"
        f"void f(int a[16], int b[16]) {{ scale<{config}>(a, b); }}\n"
    )
    (loop,) = schedule(tmp_path / "k.cpp", function="f").to_dict()["loops"]
    assert loop["ii"] == ii


def test_a_header_with_words_of_cpp_is_read_as_cpp(tmp_path: Path) -> None:
    (tmp_path / "k.h").write_text(
        "namespace nn {\ninline void f(int a[8]) { for (int i = 0; i < 8; i++) a[i]++; }\n}\n"
    )
    assert schedule(tmp_path / "k.h", function="f").to_dict()["cycles"] == 8


def test_a_region_of_which_nothing_would_be_left_is_estimated_as_it_stands(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(
        "void one(int a[8], int t[8]) { for (int i = 0; i < 8; i++) t[i] = a[i]; }\n"
        "void two(int t[8], int u[8]) { for (int i = 0; i < 8; i++) u[i] = t[i] + 1; }\n"
        "void both(int a[8], int u[8]) {\n#pragma HLS dataflow\n  int t[8];\n  one(a, t);\n  two(t, u);\n}\n"
        "void f(int a[8], int y[8]) {\n  for (int r = 0; r < 3; r++)\n    if (r > 1) both(a, y);\n}\n"
    )
    before = schedule(tmp_path / "k.cpp", function="f").to_dict()["cycles"]
    empty = lambda program, *_: (replace(program, body=()), ("all of it is removed",))  # noqa: E731
    with patch.object(estimate, "simplified", empty):
        machine = schedule(tmp_path / "k.cpp", function="f").kernels[0].machine
    assert machine.cycles == before
    assert "all of it is removed" not in machine.said
