"""Help, older spellings, a file alone, shell completion: what is typed, and what is answered."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from unittest import mock

import pytest
from typer.testing import CliRunner

from ppnsim.cli.app import COMMANDS, app, command_called
from ppnsim.cli.options.help import WIDEST, flowing
from tests.helpers.commands import ppnsim

FORK_JOIN = "scenarios/networks/fork_join.toml"


def shown(name: str, width: int) -> list[str]:
    with mock.patch.dict(os.environ, COLUMNS=str(width)):
        context = command_called(name).make_context(name, [], resilient_parsing=True)
        return [line.rstrip() for line in context.get_help().splitlines()]


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_what_the_command_says_first(name: str) -> None:
    module = name.replace("-", "_")
    command = getattr(import_module(f"ppnsim.cli.{module}"), f"{module}_command")
    assert flowing(command.__doc__).partition("\n\n")[0] == COMMANDS[name]


def test_the_list_has_every_command_with_its_whole_sentence() -> None:
    text = " ".join(CliRunner().invoke(app, ["--help"]).stdout.split())
    assert all(f"{name} {sentence}" in text for name, sentence in COMMANDS.items())


@pytest.mark.parametrize("width", [80, 160])
def test_paragraphs_fill_the_terminal(width: int) -> None:
    lines = shown("size", width)
    start = next(place for place, line in enumerate(lines) if line.startswith("  For elastic"))
    paragraph = lines[start : lines.index("", start)]
    longest_word = max(len(word) for line in paragraph for word in line.split())
    assert len(paragraph) > 1
    assert all(min(width, WIDEST) - longest_word - 5 <= len(line) <= width for line in paragraph[:-1])


@pytest.mark.parametrize("width", [80, 160])
def test_examples_stay_lines(width: int) -> None:
    assert "    ppnsim size h263decoder.xml --objective period --no-front" in shown("size", width)


def test_files_in_examples_are_shipped() -> None:
    named = {path for name in COMMANDS for path in re.findall(r"scenarios/[\w/]+\.\w+", "\n".join(shown(name, 200)))}
    assert len(named) > 20
    assert not [path for path in named if path != "scenarios/guide/styles.md" and not Path(path).exists()]


@pytest.mark.parametrize("name", COMMANDS)
def test_help_shows_what_is_typed(name: str) -> None:
    lines = shown(name, 100)
    assert not re.search(r"<(bool|str|int|float|path|list).*?>|\{.*\}\.\.\.|\\\[", "\n".join(lines), re.IGNORECASE)
    usage = lines[0].partition("[OPTIONS]")[2].split()
    assert all(any(line.strip().startswith(argument) for line in lines[1:]) for argument in usage)


def test_an_unknown_command_is_refused_with_a_hint() -> None:
    done = CliRunner().invoke(app, ["siez"])
    assert done.exit_code == 2
    assert "size" in done.stderr


ONE_WORD = {
    "out": {"-o", "--out"}, "plot": {"--plot"}, "json": {"--json"}, "csv": {"--csv"}, "csv_path": {"--csv"},
    "vary": {"--vary"}, "function": {"--function"}, "device": {"--device"}, "unsafe_math": {"--unsafe-math"},
    "simulate": {"--simulate"}, "window": {"--window"}, "clock": {"--clock"}, "settings": {"--set"},
}  # fmt: skip
OLDER = {"--output", "--gantt", "--chart", "--sweep", "--write", "--board", "--kernel", "--balance", "--run"}


@pytest.mark.parametrize("name", COMMANDS)
def test_one_thing_has_one_word(name: str) -> None:
    for option in command_called(name).params:
        if option.param_type_name == "option":
            assert not OLDER & {*option.opts, *option.secondary_opts}
            assert set(option.opts) == ONE_WORD.get(option.name, set(option.opts))


@pytest.mark.parametrize(
    ("older", "word"),
    [
        (["draw", FORK_JOIN, "--output", "{}/net.dot"], "--output is called --out"),
        (["draw", FORK_JOIN, "--output={}/net.dot", "--run"], "--run is called --simulate"),
        (["schedule", "scenarios/kernels/trisolv.c", "--gantt", "{}/a.svg"], "--gantt is called --plot"),
        (["size", "scenarios/hls/subtract_mean.cpp", "--no-front", "--write={}/s.cpp"], "--write is called --out"),
        (["opencl", "scenarios/opencl/vecadd.toml", "--sweep", "W=16,64"], "--sweep is called --vary"),
        (["opencl", "scenarios/opencl/mm.cl", "--board", "de5-net"], "--board is called --device"),
        (["dse", "scenarios/kernels/gesummv.c", "-D", "N=2", "--balance"], "--balance is called --unsafe-math"),
        (["dse", "scenarios/kernels/gesummv.c", "-D", "N=2", "--no-balance"], "'ppnsim dse' is called"),
        (["explore", "scenarios/kernels/predictor.c", "--latency", "3"], "'ppnsim explore' is called"),
    ],
)
def test_older_spellings_work_and_say_the_new_one_on_standard_error(
    older: list[str], word: str, tmp_path: Path
) -> None:
    done = ppnsim(*(each.format(tmp_path) for each in older))
    assert done.exit_code == 0
    assert f"note: {word}" in done.stderr and "note:" not in done.stdout


def test_what_follows_two_dashes_is_a_file_whatever_it_is_called() -> None:
    assert "--output: no such file" in ppnsim("estimate", "--", "--output.toml").stderr.replace(".toml", "")


@pytest.mark.parametrize(
    ("file", "command"),
    [
        (FORK_JOIN, "run"),
        ("scenarios/hls/subtract_mean.cpp", "run"),
        ("scenarios/opencl/vecadd.toml", "opencl"),
        ("scenarios/rooflines/nbody.toml", "roofline"),
        ("scenarios/platforms/image_filter.toml", "run"),
    ],
)
def test_a_file_alone_is_given_to_its_command(file: str, command: str) -> None:
    alone, asked = ppnsim(file, "--json", "-"), ppnsim(command, file, "--json", "-")
    assert alone.exit_code == asked.exit_code and alone.stdout == asked.stdout
    assert alone.stderr.startswith(f"ppnsim {command} {file}")


def test_a_file_alone_says_what_else_it_can_be_asked() -> None:
    said = ppnsim(FORK_JOIN).stderr
    assert all(f" {name}" in said for name in ("explain", "size", "sweep", "lost", "report"))


def test_a_file_alone_offers_nothing_that_refuses_it() -> None:
    said = ppnsim("scenarios/hls/subtract_mean.cpp").stderr.partition("\n")[0]
    assert all(f"ppnsim {name}" in said for name in ("size", "schedule", "lost"))
    assert not any(f"ppnsim {name}" in said for name in ("profile", "derive", "transform", "explore-"))
    said = ppnsim("scenarios/kernels/predictor.c").stderr.partition("\n")[0]
    assert all(f"ppnsim {name}" in said for name in ("profile", "transform", "explore-splits", "explore-directives"))


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("ppnsim exp", "explain\n"),
        ("ppnsim run --fast", "--fast-forward"),
        ("ppnsim size --objective ", "period"),
        ("ppnsim run --style fr", "frozen\nfrp"),
        ("ppnsim compare --model ab", "absolute"),
        ("ppnsim schedule --device xcu28", "xcu280"),
        ("ppnsim memory HB", "HBM2"),
        ("ppnsim run --memory HB", "HBM2"),
        ("ppnsim scenarios fork", "fork_join"),
    ],
)
def test_the_shell_completes_commands_options_and_values(typed: str, offered: str) -> None:
    words = typed.split(" ")
    asked = {"_PPNSIM_COMPLETE": "complete_bash", "COMP_WORDS": typed, "COMP_CWORD": str(len(words) - 1)}
    done = CliRunner().invoke(app, [], env=asked, prog_name="ppnsim")
    assert offered in done.stdout


def test_closed_streams_are_no_error(tmp_path: Path) -> None:
    command = f"{sys.executable} -m ppnsim run {FORK_JOIN} --json {tmp_path / 'a.json'} >&- 2>{tmp_path / 'e'} <&-"
    assert subprocess.run(command, shell=True, env=os.environ, check=False).returncode == 0
    assert (tmp_path / "a.json").stat().st_size > 100 and not (tmp_path / "e").read_text()


@pytest.mark.parametrize("command", ["run", "schedule", "explain", "size", "estimate", "lost", "draw", "report"])
def test_help_says_that_projects_are_taken(command: str) -> None:
    assert "run_hls.tcl, hls_config.cfg" in " ".join(ppnsim(command, "--help").stdout.split())


def test_what_cannot_be_read_is_told_which_formats_can(tmp_path: Path) -> None:
    """A command on kernels may take projects that its reader of kernels does not."""
    other = tmp_path / "notes.txt"
    other.write_text("a project", encoding="utf-8")
    for command in ("schedule", "run"):
        said = ppnsim(command, str(other)).stderr
        assert "'.txt' is not a format that ppnsim reads here (known: " in said
        assert ".cpp" in said and ".tcl, .cfg" in said
