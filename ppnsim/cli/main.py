"""The entry point of the command: it answers Ctrl-C before it imports anything that takes a while."""

from __future__ import annotations

import os
import sys

from ppnsim.cli.interrupts import end_at_once


def main() -> None:
    """Run the command line, as `ppnsim.cli.command` does."""
    end_at_once()
    from ppnsim.cli.command import run_command

    run_command()


def process() -> None:
    """Run the command line and end the process as soon as all is written.

    Python would first take apart whatever was imported, a twelfth of a short command; the system does so at once.
    What waits for its end (`atexit`) is called, and a thread keeps Python's own way. Profilers start `main`.
    """
    try:
        main()
    except SystemExit as end:
        import atexit
        import threading

        if not isinstance(end.code, int) or threading.active_count() > 1:
            raise
        atexit._run_exitfuncs()
        sys.stdout.flush()
        os._exit(end.code)
