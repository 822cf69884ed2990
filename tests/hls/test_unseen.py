"""What public projects that nobody had tried before have in them, each in a few lines of our own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ppnsim import fix_deadlock, fork_join, run, schedule
from ppnsim.errors import InputError


def found(folder: Path, text: str, name: str = "k.cpp", **options: Any) -> dict[str, Any]:
    (folder / name).write_text(text, "utf-8")
    return schedule(folder / name, **options).to_dict()


def written(folder: Path, *, by: str = "Vitis", more: str = "", source: str = "proj/k.cpp") -> Path:
    """Write the script that a tool leaves in a solution; return its path."""
    folder.mkdir(parents=True)
    head = f"## This file is generated automatically by {by} HLS.\nopen_project proj\nset_top f\nadd_files {source}\n"
    tail = "open_solution solution1\nset_part xc7z020clg400-1\ncreate_clock -period 10\n"
    (folder / "script.tcl").write_text(head + tail + more, "utf-8")
    return folder / "script.tcl"


LOOP = "void f(int a[32], int b[32]) { for (int i = 0; i < 32; i++) a[i] = b[i] * 3; }\n"


def test_a_solution_is_read_from_inside_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written(tmp_path / "p" / "solution1")
    (tmp_path / "p" / "k.cpp").write_text(LOOP, "utf-8")
    monkeypatch.chdir(tmp_path / "p" / "solution1")
    assert [each["ii"] for each in schedule("script.tcl").to_dict()["loops"]] == [1]


def test_a_source_that_was_put_elsewhere_is_found_by_its_name_and_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = written(tmp_path / "p" / "solution1", source="../../home/me/k.cpp")
    (tmp_path / "p" / "src").mkdir()
    (tmp_path / "p" / "src" / "k.cpp").write_text(LOOP, "utf-8")
    (tmp_path / "p" / "solution1" / "syn").mkdir()
    (tmp_path / "p" / "solution1" / "syn" / "k.cpp").write_text("what the tool made of it", "utf-8")
    schedule(script)
    assert re.search(r"it is not there; '.*src/k.cpp' is read", capsys.readouterr().err)
    (tmp_path / "p" / "old").mkdir()
    (tmp_path / "p" / "old" / "k.cpp").write_text(LOOP.replace("32", "16"), "utf-8")
    with pytest.raises(InputError, match=r"the source '../../home/me/k\.cpp' is not there"):
        schedule(script)  # of two nobody says which


def test_a_name_without_a_folder_is_not_the_folder_of_the_project(tmp_path: Path) -> None:
    script = written(tmp_path / "p" / "solution1", source="k.cpp")
    with pytest.raises(InputError, match=r"the source 'k\.cpp' is not there"):
        schedule(script)


def test_directives_that_were_not_kept_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script = written(tmp_path / "p" / "solution1", more="source ./proj/solution1/directives.tcl\n")
    (tmp_path / "p" / "k.cpp").write_text(LOOP, "utf-8")
    schedule(script)
    assert "directives.tcl: it is not there" in capsys.readouterr().err


def test_vivado_hls_pipelines_by_directives_only(tmp_path: Path) -> None:
    """Rule R1.6."""
    cycles = {}
    for by in ("Vitis", "Vivado"):
        script = written(tmp_path / by / "solution1", by=by)
        (tmp_path / by / "k.cpp").write_text(LOOP, "utf-8")
        cycles[by] = schedule(script).to_dict()["cycles"]
    assert cycles["Vivado"] > 2 * cycles["Vitis"]
    source = tmp_path / "Vitis" / "k.cpp"
    assert schedule(source, release="2019.2").to_dict()["cycles"] == cycles["Vivado"]
    assert schedule(source, release="2020.1").to_dict()["cycles"] == cycles["Vitis"]
    for by in cycles:  # both tools have a release 2020.1
        script = tmp_path / by / "solution1" / "script.tcl"
        assert schedule(script, release="2020.1").to_dict()["cycles"] == cycles[by]
    asked = LOOP.replace("a[i] =", "\n#pragma HLS pipeline\n a[i] =").replace("* 3", "+ 3")  # products: R2.13
    source.write_text(asked, "utf-8")
    assert schedule(source, release="2019.2").to_dict()["cycles"] == schedule(source).to_dict()["cycles"]


def test_what_is_only_copied_as_a_block_is_memory_and_not_a_variable(tmp_path: Path) -> None:
    text = """#include <string.h>
    void f(float *a, float *b) {
    #pragma HLS interface m_axi port=a bundle=g
      float x[64]; memcpy(x, (const void *)a, 256); for (int i = 0; i < 64; i++) b[i] = x[i] + 1; }"""
    loops = found(tmp_path, text)["loops"]
    assert loops[0]["depth"] > 70  # a bus is read, which takes its time
    single = """#include <string.h>
    struct s { int x; int y; };
    void f(struct s *a, int b[4]) { struct s x; memcpy(&x, a, sizeof(struct s)); b[0] = x.x + x.y; }"""
    assert found(tmp_path, single)["cycles"] < 10


def test_a_member_that_is_a_number_of_any_width_chooses_an_element(tmp_path: Path) -> None:
    text = """#include <ap_int.h>
    struct ring { float buffer[32]; ap_uint<5> at = 0;
      void write(float d) { buffer[at] = d; at++; } };
    void f(float a[32], float o[32]) { ring r;
      for (int i = 0; i < 32; i++) r.write(a[i]);
      for (int i = 0; i < 32; i++) o[i] = r.buffer[i]; }"""
    assert len(found(tmp_path, text)["loops"]) == 2


def test_volatile_numbers_and_enumerators_beside_numbers_of_any_width(tmp_path: Path) -> None:
    text = """#include <ap_int.h>
    #include <ap_fixed.h>
    enum { BIT = 2, OTHER = 4 };
    volatile ap_fixed<8,3> table[16];
    void f(volatile ap_uint<64> *m, ap_uint<64> a[16], ap_fixed<8,3> r[16]) {
      ap_uint<12> bits = 0;
      for (int i = 0; i < 16; i++) {
        if (a[i] > 3) bits |= BIT;
        bits &= OTHER;
        m[i] = ap_uint<32>(a[i]); m[i + 16] = a[i]; m[i + 32] = 7;
        a[i] = bits; r[i] = table[i]; } }"""
    assert [each["iterations"] for each in found(tmp_path, text)["loops"]] == [16]


def test_printing_needs_no_header_and_texts_are_handed_on(tmp_path: Path) -> None:
    text = """#include <ap_fixed.h>
    #include <fstream>
    static void say(int i, const char *what) {
    #ifndef __SYNTHESIS__
      printf("%d %s", i, what);
    #endif
    }
    void f(ap_fixed<9,3> a[16]) { std::ofstream out;
      for (int i = 0; i < 16; i++) { say(i, "BEGIN"); printf("%d", i); out << a[i]; a[i] = i; } }"""
    assert [each["ii"] for each in found(tmp_path, text)["loops"]] == [1]


def test_the_integers_of_any_width_of_c(tmp_path: Path) -> None:
    text = '#include "ap_cint.h"\nvoid f(uint5 a[16], int17 b[16], bool c[16]) {'
    text += "for (int i = 0; i < 16; i++) b[i] = a[i] * 3 + c[i]; }"
    assert [each["ii"] for each in found(tmp_path, text, "k.c")["loops"]] == [1]


def test_a_header_of_somebodys_copy_of_the_tool_is_ours(tmp_path: Path) -> None:
    text = '#include "/opt/Xilinx/Vivado/2019.1/include/ap_int.h"\nvoid f(ap_uint<7> a[9]) { a[3] = a[2] + 1; }'
    assert found(tmp_path, text)["cycles"] < 9


def test_members_of_a_template_argument_are_numbers_of_directives(tmp_path: Path) -> None:
    text = """struct base { static const unsigned factor = 2; enum { rows = 8 }; };
    struct config : base { static const unsigned ii = 4; static constexpr float scale = 1.5; };
    template <class T, typename C> void g(T a[16]) {
    #pragma HLS array_partition variable=a cyclic factor=C::factor
      for (int i = 0; i < C::rows * 2; i++) {
      #pragma HLS pipeline II=C::ii/C::factor
        a[i] = a[i] + 1; } }
    void f(int a[16]) { g<int, config>(a); }"""
    assert [each["ii"] for each in found(tmp_path, text)["loops"]] == [2]
    with pytest.raises(InputError, match="'C::scale' has no constant value here; write the number"):
        found(tmp_path, text.replace("II=C::ii", "II=C::scale"))


def test_an_array_without_end_for_a_function_without_a_body_is_refused_at_once(tmp_path: Path) -> None:
    text = "void g(const double a[], double c[]);\nvoid f(double const a[], double c[]) { g(a, c); }"
    with pytest.raises(InputError, match="to 'g', a function without a body"):
        found(tmp_path, text)


def test_depths_that_break_a_deadlock_are_lowered_only_while_that_is_cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    stuck = run(fork_join(firings=20, short_depth=3, style="frozen"), on_deadlock="return")
    usual = fix_deadlock(stuck, budget=0)
    monkeypatch.setattr("ppnsim.explore.explain.deadlock_fix._LONGEST", 0)
    quick = fix_deadlock(stuck, budget=0)
    assert not quick.smallest
    assert quick.runs < usual.runs
    assert all(quick.depths[name] >= depth for name, depth in usual.depths.items())
