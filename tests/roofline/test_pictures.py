"""Pictures of rooflines: every line can be told from the others, no two texts lie on each other."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from ppnsim.roofline.accelerator import Accelerator
from ppnsim.roofline.answer import RooflineAnswer
from ppnsim.roofline.ceilings import BankRow
from ppnsim.roofline.laws import Peak, Roofline
from ppnsim.roofline.pictures import _bytes, quanta_figure, roofline_figure
from ppnsim.roofline.walls import Wall

BANK = BankRow(
    name="all banks", arguments=("a",), bytes=1.0, intensity=2.0, peak=19.2, configured=17.9, random=9.6,
    dependent=1.2, reached=17.9, attainable=35.8, ridge=100 / 17.9,
)  # fmt: skip
WORK = 18_936  # per byte of the walls: 9.0, 9.0, 2.1, 2.11
ANSWER = RooflineAnswer(
    file="kernel.toml",
    accelerator=Accelerator(
        name="kernel", clock_ns=Fraction(4), available={}, operators=(), memories=(), metric="flop", results=WORK
    ),
    found=Roofline(
        peak=Peak(needed={}, scale=1.0, bound="dsp", units={}, operations=100.0, performance=100.0), ports=(),
        banks=(replace(BANK, name="ddr[0]"),), together=BANK, attainable=35.8, bound="ddr[0]",
    ),
    walls=tuple(
        Wall(loop=loop, line=line, bytes={"a": moved}, cache={"a": size})
        for loop, line, moved, size in (
            ("", 0, 2104, 4096), ("i", 3, 2104, 4096), ("j", 4, 9017, 64), ("j", 9, 8974, 32)
        )
    ),
)  # fmt: skip


def texts(figure: Figure) -> list[Annotation]:
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    return [text for text in figure.axes[0].texts if isinstance(text, Annotation)]


def apart(figure: Figure) -> bool:
    """Return whether no two annotations overlap."""
    boxes = [text.get_window_extent() for text in texts(figure)]
    return not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def test_every_ceiling_has_a_line_of_its_own() -> None:
    axes = roofline_figure(ANSWER).axes[0]
    bank = [line for line in axes.lines if str(line.get_label()).startswith("all banks")]
    looks = {(line.get_linestyle(), line.get_linewidth()) for line in bank}
    assert len(bank) == len(looks) == 6  # peak, configured, random, dependent; the intensity, what is attainable there


def test_what_bounds_the_kernel_is_marked_and_each_bank_beside_it() -> None:
    slow = replace(BANK, name="hbm[0]", arguments=("x",), intensity=0.5, reached=2.0, attainable=1.0)
    alike = [replace(BANK, name=f"hbm[{number}]", intensity=4.0) for number in (1, 2)]
    apart = replace(ANSWER.found, banks=(*alike, slow), attainable=1.0, bound="hbm[0]")

    def marks(**more: Any) -> dict[str, tuple[float, float]]:
        axes = roofline_figure(replace(ANSWER, found=apart), **more).axes[0]
        rings = [line for line in axes.lines if line.get_marker() == "o"]
        return {str(each.get_label()): tuple(np.asarray(each.get_xydata())[0].tolist()) for each in rings}

    assert marks() == {
        "hbm[0]: attainable 1 G/s, which bounds the kernel": (0.5, 1e9),
        "hbm[1], hbm[2]: attainable 35.8 G/s": (4.0, 35.8e9),
    }
    assert marks(banks=["hbm[1]"]) == {"hbm[1]: attainable 35.8 G/s": (4.0, 35.8e9)}
    alone = roofline_figure(replace(ANSWER, found=apart, chosen=replace(slow)), banks=["hbm[0]"]).axes[0]
    assert len(told := [str(line.get_label()) for line in alone.lines]) == len(set(told))
    # The filled one lies on a line, which is drawn if it is not one of all banks; here 2 GB/s times 0.5.
    (line,) = (each for each in roofline_figure(replace(ANSWER, found=apart)).axes[0].lines
               if str(each.get_label()) == "hbm[0]: reached 2 GB/s")  # fmt: skip
    assert np.allclose([performance / at for at, performance in np.asarray(line.get_xydata())], 2e9)
    assert not [each for each in roofline_figure(ANSWER).axes[0].lines if "reached" in str(each.get_label())]


def test_a_kernel_at_the_compute_bound_is_not_said_to_be_bound_by_a_bank() -> None:
    quick = replace(BANK, intensity=9.0, attainable=100.0)
    found = replace(ANSWER.found, banks=(quick,), together=quick, attainable=100.0, bound="operators")
    told = [str(line.get_label()) for line in roofline_figure(replace(ANSWER, found=found)).axes[0].lines]
    assert "all banks: attainable 100 G/s, the compute bound" in told
    assert not [each for each in told if "reached" in each or "which bounds" in each]


def test_bandwidths_end_at_the_compute_bound() -> None:
    lines = roofline_figure(ANSWER).axes[0].lines
    peak = next(line for line in lines if str(line.get_label()) == "all banks: 19.2 GB/s")
    right = np.asarray(peak.get_xydata())[-1]
    assert right == pytest.approx([1e11 / 19.2e9, 1e11])


def test_walls_are_numbered_from_the_left_and_told_in_the_legend() -> None:
    figure = roofline_figure(ANSWER)
    assert [text.get_text() for text in texts(figure)] == ["1", "2", "3"]
    (legend,) = figure.legends
    told = [text.get_text() for text in legend.get_texts() if text.get_text().startswith("wall")]
    assert told == [
        "wall 1: loop j (line 4) 64 B", "wall 2: loop j (line 9) 32 B", "wall 3: kernel 4 KiB, loop i 4 KiB"
    ]  # fmt: skip
    assert apart(figure)


@pytest.mark.parametrize(
    "memories",
    [{"ddr": (18.3, 64), "hbm": (13.4, 32)}, {"one": (19.2, 64), "two": (19.2, 64), "three": (19.3, 32)}],
)
def test_labels_of_the_chart_do_not_lie_on_each_other(memories: dict[str, Any]) -> None:
    figure = quanta_figure("k", memories, 300, (4, 8, 32, 64, 128))
    assert len(texts(figure)) == len({text.get_text() for text in texts(figure)})
    assert apart(figure)


def test_a_triangle_that_lies_in_another_is_the_smaller_one() -> None:
    axes = quanta_figure("k", {"ddr": (18.3, 64)}, 300, (64, 128)).axes[0]
    small, large = (line for line in axes.lines if line.get_marker() == "^")
    assert [np.asarray(line.get_ydata()).tolist() for line in (small, large)] == [[18.3], [18.3]]
    assert small.get_markersize() < large.get_markersize() and small.get_zorder() > large.get_zorder()


def test_the_chart_ends_above_the_fastest_memory_and_behind_the_clock() -> None:
    memories = {"ddr": (18.3, 64), "hbm": (13.4, 32)}
    for frequency, last in ((300, 500.0), (450, 540.0)):
        axes = quanta_figure("k", memories, frequency, (64,)).axes[0]
        assert (axes.get_xlim(), axes.get_ylim()) == ((0, last), (0, 1.25 * 18.3))


def test_bytes_of_a_wall_have_the_largest_unit_of_which_there_is_one() -> None:
    found = [_bytes(size) for size in (1, 1023, 1024, 1536, (1 << 20) - 1024, 1 << 20, 5 << 19)]
    assert found == ["1 B", "1023 B", "1 KiB", "1.5 KiB", "1.02e+03 KiB", "1 MiB", "2.5 MiB"]
