"""Machine code on disk: where it is, that none is made twice, that a wrong file is no answer, that old ones go."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from ppnsim.machine_code import cache, kernels, llvm
from ppnsim.machine_code.cache import cache_home, kept
from ppnsim.machine_code.kernels import machine_code_of


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    machine_code_of.cache_clear()
    yield tmp_path / "ppnsim" / "kernels"
    machine_code_of.cache_clear()


def answer(number: int) -> Any:
    """Return what a kernel of its own returns, as a new process would have it."""
    machine_code_of.cache_clear()
    return machine_code_of(f"def work():\n    return {number}\n", "work")()


def test_a_kernel_is_a_file_and_is_compiled_once(home: Path) -> None:
    assert [answer(1), answer(2)] == [1, 2]
    assert len(list(home.glob("*.o"))) == len(list(home.iterdir())) == 2
    with patch.object(kernels, "object_code", side_effect=AssertionError):
        assert [answer(2), answer(1)] == [2, 1]


@pytest.mark.parametrize("content", [b"", b"short", b"x" * 1000])
def test_a_file_that_does_not_hold_what_it_says_is_made_again(home: Path, content: bytes) -> None:
    answer(3)
    (path,) = home.iterdir()
    good = path.read_bytes()
    for wrong in (content, good[:-1], good[:40] + bytes([good[40] ^ 1]) + good[41:]):
        path.write_bytes(wrong)
        assert answer(3) == 3
        assert path.read_bytes() == good


def test_another_processor_or_llvm_has_its_own_file(home: Path) -> None:
    answer(4)
    with patch.object(kernels, "machine", lambda: "another one"):
        answer(4)
    assert len(list(home.iterdir())) == 2
    assert all(str(part) in llvm.machine() for part in llvm._binding().llvm_version_info)


def test_only_the_newest_kernels_are_kept(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "KEPT", 2)
    for number in range(4):
        known = set(home.glob("*"))
        assert kept(f"key {number}", lambda number=number: bytes([number])) == bytes([number])  # type: ignore[misc]
        for path in set(home.glob("*")) - known:
            os.utime(path, (100 + number, 100 + number))
    assert sorted(path.read_bytes()[32:] for path in home.iterdir()) == [bytes([2]), bytes([3])]


@pytest.mark.parametrize("where", ["file", "file/below"])
def test_where_nothing_can_be_written_kernels_are_compiled_all_the_same(
    tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / where))
    assert answer(5) == 5


def test_without_a_home_kernels_are_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    assert answer(6) == 6


def test_processes_that_write_at_once_leave_one_whole_file(home: Path) -> None:
    code = (
        "from ppnsim.machine_code.kernels import machine_code_of\n"
        "print(machine_code_of('def work():\\n    return 7\\n', 'work')())"
    )
    running = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(3)]
    assert [each.communicate()[0] for each in running] == ["7\n"] * 3
    assert len(list(home.iterdir())) == 1
    with patch.object(kernels, "object_code", side_effect=AssertionError):
        assert answer(7) == 7


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
