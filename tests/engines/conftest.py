"""Engines are tested as machine code; that Python does the same is `test_interpreter`'s."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ppnsim.kernel_cache import interpreter


@pytest.fixture(autouse=True, scope="module")
def _machine_code() -> Iterator[None]:
    before, interpreter.left = interpreter.left, 0.0
    yield
    interpreter.left = before
