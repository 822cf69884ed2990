"""Rows: the quoted figures, orders and tuning paths beside ours, each under the assumptions of the section's text."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from pathlib import Path

from ppnsim.boards.board import OpenclBoard
from ppnsim.files import load_as
from ppnsim.opencl.design import parse_design
from ppnsim.opencl.files.kernel import OpenclFile
from ppnsim.opencl.kernel import Kernel
from ppnsim.opencl.tune import PredictedDesign, look, tune
from validation.harness.rows import Expected, Rounding, Row, Verdict, figures

KERNELS = {"VecAdd": "vecadd", "MM": "mm", "KM": "kmeans", "WC": "wordcount", "SS": "similarity"}
_TABLE_4 = {"MM": ("362.4", "0.7"), "KM": ("293.4", "4.4"), "WC": ("11.4", "0.93"), "SS": ("9.4", "1")}
_PATHS = {"MM": "SM UL SIMD", "KM": "SM UL MC CU", "WC": "SM PM VT CU", "SS": "VT UL"}
_NEAREST = Rounding(down=False, why="as many digits as the source prints")


def kernel_of(name: str, settings: Mapping[str, int] | None = None) -> tuple[Kernel, OpenclBoard]:
    """Return a shipped kernel and its board."""
    path = Path(__file__).parents[2] / "scenarios" / "opencl" / f"{KERNELS[name]}.toml"
    held = load_as(path, OpenclFile, settings=settings)
    return held.kernel, held.board


@cache
def path_of(name: str) -> tuple[PredictedDesign, ...]:
    """Return the tuning path of a kernel at the paper's size."""
    return tuple(tune(*kernel_of(name)))


def look_at(name: str, design: str) -> PredictedDesign:
    """Return a design of a kernel at the paper's size."""
    return look(*kernel_of(name), parse_design(design))


def table_rows() -> list[Row]:
    """Return Table 4: speed-ups over the baseline, and their order."""
    group, rows = "Table 4", []
    ours = {name: path_of(name)[0].seconds / path_of(name)[-1].seconds for name in _TABLE_4}
    differs = {
        "MM": ("235.6", "256 multipliers against one give 256 at most where the baseline takes a cycle per iteration, "
               "as Eq. 15 has it (two loads on two banks); 362 needs 1.4 to 1.5 cycles, so a memory that serves less"),
        "KM": ("121.2", "128 multipliers: our table of resources refuses CU2 for its logic (135 %); with it 170"),
        "WC": ("14.5", "the kernel is not printed; ours unrolls where the paper replicates"),
        "SS": ("12.7", "the kernel is not printed; the paper's resources end the unrolling earlier"),
    }  # fmt: skip
    for name, (printed, by_vendor) in _TABLE_4.items():
        known, why = differs[name]
        rows.append(
            Row(
                group=group, what=f"{name}, framework: {path_of(name)[-1].design}", source="Table 4", printed=printed,
                ours=_rounded(ours[name]), unit="x", explained=Expected(ours=Fraction(known), why=why),
            )
        )  # fmt: skip
        rows.append(_vendor(group, name, by_vendor))
    order = " > ".join(sorted(ours, key=lambda name: -ours[name]))
    rows.append(
        Row(
            group=group,
            what="order of the speed-ups",
            source="Table 4",
            printed="MM > KM > WC > SS",
            ours=order,
            basis=figures(*ours.values()),
            note="WC and SS, whose kernels are not printed, could have changed places with other assumptions",
        )
    )
    near = all(Fraction(1, 3) < ours[name] / Fraction(printed) < 3 for name, (printed, _) in _TABLE_4.items())
    rows.append(
        Row(
            group=group,
            what="all within a factor of 3 of the printed ones",
            source="asked for: magnitude",
            printed="yes",
            ours="yes" if near else "no",
            basis=figures(*ours.values()),
        )
    )
    return rows


def _vendor(group: str, name: str, printed: str) -> Row:
    if name != "MM":
        why = "what -O3 did to this kernel is not printed"
        return Row(
            group=group, what=f"{name}, -O3", source="Table 4", printed=printed, unit="x", missing=Verdict.IMPOSSIBLE,
            note=why,
        )  # fmt: skip
    speed = look_at("MM", "baseline").seconds / look_at("MM", "SIMD2+CU4").seconds
    return Row(
        group=group, what="MM, -O3: SIMD2 CU4", source="Table 4, section 6.6", printed=printed,
        ours=Fraction(round(speed * 1000), 1000), unit="x", allowed=_NEAREST,
        consistent="the figure calibrates the model that gives it back",
        note="the clock that falls with the number of units is calibrated by this row; that nothing but the clock "
        "changes is the model's",
    )  # fmt: skip


def path_rows() -> list[Row]:
    """Return the tuning paths of Fig. 8 and 10-12: which optimisation is next."""
    differs = {
        "KM": (
            "SM UL MC UL UL UL",
            "the same optimisations up to MC; then our resources leave room for more unrolling and none for CU2",
        ),
        "WC": (
            "PM SM UL UL UL VT UL UL",
            "PM gains more than SM here, so it comes first; our kernel's loops may be unrolled, where CU costs clock",
        ),
    }
    rows = []
    for name, printed in _PATHS.items():
        ours = " ".join(_kinds(name))
        known = differs.get(name)
        explained = None if known is None else Expected(ours=known[0], why=known[1])
        rows.append(
            Row(
                group="tuning paths, Fig. 8 and 10-12", what=f"{name}: what is next", source="sections 6.3-6.5",
                printed=printed, ours=ours, explained=explained,
            )
        )  # fmt: skip
    first, second, *_, last = path_of("MM")
    left, words, similar = second.potentials, path_of("WC")[-1].potentials, path_of("SS")[-1].potentials
    claims = (
        (
            "MM, SM: B_mem is reduced significantly",
            left.mem < first.potentials.mem / 4,
            (left.mem, first.potentials.mem),
        ),
        (
            "MM, SM: both B_comp and B_balance are high",
            min(left.comp, left.balance) > Fraction(1, 2),
            (left.comp, left.balance),
        ),
        (
            "MM, at the end: B_comp is zero, all DSP blocks are used",
            last.potentials.comp == 0 and last.prediction.utilisation[2] == 1,
            (last.potentials.comp, last.prediction.utilisation[2]),
        ),
        ("WC, at the end: B_mem stays high", words.mem > Fraction(1, 2), (words.mem,)),
        ("SS, at the end: B_balance is high", similar.balance > Fraction(1, 2), (similar.balance,)),
    )
    rows += [
        Row(
            group="tuning paths, Fig. 8 and 10-12", what=what, source="sections 6.3-6.5", printed="yes",
            ours="yes" if holds else "no", basis=figures(*basis),
        )
        for what, holds, basis in claims
    ]  # fmt: skip
    return rows


def _kinds(name: str) -> list[str]:
    """Return the kind of every step of a path: what the design has that the one before had not, or had less of."""
    kinds = []
    for before, after in zip(path_of(name), path_of(name)[1:], strict=False):
        new = sorted(after.design.flags - before.design.flags)
        new += ["UL"] * (after.design.unroll != before.design.unroll)
        new += ["SIMD"] * (after.design.simd != before.design.simd) + ["CU"] * (
            after.design.units != before.design.units
        )
        kinds += new
    return kinds


def quote_rows() -> list[Row]:
    """Return the figures that the text quotes."""
    group = "quoted figures"
    tile, fused = look_at("MM", "SM").seconds, look_at("MM", "SM+UL64:k").seconds
    inner, outer = look_at("KM", "SM+UL8:feature+UL2:centre"), look_at("KM", "SM+UL2:feature+UL16:centre")
    plain, mended = look_at("KM", "SM+UL8:feature+UL16:centre"), look_at("KM", "SM+MC+UL8:feature+UL16:centre")
    unprinted = (
        "neither the kernel nor clocks of its designs are printed, so seconds are ours; their order is the claim"
    )
    return [
        Row(group=group, what="MM: SM_UL over SM", source="6.3.3", printed="63", ours=_rounded(tile / fused, 100),
            unit="x", allowed=_NEAREST),
        Row(group=group, what="KM: UL8_UL2 before UL2_UL16", source="6.4.2", printed="UL8_UL2",
            ours="UL8_UL2" if inner.seconds < outer.seconds else "UL2_UL16",
            basis=figures(inner.seconds, outer.seconds)),
        Row(group=group, what="KM: UL8_UL2", source="6.4.2", printed="64.5", ours=_rounded(inner.seconds), unit="s",
            explained=Expected(ours=Fraction("31.9"), why=unprinted, understood=False)),
        Row(group=group, what="KM: UL2_UL16", source="6.4.2", printed="137", ours=_rounded(outer.seconds), unit="s",
            explained=Expected(ours=Fraction("178.2"), why=unprinted, understood=False)),
        Row(group=group, what="KM: SM_UL_MC over SM_UL", source="6.4.3", printed="11.6",
            ours=_rounded(plain.seconds / mended.seconds), unit="x",
            explained=Expected(ours=Fraction("6.5"), why="computation bounds our kernel after MC")),
        Row(group=group, what="MM: multipliers of SM_UL64_SIMD4, of 256", source="6.1, 6.3.3", printed="256",
            ours=int(look_at("MM", "SM+UL64:k+SIMD4").prediction.utilisation[2] * 256)),
    ]  # fmt: skip


def _rounded(value: Fraction, scale: int = 10) -> Fraction:
    return Fraction(round(value * scale), scale)
