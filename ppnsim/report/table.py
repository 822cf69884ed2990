"""Tables of the terminal: no number and no word of a heading is ever broken; close together where room is scarce."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

_WORD = 24  # characters of a word that may be broken if it has more
_GAP = 3  # between columns where there is room


class Screen(Console):
    """A console with a narrow terminal behind it, which wraps what is wider than ``room``.

    Examples
    --------
    >>> Screen(room=80).width, Screen(room=80).room, Screen(room=200).width
    (100, 80, 200)
    """

    def __init__(self, *, room: int, quiet: bool = False) -> None:
        super().__init__(quiet=quiet, width=max(room, 100), highlight=False)
        self.room = room


class PlainTable(Table):
    """A table without frame: at its natural width if there is room, else with columns close together."""

    def __init__(self) -> None:
        super().__init__(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render it in the first width that does: of the terminal, of the console; else words are broken."""
        columns = [[Text.from_markup(str(each)).plain for each in (it.header, *it.cells)] for it in self.columns]
        widths = [max(map(cell_len, cells)) for cells in columns]
        room = console.room if isinstance(console, Screen) else options.max_width
        least = [_least(cells, numbers=it.justify == "right") for it, cells in zip(self.columns, columns, strict=True)]
        narrowest = min(sum(least) + len(least) - 1, options.max_width)
        ways = [(widths, _GAP, room), (widths, 2, room), (least, 2, room), (least, 1, room), (least, 1, narrowest)]
        way = next((each for each in ways if _fits(*each)), None)
        if way is not None and way[1] < _GAP:
            self.padding = 0, way[1] - 1, 0, 0
            for column, own in zip(self.columns, _shared(widths, least, *way[1:]), strict=True):
                column.width = own
        yield from super().__rich_console__(console, options)


def _fits(widths: Sequence[int], gap: int, room: int) -> bool:
    return sum(widths) + gap * (len(widths) - 1) <= room


def _shared(widths: Sequence[int], least: Sequence[int], gap: int, room: int) -> list[int]:
    """Return widths that fit in the room, with a gap between two: the widest give way first.

    Examples
    --------
    >>> _shared([9, 20, 30], [9, 5, 12], 1, 40), _shared([3, 4], [1, 1], 1, 10)
    ([9, 14, 15], [3, 4])
    """
    own = list(widths)
    while not _fits(own, gap, room):
        own[max((each for each in range(len(own)) if own[each] > least[each]), key=own.__getitem__)] -= 1
    return own


def _least(cells: Sequence[str], *, numbers: bool) -> int:
    """Return the width in which no word is broken, a very long one apart; numbers stay with their units."""
    header, *others = cells
    words = header.split(" ") + [word for cell in others for word in ([cell] if numbers else cell.split(" "))]
    return max(min(cell_len(word), _WORD) for word in words)
