"""A fixture: designs are compiled with their header precompiled, once for all workers, and each text once."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from ppnsim.c.input_checks import SYNTHESIS
from ppnsim.hls.native import build

OPTIMISED = "-O0"  # small designs are run in no time and compiled in two thirds of it
VARIANTS = {"design": [f"-D{name}=1" for name in SYNTHESIS], "bench": []}


@pytest.fixture(scope="session", autouse=True)
def precompiled_header() -> Iterator[None]:
    """Use it by importing it: all tests of the file have it then."""
    if shutil.which("g++") is None:
        yield
        return
    place = Path(os.environ["PPNSIM_TEST_CACHE"]) / "headers"
    if not place.exists():
        made = Path(tempfile.mkdtemp(dir=place.parent)) / "headers"
        shutil.copytree(build.HEADERS, made)
        (made / "ppnsim_native.h.gch").mkdir()  # the compiler takes the one that fits
        for name, macros in VARIANTS.items():
            command = ["g++", "-std=gnu++17", OPTIMISED, "-w", *macros, "-x", "c++-header", "ppnsim_native.h"]
            subprocess.run([*command, "-o", f"ppnsim_native.h.gch/{name}.gch"], cwd=made, check=True)
        with suppress(OSError):  # another worker was faster
            made.rename(place)

    compiled, objects = build._run, place.with_name("objects")
    objects.mkdir(exist_ok=True)

    def run(command: Sequence[str], name: str, seconds: float) -> None:
        """Compile; a testbench that includes headers of the vendor's begins with what they include.

        The same text is compiled once, unless headers are its own or its path is in the program.
        """
        if "-c" not in command:
            compiled(command, name, seconds)
            return
        text = Path(command[command.index("-c") + 1]).read_text(encoding="utf-8")
        if "-D__SYNTHESIS__=1" not in command and "hls_stream.h" in text:
            command = [*command, "-include", str(place / "ppnsim_native.h")]
        made = Path(command[command.index("-o") + 1])
        options = [each for each in command if each.startswith(("-O", "-D", "-std")) or each == "-include"]
        read = "\n".join([*options, text.replace(str(Path(name).parent), "")])
        kept = objects / f"{hashlib.sha256(read.encode()).hexdigest()}.o"
        if kept.exists():
            shutil.copyfile(kept, made)
            return
        compiled(command, name, seconds)
        beside = [*Path(name).resolve().parent.glob("*.h*"), *[each for each in command if each.startswith("-I")][2:]]
        if not beside and not any(word in text for word in ('#include "', "__FILE__", "assert")):
            shutil.copyfile(made, part := objects / f"{os.getpid()}.part")
            part.rename(kept)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(build, "HEADERS", place)
        patch.setattr(build, "OPTIMISED", OPTIMISED)
        patch.setattr(build, "_run", run)
        yield
