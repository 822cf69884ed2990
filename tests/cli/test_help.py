"""Help: the list of commands imports none of them, and texts fill the terminal."""

from __future__ import annotations

from importlib import import_module

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import COMMANDS, app
from ppnsim.cli.options.groups import flowing


def shown(command: str, width: int) -> list[str]:
    done = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": str(width)})
    assert done.exit_code == 0
    return [line.rstrip() for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says_first(name: str) -> None:
    command = getattr(import_module(f"ppnsim.cli.{name}"), f"{name}_command")
    assert flowing(command.__doc__).partition("\n\n")[0] == COMMANDS[name]


@pytest.mark.parametrize("width", [80, 160])
def test_paragraphs_fill_the_terminal(width: int) -> None:
    lines = shown("size", width)
    start = next(place for place, line in enumerate(lines) if line.startswith(" For elastic"))
    paragraph = lines[start : lines.index("", start)]
    longest_word = max(len(word) for line in paragraph for word in line.split())
    assert len(paragraph) > 1
    assert all(len(line) > width - longest_word - 3 for line in paragraph[:-1])


@pytest.mark.parametrize("width", [80, 160])
def test_examples_stay_lines(width: int) -> None:
    assert "   ppnsim size h263decoder.xml --objective period --no-front" in shown("size", width)


def test_an_unknown_command_is_refused_with_a_hint() -> None:
    done = CliRunner().invoke(app, ["siez"])
    assert done.exit_code == 2
    assert "size" in done.stderr
