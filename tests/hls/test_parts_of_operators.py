"""What products and sums are made of: their width, or a directive, says it (R8.1)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.library.schedule import schedule
from tests.helpers.hls_sources import written

_TEXT = """#include <ap_int.h>
typedef {of} T;
void f(T a[64], T b[64], T c[64], long long y[64]) {{ for (int i = 0; i < 64; i++) {{ long long x = {value};
{pragma}
 y[i] = x; }} }}"""


@pytest.mark.parametrize(
    ("of", "value", "pragma", "area"),
    [
        ("signed char", "a[i] * b[i]", "", (0, 40)), ("ap_int<9>", "a[i] * b[i]", "", (0, 50)),
        ("ap_int<11>", "a[i] * b[i]", "", (1, 0)), ("short", "a[i] * b[i]", "", (1, 0)),
        ("short", "a[i] * b[i]", "bind_op variable=x op=mul impl=fabric", (0, 159)),
        ("short", "a[i] * b[i]", "resource variable=x core=Mul_LUT", (0, 159)),
        ("short", "a[i] * b[i]", "bind_op variable=x op=mul impl=dsp", (1, 0)),
        ("signed char", "a[i] * b[i]", "bind_op variable=x op=mul impl=dsp", (1, 0)),
        ("signed char", "a[i] * b[i] + c[i]", "", (1, 0)),  # of one block with the sum
        ("short", "a[i] + b[i]", "bind_op variable=x op=add impl=dsp", (1, 0)),
        ("short", "a[i] + b[i]", "resource variable=x core=AddSub_DSP", (1, 0)),
    ],
)  # fmt: skip
def test_a_width_or_a_directive_says_what_an_operator_is_made_of(
    of: str, value: str, pragma: str, area: tuple[int, int], tmp_path: Path
) -> None:
    line = f"#pragma HLS {pragma}" if pragma else ""
    kernel = schedule(written(tmp_path, _TEXT.format(of=of, value=value, pragma=line)), function="f").kernels[0]
    assert (kernel.area.dsp, kernel.area.lut) == area
    assert not kernel.without_effect


def test_a_product_in_lookup_tables_shares_no_block_with_a_sum(tmp_path: Path) -> None:
    """R2.9, R8.1: a product and its sum are one DSP block, unless a directive puts the product elsewhere."""
    text = "void f(short a[64], short b[64], int c[64]) { for (int i = 0; i < 64; i++) { int x = a[i] * b[i];\n%s\n"
    text += "c[i] = x + c[i]; } }"
    found = [
        schedule(written(tmp_path, text % each), function="f").kernels[0]
        for each in ("", "#pragma HLS bind_op variable=x op=mul impl=fabric")
    ]
    assert [kernel.area.dsp for kernel in found] == [1, 0]
    blocks = [any(node.mac for node in kernel.nests[0].body.graph.nodes) for kernel in found]
    assert blocks == [True, False]


@pytest.mark.parametrize(("core", "states"), [("Mul_LUT", 3), ("MulnS", 3), ("DSP48", 3)])
def test_a_core_of_an_operator_has_the_latency_that_it_is_given(core: str, states: int, tmp_path: Path) -> None:
    pragma = f"#pragma HLS resource variable=x core={core} latency={states}"
    text = _TEXT.format(of="short", value="a[i] * b[i]", pragma=pragma)
    kernel = schedule(written(tmp_path, text), function="f").kernels[0]
    (product,) = (node for node in kernel.nests[0].body.graph.nodes if node.name == "mul")
    assert product.states == states
