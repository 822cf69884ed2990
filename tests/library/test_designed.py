"""What a design is executed with: limits of time and testbenches that are refused before anything is compiled."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ppnsim.errors import InputError
from ppnsim.library.executed import DesignExecution


@pytest.mark.parametrize("seconds", [1e-9, 0.5, 1, 1.5, 1e9])
def test_any_time_above_nothing_is_a_limit(seconds: float) -> None:
    design, library, device, remarks = DesignExecution(time_limit=seconds)._designed("f.cpp")
    assert (design.path, design.seconds, design.testbench, remarks) == ("f.cpp", seconds, "", ())
    assert (device, library.device.name) == ("xc7z020", "xc7z020")


@pytest.mark.parametrize("seconds", [0, -1.0, math.inf, math.nan])
def test_what_is_no_limit_is_refused(seconds: float) -> None:
    with pytest.raises(InputError) as refused:
        DesignExecution(time_limit=seconds)._designed("f.cpp")
    assert str(refused.value) == f"--time-limit: {seconds} is not a number of seconds above 0"


def test_without_a_limit_a_design_has_two_minutes() -> None:
    assert DesignExecution()._designed("f.cpp")[0].seconds == 120


def test_options_reach_the_design(tmp_path: Path) -> None:
    bench = tmp_path / "bench.cpp"
    bench.write_text("")
    asked = DesignExecution(
        testbench=str(bench), function="g", defines={"N": "3"}, include=["inc"], device="xcvu9p", clock="250 MHz"
    )
    design, library, device, _ = asked._designed("f.cpp")
    assert (design.testbench, design.function, design.defines, design.include) == (str(bench), "g", {"N": "3"}, ["inc"])
    assert (device, library.device.name, library.clock_ns) == ("xcvu9p", "xcvu9p", 4.0)
    assert asked.source() == {"defines": {"N": "3"}, "include": ["inc"], "settings": None}


@pytest.mark.parametrize(
    ("testbench", "words"),
    [
        ("project", "--testbench: only a project has a testbench of its own (project); give its file"),
        ("none.cpp", "--testbench none.cpp: no such file"),
    ],
)
def test_a_testbench_that_is_not_there_is_refused(testbench: str, words: str) -> None:
    with pytest.raises(InputError) as refused:
        DesignExecution(testbench=testbench)._designed("f.cpp")
    assert str(refused.value) == words
