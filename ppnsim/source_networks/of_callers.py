"""What the callers of a function say of its arrays (R6.8), for its schedule and for its network alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ppnsim.c.caller_interfaces import Handed
from ppnsim.loops.program import LoopProgram


def of_callers(program: LoopProgram, handed: Mapping[str, Sequence[Handed]]) -> tuple[list[str], list[str]]:
    """Return the directives that the callers of a kernel have for its memories, and a sentence for each.

    Parameters
    ----------
    handed : what callers hand over, by the name of the kernel.

    Examples
    --------
    >>> from ppnsim.loops.program import Array
    >>> program = LoopProgram(name="f", arrays=(Array(name="a", shape=(8,)),), body=())
    >>> of_callers(program, {"f": [Handed("a", "interface m_axi port=a", "top")]})
    (['interface m_axi port=a'], ["'a' is what 'top' hands to 'f': interface m_axi port=a"])
    """
    memories = {array.name for array in program.arrays if array.shape and not array.stream}
    found = [each for each in handed.get(program.name, ()) if each.name in memories]
    said = [f"'{each.name}' is what '{each.caller}' hands to '{program.name}': {each.text}" for each in found]
    return [each.text for each in found], said
