"""What the callers of a function say of its arrays (R6.8), for all commands alike."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ppnsim.c.caller_interfaces import Handed
from ppnsim.c.load import Kernels
from ppnsim.hls.pragmas.directives import Directives
from ppnsim.hls.pragmas.pragma import PlacedDirective
from ppnsim.hls.pragmas.read import read_directives
from ppnsim.hls.pragmas.sources import sources_of
from ppnsim.hls.pragmas.wires import said_of_arguments
from ppnsim.hls.structure.partitions import Flow
from ppnsim.loops.program import Frame, LoopProgram


@dataclass(frozen=True, slots=True)
class Callers:
    """The callers of the kernels of a source, which decide what an argument is: a port, or a memory of the caller.

    Attributes
    ----------
    handed : the directives that callers have for the arrays that they hand over, by the name of the kernel.
    called : the kernels that other functions call: modules of these, whose arguments are no ports.
    flow : that for kernels or for IPs.

    Examples
    --------
    >>> from ppnsim.loops.program import Array
    >>> program = LoopProgram(name="f", arrays=(Array(name="a", shape=(8,), role="parameter"),), body=())
    >>> callers = Callers({"f": [Handed("a", "interface m_axi port=a", "top")]}, {"f"})
    >>> callers.directives(program).storage["a"].kind, callers.told(program)
    ('bus', ["'a' is what 'top' hands to 'f': interface m_axi port=a"])
    """

    handed: Mapping[str, Sequence[Handed]] = field(default_factory=dict)
    called: Collection[str] = ()
    flow: Flow | None = None

    @classmethod
    def of(cls, kernels: Kernels, flow: Flow | None = None, top: str = "") -> Callers:
        """Return the callers of the kernels of a source; ``top`` is the kernel, whoever else calls it (R6.4)."""
        return cls(kernels.handed, kernels.called - {top}, flow)

    def directives(
        self, program: LoopProgram, more: Iterable[str] = (), placed: Sequence[PlacedDirective] = (),
        beside: Sequence[Frame] = (), *, release: str = "",
    ) -> Directives:  # fmt: skip
        """Return the directives of a kernel, with those of its callers (`read_directives`)."""
        given = [*(each.text for each in self._handed(program)), *more]
        kernel, top = self.flow == "vitis", program.name not in self.called
        return read_directives(
            sources_of(program), program, given, placed, beside,
            kernel=kernel and top, alone=top and not kernel, release=release,
        )  # fmt: skip

    def told(self, program: LoopProgram) -> list[str]:
        """Return a sentence for each directive that callers have for a memory of a kernel."""
        found = self._handed(program)
        return [f"'{each.name}' is what '{each.caller}' hands to '{program.name}': {each.text}" for each in found]

    def said(self, program: LoopProgram, directives: Directives) -> Iterator[str]:
        """Yield what is made of the arguments of a kernel that have no interface."""
        return said_of_arguments(directives, self.flow, called=program.name in self.called)

    def _handed(self, program: LoopProgram) -> list[Handed]:
        memories = {array.name for array in program.arrays if array.shape and not array.stream}
        return [each for each in self.handed.get(program.name, ()) if each.name in memories]
