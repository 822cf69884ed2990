"""Operator libraries: the time and the area of each operator and type, on a device at a clock.

The numbers come from the table of a board (`ppnsim.boards`), in which every entry names its source.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ppnsim.boards.board import Board, OperatorEntry
from ppnsim.boards.files import load_board
from ppnsim.errors import InputError, did_you_mean
from ppnsim.hls.library.types import Format
from ppnsim.hls.library.uncertainty import ClockUncertainty

_OF_FUNCTIONS = ("elementary", "sin", "pow", "tanh", "atan2")
_OF_TABLES = 0.27
"""The share of the clock that tools kept where the states in the tables were read."""
_SLOWEST_RAM = 4
"""Most states of a memory read; the memory's registers at input and output, and those around it, give no more."""


@dataclass(frozen=True, slots=True)
class Operator:
    """An operator of one width: ``states`` 0 is combinational; ``unit`` is "" if it is never shared.

    ``ii``: cycles until a unit takes new operands. ``pressed``: states of its faster forms (R9.1).
    """

    states: int
    entry: float
    delay: float
    unit: str
    lut: float
    ff: float
    dsp: int
    bram: int
    ii: int
    hoisted: bool
    pressed: tuple[int, ...] = ()

    @property
    def cost(self) -> tuple[float, float, int, int]:
        """The lookup tables, flip-flops, DSP blocks and block RAMs of a unit."""
        return self.lut, self.ff, self.dsp, self.bram


@dataclass(frozen=True, slots=True)
class Library:
    """The operators of a device at a clock; ``budget`` ns of each state can be used.

    ``said``: a sentence about the uncertainty of the clock, if it is not that of the device's table. ``uncut``: the
    library is that of Vivado HLS, in which some units are logic without registers (R2.13, R2.20).
    """

    device: Board
    clock_ns: float
    said: str = field(default="", repr=False, compare=False)
    uncut: bool = False
    _known: dict[tuple[str, Format], Operator] = field(default_factory=dict, init=False, repr=False, compare=False)
    _times: dict[str, tuple[float, int]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _delays: dict[tuple[str, int], float] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def budget(self) -> float:
        """Nanoseconds of a state that logic may take: the clock without its uncertainty (R2.5)."""
        return self.clock_ns * (1 - self.device.timing.uncertainty)

    @property
    def uncertainty_ns(self) -> float:
        """Nanoseconds of the clock that logic may not take."""
        return self.clock_ns * self.device.timing.uncertainty

    def operator(self, name: str, format_: Format, where: str = "") -> Operator:
        """Return an operator; ``format_`` is the format of its widest operand.

        Raises
        ------
        InputError
            If the device has no such operator for the type.
        """
        if (known := self._known.get((name, format_))) is None:
            known = self._known[name, format_] = self._operator(name, format_, where)
        return known

    def knows(self, name: str, format_: Format) -> bool:
        """Return whether the device's table has an operator with this name for a family of formats."""
        return any(entry.name == name and format_.family in entry.types for entry in self.device.operators)

    def guessed(self) -> list[str]:
        """Return the guesses among the requested operators of ``half``, and among functions (R2.12, R2.17)."""
        asked = [(name, of.family) for name, of in self._known if of.family == "half" or name in _OF_FUNCTIONS]
        said = (
            f"the states of '{each.name}' of {family} are a {each.provenance}"
            for each in self.device.operators if each.provenance.startswith("guess")
            for name, family in asked if name == each.name and family in each.types
        )  # fmt: skip
        return list(dict.fromkeys(said))

    def entry(self, name: str, format_: Format, where: str = "") -> OperatorEntry:
        """Return the line of the device's table that an operator is taken from.

        Raises
        ------
        InputError
            If the device has no such operator for the type.
        """
        # A whole struct, as a token of a stream, counts as its bits.
        family = "integer" if format_.family == "struct" else format_.family
        known = [entry for entry in self.device.operators if family in entry.types]
        same = [entry for entry in known if entry.name == name]
        fitting = [entry for entry in same if not entry.max_bits or format_.bits <= entry.max_bits]
        if not fitting:
            words = f"device '{self.device.name}' has no operator '{name}' for {format_.family} of {format_.bits} bits"
            raise InputError(words + did_you_mean(name, sorted({entry.name for entry in known})), where=where)
        return min(fitting, key=lambda entry: entry.max_bits or math.inf)

    def _operator(self, name: str, format_: Format, where: str) -> Operator:
        found = self.entry(name, format_, where)
        bits, scale = format_.bits, self._scale
        (period, _, *pressed), (_, *longer) = self._form(found)
        states = self._states(found, bits)
        entry, delay = min(found.entry * scale, self.budget), (found.delay + found.per_bit * bits) * scale
        delay = 0.0 if states else delay
        if not states and delay > self.budget:
            # Logic that is longer than a state takes several, those of a form with registers if there are such (R2.13).
            fitting = (int(n) for n, ns in found.forms if self.fits(ns))
            slices = math.ceil(delay / self.budget - 1e-9)
            states, entry, delay = next(fitting, int(found.forms[-1][0]) if found.forms else slices), self.budget, 0.0
        elif self.device.timing.delay_scale == 1:
            states, entry, delay = self._fitting(found, (states, entry, delay))
        return Operator(
            states, entry, delay, f"{name}_{format_.family}{bits}" if states and found.shared else "",
            found.lut + found.lut_per_bit * bits, found.ff + found.ff_per_bit * bits, found.dsp, found.bram,
            max(1, found.ii), found.hoisted, tuple(max(self._cut(each, period), int(min(longer))) for each in pressed),
        )  # fmt: skip

    def _states(self, entry: OperatorEntry, bits: int) -> int:
        """Return the states of an operator; a divider takes the same states at every clock (R2.8)."""
        (period, slices, *_), (_, *longer) = self._form(entry)
        if slices and not entry.states_per_bit:
            return max(self._cut(slices, period), int(longer[0]))
        return int(slices) + entry.states_per_bit * bits

    def _fitting(self, entry: OperatorEntry, usual: tuple[int, float, float]) -> tuple[int, float, float]:
        """Return states, and ns of the first and of the last state, of the form that fits the clock (R2.14, R2.15)."""
        if entry.forms:
            return self._fewest(entry.forms)
        fits = entry.uncut and self.fits(entry.uncut)
        return (0, usual[1], entry.uncut * self._scale) if fits else usual

    def fits(self, ns: float) -> bool:
        """Return whether logic of some ns in the table is done within a state."""
        return ns * self._scale <= self.budget

    def ns(self, name: str) -> float:
        """Return a time of the device: ``ram``, ``fifo``, ``mux``, ``forward``, ``writeback``, ``mac``."""
        return self._time(name)[0]

    def chosen_ns(self, bits: int) -> float:
        """Return the time in which flattened loops compare and choose an iterator of some bits (R2.4)."""
        return self.delay_ns("cmp", bits) + self.ns("mux")

    def more_states(self, name: str) -> int:
        """Return the states beyond the first one that a time of the device takes: 0 if it fits into one state."""
        return self._time(name)[1]

    def _time(self, name: str) -> tuple[float, int]:
        """Return a time of the device, cut to the budget of a state, and the number of further states that it takes."""
        if (known := self._times.get(name)) is None:
            whole = float(getattr(self.device.timing, f"{name}_ns") * self._scale)
            if name == "fifo":
                whole = min(whole, math.floor(self.budget * 50 + 1e-9) / 100)  # R3.10: half, in hundredths
            known = self._times[name] = min(whole, self.budget), math.ceil(whole / self.budget - 1e-9) - 1
        return known

    def states(self, name: str) -> int:
        """Return the states of a unit outside of the table of operators: ``mac``, with registers at any clock."""
        states: int = getattr(self.device.timing, f"{name}_states")
        return states

    @property
    def _period(self) -> float:
        """The clock that leaves a state as much at the uncertainty of the tables, 27 %, as this one does (R9.42).

        On the fabric of xc7z020 operators have the same states with both (`ddiv` 31 at 10 ns).
        """
        return self.clock_ns if self.device.timing.delay_scale == 1 else self.budget / (1 - _OF_TABLES)

    @property
    def _scale(self) -> float:
        """The factor on the delays of the table, from the device's fabric and its speed grade."""
        return self.device.timing.delay_scale * self.device.timing.grade_scale

    def _fewest(self, forms: Sequence[tuple[float, ...]]) -> tuple[int, float, float]:
        """Return the states of the first form that fits, and the ns that it takes in its first and last state."""
        for states, ns in forms:
            if (scaled := ns * self._scale) <= self.budget + 1e-9:
                return (int(states), scaled, scaled) if states > 1 else (0, 0.0, scaled)
        states, ns = forms[-1]
        return math.ceil(states * ns * self._scale / self.budget - 1e-9), self.budget, 0.0

    def _form(self, entry: OperatorEntry) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return a period in ns with the states of an operator and of its faster forms, and the next longer period's.

        It is the longest known period that the clock reaches, else the shortest one. Between two known periods no form
        takes fewer states than at the longer one (0 after the last period).
        """
        timing = self.device.timing
        own = entry.clock_ns or timing.reference_clock_ns * timing.delay_scale
        known = sorted(((own, entry.states, *entry.pressed), *entry.at))
        periods = [(each[0] * timing.grade_scale, *each[1:]) for each in known]
        at = max((n for n, each in enumerate(periods) if each[0] <= self._period + 1e-9), default=0)
        return periods[at], periods[at + 1] if at + 1 < len(periods) else (math.inf, 0)

    def _cut(self, states: float, period: float) -> int:
        """Return states at this clock, which cuts the same logic into slices of another length than ``period``."""
        return max(1, math.ceil(states * period / self._period - 1e-9))

    def ternary_ns(self, bits: int) -> float:
        """Return the delay of an adder of three inputs (R2.7)."""
        timing = self.device.timing
        return float((timing.ternary_ns + timing.ternary_per_bit_ns * bits) * self._scale)

    def delay_ns(self, name: str, bits: int) -> float:
        """Return the delay of an operator on addresses, such as ``add``."""
        if (known := self._delays.get((name, bits))) is None:
            known = self._delays[name, bits] = self.operator(name, Format("integer", bits)).delay
        return known


def load_library(
    device: str, clock_ns: float, uncertainty: ClockUncertainty | None = None, *, uncut: bool = False
) -> Library:
    """Return the library of a device, or of a TOML table, at a clock; the default uncertainty is the table's.

    ``uncut``: products of integers are combinational where they fit a state, as in Vivado HLS (R2.13).

    Raises
    ------
    InputError
        If there is no such device or file, its table is wrong, the uncertainty takes the whole clock, or the clock is
        too fast for the device's memories.

    Examples
    --------
    >>> load_library("xc7z020", 10).operator("mul", Format.of("ap_fixed<32,16>")).states
    2
    """
    if not 0 < clock_ns < math.inf:
        raise InputError(f"{clock_ns} ns is not a clock period (a positive number)", where="--clock")
    board, said = load_board(device, "--device"), ""
    if uncertainty is not None and (share := uncertainty.ns(clock_ns) / clock_ns) != board.timing.uncertainty:
        said = uncertainty.words(clock_ns, board.timing.uncertainty)
        board = replace(board, timing=replace(board.timing, uncertainty=share))
    library = Library(board, clock_ns, said)
    if uncut:
        whole = (replace(each, states=0, at=(), delay=each.uncut) if each.uncut else each for each in board.operators)
        fits = [new if library.fits(new.delay) else each for new, each in zip(whole, board.operators, strict=True)]
        library = Library(replace(board, operators=tuple(fits)), clock_ns, said, uncut=True)
    if (states := 1 + library.more_states("ram")) > _SLOWEST_RAM:
        less = f" less an uncertainty of {library.uncertainty_ns:.4g} ns" if said else ""
        words = f"is too fast for {library.device.name}: reading a memory would take {states} states"
        raise InputError(f"{clock_ns:g} ns{less} {words} (at most {_SLOWEST_RAM})", where="--clock")
    return library
