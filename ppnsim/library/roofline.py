"""``ppnsim.roofline``: what bounds an accelerator, its operators or its memory, and what would raise the bound."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.library.accelerator import SourceAccelerator, accelerator_of
from ppnsim.library.answer import Answer
from ppnsim.library.place import Place, tell
from ppnsim.roofline.accelerator import Accelerator
from ppnsim.roofline.answer import RooflineAnswer, roofline_result
from ppnsim.roofline.ceilings import bank_of
from ppnsim.roofline.default import Metric
from ppnsim.roofline.laws import Roofline, selected
from ppnsim.roofline.laws import roofline as roofline_of
from ppnsim.roofline.report import print_roofline
from ppnsim.roofline.run import SimulatedPort, simulated_ports

if TYPE_CHECKING:
    from ppnsim.plots.shown import NotebookFigure

Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class KernelRoofline(Answer):
    """The roofline of an accelerator: bounds, ceilings of every port, walls, simulated ports, advice.

    Attributes
    ----------
    answer : all of it.
    banks : names of the banks that were asked for.
    interrupted : whether Ctrl-C ended the simulation of the ports.
    """

    answer: RooflineAnswer
    banks: tuple[str, ...] = ()
    interrupted: bool = False

    @property
    def found(self) -> Roofline:
        """The bounds."""
        return self.answer.found

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return roofline_result(self.answer)

    def print(self, console: Console) -> None:
        """Print what bounds, every port and every wall."""
        print_roofline(console, self.answer)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each port; if it was simulated with ``simulated``, ``difference`` and ``because``."""
        told = self.to_dict()
        found = {each["argument"]: each for each in told["simulated"]}
        return [
            {**port, **(_beside(port, found[port["argument"]]) if port["argument"] in found else {})}
            for port in told["ports"]
        ]

    def figure(self) -> NotebookFigure:
        """Return the roofline as a picture."""
        from ppnsim.plots.shown import shown
        from ppnsim.roofline.pictures import roofline_figure  # matplotlib takes a while to import

        return shown(roofline_figure(self.answer, banks=list(self.banks)))

    def chart(self) -> NotebookFigure:
        """Return clock against memory quanta as a picture.

        Raises
        ------
        InputError
            If there is no memory.
        """
        from ppnsim.plots.shown import shown
        from ppnsim.roofline.pictures import quanta_figure  # matplotlib takes a while to import

        accelerator = self.answer.accelerator
        if not accelerator.memories:
            raise InputError("there is no memory to draw", where="--plot-quanta")
        models = {memory.name: bank_of(memory) for memory in accelerator.memories}
        memories = {name: (model.peak, model.width) for name, model in models.items()}
        quanta = sorted({argument.quanta for argument in accelerator.arguments} | {32, 64, 128})
        return shown(quanta_figure(accelerator.name, memories, 1000 * accelerator.frequency, quanta))


def _beside(port: Mapping[str, Any], simulated: Mapping[str, Any]) -> dict[str, Any]:
    bandwidth = simulated["bandwidth_GBps"]
    difference = bandwidth - port["reached_GBps"]
    return {"simulated_GBps": bandwidth, "difference_GBps": difference, "because": simulated["because"]}


def roofline(
    file: Place, *, device: str | None = None, clock: str | None = None, memory: str | None = None,
    quanta: int | None = None, metric: Metric = "auto", banks: Sequence[str] = (), simulate: bool = False,
    progress: Progress | None = None, **options: Any,
) -> KernelRoofline:  # fmt: skip
    """Tell what bounds a kernel on an FPGA: its operators, or which memory bank (Siracusa et al. 2021).

    Parameters
    ----------
    file : an accelerator in TOML, or a C source (``options``: ``function``, ``defines``, ``include``, ``settings``).
    device, clock : of a C source; xc7z020 at 10 ns, as in all functions.
    memory : of a C source, a preset, if the board has none; AWS-F1.
    quanta : of a C source, bytes per cycle of every port; 64.
    metric : of a C source, what performance counts.
    banks : show these banks by themselves, and all named as one.
    simulate : run every port through the DRAM bank queue, beside its ceiling.
    progress : called with ports simulated and ports in all.

    Raises
    ------
    InputError
        If the file cannot be read, or says itself what is asked for.
    """
    if "vary" in options:
        words = f"the ports at several values are what ppnsim.compare('{file}', 'roofline', vary=...) returns"
        raise InputError(words, where="vary")
    if quanta is not None and not 1 <= quanta <= 4096:
        raise InputError(f"{quanta} must be from 1 to 4096 bytes", where="--quanta")
    asked = SourceAccelerator(device=device, clock=clock, memory=memory, quanta=quanta, metric=metric, source=options)
    accelerator, walls, notes = accelerator_of(str(file), asked)
    found = roofline_of(accelerator)
    if simulate and not any(accelerator.memory(each.memory).dram for each in accelerator.arguments):
        notes.append("nothing to simulate: no argument is on a memory with a preset")
    chosen = selected(found, list(banks), accelerator.work) if banks else None
    ports, interrupted = _simulated(accelerator, found, progress) if simulate else ([], False)
    answer = RooflineAnswer(
        file=str(file), accelerator=accelerator, found=found, simulated=tuple(ports), chosen=chosen,
        walls=tuple(wall for wall in walls if wall.moved), notes=tuple(notes),
    )  # fmt: skip
    return KernelRoofline(answer=answer, banks=tuple(banks), interrupted=interrupted)


def _simulated(
    accelerator: Accelerator, found: Roofline, progress: Progress | None
) -> tuple[list[SimulatedPort], bool]:  # fmt: skip
    """Simulate the ports; Ctrl-C keeps those that are there."""
    done: list[SimulatedPort] = []
    try:
        done.extend(simulated_ports(accelerator, found.ports, progress=progress))
    except KeyboardInterrupt:
        tell(f"interrupted after {len(done)} ports")
        return done, True
    return done, False
