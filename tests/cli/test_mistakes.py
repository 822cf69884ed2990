"""Two hundred mistakes: no traceback, exit code 2, a message that names the remedy; an interrupted command says so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from ppnsim.cli.app import app
from ppnsim.errors import PpnsimError
from tests.cli.mistakes import FILES, WRONG_NETWORKS, mistakes

MISTAKES = list(mistakes())


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Be in a folder with the files of the mistakes."""
    here = tmp_path_factory.mktemp("mistakes")
    texts = FILES | {f"wrong_{place}.toml": text for place, (text, _) in enumerate(WRONG_NETWORKS)}
    for name, text in texts.items():
        (here / name).write_text(text, encoding="utf-8")
    for suffix in (".toml", ".json", ".c"):
        (here / f"binary{suffix}").write_bytes(b"\xff\xfe\x00\x80")
        (here / f"folder{suffix}").mkdir()
    (here / "scenarios").symlink_to(Path("scenarios").resolve())
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        yield


def answer(line: list[str]) -> tuple[Result, str]:
    """Return the result of a command line in this process, and its messages; a bug is raised."""
    done = CliRunner().invoke(app, line)
    if isinstance(done.exception, PpnsimError):  # `ppnsim.cli.main` prints these
        return done, f"{done.stderr}error: {done.exception}"
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done, done.stderr


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
