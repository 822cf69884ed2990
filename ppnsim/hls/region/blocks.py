"""Streams of blocks as two channels: the blocks that are held, which have the depth, and the blocks that are full."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from ppnsim.c.blocks import BLOCK, HELD
from ppnsim.hls.schedule.model import RegionChannel
from ppnsim.hls.structure.blocks import blocks_of
from ppnsim.loops.program import Array, LoopProgram
from ppnsim.model.elements import Channel


def shown(array: Array, fifo: str) -> str:
    """Return the name of a FIFO for the user: both FIFOs of a stream of blocks have the stream's name.

    Examples
    --------
    >>> held = Array(name="s_ppnsim_held", member=("s", "ppnsim_held"))
    >>> shown(held, "s_ppnsim_held[2]"), shown(Array(name="t"), "t")
    ('s[2]', 't')
    """
    blocks, _ = blocks_of(array)
    return fifo if not blocks else blocks + fifo.removeprefix(array.name)


def as_blocks(
    channel: Channel, known: RegionChannel, array: Array, program: LoopProgram
) -> tuple[Channel, RegionChannel]:  # fmt: skip
    """Return the channel of a FIFO unchanged; the channels of a stream of blocks get its name and its widths.

    A block is held from the start of its write lock to the end of its read lock; the depth bounds the held blocks. The
    full blocks are among the held blocks.
    """
    blocks, member = blocks_of(array)
    if not blocks:
        return channel, known
    name, variable = shown(array, channel.name), known.variable.removesuffix(f".{member}")
    if member != HELD:
        full = replace(channel, name=f"{name}: full", depth=None, width=1, fixed=True, forward=None)
        return full, RegionChannel("full", "", "", known.position)
    block = next((each for each in program.arrays if blocks_of(each) == (blocks, BLOCK)), None)
    width = array.bits if block is None else block.bits * prod(block.shape[len(array.shape) :])
    return replace(channel, name=name, width=width, forward=None), replace(known, variable=variable)
