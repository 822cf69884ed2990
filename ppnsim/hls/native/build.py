"""Compilation of an instrumented design with its testbench, by the host's compiler."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from ppnsim.c.input_checks import macros_of_tool
from ppnsim.errors import InputError

HEADERS = Path(__file__).with_name("headers")
COMPILERS = ("g++", "clang++")
OPTIMISED = "-O1"
_ERROR = re.compile(r"^(?P<place>[^\n:]+:\d+:\d+): (?:fatal )?error: (?P<words>.*)$", re.MULTILINE)


def compiler() -> str:
    """Return the host's C++ compiler.

    Raises
    ------
    InputError
        If there is no compiler.
    """
    found = next(filter(None, map(shutil.which, COMPILERS)), None)
    if found is None:
        names = " or ".join(COMPILERS)
        raise InputError(f"a design is executed by a compiler of this machine, and neither {names} is on the PATH")
    return found


def build(
    folder: Path, sources: Mapping[str, str], designs: Sequence[str], benches: Sequence[str],
    defines: Mapping[str, str], include: Sequence[str], seconds: float,
) -> Path:  # fmt: skip
    """Compile a design and the files of its testbench in a folder; return the program.

    Parameters
    ----------
    sources : texts that are compiled in place of files, by file name.
    designs : the files of the design; unlike a testbench, they are compiled with the macros of synthesis (R9.43).

    Raises
    ------
    InputError
        With the compiler's first error, if there is one.
    """
    command = compiler()
    plain = [each for each in (*designs, *benches) if each not in sources]
    root = Path(os.path.commonpath([Path(each).resolve().parent for each in (*sources, *plain)]))
    for name, text in {**{each: _text(each) for each in plain}, **sources}.items():
        copy = _copy(folder, root, name)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    objects = []
    for number, name in enumerate((*designs, *benches)):
        given = defines if name in benches else macros_of_tool(defines)
        macros = [f"-D{key}={value}" for key, value in given.items()]
        if name not in benches:
            macros += ["-include", str(HEADERS / "ppnsim_native.h")]
        folders = [f"-I{HEADERS}", f"-I{Path(name).resolve().parent}", *(f"-I{each}" for each in include)]
        made = str(folder / f"{number}.o")
        own = ["-std=gnu++17", OPTIMISED, "-w", "-c", str(_copy(folder, root, name)), "-o", made]
        _run([command, *own, *macros, *folders], name, seconds)
        objects.append(made)
    program = folder / "program"
    _run([command, *objects, "-o", str(program)], benches[0], seconds)
    return program


def _text(name: str) -> str:
    if not Path(name).is_file():
        raise InputError("no such file", where=name)
    return f'#line 1 "{name}"\n' + Path(name).read_text(encoding="utf-8", errors="replace")


def _copy(folder: Path, root: Path, name: str) -> Path:
    return folder / "sources" / Path(name).resolve().relative_to(root)


def _run(command: Sequence[str], name: str, seconds: float) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        raise InputError(f"is not compiled within {seconds:g} s", where=name) from None
    if not done.returncode:
        return
    found = _ERROR.search(done.stderr)
    if found is not None:
        raise InputError(f"does not compile: {found['words']}", where=found["place"])
    words = next((line for line in done.stderr.splitlines() if "undefined" in line), done.stderr.strip()[-200:])
    raise InputError(f"does not link: {words.strip()}", where=name)
