"""HiGHS, set up so that its answers repeat: one thread, one seed, no output.

It is called by its own package and not through scipy: rows are added to a model that stays, its duals are at hand, and
there is no other use for scipy here. Its heuristic that jumps to feasible points is off: it took four fifths of a small
program, and depths that are feasible are known here anyhow.

Source: Huangfu and Hall 2018.
"""

from __future__ import annotations

from highspy import Highs


def quiet_solver() -> Highs:
    """Return a solver without a model.

    Examples
    --------
    >>> quiet_solver().getNumCol()
    0
    """
    highs = Highs()  # type: ignore[no-untyped-call]
    jumps = "mip_heuristic_run_feasibility_jump"
    for option, value in (("output_flag", False), ("threads", 1), ("random_seed", 0), (jumps, False)):
        highs.setOptionValue(option, value)
    return highs
