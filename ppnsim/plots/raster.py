"""Pictures of dots, with each text shaped once: matplotlib shapes it anew to measure it and for each of its places."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg, get_hinting_flag
from matplotlib.figure import Figure


class _Shaped(NamedTuple):
    """A line of text in dots: its picture and where that lies beside the start of its base line, and its size."""

    picture: Any
    across: float
    down: float
    width: float
    height: float
    descent: float


class _Renderer(RendererAgg):
    """Draws as its base does, and keeps what it needs of each text."""

    def __init__(self, width: float, height: float, dpi: float) -> None:
        super().__init__(width, height, dpi)  # type: ignore[no-untyped-call]
        self._shaped: dict[tuple[str, int], _Shaped] = {}

    def draw_text(
        self, gc: Any, x: float, y: float, s: str, prop: Any, angle: float, ismath: Any = False, mtext: Any = None
    ) -> None:
        """Draw a line of text whose base line starts at (x, y); mathematics and turned text as the base does."""
        if ismath or angle or not gc.get_antialiased():
            super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)  # type: ignore[no-untyped-call]
            return
        shaped = self._shape(s, prop)
        self._renderer.draw_text_image(shaped.picture, round(x + shaped.across), round(y + shaped.down) + 1, 0, gc)

    def get_text_width_height_descent(self, s: str, prop: Any, ismath: Any) -> tuple[float, float, float]:
        """Return the size of a line of text in dots."""
        if ismath:
            return super().get_text_width_height_descent(s, prop, ismath)  # type: ignore[no-any-return, no-untyped-call]
        shaped = self._shape(s, prop)
        return shaped.width, shaped.height, shaped.descent

    def _shape(self, text: str, properties: Any) -> _Shaped:
        key = text, hash(properties)
        if key not in self._shaped:
            font = self._prepare_font(properties)  # type: ignore[no-untyped-call]
            font.set_text(text, 0.0, flags=get_hinting_flag())  # type: ignore[no-untyped-call]
            width, height, descent = (each / 64 for each in (*font.get_width_height(), font.get_descent()))
            font.draw_glyphs_to_bitmap(antialiased=True)
            across, down = (each / 64 for each in font.get_bitmap_offset())
            picture = np.array(font.get_image())
            self._shaped[key] = _Shaped(picture, across, down + descent, width, height, descent)
        return self._shaped[key]


class _Canvas(FigureCanvasAgg):
    def get_renderer(self) -> _Renderer:
        """Return the renderer of a picture of the figure's size."""
        size = *self.get_width_height(physical=True), self.figure.dpi
        if self._lastKey != size:
            self.renderer, self._lastKey = _Renderer(*size), size
        return self.renderer  # type: ignore[no-any-return]


@contextmanager
def quick_texts(figure: Figure) -> Iterator[None]:
    """Have a figure draw on a canvas that shapes each text once."""
    before = figure.canvas
    _Canvas(figure)  # is the figure's from now on
    try:
        yield
    finally:
        figure.set_canvas(before)
