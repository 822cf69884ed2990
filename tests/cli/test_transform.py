"""``ppnsim transform``: what it writes where, and what it refuses."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from ppnsim.cli.app import app

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"
ATAX = str(KERNELS / "atax_thesis.c")


def transform(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["transform", *arguments])


def test_a_kernel_is_written_to_a_file_and_named(tmp_path: Path) -> None:
    output = tmp_path / "out.c"
    result = transform(ATAX, "--unfold", "tmp=4", "--cut", "y_2@j", "-o", str(output))
    assert result.exit_code == 0, result.output
    assert "kernel_atax_thesis: 7 statements in" in result.stdout
    text = output.read_text(encoding="utf-8")
    assert "    /* ppnsim transform --unfold tmp=4 --cut y_2@j */\n" in text
    assert "            if (j % 4 == 3)\n                tmp[i] += A[i][j] * x[j]; /* tmp.3 */\n" in text
    assert "            if (j <= 15)\n                y[j] += A[i][j] * tmp[i]; /* y_2.0 */\n" in text


def test_without_a_file_the_source_goes_to_standard_output() -> None:
    result = transform(ATAX)
    assert result.stdout.startswith("/*\n * y = A^T (A x)")
    assert result.stdout.endswith("#pragma endscop\n}\n")


def test_json_has_the_statements_with_their_executions_and_the_text() -> None:
    plain = transform(ATAX, "--unfold", "tmp=5@j").stdout
    found: Any = json.loads(transform(ATAX, "--unfold", "tmp=5@j", "--json", "-").stdout)
    assert found["function"] == "kernel_atax_thesis"
    assert found["file"] == ATAX
    executions = {each["name"]: each["executions"] for each in found["statements"]}
    assert executions == {"y": 32, "tmp.0": 224, "tmp.1": 224, "tmp.2": 192, "tmp.3": 192, "tmp.4": 192, "y_2": 1024}
    assert found["c"] == plain


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_sizes_of_the_command_line_hold_in_the_text_too(tmp_path: Path) -> None:
    output = tmp_path / "out.c"
    assert transform(ATAX, "-D", "NX=3", "-D", "NY=5", "-o", str(output)).exit_code == 0
    text = output.read_text(encoding="utf-8")
    assert text.startswith("#ifndef NX\n#define NX 3\n#endif\n#ifndef NY\n#define NY 5\n#endif\n")
    check = "int main(void) { return sizeof(double[NX][NY]) == 15 * sizeof(double) ? 0 : 1; }\n"
    output.write_text(text + check, encoding="utf-8")
    subprocess.run(["gcc", "-Wall", "-Werror", str(output), "-o", str(tmp_path / "out")], check=True)
    assert subprocess.run([tmp_path / "out"], check=False).returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unfold", "tpm=4"], "kernel_atax_thesis: no statement is called 'tpm' (did you mean 'tmp'?)"),
        (["--unfold", "tmp=1"], "unfolding by 1 leaves it as it is (factors start at 2)"),
        (["--unfold", "tmp=many"], "--unfold tmp=many: 'many' is not a whole number"),
        (["--unfold", "tmp"], "--unfold: 'tmp' is not STMT=N"),
        (["--cut", "tmp@k"], "statement 'tmp' is in no loop over 'k'"),
        (["--cut", "y=1"], "cutting into 1 leaves it as it is (planes start at 2)"),
        (["-o", ATAX], "is the source itself; choose another name"),
        (["-o", "out.json"], "'out.json' is not a name for a C source (.c, .cpp)"),
        (["-o", "nowhere/out.c"], "there is no directory 'nowhere'"),
    ],
)
def test_bad_input_is_refused_with_exit_code_2(options: list[str], message: str) -> None:
    result = CliRunner().invoke(app, ["transform", ATAX, *options])
    text = result.stderr + str(result.exception or "")
    assert message in text
    assert result.exit_code == 2 or getattr(result.exception, "exit_code", None) == 2


def test_a_source_with_several_kernels_needs_one_to_be_chosen(tmp_path: Path) -> None:
    loop = "{ for (int i = 0; i < 4; i++) a[i] = i; }\n"
    source = tmp_path / "two.c"
    source.write_text(f"void one(int a[4]) {loop}void two(int a[4]) {loop}", encoding="utf-8")
    result = transform(str(source))
    assert "holds 2 kernels: choose one with --function (one, two)" in result.stderr
    chosen = transform(str(source), "--function", "two", "--unfold", "a=2")
    assert chosen.stdout.startswith(f"void one(int a[4]) {loop}void two(int a[4]) {{ /* ppnsim transform")


def test_the_place_is_told_as_it_is_called(tmp_path: Path) -> None:
    """Brackets in a name are no markup; the place is told, and the source is never replaced."""
    source, output = tmp_path / "k.c", tmp_path / "[bold]k.c"
    source.write_text("void k(int a[4]) { for (int i = 0; i < 4; i++) a[i] = i; }")
    done = CliRunner().invoke(app, ["transform", str(source), "--unfold", "a=2", "-o", str(output)])
    assert done.exit_code == 0, done.output
    assert f"k: 2 statements in {output}" in done.stdout.replace("\n", "")
    before = source.read_text()
    done = CliRunner().invoke(app, ["transform", str(source), "--unfold", "a=2", "-o", str(source)])
    assert done.exit_code != 0 and source.read_text() == before
