"""Streams of blocks: a lock holds a block from its declaration to the end of its scope, and tasks overlap (R7.7)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import ppnsim
from ppnsim.errors import InputError
from ppnsim.hls.native.build import HEADERS, compiler
from ppnsim.hls.report import ScheduledKernel
from ppnsim.model.network import Network
from ppnsim.source_networks.depths import stream_pragmas, with_pragmas
from ppnsim.source_networks.load import load_source
from tests.hls.native.designs import needs_compiler

BLOCKS, SIDE = 6, 16
HEAD = f"#include <hls_stream.h>\n#include <hls_streamofblocks.h>\ntypedef int buf[{SIDE}];\n"
WRITER = f"""void writer(int in[96], hls::stream_of_blocks<buf> &s) {{
  for (int b = 0; b < {BLOCKS}; b++) {{
    hls::write_lock<buf> L(s);
    for (int i = 0; i < {SIDE}; i++) {{
#pragma HLS pipeline II=1
      L[15 - i] = in[b * 16 + i];
    }}
  }}
}}
"""
READER = f"""void reader(hls::stream_of_blocks<buf> &s, int out[96]) {{
  for (int b = 0; b < {BLOCKS}; b++) {{
    hls::read_lock<buf> L(s);
    for (int i = 0; i < {SIDE}; i++) {{
#pragma HLS pipeline II=1
      out[b * 16 + i] = L[i] * 3;
    }}
  }}
}}
"""
TOP = """void top(int in[96], int out[96]) {
#pragma HLS dataflow
  hls::stream_of_blocks<buf, DEPTH> s("s");
  writer(in, s);
  reader(s, out);
}
"""
# The example of the vendor (Vitis-HLS-Introductory-Examples, using_stream_of_blocks), in words of our own.
DIAMOND = """#include <hls_stream.h>
#include <hls_streamofblocks.h>
typedef unsigned char block[10];
typedef hls::stream_of_blocks<block> blocks;
void a(hls::stream<unsigned char> &in, blocks &p, blocks &q) {
  for (int b = 0; b < 10; b++) {
#pragma HLS pipeline II=10
    hls::write_lock<block> x(p), y(q);
    for (int i = 0; i < 10; i++) { unsigned char v = in.read() * 3; x[i] = v; y[i] = v; }
  }
}
void b(blocks &in, blocks &out) {
  for (int b = 0; b < 10; b++) {
#pragma HLS pipeline II=5
    hls::read_lock<block> x(in);
    hls::write_lock<block> y(out);
    for (int i = 0; i < 10; i++) y[i] = x[i] + 25;
  }
}
void d(blocks &p, blocks &q, hls::stream<unsigned char> &out) {
  for (int b = 0; b < 10; b++) {
#pragma HLS pipeline II=10
    hls::read_lock<block> x(p), y(q);
    for (int i = 0; i < 10; i++) out.write(x[i] + y[i] * 2);
  }
}
void diamond(hls::stream<unsigned char> &in, hls::stream<unsigned char> &out) {
#pragma HLS dataflow
  blocks p, q, r, t;
  a(in, p, q); b(p, r); b(q, t); d(r, t, out);
}
"""


def written(folder: Path, text: str) -> Path:
    (folder / "k.cpp").write_text(text)
    return folder / "k.cpp"


def source(depth: int = 2, writer: str = WRITER, reader: str = READER) -> str:
    return HEAD + writer + reader + TOP.replace("DEPTH", str(depth))


def schedule(path: Path, function: str = "top", device: str = "xc7z020") -> ScheduledKernel:
    return ppnsim.schedule(path, function=function, device=device).kernels[0]


def network(path: Path, function: str = "top") -> Network:
    return load_source(str(path), function=function).network


def test_blocks_are_handed_on_one_by_one(tmp_path: Path) -> None:
    """A reader starts when the first block is released, not when its writer ends, and as many are held as it says."""
    found = network(written(tmp_path, source()))
    held, full = found.channel("s"), found.channel("s: full")
    assert (held.depth, held.width, held.fixed, full.depth, full.fixed) == (2, SIDE * 32, False, None, True)
    begin, end = held.write_steps, full.write_steps
    assert begin is not None and end is not None
    spans = end.expand() - begin.expand()
    assert len(spans) == BLOCKS and set(np.diff(begin.expand())) == {19} and set(spans) == {18}
    together, alone = ppnsim.run(found).finish, ppnsim.run(found.with_depths(1)).finish
    assert together is not None and alone is not None
    assert together <= 20 + 22 * BLOCKS < 36 * BLOCKS < alone


@pytest.mark.parametrize("depth", [1, 2, 3, 5])
def test_the_run_is_what_blocks_in_turn_give(depth: int, tmp_path: Path) -> None:
    """An oracle in a few lines: blocks one after the other, each when the block ``depth`` before it is free."""
    path = written(tmp_path, source(depth))
    found = network(path)
    steps = {
        name: [each.expand() for each in (found.channel(name).write_steps, found.channel(name).read_steps) if each]
        for name in ("s", "s: full")
    }
    (acquired, freed), (released, taken) = steps["s"], steps["s: full"]
    stood = {"writer": 0, "reader": 0}  # cycles that a task has stood still so far
    free: list[int] = []
    for n in range(BLOCKS):
        if n >= depth:
            stood["writer"] = max(stood["writer"], free[n - depth] + 1 - int(acquired[n]))
        there = int(released[n]) + stood["writer"] + 1
        stood["reader"] = max(stood["reader"], there - int(taken[n]))
        free.append(int(freed[n]) + stood["reader"])
    reader = schedule(path, "reader").machine.cycles
    assert schedule(path).machine.cycles == reader + stood["reader"]


def test_a_diamond_of_blocks_has_the_intervals_of_the_vendor(tmp_path: Path) -> None:
    """The vendor's README says 10, 5, 5, 10; a report (xcu55c, 10 ns, 2025.2) adds A, B and D up to 258 cycles."""
    path = written(tmp_path, DIAMOND)
    whole = schedule(path, "diamond", "xcu55c")
    assert [nest.body.schedule.ii for nest in whole.nests] == [10, 5, 5, 10]
    tasks = {task.name: task.cycles for task in whole.machine.tasks}
    assert sum(tasks[name] + 2 for name in "abd") == pytest.approx(258, abs=2)
    assert 100 < whole.machine.cycles < 130


@pytest.mark.parametrize("device", ["xc7z020", "xcu280"])
def test_a_lock_keeps_two_loops_apart(device: str, tmp_path: Path) -> None:
    """Else the nest would be one pipeline that releases a block while it fills the next one."""
    nests = schedule(written(tmp_path, source()), device=device).nests
    assert [(nest.visits, nest.iterations) for nest in nests] == [(BLOCKS, BLOCKS * SIDE)] * 2


def test_what_one_block_had_is_not_known_of_the_next(tmp_path: Path) -> None:
    """A load of one element is not made once before the loop, and a store is not left out for a later one."""
    reader = """void reader(hls::stream_of_blocks<buf> &s, int out[96]) {
      for (int b = 0; b < 6; b++) {
    #pragma HLS pipeline II=1
        hls::read_lock<buf> L(s);
        out[b] = L[3] + out[b + 6];
      } }
    """
    writer = """void writer(int in[96], hls::stream_of_blocks<buf> &s) {
      for (int b = 0; b < 6; b += 2) {
    #pragma HLS pipeline II=1
        { hls::write_lock<buf> L(s); L[3] = in[b]; }
        { hls::write_lock<buf> L(s); L[3] = in[b + 1]; }
      } }
    """
    path = written(tmp_path, source(2, writer, reader))
    body = schedule(path).nests[-1].body
    assert sum(node.kind == "load" and "block" in node.name for node in body.graph.nodes) == 1
    assert not any(edge.kind == "ram" and "through" in edge.reason for edge in body.graph.back)
    both = schedule(path).nests[0].body
    states = [both.schedule.issue[n.index][0] for n in both.graph.nodes if n.kind == "store"]
    assert len(states) == 2 and states[0] < states[1] and both.schedule.ii == 2


def test_a_lock_goes_to_a_function_and_is_an_array_there(tmp_path: Path) -> None:
    helped = READER.replace("L[i] * 3", "L[i] * 3").replace("hls::read_lock<buf> L(s);", "hls::read_lock<buf> M(s);")
    helped = "int third(int L[16], int i) { return L[i] * 3; }\n" + helped.replace("L[i] * 3", "third(M, i)")
    direct = schedule(written(tmp_path, source())).machine.cycles
    assert schedule(written(tmp_path, source(reader=helped))).machine.cycles == direct


@pytest.mark.parametrize(("before", "after"), [("<buf, 1>", "<buf, 2>"), ("<buf>", "<buf, 2>")])
def test_depths_are_in_blocks_and_stand_in_the_type(before: str, after: str, tmp_path: Path) -> None:
    path = written(tmp_path, source(1).replace("<buf, 1>", before))
    assert ppnsim.size(path, function="top", front=False).depths == {"s": 2}
    pragmas = stream_pragmas(load_source(str(path), function="top"), {"s": 2})
    assert pragmas[0].text == "hls::stream_of_blocks<.., 2> s"  # no pragma says it
    copy = with_pragmas(path.read_bytes(), str(path), pragmas)
    assert copy == path.read_bytes().replace(f"{before} s(".encode(), f"{after} s(".encode())
    path.write_bytes(copy)
    assert network(path).channel("s").depth == 2


def test_a_depth_that_functions_say_too_is_left_to_the_user(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = written(tmp_path, source(1).replace("stream_of_blocks<buf> &s", "stream_of_blocks<buf, 1> &s"))
    ppnsim.size(path, function="top", front=False).save(tmp_path / "sized.cpp")
    words = "not written: s = 2 (a stream of blocks has its depth as second argument of its type"
    assert words in " ".join(capsys.readouterr().err.split())
    assert (tmp_path / "sized.cpp").read_bytes() == path.read_bytes()


def test_conditions_on_iterators_say_which_blocks_pass(tmp_path: Path) -> None:
    """Every second round of the writer has a block, so that the reader's six blocks are three too many."""
    begin, end = "for (int b = 0; b < 6; b++) {", "\n  }\n}\n"
    writer = WRITER.replace(begin, f"{begin} if (b % 2 == 0) {{").replace(end, f"\n  }}{end}")
    reader = READER.replace("b < 6", "b < 3")
    held = network(written(tmp_path, source(2, writer, reader))).channel("s")
    assert held.write_steps is not None and held.write_steps.count == 3
    with pytest.raises(InputError, match="FIFO 's': task 'reader' reads 6 tokens and 'writer' writes 3"):
        network(written(tmp_path, source(2, writer)))


def test_tasks_without_an_end_pass_blocks(tmp_path: Path) -> None:
    text = (
        HEAD
        + """#include <hls_task.h>
void pack(hls::stream<int> &in, hls::stream_of_blocks<buf> &s) {
  hls::write_lock<buf> L(s); for (int i = 0; i < 16; i++) L[15 - i] = in.read(); }
void unpack(hls::stream_of_blocks<buf> &s, hls::stream<int> &out) {
  hls::read_lock<buf> L(s); for (int i = 0; i < 16; i++) out.write(L[i]); }
void feed(int a[64], hls::stream<int> &o) { for (int i = 0; i < 64; i++) o.write(a[i]); }
void drain(hls::stream<int> &o, int b[64]) { for (int i = 0; i < 64; i++) b[i] = o.read(); }
void top(int a[64], int b[64]) {
#pragma HLS dataflow
  hls_thread_local hls::stream_of_blocks<buf> s;
  hls_thread_local hls::stream<int> x, y;
  feed(a, x);
  hls_thread_local hls::task one(pack, x, s);
  hls_thread_local hls::task two(unpack, s, y);
  drain(y, b);
}
"""
    )
    whole = schedule(written(tmp_path, text)).machine
    assert {task.name: task.runs for task in whole.tasks} == {"feed": 1, "pack": 4, "unpack": 4, "drain": 1}
    assert 64 + 16 < whole.cycles < 110  # one block after the other would take 128 cycles and more


@pytest.mark.parametrize(
    ("reader", "message"),
    [("hls::read_lock<buf> L(s); hls::read_lock<buf> M(s); out[b] = L[0] + M[1];",
      "a second lock of 's', 'M' .close the scope of the first one before. is not followed"),
     ("hls::read_lock<buf> L(s); if (L[0] == 3) break; out[b] = L[1];",
      "a break out of the scope of lock 'L' .let the scope end before it. is not followed")],
)  # fmt: skip
def test_what_is_not_followed_is_said(reader: str, message: str, tmp_path: Path) -> None:
    text = f"void reader(hls::stream_of_blocks<buf> &s, int out[96]) {{ for (int b = 0; b < 6; b++) {{ {reader} }} }}\n"
    with pytest.raises(InputError, match=message):
        schedule(written(tmp_path, source(reader=text)))


@pytest.mark.parametrize(
    "lock", ["lock(s, in[b])", "hls::stream_of_blocks<buf> &t = s; hls::write_lock<buf> M(t); M[0] = b"]
)
def test_a_second_lock_behind_a_call_or_a_reference_is_refused(lock: str, tmp_path: Path) -> None:
    helper = "void lock(hls::stream_of_blocks<buf> &s, int x) { hls::write_lock<buf> M(s); M[0] = x; }\n"
    writer = WRITER.replace("    for", f"    {lock};\n    for")
    with pytest.raises(InputError, match=r"k.cpp:\d+:\d+: a second write lock of 's' while one is held"):
        schedule(written(tmp_path, source(writer=helper + writer)))


def test_a_lock_without_braces_passes_a_block_over(tmp_path: Path) -> None:
    """It took the block and gave none back, so that a design that runs was told as a deadlock."""
    skip = READER.replace("    hls::read", "    if (b % 2) hls::read_lock<buf> K(s);\n    else { hls::read", 1)
    braces = skip.replace("hls::read_lock<buf> K(s);", "{ hls::read_lock<buf> K(s); }")
    alone, inside = (
        network(written(tmp_path, source(reader=each.replace("\n  }\n}\n", "\n  }}\n}\n")))) for each in (skip, braces)
    )
    assert ppnsim.run(alone).finish == ppnsim.run(inside).finish is not None
    head = WRITER.replace(
        "hls::write_lock<buf> L(s);\n    for (int i = 0;", "int i = 0;\n    for (hls::write_lock<buf> L(s);"
    )
    with pytest.raises(InputError, match=r"lock 'L' in the head of a loop .* is not followed"):
        schedule(written(tmp_path, source(writer=head)))


def test_a_stream_of_blocks_without_a_region_is_no_network(tmp_path: Path) -> None:
    text = source().replace("#pragma HLS dataflow\n", "")
    with pytest.raises(InputError, match="FIFO 's' of 'top' has to hold 6 tokens and holds 2"):
        schedule(written(tmp_path, text))


def test_a_block_is_an_array(tmp_path: Path) -> None:
    text = source().replace(f"typedef int buf[{SIDE}]", "typedef int buf").replace("L[15 - i]", "(int &)L")
    with pytest.raises(InputError, match=r"k.cpp:6:26: lock 'L' of a block that is no array .* is not followed"):
        schedule(written(tmp_path, text.replace("L[i]", "(int &)L")))


def test_a_test_whether_a_block_is_there_is_for_data_to_decide(tmp_path: Path) -> None:
    """`schedule` takes the body as always executed, which it says, and a network is refused where the test stands."""
    reader = READER.replace("hls::read_lock", "if (!s.empty()) {\n    hls::read_lock").replace(
        "\n  }\n}\n", "\n  }}\n}\n"
    )
    path = written(tmp_path, source(reader=reader))
    assert schedule(path).machine.cycles > schedule(path, "writer").machine.cycles
    with pytest.raises(InputError, match=r"k.cpp:15:\d+: 's.empty\(\)' does not wait"):
        network(path)


@needs_compiler
def test_the_stand_in_executes_as_the_vendor_says(tmp_path: Path) -> None:
    """Blocks of a turned image and of the functions above, with g++."""
    scenario = Path(__file__).parents[2] / "scenarios/hls/corner_turn.cpp"
    main = f"""#include "{scenario}"
    {source(3).partition("typedef")[1]}{source(3).partition("typedef")[2]}
    int main() {{
      int a[96], b[96];
      for (int i = 0; i < 96; i++) a[i] = i * i;
      top(a, b);
      for (int i = 0; i < 96; i++) if (b[i] != 3 * a[i / 16 * 16 + 15 - i % 16]) return 1;
      hls::stream<short> in, out;
      for (int i = 0; i < ROWS * SIDE; i++) in.write(i);
      corner_turn(in, out);
      for (int at = 0; at < ROWS; at += SIDE)
        for (int c = 0; c < SIDE; c++)
          for (int r = 0; r < SIDE; r++) if (out.read() != (at + r) * SIDE + c) return 2;
      hls::stream_of_blocks<tile> t;
      if (!t.empty() || t.full()) return 3;
      {{ hls::write_lock<tile> w(t); w[2][3] = 7; }}
      if (t.empty()) return 4;
      hls::read_lock<tile> r(t);
      tile &whole = r;
      return whole[2][3] == 7 ? 0 : 5;
    }}"""
    written(tmp_path, main)
    command = [compiler(), "-O0", "-w", f"-I{HEADERS}", "-o", str(tmp_path / "k"), str(tmp_path / "k.cpp")]
    subprocess.run(command, check=True)
    assert subprocess.run([str(tmp_path / "k")], check=False).returncode == 0
