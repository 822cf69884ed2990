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
_ROUND = "our rules store after the addition, where the paper's store hides behind the control"
_WIRES = "our loads start in a round's first state, whose address needs no adder in rows of a power of two (R5.5)"
_SECOND = "the second copy's address, i + 1 or j + 1, needs one, and a state"
_ZERO = "one state per element for the 0 that is stored first"
_HEADER = (
    "our rules let L0 and L1, perfectly nested, share a header, where the paper's tool enters and leaves each of them"
)


def schedule_rows(size: int) -> list[Row]:
    """Return Table 1 beside the split of our schedules of the same nest on the same device and clock."""
    library = load_library(str(_HERE / "virtex6.toml"), _CLOCK_NS)
    rows = []
    for name, text in _DESIGNS.items():
        split = split_at(_product, library, LoopDesign.read(text), dict.fromkeys(("N0", "N1", "N2"), size))
        ours = (split.total, split.initialisation, split.memory, split.control)
        for what, figure, value in zip(("L_imp", *PARTS.values()), TABLE_1[size][name], ours, strict=True):
            known = _known(name, size, what)
            differs = known if known is not None and known.ours != figure else None
            rows.append(row(f"{size}x{size}: our scheduler", f"{name}, {what}", figure, value, differs))
    return rows


def _product(sizes: Mapping[str, int]) -> tuple[LoopProgram, Directives]:
    defines = {name: str(size) for name, size in sizes.items()}
    return load_programs(str(_HERE / "product.c"), defines=defines)[0], Directives()


def _known(name: str, size: int, what: str) -> Expected | None:
    """Return what our rules give by hand, and why it is not the paper's figure."""
    useful, elements = size**3, size**2
    if name.startswith("Pipeline"):
        figure, why = _PIPELINED[name, size][what]
        return Expected(ours=figure, why=why)
    rounds = useful // 2 if name == "PLU x2 L2" else useful
    initialisation = (12 * useful, 19 * useful // 2)[name == "PLU x2 L2"]
    second = useful // 2 if name in ("PLU x2 L0", "PLU x2 L1") else 0
    memory = 3 * rounds + second + elements
    control = {
        "None": 3 * elements + 1, "PLU x2 L0": 3 * elements // 2 + 3 * size // 2 + 1,
        "PLU x2 L1": 5 * elements // 2 + 1, "PLU x2 L2": 3 * elements + 1,
    }[name]  # fmt: skip
    _, _, printed_memory, printed_control = TABLE_1[size][name]
    shared = f"2 x {size} + 1 less: {_HEADER}"
    stores, wires = f"{elements} more: {_ZERO}", f"{rounds} less: {_WIRES}"
    later = f"; {second} more: {_SECOND}" if second else ""
    figures = {
        "L_imp": (
            useful + initialisation + memory + control,
            f"{memory - printed_memory:+d} in O_mem and {control - printed_control:+d} in O_ctrl, below",
        ),
        "O_mem": (
            memory, stores if name == "PLU x2 L2" else f"{rounds} more, a state per round: {_ROUND}; {stores}{later}",
        ),
        "O_ctrl": (control, {
            "None": f"{wires}; {elements} more, a state that begins each element; {shared}",
            "PLU x2 L0": f"{wires}; {elements // 2} less: so does the first copy's store of 0; the end of L0 is one "
            "state, where the paper counts 2",
            "PLU x2 L1": f"{wires}; {elements} more, a state that begins each element; {shared}",
            "PLU x2 L2": f"{wires}; {shared}",
        }[name]),
    }  # fmt: skip
    return Expected(ours=figures[what][0], why=figures[what][1]) if what in figures else None


# Our schedules of the pipelined designs as measured, figure by figure, and what makes each difference.
_PIPELINED: dict[tuple[str, int], dict[str, tuple[int, str]]] = {
    ("Pipeline L0", 4): {
        "L_imp": (59, "48 less in L_c (16 cycles for 64: a row of C starts every 2 cycles, where the paper's operators "
                      "start one product per cycle), 10 more in the overheads below"),
        "O_init": (28, "4 additions of a sum one after another, 8 cycles each, less 4 under L_c; of the paper's 27 its "
                       "formula has 12"),
        "O_mem": (12, "B, which L0 does not change, is loaded before it: 16 elements through two ports take 8 cycles; "
                      "a row of A takes 2, and the first load 2"),
        "O_ctrl": (3, "start and end of one pipeline, and B is waited for before"),
    },
    ("Pipeline L0", 32): {
        "L_imp": (1297, "32240 less in L_c (528 for 32768: a row of C starts every 16 cycles, in which 32 elements of "
                        "A come through two ports), 751 more in the overheads below"),
        "O_init": (236, "32 additions of a sum one after another, 8 cycles each, less 20 under L_c; the paper's adder "
                        "fills in 12 and then always has another element to add to"),
        "O_mem": (530, "B is loaded before L0: 1024 elements through two ports take 512 cycles; a row of A takes 16, "
                       "and the first load 2"),
        "O_ctrl": (3, "start and end of one pipeline, and B is waited for before"),
    },
    ("Pipeline L1", 4): {
        "L_imp": (72, "24 less in L_c (40 for 64: an element starts every 2 cycles, in which 4 elements of A and 4 of "
                      "B come through two ports each), 7 less in the overheads below"),
        "O_init": (28, "4 additions of a sum one after another, 8 cycles each, less 4 under L_c; the paper's 33 are "
                       "7 I0 + 5"),
        "O_mem": (2, "the 2 states of the first load; the paper counts 3"),
        "O_ctrl": (2, "start and end of one pipeline of all elements; the paper has I0/4 more, without a mechanism"),
    },
    ("Pipeline L1", 32): {
        "L_imp": (16640, "16368 less in L_c (16400 for 32768: an element starts every 16 cycles, in which 32 "
                         "elements of A and 32 of B come through two ports each), 2 less in the overheads below"),
        "O_init": (236, "32 additions of a sum one after another, 8 cycles each, less 20 under L_c; the paper's 229 "
                        "are 7 I0 + 5"),
        "O_mem": (2, "the 2 states of the first load; the paper counts 3"),
        "O_ctrl": (2, "start and end of one pipeline of all elements; the paper has I0/4 more, without a mechanism"),
    },
    ("Pipeline L2", 4): {
        "L_imp": (584, "the same L_c of 64; 12, 30 and 80 less in O_init, O_mem and O_ctrl"),
        "O_init": (516, "8 for each of 64 additions in one flattened pipeline, and 4 to fill it; the paper has 7 for "
                        "each of 48, and fills L2 in 12 for each of 16 elements"),
        "O_mem": (2, "one pipeline has one first load; the paper has 2 for each of the 16 elements"),
        "O_ctrl": (2, "start and end of one pipeline; the paper has 5 for each of the 16 elements, and 2"),
    },
    ("Pipeline L2", 32): {
        "L_imp": (294920, "the same L_c of 32768; 27652 more in O_init, 2046 and 5120 less in O_mem and O_ctrl"),
        "O_init": (262148, "8 for each of 32768 additions, and 4 to fill: a flattened sum starts every 9 cycles, since "
                           "the choice between 0 and the old sum takes one; the paper has 7 for each of 31744, and "
                           "fills L2 in 12 for each of 1024 elements"),
        "O_mem": (2, "one pipeline has one first load; the paper has 2 for each of the 1024 elements"),
        "O_ctrl": (2, "start and end of one pipeline; the paper has 5 for each of the 1024 elements, and 2"),
    },
}  # fmt: skip
