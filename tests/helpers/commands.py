"""A command given to the command line, in this process or in one of its own that Ctrl-C reaches."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable

from typer.testing import CliRunner, Result

from ppnsim.cli.app import app

Save = Callable[..., str]  # the fixture `save`


def ppnsim(*arguments: str) -> Result:
    """Run a command and return click's result; what it does not catch is raised here."""
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def started(*arguments: str, out: int = subprocess.DEVNULL, errors: int = subprocess.DEVNULL) -> subprocess.Popen[str]:
    """Start a command as a process of its own; SIGINT interrupts it, also where the tests run with SIGINT ignored."""
    return subprocess.Popen(
        [sys.executable, "-m", "ppnsim", *arguments], stdout=out, stderr=errors, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
