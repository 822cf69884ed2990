"""The one place where a figure becomes a file: the same figure gives the same bytes, today and tomorrow."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from ppnsim.errors import InputError, did_you_mean
from ppnsim.plots.png import encoded

_DOTS = 20_000
# What would differ between two runs: dates and the program's name and version.
_METADATA: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "pdf": {"CreationDate": None, "Creator": None, "Producer": None},
    "png": {},
}


def save(figure: Figure, path: str | Path, *, dpi: int = 120) -> Path:
    """Write a figure as SVG, PDF or PNG, as the suffix of ``path`` says; return the path.

    ``dpi`` (dots per inch) is that of a PNG, and of the parts of a vector picture that are too fine for vectors; it is
    lowered for pictures so large that no side may have more than 20 000 dots.

    Raises
    ------
    InputError
        If the suffix is none of these.
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> save(Figure(), "net.jpeg")
    Traceback (most recent call last):
    ppnsim.errors.InputError: picture 'net.jpeg': suffix '.jpeg' is not a format that is drawn (known: pdf, png, svg)
    """
    path = Path(path)
    suffix = path.suffix.lower().removeprefix(".")
    if suffix not in _METADATA:
        message = f"suffix '{path.suffix}' is not a format that is drawn{did_you_mean(suffix, _METADATA)}"
        raise InputError(message, where=f"picture '{path}'")
    dpi = min(dpi, int(_DOTS / max(figure.get_size_inches())))
    # Without a salt of our own, matplotlib salts the identifiers in an SVG anew in every process.
    with (
        mpl.rc_context({"svg.hashsalt": "ppnsim", "svg.fonttype": "path", "pdf.fonttype": 42}),
        warnings.catch_warnings(),
    ):
        # A name in letters that the font lacks is drawn as boxes; there is nothing that its owner could do.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        with laid_out(figure, suffix, dpi):
            if suffix == "png":
                path.write_bytes(_png(figure, dpi))
            else:
                figure.savefig(path, format=suffix, dpi=dpi, metadata=_METADATA[suffix])
    return path


def _png(figure: Figure, dpi: int) -> bytes:
    canvas, before = figure.canvas, figure.dpi
    figure.set_dpi(dpi)
    try:
        drawn = FigureCanvasAgg(figure)
        drawn.draw()  # type: ignore[no-untyped-call]
        return encoded(np.asarray(drawn.buffer_rgba()), dpi)  # type: ignore[no-untyped-call]
    finally:
        figure.set_dpi(before)
        figure.set_canvas(canvas)


@contextmanager
def laid_out(figure: Figure, suffix: str, dpi: int) -> Iterator[None]:
    """Find the places of all parts once: `Figure.savefig` draws all of a figure with a layout twice, to find them."""
    engine = figure.get_layout_engine()
    if engine is None or suffix != "png":  # vector formats measure texts by another renderer
        yield
        return
    before = figure.dpi
    figure.set_dpi(dpi)
    try:
        engine.execute(figure)
        figure.set_layout_engine(None)
        yield
    finally:
        figure.set_dpi(before)
        figure.set_layout_engine(engine)
