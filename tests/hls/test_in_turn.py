"""``hls::split`` and ``hls::merge``: ports that are served in turn (R7.6)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, timed
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from tests.helpers.hls_sources import written

SPLIT = """
#include "hls_np_channel.h"
void source(int in[16], hls::stream<int> &out) {
  for (int i = 0; i < TOKENS; i++) {
#pragma HLS pipeline II=1
    out.write(in[i]); } }
void worker(hls::stream<int> &in, hls::stream<int> &out) { out.write(in.read() * 2); }
void sink(hls::stream<int> &in, int out[16]) {
  for (int i = 0; i < TOKENS; i++) {
#pragma HLS pipeline II=1
    out[i] = in.read(); } }
void top(int in[16], int out[16]) {
  hls_thread_local hls::split::KIND<int, 4MORE> s;
  hls_thread_local hls::merge::round_robin<int, 4> m;
#pragma HLS dataflow
  source(in, s.in);
  hls_thread_local hls::task t[4];
  for (int i = 0; i < 4; i++) {
#pragma HLS unroll
    t[i](worker, s.out[i], m.in[i]);
  }
  sink(m.out, out);
}
"""


def _network(folder: Path, kind: str = "round_robin", more: str = "", tokens: int = 16) -> SourceNetwork:
    text = SPLIT.replace("KIND", kind).replace("MORE", more).replace("TOKENS", str(tokens))
    return load_source(str(written(folder, text)), function="top")


def test_tokens_go_round(tmp_path: Path) -> None:
    found = _network(tmp_path)
    tasks = {process.name: process for process in found.network.processes}
    assert {"split_round_robin", "merge_round_robin", "worker", "worker_4"} <= set(tasks)
    assert tasks["split_round_robin"].firings == tasks["worker"].firings == 4
    assert any("one token a cycle" in note and "R7.6" in note for note in found.notes)


@pytest.mark.parametrize(("more", "main", "port"), [("", 2, 1), (", 7", 7, 1), (", 7, 5", 7, 5)])
def test_buffers_have_the_depths_of_the_type(tmp_path: Path, more: str, main: int, port: int) -> None:
    depths = {channel.name: channel.depth for channel in _network(tmp_path, more=more).network.channels}
    assert depths["s_in"] == main and {depths[f"s_out[{at}]"] for at in range(4)} == {port}
    assert depths["m_out"] == 2


def test_who_comes_first_is_taken_in_turn_which_is_said(tmp_path: Path) -> None:
    """It was refused."""
    found = _network(tmp_path, kind="load_balance")
    assert any("split_load_balance serve their ports in turn" in note for note in found.notes)
    assert run(found.network).finish == run(_network(tmp_path).network).finish


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("worker, s.out[i], f", "hls::task is given a function and its arguments"),
        ("[](hls::stream<int> &a, hls::stream<int> &b) { b.write(a.read()); }, s.out[i], m.in[i]", "no lambda"),
        ("worker, s.out[i]", "each argument is of the type of its parameter"),
        ("worker, 3, m.in[i]", "each argument is of the type of its parameter"),
    ],
)
def test_a_task_has_arguments_of_the_types_of_its_parameters(tmp_path: Path, given: str, message: str) -> None:
    """A stream of another type was read as it is, in silence."""
    text = SPLIT.replace("KIND", "round_robin").replace("MORE", "").replace("TOKENS", "16")
    text = text.replace("worker, s.out[i], m.in[i]", given).replace(
        "s;\n", "s; hls_thread_local hls::stream<float> f;\n"
    )
    with pytest.raises(InputError, match=rf"kernel\.cpp:\d+:\d+: .*{message}"):
        load_source(str(written(tmp_path, text)), function="top")


def test_a_round_that_is_not_whole_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"reads 14 tokens .* whole rounds of their ports"):
        _network(tmp_path, tokens=14)


def test_a_task_may_be_of_a_template(tmp_path: Path) -> None:
    """It was said not to be declared, and it runs as often as tokens come, also in a namespace."""
    text = SPLIT.replace("KIND", "round_robin").replace("MORE", "").replace("TOKENS", "16")
    text = text.replace("void worker(", "namespace n { template <int by> void worker(").replace("* 2); }", "* by); } }")
    found = load_source(str(written(tmp_path, text.replace("t[i](worker,", "t[i](n::worker<3>,"))))
    assert sum(process.name.startswith("worker") for process in found.network.processes) == 4


@pytest.mark.parametrize(
    ("header", "way"),
    [
        ("hls_dds.h", "'#pragma ppnsim latency"),
        ("ap_float.h", "float and double"), ("hls_array_partition.h", "'#pragma HLS array_partition"),
    ],
)  # fmt: skip
def test_a_header_that_is_not_followed_has_a_way_out(tmp_path: Path, header: str, way: str) -> None:
    text = f'#include "{header}"\nvoid top(int a[4]) {{ a[0] = of_the_vendor(); }}'
    with pytest.raises(InputError, match=rf"kernel.cpp:1:10: header '{header}' is not followed: .*{way}"):
        load_source(str(written(tmp_path, text)))


def test_it_is_not_executed_with_a_testbench(tmp_path: Path) -> None:
    """The words were of a pipelined function in a header of ours."""
    text = SPLIT.replace("KIND", "round_robin").replace("MORE", "").replace("TOKENS", "16")
    kernel, bench = written(tmp_path, text), written(tmp_path, "int main() { return 0; }", "bench.cpp")
    design = NativeDesign(path=str(kernel), testbench=str(bench), function="top")
    with pytest.raises(InputError, match=r"kernel.cpp:12:6: 'top' has hls::split or hls::merge, which are scheduled"):
        timed(design, load_library("xcvu9p", 5))
