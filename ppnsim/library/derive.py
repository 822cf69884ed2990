"""``ppnsim.derive``: the process network of a C kernel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ppnsim.library.place import Place
from ppnsim.library.rewriting import steps_of
from ppnsim.library.statements import network_of
from ppnsim.library.subject import network_file
from ppnsim.loops.program import LoopProgram
from ppnsim.model.network import Network


def derive(source: Place | LoopProgram, *, rewrite: Sequence[str] = (), **options: Any) -> Network:
    """Derive the process network of a C kernel: its tasks and streams, or a process for each statement.

    Parameters
    ----------
    source : path of a C or C++ source, or a loop program.
    rewrite : steps as on the command line, ``["unfold tmp=4", "cut y_2@j"]``; for networks of statements.
    options : of networks of statements ``latency``, ``ii``, ``timing``, ``io``, ``hazards``; for a path also what
        `ppnsim.load` takes.

    Raises
    ------
    InputError
        If the source cannot be read, or a rewriting would change a value.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> derive(directory() / "kernels" / "predictor.c", latency=3).run().finish
    83
    """
    asked: dict[str, Any] = {**options, "steps": steps_of(rewrite)} if rewrite else options
    if isinstance(source, LoopProgram):
        return network_of(source, **asked)
    return network_file(source, **asked, as_statements=True).network
