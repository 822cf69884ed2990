"""What a source that cannot be read at all is told."""

from __future__ import annotations

import pytest

import ppnsim
from ppnsim.errors import InputError


@pytest.mark.parametrize("options", [{}, {"device": "xc7z020"}, {"function": "top", "unsafe_math": True}])
def test_a_source_that_is_not_there_is_not_said_to_lack_a_region(options: dict[str, object]) -> None:
    with pytest.raises(InputError, match=r"^nowhere\.cpp: no such file$"):
        ppnsim.load("nowhere.cpp", **options)
