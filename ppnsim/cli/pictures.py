"""Pictures that commands draw to a file: refused before any work is done if they could not be written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ppnsim.cli.common import check_output
from ppnsim.errors import InputError

FORMATS = (".svg", ".png", ".pdf")


def check_picture(place: Path | None, option: str, json_path: str | None, *, files: int = 1) -> None:
    """Raise `InputError` if a picture could not be written, is of an unknown format, or would show one of many files.

    Examples
    --------
    >>> check_picture(Path("front.jpeg"), "--plot", None)
    Traceback (most recent call last):
    ppnsim.errors.InputError: --plot front.jpeg: '.jpeg' is none of .svg, .png, .pdf
    """
    if place is None:
        return
    if place.suffix.lower() not in FORMATS:
        raise InputError(f"'{place.suffix}' is none of {', '.join(FORMATS)}", where=f"{option} {place}")
    if files > 1:
        raise InputError(f"{files} files, and one is drawn", where=f"{option} {place}")
    check_output(place, option, json_path)


def save_picture(figure: Any, place: Path, option: str) -> None:
    """Write a figure of matplotlib, which only plots know; `InputError` names the option if that fails."""
    from ppnsim.plots.save import save

    try:
        save(figure, place)
    except OSError as error:
        raise InputError(f"cannot be written ({error.strerror})", where=f"{option} {place}") from None
