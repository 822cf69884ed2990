"""Latency and ii from files: one per statement, or one latency for each execution."""

import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from ppnsim.analysis import throughput
from ppnsim.cli.app import app
from ppnsim.derive.derive import derive, with_streams
from ppnsim.derive.estimate.estimate import estimate_program
from ppnsim.derive.files.latencies import load_latencies
from ppnsim.derive.given import TimingFile
from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.loops.dependences import firings, folded
from ppnsim.loops.program import LoopProgram
from tests.derive.test_program_estimate import programs
from tests.helpers.loop_programs import at, do, kernel, loop
from tests.oracles.naive_machine import Machine

SOURCE = """
int mul(int a, int b);
void k(const int a[6], int b[6], int c[6]) {
    for (int i = 0; i < 6; i++) {
        b[i] = mul(a[i], a[i]);
        #pragma ppnsim latency(7)
        c[i] = b[i] + 1;
    }
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "k.c").write_text(SOURCE)
    return tmp_path / "k.c"


def profile(*options: object) -> tuple[dict[str, Any], str]:
    outcome = CliRunner().invoke(app, ["profile", *map(str, options), "--json", "-"])
    result = json.loads(outcome.stdout)
    return result, outcome.stderr


def cycles(result: dict[str, Any]) -> dict[str, tuple[int, int]]:
    return {each["name"]: (each["latency"], each["ii"]) for each in result["statements"]}


# -- a latency for each execution -------------------------------------------------------------------------------------


def test_results_leave_in_order_behind_a_slow_one() -> None:
    step = do("s", reads=(at("x", "i"),), writes=(at("y", "i"),))
    take = do("t", reads=(at("y", "i"),), writes=(at("z", "i"),), latency=1)
    program = kernel("one", dict.fromkeys("xyz", (4,)), loop("i", 0, 3, step, take))
    estimate = estimate_program(program, latency={"s": (6, 1, 1, 1)})
    # s writes at 7, 8, 9, 10; t reads from 8 on, one per cycle, and ends 3 cycles after that.
    assert estimate.absolute.finish == 14
    assert estimate.unbounded.finish == 11
    assert (estimate.statements[0].latency, estimate.statements[0].latencies) == (6, (6, 1, 1, 1))
    assert estimate.absolute.average == (9 + 4) / 14


@settings(max_examples=30, deadline=None)
@given(programs(), st.data(), st.integers(1, 3), st.booleans())
def test_loops_and_network_have_a_latency_for_each_execution(
    p: LoopProgram, data: st.DataObject, ii: int, io: bool
) -> None:
    counts, gone = firings(p), folded(p)
    named = [s.name for s in p.statements() if s.latency is None and counts[s.name] and s.name not in gone]
    random = Random(data.draw(st.integers(0, 2**32)))  # hundreds of latencies drawn one by one take half a second
    latencies = {name: tuple(random.choices(range(7), k=counts[name])) for name in named}
    if not any(counts[s.name] for s in p.statements() if s.name not in gone):
        return
    given_cycles: dict[str, int | Sequence[int]] = {"*": 2, **latencies}
    estimate = estimate_program(p, latency=given_cycles, ii=ii, io=io)
    machine = Machine(with_streams(p) if io else p, 2, ii, latencies=latencies)
    one_each, by_data = estimate.absolute, estimate.unbounded
    assert (one_each, by_data) == (machine.estimate(own_processes=False), machine.estimate(own_processes=True))
    network = derive(p, latency=given_cycles, ii=ii, io=io)
    assert throughput.unbounded(network).finish == by_data.finish
    assert run(network).finish == one_each.finish


def test_as_many_latencies_as_executions_are_needed() -> None:
    program = kernel("one", {"x": (4,), "y": (4,)}, loop("i", 0, 3, do("s", reads=(at("x", "i"),))))
    for estimate in (estimate_program, derive):
        with pytest.raises(InputError, match="statement 's': 3 latencies for 4 executions"):
            estimate(program, latency={"s": (1, 2, 3)})


# -- from the command line --------------------------------------------------------------------------------------------


def test_the_command_line_wins_over_the_file_and_the_file_over_pragmas(source: Path, tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text("[latency]\n'*' = 2\nmul = 4\n[ii]\n'*' = 3\nc = 2\n")
    assert cycles(profile(source)[0]) == {"mul": (1, 1), "c": (7, 1)}
    assert cycles(profile(source, "--timing", file)[0]) == {"mul": (4, 3), "c": (7, 2)}
    file.write_text("[latency]\n'*' = 2\nc = 3\n")
    assert cycles(profile(source, "--timing", file)[0]) == {"mul": (2, 1), "c": (3, 1)}
    assert cycles(profile(source, "--timing", file, "--latency", "c=9", "--ii", "mul=5")[0])["c"] == (9, 1)
    assert cycles(profile(source, "--timing", file, "--latency", "6")[0]) == {"mul": (6, 1), "c": (3, 1)}


def test_a_list_in_a_file_is_one_latency_per_execution(source: Path, tmp_path: Path) -> None:
    file, numbers = tmp_path / "t.toml", tmp_path / "numbers.txt"
    file.write_text("[latency]\nmul = [9, 1, 1, 1, 1, 1]\n")
    numbers.write_text("9, 1\n1 1 1\n1")
    by_table, by_list = profile(source, "--timing", file)[0], profile(source, "--latency", f"mul=@{numbers}")[0]
    assert by_table["statements"][0]["latencies"] == [1, 9]
    assert by_table["absolute"] == by_list["absolute"]
    # mul ends at 11 .. 16; c takes 1 + 7 + 1 cycles from then on.
    assert by_table["absolute"]["finish"] == 16 + 9


def test_a_derived_network_has_the_latencies_of_the_file(source: Path, tmp_path: Path) -> None:
    file, output = tmp_path / "t.toml", tmp_path / "net.json"
    file.write_text("[latency]\nmul = [9, 1, 1, 1, 1, 1]\n[ii]\nc = 2\n")
    options = ["derive", str(source), "-o", str(output), "--timing", str(file)]
    assert CliRunner().invoke(app, options).exit_code == 0
    (result,) = [json.loads(CliRunner().invoke(app, ["run", str(output), "--json", "-"]).stdout)]
    assert result["finish"] == profile(source, "--timing", file)[0]["absolute"]["finish"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[latncy]\nmul = 2", "t.toml: unknown key 'latncy' (did you mean 'latency'?)"),
        ("latency = 3", "t.toml: latency = 3 must be a table of keys"),
        ("[latency]\nmul = 'slow'", "t.toml: latency.mul = 'slow' must be a whole number"),
        ("[latency]\nmul = [1, -2]", "t.toml: latency.mul[1] = -2 must be at least 0"),
        ("[latency]\nmul = []", "t.toml: latency.mul = [] lists no latency"),
        ("[latency]\n'*' = [1]", "t.toml: latency.* is a list: one latency for each execution of one statement, not"),
        ("[ii]\nmul = 0", "t.toml: ii.mul = 0 must be at least 1"),
        ("[ii]\nmul = true", "t.toml: ii.mul = true must be a whole number"),
        ("[ii]\nmul = ", "t.toml:2:7: "),
        ("[ii]\nmull = 2", "t.toml: no statement or function is called 'mull' (did you mean 'mul'?)"),
    ],
)
def test_a_wrong_file_is_refused_with_its_key(source: Path, tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "t.toml"
    file.write_text(text)
    outcome = CliRunner().invoke(app, ["profile", str(source), "--timing", str(file)])
    assert outcome.exit_code == 2
    assert message in outcome.stderr


def test_files_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.toml: no such file"):
        load_as(tmp_path / "nowhere.toml", TimingFile)
    (tmp_path / "n.txt").write_text("3 x")
    with pytest.raises(InputError, match=r"n\.txt: \[1\] = 'x' is not a whole number of cycles from 0 to 2"):
        load_latencies(str(tmp_path / "n.txt"))
    (tmp_path / "empty.txt").write_text("\n")
    with pytest.raises(InputError, match=r"empty\.txt: holds no latency"):
        load_latencies(str(tmp_path / "empty.txt"))


def test_exploring_takes_one_latency_per_statement(source: Path, tmp_path: Path) -> None:
    (tmp_path / "n.txt").write_text("1 2 3 4 5 6")
    outcome = CliRunner().invoke(app, ["explore-splits", str(source), "--latency", f"mul=@{tmp_path / 'n.txt'}"])
    assert outcome.exit_code == 2
    assert "a latency for each execution cannot be used here, only one per statement" in outcome.stderr


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("0", (0,)), ("1,2 3\n\n4", (1, 2, 3, 4)), (f"{2**53}", (2**53,)), (f"{2**53 + 1}", f"[0] = '{2**53 + 1}'"),
        (f"7 {10**20}", f"[1] = '{10**20}'"), ("3 -1", "[1] = '-1'"), ("1.0", "[0] = '1.0'"),
        ("\u0663", "[0] = '\u0663'"), (" ,\n", "holds no latency"),
    ],
)  # fmt: skip
def test_latencies_are_whole_numbers_up_to_2_53(tmp_path: Path, text: str, found: tuple[int, ...] | str) -> None:
    path = tmp_path / "latencies.txt"
    path.write_text(text, encoding="utf-8")
    if isinstance(found, tuple):
        assert load_latencies(str(path)) == found
        return
    with pytest.raises(InputError) as refused:
        load_latencies(str(path))
    assert found in str(refused.value)
