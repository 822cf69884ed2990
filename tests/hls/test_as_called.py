"""Functions as their callers have them (R6.8), responses to writes (R6.9), what reports count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ppnsim import schedule

TOP = """#define N 4
void add(int n, int *a, int b[64], int out[64]) { for (int i = 0; i < n; i++) out[i] = a[i] + b[i]; }
void middle(int n, int *a, int b[64], int out[64]) { add(n, a, b, out); }
void top(int *mem, int out[64]) {
#pragma HLS interface m_axi port=mem bundle=gmem offset=slave
    int b[64];
#pragma HLS array_partition variable=b cyclic factor=N
    int rows = 40;
    for (int i = 0; i < 64; i++) b[i] = i;
    middle(rows, mem + 3, b, out);
}
int main() { int m[64], b[64]; top(m, b); }
"""


def found(folder: Path, text: str, **options: Any) -> dict[str, Any]:
    (folder / "k.cpp").write_text(text, "utf-8")
    return schedule(folder / "k.cpp", device="alveo-u55c", clock="5 ns", **options).to_dict()


def test_a_function_gets_numbers_buses_and_partitions_from_its_callers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (loop,) = found(tmp_path, TOP, function="add", flow="vivado")["loops"]
    assert loop["iterations"] == 40
    said = capsys.readouterr().err
    assert "'a' is what 'middle' hands to 'add': interface port=a m_axi bundle=gmem" in said
    assert "array_partition variable=b cyclic factor=4" in said
    assert loop["depth"] >= 8  # R6.4: a read over a bus


def test_callers_that_differ_say_nothing_and_a_kernel_s_own_interface_wins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "int a[64], b[64]; for (int i = 0; i < 64; i++) a[i] = b[i] = i; add(40, a, b, out);"
    other = f"void other(int out[64]) {{ {body} }}\n"
    (loop,) = found(tmp_path, TOP.replace("int main", other + "int main"), function="add")["loops"]
    assert loop["depth"] < 8
    own = TOP.replace("int out[64]) { for", "int out[64]) {\n#pragma HLS interface bram port=a\nfor", 1)
    (loop,) = found(tmp_path, own, function="add")["loops"]
    assert loop["depth"] < 8
    assert "'a' is what" not in capsys.readouterr().err


def test_a_call_with_a_number_that_is_not_known_differs(tmp_path: Path) -> None:
    text = "void f(int a[64], int n) { for (int i = 0; i < n; i++) a[i] = i; }\n"
    calls = "void t1(int x[64], int m) { f(x, m); }\nvoid t2(int x[64]) { f(x, 10); }\n"
    assert found(tmp_path, text + calls.splitlines()[1], function="f")["loops"][0]["iterations"] == 10
    assert found(tmp_path, text + calls, function="f")["loops"][0]["iterations"] == 64


def test_a_table_outside_of_functions_has_the_partition_that_a_caller_asks_for(tmp_path: Path) -> None:
    """Its reads were those of one memory, eight in a row; ``&`` is how Vivado HLS writes a name into its own copy."""
    text = """const int W[8][16] = {{{{3, 1}}, {{1, 5}}, {{2, 6}}, {{3, 5}}, {{9, 7}}, {{3}}, {{8}}, {{2}}}};
void f(const int w[8][16], int y[16], int k) {{ for (int i = 0; i < 16; i++) {{
#pragma HLS pipeline
    int t = 0; for (int j = 0; j < 8; j++) t += w[j][(i + k) & 15] * k; y[i] = t; }} }}
void top(int y[16], int k) {{
{pragma}
    f(W, y, k); }}
"""
    pragmas = (
        "",
        "#pragma HLS array_partition variable=W complete dim=1",
        "#pragma HLS array_partition variable=&W dim=1",
    )
    intervals = [found(tmp_path, text.format(pragma=each), function="f")["loops"][0]["ii"] for each in pragmas]
    assert intervals == [4, 1, 1]


WRITES = """void f(int *a, int b[64]) {{
#pragma HLS interface m_axi port=a bundle=gmem
#pragma HLS interface s_axilite port=return
    {loop} for (int i = 0; i < 64; i++) a[{at}] = b[i]; {end}
}}
"""


@pytest.mark.parametrize(("flow", "response"), [("vivado", 5), ("vitis", 69)])
def test_code_waits_for_the_response_to_what_it_has_written(tmp_path: Path, flow: str, response: int) -> None:
    once = found(tmp_path, WRITES.format(loop="", at="i", end=""), flow=flow, worst=True)
    # The loop, an address and a request before it, a state that starts it, and the response; R5.12 adds two.
    assert once["cycles"] == once["loops"][0]["cycles"] + 2 + response + 2
    loop = "for (int r = 0; r < 3; r++) {\n#pragma HLS loop_flatten off\n"
    again = found(tmp_path, WRITES.format(loop=loop, at="i * 3 + r", end="}"), flow=flow, worst=True)
    assert again["cycles"] > 3 * (64 + response)


def test_what_reports_count_leaves_the_registers_of_axi_lite_out(tmp_path: Path) -> None:
    text = WRITES.format(loop="", at="i", end="")
    assert found(tmp_path, text)["cycles"] - found(tmp_path, text, worst=True)["cycles"] == 14 - 2  # R9.11, R5.12


TASKS = """float sum(short a[32], short b[32]) {
    float total = 0;
    for (int i = 0; i < 32; i++) total = total + a[i] * b[i];
    return total;
}
void both(short a[32], short b[32], short c[32], float out[2]) {
#pragma HLS dataflow
    out[0] = sum(a, b);
    out[1] = sum(b, c);
}
void f(short a[32], short b[32], short c[32], float out[2], int n) {
    for (int r = 0; r < n; r++) {
    #pragma HLS loop_tripcount max=4
        both(a, b, c, out);
    }
}
"""


def test_a_result_that_is_stored_belongs_to_its_call_and_places_apart_are_no_order(tmp_path: Path) -> None:
    whole = found(tmp_path, TASKS, function="f", worst=True)
    alone = found(tmp_path, TASKS, function="sum", worst=True)["cycles"]
    assert 4 * alone <= whole["cycles"] < 4 * (alone + 12)  # twice as many if the second call waits for the first one
