"""Ctrl-C in the three ages of a command: before its work, while it works, and once it has an answer.

Before the work nothing can be lost, and Python may lose an interrupt that is raised while modules are loaded: the
process ends at once. While it works Ctrl-C is Python's `KeyboardInterrupt`, which the searches catch to keep what they
have. From the answer on it is held: what is known is printed and written, and the command ends then. A second one ends
it. Where Ctrl-C is ignored, as in a background job of a shell, it stays so.
"""

from __future__ import annotations

import os
import signal

_CODE = 130  # of a command that Ctrl-C ends


def end_at_once() -> None:
    """Let Ctrl-C end the process, without a word."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)


def interrupt_work() -> None:
    """Let Ctrl-C raise `KeyboardInterrupt` again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _end(*_: object) -> None:
    os._exit(_CODE)


class HeldInterrupts:
    """Notes Ctrl-C instead of raising it, in a ``with`` statement; the second one raises.

    Attributes
    ----------
    noted : whether it came.
    """

    def __init__(self) -> None:
        self.noted = False

    def check(self) -> None:
        """Raise `KeyboardInterrupt` if it came: what calls this can end early."""
        if self.noted:
            raise KeyboardInterrupt

    def __enter__(self) -> HeldInterrupts:
        self._before = signal.getsignal(signal.SIGINT)
        if self._before is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(self, *_: object) -> None:
        signal.signal(signal.SIGINT, self._before)

    def _note(self, *_: object) -> None:
        self.noted = True
        signal.signal(signal.SIGINT, self._before)
