"""A model may ask for whatever its source sets: keys of a platform, parameters of a kernel, macros of C."""
# ruff: noqa: N803 (macros are called as C calls them)

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ppnsim
from ppnsim.comparison.keys import keys_of, macros_of
from ppnsim.formats.shipped import directory
from tests.helpers.commands import ppnsim as command

SHIPPED = directory()
PREDICTOR, FILTER = SHIPPED / "kernels" / "predictor.c", SHIPPED / "platforms" / "image_filter.toml"
VECADD, MM = SHIPPED / "opencl" / "vecadd.toml", SHIPPED / "opencl" / "mm.cl"


def test_macros_that_are_numbers_are_known_and_no_others(tmp_path: Path) -> None:
    source = tmp_path / "k.c"
    source.write_text(
        "#ifndef N // -D has the last word\n#  define N 16\n#endif\n#define M 0x10u /* bits */\n#define K (7)\n"
        "#define HALF (N / 2)\n#define F(x) 3\n#define TWICE 1\n#undef TWICE\n#define AGAIN 1\n#define AGAIN 2\n"
        "#ifdef BIG\n#define SIZE 100\n#else\n#define OTHER 5\n#endif\n#define NAME text\n#define Z 0\n"
    )
    assert macros_of(source) == {"N": 16, "M": 16, "K": 7, "Z": 0}
    assert macros_of(tmp_path / "no.c") == {} == macros_of(FILTER)
    assert macros_of(MM) == {"N": 2048, "T": 64}


def test_keys_go_by_the_path_that_vary_takes() -> None:
    found = keys_of(FILTER)
    assert found["node.map.count"] == 2 and found["stage.filter.input.broadcast.bytes"] == 4193376
    assert found["stage.filter.compute.ops_per_cycle"] == 34 and "network.snap.latency" in found
    assert keys_of(VECADD) == {"N": 33554432, "W": 128}
    assert keys_of(PREDICTOR) == {} == keys_of("no.toml")


@pytest.mark.parametrize(
    ("source", "options", "model", "predicted"),
    [
        (PREDICTOR, {}, lambda X, Y: X * Y, 25),
        (PREDICTOR, {"defines": {"X": "3"}}, lambda X, Y: X * Y, 15),
        (PREDICTOR, {"vary": {"X": [4]}}, lambda X, Y: X * Y, 20),
        (FILTER, {}, lambda stage_filter_compute_ops_per_cycle: stage_filter_compute_ops_per_cycle, 34),
        (FILTER, {"vary": {"node.map.count": [4]}}, lambda node_map_count: node_map_count, 4),
        (VECADD, {"settings": {"N": 1024}}, lambda N, W: N / W, 8),
        (MM, {"settings": {"N": 128}}, lambda N, T: N / T, 2),
    ],
)  # fmt: skip
def test_a_model_is_given_what_the_source_sets(source: Path, options: Any, model: Any, predicted: float) -> None:
    assert ppnsim.predict(source, model, **options).value == predicted


@pytest.mark.parametrize(
    ("source", "model", "more"), [(PREDICTOR, "predictor.py", ("--latency", "3")), (FILTER, "overlap.py", ())]
)
def test_the_shipped_models_need_nothing_that_varies(source: Path, model: str, more: tuple[str, ...]) -> None:
    done = command("compare", str(source), "--model", str(SHIPPED / "models" / model), *more)
    assert done.exit_code == 0, done.output


def test_nothing_above_is_taken_away_where_there_is_nothing() -> None:
    (model,) = ppnsim.compare(ppnsim.chain(firings=4), lambda: 1).models
    assert [cause.words for cause in model.causes] == [
        "the model itself: no stall was found to take away, and the simulation takes 16 cycles, the model says 1"
    ]
    (model,) = ppnsim.compare(ppnsim.fork_join(firings=20), lambda: 1).models
    assert "with all of the above taken away the simulation takes 37 cycles" in model.causes[-1].words
