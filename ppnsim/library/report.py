"""``ppnsim.report``: one HTML page that shows runs and plays them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any

from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.export.window import WindowLike
from ppnsim.library.entries import Shown, entry_in
from ppnsim.library.place import Place
from ppnsim.library.serve import PageServer, serve_forever
from ppnsim.library.subject import Depths
from ppnsim.page.html import page_of
from ppnsim.page.notebook import framed


@dataclass(frozen=True, kw_only=True, repr=False)
class RunPage:
    """A page that plays; a notebook shows it.

    Attributes
    ----------
    html : all of it, with nothing to be loaded from elsewhere.
    names : of what it shows.
    path : where it was written, None if it was not.
    """

    html: str
    names: tuple[str, ...]
    path: Path | None = None

    def save(self, path: Place) -> Path:
        """Write the page, whole or not at all, and return where.

        Raises
        ------
        InputError
            If the suffix is not .html.
        """
        place = page_place(path)
        with replacing(place) as out:
            out.write(self.html)
        return place

    def __repr__(self) -> str:
        where = "" if self.path is None else f", written to {self.path}"
        return f"<RunPage: {', '.join(self.names)}{where}>"

    def _repr_html_(self) -> str:
        return framed(self.html)


def report(
    shown: Shown | Sequence[Shown], out: Place | None = None, *, depths: Depths | None = None,
    style: str | None = None, window: WindowLike | None = None, serve: bool = False, port: int = 0,
    open_browser: bool = True, **options: Any,
) -> RunPage:  # fmt: skip
    """Return one HTML page that shows runs and plays them, in a notebook and, with ``out``, as a file.

    Parameters
    ----------
    shown : a network, a run, a placed network, a platform with an application, or a path (``options``: what
        `ppnsim.load` takes); several become one page with a list to choose from.
    out : where to write it, .html.
    depths, style : as of `ppnsim.run`.
    window : cycles ``(first, last + 1)`` with which the picture over time begins, or ``"1us:2us"``; of a large run, of
        a placed network and of a platform that is all it shows.
    serve : show the page of one path in the browser, and follow the file as it changes, until Ctrl-C.
    port, open_browser : of ``serve``: on this machine only, 0 = any free one; whether to open the browser.

    Raises
    ------
    InputError
        If a path cannot be read, or the page cannot be written or served.

    Examples
    --------
    >>> from ppnsim.model.builders import predictor
    >>> report(predictor())
    <RunPage: predictor>
    """
    place = None if out is None else page_place(out)
    each = list(shown) if isinstance(shown, Sequence) and not isinstance(shown, str) else [shown]
    if not each:
        raise InputError("[] shows nothing: give a network, a run, or the path of a file", where="shown")
    if serve and (len(each) != 1 or not isinstance(each[0], str | PathLike)):
        raise InputError("follows one file: give its path", where="serve")

    def ask(one: Shown) -> dict[str, Any]:
        return entry_in(one, depths=depths, style=style, window=window, **options)

    entries = [ask(one) for one in each]
    page = page_of_entries(entries, place)
    if serve:
        with PageServer(str(each[0]), partial(ask, str(each[0])), port=port) as server:
            serve_forever(server, open_browser=open_browser)
    return page


def page_of_entries(entries: Sequence[Mapping[str, Any]], place: Path | None) -> RunPage:
    """Return the page of some entries, written if there is a place for it."""
    page = RunPage(html=page_of(entries), names=tuple(str(each["name"]) for each in entries), path=place)
    if place is not None:
        page.save(place)
    return page


def page_place(out: Place) -> Path:
    """Return the place of a page.

    Raises
    ------
    InputError
        If its suffix is not .html.
    """
    place = Path(out)
    if place.suffix.lower() not in (".html", ".htm"):
        raise InputError(f"'{place.suffix}' is not .html", where=f"--out {place}")
    return place
