"""A design whose data decides, read for the commands on networks: with its testbench, or with a recorded trace."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ppnsim.cli.options.source_network import SourceNetworkOptions, tell
from ppnsim.errors import InputError
from ppnsim.hls.library.library import load_library
from ppnsim.hls.native.execute import SECONDS, NativeDesign, TimedDesign, timed
from ppnsim.hls.native.report import not_monotone
from ppnsim.hls.native.trace import read_trace, record, write_trace
from ppnsim.hls.project.read import is_project
from ppnsim.source_networks.load import CLOCK, DEVICE
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.recorded import recorded_network
from ppnsim.units import clock_ns

_FOLLOWED = frozenset(("--testbench", "--trace", "--time-limit", "--function", "-D", "-I", "--device", "--clock"))


def executed(file: str, options: SourceNetworkOptions, kinds: Sequence[str]) -> TimedDesign | SourceNetwork:
    """Read a design whose data decides.

    If all of its accesses wait, it is a network, with the tokens of its testbench or of a recorded trace; else, or
    if it waits for ever at every depth, only its execution in time says what it does.

    Raises
    ------
    InputError
        If an option is given that is not followed there, or the command takes networks only (``kinds``).
    """
    found = _read(file, options)
    if isinstance(found, TimedDesign) and "TimedDesign" not in kinds:
        raise InputError(f"{not_monotone(found)}; only 'ppnsim run' takes it")
    return found


def _read(file: str, options: SourceNetworkOptions) -> TimedDesign | SourceNetwork:
    """Read a design, with the tokens of its testbench or of a trace."""
    if is_project(file):
        words = "give the C++ source and its options"
        raise InputError(f"a project is not executed with --testbench and --trace: {words}")
    limit = options.time_limit
    if limit is not None and not 0 < limit < math.inf:
        raise InputError(f"{limit} is not a number of seconds above 0", where="--time-limit")
    unfit = [name for name in options.given() if name not in _FOLLOWED]
    if unfit:
        raise InputError(f"{', '.join(unfit)} can not be used with --testbench and --trace")
    read = options.source.read()
    design = NativeDesign(
        path=file,
        testbench=options.testbench or "",
        function=options.source.function,
        defines=read["defines"],
        include=read["include"],
        seconds=limit or SECONDS,
    )
    found = timed(design, load_library(options.device or DEVICE, clock_ns(options.clock or CLOCK)))
    if found.polls is not None:
        if options.trace is not None:
            raise InputError(f"{not_monotone(found)}; it has no trace that other times could be given to")
        return found
    trace = (
        record(found) if options.testbench is not None or options.trace is None else read_trace(options.trace, found)
    )
    if options.testbench is not None and options.trace is not None:
        write_trace(trace, options.trace)
    if trace.blocked and options.testbench is not None:
        return found
    network = recorded_network(found, trace, options.device or DEVICE)
    tell(network)
    return network
