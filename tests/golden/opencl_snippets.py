"""Short OpenCL kernels of ``snippets.txt``: the hierarchy of blocks and steps that each is read as, or why not."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from ppnsim.errors import PpnsimError
from ppnsim.opencl.kernel import Block, BlockStep, KernelLoop, KernelNode
from ppnsim.opencl.reader.hints import ReaderOptions
from ppnsim.opencl.reader.load import load_opencl_c

_USED = {  # what stands before the kernel of a line that names it
    "item": "typedef struct { float x; int y; float4 z; int w[3]; } item;",
    "twice": "inline int twice(int x) { return x * 2; }",
    "far": "inline float far(float x, __global const float *p) { if (x > p[0]) return x - p[0]; return sqrt(x); }",
    "put": "inline void put(int *p, int x) { *p = x + 1; }",
}
_KERNEL = """{}
__kernel {}void k(__global float *a, __global const float4 *v, __global int *c, __global {} *s, __local float *l,
                __constant int *t, int n, int m, float f) {{
  const int g = get_global_id(0), h = get_global_id(1), q = get_local_id(0);
  {}
}}
"""
_PLAIN = BlockStep(name="", op="")


def told(lines: list[str]) -> Iterator[str]:
    """Yield each line and what is read; before ``@`` stand attributes, behind ``@@`` sizes, groups and arguments."""
    for line in lines:
        yield line
        text, _, given = line.partition(" @@ ")
        before, _, body = text.rpartition(" @ ")
        numbers = dict(part.split("=") for part in given.split())
        sizes, groups = (_sizes(numbers.pop(name, default)) for name, default in (("global", "64"), ("local", "16")))
        Path("k.cl").write_text(_source(before, body), encoding="utf-8")
        settings = {name: int(number) for name, number in numbers.items()}
        try:
            kernel, design = load_opencl_c("k.cl", settings, ReaderOptions(sizes=sizes, groups=groups))
        except PpnsimError as refused:
            yield f"    refused: {refused}"
            continue
        yield f"    {kernel.work_items} items, vectorise {kernel.vectorise}, {design}"
        for node in kernel.body:
            yield from (f"    {each}" for each in _node(node))


def _sizes(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(int, text.split(",")))


def _source(attributes: str, body: str) -> str:
    words = set(re.findall(r"\w+", body))
    if "s" in words:
        words.add("item")
    functions = " ".join(text for name, text in _USED.items() if name in words)
    lines = re.sub(r"^\| ", "\n#pragma ", body).replace(" ~ ", "\n  ")
    return _KERNEL.format(functions, f"{attributes} ", "item" if "item" in words else "int", lines)


def _node(node: KernelNode) -> Iterator[str]:
    if isinstance(node, Block):
        yield f"{node.name} x {node.trip}:"
        yield from (f"  {_step(each)}" for each in node.steps)
        return
    if isinstance(node, KernelLoop):
        yield f"loop {node.name} x {node.trip}"
        inside = [("", node.body)]
    else:
        yield f"{node.name}, share {node.share}"
        inside = [("then ", node.then), ("else ", node.otherwise)]
    for word, body in inside:
        for each in body:
            yield from (f"  {word}{line}" for line in _node(each))


def _step(step: BlockStep) -> str:
    fields = ((name, getattr(step, name)) for name in BlockStep.__slots__ if name not in ("name", "op"))
    others = (f"{name} {value}" for name, value in fields if value != getattr(_PLAIN, name))
    return ", ".join((f"{step.name}: {step.op}", *others))
