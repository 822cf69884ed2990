"""A design whose data decides, read for the commands on networks: with its testbench, or with a recorded trace."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.cli.options.source_network import SourceNetworkOptions, tell
from ppnsim.errors import InputError
from ppnsim.hls.native.execute import TimedDesign
from ppnsim.hls.native.report import not_monotone
from ppnsim.hls.project.suffixes import is_project
from ppnsim.hls.project.words import shell_words
from ppnsim.library.executed import DesignExecution
from ppnsim.source_networks.model import SourceNetwork

_FOLLOWED = frozenset(("--testbench", "--trace", "--time-limit", "--function", "-D", "-I", "--device", "--clock"))
_OF_PROJECTS = ("--tclargs", "--solution")


def executed(file: str, options: SourceNetworkOptions, kinds: Sequence[str]) -> TimedDesign | SourceNetwork:
    """Read a design whose data decides.

    If all of its accesses wait, it is a network, with the tokens of its testbench or of a recorded trace; else, or
    if it waits for ever at every depth, only its execution in time says what it does.

    Raises
    ------
    InputError
        If an option is given that is not followed there, or the command takes networks only (``kinds``).
    """
    followed = {*_FOLLOWED, *(_OF_PROJECTS if is_project(file) else ())}
    if unfit := [name for name in options.given() if name not in followed]:
        raise InputError(f"{', '.join(unfit)} can not be used with --testbench and --trace")
    found = DesignExecution(
        testbench=options.testbench, trace=options.trace, time_limit=options.time_limit, **options.source.read(),
        device=options.device, clock=options.clock, arguments=shell_words(options.tclargs or "", "--tclargs"),
        solution=options.solution,
    ).read(file)  # fmt: skip
    if isinstance(found, SourceNetwork):
        tell(found)
    elif "TimedDesign" not in kinds:
        raise InputError(f"{not_monotone(found)}; only 'ppnsim run' takes it")
    return found
