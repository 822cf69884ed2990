"""Figures that show themselves in a notebook, whether or not it has loaded pyplot."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from io import BytesIO
from os import PathLike
from pathlib import Path

from matplotlib.figure import Figure

from ppnsim.errors import InputError
from ppnsim.plots.save import save


class NotebookFigure(Figure):
    """A figure of matplotlib that Jupyter shows; ``save`` writes the same bytes today and tomorrow."""

    def _repr_png_(self) -> bytes:
        content = BytesIO()
        self.savefig(content, format="png", dpi=90)
        return content.getvalue()

    def as_html(self, name: str) -> str:
        """Return it as HTML that stands below a text, ``name`` for those who cannot see it."""
        data = b64encode(self._repr_png_()).decode()
        return f'<img alt="{escape(name)}" style="max-width:100%" src="data:image/png;base64,{data}">'

    def save(self, path: str | Path) -> Path:
        """Write it as .svg, .png or .pdf (see `ppnsim.plots.save.save`)."""
        if not isinstance(path, str | PathLike):
            raise InputError(f"{path!r} is not a path: write save('picture.svg')")
        try:
            return save(self, path)
        except OSError as error:
            raise InputError(f"cannot be written ({error.strerror})", where=f"picture '{path}'") from None


def shown(figure: Figure) -> NotebookFigure:
    """Return the same figure, as one that notebooks show.

    Examples
    --------
    >>> shown(Figure())._repr_png_()[1:4]
    b'PNG'
    """
    figure.__class__ = NotebookFigure
    assert isinstance(figure, NotebookFigure)
    return figure
