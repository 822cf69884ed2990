"""``ppnsim.compare``: the predictions of models beside simulations, over a sweep."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.comparison.compare import Model, compare_subject, models_of
from ppnsim.comparison.model import TOLERANCE, Comparison, ModelComparison, Setting, error_words
from ppnsim.comparison.report import comparison_result, print_compared
from ppnsim.comparison.sources import ReadAccelerator, subject_of
from ppnsim.errors import InputError
from ppnsim.hls.project.suffixes import is_source
from ppnsim.kinds import shown
from ppnsim.library.accelerator import GIVEN, VARIED, SourceAccelerator, accelerator_at
from ppnsim.library.answer import Answer
from ppnsim.library.subject import Depths, NetworkFile, network_file
from ppnsim.model.network import Network

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure


@dataclass(frozen=True, kw_only=True, repr=False)
class ComparedModels(Answer):
    """Models beside the simulation of a source; `comparison` has all of it."""

    comparison: Comparison

    @property
    def models(self) -> tuple[ModelComparison, ...]:
        """Each model with its points, errors, regime, and the causes of its largest error."""
        return self.comparison.models

    @property
    def axes(self) -> Mapping[str, tuple[Setting, ...]]:
        """The values of each parameter that varies."""
        return self.comparison.axes

    def __repr__(self) -> str:
        if not self.comparison.simulated:
            return super().__repr__()
        told = "; ".join(f"{each.model}: {error_words(each)}" for each in self.models)
        return f"<{type(self).__name__}: {told}>"

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return comparison_result(self.comparison)

    def print(self, console: Console) -> None:
        """Print the points, and for each model its errors and the worst point."""
        print_compared(console, self.comparison)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row per point: its values, the simulated figure, each model's, and simulated minus predicted."""
        return self.comparison.rows()

    def figure(self) -> NotebookFigure:
        """Return the picture: simulated and predicted above, the errors below."""
        from ppnsim.comparison.pictures.lines import comparison_figure  # matplotlib takes a while to import
        from ppnsim.plots.shown import shown

        return shown(comparison_figure(self.comparison))


def compare(
    source: object,
    model: Model | Sequence[Model] | None = None,
    *,
    vary: Mapping[str, Any] | str | Sequence[str] = (),
    tolerance: float = TOLERANCE,
    depths: Depths | None = None,
    style: str | None = None,
    design: str | None = None,
    simulate: bool = True,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> ComparedModels:
    """Lay predictions of models beside simulations, over a sweep, and explain the largest error.

    Parameters
    ----------
    source : a file (network, C or C++ source, platform, OpenCL kernel, accelerator, memory), the name of a memory's
        preset, or an object that `ppnsim.load` returns.
    model : ``absolute``, ``unbounded``, ``bounds``, ``busiest`` (networks), ``lost`` (schedules of C kernels),
        ``ratss`` (platforms), ``opencl``, ``roofline``, ``memory``; the path of a Python file with a function of the
        parameters, or such a function; or several of them. Default: the usual one of the source.
    vary : values by name of the parameter, or texts as ``--vary`` takes them; all combinations are compared.
    tolerance : relative error up to which a model counts as holding.
    depths, style : of a network, as of `ppnsim.run`.
    design : of an OpenCL kernel, or of a C kernel whose schedule is compared.
    simulate : False predicts the points only.
    progress : called with points done and points in all.
    options : for a path: what `ppnsim.load` takes, as ``settings`` and ``device`` of C.

    Raises
    ------
    InputError
        If the source cannot be read, or a model does not take it; the message names those that do.

    Examples
    --------
    >>> from ppnsim import fork_join
    >>> found = compare(fork_join(firings=20), "absolute", vary={"short*.depth": [1, 2, 8]})
    >>> [(point.predicted, point.simulated) for point in found.models[0].points]
    [(37, 92), (37, 70), (37, 37)]
    >>> print(found.models[0].regime)
    fails (beyond 5 %) at 2 of 3 points: exactly where short*.depth <= 2
    """
    asked = [model] if isinstance(model, str | PathLike) or callable(model) else list(model or ())
    if model is not None and not asked:
        raise InputError("[] names no model: name one, or leave it out for the usual one of the source", where="model")
    reader = reader_of(source, roofline="roofline" in asked, options=options)
    given = depths is not None or style is not None
    change = partial(_changed, depths=depths, style=style) if given else None
    reader = None if given and "roofline" not in asked else reader
    subject = subject_of(
        _held(source), texts_of(vary), schedule="lost" in asked, design=design, accelerator=reader, change=change,
        **({} if reader is not None and is_source(str(source)) else options),
    )  # fmt: skip
    found = compare_subject(
        subject, models_of(asked, subject.kind), tolerance=tolerance, progress=progress, simulate=simulate
    )  # fmt: skip
    return ComparedModels(comparison=found)


def reader_of(source: object, *, roofline: bool, options: Mapping[str, Any]) -> ReadAccelerator | None:
    """Return what reads a path as an accelerator for values of what varies; a kernel in C is one for ``roofline``."""
    if not isinstance(source, str | PathLike) or (is_source(source) and not roofline):
        return None
    known = {name: value for name, value in options.items() if name in VARIED}
    # Of a file, the room that reads it knows its options.
    others = [name for name in options if name not in VARIED and (is_source(source) or name in GIVEN)]
    of_source = {name: options[name] for name in others}
    return partial(accelerator_at, str(source), SourceAccelerator(**known, source=of_source))


def texts_of(vary: Mapping[str, Any] | str | Sequence[str]) -> list[str]:
    """Return what varies as texts ``NAME=VALUES``.

    Examples
    --------
    >>> texts_of({"c.depth": range(1, 4), "p.ii": 2, "d.depth": [1, None]})
    ['c.depth=1,2,3', 'p.ii=2', 'd.depth=1,unbounded']
    """
    if not isinstance(vary, Mapping):
        return [vary] if isinstance(vary, str) else list(vary)
    found = []
    for name, values in vary.items():
        if not isinstance(values, Iterable | int | float | None):
            raise InputError(f"{shown(values)} is not a list of values: write {{{name!r}: [1, 2, 4]}}", where="vary")
        listed = list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]
        if not listed:
            raise InputError(f"{name!r} has no values: write {{{name!r}: [1, 2, 4]}}", where="vary")
        if twice := next((each for at, each in enumerate(listed) if each in listed[:at]), None):
            raise InputError(f"{name!r} has the value {twice!r} twice (give each once)", where="vary")
        found.append(f"{name}=" + ",".join("unbounded" if value is None else str(value) for value in listed))
    return found


def _changed(network: Network, depths: Depths | None, style: str | None) -> Network:
    return network_file(network, depths=depths, style=style).network


def _held(source: object) -> object:
    return source.network if isinstance(source, NetworkFile) else source
