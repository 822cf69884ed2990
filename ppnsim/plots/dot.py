"""A network as Graphviz text, for those who want to lay it out or edit it with other tools."""

from __future__ import annotations

from ppnsim.model.network import Network, Style
from ppnsim.plots.words import channel_words, process_lines

_BORDERS: dict[Style, str] = {
    "elastic": 'style="rounded"',
    "flushable": 'style="rounded,dashed"',
    "frozen": 'style="bold", peripheries="2"',
}


def dot(network: Network) -> str:
    r"""Return the network as a Graphviz digraph: a node per process, an edge per channel, both in order of declaration.

    Node identifiers are the names of the processes; the edge attribute ``id`` is the name of the channel.

    Examples
    --------
    >>> from ppnsim.model.builders import chain
    >>> print(dot(chain(firings=4, length=2, depth=2)))
    digraph "chain" {
      rankdir="LR";
      node [shape="box", fontname="sans-serif"];
      edge [fontname="sans-serif", fontsize="10"];
      "p0" [label="p0\n4 firings\nii 1 · latency 3", style="rounded"];
      "p1" [label="p1\n4 firings\nii 1 · latency 3", style="rounded"];
      "p0" -> "p1" [id="c0", label="c0\nIOM− · depth 2"];
    }
    <BLANKLINE>
    """
    lines = [
        f"digraph {_quoted(network.name)} {{",
        '  rankdir="LR";',
        '  node [shape="box", fontname="sans-serif"];',
        '  edge [fontname="sans-serif", fontsize="10"];',
    ]
    for process in network.processes:
        label = _label([process.name, *process_lines(network, process)])
        lines.append(f"  {_quoted(process.name)} [label={label}, {_BORDERS[process.style]}];")
    for channel in network.channels:
        label = _label([channel.name, channel_words(network, channel)])
        ends = f"{_quoted(channel.source)} -> {_quoted(channel.target)}"
        lines.append(f"  {ends} [id={_quoted(channel.name)}, label={label}];")
    return "\n".join([*lines, "}"]) + "\n"


def _escaped(text: str) -> str:
    # Graphviz reads \n, \N, \G ... in labels: a backslash of ours has to be doubled, or a name would turn into another.
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _quoted(text: str) -> str:
    return f'"{_escaped(text)}"'


def _label(lines: list[str]) -> str:
    return '"' + "\\n".join(_escaped(line) for line in lines) + '"'
