"""Rectangles by the thousand, as one artist."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection

from ppnsim.arrays import Float64Array


def rectangles(
    axes: Axes, left: Float64Array, right: Float64Array, low: Float64Array, high: Float64Array, **look: Any
) -> PolyCollection:
    """Draw rectangles between x ``left`` and ``right``, y ``low`` and ``high``, all of one look; return them.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> one, two = np.array([1.0]), np.array([2.0])
    >>> drawn = rectangles(Figure().add_subplot(), one, two, one, two)
    >>> drawn.get_paths()[0].vertices.tolist()
    [[1.0, 1.0], [2.0, 1.0], [2.0, 2.0], [1.0, 2.0], [1.0, 1.0]]
    """
    corners: Any = np.stack(
        [np.stack([left, right, right, left], axis=1), np.stack([low, low, high, high], axis=1)], axis=2
    )
    drawn = PolyCollection(corners, **look)
    axes.add_collection(drawn, autolim=False)
    return drawn
