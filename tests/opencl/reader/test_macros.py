"""Macros of a kernel that ``--set`` gives: one that the file only asks for, and one that it has not."""

from __future__ import annotations

from pathlib import Path

import pytest

from ppnsim.errors import InputError
from tests.helpers.opencl_kernels import read

ASKED = """#ifdef K
#define W K
#else
#define W 2
#endif
__kernel void k(__global int *c) { for (int i = 0; i < W; i++) c[i] = 1; }
"""


@pytest.mark.parametrize(("settings", "trips"), [({}, 2), ({"K": 5}, 5)])
def test_a_macro_that_the_file_only_asks_for_can_be_given(settings: dict[str, int], trips: int, tmp_path: Path) -> None:
    assert read(ASKED, tmp_path, settings)[0].loops() == {"i": trips}


def test_a_macro_that_is_no_word_of_the_file_cannot_be_given(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"kernel\.cl: there is no scalar argument and no macro 'KK'"):
        read(ASKED, tmp_path, {"KK": 5})


def test_a_macro_may_be_used_in_one_of_several_files(tmp_path: Path) -> None:
    (tmp_path / "plain.h").write_text("#define HALF(x) ((x) / 2)\n")
    (tmp_path / "sized.h").write_text("#ifdef COUNT\n#define LAST (COUNT - 1)\n#else\n#define LAST 3\n#endif\n")
    text = '#include "plain.h"\n#include "sized.h"\n__kernel void k(__global int *c) { c[HALF(LAST)] = 1; }\n'
    kernel, _ = read(text, tmp_path, {"COUNT": 9}, sizes=(64,), include=[str(tmp_path)])
    assert kernel.name == "k"
