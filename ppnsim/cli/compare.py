"""``ppnsim compare``: models beside simulations, over a sweep; of a platform also RATSS's equations, term by term."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from ppnsim.cli import answers
from ppnsim.cli.common import INTERRUPTED, progress
from ppnsim.cli.options import completed
from ppnsim.cli.options.groups import GIVEN, Help, Without
from ppnsim.cli.options.network import NetworkOptions
from ppnsim.cli.options.opencl import KernelOptions
from ppnsim.cli.options.outputs import Output
from ppnsim.cli.runners import compare as subjects
from ppnsim.comparison import compare
from ppnsim.comparison import report as comparison_report
from ppnsim.comparison.model import TOLERANCE, Comparison
from ppnsim.errors import InputError
from ppnsim.library import compare as answered
from ppnsim.library import platform_terms

if TYPE_CHECKING:
    from ppnsim.library.answer import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class CompareOptions:
    """Which models, over what, and what counts as agreement."""

    model: Annotated[
        list[str],
        typer.Option(
            "--model", metavar="NAME|FILE.py", autocompletion=completed.models,
            help="A model: absolute, unbounded, bounds, busiest, lost, ratss, opencl, roofline, memory; or a Python "
            "file with a function of the parameters, FILE.py[:FUNCTION], which is executed. May be repeated.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    vary: Annotated[
        list[str],
        typer.Option(
            "--vary", metavar="NAME=VALUES",
            help="What varies: n=4:64 (a parameter or macro of a source), c.depth=1:64 (a network, as in sweep), "
            "node.fpga.clock=100 MHz,195 MHz (a key of a file). May be repeated: all combinations.",
        ),
    ] = field(default_factory=list)  # fmt: skip
    tolerance: Annotated[
        float,
        typer.Option(
            "--tolerance", metavar="SHARE", parser=_share, help="Relative error up to which a model holds: 0.05 or 5%.",
        ),
    ] = TOLERANCE  # fmt: skip


def _share(text: str | float) -> float:
    """Return a share, also of a number in percent."""
    words = str(text).strip()
    try:
        return float(words[:-1]) / 100 if words.endswith("%") else float(words)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a share (like 0.05 or 5%)") from None


Compared = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...", show_default=False,
        help="Networks, C and C++, platforms, OpenCL kernels, accelerators, memories (or a memory's preset).",
    ),
]  # fmt: skip


def compare_command(
    context: typer.Context,
    files: Compared,
    *,
    asked: CompareOptions,
    options: NetworkOptions,
    kernel: Annotated[KernelOptions, Without("settings", "define", "include", "function", "device")],
    simulate: Annotated[
        bool, typer.Option("--simulate/--no-simulate", help="Simulate the points, or only predict.")
    ] = (True),
    output: Annotated[Output, Help(plot="Draw predicted and simulated, and the errors: .svg, .png, .pdf.")],
) -> None:
    """Lay the predictions of models beside simulations, over a sweep, and explain the largest error.

    Models of this program: absolute, unbounded, bounds, busiest (of a network's finish), lost (formulas of a C kernel's
    schedule), ratss (platforms), opencl, roofline (ports of an accelerator), memory (along frequency, locality,
    outstanding, concurrency or banks). A model of your own is a function in a Python file: its parameters are those
    that vary or are set (a dot is written as _), and network, platform, kernel, ... for the thing itself; it returns
    cycles, seconds or GB/s, as what is simulated.

    Tells the error statistics, the worst point, where the model fails, and what explains the worst point: stalls that
    are taken away one by one (full FIFOs, shared resources, pipeline styles, order), each by a run, and the critical
    path; of platforms and memories the assumption that does not hold.

    A platform without --model and --vary is compared term by term: JSON has predicted, simulated and difference in
    seconds by name of the term, and reasons, whose seconds add up to the difference.

    Examples:

      ppnsim compare scenarios/networks/fork_join.toml --model absolute --model unbounded --vary "short*.depth=1:12"

      ppnsim compare iom_minus.toml oom_plus.toml --model absolute --model unbounded --csv table.csv

      ppnsim compare scenarios/kernels/predictor.c --model scenarios/models/predictor.py --vary X=2:16 --latency 3

      ppnsim compare scenarios/platforms/image_filter.toml --model ratss --vary node.map.count=2,4,8

      ppnsim compare scenarios/kernels/gemm.c --model lost --vary NI=8,16,33,64 --csv errors.csv --plot errors.svg
    """
    every: list[Comparison] = []

    def ask(file: str) -> tuple[Answer, int]:
        subject = subjects.subject_in(file, asked.vary, options, kernel, models=asked.model)
        with progress(file, "points") as told:
            if subject.kind == "platform" and simulate and not (asked.model or asked.vary):
                if "tolerance" in context.meta[GIVEN]:
                    raise InputError("changes nothing without --model or --vary", where="--tolerance")
                return platform_terms.platform_terms(file, progress=told), 0
            models = compare.models_of(asked.model, subject.kind)
            found = compare.compare_subject(
                subject, models, tolerance=asked.tolerance, progress=told, simulate=simulate
            )  # fmt: skip
        every.append(found)
        return answered.ComparedModels(comparison=found), INTERRUPTED if found.interrupted else 0

    try:
        answers.answer_each_file(files, output, ask)
    finally:
        if len(every) > 1 and simulate:
            comparison_report.print_files(output.terminal(), every)
