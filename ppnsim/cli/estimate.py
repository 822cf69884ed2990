"""``ppnsim estimate``: what theory says of a network or of an application on a platform, beside a run if asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

import ppnsim
from ppnsim.analysis import throughput
from ppnsim.cli import answers
from ppnsim.cli.common import DEADLOCK, INTERRUPTED, progress
from ppnsim.cli.options.groups import Help, Without
from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.options.prediction import Estimated, Simulate, Vary, values_of
from ppnsim.cli.runners import compare as subjects
from ppnsim.comparison import compare
from ppnsim.errors import InputError
from ppnsim.library import compare as answered
from ppnsim.library import estimate, estimate_period, platform_predictions, platform_terms, subject
from ppnsim.platform.files import toml
from ppnsim.source_networks import model as sources

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


def estimate_command(
    files: Estimated,
    *,
    options: Annotated[NetworkOptions, Without("convention")],
    vary: Vary = [],  # noqa: B006
    simulate: Simulate = False,
    output: Annotated[Output, Help(plot="Draw the estimates, over what varies: .svg, .png, .pdf.")],
) -> None:
    """Estimate analytically how long a network, or an application on a platform, takes.

    Of a network: absolute, one process per statement and FIFOs that never fill, the limit of the design as it stands;
    unbounded, a process per firing, the limit of its data dependences. The bounds say why no run can be faster. Depths
    have no influence. A network with too many firings for that has its period estimated, with its depths: exactly, or
    by a lower and an upper bound.

    Of a platform with an application: every node, transfer, stage and the whole by RATSS's equations, each with its
    number (Holland et al. 2011, Eq. 1-30). What varies may be any key of the file or of its preset; transfers go by
    name.

    --vary estimates for several values, a row each; --simulate lays the simulation beside: the error, where an estimate
    fails, and what explains the worst point; of a platform as it is, term by term. `ppnsim compare` takes further
    models, also your own.

    Examples:

      ppnsim estimate scenarios/networks/predictor.toml

      ppnsim estimate scenarios/networks/fork_join.toml --simulate --vary "short*.depth=1:12" --plot errors.svg

      ppnsim estimate scenarios/kernels/predictor.c --latency 3

      ppnsim estimate scenarios/platforms/pdf_2_nodes.toml --vary "node.fpga.clock=100 MHz,150 MHz,195 MHz"

      ppnsim estimate scenarios/platforms/image_filter.toml --simulate
    """
    values = values_of(vary)

    def ask(file: str) -> tuple[Answer, int]:
        if not (vary or simulate):
            return _estimated(file, options)
        asked = subjects.subject_in(file, vary, options)
        platform = asked.kind == "platform"
        if platform and not simulate:
            return platform_predictions.platform_predictions(file, vary=values), 0
        with progress(file, "points") as report:
            if platform and not vary:
                return platform_terms.platform_terms(file, progress=report), 0
            models = compare.models_of(() if platform else estimate.MODELS, asked.kind)
            found = compare.compare_subject(asked, models, progress=report, simulate=simulate)
        return answered.ComparedModels(comparison=found), INTERRUPTED if found.interrupted else 0

    answers.answer_each_file(files, output, ask)


def _estimated(file: str, options: NetworkOptions) -> tuple[Answer, int]:
    """Estimate what a file holds, as it is; whatever depths count, they do not enter."""
    held = options.load_any(file, "Network", "PlatformFile", most=throughput.LARGEST)
    if isinstance(held, toml.PlatformFile):
        if given := options.given():
            raise InputError(f"{', '.join(given)} can only be used with a network; this file holds a platform")
        return platform_predictions.platform_predictions(held, file=file), 0
    assert isinstance(held, ppnsim.Network | sources.SourceNetwork)
    source = held if isinstance(held, sources.SourceNetwork) else None
    asked = subject.NetworkFile(network=options.changed(held), source=source, file=file)
    try:
        found = estimate.of_network(asked)
    except throughput.TooLargeError:
        periods = estimate_period.PeriodEstimate.of(asked)
        return periods, DEADLOCK if periods.deadlocked else 0
    if options.style is not None:
        typer.echo("note: --style changes nothing without --simulate: pipelines of estimates never freeze", err=True)
    return found, DEADLOCK if found.absolute.finish is None else 0
