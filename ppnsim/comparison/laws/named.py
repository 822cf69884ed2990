"""The models of this program by name, each with what it assumes, and which kinds of source it takes."""

from __future__ import annotations

from ppnsim.analysis.lower_bounds import busiest_bound, lower_bounds, resource_bounds
from ppnsim.analysis.throughput import absolute, unbounded
from ppnsim.comparison.laws.case import KINDS, Case, Number, PredictionModel
from ppnsim.errors import InputError, did_you_mean
from ppnsim.opencl.tune import look
from ppnsim.platform.laws.prediction import predict
from ppnsim.roofline.laws import roofline


def _bounds(case: Case) -> Number | None:
    one_each, by_data = absolute(case.held), unbounded(case.held)
    if one_each.finish is None:
        return None
    return lower_bounds(case.held, one_each, by_data)[0].cycles


def _busiest(case: Case) -> Number:
    return max(bound.cycles for bound in (busiest_bound(case.held), *resource_bounds(case.held)))


def _platform(case: Case) -> Number:
    return predict(case.held.system, case.held.application).total


def _opencl(case: Case) -> Number:
    file, design = case.held
    return look(file.kernel, file.board, design).prediction.cycles


def _port(case: Case) -> Number:
    found = roofline(case.held.accelerator).ports
    return next(port.reached for port in found if port.argument == case.held.argument)


NAMED = {
    each.name: each
    for each in (
        PredictionModel(
            name="absolute", takes=("network",), predict=lambda case: absolute(case.held).finish,
            assumes="one process per statement; FIFOs never fill, pipelines never freeze, nothing is shared",
        ),
        PredictionModel(
            name="unbounded", takes=("network",), predict=lambda case: unbounded(case.held).finish,
            assumes="a process per firing: data alone decides; FIFOs never fill, nothing is shared",
        ),
        PredictionModel(
            name="bounds", takes=("network",), predict=_bounds,
            assumes="the strongest of the lower bounds is reached (statements, dependences, busiest, resources)",
        ),
        PredictionModel(
            name="busiest", takes=("network",), predict=_busiest,
            assumes="the process or resource with the most work never waits: (firings - 1) ii and its own steps",
        ),
        PredictionModel(
            name="lost", takes=("schedule",), predict=lambda case: case.held.formula(case.held.sizes),
            assumes="the tool decides for these sizes as for the small ones that the formulas were learned from",
        ),
        PredictionModel(
            name="ratss", takes=("platform",), predict=_platform,
            assumes="nodes begin and end each step together, and each transfer pays its delay as its equation says",
        ),
        PredictionModel(
            name="opencl", takes=("kernel",), predict=_opencl,
            assumes="computation and memory overlap in every block, and the slower one sets its pace (Eq. 7-19)",
        ),
        PredictionModel(
            name="roofline", takes=("accelerator",), predict=_port,
            assumes="a port reaches the ceiling of its access pattern, alone on its bank (Eq. 8-11)",
        ),
        PredictionModel(
            name="memory", takes=("memory",), predict=lambda case: case.held.law,
            assumes="one limit of the memory binds at a time, and is used fully (Eq. 8-11, Little)",
        ),
    )
}  # fmt: skip
"""By name."""

USUAL = {
    "network": "absolute", "platform": "ratss", "kernel": "opencl", "accelerator": "roofline", "memory": "memory",
    "schedule": "lost",
}  # fmt: skip
"""The model that is meant where none is named."""


def model_named(name: str, kind: str) -> PredictionModel:
    """Return a model of this program that takes a kind of source.

    Raises
    ------
    InputError
        If there is none of that name, or it takes something else; the message names the models that would do.

    Examples
    --------
    >>> model_named("ratss", "network")
    Traceback (most recent call last):
    ppnsim.errors.InputError: --model ratss: takes a platform, and this is a network, which absolute, unbounded, bounds
    or busiest take, or a Python file with a model of your own
    """
    if name not in NAMED:
        words = f"is not a model{did_you_mean(name, NAMED)}, nor a Python file FILE.py[:FUNCTION] with one of your own"
        if set(several := name.split(",")) <= set(NAMED):
            words = f"are {len(several)} models: give --model once for each"
        raise InputError(words, where=f"--model {name}")
    model = NAMED[name]
    if kind not in model.takes:
        taken = " or ".join(KINDS[each] for each in model.takes)
        words = f"takes {taken}, and this is {KINDS[kind]}, which {takers(kind)}"
        raise InputError(words, where=f"--model {name}")
    return model


def takers(kind: str) -> str:
    """Return the models that take a kind of source, in words.

    Examples
    --------
    >>> takers("memory")
    'memory takes, or a Python file with a model of your own'
    """
    names = [name for name, model in NAMED.items() if kind in model.takes]
    own = "a Python file with a model of your own"
    if not names:
        return f"only {own} takes"
    listed = " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return f"{listed} {'take' if len(names) > 1 else 'takes'}, or {own}"
