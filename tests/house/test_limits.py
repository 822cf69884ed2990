"""Limits, typed a second time: tests that reach one set a smaller one, so that none of them would see it change."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMITS: dict[str, dict[str, float]] = {
    # What a run, a timeline or a search may hold in memory.
    "engines/run.py": {"_LARGEST": 400_000_000, "_KEPT": 100_000_000, "PAYS": 500_000},
    "engines/compiled/blocks.py": {"_BLOCK": 1_000_000},
    "engines/compiled/trials.py": {"_MOST_TRIED": 50_000_000, "MOST_FIRINGS": 200_000_000},
    "analysis/k_periodic.py": {"_LARGEST": 2_000_000},
    "analysis/steady_graph.py": {"_LARGEST": 1_000_000},
    "analysis/throughput.py": {"LARGEST": 50_000_000},
    "analysis/path/event_edges.py": {"_LARGEST": 8_000_000},
    "explore/fifo/lanes.py": {"_MOST": 10**9},
    "explore/fifo/moments.py": {"_LARGEST": 4_000_000},
    "explore/fifo/other_styles.py": {"_TOO_LONG": 2_000_000},
    "explore/fifo/steady_depths.py": {"_LARGEST": 60_000},
    "explore/sweep/workers.py": {"_ALONE": 1.0},
    "formats/sdf3_xml.py": {"_MOST_FIRINGS": 2**40},
    "formats/values.py": {"LARGEST": 2**53},
    "kernel_cache.py": {"_KEPT": 256, "_PER_ELEMENT": 3e-7},
    "library/profile.py": {"_LARGEST": 1_000_000},
    "library/run_export.py": {"_LARGEST": 100_000_000},
    "loops/dependences.py": {"_MOST_PAIRS": 2**24},
    "memory/model/traffic.py": {"_LARGEST": 50_000_000},
    "model/cycles.py": {"_DENSE": 2},
    "model/metrics.py": {"_DENSE": 4},
    "model/step_lists.py": {"LARGEST": 400_000_000},
    "opencl/files/amounts.py": {"_MOST": 10_000_000},
    "opencl/run.py": {"LARGEST": 2_000_000},
    # How much of it is shown.
    "cli/runners/written.py": {"_MOST_ROWS": 250_000, "_DETAIL": 300},
    "export/tables.py": {"_ROWS": 100_000},
    "messages/pictures.py": {"_MOST": 64},
    "messages/report.py": {"_ROWS": 64},
    "page/build.py": {"LARGEST": 300_000, "_CELLS": 30_000_000},
    "page/large.py": {"_PICTURED": 20_000_000},
    "page/notebook.py": {"_SIMULATED": 200_000},
    "page/sections.py": {"_LARGEST": 400_000, "_STRETCHES": 200, "_DRAWN": 5000},
    "placed/pictures/drawing.py": {"_MOST": 40},
    "platform/pictures/drawing.py": {"_MOST": 16},
    "plots/columns.py": {"_BLOCK": 100_000},
    "report/bottleneck.py": {"_LONG": 1_000_000, "_TOO_LONG": 50_000_000},
    "report/tables.py": {"_ROWS": 100_000},
}


def constants(file: str) -> dict[str, ast.expr]:
    """Return what the names of a file are set to, outside of its functions."""
    found = {}
    for node in ast.parse((ROOT / "ppnsim" / file).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    found[target.id] = node.value
    return found


@pytest.mark.parametrize("file", LIMITS)
def test_a_limit_is_the_number_that_is_typed_here(file: str) -> None:
    known = constants(file)
    values = {name: eval(compile(ast.Expression(known[name]), file, "eval"), {}) for name in LIMITS[file]}
    assert values == LIMITS[file]


def test_every_limit_that_a_test_sets_by_its_path_is_typed_here() -> None:
    """But for thresholds of speed alone, from which on one of two ways to the same answer pays."""
    wanted = set()
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        wanted |= set(re.findall(r'setattr\(\s*"ppnsim\.([a-z_.]+)\.(_?[A-Z][A-Z_]+)", [\d("]*\d', text))
    found = {
        (module, name) for module, name in wanted
        if name not in LIMITS.get(f"{module.replace('.', '/')}.py", {}) and not name.startswith("_PAYS")
    }  # fmt: skip
    assert found - {("hls.region.network", "LARGEST"), ("explore.sweep.sweep", "PAYS")} == set()
