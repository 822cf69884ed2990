"""What a section of the validation is: tasks that give rows, prose about them, and figures drawn from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from validation.harness.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A piece of a section that runs at one go; ``label`` is shown while it does."""

    label: str
    work: Callable[[], list[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A figure of the report."""

    name: str
    caption: str
    figure: Figure


def _nothing(_row: Row) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A section, named as on the command line.

    Attributes
    ----------
    name, title : for the command line and for the report.
    about : what is compared and under which conventions, a paragraph per entry.
    tasks : given whether the run is a quick one, the pieces of work, in the order of the report.
    pictures : figures drawn from the finished rows.
    apart : whether the tasks share nothing that takes time to make, so that several processes may do them.
    in_sample : whether the printed figure of a row helped to make the rule that meets it; ``about`` says how.
    """

    name: str
    title: str
    about: tuple[str, ...]
    tasks: Callable[[bool], list[Task]]
    pictures: Callable[[Sequence[Row]], list[Picture]]
    in_sample: Callable[[Row], bool] = _nothing
    apart: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A section that has run."""

    section: Section
    rows: tuple[Row, ...]
    seconds: float
