"""Switches for the rules of the tool (RULES.md): switching a rule off shows its effect on the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppnsim.c.pragmas.trips import Count


@dataclass(frozen=True, slots=True)
class Rules:
    """All switches; the defaults describe the tool.

    Attributes
    ----------
    unroll, flatten : R1.3 and R1.4.
    recent : nests, trees and addresses follow a later release of the tool (R9.2, R9.13, R9.14); the table of a device
        states its release.
    release : release of the tool, such as "2022.2"; "" for the release of the device's table.
    joins : nests that are not perfect are flattened, from 2023.2 on (R9.2); before, nests of R9.22 are.
    sink : stores of accumulators move behind the loop (R1.2).
    vitis : the tool is Vitis HLS; Vivado HLS makes no memories with many ports (R9.23).
    hoist : elements that a pipelined loop does not change are loaded before it (R1.2); not in Vivado HLS (R1.8).
    reuse : a load takes the last stored value from a register (R4.3).
    memory : loads may depend on stores of earlier iterations (R4).
    exact : accept every correct proof that two accesses differ, not only the tool's proofs (R4.5).
    addresses : addresses take time (R2.4); without this rule, each address takes one adder in the first state.
    chaining : operators share a state (R3.1).
    ternary : an adder after an adder in the same state is one adder of three inputs (R2.7).
    sharing : operators of a pipeline share units (R2.3).
    common : loops that run in sequence share units, and so do states of straight-line code (R2.3).
    integers : chains of additions and of multiplications of integers become trees (R6.7).
    balance : chains of floating-point operations also become trees, which changes their results (R6.7).
    infer : local arrays that unrolled copies of a loop access are partitioned without a directive (R9.3).
    sums : sums of `float` that start from a number have an operator of their own, with interval 1 (R4.9).
    pressed : operators on a recurrence take faster forms in loops that a directive pipelines (R9.1).
    mac : a product that is added to something shares the DSP block of the adder (R2.9).
    pipeline_loops : trip count up to which loops are unrolled for a pipeline around them (R1.3); 0: only directives
        pipeline a loop.
    count : how to count the iterations of a loop whose bounds depend on the loops around it: those of each visit, or,
        as synthesis reports do, those of the shortest or of the longest visit for all visits.
    reported : cycles are counted as synthesis reports count them (R5.12).
    responses : the code after a loop waits for the response to the loop's writes over a bus (R6.9).
    tables : memories of few bits are made of lookup tables (R3.9).
    exclusive : accesses on the two ways of a branch share ports (R3.6).
    default_ports : ports of a memory; ``ports`` overrides this number for single arrays.
    """

    unroll: bool = True
    flatten: bool = True
    recent: bool = False
    release: str = ""
    joins: bool = False
    sink: bool = True
    vitis: bool = True
    hoist: bool = True
    reuse: bool = True
    memory: bool = True
    exact: bool = False
    addresses: bool = True
    chaining: bool = True
    ternary: bool = True
    sharing: bool = True
    common: bool = True
    integers: bool = True
    balance: bool = False
    infer: bool = True
    sums: bool = False
    pressed: bool = True
    mac: bool = True
    pipeline_loops: int = 64
    reported: bool = False
    responses: bool = True
    tables: bool = True
    exclusive: bool = True
    count: Count = "usual"
    default_ports: float = 2
    ports: Mapping[str, float] = field(default_factory=dict)


TOOL = Rules()
