"""C that is written to be misread, and command lines that contradict themselves."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from ppnsim.c.load import load_programs
from ppnsim.c.policy import HARDWARE
from ppnsim.cli.main import main
from ppnsim.errors import InputError
from ppnsim.loops.dependences import dependences, firings
from tests.helpers.c_drivers import run_kernel


def write(folder: Path, text: str, name: str = "k.c") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def refusal(folder: Path, text: str, **options: object) -> str:
    with pytest.raises(InputError) as caught:
        load_programs(write(folder, text), **options)  # type: ignore[arg-type]
    return str(caught.value)


def command(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int | str | None:
    monkeypatch.setattr("sys.argv", ["ppnsim", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    return caught.value.code


# Conditions on unsigned numbers below 0, which wrap round; those of long wrap beyond what an estimate can count to.
CONDITIONS = (
    "i - 5 < 3", "3 <= i - 2u", "(i - 5) % 3 == 1", "(i - 5) / 2 == 1", "i >= 1 && i - 1 >= 3 - i", "!(i - 7 > 4)",
    "(i - 3) >> 1 < 2", "i - 4 > i - 6", "(i - 3) % 4 == 1", "(int)i - 5 < 3",
)  # fmt: skip


@pytest.mark.parametrize("type_", ["unsigned", "unsigned long", "unsigned char"])
def test_unsigned_conditions_hold_where_they_hold_in_c(type_: str, tmp_path: Path) -> None:
    counts = "".join(f"        if ({test}) n[{k}] = n[{k}] + 1;\n" for k, test in enumerate(CONDITIONS))
    text = f"void k(int n[{len(CONDITIONS)}])\n{{\n    for ({type_} i = 0; i < 10; i++) {{\n{counts}    }}\n}}\n"
    [program] = load_programs(write(tmp_path, text))
    executions = firings(program)
    ours = [
        sum(executions[s.name] for s in program.statements() if str(s.writes[0]) == f"n[{k}]")
        for k in range(len(CONDITIONS))
    ]
    zeroed = text.replace("{\n    for", f"{{\n    for (int z = 0; z < {len(CONDITIONS)}; z++) n[z] = 0;\n    for", 1)
    bare, *_ = run_kernel(Path(write(tmp_path, zeroed, "run.c")), "k", tmp_path, defines={})
    theirs = [int.from_bytes(bytes.fromhex(bare)[4 * k : 4 * k + 4], "little") for k in range(len(CONDITIONS))]
    assert ours == theirs


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        ("unsigned i = 9; i >= 0; i--", "'i >= 0' always holds: 'i' of type unsigned int is never less than 0"),
        ("unsigned char i = 0; i < 300; i++", "'i' of type unsigned char is never more than 255"),
        ("signed char i = 0; i < 128; i += 2", "'i' of type signed char is never more than 127"),
        ("int i = 0; i <= 2147483647; i++", "'i' of type int is never more than 2147483647"),
    ],
)
def test_a_loop_whose_iterator_wraps_round_never_ends(head: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusal(tmp_path, f"void k(int a[20]) {{ for ({head}) a[0] = 1; }}")


@pytest.mark.parametrize(
    "head", ["unsigned i = 9; i > 0; i--", "unsigned char i = 0; i < 255; i++", "char i = -128; i < 127; i++"]
)
def test_a_loop_up_to_the_limit_of_its_iterator_ends(head: str, tmp_path: Path) -> None:
    [program] = load_programs(write(tmp_path, f"void k(int a[20]) {{ for ({head}) a[0] = 1; }}"))
    assert firings(program) == {"a": 9 if "9" in head else 255}


def test_a_bound_between_unsigned_numbers_stays_a_bound(tmp_path: Path) -> None:
    text = """void k(int a[20]) {
        for (unsigned long i = 0; i < 10; i++)
            for (unsigned long j = 0; j <= i; j++)
                for (unsigned long m = 0; m < i - j; m++)
                    a[i - j] = 1;
    }"""
    [program] = load_programs(write(tmp_path, text))
    assert firings(program) == {"a": sum(i - j for i in range(10) for j in range(i + 1))}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("void k(int a[9]) { for (int i = 0; i < 9; i++) a[i >> 40] = 1; }", "a shift is by 0 to 31 bits"),
        ("void k(int a[9]) { for (int i = 0; i < a[0]; i++) a[i] = 1; }", "'#pragma ppnsim tripcount(8)' before the"),
        ("void k(int a[9], int (*f)(int)) { for (int i = 0; i < 9; i++) a[i] = f(i); }", "is a pointer to a function"),
        (
            "void k(int a[9]) {\n#pragma ppnsim latency(3) latency(4)\nfor (int i = 0; i < 9; i++) a[i] = i; }",
            "k.c:2:1",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(text: str, reason: str, tmp_path: Path) -> None:
    assert reason in refusal(tmp_path, text)


def test_a_folder_of_headers_that_is_not_there_is_refused(tmp_path: Path) -> None:
    text = "void k(int a[9]) { for (int i = 0; i < 9; i++) a[i] = 1; }"
    assert refusal(tmp_path, text, include=["nowhere"]) == "-I: there is no directory 'nowhere'"


def test_many_writers_of_one_array_are_a_matter_of_seconds(tmp_path: Path) -> None:
    # isl takes minutes if every write is a candidate for every read; a handful of them is.
    body = "a[i] = a[i] + 1; " * 300
    [program] = load_programs(write(tmp_path, f"void k(int a[10]) {{ for (int i = 0; i < 10; i++) {{ {body} }} }}"))
    found = dependences(program)
    names = [statement.name for statement in program.statements()]
    assert [(d.producer, d.consumer) for d in found] == list(pairwise(names))
    assert {d.kind for d in found} == {"IOM-"}


ALLOCATED = """
#include <stdlib.h>
#define N 6
void k(double (*A)[N][N], double y[N])
{
    double (*B)[N][N] = (double (*)[N][N])malloc(sizeof(double) * N * N);
    double *t = (double *)calloc(N, sizeof *t);
    double (*u)[2] = (double (*)[2])malloc(sizeof(double[N][2]));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            (*B)[i][j] = (*A)[j][i] * 2;
    for (int i = 0; i < N; i++) {
        t[i] = 1;
        for (int j = 0; j <= i; j++)
            t[i] += (*B)[i][j];
        u[i][1] = t[i];
        y[i] = u[i][1];
    }
    free(B); free(t); free(u);
}
"""


def test_c_with_allocated_arrays_compiles_and_computes_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = write(tmp_path, ALLOCATED), tmp_path / "out.c"
    assert command(monkeypatch, "transform", source, "--unfold", "t_2=2", "--cut", "B@j", "-o", str(out)) == 0
    before, after = (run_kernel(path, "k", tmp_path, defines={}) for path in (Path(source), out))
    assert before == after


@pytest.mark.parametrize(
    "arguments", [("derive", "-o", "x.json"), ("transform", "-o", "x.c"), ("explore-splits", "--plot", "x.svg")]
)
def test_one_file_for_two_results_is_refused(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    name, option, output = arguments
    source, place = write(tmp_path, "void k(int a[9]) { for (int i = 0; i < 9; i++) a[i] = i; }"), tmp_path / output
    assert command(monkeypatch, name, source, option, str(place), "--json", str(place)) == 2
    said = {"-o": "--out"}.get(option, option)
    assert f"{said}: '{place}' is also given to --json, which would replace it" in capsys.readouterr().err
    assert not place.exists()


def test_a_derived_network_takes_a_line_per_process_and_channel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, out = write(tmp_path, ALLOCATED), tmp_path / "net.json"
    assert command(monkeypatch, "derive", source, "-o", str(out)) == 0
    data = json.loads(out.read_text(encoding="utf-8"))
    assert len(out.read_text(encoding="utf-8").splitlines()) == 7 + len(data["processes"]) + len(data["channels"])


def test_channels_that_are_left_out_are_said_to_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, "void k(int a[9]) { for (int i = 0; i < 9; i++) a[i] = i; }")
    monkeypatch.setattr("ppnsim.library.profile._LARGEST", 8)
    assert command(monkeypatch, "profile", source, "--json", "-") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["channels"] is None
    assert err == "k: its 9 executions are more than 8, so no channels are derived\n"


@pytest.mark.parametrize(
    ("body", "read"),
    [
        ("int *p = a[k][2]; s += p[i];", "a[?][2][i]"),
        ("int *p = a[k][2]; s += p[i + 9];", "a[?][?][?]"),  # beyond its row
        ("int *p = a[0][0] + k; s += p[i];", "a[0][0][?]"),
        ("int *p = &a[1][k][0]; s += p[i];", "a[1][?][i]"),
        ("int *p = (int *)a[k]; s += p[i];", "a[?][0][i]"),
        ("int *p = a[1][2]; if (k) p++; s += p[i];", "a[?][?][?]"),
        ("int *p = a[1][2]; p++; s += p[i];", "a[1][floor((i + 1)/16) + 2][((i + 1) mod 16)]"),
        ("int (*p)[16] = a[k]; s += p[3][i];", "a[?][3][i]"),
    ],
)
def test_elements_behind_a_pointer_that_data_moves_have_the_dimensions_of_their_array(
    tmp_path: Path, body: str, read: str
) -> None:
    text = f"void k(int a[4][8][16], int k, int *o) {{ int s = 0; for (int i = 0; i < 16; i++) {{ {body} }} *o = s; }}"
    (program,) = load_programs(write(tmp_path, text), policy=HARDWARE)
    found = {str(each) for statement in program.statements() for each in statement.reads if each.array == "a"}
    assert found == {read}


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("int i, *p = &i;", "*p += 2;"),
        ("int i; int &p = i;", "p += 2;"),
        ("int i;", "more(i);"),
        ("int i, *p = &i;", "more(*p);"),
    ],
)
def test_a_counter_that_something_else_has_is_refused_in_a_network(before: str, body: str, tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    loop = f"{before} for (i = 0; i < 9; i++) {{ a[i] = 0; {body} }}"
    path.write_text(f"void more(int &n) {{ n += 2; }}\nvoid k(int a[9]) {{ {loop} }}")
    with pytest.raises(InputError, match="'i' may change behind the loop's back"):
        load_programs(str(path), function="k")
