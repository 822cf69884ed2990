"""A fixture: designs are compiled with their header precompiled, once for all workers; it is most of what is read."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from ppnsim.hls.native.build import HEADERS


@pytest.fixture(scope="session", autouse=True)
def precompiled_header() -> Iterator[None]:
    """Use it by importing it: all tests of the file have it then."""
    if shutil.which("g++") is None:
        yield
        return
    place = Path(os.environ["PPNSIM_TEST_CACHE"]) / "headers"
    if not place.exists():
        made = Path(tempfile.mkdtemp(dir=place.parent)) / "headers"
        shutil.copytree(HEADERS, made)
        command = ["g++", "-std=gnu++17", "-O1", "-w", "-D__SYNTHESIS__=1", "-x", "c++-header", "ppnsim_native.h"]
        subprocess.run(command, cwd=made, check=True)
        with suppress(OSError):  # another worker was faster
            made.rename(place)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ppnsim.hls.native.build.HEADERS", place)
        yield
