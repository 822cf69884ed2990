"""Kernels in TOML: trip counts, and files that break a rule."""

from fractions import Fraction
from typing import Any

import pytest

from ppnsim.errors import InputError
from ppnsim.opencl.files import amounts
from ppnsim.opencl.files.amounts import amount, trip_count
from ppnsim.opencl.files.kernel import parse_opencl
from ppnsim.opencl.kernel import Block, BlockStep, KernelBranch


@pytest.mark.parametrize(
    ("head", "count"),
    [
        ("k = 0; k < N; k += 1", 100), ("k = 0; k < N; k++", 100), ("int k = N; k > 0; k >>= 1", 7),
        ("k = 3; k <= N - 1; k += N / 3", 3), ("k = 0; k != 12; k += 3", 4), ("k = 5; k < 5; k += 1", 0),
    ],
)  # fmt: skip
def test_loop_heads_are_executed(head: str, count: int) -> None:
    assert trip_count(head, {"N": 100}) == count


@pytest.mark.parametrize(
    ("head", "message"),
    [
        ("k = 0; k < N", "must be like"),
        ("k = 0; j < N; k += 1", "must be like"),
        ("k = 0; k < M; k += 1", "'M' names M, which is not a parameter"),
        ("k = 0; k < N; k += 0", "has not ended after 9,000 iterations"),
        ("k = 0; k < N; k -= 1", "has not ended after 9,000 iterations"),
        ("k = 1; k != 0; k *= 4", "is out of range"),
        ("k = 0; k < open('x'); k += 1", "has more in it than"),
    ],
)
def test_loop_heads_that_do_not_end_or_are_none_are_refused(
    head: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert amounts._MOST == 10_000_000
    monkeypatch.setattr(amounts, "_MOST", 9_000)
    with pytest.raises(InputError, match=message):
        trip_count(head, {"N": 100})


def test_amounts_divide_by_nothing_but_numbers() -> None:
    with pytest.raises(InputError, match=r"^'N / 0' divides by 0"):
        amount("N / 0", {"N": 4})


def _with(step: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    block = {"block": "b", "step": {"s": step or {"op": "fp_add"}}}
    return {"work_items": 8, "body": [block], **more}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"body": []}, "work_items is missing"),
        ({"work_items": 8, "body": []}, "kernel 'kernel' has no block"),
        (_with(work_items=0), "kernel 'kernel': work_items = 0 (at least 1 is needed)"),
        (_with({"op": "fp_ad"}), "block 'b': step 's': 'fp_ad' is not an instruction (did you mean 'fp_add'?)"),
        (_with({"op": "load"}), "block 'b': step 's': bytes = 0 accesses nothing"),
        (_with({"op": "fp_add", "after": ["t"]}), "block 'b': step 's': after 't', which is not a step before it"),
        (_with({"op": "load", "bytes": 4, "along": ["item"]}), "block 'b': step 's': 'item' is not a loop (did you"),
        (_with({"op": "fp_add", "carried": 1}), "carried = 1 must be true or false"),
        (_with({"op": "fp_add", "reuse": 0}), "block 'b': step 's': reuse and vector start at 1"),
        (_with(board={"latency": -3}), "board: latency = -3 must be at least 0"),
        (_with(board={"available": [1, 1]}), "board: available = [1, 1] must be [logic, memory blocks, DSP blocks]"),
        (_with(board={"available": [0, 1, 1]}), "board: available must be three shares above 0"),
        (_with(board={"fastest": 0}), "board: clock and slowdown leave no clock above 0 MHz"),
        (_with(board={"latency": 0}), "board: latency = 0 (at least 1 is needed)"),
        (_with(board={"like": "de5nt"}), "board: no device 'de5nt' (did you mean 'de5net'?)"),
        (_with(parameters={"N": "four"}), "parameters.N = 'four' must be a whole number"),
        ({"work_items": 8, "body": [{"loop": "k", "body": []}]}, "loop 'k': give its trip count (trip) or its head"),
        ({"work_items": 8, "body": [{"loop": "k", "trip": "M"}]}, "loop 'k': trip = 'M' names M, which is not a"),
        ({"work_items": 8, "body": [{"lop": "k"}]}, "body[0] = {'lop': 'k'} must be one of block, loop, branch"),
        ({"work_items": 8, "body": [{"branch": "i", "share": 2}]}, "branch 'i': share = 2 must be a share from 0 to 1"),
        (
            {"work_items": 8, "body": [{"block": "b", "step": {"s": {"op": "branch"}}}] * 2},
            "two blocks or loops are called 'b'",
        ),
        (
            {"work_items": 8, "body": [{"loop": "k", "trip": 0, "body": [{"block": "b"}]}]},
            "loop 'k': trip = 0 executes nothing",
        ),
    ],
)  # fmt: skip
def test_files_that_break_a_rule_are_refused_by_its_name(data: Any, message: str) -> None:
    with pytest.raises(InputError) as told:
        parse_opencl(data)
    assert message in str(told.value)


def test_what_a_file_leaves_out_has_its_default() -> None:
    block = {"block": "b", "step": {"s": {"op": "fp_add"}}}
    kernel, _ = parse_opencl({"work_items": 8, "body": [{"branch": "i", "else": [block]}, {"branch": "j", "then": []}]})
    one, other = kernel.body
    assert isinstance(one, KernelBranch) and isinstance(other, KernelBranch)
    assert (one.then, one.share, [each.name for each in one.otherwise]) == ((), Fraction(1, 2), ["b"])
    assert (other.then, other.otherwise, kernel.name, kernel.vectorise) == ((), (), "kernel", True)
    inside = one.otherwise[0]
    assert isinstance(inside, Block)
    assert inside.trip == 1
    assert inside.steps == (BlockStep(name="s", op="fp_add"),)
    (step,) = inside.steps
    assert (step.after, step.bytes, step.along, step.carried, step.reuse) == ((), 0, (), False, 1)
    assert (step.mended, step.private, step.same, step.vector) == ((), False, (), 1)


def test_a_parameter_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"^there is no parameter 'M' \(parameters: N, K\)$"):
        parse_opencl(_with(parameters={"N": 1, "K": 2}), settings={"M": 3})
    with pytest.raises(InputError, match=r"^there is no parameter 'M' \(parameters: none\)$"):
        parse_opencl(_with(), settings={"M": 3})
