"""Tables of the terminal: no number and no word of a heading is ever broken; close together where room is scarce."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

_WORD = 24  # characters of a word that may be broken if it has more
_BROKEN = (12, 10, 8)  # and of names, which are broken before headings and numbers are
_GAP = 3  # between columns where there is room


class Screen(Console):
    """A console with a narrow terminal behind it, which wraps what is wider than ``room``.

    ``folds`` says whether sentences are broken between words to fit; in a file they stay whole.

    Examples
    --------
    >>> Screen(room=80).width, Screen(room=80).room, Screen(room=200).width
    (100, 80, 200)
    """

    def __init__(self, *, room: int, quiet: bool = False, folds: bool = True) -> None:
        super().__init__(quiet=quiet, width=max(room, 100), highlight=False)
        self.room = room
        self.folds = folds


class PlainTable(Table):
    """A table without frame: at its natural width if there is room, else with columns close together."""

    def __init__(self) -> None:
        super().__init__(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Render it in the first width that does: of the terminal, of the console; else words are broken."""
        columns = [[Text.from_markup(str(each)).plain for each in (it.header, *it.cells)] for it in self.columns]
        widths = [max(map(cell_len, cells)) for cells in columns]
        room = console.room if isinstance(console, Screen) else options.max_width
        numbers = [it.justify == "right" for it in self.columns]
        least, *less = ([*map(partial(_least, word), columns, numbers)] for word in (_WORD, *_BROKEN))
        narrowest = min(sum(least) + len(least) - 1, options.max_width)
        ways = [(widths, _GAP, room), (widths, 2, room), (least, 2, room), (least, 1, room), (least, 1, narrowest)]
        ways += [(each, 1, options.max_width) for each in less]
        way = next((each for each in ways if _fits(*each)), None)
        if way is ways[0] and console.color_system is None and not options.ascii_only and _is_plain(columns):
            yield from map(Segment, _lines(columns, widths, numbers))
            return
        if way is not None and way[1] < _GAP:
            self.padding = 0, way[1] - 1, 0, 0
            for column, own in zip(self.columns, _shared(widths, *way), strict=True):
                column.width = own
        yield from super().__rich_console__(console, options)


def _is_plain(columns: Sequence[Sequence[str]]) -> bool:
    """Return whether each cell is a line as it is."""
    return bool(columns) and all(each.isprintable() and each == each.strip() for cells in columns for each in cells)


def _lines(columns: Sequence[Sequence[str]], widths: Sequence[int], numbers: Sequence[bool]) -> Iterator[str]:
    """Yield the lines of a table in which nothing is broken or coloured; to rich each row is a millisecond of work."""
    padded = [
        [" " * (width - cell_len(each)) + each if right else each + " " * (width - cell_len(each)) for each in cells]
        for cells, width, right in zip(columns, widths, numbers, strict=True)
    ]
    header, *rows = zip(*padded, strict=True)
    gap = " " * _GAP
    yield f"{gap.join(header)}\n{'─' * (sum(widths) + _GAP * (len(widths) - 1))}\n"
    for row in rows:
        yield f"{gap.join(row)}\n"


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


def _least(word: int, cells: Sequence[str], numbers: bool) -> int:
    """Return the width in which no word of a heading and no number with its unit is broken, nor a shorter word."""
    header, *others = cells
    long = [*header.split(" "), *(others if numbers else [])]
    short = [] if numbers else [each for cell in others for each in cell.split(" ")]
    return max(*(min(cell_len(each), _WORD) for each in long), *(min(cell_len(each), word) for each in short), 0)
