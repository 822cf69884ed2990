"""Runs a command, or asks the library, where files are gone afterwards: words, rows, files, pictures as artists."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import chdir, contextmanager, nullcontext, redirect_stderr, redirect_stdout
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest import mock

from matplotlib.figure import Figure

import ppnsim as library
from ppnsim.errors import InputError
from ppnsim.library.answer import Answer
from tests.golden.artists import artists
from tests.helpers.commands import ppnsim

ROOT = Path(__file__).parents[2]
TOLD = Path(__file__).with_name("told")
FILES = Path(__file__).with_name("files")  # of commands: what scenarios do not have
_LONG, _SHOWN = 250, 100  # lines of a file
_PICTURES = (".svg", ".png", ".pdf")
_PASSING = (  # what is another one every time: seconds that the command took, the version
    (r'("(?:seconds|version|ppnsim)": )(?:"[^"]*"|[0-9.e+-]+)', r"\1-"),
    (r"(?m)(   |designs in )\d+\.\d+ s(>?)$", r"\1- s\2"),
    (r"(?m)\d+ vectors in \d+\.\d+ s(>?)$", r"- vectors in - s\1"),
    (r"(?m)^ *\d+\.\d s  .*\n", ""),  # what a search tells as it goes on, where it takes longer than a second
    (r"-- standard error\n(?=-- |\Z)", ""),
    (r"version ppnsim \S*", "version"),
    (r'(\["(?:Python|ppnsim)",)"[^"]*"', r'\1"-"'),
)
_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>')


@cache
def commands() -> dict[str, list[str]]:
    """Return the commands by their names."""
    return {name: shlex.split(command) for name, command in _listed("commands.txt").items()}


@cache
def answers() -> dict[str, str]:
    """Return what is asked of the library by its names: expressions in Python."""
    return _listed("answers.txt")


def _listed(name: str) -> dict[str, str]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    lines = (line.partition(": ") for line in text.splitlines() if line and not line.startswith("#"))
    return {name.strip(): what.strip() for name, _, what in lines}


def told(command: list[str]) -> str:
    """Return what a command tells: exit code and output, then every file that it writes."""
    with _somewhere():
        try:
            result = ppnsim(*command)
        except InputError as refused:
            return f"refused: {refused}\n"
        parts = [f"exit code {result.exit_code}\n{result.stdout}"]
        parts += [f"-- standard error\n{result.stderr}"] if result.stderr else []
        for path in sorted(Path("out").rglob("*")):
            if path.is_file():
                parts.append(f"-- {path.as_posix()}\n{_content(path)}")
    return _lasting(parts)


def told_by_library(expression: str) -> str:
    """Return what the library tells: how the answer looks, its text, result and rows, its picture; what it prints."""
    out, errors = io.StringIO(), io.StringIO()
    with _somewhere(), redirect_stdout(out), redirect_stderr(errors):
        try:
            found = eval(expression, {"ppnsim": library, "Path": Path})
            parts = list(_looks(found))
        except InputError as refused:
            parts = [f"refused: {refused}"]
        parts += [
            f"-- {path.as_posix()}\n{_content(path)}" for path in sorted(Path("out").rglob("*")) if path.is_file()
        ]
    printed = {"printed": out.getvalue(), "standard error": errors.getvalue()}
    return _lasting([*parts, *(f"-- {name}\n{words}" for name, words in printed.items() if words)])


def _looks(found: Any) -> Iterator[str]:
    if isinstance(found, Figure):
        yield f"-- picture.svg\n{artists(found)}"
    elif isinstance(found, Answer):
        yield repr(found)
        yield f"-- text\n{found}"
        yield f"-- result\n{_shortened(_without_passing(json.dumps(found.to_dict(), indent=1, default=str)))}"
        yield "\n".join(["-- rows", *(json.dumps(row, default=str) for row in found.rows())])
        try:
            yield f"-- picture.svg\n{artists(found.figure())}"
        except InputError as refused:
            yield f"-- no picture: {refused}"
    else:
        yield found if isinstance(found, str) else repr(found)


def _whole(text: str, room: int) -> str:  # noqa: ARG001 as `folded` is called
    return text


def _lasting(parts: list[str]) -> str:
    return _without_passing("".join(part if part.endswith("\n") else f"{part}\n" for part in parts))


def _without_passing(text: str) -> str:
    for pattern, instead in _PASSING:
        text = re.sub(pattern, instead, text)
    return text


def _content(path: Path) -> str:
    """Return what is in a file; of a page the data that it carries, without its engine and its styles."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".html":
        text = re.sub(r"([}\]],)(?=[{\[\"])", r"\1\n", "".join(_DATA.findall(text)))
    if path.name == "report.html":  # of ``run --out``, whose pictures are recorded as those of ``--plot``
        text = re.sub(r"data:image/(png|svg\+xml);base64,[\w+/=]*", "a picture", text)
    return _shortened(_without_passing(text))


def _shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) > _LONG:  # the rest as one number, which every change makes another one
        lines[_SHOWN:] = [f"... {len(lines)} lines, sha256 {sha256(text.encode()).hexdigest()}"]
    return "\n".join(lines) + "\n"


@contextmanager
def _somewhere() -> Iterator[None]:
    """Be in a folder with the scenarios, where figures are not drawn and only their artists are written."""

    def saved(figure: Figure, path: Any, **_: Any) -> None:
        Path(path).write_text(artists(figure), encoding="utf-8")

    with TemporaryDirectory() as folder, chdir(folder):
        for name, where in (
            ("scenarios", ROOT / "scenarios"),
            ("sources", ROOT / "tests" / "sources"),
            ("files", FILES),
        ):
            Path(name).symlink_to(where, target_is_directory=True)
        Path("out").mkdir()
        with (
            mock.patch.object(Figure, "savefig", saved),
            mock.patch("ppnsim.plots.save._png", lambda figure, _: artists(figure).encode()),
            mock.patch("ppnsim.plots.save.laid_out", lambda *_: nullcontext()),  # places as they were before any layout
            mock.patch.dict(os.environ, COLUMNS="120"),
            # Where sentences fold is for tests/report: here a changed word is one changed line.
            mock.patch("ppnsim.report.text.folded", _whole),
            mock.patch("ppnsim.report.folding.folded", _whole),
        ):
            yield


_NUMBER = re.compile(r"(?<![\w#])-?\d+\.?\d*(?:e[+-]?\d+)?")
_WORDS = re.compile(r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")""")


def differences(before: str, now: str) -> list[str]:
    r"""Return what differs, line by line; places in figures may differ by a little, since fonts may, and no words.

    Examples
    --------
    >>> differences("-- a.svg\ntext 'at 100' at 100.1\n", "-- a.svg\ntext 'at 100' at 100.2\n")
    []
    >>> differences("-- a.svg\ntext 'at 1000' at 100.1\n", "-- a.svg\ntext 'at 1001' at 100.1\n")
    ["- text 'at 1000' at 100.1", "+ text 'at 1001' at 100.1"]
    >>> differences("-- a.csv\n100.1\n", "-- a.csv\n100.2\n")
    ['- 100.1', '+ 100.2']
    """
    found, old, new, drawn = [], before.splitlines(), now.splitlines(), False
    for was, line in zip(old, new, strict=False):
        if line.startswith("-- "):
            drawn = line.endswith(_PICTURES)
        drawn &= not line.startswith("<svg")  # written by us, without a font
        if was != line and not (drawn and _alike(was, line)):
            found += [f"- {was}", f"+ {line}"]
    return found + [f"- {line}" for line in old[len(new) :]] + [f"+ {line}" for line in new[len(old) :]]


def _alike(one: str, other: str) -> bool:
    """Return whether lines have the same words, those in quotes to the letter, and numbers that are nearly the same."""
    parts, others = _WORDS.split(one), _WORDS.split(other)
    if parts[1::2] != others[1::2]:
        return False
    one, other = " ".join(parts[::2]), " ".join(others[::2])
    if _NUMBER.sub("0", one) != _NUMBER.sub("0", other):
        return False
    pairs = zip(map(float, _NUMBER.findall(one)), map(float, _NUMBER.findall(other)), strict=True)
    return all(abs(a - b) <= 0.005 * max(abs(a), abs(b)) + 1e-9 for a, b in pairs)
