"""Which function of a source is meant, and what one that cannot be read at all is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import ppnsim
from ppnsim.errors import InputError
from tests.helpers.commands import ppnsim as command
from tests.hls.native.designs import COPY

BOTH = COPY + COPY[COPY.index("void top") :].replace("void top", "void other")


@pytest.mark.parametrize("options", [{}, {"device": "xc7z020"}, {"function": "top", "unsafe_math": True}])
def test_a_source_that_is_not_there_is_not_said_to_lack_a_region(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"^nowhere\.cpp: no such file$"):
        ppnsim.load("nowhere.cpp", **options)


@pytest.mark.parametrize(
    ("text", "function", "why"),
    [
        (COPY, "top", "(unused, top): no other one has a dataflow region"),
        (BOTH.replace("#pragma", "#pragma HLS top name=the_top\n#pragma", 1), "top", "'#pragma HLS top' stands in it"),
    ],
)
def test_functions_beside_the_one_with_the_region_need_no_option(
    tmp_path: Path, text: str, function: str, why: str
) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(text)
    told = command("run", str(path))
    assert told.exit_code == 0
    assert f"function '{function}' is taken of those that no other calls" in told.stderr
    assert why in told.stderr
    assert f"function '{function}' on xc7z020" in told.stderr


def test_several_functions_with_regions_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "k.cpp"
    path.write_text(BOTH)
    told = command("size", str(path))
    assert (told.exit_code, told.stdout) == (2, "")
    assert f"{path}: holds 3 kernels: choose one with --function (unused, top, other)" in told.stderr
