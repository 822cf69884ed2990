"""Fixtures of several test files, and what holds for every test: no deadline of hypothesis, caches of its own."""

from __future__ import annotations

import gc
import importlib
import json
import os
import shutil
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import set_hypothesis_home_dir

from ppnsim import Network
from ppnsim.formats.network_json import dump_network
from tests.helpers.commands import Save

# A machine that is busy is no bug; a failure is kept as a test, not in a file.
settings.register_profile("ppnsim", deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("ppnsim")

_CACHES = pytest.StashKey[Path]()
_ROOT = Path(__file__).parents[1]
_LONG = (
    "house/test_validation.py", "hls/native/test_execute.py", "hls/native/test_structure.py",
    "hls/native/test_endless.py", "loops/test_c_source.py", "page/test_lessons.py", "plots/test_plots.py",
    "engines/test_generated.py", "explore/test_fifo_sizing.py", "house/test_fuzz.py", "derive/test_hazards.py",
    "derive/test_program_estimate.py", "explore/test_series.py", "engines/test_adversary.py",
)  # fmt: skip
"""What takes 8 s and more comes first, so that no worker is left alone with it at the end.

The very first makes the machine code of the engine and of the DRAM; those right behind it need none, so that one worker
makes it and not each.
"""


def pytest_configure(config: pytest.Config) -> None:
    """Keep caches and homes in a folder of this session, which workers and commands that are run inherit.

    Kernels, fonts, hypothesis's constants, the browser's and Jupyter's files: none of them ends in the user's home.
    """
    os.environ.pop("COLUMNS", None)  # of the terminal that the tests are started in
    # Every command that is run would compile our sources anew, and every worker those of the tests.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    gc.set_threshold(100_000)  # trees of sources and random networks are many objects: a fifth of the time otherwise
    if not hasattr(config, "workerinput") and "PPNSIM_TEST_CACHE" not in os.environ:
        config.stash[_CACHES] = Path(tempfile.mkdtemp(prefix="ppnsim-tests-"))
        os.environ["PPNSIM_TEST_CACHE"] = str(config.stash[_CACHES])
    os.environ["HOME"] = os.environ["XDG_CACHE_HOME"] = os.environ["PPNSIM_TEST_CACHE"]
    set_hypothesis_home_dir(Path(os.environ["PPNSIM_TEST_CACHE"]) / "hypothesis")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Have every other worker of the whole suite import the tests from the end: it then meets byte code of its peer."""
    worker = getattr(session.config, "workerinput", {"workerid": "gw0"})["workerid"]
    if int(worker.removeprefix("gw")) % 2 and not session.config.option.file_or_dir:
        for path in sorted((_ROOT / "tests").rglob("test_*.py"), reverse=True):
            if "benchmarks" not in path.parts:
                importlib.import_module(".".join(path.relative_to(_ROOT).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest, in their order, then those with most tests."""
    files = [item.nodeid.partition("::")[0] for item in items]
    tests = Counter(files)
    place = {file: next((at for at, long in enumerate(_LONG) if file.endswith(long)), len(_LONG)) for file in tests}
    order = {item: (place[file], -tests[file]) for item, file in zip(items, files, strict=True)}
    items.sort(key=order.__getitem__)


def pytest_collection_finish() -> None:
    """Leave out of later garbage collections what is imported and collected."""
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the folder."""
    if made := config.stash.get(_CACHES, None):
        shutil.rmtree(made, ignore_errors=True)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Give a file's tests to one worker: what they share (all of the validation, say) is then made only once."""
    from xdist.scheduler import LoadFileScheduling

    config.option.loadscopereorder = False  # the order is that of the collection
    return LoadFileScheduling(config, log)


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Return a function that writes a network as JSON and returns the path as text."""

    def write(network: Network, name: str = "network.json") -> str:
        path = tmp_path / name
        path.write_text(json.dumps(dump_network(network)), encoding="utf-8")
        return str(path)

    return write
