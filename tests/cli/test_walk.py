"""No option is ignored: on a source of a kind that it says nothing of, it is refused by name.

The walk over all commands, kinds and options, which also knows what acts, is slow (``-m slow``).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ppnsim.cli.app import COMMANDS, command_called
from tests.cli.walk import KINDS, NOT_WALKED, VALUES, base_of, outcome, prepare, walk

SOURCES = ("kernel", "region", "executed", "project")
OF_SOURCES = (
    "--function", "-D", "-I", "--set", "--device", "--clock", "--pragma", "--unsafe-math", "--testbench", "--trace",
    "--time-limit", "--reports", "--tclargs", "--solution", "--memory", "--latency", "--ii", "--timing", "--io",
    "--hazards",
)  # fmt: skip
ON_NETWORKS = ("run", "report", "draw", "export", "explain", "lost", "size", "sweep", "estimate", "compare")
TAKEN = {
    ("compare", "opencl"): {"--function", "-D", "-I", "--set", "--device"},
    ("compare", "opencl toml"): {"--function", "-D", "-I", "--set", "--device"},
}
"""Options that a command does take from such a file."""


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Be in a folder with a file of each kind."""
    here = tmp_path_factory.mktemp("walk")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(here)
        patch.setenv("COLUMNS", "160")
        prepare(trace=False)
        yield here


@pytest.mark.parametrize("command", ON_NETWORKS)
def test_options_of_sources_are_refused_by_name_where_the_file_is_none(command: str) -> None:
    known = {name for each in command_called(command).params for name in each.opts}
    flags = {name for each in command_called(command).params if getattr(each, "is_flag", False) for name in each.opts}
    for kind in (each for each in KINDS if each not in SOURCES):
        given = [each for each in OF_SOURCES if each in known and each not in TAKEN.get((command, kind), ())]
        words = [word for each in given for word in ([each] if each in flags else [each, VALUES[each][0]])]
        code, _, said, files = outcome([*base_of(command, kind), *words])
        assert code == 2 and set(files) <= {"all.json"}, (kind, said)
        assert "holds" in said or all(each in said for each in given), (kind, said)


@pytest.mark.slow
@pytest.mark.parametrize("command", [each for each in COMMANDS if each not in NOT_WALKED])
def test_every_option_acts_is_refused_or_has_a_word(command: str) -> None:
    assert list(walk([command], [each for each in KINDS if each != "executed"])) == []
