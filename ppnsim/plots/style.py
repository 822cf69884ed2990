"""Colours, sizes and small helpers that all pictures share: safe for the colour-blind, large enough for a projector.

Figures are built without pyplot, so nothing global is touched and no display is needed.
"""

from __future__ import annotations

from functools import lru_cache

from matplotlib.colors import to_rgb
from matplotlib.font_manager import FontProperties
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from ppnsim.plots.colours import ACCESS as ACCESS
from ppnsim.plots.colours import DELAY as DELAY
from ppnsim.plots.colours import EXECUTE as EXECUTE
from ppnsim.plots.colours import OTHER as OTHER
from ppnsim.plots.colours import PALETTE as PALETTE

INK = "#1F2933"  # text, frames
FAINT = "#7B8794"  # secondary text, thin lines
PAPER = "#FFFFFF"
GRID = "#E4E9EE"  # lines under everything
ALARM = "#B00020"  # deadlock, nothing else

TITLE, LABEL, SMALL = 16, 13, 11  # points
SLIDE = 13.3  # inches, the width of a 16:9 slide


def on(colour: str) -> str:
    """Return the colour of what is written or hatched on a colour: dark on light, light on dark.

    Examples
    --------
    >>> on("#F0E442") == INK, on("#332288") == PAPER
    (True, True)
    """
    red, green, blue = to_rgb(colour)
    return INK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.45 else PAPER


@lru_cache(maxsize=4096)
def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Return how wide a line of text is, in points.

    Examples
    --------
    >>> text_width("mm", 12) > text_width("m", 12) > 0
    True
    """
    properties = FontProperties(size=size, weight="bold" if bold else "normal")
    width: float = text_to_path.get_text_width_height_descent(text, properties, ismath=False)[0]
    return width


def shortened(name: str, limit: int = 30) -> str:
    """Return a name on one line, its middle left out if it is longer than ``limit`` characters.

    Examples
    --------
    >>> shortened("a_rather_long_name_of_a_channel", 15)
    'a_rathe…channel'
    """
    name = " ".join(name.split())
    if len(name) <= limit:
        return name
    tail = (limit - 1) // 2
    return f"{name[: limit - 1 - tail]}…{name[-tail:]}"


def verbatim(*texts: Text) -> None:
    """Print the texts as they are: a dollar sign in a name does not start a formula."""
    for text in texts:
        text.set_parse_math(False)
