"""How kinds of intervals look in pictures of ranks: their colours, what the legend says, where they stand in a row."""

from __future__ import annotations

from ppnsim.plots.colours import PALETTE

LOOKS = {
    "compute": PALETTE[4], "send": PALETTE[1], "receive": PALETTE[2], "bytes": PALETTE[0], "gap": PALETTE[3],
    "latency": "#D6DBE1", "wait": "#F1F3F5", "port out": PALETTE[1], "port in": PALETTE[2],
}  # fmt: skip
LETTERS = {"send": " (o, O)", "receive": " (o, O)", "bytes": " (G)", "gap": " (g, G)", "latency": " (L)"}
LANES = {"port out": (0.22, 0.34), "port in": (0.08, 0.20)}  # of the height of a rank
PROCESSOR = (0.40, 0.92)
MOST = 64  # ranks that a picture shows
