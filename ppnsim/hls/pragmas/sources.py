"""The source texts that contain the directives of a program."""

from __future__ import annotations

from pathlib import Path

from ppnsim.c.inactive_text import without_lines
from ppnsim.hls.pragmas.directives import all_loops
from ppnsim.loops.program import LoopProgram


def sources_of(program: LoopProgram) -> dict[str, str]:
    """Return the text of each file with loops or functions of a program, without lines that no compiler sees."""
    loops = {loop.position.file for loop in all_loops(program.body)}
    files = sorted((loops | {frame.position.file for frame in program.frames}) - {""})
    texts = {file: Path(file).read_text(encoding="utf-8", errors="replace") for file in files}
    return {file: without_lines(text, program.left_out.get(file, ())) for file, text in texts.items()}
