"""Designs whose data decides: Python executes them with their testbench, with the results of the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import ppnsim
from ppnsim.source_networks.model import SourceNetwork
from tests.helpers.commands import ppnsim as command

HEAD = "#include <hls_stream.h>\n"
SPLIT = (
    HEAD
    + """static void put(const int in[16], hls::stream<int> &odd, hls::stream<int> &even) {
  for (int i = 0; i < 16; i++) { if (in[i] % 2) odd.write(in[i]); else even.write(in[i]); }
}
static void get(hls::stream<int> &odd, hls::stream<int> &even, const int in[16], int out[16]) {
  for (int i = 0; i < 16; i++) out[i] = in[i] % 2 ? odd.read() : even.read();
}
void top(const int in[16], const int same[16], int out[16]) {
#pragma HLS dataflow
  hls::stream<int> odd, even;
  put(in, odd, even);
  get(odd, even, same, out);
}
"""
)
POLLS = SPLIT.replace("odd.read() : even.read()", "odd.read() : (even.empty(), even.read())")
BENCH = """void top(const int in[16], const int same[16], int out[16]);
int main() { int a[16], b[16]; for (int i = 0; i < 16; i++) a[i] = i / 3; top(a, a, b); }
"""


def bare(told: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in told.items() if name != "seconds"}


@pytest.mark.parametrize("text", [SPLIT, POLLS])
def test_python_executes_a_testbench_as_the_command_does(tmp_path: Path, text: str) -> None:
    source, bench = tmp_path / "k.cpp", tmp_path / "bench.cpp"
    source.write_text(text)
    bench.write_text(BENCH)
    told = command("run", str(source), "--function", "top", "--testbench", str(bench), "--json", "-")
    found = ppnsim.run(source, function="top", testbench=str(bench))
    assert bare(json.loads(json.dumps(found.to_dict()))) == bare(json.loads(told.stdout))


def test_a_trace_is_recorded_and_read_and_what_polls_is_no_network(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, bench, trace = tmp_path / "k.cpp", tmp_path / "bench.cpp", tmp_path / "trace.json"
    source.write_text(SPLIT)
    bench.write_text(BENCH)
    recorded = ppnsim.run(source, testbench=str(bench), trace=trace, time_limit=60)
    assert trace.exists() and ppnsim.run(source, trace=trace).finish == recorded.finish
    capsys.readouterr()
    assert ppnsim.run(source, trace=trace, depths=200).finish == recorded.finish  # as recorded, whatever the memory
    assert "other memories" not in capsys.readouterr().err
    sized = ppnsim.size(source, testbench=str(bench))
    assert isinstance(sized.network.origin, SourceNetwork)
    assert sized.network.origin.holds_for == f"the tokens of {bench}"
    assert sized.network.run().finish == sized.to_dict()["lossless"]["finish"]
    with pytest.raises(ppnsim.InputError, match=r"k\.cpp: latency can not be used with testbench and trace"):
        ppnsim.run(source, testbench=str(bench), latency=3)
    source.write_text(POLLS)
    with pytest.raises(
        ppnsim.InputError,
        match=r"k\.cpp: its order depends on time, so that it is no network: only ppnsim\.run takes it",
    ):
        ppnsim.size(source, testbench=str(bench))


def test_tasks_that_wait_for_ever_are_a_deadlock_of_the_execution_and_no_trace(tmp_path: Path) -> None:
    source, bench, trace = tmp_path / "k.cpp", tmp_path / "bench.cpp", tmp_path / "trace.json"
    source.write_text(SPLIT.replace("in[i] % 2 ? odd.read()", "i % 2 ? odd.read()"))  # as many, in another order
    bench.write_text(BENCH.replace("i / 3", "2 * i"))  # none of them odd
    found = ppnsim.run(source, testbench=str(bench), trace=trace)
    assert found.deadlocked and "get waits for a token of 'odd' (empty)" in str(found)
    with pytest.raises(ppnsim.InputError, match="its tasks wait for each other for ever with this testbench"):
        ppnsim.run(source, trace=trace)
