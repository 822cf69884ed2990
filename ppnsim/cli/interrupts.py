"""Ctrl-C in the three ages of a command: before its work, while it works, and once it has an answer.

Before the work nothing can be lost, and Python may lose an interrupt that is raised while modules are loaded: the
process ends at once. While it works Ctrl-C is Python's `KeyboardInterrupt`, which the searches catch to keep what they
have. From the answer on it is noted: what is known is printed and written, and the command ends then. A second one
ends it at once.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Held:
    """Whether Ctrl-C came while it is held."""

    noted: bool = False

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if it came: what calls this can end early."""
        if self.noted:
            raise KeyboardInterrupt


@contextmanager
def held() -> Iterator[Held]:
    """Note Ctrl-C instead of raising it; the second one raises. Where it is ignored it stays so."""
    found, before = Held(), signal.getsignal(signal.SIGINT)

    def note(*_: object) -> None:
        found.noted = True
        signal.signal(signal.SIGINT, before)

    if before is signal.default_int_handler:
        signal.signal(signal.SIGINT, note)
    try:
        yield found
    finally:
        signal.signal(signal.SIGINT, before)
