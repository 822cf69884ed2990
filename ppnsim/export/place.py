"""A file that is there whole or not at all: written beside its place, and moved there when it is complete."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ppnsim.errors import InputError


@contextmanager
def replacing(path: Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Yield a file whose content takes the place of ``path`` when the block ends; after an error it leaves nothing.

    Text is UTF-8 with plain line ends on every system.

    Raises
    ------
    InputError
        If the file cannot be written.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with replacing(Path(folder) / "a.txt") as file:
    ...         _ = file.write("whole")
    ...     sorted(each.name for each in Path(folder).iterdir())
    ['a.txt']
    """
    form: dict[str, Any] = {"mode": "wb"} if binary else {"mode": "w", "encoding": "utf-8", "newline": "\n"}
    try:
        if path.exists() and not path.is_file():  # a device or a pipe takes what comes
            with path.open(**form) as out:
                yield out
            return
        beside = Path(tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)[1])
        try:
            with beside.open(**form) as out:
                yield out
            beside.chmod(0o644)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(path)) from None


@contextmanager
def folder_at(folder: Path) -> Iterator[None]:
    """Make a folder for several files, if it is not there.

    Raises
    ------
    InputError
        If it, or a file that the block writes, cannot be written; it is named.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=str(error.filename or folder)) from None
