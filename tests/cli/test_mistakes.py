"""Two hundred mistakes: no traceback, exit code 2, a message that names the remedy; an interrupted command says so."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from typer.testing import CliRunner, Result

from ppnsim.cli.app import app
from ppnsim.errors import PpnsimError
from tests.cli.further_mistakes import FURTHER
from tests.cli.mistakes import FILES, WRONG_NETWORKS, mistakes
from tests.golden.records import unlike
from tests.golden.told import ROOT

MISTAKES = list(mistakes())


@contextmanager
def among(here: Path) -> Iterator[None]:
    """Be in a folder with the files of the mistakes."""
    texts = FILES | {f"wrong_{place}.toml": text for place, (text, _) in enumerate(WRONG_NETWORKS)}
    for name, text in texts.items():
        (here / name).write_text(text, encoding="utf-8")
    for suffix in (".toml", ".json", ".c"):
        (here / f"binary{suffix}").write_bytes(b"\xff\xfe\x00\x80")
        (here / f"folder{suffix}").mkdir()
    (here / "scenarios").symlink_to(ROOT / "scenarios")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", "120")
        patch.chdir(here)
        yield


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with among(tmp_path_factory.mktemp("mistakes")):
        yield


def answer(line: list[str]) -> tuple[Result, str]:
    """Return the result of a command line in this process, and its messages; a bug is raised."""
    done = CliRunner().invoke(app, line)
    if isinstance(done.exception, PpnsimError):  # `ppnsim.cli.main` prints these
        return done, f"{done.stderr}error: {done.exception}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done, done.stderr


def told() -> str:
    """Return every mistake with all that is said of it."""
    with TemporaryDirectory() as here, among(Path(here)):
        lines = [*(line for line, _ in MISTAKES), *map(shlex.split, FURTHER)]
        return "".join(f"{shlex.join(line)}\n{_indented(line, here)}" for line in lines)


def _indented(line: list[str], here: str) -> str:
    done, said = answer(line)
    code = 2 if isinstance(done.exception, PpnsimError) else done.exit_code
    words = f"exit code {code}\n{said}".replace(here, "HERE")
    return "".join(f"    {each.rstrip()}\n" for each in words.splitlines() if each.strip())


def test_every_mistake_is_answered_as_recorded_from_the_first_word_to_the_last() -> None:
    assert unlike("mistakes") == [], "if it is meant: python -m tests.golden mistakes"


def test_there_are_two_hundred_of_them() -> None:
    assert len({tuple(line) for line, _ in MISTAKES}) == len(MISTAKES) >= 200


@pytest.mark.parametrize(("line", "words"), MISTAKES, ids=[" ".join(line) for line, _ in MISTAKES])
def test_a_mistake_has_a_message_that_names_the_remedy(line: list[str], words: str) -> None:
    done, said = answer(line)
    assert words in said
    assert not any(bug in said for bug in ("Traceback", "internal error", "cannot be written (No such file"))
    assert done.exit_code == 2 or isinstance(done.exception, PpnsimError)


@pytest.mark.parametrize("command", ["run", "explain", "size", "estimate", "lost", "roofline", "opencl"])
def test_an_interrupted_command_says_so(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "read_bytes", interrupted)
    done, said = answer([command, "net.toml"])
    assert done.exit_code == 130
    assert "interrupted at net.toml" in said
