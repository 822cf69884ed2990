"""Rows: the split of our own scheduler for the paper's nest, with the paper's two operators, beside Table 1."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ppnsim.c.load import load_programs
from ppnsim.hls.library.library import load_library
from ppnsim.hls.lost.designs import LoopDesign, split_at
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.loops.program import LoopProgram
from validation.harness.rows import Expected, Row
from validation.lost.paper import PARTS, TABLE_1
from validation.lost.rows import row

_HERE = Path(__file__).parent
_CLOCK_NS = 4.0
_DESIGNS = {
    "None": "none", "PLU x2 L0": "unroll i=2", "PLU x2 L1": "unroll j=2", "PLU x2 L2": "unroll k=2",
    "Pipeline L0": "pipeline i", "Pipeline L1": "pipeline j", "Pipeline L2": "pipeline k",
}  # fmt: skip
_MEMORY = (
    "a state more per round, in which our rules store after the addition (there the store hides behind the control), "
    "and one per element for the 0 that is stored first"
)
_CONTROL = (
    "our rules let L0 and L1, perfectly nested, share a header, and visit it once more than it runs; the paper's tool "
    "enters and leaves each of them"
)
_PORTS = (
    "with two ports per memory our rules issue two multiplications per cycle, on two units: the paper's design has "
    "one of each operator and all accesses at once"
)
_HOISTED = (
    f"{_PORTS}; B, which L0 does not change, is loaded before it through the two ports: a cycle per two elements, one "
    "for the last to arrive (O_mem), one to start the loop and one to wait for it (O_ctrl)"
)
_FLAT = (
    "our rules make the three loops one pipeline that is filled once, and a flattened sum starts every 9 cycles: the "
    "paper's tool enters the innermost loop anew for every element and starts every 8"
)
_PIPELINES = {"Pipeline L0": _HOISTED, "Pipeline L1": _PORTS, "Pipeline L2": _FLAT}


def schedule_rows(size: int) -> list[Row]:
    """Return Table 1 beside the split of our schedules of the same nest on the same device and clock."""
    library = load_library(str(_HERE / "virtex6.toml"), _CLOCK_NS)
    rows = []
    for name, text in _DESIGNS.items():
        split = split_at(_product, library, LoopDesign.read(text), dict.fromkeys(("N0", "N1", "N2"), size))
        ours = (split.total, split.initialisation, split.memory, split.control)
        for what, figure, value in zip(("L_imp", *PARTS.values()), TABLE_1[size][name], ours, strict=True):
            known = None if figure == value else _known(name, size, what)
            rows.append(row(f"{size}x{size}: our scheduler", f"{name}, {what}", figure, value, known))
    return rows


def _product(sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
    defines = {name: str(size) for name, size in sizes.items()}
    return load_programs(str(_HERE / "product.c"), defines=defines)[0], Directives()


def _known(name: str, size: int, what: str) -> Expected | None:
    """Return what our rules give by hand, and why it is not the paper's figure."""
    useful, elements = size**3, size**2
    if name.startswith("Pipeline"):
        total, *parts = _PIPELINED[name, size]
        figure = dict(zip(("L_imp", *PARTS.values()), (total, *parts), strict=True))[what]
        return Expected(ours=figure, why=_PIPELINES[name])
    rounds = useful // 2 if name == "PLU x2 L2" else useful
    initialisation = (12 * useful, 19 * useful // 2)[name == "PLU x2 L2"]
    memory = 3 * rounds + elements
    control = {
        "None": rounds + 3 * elements + 1, "PLU x2 L0": rounds + 2 * elements + 3 * size // 2 + 1,
        "PLU x2 L1": rounds + 5 * elements // 2 + 1, "PLU x2 L2": rounds + 3 * elements + 1,
    }[name]  # fmt: skip
    figures = {
        "L_imp": (useful + initialisation + memory + control, "O_mem and O_ctrl, below"),
        "O_mem": (memory, _MEMORY), "O_ctrl": (control, _CONTROL),
    }  # fmt: skip
    return Expected(ours=figures[what][0], why=figures[what][1]) if what in figures else None


# L_imp, O_init, O_mem, O_ctrl of our schedules.
_PIPELINED = {
    ("Pipeline L0", 4): (60, 28, 12, 4), ("Pipeline L0", 32): (1298, 236, 530, 4),
    ("Pipeline L1", 4): (72, 28, 2, 2), ("Pipeline L1", 32): (16640, 236, 2, 2),
    ("Pipeline L2", 4): (584, 516, 2, 2), ("Pipeline L2", 32): (294920, 262148, 2, 2),
}  # fmt: skip
