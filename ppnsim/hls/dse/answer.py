"""The answer of an exploration: the walk of Algorithm 1, all designs if they were tried, and the front of both."""

from __future__ import annotations

from dataclasses import dataclass

from ppnsim.hls.dse.design import Evaluated
from ppnsim.hls.dse.designs import Designs
from ppnsim.hls.dse.exhaustive import AllDesigns, front
from ppnsim.hls.dse.walk import Exploration


@dataclass(frozen=True, slots=True, kw_only=True)
class Explored:
    """The space of designs, the walk through it, and ``every`` design of the space if all were tried."""

    designs: Designs
    walk: Exploration
    every: AllDesigns | None = None

    @property
    def complete(self) -> bool:
        """Whether nothing was interrupted."""
        return self.walk.complete and (self.every is None or self.every.complete)

    @property
    def known(self) -> int:
        """How many designs were in the file already."""
        return self.designs.rows.found if self.designs.rows is not None else 0

    @property
    def front(self) -> list[Evaluated]:
        """The front between cycles and area of all designs that fit."""
        seen = [step.design for step in self.walk.steps if step.design.fits]
        return front([*seen, *(self.every.designs if self.every is not None else ())])

    @property
    def optimum(self) -> Evaluated | None:
        """The best design of the space, None if not all designs were tried."""
        return self.every.optimum if self.every is not None else None
