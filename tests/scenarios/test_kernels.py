"""The shipped C kernels: the list is complete, each follows the conventions of its README, and each compiles."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

KERNELS = Path(__file__).parents[2] / "scenarios" / "kernels"

# The algorithms of PolyBench/C 4.2.1.
POLYBENCH = [
    "2mm",
    "3mm",
    "adi",
    "atax",
    "bicg",
    "cholesky",
    "correlation",
    "covariance",
    "deriche",
    "doitgen",
    "durbin",
    "fdtd_2d",
    "floyd_warshall",
    "gemm",
    "gemver",
    "gesummv",
    "gramschmidt",
    "heat_3d",
    "jacobi_1d",
    "jacobi_2d",
    "lu",
    "ludcmp",
    "mvt",
    "nussinov",
    "seidel_2d",
    "symm",
    "syr2k",
    "syrk",
    "trisolv",
    "trmm",
]

# Those of van Teijlingen 2014, Table D.1 (PolyBench/C 3.1), that 4.2.1 no longer has.
OLDER = ["dynprog", "fdtd_apml", "gauss_filter", "reg_detect"]

# The examples of van Teijlingen 2014.
THESIS = [
    "four_processes",
    "predictor",
    "predictor_inner",
    "predictor_outer",
    "predictor_both",
    "predictor_sink",
    "predictor_source",
    "predictor_all",
    "iom_minus",
    "iom_plus",
    "oom_minus",
    "oom_plus",
    "hierarchy",
    "atax_thesis",
]

NAMES = sorted(POLYBENCH + OLDER + THESIS)


def source(name: str) -> str:
    return (KERNELS / f"{name}.c").read_text(encoding="utf-8")


def test_the_files_are_the_names() -> None:
    assert len(POLYBENCH) == 30
    assert sorted(path.stem for path in KERNELS.glob("*.c")) == NAMES


def test_the_table_lists_each_file_once() -> None:
    table = (KERNELS / "README.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^\| `(\w+)\.c` \|", table, re.MULTILINE)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_table_has_the_sizes_of_the_file(name: str) -> None:
    table = (KERNELS / "README.md").read_text(encoding="utf-8")
    (row,) = re.findall(rf"^\| `{name}\.c` \|.*", table, re.MULTILINE)
    sizes = re.findall(r"^#define (\w+) (\d+)$", source(name), re.MULTILINE)
    assert row.endswith(f"| {', '.join(f'{size} {value}' for size, value in sizes)} |")


@pytest.mark.parametrize("name", POLYBENCH + OLDER)
def test_a_benchmark_is_one_function_with_a_scop(name: str) -> None:
    text = source(name)
    assert re.findall(r"^void (\w+)\(", text, re.MULTILINE) == [f"kernel_{name}"]
    assert re.findall(r"^#pragma (\w+)$", text, re.MULTILINE) == ["scop", "endscop"]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize("name", NAMES)
def test_it_compiles_without_a_warning(name: str, tmp_path: Path) -> None:
    command = ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-c", str(KERNELS / f"{name}.c"), "-o", "kernel.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
