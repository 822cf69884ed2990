"""``ppnsim.estimate`` of a platform: an application on it by RATSS's equations, without simulating it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.files import load_as
from ppnsim.library.answer import Answer
from ppnsim.library.applications import application_of
from ppnsim.library.place import Place
from ppnsim.platform.files.toml import PlatformFile
from ppnsim.platform.laws.prediction import ApplicationPrediction
from ppnsim.platform.laws.prediction import predict as predict_application
from ppnsim.platform.report.application import prediction_result, print_prediction, print_sweep

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Vary = Mapping[str, Iterable[Any]]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class PlatformPredictions(Answer):
    """What equations say of an application: one prediction, or one for each point of a sweep.

    Attributes
    ----------
    predictions : every node, transfer and stage, and the whole, each with its equation.
    changes : the values of each point, by key of the file.
    name, file : of the platform.
    """

    predictions: tuple[ApplicationPrediction, ...]
    changes: tuple[Mapping[str, Any], ...]
    name: str
    file: str

    @property
    def seconds(self) -> float:
        """The predicted time of the first point."""
        return float(self.predictions[0].total)

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON: a list of points if something is varied."""
        pairs = zip(self.predictions, self.changes, strict=True)
        results = [prediction_result(each, file=self.file, changes=changes) for each, changes in pairs]
        return {"file": self.file, "points": results} if any(self.changes) else results[0]

    def print(self, console: Console) -> None:
        """Print every term with its equation, or a row for each point."""
        if any(self.changes):
            print_sweep(console, self.predictions, self.changes, title=self.name)
        else:
            print_prediction(console, self.predictions[0], title=self.name)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each term, or for each point with its values and the seconds of every term."""
        if not any(self.changes):
            terms = self.predictions[0].terms
            return [{"term": each.name, "seconds": float(each.seconds), "equation": each.equation} for each in terms]
        pairs = zip(self.predictions, self.changes, strict=True)
        return [{**at, **{term.name: float(term.seconds) for term in each.terms}} for each, at in pairs]

    def figure(self) -> NotebookFigure:
        """Return the terms, or for each point the time of the application, as bars."""
        from ppnsim.plots.beside import beside_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        if any(self.changes):
            names = [", ".join(f"{key} = {value}" for key, value in at.items()) for at in self.changes]
            pairs = zip(names, self.predictions, strict=True)
            bars = {name: {"predicted": float(each.total)} for name, each in pairs}
        else:
            bars = {each.name: {"predicted": float(each.seconds)} for each in self.predictions[0].terms}
        return shown(beside_figure(f"{self.name} · predicted", bars, along="seconds"))


def platform_predictions(
    platform: PlatformFile | Place, *, vary: Vary | None = None, file: str = ""
) -> PlatformPredictions:  # fmt: skip
    """Predict an application on a platform with RATSS's equations (Holland et al. 2011), without simulating it.

    Parameters
    ----------
    platform : path of a platform with stages in TOML, or what `ppnsim.load` returns for it.
    vary : values by key of the file, as ``{"node.cpu.count": [2, 4, 8]}``; all combinations are predicted.
    file : where a platform that was loaded comes from.

    Raises
    ------
    InputError
        If the path cannot be read, it has no stage, or there is no such key.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> found = platform_predictions(directory() / "platforms" / "pdf_2_nodes.toml", vary={"node.cpu.count": [2, 4]})
    >>> [at for at in found.changes]
    [{'node.cpu.count': 2}, {'node.cpu.count': 4}]
    """
    axes = [[(key, value) for value in values] for key, values in (vary or {}).items()]
    ways = [dict(choice) for choice in product(*axes)]
    if isinstance(platform, PlatformFile):
        if vary:
            raise InputError("can only be used with a path, whose keys are varied", where="vary")
        name = platform.system.name
        found = predict_application(platform.system, application_of(platform, file or name))
        return _predictions([(name, found)], ways, file or name)
    return _predictions([_prediction(str(platform), changes) for changes in ways], ways, str(platform))


def _predictions(
    found: Sequence[tuple[str, ApplicationPrediction]], ways: Sequence[Mapping[str, Any]], file: str
) -> PlatformPredictions:
    names, predictions = zip(*found, strict=True)
    return PlatformPredictions(predictions=predictions, changes=tuple(ways), name=names[0], file=file)


def _prediction(file: str, changes: Mapping[str, Any]) -> tuple[str, ApplicationPrediction]:
    """Predict a file with changed values; an error in one of several points names the point."""
    try:
        given = load_as(file, PlatformFile, changes=changes)
        return given.system.name, predict_application(given.system, application_of(given, file))
    except InputError as error:
        point = "".join(f"--vary {key}={value}: " for key, value in changes.items())
        lines = str(error).removeprefix(f"{file}: ").split(f"\n{file}: ")
        raise InputError("\n".join(f"{file}: {point}{line}" for line in lines)) from None
