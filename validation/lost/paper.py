"""What the paper prints: Table 1 as figures, Table 2 as formulas, with the corrections that reproduce Table 1."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from ppnsim.analysis.formulas import Formula
from validation.lost.loop_nest_split import Design, Loop, Nest

LOOPS = ("I0", "I1", "I2")
NEST = Nest(loops=tuple(Loop(name=name) for name in LOOPS), reductions=frozenset({"I2"}))
PARTS = {"initialisation": "O_init", "memory": "O_mem", "control": "O_ctrl"}

DESIGNS: dict[str, Design] = {
    "None": Design(),
    **{f"PLU x2 L{level}": Design(kind="unroll", loop=f"I{level}", factor=2) for level in range(3)},
    **{f"Pipeline L{level}": Design(kind="pipeline", loop=f"I{level}") for level in range(3)},
}

# Table 1: latency, O_init, O_mem, O_ctrl by size and design.
TABLE_1: dict[int, dict[str, tuple[int, int, int, int]]] = {
    4: {
        "None": (1066, 768, 128, 106), "PLU x2 L0": (1064, 768, 128, 104), "PLU x2 L1": (1058, 768, 128, 98),
        "PLU x2 L2": (858, 608, 96, 90), "Pipeline L0": (97, 27, 3, 3), "Pipeline L1": (103, 33, 3, 3),
        "Pipeline L2": (706, 528, 32, 3),
    },
    32: {
        "None": (526402, 393216, 65536, 34882), "PLU x2 L0": (526386, 393216, 65536, 34866),
        "PLU x2 L1": (525890, 393216, 65536, 34370), "PLU x2 L2": (412738, 311296, 49152, 19522),
        "Pipeline L0": (32786, 12, 3, 3), "Pipeline L1": (33010, 229, 3, 10),
        "Pipeline L2": (274434, 234496, 2048, 5122),
    },
}  # fmt: skip
MISPRINTED_CONTROL = 82  # of Pipeline L2 at 4x4: 706 - 64 - 528 - 32; the table prints 3

# What the misprinted formulas of Table 2 give at 4x4 and at 32x32, worked out by hand.
MISPRINTED_FORMULAS = {
    ("Pipeline L1", "control"): {4: 3 + 1, 32: 3 + 8},
    ("Pipeline L2", "initialisation"): {4: 12 + 7 * 16 * 3, 32: 12 + 7 * 1024 * 31},
    ("Pipeline L2", "memory"): {4: 3 * 16, 32: 3 * 1024},
    ("Pipeline L2", "control"): {4: 2 + 4 * 16, 32: 2 + 4 * 1024},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Printed:
    """A formula of Table 2 as printed, and what reproduces Table 1 where that is another one."""

    text: str
    formula: Formula
    corrected: Formula | None = None
    why: str = ""


def _variables() -> tuple[Formula, ...]:
    return tuple(Formula.variable(name) for name in (*LOOPS, "U", "I0/U", "I1/U", "I2/U"))


def _constant(number: int) -> Formula:
    return Formula.sum([((), Fraction(number))])


I0, I1, I2, U, R0, R1, R2 = _variables()
_QUARTER = Formula({(("I0", 1),): Fraction(1, 4)})

TABLE_2: dict[str, dict[str, Printed]] = {
    "None": {
        "initialisation": Printed(text="(7 + 5) I0 I1 I2", formula=12 * I0 * I1 * I2),
        "memory": Printed(text="2 I0 I1 I2", formula=2 * I0 * I1 * I2),
        "control": Printed(text="(I1 (I2 + 2) + 2) I0 + 2", formula=(I1 * (I2 + 2) + 2) * I0 + 2),
    },
    "PLU x2 L0": {
        "initialisation": Printed(text="I0/U I1 I2 (U (7 + 5))", formula=R0 * I1 * I2 * U * 12),
        "memory": Printed(text="2 U I0/U I1 I2", formula=2 * U * R0 * I1 * I2),
        "control": Printed(
            text="I0/U (U I1 (I2 + 2) + U + 1) + 2", formula=R0 * (U * I1 * (I2 + 2) + U + 1) + 2
        ),
    },
    "PLU x2 L1": {
        "initialisation": Printed(text="I0 I1/U I2 (U (7 + 5))", formula=I0 * R1 * I2 * U * 12),
        "memory": Printed(text="2 U I0 I1/U I2", formula=2 * U * I0 * R1 * I2),
        "control": Printed(
            text="I0 (I1/U (U I2 + U + 1) + 2) + 2", formula=I0 * (R1 * (U * I2 + U + 1) + 2) + 2
        ),
    },
    "PLU x2 L2": {
        "initialisation": Printed(text="I0 I1 I2/U (U 7 + 5)", formula=I0 * I1 * R2 * (U * 7 + 5)),
        "memory": Printed(text="3 I0 I1 I2/U", formula=3 * I0 * I1 * R2),
        "control": Printed(text="I0 (I1 (I2/U + 3) + 2) + 2", formula=I0 * (I1 * (R2 + 3) + 2) + 2),
    },
    "Pipeline L0": {
        "initialisation": Printed(text="7 + 5", formula=_constant(12)),
        "memory": Printed(text="3", formula=_constant(3)),
        "control": Printed(text="3", formula=_constant(3)),
    },
    "Pipeline L1": {
        "initialisation": Printed(text="7 I0 + 5", formula=7 * I0 + 5),
        "memory": Printed(text="3", formula=_constant(3)),
        "control": Printed(
            text="3 + I0/4", formula=_QUARTER + 3, corrected=_QUARTER + 2,
            why="misprint: 2 + I0/4 gives both sizes of the table, and its sums",
        ),
    },
    "Pipeline L2": {
        "initialisation": Printed(
            text="(7 + 5) + 7 I0 I1 (I2 - 1)", formula=7 * I0 * I1 * (I2 - 1) + 12,
            corrected=12 * I0 * I1 + 7 * I0 * I1 * (I2 - 1),
            why="misprint: the pipeline is filled on every entry, (7 + 5) I0 I1",
        ),
        "memory": Printed(
            text="3 I0 I1", formula=3 * I0 * I1, corrected=2 * I0 * I1,
            why="misprint: 2 I0 I1 gives the table; the write hides behind the control as in the row None",
        ),
        "control": Printed(
            text="2 + 2 (2 I0) I1", formula=4 * I0 * I1 + 2, corrected=5 * I0 * I1 + 2,
            why="misprint: 2 + 5 I0 I1 gives 32x32, and the sum of 4x4",
        ),
    },
}  # fmt: skip
