"""An application on a platform by RATSS's equations beside its simulation, term by term, with the cause of each gap."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.files import load_as
from ppnsim.library.answer import Answer
from ppnsim.library.applications import application_of
from ppnsim.library.place import Place
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.laws.difference import Reason, reasons
from ppnsim.platform.laws.prediction import predict
from ppnsim.platform.report.application import comparison_result, print_comparison
from ppnsim.platform.run.application import run_platform

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PlatformTerms(Answer):
    """Every term of an application, predicted and simulated, in seconds.

    Attributes
    ----------
    predicted, simulated : seconds by name of the term.
    why : the reasons of each difference, whose seconds add up to it.
    name, file : of the platform.
    """

    predicted: Mapping[str, Fraction]
    simulated: Mapping[str, Fraction]
    why: Mapping[str, Sequence[Reason]]
    name: str
    file: str

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return comparison_result(self.predicted, self.simulated, self.why, file=self.file)

    def print(self, console: Console) -> None:
        """Print both times of each term, and which assumption costs how much."""
        print_comparison(console, self.predicted, self.simulated, self.why, title=self.name)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each term: predicted, simulated, difference and because."""
        told = self.to_dict()
        return [
            {
                "term": name, **{column: told[column][name] for column in ("predicted", "simulated", "difference")},
                "because": "; ".join(each.assumption for each in self.why[name]),
            }
            for name in told["predicted"]
        ]  # fmt: skip

    def figure(self) -> NotebookFigure:
        """Return the terms as a picture."""
        from ppnsim.plots.beside import beside_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        terms = {row["term"]: {"simulated": row["simulated"], "predicted": row["predicted"]} for row in self.rows()}
        return shown(beside_figure(f"{self.name} · predicted and simulated", terms, along="seconds"))


def platform_terms(
    platform: PlatformFile | Place, *, progress: Callable[[int, int], None] | None = None
) -> PlatformTerms:  # fmt: skip
    """Predict and simulate an application.

    Raises
    ------
    InputError
        If the path cannot be read, or it has no stage.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> platform_terms(directory() / "platforms" / "pdf_2_nodes.toml").rows()[-1]["term"]
    't_application'
    """
    given = platform if isinstance(platform, PlatformFile) else load_as(platform, PlatformFile)
    file = given.system.name if isinstance(platform, PlatformFile) else str(platform)
    system, application = given.system, application_of(given, file)
    formula = predict(system, application).quantities()
    times = run_platform(system, application, progress=progress).times
    why = reasons(system, application, formula, times)
    return PlatformTerms(predicted=formula, simulated=times, why=why, name=system.name, file=file)
