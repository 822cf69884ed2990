"""``#pragma HLS`` as people write it: what changes a schedule does, what cannot is quiet, the rest refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import pytest

import ppnsim
from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.c.pragmas.text import hls_pragmas
from ppnsim.errors import InputError
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.labels import labels
from ppnsim.hls.pragmas.names import ArrayNames
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.loops.program import Array, Frame, Loop, Position
from tests.helpers.hls_sources import loops_of, machine_of, schedule_of, shape_of, written

COPY = "for (int i = 0; i < 96; i++) {{\n{0}\nB[i] = A[i]; }}"
ARRAYS = {"A": "int[96]", "B": "int[96]"}


def directives_of(folder: Path, text: str) -> Directives:
    path = written(folder, text)
    (program,) = load_programs(str(path), function="k", policy=HARDWARE)
    return read_directives({str(path): text}, program)


# -- forms ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "pragma",
    [
        "#pragma HLS pipeline II=3",
        "#pragma HLS PIPELINE ii = 3 rewind",
        "#pragma hls Pipeline II=3 style=flp",
        "  #  pragma HLS pipeline enable_flush II=(1+2) // why",
        "#pragma HLS pipeline \\\n    II=3",
        '_Pragma("HLS pipeline II=3")',
        "DO_PRAGMA(HLS pipeline II=3)",
        "PIPE",
        "EVERY(3)",
        "EVERY(SIX / 2) SOME(1)",
        "#pragma HLS pipeline II=THREE",
        "#pragma HLS pipeline II=SIX/2",
    ],
)
def test_an_interval_in_all_clothes(tmp_path: Path, pragma: str) -> None:
    before = "#define THREE 3\n#define DO_PRAGMA(x)\nstatic const int SIX = 2 * THREE;\n"
    before += "#define EVERY(N) DO_PRAGMA(HLS pipeline II=N)\n#define SOME(N)\n"
    before += '#define PIPE _Pragma("HLS pipeline II=3")\n'
    machine = machine_of(
        tmp_path, f"for (int i = 0; i < 96; i++) {{\n{pragma}\nB[i] = 7 / A[i]; }}", before=before, **ARRAYS
    )
    ((name, ii, reason, _),) = loops_of(machine)
    assert (name, ii, reason) == ("i", 3, "directive")


@pytest.mark.parametrize(
    "pragma",
    [
        "#pragma HLS array_partition variable=A cyclic factor=2",
        "#pragma HLS ARRAY_PARTITION variable = A type = cyclic factor = 2 dim = 1",
        "#pragma HLS array_partition variable=A complete",
        "#pragma HLS array_partition variable=A type=complete dim=0",
        "#pragma HLS array_partition variable=&A dim=1 complete",
    ],
)
def test_partitions_old_and_new(tmp_path: Path, pragma: str) -> None:
    # Three elements: of one memory of two ports they are two cycles. Neighbours are in other memories of these.
    source = f"{pragma}\nfor (int i = 0; i < 94; i++) B[i] = A[i] + A[i + 1] + A[i + 2];"
    machine = machine_of(tmp_path, source, **ARRAYS)
    assert loops_of(machine)[0][1] == 1


def test_a_template_parameter_is_a_number(tmp_path: Path) -> None:
    text = """template <int F> void copy(int A[96], int B[96]) {
    for (int i = 0; i < 96; i++) {
#pragma HLS unroll factor=F
        B[i] = A[i]; } }
    void k(int A[96], int B[96]) { copy<6>(A, B); }"""
    assert loops_of(schedule_of(written(tmp_path, text), "k"))[0][:2] == ("i", 3)


def test_a_pragma_concerns_the_function_and_the_loop_that_it_is_in(tmp_path: Path) -> None:
    text = """void other(int A[96], int B[96]) {
    for (int i = 0; i < 96; i++) {
#pragma HLS pipeline II=7
        B[i] = A[i]; }
}
void k(int A[96], int B[96]) {
    for (int i = 0; i < 96; i++) { B[i] = A[i]; }
    for (int i = 0; i < 96; i++) {
        for (int j = 0; j < 7; j++) { A[i] += B[j] / A[i]; }
#pragma HLS pipeline II=9
    }
}"""
    found = [(name, ii) for name, ii, _, _ in loops_of(schedule_of(written(tmp_path, text), "k"))]
    assert found == [("i", 1), ("i", 9)]  # not that of the other function, and the loop around, not the one before


def test_names_are_those_of_the_function(tmp_path: Path) -> None:
    text = """void add(int x[96], int y[96]) {
#pragma HLS array_partition variable=x cyclic factor=4
    int buf[96];
#pragma HLS array_partition variable=buf cyclic factor=2
    for (int i = 0; i < 96; i++) buf[i] = x[i];
    for (int i = 0; i < 96; i++) y[i] = buf[95 - i]; }
    void k(int A[96], int B[96], int C[96]) { add(A, B); add(B, C); }"""
    found = directives_of(tmp_path, text)
    assert {name: part.factor for name, part in found.partitions.items()} == {"A": 4, "B": 4, "buf": 2, "buf_2": 2}


def test_line_numbers_stay_those_of_the_file() -> None:
    text = "/* a\n b */\n#pragma HLS interface\tm_axi \\\n  port=a\n#pragma HLS pipeline\n"
    assert [(each.position.line, each.name) for each in hls_pragmas("k.cpp", text)] == [
        (3, "interface"),
        (5, "pipeline"),
    ]


# -- what takes effect ------------------------------------------------------------------------------------------------


def test_partitions_along_two_dimensions_add_up(tmp_path: Path) -> None:
    source = """#pragma HLS array_partition variable=A cyclic factor=2 dim=1
    #pragma HLS array_partition variable=A cyclic factor=2 dim=2
    for (int i = 0; i < 98; i++) for (int j = 0; j < 97; j++)
        B[i][j] = A[i][j] + A[i][j + 1] + A[i + 1][j] + A[i + 1][j + 1] + A[i][j + 2] + A[i + 1][j + 2];"""
    arrays = {"A": "int[99][99]", "B": "int[99][99]"}
    assert loops_of(machine_of(tmp_path, source, **arrays))[0][1] == 1
    one = source.replace("dim=2", "dim=1")
    assert loops_of(machine_of(tmp_path, one, **arrays))[0][1] == 2  # three of a row in a memory of two ports


def test_words_of_several_elements_are_read_at_once(tmp_path: Path) -> None:
    source = """#pragma HLS array_reshape variable=A cyclic factor=4
    for (int i = 0; i < 96; i += 4) {
        #pragma HLS pipeline
        B[i] = {0}; }"""
    same = source.replace("{0}", "A[i] + A[i + 1] + A[i + 2] + A[i + 3]")
    other = source.replace("{0}", "A[i] + A[i + 4 < 96 ? i + 4 : 0] + A[i / 2] + A[i / 4]")
    assert loops_of(machine_of(tmp_path, same, **ARRAYS))[0][1] == 1  # one word
    assert loops_of(machine_of(tmp_path, other, **ARRAYS))[0][1] == 2  # four words through two ports


def test_one_word_of_all_elements_is_one_load_whatever_data_chooses(tmp_path: Path) -> None:
    """Eight elements of a window in one word, II 1 (a layer of hls4ml in YanLunHuang/conv2d_test); four before."""
    body = """int w[96], s = 0;
    #pragma HLS array_reshape variable=w complete
    for (int i = 0; i < 96; i++) w[i] = A[i];
    for (int i = 0; i < 96; i++) {
        #pragma HLS pipeline
        s = 0; for (int j = 0; j < 8; j++) s ^= w[(A[i] + j) & 63] << j;
        {0} }"""
    assert loops_of(machine_of(tmp_path, body.replace("{0}", "B[i] = s;"), **ARRAYS))[-1][1] == 1
    stored = body.replace("{0}", "w[s & 63] = 1; B[i] = s ^ w[A[i] & 7];")  # may be what is stored: a load of its own
    assert loops_of(machine_of(tmp_path, stored, **ARRAYS))[-1][1] > 1


@pytest.mark.parametrize(("value", "step", "ii"), [
    ("A[4 * i] + A[4 * i + 1] + A[4 * i + 2] + A[4 * i + 3] + A[B[i]]", 1, 1),  # two loads of each memory (3 before)
    ("A[i] + A[i + 1] + A[i + 2] + A[i + 3] + A[B[i]]", 4, 1), ("A[4 * i] + A[4 * i + 1] + A[B[i]] + A[C[i]]", 1, 2),
    ("A[i] + A[B[i]] + A[C[i]]", 1, 2),  # each iteration may find all of them in one memory
])  # fmt: skip
def test_what_data_choose_takes_a_port_of_each_memory_beside_what_stays_in_one(
    tmp_path: Path, value: str, step: int, ii: int
) -> None:
    loop = f"for (int i = 0; i < {16 * step}; i += {step}) {{\n#pragma HLS pipeline\nD[i] = {value}; }}"
    text = (
        "void k(int A[64], int B[64], int C[64], int D[64]) {\n#pragma HLS array_partition variable=A cyclic factor=4\n"
    )
    assert [each[1] for each in loops_of(schedule_of(written(tmp_path, f"{text}{loop} }}"), "k"))] == [ii]


@pytest.mark.parametrize(("kind", "apart"), [("cyclic", 1), ("block", 24)])
def test_constant_elements_of_a_word_are_one_load(tmp_path: Path, kind: str, apart: int) -> None:
    """Of 96 elements in words of four: neighbours, or those of the same place in each quarter."""
    source = f"""#pragma HLS array_reshape variable=A {kind} factor=4
    for (int i = 0; i < 24; i++) {{
        #pragma HLS pipeline
        A[i] = B[i] ^ {{0}}; }}"""
    for step in (1, 24):
        loads = " ^ ".join(f"A[{step * n}]" for n in range(4))
        found = loops_of(machine_of(tmp_path, source.replace("{0}", loads), **ARRAYS))[0]
        assert found[1:3] == ((2, "A[i] through memory") if step == apart else (3, "ports of A"))


def test_registers_are_read_in_no_time_and_by_all(tmp_path: Path) -> None:
    source = """int r[8];
    {0}
    for (int i = 0; i < 96; i++) {
        #pragma HLS pipeline
        for (int j = 7; j > 0; j--) r[j] = r[j - 1];
        r[0] = A[i];
        B[i] = r[0] + r[3] + r[7] + r[A[i] & 7]; }"""
    complete = source.replace("{0}", "#pragma HLS array_partition variable=r complete")
    assert loops_of(machine_of(tmp_path, complete, **ARRAYS))[0][1] == 1
    assert loops_of(machine_of(tmp_path, source.replace("{0}", ""), **ARRAYS))[0][1] > 4  # seven shifted, one loaded


def test_a_local_array_with_numbers_as_subscripts_is_no_memory(tmp_path: Path) -> None:
    source = """int r[8];
    for (int i = 0; i < 96; i++) {
        #pragma HLS pipeline
        for (int j = 0; j < 8; j++) r[j] = A[i] + j;
        B[i] = r[0] + r[1] + r[2] + r[3] + r[4] + r[5] + r[6] + r[7]; }"""
    assert loops_of(machine_of(tmp_path, source, **ARRAYS))[0][1] == 1


@pytest.mark.parametrize(
    ("pragma", "ii"),
    [
        ("", 10),
        ("#pragma HLS dependence variable=A inter false", 1),
        ("#pragma HLS DEPENDENCE variable=A type=inter dependent=false", 1),
        ("#pragma HLS dependence variable=A array inter RAW false", 1),
        ("#pragma HLS dependence variable=A inter distance=5 true", 2),
        ("#pragma HLS dependence variable=A inter WAR false", 10),
        ("#pragma HLS dependence variable=A inter true", 10),
        ("#pragma HLS dependence variable=B inter false", 10),
    ],
)
def test_dependences_that_are_denied_bind_nothing(tmp_path: Path, pragma: str, ii: int) -> None:
    # Loaded in 0..1, added in 2..8, stored in 9: ten cycles from iteration to iteration, or two over five.
    source = f"for (int i = 1; i < 99; i++) {{\n{pragma}\nA[i][0] = A[i - 1][0] + B[i]; }}"
    assert shape_of(machine_of(tmp_path, source, A="double[99][99]", B="double[99]"))[0][0] == ii


@pytest.mark.parametrize(
    ("pragma", "ii"),
    [
        ("bind_storage variable=A type=ram_1p", 2),
        ("bind_storage variable=A type=RAM_2P impl=bram", 1),
        ("bind_storage variable=A type=rom_np", 1),
        ("resource variable=A core=RAM_1P_BRAM", 2),
        ("resource variable=A core=AddSub_DSP", 1),
        ("interface ap_memory port=A storage_type=ram_1p", 2),
    ],
)
def test_memories_have_the_ports_of_their_type(tmp_path: Path, pragma: str, ii: int) -> None:
    source = f"#pragma HLS {pragma}\nfor (int i = 0; i < 95; i++) B[i] = A[i] + A[i + 1];"
    assert shape_of(machine_of(tmp_path, source, **ARRAYS))[0][0] == ii


OTHER = "void t(int A[96], int B[96], int n) { k(A, B, n); }"


@pytest.mark.parametrize(("flow", "other", "buses", "words"), [
    ("vitis", "", {"A"}, "m_axi of bundle gmem, as by default"), ("vivado", "", set(), ""), (None, "", set(), ""),
    ("vitis", OTHER, set(), "memories, as another function calls this one"),
    ("vitis", f"{OTHER} // set_top", {"A"}, "m_axi of bundle gmem, as by default"),
])  # fmt: skip
def test_an_argument_without_an_interface_is_a_bus_in_the_flow_for_kernels(
    tmp_path: Path, flow: Literal["vivado", "vitis"] | None, other: str, buses: set[str], words: str
) -> None:
    text = "void k(int A[96], int B[96], int n) {\n#pragma HLS interface ap_memory port=B\n"
    path = written(tmp_path, f"{text}for (int i = 0; i < 96; i++) B[i] = A[i] + n; }}\n{other}")
    if "set_top" in other:  # a script says that it is the kernel, whoever calls it
        (script := tmp_path / "run.tcl").write_text(
            f"set_top k\nadd_files {path.name}\nopen_solution s -flow_target vitis\n"
        )
        path = script
    (kernel,) = ppnsim.schedule(path, function="k", flow=flow).kernels
    assert {name for name, each in kernel.directives.storage.items() if each.kind == "bus"} == buses
    said = f"'A' without an interface: {words}"
    found = [each.partition(" in the flow")[0] for each in kernel.assumptions if "interface" in each]
    assert found == ([said] if words else [])


def test_the_burst_of_an_argument_is_assumed_and_said(tmp_path: Path) -> None:
    pragma = "#pragma HLS interface m_axi port=A max_read_burst_length=n max_write_burst_length=64"
    found = directives_of(tmp_path, f"void k(int A[96], int n) {{\n{pragma}\nA[0] = n; }}")
    assert found.storage["A"].bursts == (16, 64)
    assert "max_read_burst_length=n, which is an argument and no constant: 16 beats" in found.ignored[0]


def test_a_bus_with_no_burst_under_way_is_told(tmp_path: Path) -> None:
    text = """void k(int *a, int *b) {
#pragma HLS interface m_axi port=a bundle=x num_write_outstanding=0
#pragma HLS interface m_axi port=b bundle=y num_write_outstanding=4
    for (int i = 0; i < 8; i++) b[i] = a[i];
}
"""
    found = directives_of(tmp_path, text)
    (said,) = found.ignored
    assert said.endswith("interface num_write_outstanding=0: one burst at least is under way")


def test_a_slower_memory_makes_a_longer_body(tmp_path: Path) -> None:
    source = "#pragma HLS bind_storage variable=A type=ram_2p latency=3\n" + COPY.format("")
    assert shape_of(machine_of(tmp_path, source, **ARRAYS)) == [(1, 2 + 2)]


@pytest.mark.parametrize(
    ("size", "directive", "depth"),
    [
        (31, "", 2), (32, "", 3), (32, "array_partition variable={} cyclic factor=2", 2),
        (16, "array_reshape variable={} cyclic factor=2", 2), (32, "array_reshape variable={} cyclic factor=2", 3),
        (31, "bind_storage variable={} type=ram_2p impl=bram", 3),
        (32, "bind_storage variable={} type=ram_2p impl=lutram", 2), (31, "resource variable={} core=RAM_2P_BRAM", 3),
    ],
)  # fmt: skip
def test_a_memory_of_few_bits_answers_sooner(tmp_path: Path, size: int, directive: str, depth: int) -> None:
    """R3.9: 2.322 + 2.464 + 2.322 of 7.3 ns, 3.254 ns each in block RAM."""
    source = "".join(f"#pragma HLS {directive.format(name)}\n" for name in "st" if directive)
    source += f"for (int i = 0; i < {size}; i++) t[i] = s[i] + A;"
    arrays = {"A": "int", "s": f"int[{size}]", "t": f"int[{size}]"}
    assert shape_of(machine_of(tmp_path, source, **arrays)) == [(1, depth)]


def test_one_side_of_a_memory_reads_and_the_other_writes(tmp_path: Path) -> None:
    source = "{0}\nfor (int i = 0; i < 90; i++) {{ A[i] = B[i]; B[i] = A[i + 5]; }}"
    simple = source.format("#pragma HLS bind_storage variable=A type=ram_s2p")
    assert shape_of(machine_of(tmp_path, simple, **ARRAYS))[0][0] == 1
    assert (
        shape_of(machine_of(tmp_path, source.format("#pragma HLS bind_storage variable=A type=ram_1p"), **ARRAYS))[0][0]
        == 2
    )


@pytest.mark.parametrize(("kind", "sums", "stores"), [("ram_s2p", 2, 2), ("ram_2p", 1, 1)])
def test_a_memory_of_two_sides_has_one_port_on_each(tmp_path: Path, kind: str, sums: int, stores: int) -> None:
    source = f"#pragma HLS bind_storage variable=A type={kind}\nfor (int i = 0; i < 40; i++) {{{{ {{0}} }}}}"
    for body, ii in (("B[i] = A[i] + A[i + 1];", sums), ("A[2 * i] = B[i]; A[2 * i + 1] = B[i];", stores)):
        assert shape_of(machine_of(tmp_path, source.format(body), **ARRAYS))[0][0] == ii


@pytest.mark.parametrize(
    ("pragma", "elements", "members"),
    [("", 1, 1), ("interface s_axilite port=A", 2, 3), ("interface mode=s_axilite port=A bundle=b", 2, 3)],
)
def test_an_array_behind_axi_lite_has_one_port_for_the_kernel(
    tmp_path: Path, pragma: str, elements: int, members: int
) -> None:
    """R6.23: the memory's other port is the bus's, and members of a struct are words of it."""
    pragma = pragma and f"#pragma HLS {pragma}"
    for head, body, ii in (
        ("int A[96]", "B[i] = A[2 * i] + A[2 * i + 1];", elements),
        ("s A[40]", "B[i] = A[i].x + A[i].y[0] + A[i].y[1];", members),
    ):
        text = f"struct s {{ int x; int y[2]; }};\nvoid k({head}, int B[40]) {{\n{pragma}\n"
        text += f"for (int i = 0; i < 40; i++) {{ {body} }} }}"
        assert loops_of(schedule_of(written(tmp_path, text), "k"))[0][1] == ii


def test_a_bus_answers_late_and_takes_one_access_of_a_kind_per_cycle(tmp_path: Path) -> None:
    source = """#pragma HLS interface m_axi port=A offset=slave bundle=gmem0 max_read_burst_length=64 depth=96
    #pragma HLS interface mode=m_axi port=B bundle={0} latency=10
    #pragma HLS interface s_axilite port=A bundle=control
    #pragma HLS interface s_axilite port=return
    for (int i = 0; i < 96; i++) C[i] = A[i] + B[i];"""
    arrays = {**ARRAYS, "C": "int[96]"}
    apart = machine_of(tmp_path, source.replace("{0}", "gmem1"), **arrays)
    # 7 states of the adapter and 64 of the bus behind that of the address, added and stored in the next (2.46 + 3.25).
    assert loops_of(apart) == [("i", 1, "one per cycle", 1 + 1 + 7 + 64 + 1)]
    shared = machine_of(tmp_path, source.replace("{0}", "gmem0"), **arrays)
    assert loops_of(shared)[0][1:3] == (2, "ports of gmem0 (read)")


@pytest.mark.parametrize(
    ("flow", "clauses", "element", "copies", "ii"),
    [
        ("vitis", "", "int", "for (int j = 0; j < 8; j++) s += A[8 * i + j];", 1),
        ("vitis", "", "int", "for (int j = 0; j < 8; j++) s += A[8 * i + j + 12];", 2),  # in two beats of 4 and 4
        ("vitis", "", "int", "for (int j = 0; j < 6; j++) s += A[6 * i + j];", 3),  # two in a beat are aligned
        ("vitis", "max_widen_bitwidth=128", "int", "for (int j = 0; j < 8; j++) s += A[8 * i + j];", 2),
        (
            "vitis",
            "max_widen_bitwidth=64\n#pragma HLS interface m_axi port=B max_widen_bitwidth=256",
            "int",
            "for (int j = 0; j < 8; j++) s += A[8 * i + j];",
            1,
        ),  # a bundle has one: the largest
        ("vivado", "max_widen_bitwidth=512", "int", "for (int j = 0; j < 8; j++) s += A[8 * i + j];", 8),
        ("vitis", "", "ap_int<32>", "for (int j = 0; j < 8; j++) s += A[8 * i + j];", 8),
        ("vitis", "", "int", "for (int j = 0; j < 8; j++) if (i + j > 2) s += A[8 * i + j];", 8),
        ("vitis", "", "int", "for (int j = 0; j < 4; j++) s += A[8 * i + 2 * j];", 4),  # no burst, nor downwards
        ("vitis", "", "int", "for (int j = 0; j < 8; j++) s += A[128 - 8 * i + j];", 8),
        ("vitis", "", "int", "s += A[4 * i]; s += A[4 * i + 1]; s += A[4 * i + 2];", 3),  # passes one element
        ("vitis", "", "int", "for (int j = 0; j < 3; j++) s += A[4 * i + j];", 3),
        ("vitis", "", "int", "s = A[4 * i] + A[4 * i + 1] + A[4 * i + 2] + A[4 * i + 3];", 1),
        ("vitis", "", "int", "s = A[2 * i]; s += A[2 * i + 1];", 1),
        ("vitis", "", "int", "s = A[3 * i + 2]; s += A[3 * i + 1]; s += A[3 * i];", 3),  # downwards
    ],
)
def test_copies_of_an_access_share_a_widened_beat(
    tmp_path: Path, flow: Literal["vivado", "vitis"], clauses: str, element: str, copies: str, ii: int
) -> None:
    text = f"""#include "ap_int.h"
void k({element} A[256], int B[16]) {{
#pragma HLS interface m_axi port=A {clauses}
for (int i = 0; i < 16; i++) {{
#pragma HLS pipeline
int s = 0; {copies} B[i] = s; }} }}"""
    found = ppnsim.schedule(written(tmp_path, text), function="k", flow=flow).to_dict()
    assert [loop["ii"] for loop in found["loops"]] == [ii]
    said = any("are one beat of its bus, which is widened and aligned" in each for each in found["assumptions"])
    assert said == (ii < 3 or "6 * i" in copies)
    assert any("max_widen_bitwidth" in each for each in found["without_effect"]) == (
        flow == "vivado" or "\n" in clauses
    )


@pytest.mark.parametrize(
    ("pragma", "ii", "bound"),
    [
        ("", 1, "one per cycle"),
        ("#pragma HLS allocation operation instances=mul limit=1", 3, "units of mul"),
        ("#pragma HLS ALLOCATION instances=mul limit=2 operation", 2, "units of mul"),
        ("#pragma HLS allocation operation instances=fmul limit=1", 1, "one per cycle"),
    ],
)
def test_operators_that_are_limited_are_shared(tmp_path: Path, pragma: str, ii: int, bound: str) -> None:
    source = f"{pragma}\nfor (int i = 0; i < 96; i++) D[i] = A[i] * B[i] * C[i] * A[i];"
    arrays = dict.fromkeys("ABCD", "int[96]")
    assert loops_of(machine_of(tmp_path, source, **arrays))[0][1:3] == (ii, bound)


def test_an_operator_has_the_latency_that_it_is_given(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 96; i++) { int c;\n{0}\nc = A[i] * A[i]; B[i] = c; }"
    depths = [
        shape_of(machine_of(tmp_path, source.replace("{0}", pragma), **ARRAYS))[0][1]
        for pragma in (
            "",
            "#pragma HLS bind_op variable=c op=mul impl=dsp latency=4",
            "#pragma HLS bind_op variable=c op=mul",
        )
    ]
    assert depths == [5, 7, 5]


def test_a_product_with_a_latency_of_its_own_is_no_part_of_a_multiply_add(tmp_path: Path) -> None:
    """Its depth was that of the block with the adder, 6, whatever the directive said."""
    asked = "#pragma HLS bind_op variable=c op=mul latency={0}"
    source = f"for (int i = 0; i < 96; i++) {{{{ int c;\n{asked}\nc = {{1}}; B[i] = c; }}}}"
    product, total = ("(short)A[i] * (short)A[i]", "(short)A[i] * (short)A[i]; c = c + A[i]")
    alone, added = (
        [shape_of(machine_of(tmp_path, source.format(each, value), **ARRAYS))[0][1] for each in (2, 5, 8)]
        for value in (product, total)
    )
    assert alone[1] - alone[0] == added[1] - added[0] == 3 == added[2] - added[1]


@pytest.mark.parametrize(
    ("value", "depth"),
    [("A[i] * A[i]", 7), ("(A[i] * A[i]) >> A[i]", 8), ("(A[i] * A[i]) >> 3", 7), ("A[i] >> (A[i] * A[i])", 6)],
)
def test_a_latency_is_that_of_the_operator_behind_shifts_of_its_result(tmp_path: Path, value: str, depth: int) -> None:
    asked = "#pragma HLS bind_op variable=c op=mul latency=4"
    source = f"for (int i = 0; i < 96; i++) {{ int c;\n{asked}\nc = {value}; B[i] = c; }}"
    assert shape_of(machine_of(tmp_path, source, **ARRAYS)) == [(1, depth)]


@pytest.mark.parametrize(("value", "states"), [("a + b", 1), ("a", 1), ("A[0]", 2)])  # R3.5: its data take a state
def test_a_pipelined_function_may_have_a_single_state_and_a_loop_has_two(
    tmp_path: Path, value: str, states: int
) -> None:
    text = f"void k(int a, int b, int A[8], int *c) {{\n#pragma HLS pipeline\n*c = {value}; }}"
    assert shape_of(schedule_of(written(tmp_path, text))) == [(1, states)]
    text = f"void k(int a, int b, int A[8], int c[9]) {{\nfor (int i = 0; i < 9; i++) c[i] = {value}; }}"
    assert shape_of(schedule_of(written(tmp_path, text))) == [(1, 2)]


def test_an_iteration_takes_at_least_the_latency_that_it_is_given(tmp_path: Path) -> None:
    depths = [
        shape_of(machine_of(tmp_path, COPY.format(f"#pragma HLS latency {clause}"), **ARRAYS))[0][1]
        for clause in ("min=9", "min=1 max=4", "max=1")
    ]
    assert depths == [9, 2, 2]


def test_loops_of_a_pipelined_function_are_unrolled(tmp_path: Path) -> None:
    text = """static void half(int A[8], int B[8]) {
#pragma HLS pipeline II=1
    for (int j = 0; j < 8; j++) B[j] = A[j] / 2; }
    void k(int A[8], int B[8]) { half(A, B); }"""
    machine = schedule_of(written(tmp_path, text), "k")
    assert not machine.nests
    whole = schedule_of(written(tmp_path, text.replace("static ", "").partition("void k")[0]), "half")
    assert loops_of(whole)[0][:3] == ("half", 4, "ports of A")


# -- what is quiet, and what is said -----------------------------------------------------------------------------------

QUIET = """inline off|top name=k|loop_tripcount max=96|LOOP_TRIPCOUNT min = 2 * 48 max = 96 avg=96
interface ap_ctrl_hs port=return|interface mode=s_axilite port=return bundle=control
interface bram port=A|interface ap_memory port=A|pipeline II=1|unroll factor=1|unroll off|loop_flatten off"""


@pytest.mark.parametrize("pragma", [each for line in QUIET.splitlines() for each in line.split("|")])
def test_what_a_schedule_does_anyway_is_accepted_without_a_word(tmp_path: Path, pragma: str) -> None:
    text = f"void k(int A[96], int B[96]) {{\n{COPY.format(f'#pragma HLS {pragma}')}\n}}"
    assert directives_of(tmp_path, text).ignored == ()
    assert loops_of(schedule_of(written(tmp_path, text), "k")) == [("i", 1, "one per cycle", 2)]


# What each says in vain stands behind it, as the report lists it.
IDLE = """
inline: inline of 'k', which nothing calls
inline recursive: inline of what 'k' calls, which is nothing
pipeline rewind: pipeline rewind of the loop in line 1: code behind it waits for its end
interface m_axi port=A storage_type=ram_1p: interface storage_type=ram_1p: m_axi has none
interface m_axi port=A storage_impl=uram: interface storage_impl=uram: m_axi has none
interface s_axilite port=A storage_impl=bram: interface storage_impl=bram: a memory of the adapter is read as block RAM
interface ap_memory port=A latency=2 max_read_burst_length=4: interface max_read_burst_length=4: ap_memory has none
interface ap_vld port=n: interface ap_vld of 'n': its signals take no cycles
interface ap_ctrl_chain port=return: interface ap_ctrl_chain: one run is counted, whatever starts the next one
interface register port=n: interface register without a mode: no cycle depends on it
dependence variable=t inter false: dependence of 't': nothing in this loop both loads and stores it
resource variable=t core=RAM_2P_LUTRAM: resource impl=lutram: areas count block RAM
top name=other: top name=other: the kernel is called 'k' here
function_instantiate variable=A: function_instantiate of 'k', which nothing calls
reset variable=A: reset of 'A': no cycle and no unit counted here depends on it
stable variable=A: stable of 'A': when tasks start and end is said by R7 alone (ppnsim/hls/RULES.md)
aggregate variable=A compact=bit: aggregate of 'A', which is no struct
aggregate variable=A compact=bit :a[b]{0}: aggregate with ':' where the name of a clause must stand
unroll [4]: unroll with '[' where the name of a clause must stand
loop_tripcount max=96 avg=48: loop_tripcount avg=48 max=96 of a loop that runs 96 times by its bounds, which count
loop_tripcount min=2 max=9: loop_tripcount min=2 max=9 of a loop that runs 96 times by its bounds, which count
loop_tripcount min=96 max=9 avg=96: loop_tripcount min=96 avg=96 max=9: not min <= avg <= max
latency min=5 max=2: latency max=2, which is less than min=5
latency: latency without min or max
interface ap_vld port=B: interface ap_vld of 'B', which is an array: it is a memory here
interface m_axi port=n: interface m_axi of 'n', a single value: its accesses take no cycles of their own
interface m_axi port=t: interface m_axi of 't', which is not an argument of the kernel
interface ap_ctrl_hs port=A: interface ap_ctrl_hs port=A: it is of the kernel as a whole (port=return)
interface ap_memory port=A wide=3: interface wide, which is no clause of it
array_partition variable=t off: array_partition off: no array is partitioned here without a directive
array_partition variable=t complete factor=2: the factor of a complete array_partition
array_partition variable=t cyclic factor=1: array_partition factor=1: one memory, as without it
array_partition variable=n complete: array_partition of 'n', which is not an array
bind_storage variable=t type=ram_2p impl=uram: bind_storage impl=uram: areas count block RAM, and URAM has
bind_storage variable=t type=ram_2p latency=0: bind_storage latency=0: a load takes a cycle at least
bind_storage variable=t type=rom_1p: bind_storage type=rom_1p of 't', which is written: it is a RAM
bind_storage variable=n type=ram_2p: bind_storage of 'n', which is not an array
resource variable=s core=FAddSub_nodsp: resource core=FAddSub_nodsp: it is no memory, and operators are those of
bind_op variable=s op=mul latency=3: bind_op of 's', which no statement sets to the result of 'mul'
bind_op variable=s op=fadd latency=3: bind_op of 's', which no statement sets to the result of 'fadd'
bind_op variable=s op=add impl=fabric: bind_op impl=fabric: what an operator is made of is said by the table
bind_op variable=s op=add impl=fabric latency=3: bind_op impl=fabric: what an operator is made of is said by the table
bind_op variable=s op=add: bind_op without a latency
bind_op op=add impl=dsp: bind_op of no variable (variable=NAME)
bind_op variable=B op=mul latency=3: bind_op of 'B', which no statement sets to the result of 'mul' itself
allocation operation instances=fadd limit=1: allocation of 'fadd', which nothing in this function computes
dependence variable=s inter false: dependence of 's', which is not an array
dependence variable=t inter true: dependence without false or a distance: it is assumed anyway
dependence variable=t inter WAR false: dependence WAR: only loads that wait for stores (RAW) cost time here
dependence variable=t inter distance=4 false: the distance of a dependence that is false
pipeline off II=4: the II of a pipeline that is off
unroll off factor=4: the factor of an unroll that is off
unroll factor=99: unroll factor=99 of a loop of 96 iterations: all of them are copies, no more
loop_flatten: loop_flatten of the loop in line 1: it stays a loop of its own
loop_tripcount: loop_tripcount without min, avg or max
unroll factor=7 skip_exit_check: unroll skip_exit_check: exits are tested as without it
dependence variable=t intra distance=4: the distance of a dependence in one iteration (intra)
interface port=A: interface without a mode: no cycle depends on it
interface m_axi port=A max_widen_bitwidth=100: interface max_widen_bitwidth=100, which is not 0 or a power of two
interface m_axi port=A max_widen_bitwidth=2048: interface max_widen_bitwidth=2048, which is not 0 or a power of two
interface m_axi port=A depth=D: interface depth=D, which has no constant value here: only co-simulation asks for it
interface m_axi port=A clock=c: interface clock=c: m_axi has none
interface ap_memory port=A offset=4: interface offset=4: ap_memory has none
interface s_axilite port=n offset=slave: interface offset=slave: of a register it is an address, offset=0x10
"""


@pytest.mark.parametrize("line", IDLE.strip().splitlines())
def test_what_has_no_effect_is_listed_with_its_line(tmp_path: Path, line: str) -> None:
    pragma, _, said = line.partition(": ")
    loop = f"for (int i = 0; i < 96; i++) {{\n#pragma HLS {pragma}\nt[i] = A[i]; s += n; B[i] = A[i] * n + 1; }}"
    text = f"void k(int A[96], int B[96], int n) {{ int t[96]; int s = 0; {loop} B[0] = s + t[n]; }}"
    path = written(tmp_path, text)
    (result,) = ppnsim.schedule(path)._results()
    place, _, words = result["without_effect"][0].partition(": ")
    assert words.startswith(said)
    assert place.startswith(f"{path}:2:")


@pytest.mark.parametrize(
    ("directive", "said"),
    [
        ("array_partition -type complete k p.w", "array_partition for 'p.w', a member that nothing uses"),
        ("bind_storage -type ram_1p k p.w", "bind_storage for 'p.w', a member that nothing uses"),
        ("interface -mode m_axi k A.w", "interface for 'A.w', a member that nothing uses"),
        ("loop_tripcount -max 5 k/all", "loop_tripcount max=5 of a loop that runs 4 times by its bounds, which count"),
        ("bind_op -op mul -latency 3 k s", "bind_op of 's', which no statement sets to the result of 'mul'"),
    ],
)  # fmt: skip
def test_directives_of_scripts_without_an_effect_are_listed(tmp_path: Path, directive: str, said: str) -> None:
    text = "struct pair { int x[4]; int y[4]; };\nvoid k(int A[4], int n) { pair p; int s = n;\n"
    text += "all: for (int i = 0; i < 4; i++) { p.x[i] = A[i]; s += 2; } A[0] = p.x[n] + s; }"
    written(tmp_path, text)
    script = tmp_path / "run.tcl"
    script.write_text(f"open_project p\nset_top k\nadd_files kernel.cpp\nopen_solution s\nset_directive_{directive}\n")
    (result,) = ppnsim.schedule(script)._results()
    assert result["without_effect"] == [f"{script}:5: {said}"]


@pytest.mark.parametrize(
    "pragma", ["loop_merge force", "occurrence cycle=4", "performance target_ti=100", "latency max=3", "protocol fixed"]
)
def test_what_the_tool_would_follow_and_is_not_followed_is_said(tmp_path: Path, pragma: str) -> None:
    text = f"void k(int A[96], int B[96]) {{\n{COPY.format(f'#pragma HLS {pragma}')}\n}}"
    (said,) = directives_of(tmp_path, text).ignored
    assert said.endswith((pragma.split()[0], pragma.partition("=")[0]))
    assert "kernel.cpp:3:1" in said


@pytest.mark.parametrize(
    ("clause", "said"),
    [("style=flp", "style=flp"), ("style=FRP", "style=frp"), ("enable_flush", "enable_flush"), ("style=stp", None)],
)
def test_styles_of_pipelines_that_are_not_followed_are_said(tmp_path: Path, clause: str, said: str | None) -> None:
    text = f"void k(int A[96], int B[96]) {{\n{COPY.format(f'#pragma HLS pipeline {clause}')}\n}}"
    ignored = directives_of(tmp_path, text).ignored
    assert [each.partition(": pipeline ")[2].partition(":")[0] for each in ignored] == ([said] if said else [])


def test_a_stream_is_a_fifo_whatever_its_type(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
    void k(int A[8], int B[8]) { hls::stream<int> s;
#pragma HLS stream variable=s type=pipo depth=8
    for (int i = 0; i < 8; i++) s.write(A[i]);
    for (int i = 0; i < 8; i++) B[i] = s.read(); }"""
    found = directives_of(tmp_path, text)
    assert list(found.depths.values()) == [8]
    (said,) = found.ignored
    assert said.endswith(":3:1: stream type=pipo of the hls::stream 's', which is a FIFO")


@pytest.mark.parametrize(
    "pragma", ["array_partition variable=C cyclic factor=2", "interface m_axi port=C", "stream variable=C depth=4"]
)
def test_a_pragma_of_a_variable_that_occurs_nowhere_is_passed_over_and_said(tmp_path: Path, pragma: str) -> None:
    # FracBNN (cornell-zhang, Vivado HLS 2019.2) partitions arrays that it does not have; Vitis HLS refuses a source
    # for it: "ERROR: [HLS 207-3776] use of undeclared identifier" in the logs of HLStrans (shortpath, 2022.2).
    loop = COPY.format(f"#pragma HLS {pragma}")
    found = directives_of(tmp_path, f"void k(int A[96], int B[96], int n) {{ // not C\n{loop}\nB[0] = n; }}")
    (said,) = found.ignored
    assert "'C', which 'k' does not have (" in said
    assert said.endswith("): Vivado HLS passes over it, Vitis HLS refuses the source")
    assert (found.partitions, found.storage, found.depths) == ({}, {}, {})


@pytest.mark.parametrize(
    ("interface", "said"),
    [
        ("s_axilite port=return", "interface autorestart: one run is counted, whatever starts the next one"),
        ("s_axilite port=A", "interface s_axilite autorestart: only s_axilite port=return has it"),
        ("m_axi port=A", "interface m_axi autorestart: only s_axilite port=return has it"),
    ],
)
def test_a_kernel_that_restarts_itself_is_counted_for_one_run(tmp_path: Path, interface: str, said: str) -> None:
    """UG1399 (2025.2), "Enabling Auto-Restart", writes the clause in the interface of return alone."""
    loop = COPY.format(f"#pragma HLS interface {interface} autorestart")
    found = directives_of(tmp_path, f"void k(int A[96], int B[96], int n) {{\n{loop}\nB[0] = n; }}")
    assert any(each.partition(":3:1: ")[2].startswith(said) for each in found.ignored)


def test_a_pragma_of_a_name_that_the_function_uses_and_that_is_not_followed_is_refused(tmp_path: Path) -> None:
    text = "template <int C> void f(int A[96]) {\n#pragma HLS array_partition variable=C\nA[0] = C; }\n"
    with pytest.raises(InputError, match="array_partition: no array 'C'"):
        directives_of(tmp_path, text + "void k(int A[96]) { f<3>(A); }")


def test_what_instances_of_a_function_differ_in_is_the_name_of_a_parameter(tmp_path: Path) -> None:
    """Its numbers are those of the calls: "mode=0 of some calls: 1 counts for all" was said."""
    text = "int f(int x, int mode) {\n#pragma HLS function_instantiate variable=mode\nreturn mode ? x : x * 3; }\n"
    assert directives_of(tmp_path, text + "void k(int A[2]) { A[0] = f(A[0], 0); A[1] = f(A[1], 1); }").ignored == ()


def test_a_name_that_two_blocks_declare_is_the_array_of_the_last_declaration(tmp_path: Path) -> None:
    """R6.1."""
    block = "{\nint m[8] = {0};\n#pragma HLS array_partition variable=m cyclic factor=%s\nA[m[A[0] & 7]] = %s; }\n"
    found = directives_of(tmp_path, f"void k(int A[96]) {{\n{block % (2, 1)}{block % (4, 2)}}}").partitions
    assert {name: each.banks for name, each in found.items()} == {"m": 2, "m_2": 4}


def test_a_variable_in_quotes_is_the_variable(tmp_path: Path) -> None:
    text = 'void k(int A[96]) {\n#pragma HLS array_partition variable="A" cyclic factor=2\nA[0] = 1; }'
    assert directives_of(tmp_path, text).partitions["A"].banks == 2


@pytest.mark.parametrize(
    ("pragma", "message"),
    [
        ("pipeline style=flb", "pipeline: no style 'flb' (did you mean 'flp'?)"),
        ("pipelin", "#pragma HLS knows no 'pipelin' here (did you mean 'pipeline'?)"),
        ("unroll_factor=4", "#pragma HLS knows no 'unroll_factor=4' here (did you mean 'unroll factor=4'?)"),
        ("unroll(4)", "#pragma HLS knows no 'unroll(4)' here (did you mean 'unroll factor=4'?)"),
        ("pipeline,II=2", "#pragma HLS knows no 'pipeline,ii=2' here (did you mean 'pipeline ii=2'?)"),
        ("unroll=4", "#pragma HLS knows no 'unroll=4' here (did you mean 'unroll factor=4'?)"),
        ("array_partition=x", "#pragma HLS knows no 'array_partition=x' here (did you mean 'array_partition'?)"),
        ("pipeline I=2", "pipeline knows no 'i' (did you mean 'ii'?)"),
        ("pipeline II=N", "ii = N is not a whole number from 1 on"),
        ("pipeline II=0", "ii = 0 is not a whole number from 1 on"),
        ("unroll factor=A[0]", "factor = A[0] is not a whole number from 1 on"),
        ("unroll factor=x", "factor = x is not a whole number from 1 on"),
        ("array_partition variable=A cyclic", "cyclic needs a factor"),
        ("array_partition variable=A cyclic factor=2 dim=2", "'A' has no dimension 2 (1 to 1, 0 for all)"),
        ("array_partition variable=A typ=cyclic", "array_partition knows no 'typ' (did you mean 'type'?)"),
        ("array_partition variable=A type=cyclc", "no type 'cyclc' (did you mean 'cyclic'?)"),
        ("dependence variable=A type=outer false", "dependence: no type 'outer' (inter or intra)"),
        ("dependence variable=A outer false", "dependence knows no 'outer'"),
        ("bind_storage variable=A type=ram_3p", "bind_storage: no type 'ram_3p'"),
        ("bind_op variable=A op=mull latency=2", "bind_op: no operator 'mull' (did you mean 'mul'?)"),
        ("allocation operation instances=mul", "allocation needs a limit"),
        ("allocation operation instances=mull limit=1", "allocation: no operator 'mull' (did you mean 'mul'?)"),
        ("interface port=A m_axis", "interface knows no 'm_axis' (did you mean 'm_axi'?)"),
        ("interface mode=m_axis port=A", "interface: no mode 'm_axis' (did you mean 'm_axi'?)"),
        ("interface m_axi axis port=A", "interface: two of a mode, 'm_axi' and 'axis': keep one"),
        ("interface m_axi port=A depth=0", "depth = 0 is not a whole number from 1 on"),
        ("interface axis port=A register_mode=fwd", "interface: no register_mode 'fwd' (did you mean 'forward'?)"),
        ("interface s_axilite port=A storage_impl=bra", "interface: no storage_impl 'bra' (did you mean 'bram'?)"),
        ("interface s_axilite port=n offset=slav", "interface: no offset 'slav' (did you mean 'slave'?)"),
        ("array_partition variable=A cyclic block factor=2", "array_partition: two of a type, 'cyclic' and 'block'"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_place(tmp_path: Path, pragma: str, message: str) -> None:
    text = f"void k(int A[96], int B[96], int n) {{\n{COPY.format(f'#pragma HLS {pragma}')}\nB[0] = n; }}"
    with pytest.raises(InputError) as raised:
        directives_of(tmp_path, text)
    assert "kernel.cpp:3:1" in str(raised.value)
    assert message in str(raised.value)


@pytest.mark.parametrize(
    "pragmas",
    [
        ("pipeline off", "pipeline II=2"),
        ("unroll factor=2", "unroll factor=4"),
        ("unroll", "unroll off"),
        ("loop_flatten", "loop_flatten off"),
        ("dataflow", "pipeline"),
        ("expression_balance", "expression_balance off"),
        ("bind_storage variable=A type=ram_1p", "bind_storage variable=A type=ram_2p latency=2"),
        ("interface m_axi port=A", "interface ap_fifo port=A"),
    ],
)
def test_pragmas_that_contradict_each_other(tmp_path: Path, pragmas: tuple[str, str]) -> None:
    lines = "\n".join(f"#pragma HLS {pragma}" for pragma in pragmas)
    text = f"void k(int A[96], int B[96]) {{\n{COPY.format(lines)}\n}}"
    with pytest.raises(InputError, match=r"kernel.cpp:4:1: conflicting pragmas"):
        directives_of(tmp_path, text)


@pytest.mark.parametrize(
    ("pragmas", "banks"),
    [(("cyclic factor=2", "cyclic factor=4"), 4), (("complete dim=0", "cyclic factor=4"), 0),
     (("block factor=8", "cyclic factor=4"), 8), (("cyclic factor=4", "complete dim=0"), 0)],
)  # fmt: skip
def test_of_two_partitions_along_one_dimension_that_into_more_memories_counts(
    tmp_path: Path, pragmas: tuple[str, str], banks: int
) -> None:
    lines = "\n".join(f"#pragma HLS array_partition variable=A {pragma}" for pragma in pragmas)
    found = directives_of(tmp_path, f"void k(int A[96], int B[96]) {{\n{COPY.format(lines)}\n}}")
    kept = found.partitions["A"]
    assert (0 if kept.registers else kept.banks) == banks
    assert "'A' is partitioned along dimension" in found.ignored[0]


@pytest.mark.parametrize("pragmas", [("unroll", "pipeline"), ("pipeline", "unroll")])
def test_the_pipeline_of_a_loop_that_is_gone_has_no_effect(tmp_path: Path, pragmas: tuple[str, str]) -> None:
    lines = "\n".join(f"#pragma HLS {pragma}" for pragma in pragmas)
    found = directives_of(tmp_path, f"void k(int A[96], int B[96]) {{\n{COPY.format(lines)}\n}}")
    words = "pipeline of a loop that is unrolled completely: the loop around it may be pipelined"
    assert [each.partition("kernel.cpp:")[2] for each in found.ignored] == [f"4:1: {words}"]
    short = COPY.format(lines).replace("96", "6")  # another one beside it is unrolled as if this one were not there
    nest = f"for (int x = 0; x < 90; x++) {{ B[x] = x; {short} for (int j = 0; j < 5; j++) B[j] = A[x]; }}"
    ((name, *_),) = loops_of(schedule_of(written(tmp_path, f"void k(int A[96], int B[96]) {{\n{nest}\n}}"), "k"))
    assert name == "x"


def test_the_same_said_twice_is_no_contradiction(tmp_path: Path) -> None:
    line = "#pragma HLS pipeline II=2\n#pragma HLS array_partition variable=A cyclic factor=2"
    text = f"void k(int A[96], int B[96]) {{\n{COPY.format(f'{line}{chr(10)}{line}')}\n}}"
    assert loops_of(schedule_of(written(tmp_path, text), "k"))[0][1] == 2


def test_a_partition_may_be_stated_in_the_caller_and_in_the_callee(tmp_path: Path) -> None:
    pragma = "\n#pragma HLS array_partition variable=%s complete dim=1\n"
    inner = f"void inner(int x[8]) {{{pragma % 'x'}for (int i = 0; i < 8; i++) x[i] += 1; }}"
    text = f"{inner}\nvoid k(int a[8]) {{{pragma % 'a'}inner(a); }}"
    assert directives_of(tmp_path, text).partitions["a"].registers


def test_a_pragma_behind_two_heads_in_one_line_is_in_the_inner_loop(tmp_path: Path) -> None:
    text = """void k(int a[4][8]) {
        for (int i = 0; i < 4; i++) for (int j = 0; j < 8; j++) {
    #pragma HLS unroll factor=2
            a[i][j] += 1; }
    }"""
    assert {column: asked.unroll for (_, _, column), asked in directives_of(tmp_path, text).loops.items()} == {37: 2}


def test_flattening_may_be_denied_in_the_inner_loop_as_in_the_outer_one(tmp_path: Path) -> None:
    source = "for (int i = 0; i < 8; i++) {\n{0} for (int j = 0; j < 8; j++) {\n{1} B[8 * i + j] = A[8 * i + j]; } }"
    off = "#pragma HLS loop_flatten off\n"
    both = [source.replace("{0}", one).replace("{1}", two) for one, two in ((off, ""), ("", off))]
    cycles = [machine_of(tmp_path, each, **ARRAYS).cycles for each in both]
    assert cycles == [81, 81]


def test_pipeline_off_in_a_function_is_off_for_its_loops(tmp_path: Path) -> None:
    off = "#pragma HLS pipeline off"
    asked = COPY.format("#pragma HLS pipeline")
    assert len(machine_of(tmp_path, COPY.format(""), **ARRAYS).nests) == 1
    assert machine_of(tmp_path, f"{off}\n{COPY.format('')}", **ARRAYS).nests == ()
    assert len(machine_of(tmp_path, f"{off}\n{asked}", **ARRAYS).nests) == 1


WITHOUT = """#define PIPE _Pragma("HLS pipeline II=3") _Pragma("HLS loop_flatten off")
#pragma HLS top name=k
template <int N, bool B> void part(int a[64], int b[64]) {
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=N
    b[i] = N / a[i];
  }
  if (B) for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=7
    b[i] = 7 / a[i];
  }
}
void k(int x[64], int y[64]) {
  part<2, false>(x, y);
  part<6, true>(y, x);
  for (int i = 0; i < 64; i++) { PIPE y[i] = 3 / x[i]; }
  if (0) for (int i = 0; i < 64; i++) {
#pragma HLS unroll
    y[i] = 1;
  }
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=2 II=4
    x[i] /= y[i];
  }
}
"""


def test_a_directive_of_a_macro_with_a_loop_is_in_the_loop(tmp_path: Path) -> None:
    """All of a macro stands at one place: of several loops there it is not known which one is meant."""
    one = 'for (int i = 0; i < 64; i++) { _Pragma("HLS pipeline II=3") of }'
    machine = machine_of(tmp_path, "ALL(B[i] = 7 / A[i];)", before=f"#define ALL(of) {one}\n", **ARRAYS)
    assert [(name, ii) for name, ii, *_ in loops_of(machine)] == [("i", 3)]
    both = f"#define ALL(of) for (int j = 0; j < 9; j++) {{ {one} }}\n"
    with pytest.raises(InputError, match=r"pipeline and several loops inside each other are of one macro"):
        machine_of(tmp_path, "ALL(B[i] = 7 / A[i];)", before=both, **ARRAYS)


def test_what_has_no_effect_is_listed_with_its_line_and_why(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(WITHOUT)
    found = ppnsim.schedule(path, function="k")
    assert [each.removeprefix(str(path)) for each in found.kernels[0].without_effect] == [
        ":2:1: top outside of functions: to choose 'k' give --function k",
        ":18:1: unroll in code of which nothing is executed",
        ":22:1: pipeline ii=2, which it says again",
    ]
    assert [each.body.schedule.ii for each in found.kernels[0].machine.nests] == [2, 6, 7, 3, 4]


@pytest.mark.parametrize(
    ("directive", "cycles", "alike"), [("unroll factor=F", 43, 67), ("pipeline II=F / 2", 195, 131)]
)
def test_a_loop_has_the_number_of_its_own_call_of_a_template(
    tmp_path: Path, directive: str, cycles: int, alike: int
) -> None:
    text = f"""template <int F> void add(int a[64], int b[64]) {{ for (int i = 0; i < 64; i++) {{
#pragma HLS {directive}
b[i] = a[i] + 1; }} }}
void k(int a[64], int b[64], int c[64]) {{
#pragma HLS array_partition variable=a cyclic factor=8
#pragma HLS array_partition variable=b cyclic factor=8
#pragma HLS array_partition variable=c cyclic factor=8
"""
    for second, expected in ((8, cycles), (2, alike)):
        found = ppnsim.schedule(written(tmp_path, f"{text} add<2>(a, b); add<{second}>(b, c); }}"), function="k")
        assert (found.kernels[0].without_effect, found.to_dict()["cycles"]) == ([], expected)
    with pytest.raises(InputError, match=r":2:1: (factor|ii) = F.* is not a whole number from 1 on"):
        ppnsim.schedule(written(tmp_path, f"{text} add<-1>(a, b); add<2>(b, c); }}"), function="k")


def test_an_array_is_divided_by_the_number_of_its_own_call_of_a_template(tmp_path: Path) -> None:
    body = "for (int i = 0; i < 8; i++) {\n#pragma HLS pipeline\nfor (int j = 0; j < N; j++) s += x[8 * j + i];\n}"
    head = "template <int N> void part(int x[8 * N], int *y) {\nconst int n = N;\nint s = 0;\n"
    text = f"{head}#pragma HLS array_partition variable=x block factor=n\n{body}\n*y = s;\n}}\n"
    text += "void k(int a[80], int b[16], int *y, int *z) {\npart<10>(a, y);\npart<2>(b, z);\n}\n"
    (tmp_path / "k.cpp").write_text(text)
    (found,) = ppnsim.schedule(tmp_path / "k.cpp", function="k").kernels
    assert [nest.body.schedule.ii for nest in found.machine.nests] == [1, 1]


@pytest.mark.parametrize("around", ["{}", "struct S {{ {} }}; static S s;\n#define part s.part\n"])
def test_numbers_of_iterations_are_those_of_each_call_of_a_template(around: str, tmp_path: Path) -> None:
    body = "for (int i = 0; i < n; i++) {\n#pragma HLS loop_tripcount min=N max=N\nx[i] += n;\n}"
    text = around.format(f"template <int N> void part(int *x, int n) {{\n{body}\n}}\n")
    text += "void k(int a[64], int b[64], int n) {\npart<4>(a, n);\npart<9>(b, n);\n}\n"
    (tmp_path / "k.cpp").write_text(text)
    (found,) = ppnsim.schedule(tmp_path / "k.cpp", function="k").kernels
    assert ([nest.iterations for nest in found.machine.nests], list(found.without_effect)) == ([4, 9], [])


WORDS = """struct four { int a, b, c, d; }; struct rows { int v[8]; };
void k(TYPE s[64], TYPE t[64], int x[64], int y[64]) {
#pragma HLS DIRECTIVE
    for (int i = 0; i < 60; i++) {
#pragma HLS pipeline
        BODY } }
"""
APART = "y[i] = s[i].a + s[i + 1].b + s[i + 2].c + s[i + 3].d;"


@pytest.mark.parametrize(
    ("of", "directive", "body", "ii"),
    [
        ("four", "inline", APART, 2),  # four words, two ports
        ("four", "disaggregate variable=s", APART, 1),
        ("four", "array_partition variable=s cyclic factor=4", APART, 1),
        ("four", "inline", "y[i] = s[i].a + s[i].b + s[i + 1].c + s[i + 1].d;", 1),
        ("four", "inline", "y[i] = s[x[i] & 63].a + s[x[i] & 63].b + s[x[i] & 63].c;", 1),
        ("rows", "inline", "t[i] = s[i];", 1),
        ("rows", "disaggregate variable=s", "t[i] = s[i];", 4),
        ("four", "inline", "t[i].a = x[i]; t[i].d = y[i]; t[i].b = x[i] + y[i];", 1),
    ],
)
def test_structs_of_arguments_are_words(tmp_path: Path, of: str, directive: str, body: str, ii: int) -> None:
    """R6.22. Each member was a memory of its own, and an array in one was of two ports."""
    text = WORDS.replace("TYPE", of).replace("DIRECTIVE", directive).replace("BODY", body)
    (tmp_path / "k.cpp").write_text(text)
    (found,) = ppnsim.schedule(tmp_path / "k.cpp", function="k").kernels
    assert [nest.body.schedule.ii for nest in found.machine.nests] == [ii]
    (found,) = ppnsim.schedule(tmp_path / "k.cpp", function="k", release="2019.2").kernels
    assert body != APART or [nest.body.schedule.ii for nest in found.machine.nests] == [1]  # Vivado HLS


@pytest.mark.parametrize(("directive", "ii"), [("inline", 1), ("aggregate variable=s", 2), ("data_pack variable=s", 2)])
def test_structs_inside_are_words_if_a_directive_says_so(tmp_path: Path, directive: str, ii: int) -> None:
    fill = "for (int i = 0; i < 60; i++) { s[i].a = x[i]; s[i].b = s[i].c = 3; s[i].d = 1; }"
    body = f"four s[64];\n#pragma HLS {directive}\n{fill}"
    text = WORDS.replace("TYPE s[64], TYPE t[64], ", "").replace("#pragma HLS DIRECTIVE", body).replace("BODY", APART)
    (tmp_path / "k.cpp").write_text(text)
    (found,) = ppnsim.schedule(tmp_path / "k.cpp", function="k").kernels
    assert [nest.body.schedule.ii for nest in found.machine.nests] == [1, ii]


@pytest.mark.parametrize(
    ("dataflow", "directive", "bodies", "cycles"),
    [
        ("inline", "disaggregate variable=s", ("s[i].a = x[i];", "s[i].b = y[i];"), 61),
        ("inline", "inline", ("s[i].a = x[i];", "s[i].b = y[i];"), 123),  # one memory: no loop beside the other
        ("dataflow", "disaggregate variable=s", ("s[i].a = x[i];", "s[i].b = y[i];"), 60),
        ("dataflow", "inline", ("s[i].a = x[i];", "s[i].b = y[i];"), 120),  # two tasks that write an array
        ("dataflow", "inline", ("x[i] = s[i].a;", "s[i].b = y[i];"), 120),
        ("dataflow", "array_partition variable=s block factor=2", ("s[i & 1].a = x[i];", "s[i].b = y[i];"), 120),
        ("dataflow", "disaggregate variable=s", ("x[i] = s[i].a + s[63 - i].a;", "y[i] = s[i].b;"), 60),
        ("dataflow", "inline", ("x[i] = s[i].a + s[63 - i].a;", "y[i] = s[i].b;"), 120),  # a port for each task
    ],
)
def test_members_of_words_are_one_memory_for_functions_and_tasks(
    tmp_path: Path, dataflow: str, directive: str, bodies: tuple[str, str], cycles: int
) -> None:  # fmt: skip
    """R6.22 with R5.4, R9.18, R9.20 and R7.3. Those that access other members ran at the same time."""
    text = "struct two { int a, b; };\n"
    for name, body in zip("pq", bodies, strict=True):
        text += f"void {name}(two s[64], int x[64], int y[64]) {{ for (int i = 0; i < 60; i++) {{ {body} }} }}\n"
    text += f"void k(two s[64], int x[64], int y[64]) {{\n#pragma HLS {dataflow}\n#pragma HLS {directive}\n"
    (tmp_path / "k.cpp").write_text(text + "p(s, x, y);\nq(s, x, y);\n}\n")
    (found,) = ppnsim.schedule(tmp_path / "k.cpp", function="k", device="xcu280").kernels
    assert found.machine.cycles == cycles


@pytest.mark.parametrize(("name", "said"), [("disaggregate", []), ("aggregate", [])])
def test_an_array_of_structs_is_one_of_structs(tmp_path: Path, name: str, said: list[str]) -> None:
    text = "struct two { int x, y; };\nvoid k(two s[32], int b[32]) {\n"
    text += f"#pragma HLS {name} variable=s\nfor (int i = 0; i < 32; i++) b[i] = s[i].x + s[i].y;\n}}\n"
    assert [each.rpartition(": ")[2] for each in directives_of(tmp_path, text).ignored] == said


@pytest.mark.parametrize(("value", "way"), [("b[i] = s[i].x + s[i].y;", "read"), ("s[i].x = b[i];", "write")])
def test_structs_of_a_bus_are_words_and_told_so_once(tmp_path: Path, value: str, way: str) -> None:
    """Each member was listed, the directive was said to have no effect, and one that is only written to be read."""
    text = "struct two { int x, y; };\nvoid k(two *s, int b[32]) {\n#pragma HLS interface m_axi port=s bundle=g\n"
    text += "#pragma HLS aggregate variable=s\nfor (int i = 0; i < 32; i++) %s\n}\n"
    (tmp_path / "k.cpp").write_text(text % value)
    found = ppnsim.schedule(tmp_path / "k.cpp").to_dict()
    said = [each for each in found["assumptions"] if "over bus" in each]
    states = {"read": 72, "write": 69}[way]
    assert (found["without_effect"], said) == ([], [f"a {way} of 's' over bus 'g' takes {states} states"])


def test_one_name_means_the_arrays_that_it_means_among_all_names() -> None:
    arrays = [Array(name="s", member=("o", "s")), *(Array(name=f"t.{n}") for n in range(3)), Array(name="o")]
    names = tuple({"x": "t", "x.y": "t.1", "this": "o", "p": "o", "ps": "s", "q": ""}.items())
    known, frame = ArrayNames(arrays), Frame(("f",), Position("k.cpp", 1, 1), 9, names)
    every = known.meant([frame])
    assert every["s"] == every["this.s"] == every["p.s"] == {"s"}
    assert every["x"] == {"t.0", "t.1", "t.2"}
    assert all(known.meant([frame], name)[name] == found for name, found in every.items())
    assert not {"p.s", "ps", "x.y"} & known.meant([frame], "x").keys()


def test_a_least_latency_of_a_pipelined_function_counts_from_start_to_done(tmp_path: Path) -> None:
    """Rule R3.5: not its states, of which there is one more."""
    text = "int f(int a) {\n#pragma HLS pipeline\n#pragma HLS latency min=3 max=3\n return a + 1; }\n"
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    assert ppnsim.schedule(tmp_path / "k.cpp").to_dict()["cycles"] == 3


def test_a_least_latency_that_nothing_here_takes_is_listed(tmp_path: Path) -> None:
    loop = "for (int i = 0; i < 8; i++) {{\n#pragma HLS pipeline{}\n#pragma HLS latency min=20\n a[i] += 3; }}\n"
    texts = ["#pragma HLS latency min=50\n a[1] = a[0];", loop.format(" off"), loop.format("")]
    listed = []
    for text in texts:
        (tmp_path / "k.cpp").write_text(f"void f(int a[8]) {{\n{text}}}\n", "utf-8")
        listed += ppnsim.schedule(tmp_path / "k.cpp").kernels[0].without_effect
    assert [each.removeprefix(str(tmp_path / "k.cpp")) for each in listed] == [
        ":2:1: latency min=50 of a function that is not pipelined",
        ":4:1: latency min=20 of a loop that is not pipelined",
    ]


def test_a_member_that_is_not_there_is_named(tmp_path: Path) -> None:
    """A typing error in the name of a member had no effect in silence."""
    text = """struct S { int x[64]; };
void k(int a[64]) {\n S s;\n#pragma HLS array_partition variable=s.xx complete
 for (int i = 0; i < 64; i++) s.x[i] = a[i];\n for (int i = 0; i < 64; i++) a[i] += s.x[63 - i]; }
"""
    (tmp_path / "k.cpp").write_text(text, "utf-8")
    (said,) = ppnsim.schedule(tmp_path / "k.cpp", function="k").kernels[0].without_effect
    assert said.endswith("k.cpp:4:1: array_partition for 's.xx', a member that nothing uses")


def test_a_pipeline_in_a_function_with_an_unnamed_parameter_counts(tmp_path: Path) -> None:
    text = """static void f(const int a[8], int b[8], int) {
      for (int i = 0; i < 8; i++) {
    #pragma HLS pipeline II=9
        b[i] = a[i] + 1; } }
    void un(const int a[8], int b[8]) { f(a, b, 3); }"""
    found = ppnsim.schedule(str(written(tmp_path, text)), function="un").to_dict()
    assert [each["ii"] for each in found["loops"]] == [2]  # as long as its body (R3.7)
    assert found["without_effect"] == []


def test_a_pipeline_of_copies_is_said_once(tmp_path: Path) -> None:
    """A latency after the two directives is no third one."""
    text = """void k(int a[8]) { for (int i = 0; i < 8; i++) {
    #pragma HLS unroll
    #pragma HLS pipeline
    #pragma HLS latency min=2
      a[i] += 1; } }"""
    said = [each for each in directives_of(tmp_path, text).ignored if "unrolled completely" in each]
    assert [each.split(":")[-4:-2] for each in said] == [["3", "1"]]


@pytest.mark.parametrize(
    ("before", "label"),
    [("rows:", "rows"), ("case 1:", ""), ("case RED:", ""), ("default:", ""), ("case 1: rows:", "rows"), ("; r :", "r"),
     ("} else rows:", "rows"), ("{ rows:\n", "rows"), ("case 1:\n", ""), ("case Mode::A:", ""),
     ("case Mode::A: rows:", "rows")],
)  # fmt: skip
def test_a_label_of_a_switch_is_none_of_the_loop_behind_it(before: str, label: str) -> None:
    text = f"{before} for (;;) ;"
    line, column = text[: text.index("for")].count("\n") + 1, len(text[: text.index("for")].rpartition("\n")[2]) + 1
    loop = Loop(iterator="i", first=(), last=(), position=Position("a.cpp", line, column))
    assert list(labels({"a.cpp": text}, [loop]).values()) == ([label] if label else [])


def said_of(folder: Path, text: str, **options: Any) -> list[str]:
    (result,) = ppnsim.schedule(written(folder, text), function="k", **options)._results()
    return [each.rpartition("/")[2] for each in result["without_effect"]]


def test_directives_in_code_that_is_not_in_the_kernel_are_named(tmp_path: Path) -> None:
    text = """template <int N> int of(int x) {
#pragma HLS inline
    return x * N; }
    int never(int x) {
#pragma HLS pipeline II=2
#pragma HLS latency min=4
    return x; }
    void k(int A[8]) { for (int i = 0; i < 8; i++) A[i]++; }"""
    assert said_of(tmp_path, text) == ["kernel.cpp:2:1: directives in code that is not part of 'k' (lines 2, 5, 6)"]


def test_what_is_dropped_is_named_with_the_line_of_its_directive(tmp_path: Path) -> None:
    text = """void k(int A[8], int n) {
    for (int i = 0; i < n; i++) {

#pragma HLS unroll factor=2
    A[i]++; } }"""
    assert said_of(tmp_path, text) == ["kernel.cpp:4:1: unroll of a loop whose trip count is not known"]


@pytest.mark.parametrize("off", [" off", ""])
def test_the_balance_of_a_function_is_that_of_its_loops(tmp_path: Path, off: str) -> None:
    sums = " + ".join(f"A[i + {n}]" for n in range(9 if off else 4))
    kind = "int" if off else "float"
    text = f"void k({kind} A[109], {kind} B[96]) {{{{\n#pragma HLS array_partition variable=A complete\n{{}}\n"
    text += f"for (int i = 0; i < 96; i++) {{{{\n{{}}\nB[i] = {sums}; }}}} }}}}"
    pragma = f"#pragma HLS expression_balance{off}"
    plain, whole, inner = (
        shape_of(schedule_of(written(tmp_path, text.format(*each)))) for each in (("", ""), (pragma, ""), ("", pragma))
    )
    assert plain != whole == inner


def test_an_offset_that_is_none_is_refused(tmp_path: Path) -> None:
    text = "void k(int A[8]) {\n#pragma HLS interface m_axi port=A offset=slav\nA[0] = 1; }"
    with pytest.raises(InputError, match=r"kernel\.cpp:2:1: interface: no offset 'slav' \(did you mean 'slave'\?\)"):
        ppnsim.schedule(written(tmp_path, text))


def test_a_blank_after_hls_is_missed_in_words(tmp_path: Path) -> None:
    """The compiler passes over ``#pragma HLSunroll``, and so did we, without a word."""
    text = "void k(int A[96]) {\nfor (int i = 0; i < 96; i++) {\n#pragma HLSunroll factor=4\nA[i] = 1; } }"
    with pytest.raises(InputError, match=r"cpp:3:1: #pragma hlsunroll is no directive \(did you mean '#pragma HLS unr"):
        directives_of(tmp_path, text)


def test_other_names_that_begin_like_a_directive_are_passed_over_and_listed(tmp_path: Path) -> None:
    text = "void k(int A[96]) {\nfor (int i = 0; i < 96; i++) {\n#pragma HLS topology x\nA[i] = 1; } }"
    assert ["topology, which is no directive" in each for each in directives_of(tmp_path, text).ignored] == [True]
