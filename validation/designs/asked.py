"""What the commands of this folder are asked: a folder of repositories, and words of the names that are wanted."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path


def asked(
    module: str, about: str | None, arguments: Sequence[str], *, words: bool = True, record: str = ""
) -> argparse.Namespace:
    """Return ``folder``, ``words`` and ``record`` of a command; a mistake ends it with one message and exit code 2.

    Parameters
    ----------
    about : docstring of the module, which is the help.
    record : what ``--record`` keeps; "" if the command has no such option.

    Examples
    --------
    >>> asked("validation.designs.own", "", [".", "gemm"]).words
    ['gemm']
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m {module}", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", metavar="DIR", type=Path, help="folder of the repositories that are read")
    if words:
        parser.add_argument("words", nargs="*", metavar="WORD", help="only designs whose name holds one of the words")
    if record:
        parser.add_argument("--record", action="store_true", help=record)
    given = parser.parse_args(list(arguments))
    if not given.folder.is_dir():
        parser.error(f"{given.folder}: no such folder")
    return given
