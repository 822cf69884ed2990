"""A running program, connected by pipes: it sends events and gets answers (protocol of ``ppnsim_native.h``)."""

from __future__ import annotations

import os
import select
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from ppnsim.errors import InputError

_RECORD, _ANSWER = struct.Struct("=4i"), struct.Struct("=2i")
# The meaning of the runtime's exit codes for the testbench.
_EXITS = {
    71: "it reads a stream that is empty",
    72: "the region starts the same hls::task twice in one call; each needs streams of its own",
    73: "a later call of the region has other hls::tasks than the first one, or gives them other streams; "
    "they are kept from call to call, as hardware keeps them",
}


class Code(IntEnum):
    """The kind of an event; the kinds from `READ` on wait for an answer."""

    TASK = 1
    NAME = 2
    JOIN = 3
    END = 4
    ENTER = 5
    STEP = 6
    EXIT = 7
    LEAVE = 8
    WRITE = 9
    CALL = 10
    RETURN = 11
    GROUP = 12
    GROUPED = 13
    READ = 32
    WRITE_NB = 33
    READ_NB = 34
    EMPTY = 35
    FULL = 36
    SIZE = 37


class NativeEvent(NamedTuple):
    """An event of a task: ``place`` is the number of a loop, an access, an argument or a call."""

    code: int
    task: int
    place: int
    stream: int


class Session:
    """A program and its pipes; a context manager that ends the program."""

    def __init__(self, program: Path, testbench: str, seconds: float) -> None:
        self.testbench, self.seconds = testbench, seconds
        self.deadline = time.monotonic() + seconds
        self._out = tempfile.TemporaryFile()  # noqa: SIM115
        incoming, its_out = os.pipe()
        its_in, outgoing = os.pipe()
        self._incoming, self._outgoing, self._left = incoming, outgoing, b""
        self._at = 0  # bytes of the buffer that have been processed
        self._program = subprocess.Popen(
            [str(program)],
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=subprocess.DEVNULL,
            pass_fds=(its_out, its_in),
            cwd=Path(testbench).resolve().parent,
            env={**os.environ, "PPNSIM_PIPES": f"{its_out},{its_in}"},
        )
        os.close(its_out)
        os.close(its_in)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        if self._program.poll() is None:
            self._program.kill()
            self._program.wait()
        for pipe in (self._incoming, self._outgoing):
            os.close(pipe)
        self._out.close()

    def events(self) -> Iterator[NativeEvent]:
        """Yield events up to the first one that needs an answer, or to the end of the program."""
        self._check_time()
        while True:
            while len(self._left) - self._at >= _RECORD.size:
                event = NativeEvent(*_RECORD.unpack_from(self._left, self._at))
                self._at += _RECORD.size
                yield event
                if event.code >= Code.READ or event.code in (Code.JOIN, Code.END):
                    return
            if not self._more():
                return

    def _check_time(self) -> float:
        """Return the seconds that are left; refuse a program that exceeds its time, even if it still sends events."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            words = f"has not ended after {self.seconds:g} s (--time-limit sets how long it may take)"
            raise InputError(words, where=self.testbench)
        return left

    def _more(self) -> bool:
        ready, _, _ = select.select([self._incoming], [], [], self._check_time())
        if not ready:
            self._check_time()
        found = os.read(self._incoming, 1 << 16)
        self._left, self._at = self._left[self._at :] + found, 0
        return bool(found)

    def answer(self, task: int, value: int = 0) -> None:
        """Let a task go on (-1: the code after the tasks), with the answer that it waits for."""
        try:
            os.write(self._outgoing, _ANSWER.pack(task, value))
        except BrokenPipeError:
            self.end()

    def end(self) -> str:
        """Wait for the end of the program; return its output.

        Raises
        ------
        InputError
            If it ends with an error.
        """
        try:
            code = self._program.wait(max(0.1, self.deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise InputError(
                f"has not ended after {self.seconds:g} s (--time-limit sets how long it may take)", where=self.testbench
            ) from None
        if code in _EXITS:
            raise InputError(_EXITS[code], where=self.testbench)
        if code < 0:
            words = f"the program of the design and its testbench stopped with signal {-code}"
            raise InputError(words, where=self.testbench)
        if code:
            raise InputError(f"main() returned {code}: the testbench says that it failed", where=self.testbench)
        return self.printed()

    def printed(self) -> str:
        """Return the output of the program so far."""
        self._out.seek(0)
        return self._out.read().decode(errors="replace")
