"""The entry point of the command: it answers Ctrl-C before it imports anything that takes a while."""

from __future__ import annotations

from ppnsim.cli.interrupts import end_at_once


def main() -> None:
    """Run the command line, as `ppnsim.cli.command` does."""
    end_at_once()
    from ppnsim.cli.command import run_command

    run_command()
