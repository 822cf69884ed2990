"""Standard streams that are closed, full or have lost their reader: a command goes on, and writes its other results."""

from __future__ import annotations

import io
import os
import sys


class LastingOutput(io.FileIO):
    """Standard output whose first failure is kept in ``lost``; what comes later is dropped.

    So a full disk behind ``>``, or ``| head``, costs no result that is asked for as a file.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number, "w", closefd=False)
        self.lost: OSError | None = None

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write, or drop."""
        if self.lost is None:
            try:
                return super().write(data)
            except OSError as error:
                self.lost = error
        return memoryview(data).nbytes

    @property
    def complaint(self) -> str | None:
        """What to say at the end; nothing of a reader that has seen enough."""
        if self.lost is None or isinstance(self.lost, BrokenPipeError):
            return None
        return f"standard output cannot be written ({self.lost.strerror})"


def open_streams() -> LastingOutput | None:
    """Open standard streams that the shell closed (``>&-``) as the null device, so that no result gets their number.

    Return what standard output writes to from now on, None where that is no file (in a test, in a program that keeps
    what is printed): it stays what it is. A terminal that cannot show a character gets its number.
    """
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        output = LastingOutput(sys.stdout.fileno())
    except io.UnsupportedOperation:
        return None
    sys.stdout = io.TextIOWrapper(
        io.BufferedWriter(output), encoding=sys.stdout.encoding, errors="backslashreplace",
        line_buffering=bool(sys.stdout.line_buffering),
    )  # fmt: skip
    return output
