"""What a kernel's own FIFOs have to hold, and what flags of a project's compiler say."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim import schedule
from ppnsim.errors import InputError
from ppnsim.hls.project.settings import Settings
from ppnsim.hls.region.accesses import Clocked
from ppnsim.hls.region.checks import check_fifo
from ppnsim.loops.position import Position
from ppnsim.loops.program import Array

FIFO = Array(name="s", type="int", stream=2, role="local", position=Position("k.cpp", 4, 9))


def times(put: tuple[int, ...], take: tuple[int, ...], name: str = "s") -> Clocked:
    return Clocked(times={(name, "put"): put, (name, "take"): take})


@pytest.mark.parametrize(
    ("put", "take", "depth"),
    [((0, 2), (1, 3), 1), ((0, 1, 2), (3, 4, 5), 3), ((0, 1, 2), (1, 2, 3), 2), ((0, 1), (), 2), ((), (), 1)],
)  # fmt: skip
def test_a_fifo_that_is_deep_enough_is_accepted(put: tuple[int, ...], take: tuple[int, ...], depth: int) -> None:
    check_fifo("k", FIFO, times(put, take), depth)  # a slot is free in the cycle after its token is taken


@pytest.mark.parametrize(
    ("put", "take", "depth", "held"),
    [((0, 1, 2), (3, 4, 5), 2, 3), ((0, 1), (), 1, 2), ((0, 1, 2), (1, 3), 1, 2), ((0, 1), (1, 2), 1, 2)],
)  # fmt: skip
def test_a_fifo_that_has_to_hold_more_is_refused_with_what_makes_it_deep_enough(
    put: tuple[int, ...], take: tuple[int, ...], depth: int, held: int
) -> None:
    with pytest.raises(InputError) as refused:
        check_fifo("k", FIFO, times(put, take), depth)
    assert str(refused.value) == (
        f"k.cpp:4:9: FIFO 's' of 'k' has to hold {held} tokens and holds {depth}: '#pragma HLS dataflow' lets its "
        f"writer and its reader work at the same time, '#pragma HLS stream variable=s depth={held}' makes it deeper"
    )


@pytest.mark.parametrize(("put", "take"), [((1,), (1,)), ((1,), (0,)), ((0,), (1, 2)), ((0, 5), (1, 4))])
def test_a_token_is_not_taken_before_it_is_there(put: tuple[int, ...], take: tuple[int, ...]) -> None:
    with pytest.raises(InputError, match=r"^k\.cpp:4:9: FIFO 's' of 'k' is read before it is written$"):
        check_fifo("k", FIFO, times(put, take), 9)


def test_each_fifo_of_an_array_is_looked_at_by_itself() -> None:
    both = Clocked(times={**times((0, 1), (2, 3), "s[0]").times, **times((0, 1, 2), (3, 4, 5), "s[1]").times})
    check_fifo("k", FIFO, both, 3)
    with pytest.raises(InputError, match=r"FIFO 's\[1\]' of 'k' has to hold 3 tokens and holds 2"):
        check_fifo("k", FIFO, both, 2)
    check_fifo("k", FIFO, times((0, 1), (), "t"), 1)  # another one


def test_steps_of_parts_are_joined_where_they_start() -> None:
    whole = times((0, 1), (2,))
    whole.join(Clocked(times={("s", "put"): (3,), ("t", "put"): (1,)}, starts=(0, 2)), 10)
    assert whole.of(("s", "put")).tolist() == [0, 1, 13]
    assert whole.of(("t", "put")).tolist() == [11]
    assert whole.of(("s", "take")).tolist() == [2]
    assert whole.of(("u", "take")).tolist() == []
    assert whole.starts == (10, 12)


# Flags


def settings_in(folder: Path) -> Settings:
    (folder / "inc").mkdir(exist_ok=True)
    return Settings(file="p.tcl", base=folder)


def test_flags_are_folders_and_macros_and_the_rest_is_told(tmp_path: Path) -> None:
    found = settings_in(tmp_path)
    found.flags("-I inc -Iinc -isysteminc -DN=4 -D M -D'K=1 + 2' -std=c++14 -Wall -O2 -g -fno-x --fast -march=x", "p:3")
    assert found.files.include == [str(tmp_path / "inc")]
    assert found.files.defines == {"N": "4", "M": "1", "K": "1 + 2"}
    assert found.solution.unknown == ["p:3: flag --fast", "p:3: flag -march=x"]
    found.flags("-I nowhere", "p:4")  # as compilers do: a header that is missing then is refused
    assert found.solution.unknown[2:] == ["p:4: flag -Inowhere: there is no such folder"]


def test_a_solution_that_is_opened_again_goes_on_and_is_the_last(tmp_path: Path) -> None:
    found = settings_in(tmp_path)
    found.clock("5", "p:1")
    found.open("one")
    found.open("two")
    found.clock("200 MHz", "p:2")
    assert [(each.name, each.clock_ns) for each in found.solutions] == [("one", 5.0), ("two", 5.0)]
    found.open("one")
    assert [each.name for each in found.solutions] == ["two", "one"]
    assert found.solution.files is found.solutions[0].files
    assert found.solution.pipeline_loops is None  # the release says (R1.6)


def test_files_that_are_not_there_are_refused_or_told(tmp_path: Path) -> None:
    found = settings_in(tmp_path)
    for name in ("k.cpp", "tb.cpp", "data.txt"):
        (tmp_path / name).touch()
    found.add("k.cpp", "p:1")
    found.add("k.cpp", "p:2")
    found.add("data.txt", "p:3")
    found.add("tb.cpp", "p:4", testbench=True)
    found.add("gone.cpp", "p:5", testbench=True)
    found.add("gone.txt", "p:6")
    assert found.files.sources == [str(tmp_path / "k.cpp")]
    assert found.files.testbench == [str(tmp_path / "tb.cpp")]
    missing = [(each.name, each.path, each.testbench, each.where) for each in found.files.missing]
    assert missing == [
        ("gone.cpp", str(tmp_path / "gone.cpp"), True, "p:5"), ("gone.txt", str(tmp_path / "gone.txt"), False, "p:6")
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"^p:7: the source 'gone.cpp' is not there \(looked for .*gone.cpp\)$"):
        found.add("gone.cpp", "p:7")


def test_a_fifo_that_a_guess_overfills_is_said_and_not_refused(tmp_path: Path) -> None:
    text = """#include "hls_stream.h"
void k(int a[64], int b[64], int n) {
    hls::stream<int> s;
    for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=64
        s.write(a[i]);
    }
    for (int i = 0; i < n; i++) {
#pragma HLS loop_tripcount max=64
        b[i] = s.read();
    }
}
"""
    path = tmp_path / "k.cpp"
    path.write_text(text, encoding="utf-8")
    said = schedule(path, function="k").kernels[0].machine.said
    (held,) = [each for each in said if "has to hold" in each]
    assert "has to hold 64 tokens and holds 2, if its loops run as often as is annotated or assumed" in held
    path.write_text(text.replace("i < n", "i < 64"), encoding="utf-8")
    with pytest.raises(InputError, match="has to hold 64 tokens and holds 2: '#pragma HLS dataflow'"):
        schedule(path, function="k")
