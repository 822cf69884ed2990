"""Limits, typed a second time: tests that reach one set a smaller one, so that none of them would see it change.

A few are thresholds of speed alone: one that changes by mistake costs minutes, and no answer.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIMITS: dict[str, dict[str, float]] = {
    # What a run, a timeline or a search may hold in memory.
    "engines/run.py": {"_LARGEST": 400_000_000, "_KEPT": 100_000_000, "PAYS": 100_000, "_TRIED": 2_000_000},
    "engines/evaluate.py": {"_LARGE": 20_000_000, "_TRIED": 2_000_000},
    "engines/compiled/budget.py": {
        "ONE_IN": 20,
        "_DEARER": 4,
        "_DEARER_ONCE": 2,
        "_FREE": 1_000_000,
        "_SHARE": 10,
        "_TAPE": 60_000,
        "_ELEMENT": 6_000,
        "_BY_TABLE": 5,
    },
    "engines/compiled/early_period.py": {
        "_FIRST": 32,
        "_GROWTH": 2,
        "_TURN": 20,
    },
    "engines/compiled/late_period.py": {"_LEAST": 64, "_SHARE": 2048},
    "engines/compiled/blocks.py": {"_BLOCK": 1_000_000, "_LEAST": 16},
    "engines/compiled/windows.py": {"_WINDOW": 1_000_000, "_LEAST": 16, "_MOST": 16},
    "engines/compiled/trials.py": {
        "_MOST_TRIED": 50_000_000,
        "MOST_FIRINGS": 200_000_000,
        "_FIRST_ROWS": 8,
        "_FIRST_ITERATIONS": 32,
        "_MOST_ITERATIONS": 1 << 16,
    },
    "analysis/k_periodic.py": {"_LARGEST": 2_000_000, "_FEW": 60_000},
    "analysis/steady_graph.py": {"_LARGEST": 1_000_000},
    "analysis/throughput.py": {"LARGEST": 50_000_000, "LARGEST_AT_ONCE": 400_000_000},
    "analysis/path/event_edges.py": {"_LARGEST": 8_000_000},
    "explore/explain/deadlock_fix.py": {"_LONGEST": 10_000_000},
    "explore/fifo/lanes.py": {"_MOST": 10**9},
    "explore/fifo/moments.py": {"_LARGEST": 4_000_000},
    "explore/fifo/other_styles.py": {"_TOO_LONG": 2_000_000, "_TRIED": 20_000_000},
    "explore/fifo/steady_depths.py": {"_LARGEST": 60_000},
    "explore/sweep/families.py": {"_KEPT": 2_000_000, "_PAYS": 3},
    "explore/sweep/workers.py": {"_ALONE": 1.0, "_TOGETHER": 0.25, "_MOST_TOGETHER": 1000},
    "formats/sdf3_xml.py": {"_MOST_FIRINGS": 2**40, "_MOST_PHASES": 1_000_000},
    "formats/values.py": {"LARGEST": 2**53, "_LONGEST": 60},
    "kernel_cache.py": {"_PER_ELEMENT": 3e-7},
    "library/profile.py": {"_LARGEST": 1_000_000},
    "library/run_export.py": {"_LARGEST": 100_000_000},
    "loops/dependences.py": {"_MOST_PAIRS": 2**24},
    "memory/model/traffic.py": {"_LARGEST": 50_000_000},
    "model/cycles.py": {"_DENSE": 2},
    "model/metrics.py": {"_DENSE": 4},
    "model/pipeline.py": {"LISTED": 1_000_000},
    "model/step_lists.py": {"LARGEST": 400_000_000},
    "opencl/files/amounts.py": {"_MOST": 10_000_000, "_LONGEST": 200},
    "opencl/run.py": {"LARGEST": 2_000_000, "_GROUP": 64},
    # How much of it is shown.
    "library/save_run.py": {"_MOST_ROWS": 250_000},
    "export/tables.py": {"_ROWS": 100_000},
    "messages/looks.py": {"MOST": 64},
    "messages/report.py": {"_ROWS": 64},
    "page/build.py": {"LARGEST": 300_000, "_CELLS": 30_000_000},
    "page/excerpt.py": {"_DETAIL": 300, "_LARGEST": 20_000_000},
    "page/still.py": {"_COLUMNS": 1400},
    "page/notebook.py": {"_SIMULATED": 200_000},
    "page/sections.py": {"_LARGEST": 400_000, "_STRETCHES": 200, "_DRAWN": 5000},
    "placed/pictures/drawing.py": {"_MOST": 40},
    "platform/pictures/drawing.py": {"_MOST": 16},
    "plots/columns.py": {"_BLOCK": 100_000},
    "report/bottleneck.py": {
        "_AT_ONCE": 100_000_000,
        "_LONG": 1_000_000,
        "_TOO_LONG": 50_000_000,
        "_TRIED": 200_000,
    },
    "report/tables.py": {"_ROWS": 100_000},
    # What is tried, remembered, listed or taken as the same, and from where on something is too large to be one.
    "analysis/self_timed.py": {"_KEPT": 2**24, "_ITERATIONS": 64, "_LOOKS": 50_000, "_LONGEST": 1_000_000},
    "c/clang/own_names.py": {"_MOST": 160},
    "c/executed/budget.py": {"WHOLE": 5_000_000},
    "c/lowering/functions/footprint.py": {"_WHOLE_LIMIT": 64},
    "hls/region/outcome.py": {"MOST_BESIDE": 12_000_000},
    "c/lowering/statements/structs.py": {"_FEW": 64},
    "c/lowering/values/constants.py": {"_DEEPEST": 64},
    "c/plain/values_after_loops.py": {"_MOST": 2**16},
    "c/plain/copies.py": {"_MOST": 1024},
    "c/plain/counters.py": {"_MOST": 2**14},
    "c/plain/exits.py": {"_MOST": 4000},
    "calls.py": {"_FEW": 3},
    "cli/command.py": {"_YOUNG": 1_000_000},
    "cli/options/depths.py": {"_MOST_PASTED": 40},
    "cli/options/elsewhere.py": {"_NAMED": 4},
    "cli/options/help.py": {"WIDEST": 120},
    "comparison/compare.py": {"MOST_POINTS": 100_000},
    "comparison/laws/own.py": {"_LISTED": 200},
    "comparison/model.py": {"TOLERANCE": 0.05},
    "comparison/pictures/lines.py": {"_MOST_LINES": 5, "_TICKS": 16},
    "comparison/pictures/maps.py": {"_WRITTEN": 12, "_TICKS": 16},
    "comparison/regimes.py": {"_LISTED": 6},
    "comparison/report.py": {"_ALL": 24, "_WORST": 12, "_SILENT": 6},
    "comparison/run/memory.py": {"_REQUESTS": 10_000},
    "derive/designs/execution_graph.py": {"MOST_EXECUTIONS": 5_000_000},
    "derive/designs/exhaustive.py": {"MOST_DESIGNS": 2_000_000, "_MOST_WORK": 20_000_000_000, "_OFTEN": 500},
    "derive/designs/report.py": {"_SHOWN_OPTIONS": 6},
    "derive/designs/splits.py": {"_REMEMBERED": 20_000_000},
    "derive/designs/walk.py": {"_PAIR_WORK": 300_000_000},
    "derive/estimate/timed.py": {"_LARGEST_CYCLES": 2**40, "_LARGEST_STATE": 2**24},
    "derive/estimate/walk/activity.py": {"LARGEST": 2**29, "_BLOCK": 2**17},
    "derive/estimate/walk/nest.py": {"_DEEPEST": 18, "_LARGEST": 2**62},
    "derive/estimate/walk/run.py": {"IN_PYTHON": 10_000, "_BUDGET": 2**20, "_ENDLESS": 2**62},
    "derive/estimate/walk/step.py": {"SPILL_COST": 64},
    "derive/hazards.py": {"_FEW_RUNS": 8},
    "engines/compiled/completion.py": {"BETWEEN_LOOKS": 20_000_000},
    "engines/compiled/engine.py": {"_BETWEEN_REPORTS": 5_000_000},
    "engines/compiled/tape_timeline.py": {"_PIECE": 2**14},
    "engines/compiled/generated.py": {"WINDOW": 500, "_NO_LIMIT": 1 << 60},
    "engines/compiled/recurrences.py": {"_PIECE": 2**14},
    "engines/compiled/rounds.py": {"_MOST_PASSINGS": 400},
    "engines/compiled/row_parts.py": {"_LONGEST": 1_000_000},
    "engines/compiled/row_places.py": {"_MOST_TURNS": 200_000, "_WIDEST": 512},
    "engines/compiled/scheduled.py": {"_BETWEEN_REPORTS": 5_000_000, "_PER_PASSING": 2e-6},
    "engines/compiled/tapes.py": {"_TOKENS": 16},
    "engines/des/engine.py": {"_EVENTS_BETWEEN_REPORTS": 50_000},
    "explore/explain/explanation.py": {"LISTED": 1000},
    "explore/explain/initial_tokens.py": {"_MOST_TOKENS": 16, "_MOST_CIRCLES": 8, "_MOST_FIRINGS": 1_000_000},
    "explore/explain/pictures.py": {"_DRAWN": 500, "_COLUMNS": 500},
    "explore/explain/report.py": {"_SHOWN": 12},
    "explore/explain/slack.py": {"_NEVER": 2**62},
    "explore/fifo/answers.py": {"_LESS": 3_000_000},
    "explore/fifo/enumeration.py": {"_SHARE": 10},
    "explore/fifo/graph_sizes.py": {"_FOLLOWED": 10**9},
    "explore/fifo/live_depths.py": {"_SECONDS": 60},
    "explore/fifo/objectives.py": {"_FIRST_ITERATIONS": 32, "_MOST_ITERATIONS": 128, "_MOST_WITHOUT_GRAPH": 2**14},
    "explore/fifo/round_starts.py": {"_PAIRS": 60_000, "_LARGEST": 2_000_000, "_ROUNDS": 2000},
    "explore/fifo/series_cuts.py": {"_MOST_PASSINGS": 20_000_000},
    "explore/fifo/stop.py": {"FRONT": 15},
    "explore/fifo/sums.py": {"_MOST_PASSINGS": 100_000_000},
    "explore/fifo/walks.py": {"_MOST_LAPS": 2000},
    "explore/sweep/parameters.py": {"_MOST_VALUES": 1_000_000},
    "explore/sweep/pictures.py": {"_MOST_LINES": 10, "_SMALLEST_MAP": 4, "_WRITTEN": 12},
    "explore/sweep/report.py": {"_ALL": 24, "_BEST": 12},
    "explore/sweep/sizes.py": {"_REMEMBERED": 64},
    "explore/sweep/sweep.py": {"MOST_POINTS": 10_000_000},
    "export/wavedrom.py": {"WIDEST": 1000},
    "export/window.py": {"_DIGITS": 18},
    "formats/network_schema.py": {"DEFAULT_NS": 10.0},
    "formats/network_values.py": {"_LARGEST_PARAMETER": 2**31},
    "formats/sdf3_dump.py": {"_MOST_PHASES": 10_000},
    "formats/shipped.py": {"_LONGEST": 100},
    "formats/xml_tree.py": {"_DEEPEST": 100},
    "hls/dse/loops.py": {"MOST_STATEMENTS": 20_000},
    "hls/native/heads.py": {"_MOST": 4096},
    "hls/pictures.py": {"_MOST": 60},
    "hls/project/places.py": {"_MOST": 20_000},
    "hls/project/tcl.py": {"_DEEPEST": 100, "_MOST_STEPS": 100_000},
    "hls/region/accesses.py": {"MOST_ITERATIONS": 2**24, "MOST_ON_BUSES": 2**25},
    "hls/region/read_write_arrays.py": {"_MOST": 10_000_000},
    "hls/region/report.py": {"_MOST": 40},
    "hls/region/streamed.py": {"_MOST": 10_000_000},
    "hls/reports/match.py": {"_MANY": 40},
    "hls/reports/read.py": {"_SHOWN": 4},
    "hls/schedule/circuits.py": {"_LOOKS": 4},
    "hls/schedule/attempts.py": {"_FEW": 8},
    "hls/schedule/recurrences.py": {"_LARGEST": 4096},
    "kinds.py": {"_LOOKED_AT": 1000, "_SHOWN": 60},
    "library/answer.py": {"_WIDTH": 160},
    "library/estimate_period.py": {"_SHOWN": 400},
    "library/explore_directives.py": {"MOST": 2000},
    "hls/reports/model.py": {"_SAME_CLOCK": 1e-6},
    "loops/points.py": {"_LARGEST_KEY": 2**62},
    "loops/program.py": {"ADDRESSES": 1 << 32},
    "loops/work.py": {"MOST": 20_000_000, "BRANCHES": 5_000_000},
    "loops/rewrite/partition.py": {"MOST_PARTS": 4096},
    "loops/rewrite/skew.py": {"_LARGEST": 2**31},
    "machine_code/cache.py": {"KEPT": 256},
    "memory/curve_laws.py": {"_MOST_OUTSTANDING": 64},
    "memory/files/json.py": {"_SELF_AVERAGING": 100_000},
    "memory/model/dram.py": {"_LONGEST": 2**40},
    "memory/run/bank_queue.py": {"_HIT_LIMIT": 4, "_LOW_MARK": 8},
    "memory/run/compiled/commands.py": {"_HIT_LIMIT": 4, "_LOW_MARK": 8},
    "memory/run/curves.py": {"AGREES": 0.02, "_ENDLESS": 2**40},
    "memory/run/traffic.py": {"_AT_A_TIME": 1_000_000},
    "messages/files/json.py": {"_SLOWEST": 1e-9, "_MOST_HOSTS": 1_000_000},
    "messages/model/efficiency.py": {"_FINEST": 10**9},
    "messages/run/schedules.py": {"_REPORT": 5_000},
    "model/checks.py": {"_LATEST": 2**62},
    "model/latency.py": {"_LARGEST": 2**31 - 1},
    "model/rate_pattern.py": {"_MOST": 50_000_000, "_DEEPEST": 20, "_DIGITS": 15, "_LONG": 64, "_WIDEST": 12},
    "model/schedule.py": {"_FEW": 16, "_MOST_STEPS": 2**53},
    "opencl/design.py": {"MOST_COPIES": 256},
    "opencl/difference.py": {"AGREES": 0.05, "_ENDLESS": 10**9},
    "opencl/reader/hierarchy/access_patterns.py": {"_VECTOR": 16, "_SAMPLES": 1024, "_JUMPS": 16, "_MOST": 1 << 18},
    "opencl/reader/symbolic/counting.py": {"MOST": 100_000_000, "_CHUNK": 1 << 18, "_STEP": 1000},
    "placed/report/terms.py": {"_ALL_THE_TIME": 0.95, "_SOME_OF_IT": 0.1},
    "placed/sweep/parameters.py": {"_MOST_PLACEMENTS": 4096},
    "platform/model/nodes.py": {"_MOST_NODES": 2**16},
    "platform/model/stages.py": {"_MOST_BLOCKS": 10**7},
    "platform/pictures/time.py": {"_MOST_LINES": 200, "_LETTERS": 110},
    "platform/report/looks.py": {"COLUMNS": 2000, "LONGEST": 200},
    "platform/run/application.py": {"_MOST_ITERATIONS": 10**6},
    "plots/boxes.py": {"_CELLS": 8},
    "plots/firings.py": {"_STAGES": 200, "_BARS": 800, "_STACK": 8},
    "plots/fullest.py": {"_TRIED": 4, "_LARGEST": 1_000_000},
    "plots/words.py": {"_PHASES": 4},
    "report/slowest.py": {"_OFTEN": 2, "_WALKED": 200_000},
    "report/text.py": {"MOST_ROWS": 20, "_MOST_ALIKE": 4},
    "roofline/ceilings.py": {"NEAR": 0.9},
    "roofline/run.py": {"UNLIMITED": 64, "AGREES": 0.02},
    "roofline/walls.py": {"_MOST_POINTS": 20_000_000},
    "units.py": {"_ROUNDED": 10**12, "_LONGEST": 80},
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


def test_every_limit_that_a_test_sets_is_typed_here() -> None:
    """But for thresholds of speed alone, from which on one of two ways to the same answer pays."""
    wanted = {each for path in (ROOT / "tests").rglob("*.py") for each in _set_in(path.read_text(encoding="utf-8"))}
    found = {
        f"{file}: {name}" for file, name in wanted
        if (ROOT / "ppnsim" / file).exists() and _is_number(constants(file).get(name))
        and name not in LIMITS.get(file, {}) and not name.strip("_").startswith("PAYS")
    }  # fmt: skip
    assert found == {"hls/region/network.py: LARGEST", "engines/compiled/trials.py: _ROWS_PAY"}


def _set_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield the files and names that a test sets: of a module that it imports, or by their path."""
    tree = list(ast.walk(ast.parse(text if "setattr(" in text else "")))
    modules = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in tree if isinstance(node, ast.ImportFrom) for alias in node.names
    }  # fmt: skip
    for node in tree:
        match node:
            case ast.Call(ast.Attribute(attr="setattr"), [ast.Name(module), ast.Constant(str(name)), *_]):
                path = f"{modules.get(module, module)}.{name}"
            case ast.Call(ast.Attribute(attr="setattr"), [ast.Constant(str(path)), *_]):
                pass
            case _:
                continue
        file, _, name = path.removeprefix("ppnsim.").rpartition(".")
        yield f"{file.replace('.', '/')}.py", name


def _is_number(value: ast.expr | None) -> bool:
    """Return whether a constant is a number that is typed: no path, no table, nothing that follows from another one."""
    parts = ast.walk(value) if value is not None else [None]
    return all(isinstance(each, ast.BinOp | ast.operator) or _typed(each) for each in parts)


def _typed(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
