"""What holds for every test: no deadline, a limit of time, caches that go away, Ctrl-C that reaches what it is for."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.configuration import storage_directory

from ppnsim.machine_code.cache import cache_home
from tests.helpers.commands import started

TESTS = Path(__file__).parents[1]


def test_no_property_has_a_deadline_is_too_slow_or_writes_a_database(request: pytest.FixtureRequest) -> None:
    """A machine that is busy is no bug; a test with settings of its own may have forgotten that."""
    used = {
        item.nodeid: getattr(item.obj, "_hypothesis_internal_use_settings", None) or settings()
        for item in request.session.items
        if isinstance(item, pytest.Function) and hasattr(item.obj, "hypothesis")
    } | {"the profile": settings()}
    assert [name for name, own in used.items() if own.deadline is not None or own.database is not None] == []
    assert [name for name, own in used.items() if HealthCheck.too_slow not in own.suppress_health_check] == []


def test_every_test_has_a_limit_of_time(request: pytest.FixtureRequest) -> None:
    assert request.config.pluginmanager.hasplugin("timeout")
    assert 0 < float(str(request.config.getini("timeout"))) <= 600
    assert [item.nodeid for item in request.session.items if item.get_closest_marker("timeout")] == []


def test_what_is_kept_for_later_is_in_a_folder_that_goes_away() -> None:
    folder = Path(os.environ["PPNSIM_TEST_CACHE"])
    assert folder.is_relative_to(tempfile.gettempdir())
    assert Path.home() == folder
    assert cache_home().is_relative_to(folder)
    assert storage_directory().path.is_relative_to(folder)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="Linux tells which signals are ignored")
def test_ctrl_c_reaches_a_command_also_where_the_tests_run_with_sigint_ignored() -> None:
    """As jobs in the background of a shell do: a process inherits what is ignored, and Python then installs nothing."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        running = started("--version")
        ignored = int(
            next(line for line in Path(f"/proc/{running.pid}/status").read_text().splitlines() if "SigIgn" in line)
            .split()[1], 16,
        )  # fmt: skip
    finally:
        signal.signal(signal.SIGINT, before)
    running.kill()
    running.wait()
    assert not ignored >> (signal.SIGINT - 1) & 1


def test_whoever_sends_ctrl_c_starts_the_command_so_that_it_arrives() -> None:
    sending = [
        path for path in sorted(TESTS.rglob("test_*.py"))
        if ".send_signal(signal.SIGINT)" in path.read_text(encoding="utf-8") and path != Path(__file__)
    ]  # fmt: skip
    assert len(sending) >= 3
    assert [path.name for path in sending if "= started(" not in path.read_text(encoding="utf-8")] == []
