"""Presets of DRAM systems, every parameter with where it comes from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Literal

from ppnsim.errors import InputError, did_you_mean
from ppnsim.memory.model.dram import Dram
from ppnsim.memory.model.timing import DramTiming


@dataclass(frozen=True, slots=True, kw_only=True)
class Provenance:
    """Where a parameter comes from."""

    kind: Literal["measured", "data sheet", "guess"]
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A memory by name: of a device, or of a board with all its channels.

    Attributes
    ----------
    title : one line for lists.
    default : provenance of every parameter that ``other`` does not name.
    other : provenance by parameter: a field of `Dram`, or ``timing`` for all fields of `DramTiming`.
    """

    name: str
    title: str
    dram: Dram
    default: Provenance
    other: tuple[tuple[str, Provenance], ...] = ()

    def provenance(self, parameter: str) -> Provenance:
        """Return where a parameter comes from."""
        return dict(self.other).get(parameter, self.default)


def _sheet(source: str) -> Provenance:
    return Provenance(kind="data sheet", source=source)


def _guess(source: str) -> Provenance:
    return Provenance(kind="guess", source=source)


_CONTROLLER = _guess("the queues and the mapping of DRAMsim3's configuration of this device; a vendor's IP has its own")
_CONTROLLED = tuple((name, _CONTROLLER) for name in ("mapping", "closed_page", "bank_queue", "transaction_queue"))

_DDR3 = Dram(
    protocol="DDR3", clock_ns=Fraction("1.25"), channels=1, ranks=1, groups=1, banks=8, rows=1 << 16, columns=256,
    bus_bits=64, burst_length=8, mapping="rochrababgco",
    timing=DramTiming(
        cl=11, cwl=8, trcd_read=11, trcd_write=11, trp=11, tras=28, trrd_s=6, trrd_l=6, tfaw=32, tccd_s=4, tccd_l=4,
        trtp=6, twr=12, twtr_s=6, twtr_l=6, trfc=280, trefi=6240, trtrs=1,
    ),
)  # fmt: skip
_DDR4 = Dram(
    protocol="DDR4", clock_ns=Fraction(5, 6), channels=1, ranks=1, groups=4, banks=4, rows=1 << 16, columns=128,
    bus_bits=64, burst_length=8, mapping="rorachcobabg",
    timing=DramTiming(
        cl=17, cwl=12, trcd_read=17, trcd_write=17, trp=17, tras=39, trrd_s=4, trrd_l=6, tfaw=26, tccd_s=4, tccd_l=6,
        trtp=9, twr=18, twtr_s=3, twtr_l=9, trfc=420, trefi=9360, trtrs=1,
    ),
)  # fmt: skip
_HBM2 = Dram(
    protocol="HBM2", clock_ns=Fraction(1), channels=8, ranks=1, groups=4, banks=4, rows=1 << 15, columns=32,
    bus_bits=128, burst_length=4, mapping="rorabgbachco",
    timing=DramTiming(
        cl=14, cwl=4, trcd_read=14, trcd_write=14, trp=14, tras=34, trrd_s=4, trrd_l=6, tfaw=30, tccd_s=1, tccd_l=2,
        trtp=6, twr=16, twtr_s=6, twtr_l=8, trfc=260, trefi=3900, trtrs=2,
    ),
)  # fmt: skip
# A pseudo channel of the U280: half the bus at 900 MHz. Times of the HBM2 preset in ns, rounded up to its clocks.
_U280_TIMES = {
    name: -(-getattr(_HBM2.timing, name) * 9 // 10)
    for name in ("cl", "cwl", "trcd_read", "trcd_write", "trp", "tras", "trrd_s", "trrd_l", "tfaw", "trtp", "twr",
                 "twtr_s", "twtr_l", "trfc", "trefi")
}  # fmt: skip
_U280_HBM = replace(
    _HBM2, clock_ns=Fraction(10, 9), channels=32, bus_bits=64, rows=1 << 14, mapping="rorachcobabg",
    timing=replace(_HBM2.timing, **_U280_TIMES),
)  # fmt: skip

_ALL = (
    Preset(
        name="DDR3-1600", title="one channel of DDR3-1600 11-11-11, 8 Gb x8 devices", dram=_DDR3,
        default=_sheet("DDR3 SDRAM data sheet, speed grade -125, through the DRAMsim3 file DDR3_8Gb_x8_1600"),
        other=_CONTROLLED,
    ),
    Preset(
        name="DDR4-2400", title="one channel of DDR4-2400 17-17-17, 8 Gb x8 devices", dram=_DDR4,
        default=_sheet("DDR4 SDRAM data sheet, speed grade -083E, through the DRAMsim3 file DDR4_8Gb_x8_2400"),
        other=(*_CONTROLLED[1:], ("mapping", _guess("consecutive bursts go round the bank groups, as MIG's do"))),
    ),
    Preset(
        name="HBM2", title="a stack of HBM2, 8 channels of 128 bits at 2 Gb/s", dram=_HBM2,
        default=_sheet("JESD235A, through the DRAMsim3 file HBM2_8Gb_x128"), other=_CONTROLLED,
    ),
    Preset(
        name="DE5-Net", title="Terasic DE5-Net: two SO-DIMMs of DDR3-1600",
        dram=replace(_DDR3, channels=2, rows=1 << 15),
        default=_sheet("Terasic DE5-Net user manual: two DDR3 SO-DIMM sockets, up to 800 MHz"),
        other=(*_CONTROLLED, ("timing", _guess("those of the preset DDR3-1600; the module is the user's")),
               ("rows", _guess("a module of 4 GiB; the board takes what is plugged in"))),
    ),
    Preset(
        name="AWS-F1", title="AWS F1: four 16 GiB channels of DDR4-2133", dram=replace(
            _DDR4, channels=4, clock_ns=Fraction(15, 16), ranks=2,
            timing=replace(
                _DDR4.timing, cl=15, cwl=11, trcd_read=15, trcd_write=15, trp=15, tras=36, tfaw=23, trefi=8320, trfc=374
            ),
        ),
        default=_sheet("AWS FPGA hardware development kit: four DDR4 channels of 16 GiB, 64 bits and ECC"),
        other=(*_CONTROLLED, ("ranks", _guess("two ranks of 8 Gb x8 devices make 16 GiB")),
               ("timing", _guess("speed grade 15-15-15 of DDR4-2133; the kit names no device"))),
    ),
    Preset(
        name="U280-DDR", title="Alveo U280: two 16 GiB channels of DDR4-2400", dram=replace(_DDR4, channels=2, ranks=2),
        default=_sheet("Xilinx UG1314: two 16 GB DDR4 DIMMs, 2400 MT/s"),
        other=(*_CONTROLLED, ("ranks", _guess("two ranks of 8 Gb x8 devices make 16 GiB")),
               ("timing", _guess("those of the preset DDR4-2400; the guide names no timings"))),
    ),
    Preset(
        name="U280-HBM", title="Alveo U280: 32 pseudo channels of HBM2 at 1.8 Gb/s, 8 GiB", dram=_U280_HBM,
        default=_sheet("Xilinx PG276: 32 pseudo channels of 64 bits and 256 MB, 900 MHz, 460 GB/s"),
        other=(*_CONTROLLED, ("timing", _guess("nanoseconds of the preset HBM2, rounded up to clocks of 900 MHz"))),
    ),
)  # fmt: skip
PRESETS = MappingProxyType({each.name: each for each in _ALL})


def preset(name: str) -> Preset:
    """Return a preset by name; upper and lower case are the same.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> found = preset("u280-hbm")
    >>> round(found.dram.peak_gbps, 1), found.dram.capacity >> 30, found.provenance("timing").kind
    (460.8, 8, 'guess')
    """
    by_case = {each.lower(): each for each in PRESETS}
    if name.lower() not in by_case:
        raise InputError(f"'{name}' is not a preset of a memory{did_you_mean(name, PRESETS)}")
    return PRESETS[by_case[name.lower()]]
