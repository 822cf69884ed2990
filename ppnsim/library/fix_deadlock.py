"""``ppnsim.fix_deadlock``: depths that break the deadlock of a network or of its run."""

from __future__ import annotations

from dataclasses import replace

from ppnsim.engines.run import run
from ppnsim.errors import InputError
from ppnsim.explore.explain.deadlock_fix import fix_deadlock as fix
from ppnsim.library.subject import NetworkLike, network_file
from ppnsim.model.run import Fix, Run
from ppnsim.source_networks.model import SourceNetwork
from ppnsim.source_networks.report import fix_pragmas, pragma_lines


def fix_deadlock(stuck: Run | NetworkLike, *, budget: int = 1_000_000) -> Fix:
    """Return the smallest depth increases with which a deadlocked network finishes, checked by running it.

    Parameters
    ----------
    stuck : a run that ended in a deadlock, or a network or a path, which is then run.
    budget : simulated firings after which the search stops and takes the best it can find quickly (`Fix.smallest` says
        which it was). Counting firings instead of seconds gives the same answer on every machine.

    The answer for the network of a C++ source prints the pragmas to paste, as ``ppnsim run`` does.

    Raises
    ------
    InputError
        If it does not deadlock.

    Examples
    --------
    >>> from ppnsim import fork_join
    >>> str(fix_deadlock(fork_join(firings=20, short_depth=3, style="frozen"))).partition(";")[0]
    "'short_out' at depth 9 or more breaks the circle (checked by running it)"
    """
    done = stuck if isinstance(stuck, Run) else run(network_file(stuck).network, on_deadlock="return")
    if not done.deadlocked:
        raise InputError(f"'{done.network.name}' does not deadlock: it finishes after {done.finish} cycles")
    found = fix(done, budget=budget)
    source = done.network.origin
    if not isinstance(source, SourceNetwork):
        return found
    return replace(found, paste=tuple(pragma_lines(source, fix_pragmas(source, done, found))))
