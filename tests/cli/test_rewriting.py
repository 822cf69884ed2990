"""The options that rewrite a program, as they stand on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import app

STENCIL = """
#define N 8
void seidel(int a[N][N + 1], int out[N][N]) {
  for (int i = 1; i < N; i++)
    for (int j = 1; j < N; j++)
      a[i][j] = a[i - 1][j] + a[i - 1][j + 1] + a[i][j - 1];
  for (int i = 1; i < N; i++)
    for (int j = 1; j < N; j++)
      out[i][j] = a[i][j];
}
"""


@pytest.fixture
def stencil(tmp_path: Path) -> str:
    path = tmp_path / "stencil.c"
    path.write_text(STENCIL)
    return str(path)


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def profile(*arguments: str) -> dict[str, Any]:
    entry = json.loads(invoke("profile", *arguments, "--json", "-"))
    assert isinstance(entry, dict)
    return entry


def test_a_wavefront_is_a_skew_and_then_an_interchange(stencil: str) -> None:
    plain = profile(stencil, "--latency", "5")
    wave = profile(stencil, "--latency", "5", "--skew", "a@j=2*i", "--interchange", "a@i,j")
    assert [loop["iterator"] for loop in wave["statements"][0]["loops"]] == ["j", "i"]
    assert wave["absolute"]["finish"] < plain["absolute"]["finish"]
    assert wave["unbounded"]["finish"] == plain["unbounded"]["finish"]


def test_the_order_of_the_options_counts(stencil: str) -> None:
    options = ["--interchange=a@i,j", "--skew=a@j=2*i", "-o", str(Path(stencil).with_name("net.json"))]
    result = CliRunner().invoke(app, ["derive", stencil, *options])
    assert result.exit_code == 2
    assert "seidel: interchanging 'i' and 'j' around 'a' turns round the flow dependence a -> a" in result.stderr


def test_options_of_two_kinds_can_alternate(stencil: str) -> None:
    options = ["--interchange=out@i,j", "--skew=out@i=j", "--interchange=out@j,i", "--skew=out@j=-1*i"]
    loops = profile(stencil, *options)["statements"][1]["loops"]
    # i = 1 .. 7 and j = 1 .. 7; i' = i + j; outside again; j' = j - i'.
    assert [(loop["iterator"], loop["first"], loop["last"]) for loop in loops] == [
        ("i", "2", "14"), ("j", "max(-i + 1, -7)", "min(-i + 7, -1)"),
    ]  # fmt: skip


@pytest.mark.parametrize("product", ["i*2", "2*i", "-1*i*-2", "-i*-2"])
def test_a_factor_is_written_before_or_after(stencil: str, product: str) -> None:
    row = profile(stencil, "--skew", f"a@j={product}")["statements"][0]
    assert [(loop["first"], loop["last"]) for loop in row["loops"]] == [("1", "7"), ("2*i + 1", "2*i + 7")]


def test_merged_statements_are_one_process(stencil: str, tmp_path: Path) -> None:
    rows = profile(stencil, "--merge", "core=a,out")["statements"]
    assert [(row["name"], row["process"]) for row in rows] == [("a", "core"), ("out", "core")]
    assert "core: out" in invoke("profile", stencil, "--merge", "core=a,out")
    target = tmp_path / "net.json"
    invoke("derive", stencil, "--io", "--merge", "in_a,a", "-o", str(target))
    network = json.loads(target.read_text())
    assert [process["name"] for process in network["processes"]] == ["in_a+a", "out", "out_a", "out_out"]


@pytest.mark.parametrize(
    ("option", "message"),
    [
        ("--skew=a@j", "--skew: 'a@j' is not STMT@LOOP=N*OUTER"),
        ("--skew=a=2", "--skew: 'a=2' is not STMT@LOOP=N*OUTER"),
        ("--interchange=a@i", "--interchange: 'a@i' is not STMT@OUTER,INNER"),
        ("--unfold=a", "--unfold: 'a' is not STMT=N"),
        ("--unfold=a=x", "--unfold a=x: 'x' is not a whole number"),
        ("--merge=a", "seidel: merging 1 process leaves it as it is (name two or more)"),
        ("--merge=a,aut", "seidel: no statement is called 'aut' (did you mean 'out'?)"),
    ],
)
def test_options_that_make_no_sense_are_told(stencil: str, option: str, message: str) -> None:
    result = CliRunner().invoke(app, ["profile", stencil, option])
    assert result.exit_code == 2
    assert message in result.stderr


def test_help_names_the_rewritings() -> None:
    text = invoke("profile", "--help")
    assert all(f"--{name}" in text for name in ("unfold", "cut", "skew", "interchange", "merge"))
