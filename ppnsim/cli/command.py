"""A command from its first import to its exit code: streams, Ctrl-C, errors in a line."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

from ppnsim.cli import interrupts
from ppnsim.cli.later import Interrupts, load_later
from ppnsim.cli.streams import open_streams

_YOUNG = 1_000_000  # objects before a collection; most are in no circle, and to look through 200 000 takes 70 ms
_SETTINGS = {
    "PYDANTIC_DISABLE_PLUGINS": "__all__",  # else all that is installed is looked through for them
    "OPENBLAS_NUM_THREADS": "1",  # numpy starts a thread for each core, which nothing here uses
}
_BAD_OUTPUT = 2


def run_command() -> None:
    """Run the command line; the exit codes are those of `ppnsim.errors`, and 130 for Ctrl-C."""
    gc.set_threshold(_YOUNG)
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    load_later()
    output = open_streams()
    code: int | str | None
    try:
        from ppnsim.cli.app import app
        from ppnsim.errors import PpnsimError

        interrupts.interrupt_work()
        try:
            app()
            code = 0
        except PpnsimError as error:
            _tell(str(error))
            code = error.exit_code
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        code = 130
    except OSError as error:
        _tell(f"output cannot be written ({error.strerror})")
        code = _BAD_OUTPUT
    except Exception:
        if not Interrupts.noted:
            raise
        code = 130
    gc.freeze()  # Python ends with collections that look through everything that is imported: a fifth of a short run
    sys.stdout.flush()
    if output is not None and output.complaint is not None:
        _tell(output.complaint)
        code = _BAD_OUTPUT
    interrupts.end_at_once()
    exec("")  # Python keeps an interrupt in an exec, as of a dataclass, and dies of it at the end, unless another ends
    sys.exit(code)


def _tell(words: str) -> None:
    with contextlib.suppress(OSError):  # standard error is full, too
        print(f"error: {words}", file=sys.stderr)  # noqa: T201
