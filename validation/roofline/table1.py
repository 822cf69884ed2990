"""Table 1 and Fig. 10 of the roofline paper: the exploration."""

from __future__ import annotations

from functools import partial

from validation.rows import Row, Verdict
from validation.section import Task

_ERRORS = (("Gesummv", "performance", "1.90"), ("Gesummv", "resources", "1.24"), ("Mm", "performance", "4.08"),
           ("Mm", "resources", "5.60"))  # fmt: skip


def exploration_rows(_quick: bool) -> list[Task]:
    """Return the tasks of Table 1."""
    return [Task(label="prediction errors", work=partial(_error_rows))]


def _error_rows() -> list[Row]:
    return [
        Row(
            group="Exploration: prediction errors", what=f"{kernel}, {what}", source="section 6.4", printed=printed,
            unit="%", missing=Verdict.IMPOSSIBLE,
            note="needs Vivado HLS 2018.2's own report of the final design, which is not printed",
        )
        for kernel, what, printed in _ERRORS
    ]  # fmt: skip
