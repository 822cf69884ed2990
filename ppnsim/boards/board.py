"""A board or a device as every subject sees it: resources, operators, memories, the OpenCL shell, the host link.

Data only, read from `tables/*.toml`. What follows from the data stands with the subject that asks: delays at a clock
in `hls.library`, utilisation of an OpenCL kernel in `opencl.laws`, bandwidths of the memories in `roofline`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from ppnsim.errors import InputError

RESOURCES = ("bram", "dsp", "ff", "lut")
Amounts = tuple[int, int, int]  # logic, memory blocks, DSP blocks


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorEntry:
    """One line of a table: an operator for some types, up to ``max_bits`` wide (0: any width).

    Attributes
    ----------
    types : families of number formats: integer, fixed, float, double.
    states, states_per_bit : states after which the result is in a register; 0 is combinational.
    clock_ns : period at which this device has that many states; 0: the device's ``reference_clock_ns``, scaled.
    at : the same at other periods, a list each: ns, states, and those of the faster forms. A form that fits a period
        fits a longer one too, so that the longest one that the clock reaches counts.
    forms : states, and ns of each state, of the forms that are known on this fabric; the tool takes the one with the
        fewest states that fit the clock without its uncertainty (R2.14). They go before ``states`` and ``at``.
    pressed : on a recurrence that would miss its interval, the states of its faster forms, in the order in which the
        tool tries them; their result chains within a state.
    entry : ns of the first state that a multi-stage operator needs.
    delay, per_bit : ns of a combinational operator, and ns more for each bit.
    uncut : ns of an operator of several states where it is combinational, as in Vivado HLS (R2.13); 0: it never is.
    lut, ff, dsp, bram : resources of a unit; ``lut_per_bit`` and ``ff_per_bit`` more for each bit.
    ii : cycles after which a unit takes its next operands.
    shared : whether operations may share a unit.
    hoisted : whether the operator may leave a loop in which its operands do not change.
    """

    name: str
    types: tuple[str, ...]
    max_bits: int = 0
    states: int = 0
    states_per_bit: int = 0
    clock_ns: float = 0.0
    at: tuple[tuple[float, ...], ...] = ()
    forms: tuple[tuple[float, ...], ...] = ()
    pressed: tuple[int, ...] = ()
    entry: float = 0.0
    delay: float = 0.0
    per_bit: float = 0.0
    uncut: float = 0.0
    lut: float = 0.0
    lut_per_bit: float = 0.0
    ff: float = 0.0
    ff_per_bit: float = 0.0
    dsp: int = 0
    bram: int = 0
    ii: int = 1
    shared: bool = True
    hoisted: bool = True
    provenance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogicTiming:
    """Times of logic in ns at ``reference_clock_ns``; ``delay_scale`` multiplies all of them.

    Attributes
    ----------
    grade_scale : multiplies all times, those of operators at a period too: another speed grade than the table's.
    uncertainty : share of the clock that logic cannot use.
    ram_ports : accesses per cycle to a memory.
    ram_ns, lutram_ns : what an access takes of block RAM, and of memories in lookup tables (R3.9).
    fifo_ns : what an access to a FIFO takes, at most half of what a state has (R3.10).
    mac_states, mac_ns, mac_entry_ns, mac_bits : the multiply-add of a DSP block: states, ns, ns of its first state,
        and the widest factors.
    tool : release of the synthesis tool whose designs the table was fitted to; later ones flatten more nests (R9.2).
    eased_ns : period from which on an adder on a recurrence hands its result on in its last state, also in loops that
        no directive pipelines (R9.21); 0: at no period.
    ternary_ns, ternary_per_bit_ns : an adder of three inputs (R2.7), and more for each bit.
    quotient_ns, sign_ns : what a division by a constant takes after its multiplication.
    """

    delay_scale: float = 1.0
    scale_provenance: str = ""
    grade_scale: float = 1.0
    tool: str = ""
    reference_clock_ns: float = 10.0
    uncertainty: float = 0.27
    ram_ports: int = 2
    ram_ns: float = 3.254
    lutram_ns: float = 2.322
    fifo_ns: float = 3.63
    mux_ns: float = 0.7
    forward_ns: float = 1.0
    writeback_ns: float = 1.6
    ternary_ns: float = 3.43
    ternary_per_bit_ns: float = 0.0293
    mac_states: int = 3
    mac_ns: float = 2.1
    mac_entry_ns: float = 1.05
    mac_bits: tuple[int, ...] = (25, 18)
    eased_ns: float = 0.0
    quotient_ns: float = 4.8
    sign_ns: float = 2.4


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardMemory:
    """Memory beside the device: ``banks`` of a preset of `memory.model.presets`."""

    name: str
    preset: str
    banks: int
    provenance: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HostLink:
    """The PCIe 3.0 link to the host, with ``lanes`` lanes."""

    lanes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenclBoard:
    """A board as OpenCL kernels find it, its shell included; ``provenance`` says where each figure comes from.

    Attributes
    ----------
    banks, width : memory banks, and bytes of the widest transaction.
    latency : cycles of the kernel clock that a transaction takes.
    outstanding : transactions that an access of a pipeline may have under way.
    available : share of each resource that the shell leaves to kernels (I_L, I_M, I_D).
    amounts : resources of the device: logic, memory blocks, DSP blocks.
    unit, access : resources of a pipeline without its instructions, and of an access to global memory.
    costs : resources of an instruction.
    fastest : MHz of the clock when the device is empty.
    slowdown : share of the clock that is lost when the device is full.
    per_unit : share by which the period grows with every further unit.
    """

    banks: int
    width: int
    latency: int
    outstanding: int
    available: tuple[Fraction, Fraction, Fraction]
    amounts: Amounts
    unit: Amounts
    access: Amounts
    costs: Mapping[str, Amounts]
    fastest: Fraction
    slowdown: Fraction
    per_unit: Fraction
    provenance: Mapping[str, str]

    def checked(self) -> OpenclBoard:
        """Return the board itself; raise `InputError` if no kernel could run on it."""
        for name in ("banks", "width", "latency", "outstanding"):
            if getattr(self, name) < 1:
                raise InputError(f"{name} = {getattr(self, name)} (at least 1 is needed)", where="board")
        if not all(amount > 0 for amount in self.amounts):
            raise InputError("amounts must be above 0", where="board")
        if not all(0 < share <= 1 for share in self.available):
            raise InputError("available must be three shares above 0, up to 1", where="board")
        if self.fastest <= 0 or not 0 <= self.slowdown < 1 or self.per_unit < 0:
            raise InputError("clock and slowdown leave no clock above 0 MHz", where="board")
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A board, or a device without one.

    Attributes
    ----------
    aliases : other names under which it is found; upper and lower case are the same.
    part : the maker's name of the device.
    clock : of the kernels on it in hertz, None if no source fixes it.
    grade : speed grade that the times are for, such as ``-2``; "" if the table does not tell them apart.
    grades : MHz of the fastest clock of a DSP block by speed grade, for parts of another one.
    lut, ff, dsp, bram : lookup tables (or ALMs), flip-flops, DSP blocks, memory blocks (18 Kib, or M20K).
    counted : resources in the maker's own words and units; empty if they are those four.
    timing, operators : what operators cost in hardware that is synthesised from C.
    opencl : None if no OpenCL runs on it.
    host : None if the board is not a card in a host.
    assumed : what is taken from another device because nothing was measured on the one that was asked for.
    """

    name: str
    family: str = ""
    part: str = ""
    aliases: tuple[str, ...] = ()
    clock: Fraction | None = None
    clock_provenance: str = ""
    grade: str = ""
    grades: Mapping[str, int] = field(default_factory=dict)
    lut: int = 0
    ff: int = 0
    dsp: int = 0
    bram: int = 0
    resources_provenance: str = ""
    counted: Mapping[str, int] = field(default_factory=dict)
    timing: LogicTiming = field(default_factory=LogicTiming)
    operators: tuple[OperatorEntry, ...] = ()
    memories: tuple[BoardMemory, ...] = ()
    opencl: OpenclBoard | None = None
    host: HostLink | None = None
    assumed: str = ""

    @property
    def available(self) -> dict[str, float]:
        """Resources by kind; a kind that the device lacks is 0."""
        return {kind: float(getattr(self, kind)) for kind in RESOURCES}

    @property
    def resources(self) -> dict[str, int]:
        """Resources in the maker's words.

        Examples
        --------
        >>> Board(name="b", lut=600, bram=4).resources, Board(name="b", lut=600, counted={"alm": 600}).resources
        ({'lut': 600, 'bram_18k': 4}, {'alm': 600})
        """
        own = {"lut": self.lut, "ff": self.ff, "dsp": self.dsp, "bram_18k": self.bram}
        return dict(self.counted) or {kind: units for kind, units in own.items() if units}
