"""What an explanation says of a source: where the loop stands, its interval, and what sets it."""

from pathlib import Path

import pytest
from rich.console import Console

import ppnsim

TEXT = """
#include "hls_stream.h"
static void read(const int a[32], hls::stream<int> &s) {
    for (int i = 0; i < 32; i++) {
#pragma HLS pipeline II=1
        s.write(a[i]);
    }
}
static void total(hls::stream<int> &s, float out[32]) {
    float sum = 0;
    for (int k = 0; k < 32; k++) {
#pragma HLS pipeline II=1
        sum += s.read();
        out[k] = sum;
    }
}
void top(const int a[32], float out[32]) {
#pragma HLS dataflow
    hls::stream<int> s;
    read(a, s);
    total(s, out);
}
"""


def test_the_recurrence_that_slows_a_path_is_named_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "top.cpp"
    source.write_text(TEXT)
    told = ppnsim.explain(source, top=0, function="top")
    (loop,) = told.to_dict()["source"]["slow_loops"]
    assert loop.startswith("total (top.cpp:10): loop k (line 11), ") and "recurrence" in loop
    interval = next(nest for nest in ppnsim.schedule(source, function="top").to_dict()["loops"] if nest["line"] == 11)
    assert f"II {interval['ii']} by the {interval['ii_bound_by']}" in loop
    assert loop in told.sentences and interval["ii"] > 1
    told.print(Console(width=300))
    assert loop in capsys.readouterr().out


def test_other_networks_have_no_loops() -> None:
    told = ppnsim.explain(ppnsim.fork_join(firings=20), top=0)
    assert "source" not in told.to_dict() and not any("loop" in each for each in told.sentences)
