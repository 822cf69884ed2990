"""``tripcount`` and ``access(random)``: kernels whose loops, conditions and subscripts are data."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ppnsim.analysis import throughput
from ppnsim.c.load import load_kernels, load_programs
from ppnsim.c.pragmas.read import Pragmas
from ppnsim.c.pragmas.trips import Trips
from ppnsim.derive.derive import derive, with_streams
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.formats.network_json import dump_network
from ppnsim.loops.dependences import dependences
from ppnsim.loops.program import Access, Loop, LoopProgram, Operation, Statement
from tests.derive.test_program_estimate import programs
from tests.oracles.naive_machine import Machine

Lower = Callable[[str], LoopProgram]

SPMV = """
void k(const int row[9], const int col[40], const double val[40], const double x[8], double y[8])
{
    for (int i = 0; i < 8; i++) {
        y[i] = 0;
        #pragma ppnsim tripcount(5) access(random)
        for (int j = row[i]; j < row[i + 1]; j++)
            y[i] += val[j] * x[col[j]];
    }
}
"""


@pytest.fixture
def lower(tmp_path: Path) -> Lower:
    def lowered(text: str) -> LoopProgram:
        path = tmp_path / "kernel.c"
        path.write_text(text)
        (program,) = load_programs(str(path), function="k")
        return program

    return lowered


def body(statements: str) -> str:
    """Put statements into a kernel with arrays of every kind of use."""
    return (
        f"void k(int n, const int b[16], int a[16], int h[16], const int next[16]) {{\nint p, q, r;\n{statements}\n}}\n"
    )


def reads(statement: Statement) -> list[str]:
    return [str(access) for access in statement.reads]


def loops(program: LoopProgram) -> list[tuple[str, str, str, int, bool]]:
    found = [part for _, around, _ in program.placed() for part in around if isinstance(part, Loop)]
    return [(each.iterator, str(each.first[0]), str(each.last[0]), each.step, each.assumed) for each in found]


# -- what is read -----------------------------------------------------------------------------------------------------


def test_a_sparse_product_runs_as_often_as_it_says(lower: Lower) -> None:
    program = lower(SPMV)
    _, second = program.statements()
    assert loops(program)[1:] == [("i", "0", "7", 1, False), ("j", "0", "4", 1, True)]
    assert reads(second) == ["y[i]", "val[?]", "x[?]", "col[?]", "row[i]", "row[i + 1]"]
    assert str(second.writes[0]) == "y[i]"
    # A chain per row: storing 0 takes 4 cycles (nothing is read), each of the 5 sums 5.
    assert estimate_program(program, latency=3).unbounded.finish == 4 + 5 * 5


def test_what_a_random_access_is_indexed_by_stays_in_the_tree(lower: Lower) -> None:
    product = lower(SPMV).statements()[1].value
    assert product is not None
    value, x = product.operands[1].operands
    assert (value.kind, value.operands[0].kind, value.operands[0].text) == ("read", "iterator", "j")
    assert (x.kind, x.operands[0].kind, x.operands[0].read) == ("read", "read", 3)


def test_an_iterator_with_an_affine_start_keeps_its_values(lower: Lower) -> None:
    text = """for (int i = 0; i < 4; i++)
        #pragma ppnsim tripcount(3)
        for (int j = 9 - i; j > b[i]; j -= 2) a[j] = b[j];"""
    program = lower(body(text))
    assert loops(program)[1] == ("j", "-i + 9", "-i + 5", -2, True)
    assert reads(program.statements()[0]) == ["b[j]", "b[i]"]
    assert not any(access.random for access in program.statements()[0].reads)


def test_a_while_loop_is_controlled_by_what_its_condition_reads(lower: Lower) -> None:
    text = """#pragma ppnsim tripcount(4)
    while (q > b[0]) { q = q / 2; a[0] = q; }"""
    first, second = lower(body(text)).statements()
    assert (reads(first), reads(second)) == (["q", "b[0]"], ["q", "b[0]"])
    # Each turn needs the value of the one before: 4 turns of read, execute, write.
    assert estimate_program(lower(body(text))).unbounded.finish == 4 * 3 + 3


def test_a_do_loop_and_a_linked_list_are_counted(lower: Lower) -> None:
    text = """#pragma ppnsim tripcount(2)
    do { a[0] = q; } while (q < n);
    #pragma ppnsim tripcount(6) access(random)
    for (p = b[0]; p >= 0; p = next[p]) h[p] += 1;"""
    program = lower(body(text))
    assert [each[2] for each in loops(program)] == ["1", "5"]
    assert reads(program.statements()[1]) == ["h[?]", "b[0]", "next[?]"]


@pytest.mark.parametrize(("count", "expected"), [(1, ["a"]), (0, ["h"])])
def test_an_if_on_data_takes_the_branch_that_it_says(lower: Lower, count: int, expected: list[str]) -> None:
    text = f"""for (int i = 0; i < 4; i++)
        #pragma ppnsim tripcount({count})
        if (b[i] > 3) a[i] = 1; else h[i] = 2;"""
    program = lower(body(text))
    assert [each.name for each in program.statements()] == expected
    assert reads(program.statements()[0]) == ["b[i]"]


def test_the_count_of_a_range_is_its_average_else_its_maximum() -> None:
    def count(argument: str) -> Trips | None:
        return Pragmas({"k.c": f"#pragma ppnsim tripcount({argument})"}).timing("k.c", 0, 2).tripcount

    expected = [Trips(7, 7, 7), Trips(1, 4, 16), Trips(1, 16, 16)]
    assert [count("7"), count("min=1, avg=4, max=16"), count("max=16,min=1")] == expected


def test_a_tripcount_says_nothing_of_loops_inside(lower: Lower) -> None:
    text = """#pragma ppnsim tripcount(2)
    for (int i = 0; i < b[0]; i++)
        for (int j = 0; j < 3; j++) a[j] = b[j];"""
    assert [each[4] for each in loops(lower(body(text)))] == [True, False]


def test_calls_to_kernels_inside_are_controlled_too(lower: Lower) -> None:
    text = "void inner(int a[16]) { for (int i = 0; i < 16; i++) a[i] = 1; }\n"
    text += body("#pragma ppnsim tripcount(2)\nfor (int i = 0; i < b[0]; i++) inner(a);")
    assert reads(lower(text).statements()[0]) == ["b[0]"]


def test_an_element_chosen_by_data_may_be_passed_on(lower: Lower) -> None:
    text = """#pragma ppnsim access(out)
    void put(int *to, const int *from);
    void k(const int b[16], int a[16]) {
        #pragma ppnsim access(random)
        for (int i = 0; i < 16; i++) put(&a[b[i]], &a[i]);
    }"""
    (only,) = lower(text).statements()
    assert (reads(only), [str(access) for access in only.writes]) == (["b[i]", "a[i]"], ["a[?]"])


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a[b[0]] = 1;", "3:3: subscript 'a[b[0]]' is not affine: it depends on data ('b[0]'); for timing alone"),
        ("while (q > 0) q--;", "'#pragma ppnsim tripcount(8)' before it gives it 8 iterations"),
        (
            "#pragma ppnsim tripcount(4)\na[0] = 1;",
            "tripcount before 'a[0] = 1', which is neither a loop nor an if",
        ),
        ("#pragma ppnsim tripcount(4)\nfor (int i = 0; i < 3; i++) a[i] = 1;", "4:1: tripcount before a loop with aff"),
        ("#pragma ppnsim tripcount(1)\nif (4 > 3) a[0] = 1;", "tripcount before an if whose condition '4 > 3' is affi"),
        ("#pragma ppnsim tripcount(2)\nif (b[0]) a[0] = 1;", "tripcount(2) before an if, whose body executes 1 or 0"),
        ("#pragma ppnsim tripcount(x)\n;", "3:1: tripcount(x) is not of the form tripcount(8) or tripcount(min=1, a"),
        ("#pragma ppnsim tripcount(min=4, max=2)\n;", "3:1: tripcount(min=4, max=2) needs min <= avg <= max"),
        ("#pragma ppnsim tripcount(min=4)\n;", "3:1: tripcount(min=4) needs an avg or a max to count with"),
        ("#pragma ppnsim access(burst)\n;", "3:1: access(burst) is not access(random), access(in), acc"),
        (
            "#pragma ppnsim tripcount(4)\nfor (int j = b[0]; j < 9; j++) a[j] = 1;",
            "subscript 'a[j]' is not affine: it depends on data (variable 'j' of type int)",
        ),
        (
            "#pragma ppnsim tripcount(4) access(random)\nfor (int j = b[0]; j < 9; j++) { a[j] = 1; j += 1; }",
            "'j += 1' changes 'j', the iterator of a loop around it",
        ),
    ],
)
def test_what_cannot_be_annotated_is_refused(lower: Lower, text: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        lower(body(text))
    assert message in str(refused.value)


# -- what it means for timing -----------------------------------------------------------------------------------------


@st.composite
def random_programs(draw: st.DrawFn) -> LoopProgram:
    """Draw a program and let data choose the elements of some of its accesses."""
    program = draw(programs())
    arrays = {array.name for array in program.arrays if array.shape}

    def perhaps(access: Access) -> Access:
        if access.array in arrays and draw(st.integers(0, 2)) == 0:
            return Access(access.array, random=True)
        return access

    def change(statement: Statement) -> Statement:
        reads, writes = (tuple(map(perhaps, side)) for side in (statement.reads, statement.writes))
        value = None if any(each.random for each in (*reads, *writes)) else statement.value
        return replace(statement, reads=reads, writes=writes, value=value)

    return program.replaced(change)


@settings(max_examples=25, deadline=None)
@given(random_programs(), st.integers(0, 4), st.integers(1, 3), st.booleans())
def test_loops_and_network_wait_for_all_that_a_random_read_may_want(
    p: LoopProgram, latency: int, ii: int, io: bool
) -> None:
    try:
        estimate = estimate_program(p, latency=latency, ii=ii, io=io)
    except InputError as error:
        assert "no statement is executed" in str(error)
        return
    machine = Machine(with_streams(p) if io else p, latency, ii)
    one_each, by_data = estimate.absolute, estimate.unbounded
    assert (one_each, by_data) == (machine.estimate(own_processes=False), machine.estimate(own_processes=True))
    network = derive(p, latency=latency, ii=ii, io=io)
    assert throughput.absolute(network).finish == one_each.finish
    assert throughput.unbounded(network).finish == by_data.finish
    if sum(process.firings for process in network.processes) < 200:
        assert run(network).finish == one_each.finish


def test_a_histogram_is_one_chain(lower: Lower) -> None:
    text = """for (int i = 0; i < 16; i++)
        #pragma ppnsim access(random)
        h[b[i]] += 1;"""
    program = lower(body(text))
    estimate = estimate_program(program, latency=3)
    assert (estimate.absolute.finish, estimate.unbounded.finish) == (16 * 5, 16 * 5)
    (only,) = dependences(program)
    assert (only.kind, only.tokens, len(only.pairs)) == ("OOM+", 15, 15 * 16 // 2)


def test_an_array_that_data_chooses_from_is_kept_whole(lower: Lower) -> None:
    text = """int x[16];
    for (int i = 0; i < 16; i++) x[i] = b[i];
    for (int i = 0; i < 4; i++)
        #pragma ppnsim access(random)
        a[i] = x[b[i]];"""
    (only,) = dependences(lower(body(text)))
    assert only.sequential_size == 16


def test_too_many_pairs_are_refused_for_the_network_alone(lower: Lower, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ppnsim.loops.dependences._MOST_PAIRS", 100)
    program = lower(body("for (int i = 0; i < 16; i++)\n#pragma ppnsim access(random)\nh[b[i]] += 1;"))
    with pytest.raises(
        InputError, match=r"kernel\.c:5:1: statement 'h': h\[\?\] may want 120 values in all, too many for a network"
    ):
        derive(program)
    assert estimate_program(program).absolute.finish == 48


def test_constants_that_data_places_are_no_local_constants(lower: Lower) -> None:
    text = "int x[4];\nfor (int i = 0; i < 4; i++)\n#pragma ppnsim access(random)\nx[b[i]] = 0;\na[0] = x[2];"
    program = lower(body(text))
    assert program.statements()[0].value == Operation("constant", "int", text="0")
    assert estimate_program(program).folded == ()


# -- functions without a body -----------------------------------------------------------------------------------------

OPAQUE = """{0}
void g(int *v);
void k(int a[8], int b[8]) {{ int v[4]; for (int i = 0; i < 8; i++) {{ v[0] = a[i];
    {1}
    g({2});
    b[i] = v[1]; }} }}
"""
V = ["v[0]", "v[1]", "v[2]", "v[3]"]


def called(lower: Lower, before: str = "", here: str = "", argument: str = "v") -> tuple[list[str], list[str]]:
    """Return what the call of a function without a body reads and writes."""
    _, call, _ = lower(OPAQUE.format(before, here, argument)).statements()
    return reads(call), [str(access) for access in call.writes]


def test_a_function_without_a_body_reads_and_writes_and_that_is_said(lower: Lower, tmp_path: Path) -> None:
    assert called(lower) == (V, V)
    (sentence,) = load_kernels(str(tmp_path / "kernel.c")).assumed
    assert "kernel.c:5:7: function 'g' has no body: it is taken to read and to write" in sentence


@pytest.mark.parametrize("place", ["before", "here"])
@pytest.mark.parametrize(("word", "wanted"), [("in", (V, [])), ("out", ([], V)), ("inout", (V, V))])
def test_a_pragma_says_what_a_function_without_a_body_does(
    lower: Lower, tmp_path: Path, place: str, word: str, wanted: tuple[list[str], list[str]]
) -> None:
    assert called(lower, **{place: f"#pragma ppnsim access({word})"}) == wanted
    assert not load_kernels(str(tmp_path / "kernel.c")).assumed


def test_the_call_knows_better_than_the_declaration(lower: Lower) -> None:
    assert called(lower, "#pragma ppnsim access(in)", "#pragma ppnsim access(out)") == ([], V)


def test_an_array_and_the_address_of_its_first_element_are_the_same(lower: Lower) -> None:
    whole, first = (derive(lower(OPAQUE.format("", "", argument))) for argument in ("v", "&v[0]"))
    assert dump_network(whole) == dump_network(first)
    assert called(lower, argument="&v[1]") == (["v[1]"], ["v[1]"])


@pytest.mark.parametrize(("here", "argument"), [("", "&*v"), ("int *p = v;", "p"), ("int *p = &v[0];", "p")])
def test_every_pointer_to_the_first_element_stands_for_the_array(lower: Lower, here: str, argument: str) -> None:
    assert called(lower, here=here, argument=argument) == (V, V)


def test_results_of_the_c_library_are_only_written(lower: Lower) -> None:
    text = "#include <math.h>\nvoid k(double a[8], int e[8]) { for (int i = 0; i < 8; i++) a[i] = frexp(a[i], &e[i]); }"
    (statement,) = lower(text).statements()
    assert reads(statement) == ["a[i]"]
