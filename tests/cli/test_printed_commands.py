"""Commands that an answer names run as they are pasted: on the same file, with the options that were given."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.helpers.commands import ppnsim

SCENARIOS = Path(__file__).parents[2] / "scenarios"
STUCK = """#include "{header}"
#include <hls_stream.h>
#ifndef FRAME
#error "a frame has no size"
#endif
static void put(const int in[FRAME], hls::stream<int> &all, hls::stream<int> &sums) {{
  int sum = 0;
  for (int i = 0; i < FRAME; i++) {{ all.write(in[i]); sum += in[i]; }}
  sums.write(sum);
}}
static void take(hls::stream<int> &all, hls::stream<int> &sums, int out[FRAME]) {{
  int sum = sums.read();
  for (int i = 0; i < FRAME; i++) out[i] = all.read() - sum;
}}
void other(int a[4]) {{ for (int i = 0; i < 4; i++) a[i] = i; }}
void {name}(const int in[FRAME], int out[FRAME]) {{
#pragma HLS dataflow
  hls::stream<int> all("all"), sums("sums");
  put(in, all, sums);
  take(all, sums, out);
}}
"""


def commands_in(told: str) -> list[list[str]]:
    """Return what could be pasted of an answer: from a command with a file to the end of the line."""
    found = re.findall(r"(?<![\w'`])ppnsim [a-z-]+ \S*[./]\S*.*$", told, flags=re.MULTILINE)
    return [shlex.split(each.partition("   (")[0])[1:] for each in found]


@pytest.fixture
def stuck(tmp_path: Path) -> str:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "sizes.h").write_text("#pragma once\n")
    file = tmp_path / "my frame.cpp"
    file.write_text(STUCK.format(header="sizes.h", name="chosen"))
    return f"{shlex.quote(str(file))} -D FRAME=16 -I {shlex.quote(str(tmp_path / 'inc'))} --function chosen"


@pytest.mark.parametrize("first", ["run", ""])
def test_what_is_advised_after_a_deadlock_has_the_options_of_the_run(stuck: str, first: str) -> None:
    more = "--device xcvu9p --clock 5ns"
    told = ppnsim(*shlex.split(f"{first} {stuck} {more}"))
    assert told.exit_code == 3, told.output
    named = commands_in(told.output)
    assert [each[0] for each in named] == (["size"] if first else ["run", "size"])
    for each in named:  # 'ppnsim size FILE' alone ended with "a frame has no size"
        again = ppnsim(*each)
        assert again.exit_code == (3 if each[0] == "run" else 0), again.output
        assert "chosen" in again.output and "xcvu9p at 5 ns" in again.output


@pytest.mark.parametrize(
    "arguments",
    [
        "networks/fork_join.toml --style frozen",
        "networks/fork_join.toml --style hls --depth 2",
        "networks/frozen_deadlock.toml --convention ppn",
        "hls/sharpen.cpp --pragma '17: pipeline II=2'",
    ],
)
def test_printed_commands_of_scenarios_run(arguments: str) -> None:
    file, *options = shlex.split(arguments)
    told = ppnsim("run", str(SCENARIOS / file), *options)
    assert told.exit_code == 3, told.output
    (command,) = commands_in(told.output)
    assert ppnsim(*command, "--no-front").exit_code == 0
    given = [each for each in options if not each.startswith("--depth") and each != "2"]
    assert command[2:] == given
