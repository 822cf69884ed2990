"""Generated kernels on disk: where they are, that none is written twice, that old ones go, and who runs them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from ppnsim import kernel_cache
from ppnsim.kernel_cache import Interpreter, cache_home, is_compiled, load_kernel, run_kernel


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    kernel_cache._module.cache_clear()
    yield tmp_path / "ppnsim" / "kernels"
    kernel_cache._module.cache_clear()


def source(number: int) -> str:
    return f"def work():\n    return {number}\n"


def test_a_kernel_is_a_file_under_the_hash_of_its_text(home: Path) -> None:
    assert load_kernel(source(1), "work")() == 1
    assert load_kernel(source(2), "work")() == 2
    assert sorted(path.read_text() for path in home.glob("*/kernel.py")) == [source(1), source(2)]
    assert all(len(path.parent.name) == 24 for path in home.glob("*/kernel.py"))


def test_a_file_that_is_there_is_left_alone_and_a_wrong_one_written_anew(home: Path) -> None:
    load_kernel(source(3), "work")
    (path,) = home.glob("*/kernel.py")
    os.utime(path, (1, 1))
    kernel_cache._module.cache_clear()
    assert load_kernel(source(3), "work")() == 3
    assert path.stat().st_mtime == 1
    path.write_text("def work(): return 'broken'")
    kernel_cache._module.cache_clear()
    assert load_kernel(source(3), "work")() == 3
    assert path.read_text() == source(3)
    assert [each.name for each in (path.parent / "__pycache__").iterdir() if "tmp" in each.name] == []


def test_only_the_newest_kernels_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_cache, "_KEPT", 2)
    home.mkdir(parents=True)
    (home / "stray").touch()  # a file is no kernel, and in nobody's way
    os.utime(home / "stray", (1, 1))
    for number in range(4):
        load_kernel(source(number), "work")
        for path in home.glob("*/kernel.py"):
            if path.read_text() == source(number):
                os.utime(path.parent, (100 + number, 100 + number))
    assert sorted(path.read_text() for path in home.glob("*/kernel.py")) == [source(2), source(3)]


def test_machine_code_is_known_by_its_file(home: Path) -> None:
    assert not is_compiled(source(5))
    load_kernel(source(5), "work")
    assert not is_compiled(source(5))
    (path,) = home.glob("*/kernel.py")
    (path.parent / "__pycache__" / "kernel.work-1.py311.1.nbc").touch()
    assert is_compiled(source(5)) and not is_compiled(source(6))


@pytest.mark.parametrize(
    ("platform", "given", "place"),
    [
        ("linux", {"XDG_CACHE_HOME": "/cache"}, "/cache/ppnsim"),
        ("linux", {"LOCALAPPDATA": "/local"}, "/home/me/.cache/ppnsim"),
        ("darwin", {}, "/home/me/Library/Caches/ppnsim"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/ppnsim"),
        ("win32", {}, "/home/me/.cache/ppnsim"),
        ("win32", {"LOCALAPPDATA": "/local", "XDG_CACHE_HOME": "/cache"}, "/cache/ppnsim"),
    ],
)
def test_caches_are_where_the_system_has_them(
    platform: str, given: dict[str, str], place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    assert cache_home() == Path(place)


def test_seconds_of_an_interpreter_are_spent_and_then_machine_code_has_the_rest() -> None:
    fresh, told = Interpreter(), list[str]()
    fresh.tell = told.append
    assert fresh.takes(2.0) and not fresh.takes(2.01)
    assert fresh.left == 0 and not fresh.takes(0.001) and fresh.takes(0.0)
    assert told == ["compiling the engine for work of this size: some seconds, once"]
    other = Interpreter()
    assert other.run(lambda numbers, pair: (numbers[1], type(pair)), np.arange(3), (np.arange(2),) and 4) == (1, int)
    assert other.left is not None and other.left <= 0


def test_a_kernel_of_few_elements_runs_as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each element takes 0.3 microseconds: 2 seconds are for 6.6 million of them."""
    asked: list[float] = []

    class Told(Interpreter):
        def takes(self, seconds: float) -> bool:
            asked.append(seconds)
            return True

    monkeypatch.setattr(kernel_cache, "interpreter", Told())
    assert run_kernel(lambda a, n, b: len(a) + n + len(b), np.zeros(10), 5, np.zeros(30)) == 45
    assert asked == [pytest.approx(40 * 3e-7)]
