"""The three case studies of RATSS, built in Python; ``scenarios/platforms`` has them as TOML."""

from __future__ import annotations

from fractions import Fraction

from ppnsim.platform.model.presets import nallatech_h101, src6
from ppnsim.platform.model.stages import Application, BusTransfer, Collective, Compute, Stage
from ppnsim.platform.model.system import System

_SAMPLES, _LEVELS, _WORD = 2**26, 256, 4


def pdf_estimation(nodes: int = 2) -> tuple[System, Application]:
    """Return 2D-PDF estimation on 2, 4 or 8 nodes (section 4, Tables I-IV).

    Source: 2**26 samples, as the tables have it; the text of 4.1 prints 67,108,684.

    Examples
    --------
    >>> _, application = pdf_estimation(nodes=4)
    >>> application.stages[0].compute.elements
    16777216
    """
    share, grid = _SAMPLES // nodes, _LEVELS * _LEVELS
    ethernet = {"over": "ethernet", "root": "cpu", "group": "cpu", "algorithm": "binomial"}
    inputs = [
        Collective(name=f"scatter {axis}", pattern="scatter", size=share * _WORD, **ethernet)  # type: ignore[arg-type]
        for axis in "XY"
    ]
    writes = [
        BusTransfer(name=f"write {axis}", over="pcix", direction="write", size=share * _WORD, block=8192 * _WORD)
        for axis in "XY"
    ]
    # One partial result of 256 KiB comes back for every block of 8192 samples (Table II: 1024 MB on 2 nodes).
    read = BusTransfer(
        name="read", over="pcix", direction="read", size=share // 8192 * grid * _WORD, block=grid * _WORD
    )
    # Table III: gamma per byte, as printed there.
    combine = Collective(
        name="reduce", pattern="reduce", size=grid * _WORD, cost=Fraction("19e-9"), **ethernet  # type: ignore[arg-type]
    )  # fmt: skip
    work = Compute(on="fpga", elements=share, ops_per_element=3 * grid, ops_per_cycle=Fraction(240), fill=11)
    stage = Stage(name="estimate", compute=work, inputs=(*inputs, *writes), outputs=(read, combine))
    # Table V prints speed-ups 146 / 283 / 532 and no baseline; 22,590 s is what all of them rest on.
    return nallatech_h101(nodes), Application(stages=(stage,), software=Fraction(22_590))


def image_filter() -> tuple[System, Application]:
    """Return the image filter on two MAP-B nodes (section 5.1, Tables VII-IX)."""
    pixels = 418 * 418
    snap = {"over": "snap", "root": "host", "group": "map", "algorithm": "serialised"}
    stage = Stage(
        name="filter",
        compute=Compute(on="map", elements=2 * pixels, ops_per_element=17, ops_per_cycle=Fraction(34)),
        inputs=(Collective(name="broadcast", pattern="broadcast", size=pixels * 3 * 8, **snap),),  # type: ignore[arg-type]
        outputs=(Collective(name="gather", pattern="gather", size=pixels * 2 * 8, overlapped=True, **snap),),  # type: ignore[arg-type]
    )
    return src6(nodes=2), Application(stages=(stage,), software=Fraction("0.02674"))


def molecular_dynamics() -> tuple[System, Application]:
    """Return molecular dynamics on four MAP-B nodes (section 5.2, Tables X-XII)."""
    molecules, nodes = 32_768, 4
    snap = {"over": "snap", "root": "host", "group": "map", "algorithm": "serialised"}
    work = Compute(on="map", elements=molecules // nodes, ops_per_element=molecules - 1, ops_per_cycle=Fraction(1))
    stage = Stage(
        name="step",
        compute=work,
        inputs=(Collective(name="scatter", pattern="scatter", size=molecules * 4 * 8, **snap),),  # type: ignore[arg-type]
        outputs=(Collective(name="gather", pattern="gather", size=molecules * 2 * 8, overlapped=True, **snap),),  # type: ignore[arg-type]
    )
    return src6(nodes=4), Application(stages=(stage,), software=Fraction("13.77"))
