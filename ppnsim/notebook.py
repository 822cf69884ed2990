"""What Jupyter asks of an object: a page that plays. The rooms below do not know the page, which is above them."""

from __future__ import annotations

from importlib import import_module


class ShownInNotebooks:
    """A network, a run or a sizing: shown as the page that plays, with a table and a picture where that cannot be."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        shown: str = import_module("ppnsim.page.notebook").html_of(self)
        return shown
