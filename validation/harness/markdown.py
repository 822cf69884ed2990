"""The report as Markdown; figures are files beside it."""

from __future__ import annotations

from collections.abc import Sequence

from validation.harness.document import Block, Heading, Notes, Table, Text


def markdown(blocks: Sequence[Block]) -> str:
    r"""Return the document; a picture is referred to as ``<name>.svg``.

    Examples
    --------
    >>> print(markdown([Heading(2, "Times"), Table(head=("a", "b"), rows=(("1", "x|y"),))]))
    ## Times
    <BLANKLINE>
    | a | b |
    |---|---|
    | 1 | x\|y |
    <BLANKLINE>
    """
    return "\n\n".join(map(_block, blocks)) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {block.text}"
    if isinstance(block, Text):
        return block.text
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Notes):
        return _folded(block.title, "\n\n".join(block.paragraphs))
    return f"![{block.caption}]({block.name}.svg)\n\n{block.caption}"


def _table(table: Table) -> str:
    lines = [_line(table.head), "|" + "---|" * len(table.head), *map(_line, table.rows)]
    text = "\n".join(lines)
    if table.folded:
        return _folded(table.folded, text)
    return text


def _folded(title: str, text: str) -> str:
    return f"<details><summary>{title}</summary>\n\n{text}\n\n</details>"


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
