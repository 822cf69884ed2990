"""Tests of parts as vendors' scripts write them."""

from __future__ import annotations

import pytest

from ppnsim.boards.files import load_board
from ppnsim.boards.parts import table_of
from ppnsim.hls.library.library import load_library
from ppnsim.hls.library.types import Format


@pytest.mark.parametrize(
    ("part", "table", "said"),
    [
        ("z020", "xc7z020", ""),
        ("vu9p", "xcvu9p", ""),
        ("u280", "alveo-u280", ""),
        ("u200", "alveo-u200", ""),
        ("u50", "alveo-u50", "no loop of this part was measured"),
        ("u55c", "alveo-u55c", ""),
        ("k26", "xck26", ""),
        ("zu", "xczu9eg", "no loop of this part was measured"),
        ("v7", "xc7vx690t", "no loop of this part was measured"),
        ("k7", "xc7k325t", "no loop of this part was measured"),
        ("a7", "xc7a100t", "no loop of this part was measured"),
        ("xcu280-fsvh2892-2L-e", "alveo-u280", ""),
        ("xc7z020clg400-1", "xc7z020", ""),
        ("xcvu9p-flga2104-2-i", "xcvu9p", ""),
        ("xcu55c-fsvh2892-2L-e", "alveo-u55c", ""),
        ("xck26-sfvc784-2LV-c", "xck26", ""),
        ("xczu7ev-ffvc1156-2-e", "xczu7ev", ""),
        ("xcu50-fsvh2104-2-e", "alveo-u50", "no loop of this part was measured: operators are those of xcu280"),
        ("xczu9eg-ffvb1156-2-e", "xczu9eg", "no loop of this part was measured: operators are those of xcvu9p"),
        ("xc7k325tffg900-2", "xc7k325t", "no loop of this part was measured: operators are those of xc7vx690t"),
        ("xc7a100tcsg324-1", "xc7a100t", "no loop of this part was measured: operators are those of xc7z020"),
        ("xc7vx690tffg1761-2", "xc7vx690t", "no loop of this part was measured"),
        ("xczu3eg-sbva484-1-e", "xczu9eg", "no table of part 'xczu3eg-sbva484-1-e'"),
        ("xc7z045ffg900-2", "xc7k325t", "no table of part 'xc7z045ffg900-2'"),
        ("xilinx_u280_gen3x16_xdma_1_202211_1", "alveo-u280", ""),
        (
            "xcvc1902-vsva2197-2MP-e-S",
            "xcvu9p",
            "no table of part 'xcvc1902-vsva2197-2MP-e-S': operators and resources are "
            "those of xcvu9p, of an older family",
        ),
        ("xcv80-lsva4737-2MHP-e-S", "xcvu9p", "no table of part 'xcv80-lsva4737-2MHP-e-S'"),
        ("xc7k70tfbg676-1", "xc7k325t", "no table of part 'xc7k70tfbg676-1'"),
        ("xqzu5ev-ffrb900-1-i", "xczu9eg", "no table of part 'xqzu5ev-ffrb900-1-i'"),
        ("xazu7ev-fbvb900-1-i", "xczu7ev", "no table of part 'xazu7ev-fbvb900-1-i'"),
        ("xq7z020-cl400-1i", "xc7z020", "no table of part 'xq7z020-cl400-1i'"),
        ("xa7z030fbv484-1i", "xc7k325t", "no table of part 'xa7z030fbv484-1i'"),
        ("artixuplus", "xcvu9p", "no table of part 'artixuplus'"),
        ("xqrku060-cna1509-1m", "xcvu9p", "no table of part 'xqrku060-cna1509-1m'"),
    ],
)
def test_a_part_takes_its_own_table_or_the_nearest_and_says_so(part: str, table: str, said: str) -> None:
    board = load_board(part)
    assert board.name == table
    assert board.assumed.startswith(said) and bool(board.assumed) == bool(said)


@pytest.mark.parametrize(
    ("part", "scale", "said"),
    [
        ("xcvu9p-flga2104-2L-e", 1.0, ""),
        ("xcvu9p-flga2104-1-e", 775 / 645, "speed grade -1 of part 'xcvu9p-flga2104-1-e': times are those of grade -2"),
        ("xcvu9p-flga2104-3-e", 775 / 891, "times 0.87"),
        ("xc7z020clg400-1", 1.0, ""),
        ("xc7z020clg400-3", 464 / 628, "times 0.74"),
        ("xc7a100tcsg324-2", 464 / 550, "times 0.84"),
        ("xck26-sfvc784-2LV-c", 1.2, ""),
        ("xcvu9p", 1.0, ""),
    ],
)
def test_times_are_those_of_the_speed_grade_and_another_one_is_said(part: str, scale: float, said: str) -> None:
    board = load_board(part)
    assert board.timing.grade_scale == pytest.approx(scale)
    assert said in board.assumed and ("speed grade" in board.assumed) == bool(said)


@pytest.mark.parametrize(
    ("part", "clock", "stages"),
    [
        # xcu280 (Stream-HLS), xcu55c (Prometheus) at two clocks, xck26 at 0.72 V (R9.42), xcvu35p of grade -1 (AHLS).
        ("xcu280-fsvh2892-2L-e", 3.33, (7, (6, 4), 4, 8)),
        ("xcu55c-fsvh2892-2L-e", 4.0, (7, (6, 3), 4, 6)),
        ("xcu55c-fsvh2892-2L-e", 4.545, (5, (4, 3), 4, 6)),
        ("xck26-sfvc784-2LV-c", 10.0, (4, (3,), 3, 5)),
        ("xcvu35p-fsvh2104-1-e", 5.0, (5, (4, 3), 4, 6)),
    ],
)
def test_operators_have_the_stages_of_the_reports(part: str, clock: float, stages: tuple[object, ...]) -> None:
    library = load_library(part, clock)
    add, mul = (library.operator(name, Format.of("float")) for name in ("add", "mul"))
    assert (add.states, add.pressed, mul.states, library.operator("mul", Format.of("double")).states) == stages


def test_names_of_four_letters_are_too_short_to_know_a_part_by() -> None:
    """A board's name like ``u280`` begins many a part's; five letters do not."""
    assert table_of("vu09p-x", {"vu09p"}) == ("vu09p", "")
    assert table_of("vu09-x", {"vu09"}) == ("", "")
    assert table_of("xc7z020-x", {"xc7z0", "xc7z020"}) == ("xc7z020", "")
