"""The cycles of tasks are those of a schedule at one clock, which a network that is read cannot vary."""

from __future__ import annotations

from collections.abc import Sequence

from ppnsim.errors import InputError
from ppnsim.source_networks.model import SourceNetwork


def check_one_clock(held: object, vary: Sequence[str]) -> None:
    """Refuse ``clock=VALUES`` of the tasks of a source that is read already: at another clock they take other cycles.

    Parameters
    ----------
    held : what is swept or compared; all but a `SourceNetwork` of tasks passes.
    vary : ``NAME=VALUES``, each.

    Raises
    ------
    InputError
        If the clock of such tasks is to vary.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> held = SourceNetwork(network=chain(firings=4), file="k.cpp", function="top", made_of="tasks")
    >>> check_one_clock(held, ["c0.depth=1:4"])
    >>> check_one_clock(held, ["clock=5 ns"])
    Traceback (most recent call last):
    ppnsim.errors.InputError: --vary clock=5 ns: the tasks of 'top' are scheduled for 10 ns, and take other cycles ...
    """
    if not isinstance(held, SourceNetwork) or held.made_of != "tasks":
        return
    for text in vary:
        if text.partition("=")[0].strip() == "clock":
            words = (
                f"the tasks of '{held.function}' are scheduled for {held.network.clock_ns:g} ns, and take other cycles"
            )
            remedy = f"give the path of {held.file}, which is scheduled again for each"
            raise InputError(f"{words} at another clock: {remedy}", where=f"--vary {text}")
