"""The entry point of the command: it imports nothing heavy before it can answer Ctrl-C, and sets exit codes."""

from __future__ import annotations

import contextlib
import gc
import os
import sys

from ppnsim.cli.later import load_later

_YOUNG = 50_000  # objects before a collection; what is imported stays, and looking through it is a tenth of the start


def main() -> None:
    """Run the command line; the exit codes are those of `ppnsim.errors`, and 130 for Ctrl-C."""
    gc.set_threshold(_YOUNG)
    load_later()
    _open_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that cannot show a character gets its number instead of an error.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    code: int | str | None
    try:
        from ppnsim.cli.app import app
        from ppnsim.errors import PpnsimError

        try:
            app()
            code = 0
        except PpnsimError as error:
            print(f"error: {error}", file=sys.stderr)  # noqa: T201
            code = error.exit_code
        sys.stdout.flush()
    except SystemExit as end:
        code = end.code
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 0  # the reader of the pipe has seen enough
    except OSError as error:
        with contextlib.suppress(OSError):
            print(f"error: output cannot be written ({error.strerror})", file=sys.stderr)  # noqa: T201
        code = 1
    _leave(code)


def _open_streams() -> None:
    """Open standard streams that the shell closed (``>&-``) as the null device, so that no result gets their number."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def _leave(code: int | str | None) -> None:
    """Exit; an output that can no longer be flushed is dropped without a second complaint."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.exit(code)
