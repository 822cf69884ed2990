"""Arrays between tasks as FIFOs (R7.5): where both tasks go through them in one order, and as streams are otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import NativeDesign, timed
from ppnsim.source_networks.depths import stream_pragmas, with_pragmas
from ppnsim.source_networks.load import load_source
from ppnsim.source_networks.model import SourceNetwork
from tests.helpers.commands import ppnsim as command
from tests.helpers.hls_sources import written

SHAPE = 4, 6
NAMES = "ij"


@dataclass(frozen=True)
class Walk:
    """How a task goes through an array: loops outermost first, each upwards or downwards; which elements it skips."""

    order: str
    down: tuple[bool, bool]
    last: int = 6
    twice: bool = False

    def elements(self) -> list[tuple[int, int]]:
        """Return the elements in order, as C executes the loops."""
        ends = {"i": SHAPE[0], "j": self.last}
        ranges = {
            name: range(end - 1, -1, -1) if down else range(end)
            for (name, end), down in zip(ends.items(), self.down, strict=True)
        }
        outer, inner = tuple(self.order)
        found = [{outer: one, inner: other} for one in ranges[outer] for other in ranges[inner]]
        return [(each["i"], each["j"]) for each in found for _ in range(1 + self.twice)]

    def code(self, body: str) -> str:
        """Return the loops around a statement."""
        ends = {"i": SHAPE[0], "j": self.last}
        text = ""
        for name in self.order:
            end, down = ends[name], self.down[NAMES.index(name)]
            text += f"for (int {name} = {end - 1 if down else 0}; {name} {'>= 0' if down else f'< {end}'}; "
            text += f"{name}{'--' if down else '++'}) "
        return f"{text}{{\n#pragma HLS pipeline II=2\n{body * (1 + self.twice)} }}"


WALKS = st.builds(
    Walk, order=st.sampled_from(["ij", "ji"]), down=st.tuples(*[st.sampled_from([False, False, True])] * 2),
    last=st.sampled_from([6, 6, 6, 5]), twice=st.sampled_from([False, False, False, True]),
)  # fmt: skip


def region(writer: Walk, reader: Walk, *, stream: bool, depth: int | None) -> str:
    """Return a region whose tasks hand an array on, or a stream with the same tokens."""
    a = "hls::stream<int> &a" if stream else "int a[4][6]"
    put, taken = ("a.write(in[i][j]);", "a.read()") if stream else ("a[i][j] = in[i][j];", "a[i][j]")
    declared = "hls::stream<int> a;" if stream else "int a[4][6];"
    deep = f"#pragma HLS stream variable=a{'' if depth is None else f' depth={depth}'}\n"
    return (
        '#include "hls_stream.h"\n'
        f"static void put(const int in[4][6], {a}) {{ {writer.code(put)} }}\n"
        f"static void take({a}, int out[4][6]) {{ {reader.code(f'out[i][j] = {taken};')} }}\n"
        f"void top(const int in[4][6], int out[4][6]) {{\n#pragma HLS dataflow\n{declared}\n{deep}"
        "put(in, a); take(a, out); }\n"
    )


def loaded(folder: Path, text: str) -> SourceNetwork:
    return load_source(str(written(folder, text)), function="top")


@settings(deadline=None, max_examples=25)
@given(writer=WALKS, reader=WALKS, depth=st.sampled_from([None, 1, 3, 30]))
def test_an_array_is_a_fifo_where_both_tasks_go_through_it_in_one_order(
    tmp_path_factory: pytest.TempPathFactory, writer: Walk, reader: Walk, depth: int | None
) -> None:
    folder = tmp_path_factory.mktemp("source")
    found = loaded(folder, region(writer, reader, stream=False, depth=depth))
    fits = writer.elements() == reader.elements() and not writer.twice
    fifos = [each for each in found.network.channels if not each.fixed]
    assert [each.name for each in fifos] == ["a"] * fits
    assert any("is handed over whole and is no FIFO: " in each for each in found.notes) == (not fits)
    if fits:
        twin = loaded(folder, region(writer, reader, stream=True, depth=depth or 24)).network
        assert [each.depth for each in fifos] == [depth or 24]
        assert found.network == twin


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("out[i][j] = a[i][j]", "out[i][j] = a[i][5 - j]", "'take' reads its elements in another order than 'put'"),
        ("out[i][j] = a[i][j]", "out[i][j] = a[i][j] + a[i][0]", "'take' reads an element more than once"),
        ("a[i][j] = in", "if (in[i][j] > 0) a[i][j] = in", "data decides whether it is accessed in task 'put'"),
        ("out[i][j] = a[i][j]", "out[i][j] = a[i][out[0][0]]", "data decides which element is accessed in task 'take'"),
        ("take(a, out);", "take(a, out); take(a, more);", "one task that writes it and another one that reads it"),
        ("int a[4][6];\n", "int a[4][6];\n#pragma HLS array_partition variable=a dim=1 complete\n", "several memories"),
    ],
)  # fmt: skip
def test_an_array_that_is_no_fifo_is_handed_over_whole_for_a_reason(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    plain = Walk("ij", (False, False))
    text = region(plain, plain, stream=False, depth=2).replace(
        "int out[4][6]) {\n#", "int out[4][6], int more[4][6]) {\n#"
    )
    assert old in text
    path = str(written(tmp_path, text.replace(old, new)))
    found = load_source(path, function="top")
    assert all(each.fixed for each in found.network.channels)
    (note,) = [each for each in found.notes if "no FIFO" in each]
    assert reason in note and "array 'a' is handed over whole" in note and f"{path}:" in note
    assert reason in command("schedule", path, "--function", "top").stdout


def test_sized_depths_go_into_the_pragma_of_the_array_and_a_fifo_is_no_memory(tmp_path: Path) -> None:
    plain = Walk("ij", (False, False))
    path, copy = str(written(tmp_path, region(plain, plain, stream=False, depth=9))), tmp_path / "sized.cpp"
    done = command("size", path, "--function", "top", "--no-front", "-o", str(copy))
    assert done.exit_code == 0, done.stderr
    assert copy.read_text(encoding="utf-8") == Path(path).read_text(encoding="utf-8").replace("depth=9", "depth=1")
    areas = [
        next(line for line in command("schedule", each, "--function", "top").stdout.splitlines() if "BRAM" in line)
        for each in (path, str(written(tmp_path, region(plain, plain, stream=True, depth=9), "stream.cpp")))
    ]
    assert areas[0] == areas[1]


def test_a_streamed_array_is_refused_where_a_design_is_executed(tmp_path: Path) -> None:
    plain = Walk("ij", (False, False))
    path = str(written(tmp_path, region(plain, plain, stream=False, depth=9)))
    with pytest.raises(InputError, match="array 'a' as a FIFO is not followed where a design is executed; make it an"):
        timed(NativeDesign(path=path, testbench=path, function="top"), load_library("xc7z020", 10))


TASKS = """
void first(int in[64], int a[64], int b[64]) {
  for (int i = 0; i < 64; i++) { a[i] = in[i] + 1; b[63 - i] = in[i]; } }
void second(int a[64], int c[64], int t[64]) {
  int own[64];
  for (int i = 0; i < 64; i++) own[i] = a[i];
  for (int i = 0; i < 64; i++) { c[i] = own[63 - i] * 3; t[i] = i; } }
void third(int c[64], int b[64], int t[64], int out[64]) {
  for (int i = 0; i < 64; i++) out[i] = c[i] + b[i] + t[i]; }
void top(int in[64], int out[64]) {
#pragma HLS dataflow
  int a[64], b[64], c[64], t[64];
#pragma HLS stream variable=t type=pipo
  first(in, a, b);
  second(a, c, t);
  third(c, b, t, out);
}
"""
SETTING = """open_project p
set_top top
add_files kernel.cpp
open_solution s
config_dataflow -default_channel fifo MORE
"""


@pytest.mark.parametrize(("more", "depths"), [("", {"a": 64, "c": 64}), ("-fifo_depth 4", {"a": 4, "c": 4})])
def test_a_setting_makes_fifos_of_arrays_in_order(tmp_path: Path, more: str, depths: dict[str, int]) -> None:
    """An array of one task, one with a directive, and one whose order differs stay memories; the last one is said."""
    written(tmp_path, TASKS)
    found = load_source(str(written(tmp_path, SETTING.replace("MORE", more), "run_hls.tcl")))
    kept = {each.name: each.depth for each in found.network.channels if each.name in "abct"}
    assert {name: kept[name] for name in depths} == depths
    assert kept["b"] == kept["t"] == 2  # copies
    (said,) = (note for note in found.notes if "is no FIFO" in note)
    assert "run_hls.tcl:5: array 'b' is handed over whole and is no FIFO: task 'third' reads" in said


def test_a_fifo_of_an_array_is_sized_at_its_declaration(tmp_path: Path) -> None:
    """No directive in the source says that it is a FIFO: the copy gets one."""
    text = TASKS.replace("int a[64], b[64], c[64], t[64];", "int a[64];\n  int b[64], c[64], t[64];")
    file = str(written(tmp_path, text))
    source = load_source(str(written(tmp_path, SETTING.replace("MORE", ""), "run_hls.tcl")))
    line = "  #pragma HLS stream variable=a depth=9\n"
    copy = with_pragmas(text.encode(), file, stream_pragmas(source, {"a": 9})).decode()
    assert copy == text.replace("  int a[64];\n", f"  int a[64];\n{line}")
