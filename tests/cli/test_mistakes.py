"""Two hundred mistakes: no traceback, exit code 2, a message that names the remedy; an interrupted command says so."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from typer.testing import CliRunner, Result

from ppnsim.cli.app import app
from ppnsim.errors import PpnsimError
from tests.cli.further_mistakes import FURTHER
from tests.cli.mistakes import FILES, WRONG_NETWORKS, mistakes
from tests.cli.mistakes_of_newcomers import TEXTS, newcomers
from tests.golden.told import ROOT, TOLD

MISTAKES = [*mistakes(), *newcomers()]


def made(here: Path) -> Path:
    """Return a folder with the files of the mistakes."""
    texts = FILES | TEXTS | {f"wrong_{place}.toml": text for place, (text, _) in enumerate(WRONG_NETWORKS)}
    for name, text in texts.items():
        (here / name).write_text(text, encoding="utf-8")
    for suffix in (".toml", ".json", ".c"):
        (here / f"binary{suffix}").write_bytes(b"\xff\xfe\x00\x80")
        (here / f"folder{suffix}").mkdir()
    (here / "scenarios").symlink_to(ROOT / "scenarios")
    return here


@contextmanager
def among(here: Path) -> Iterator[None]:
    """Be in such a folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "120")
        patch.chdir(here)
        yield


def state(here: Path) -> list[tuple[str, int]]:
    """Return what changes when a file is written, made or removed."""
    with os.scandir(here) as entries:
        return sorted((each.name, each.stat(follow_symlinks=False).st_mtime_ns) for each in entries)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return [made(tmp_path_factory.mktemp("mistakes"))]


@pytest.fixture(autouse=True)
def folder(folders: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Be in a folder that the tests share; what a test changes, the next one does not see."""
    before = state(folders[-1])
    with among(folders[-1]):
        yield
    if state(folders[-1]) != before:
        folders.append(made(tmp_path_factory.mktemp("mistakes")))


def answer(line: list[str]) -> tuple[Result, str]:
    """Return the result of a command line in this process, and its messages; a bug is raised."""
    done = CliRunner().invoke(app, line)
    if isinstance(done.exception, PpnsimError):  # `ppnsim.cli.main` prints these
        return done, f"{done.stderr}error: {done.exception}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done, done.stderr


def told() -> str:
    """Return every mistake with all that is said of it, each made in a folder of its own."""
    parts = []
    known = [line for line, _ in MISTAKES]
    for line in (*known, *(line for line in FURTHER if line not in known)):
        with TemporaryDirectory() as here, among(made(Path(here))):
            parts.append(f"{shlex.join(line)}\n{_indented(*answer(line))}")
    return "".join(parts)


def _indented(done: Result, said: str) -> str:
    code = 2 if isinstance(done.exception, PpnsimError) else done.exit_code
    words = f"exit code {code}\n{said}".replace(str(Path.cwd()), "HERE")
    return "".join(f"    {each.rstrip()}\n" for each in words.splitlines() if each.strip())


@cache
def recorded() -> dict[str, str]:
    """Return what is recorded of each command line; if it is meant: ``python -m tests.golden mistakes``."""
    found: dict[str, str] = {}
    for line in (TOLD / "mistakes.txt").read_text(encoding="utf-8").splitlines(keepends=True):
        if line.startswith("    "):
            found[[*found][-1]] += line
        else:
            found[line.strip()] = ""
    return found


def test_there_are_two_hundred_of_them() -> None:
    assert len({tuple(line) for line, _ in MISTAKES}) == len(MISTAKES) >= 200


@pytest.mark.parametrize(("line", "words"), MISTAKES, ids=[" ".join(line) for line, _ in MISTAKES])
def test_a_mistake_has_a_message_that_names_the_remedy(line: list[str], words: str) -> None:
    done, said = answer(line)
    assert words in said
    assert _indented(done, said) == recorded()[shlex.join(line)]
    assert not any(bug in said for bug in ("Traceback", "internal error", "cannot be written (No such file"))
    assert done.exit_code == 2 or isinstance(done.exception, PpnsimError)


@pytest.mark.parametrize("line", FURTHER, ids=[" ".join(line) for line in FURTHER])
def test_further_mistakes_are_answered_as_recorded(line: list[str]) -> None:
    assert _indented(*answer(line)) == recorded()[shlex.join(line)]


@pytest.mark.parametrize("command", ["run", "explain", "size", "estimate", "lost", "roofline", "opencl"])
def test_an_interrupted_command_says_so(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "read_bytes", interrupted)
    done, said = answer([command, "net.toml"])
    assert done.exit_code == 130
    assert "interrupted at net.toml" in said
