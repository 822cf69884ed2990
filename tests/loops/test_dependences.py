from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

from ppnsim.c.load import load_programs
from ppnsim.errors import InputError
from ppnsim.loops.dependences import Dependence, dependences, firings, folded, unwritten_reads
from ppnsim.loops.expressions import Affine, Compare
from ppnsim.loops.notation import scheduled_statements
from ppnsim.loops.polyhedra import check_bounds
from ppnsim.loops.program import Guard, LoopProgram
from tests.helpers.loop_programs import (
    at,
    atax,
    communication,
    do,
    execute,
    gemm,
    kernel,
    loop,
    loop_programs,
    predictor,
)

many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def key(dependence: Dependence) -> tuple[str, int, str, int]:
    return dependence.consumer, dependence.argument, dependence.producer, dependence.write


def kind_by_execution(pairs: list[tuple[int, int]]) -> str:
    writers = [writer for _, writer in pairs]
    in_order = all(before <= after for before, after in pairwise(writers))
    return ("IOM" if in_order else "OOM") + ("+" if len(set(writers)) < len(writers) else "-")


def size_by_execution(times: list[tuple[int, int]]) -> int:
    last = {writer: max(r for r, w in times if w == writer) for _, writer in times}
    return max(sum(w <= moment < r for w, r in last.items()) for moment in last)


@given(loop_programs())
@many
def test_dependences_kinds_sizes_and_unwritten_reads_are_those_of_executing_with_tags(program: LoopProgram) -> None:
    done = execute(program)
    found = dependences(program)
    assert firings(program) == done.firings
    assert {key(d): [tuple(pair) for pair in d.pairs.tolist()] for d in found} == done.pairs
    assert len(found) == len(done.pairs)
    assert {key(d): d.kind for d in found} == {k: kind_by_execution(pairs) for k, pairs in done.pairs.items()}
    assert {key(d): d.sequential_size for d in found} == {k: size_by_execution(t) for k, t in done.times.items()}
    assert {array: set(reads) for array, reads in unwritten_reads(program).items()} == done.unwritten


def test_dependences_come_in_textual_order() -> None:
    program = predictor()
    ends = [(d.producer, d.consumer, d.argument) for d in dependences(program)]
    assert ends == [
        ("source", "transformer", 0), ("source", "transformer", 1),
        ("transformer", "transformer", 0), ("transformer", "transformer", 1), ("transformer", "sink", 0),
    ]  # fmt: skip


@pytest.mark.parametrize(("in_order", "multiplicity"), [(True, False), (True, True), (False, False), (False, True)])
def test_the_communication_models_are_what_they_are_called(in_order: bool, multiplicity: bool) -> None:
    found = dependences(communication(in_order=in_order, multiplicity=multiplicity))
    kind = ("IOM" if in_order else "OOM") + ("+" if multiplicity else "-")
    assert [(d.producer, d.consumer, d.kind) for d in found] == [
        ("producer", "consumer", kind), ("consumer", "sink", "IOM-"),
    ]  # fmt: skip


def test_what_isl_itself_gets_wrong_is_put_right() -> None:
    # isl's lexmax, after a coalesce, says here that firing 2 reads what firing 2 wrote: found by a random program.
    write = loop("m", 2, "j", do("write", writes=(at("s"),)), step=-1)
    program = kernel("k", {"s": ()}, loop("i", 1, 2, loop("j", 0, 2, do("read", reads=(at("s"),)), write, step=2)))
    [only] = dependences(program)
    assert only.pairs.tolist() == [[1, 2], [2, 3], [3, 6]]


def test_a_firing_reads_before_it_writes() -> None:
    program = kernel("sum", {"s": ()}, loop("i", 0, 3, do("add", reads=(at("s"),), writes=(at("s"),))))
    [only] = dependences(program)
    assert only.pairs.tolist() == [[1, 0], [2, 1], [3, 2]]
    assert only.sequential_size == 1
    assert unwritten_reads(program) == {"s": (("add", 0),)}


def test_only_constants_into_local_storage_are_folded() -> None:
    assert folded(atax()) == {"clear"}
    asked = kernel(
        "k", {"t": ()}, do("clear", writes=(at("t"),), constant=True, latency=3), do("use", reads=(at("t"),))
    )
    assert not folded(asked)
    alone = kernel("k", {"t": ()}, do("clear", writes=(at("t"),), constant=True), local=("t",))
    assert not folded(alone)


def test_loops_of_a_million_points_are_a_matter_of_seconds() -> None:
    found = dependences(gemm(100))
    recurrence = next(d for d in found if (d.producer, d.consumer) == ("mac", "mac"))
    assert len(recurrence.pairs) == 100 * 100 * 99
    assert np.array_equal(recurrence.pairs[:, 0], recurrence.pairs[:, 1] + 1)


def test_an_unbound_name_is_refused_with_statement_and_access() -> None:
    program = kernel("k", {"a": (4,)}, loop("i", 0, 3, do("s", reads=(at("a", Affine.of("i") + Affine.of("N")),))))
    with pytest.raises(InputError, match=r"^statement 's', read 0 of a\[i \+ N\]: 'N' is neither a loop's iterator"):
        dependences(program)


def test_an_unbound_name_in_a_guard_is_refused() -> None:
    program = kernel("k", {"a": (4,)}, Guard(Compare(Affine.of("N")), (do("s", writes=(at("a", 0),)),)))
    with pytest.raises(InputError, match="'N'"):
        firings(program)


def test_a_subscript_too_few_is_refused() -> None:
    program = kernel("k", {"a": (4, 4)}, loop("i", 0, 3, do("s", reads=(at("a", "i"),))))
    with pytest.raises(InputError, match=r"^statement 's', read 0 of a\[i\]: 1 subscripts for 2 dimensions"):
        dependences(program)


def test_an_undeclared_array_is_refused() -> None:
    with pytest.raises(InputError, match=r"^statement 's', write 0 of a\[0\]: the array is not declared"):
        dependences(kernel("k", {}, do("s", writes=(at("a", 0),))))


def test_an_access_is_named_by_its_side_wherever_it_is_looked_at() -> None:
    program = kernel("k", {"b": (4,)}, do("s", reads=(at("a", 0),), writes=(at("b", 0, 1),)))
    (statement,) = scheduled_statements(program)
    with pytest.raises(InputError, match=r"^statement 's', read 0 of a\[0\]: the array is not declared"):
        statement.access("R", 0)
    with pytest.raises(InputError, match=r"^statement 's', write 0 of b\[0\]\[1\]: 2 subscripts for 1 dimension"):
        statement.access("W", 0)


def test_a_choice_that_iterators_decide_reads_only_in_its_branch(tmp_path: Path) -> None:
    (tmp_path / "k.c").write_text(
        "void k(int a[8], int b[8]) {\nfor (int i = 0; i < 8; i++) a[i] = i;\n"
        "for (int i = 0; i < 8; i++) b[i] = (i > 5 ? a[i - 6] : 0) + (i > 5 ? a[i - 5] : 7);\n}\n"
    )
    (program,) = load_programs(str(tmp_path / "k.c"))
    check_bounds(program)
    assert {(d.producer, d.consumer, d.argument): d.pairs.tolist() for d in dependences(program)} == {
        ("a", "b", 0): [[0, 0], [1, 1]],
        ("a", "b", 1): [[0, 1], [1, 2]],
    }
