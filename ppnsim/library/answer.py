"""What all answers have in common: the text and the JSON of the command, a main table, their looks in a notebook."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any, ClassVar

from rich.console import Console

from ppnsim.errors import InputError, PpnsimError

if TYPE_CHECKING:
    import pandas as pd

    from ppnsim.plots.shown import NotebookFigure

_WIDTH = 160  # characters of a table that is not on a terminal, as of commands


class Answer(ABC):
    """What a function of the library returns: ``print(answer)`` shows what the command of its name prints.

    ``_measured`` names the keys of `to_dict`, at any depth, that tell how long it took, ``_unframed`` those of
    `rows` that are no columns of a data frame.
    """

    _measured: ClassVar[frozenset[str]] = frozenset()
    _unframed: ClassVar[frozenset[str]] = frozenset()

    @abstractmethod
    def to_dict(self) -> Any:
        """Return what the command writes as JSON."""

    @abstractmethod
    def print(self, console: Console) -> None:
        """Print the answer and its tables to a console of rich."""

    @abstractmethod
    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return the main table, row by row."""

    def figure(self) -> NotebookFigure:
        """Return the answer as a picture.

        Raises
        ------
        InputError
            If there is nothing to draw.
        """
        raise InputError(f"a {type(self).__name__} has no picture")

    def to_frame(self) -> pd.DataFrame:
        """Return the main table as a data frame; whole numbers stay whole beside empty cells (``Int64``, ``<NA>``)."""
        import pandas as pd  # takes a while to import

        rows = [{name: row[name] for name in row if name not in self._unframed} for row in self.rows()]
        frame = pd.DataFrame(rows)
        for name in frame.columns:
            kinds = {type(row.get(name)) for row in rows}
            if kinds == {int, type(None)}:
                frame[name] = pd.array([row.get(name) for row in rows], dtype="Int64")
        return frame

    def __eq__(self, other: object) -> bool:
        """Return whether the other one is an answer of this kind that says the same, however long it took."""
        if self is other or type(self) is not type(other):
            return self is other
        assert isinstance(other, Answer)
        return bool(_without(self.to_dict(), self._measured) == _without(other.to_dict(), self._measured))

    def __hash__(self) -> int:
        return hash(type(self))

    def __str__(self) -> str:
        return text_of(self.print)

    def __repr__(self) -> str:
        first = str(self).partition("\n")[0]
        return f"<{type(self).__name__}: {first.strip()}>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>{self._picture()}"

    def _picture(self) -> str:
        """Return the picture as HTML, nothing where there is none: the text alone is then the answer."""
        try:
            return self.figure().as_html(type(self).__name__)
        except PpnsimError:
            return ""


def text_of(print_to: Callable[[Console], None]) -> str:
    """Return what is printed to a console, as text."""
    text = StringIO()
    # A notebook asks for colours in the environment; a text has none.
    plain: dict[str, Any] = {"color_system": None, "force_terminal": False, "force_jupyter": False}
    print_to(Console(file=text, width=_WIDTH, highlight=False, **plain))
    return text.getvalue().rstrip()


def _without(value: Any, names: frozenset[str]) -> Any:
    if not names:
        return value
    if isinstance(value, Mapping):
        return {name: _without(each, names) for name, each in value.items() if name not in names}
    return [_without(each, names) for each in value] if isinstance(value, list | tuple) else value
