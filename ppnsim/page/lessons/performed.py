"""A lesson performed: its blocks are run in order, and become a page together with what they show."""

from __future__ import annotations

import ast
import io
import shlex
import subprocess
import sys
from contextlib import chdir, redirect_stdout
from html import escape
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from markdown_it import MarkdownIt

from ppnsim.errors import InputError
from ppnsim.page.lessons.lesson import Cell, Lesson

_STYLE = """
body { max-width: 1150px; } pre { background: var(--box); padding: .5rem .8rem; overflow-x: auto; }
pre.out { background: none; border-left: 3px solid var(--line); } iframe { width: 100%; }
details { border: 1px solid var(--line); padding: .3rem .8rem; } article > p { max-width: 46rem; }
"""


def lesson_page(lesson: Lesson) -> str:
    """Return a lesson as one HTML page with all that it shows; it is run in a folder of its own.

    Raises
    ------
    InputError
        If a block of it fails.
    """
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table")
    names: dict[str, Any] = {"__name__": "__lesson__"}
    parts: list[str] = []
    with TemporaryDirectory() as folder, chdir(folder):
        for cell in lesson.cells:
            if cell.kind == "text":
                parts.append(markdown.render(cell.text))
                continue
            parts.append(f"<pre><code>{escape(cell.text.strip())}</code></pre>")
            parts.append(_python(cell, names, lesson) if cell.kind == "python" else _commands(cell, lesson))
    style = (files("ppnsim.page") / "assets" / "page.css").read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f"<title>{escape(lesson.title)}</title><style>{style}{_STYLE}</style></head>\n"
        f"<body><article>{''.join(parts)}</article></body></html>\n"
    )


def _python(cell: Cell, names: dict[str, Any], lesson: Lesson) -> str:
    """Run a block; show what it prints, and the value of its last line as a notebook does."""
    tree = ast.parse(cell.text)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    value: Any = None
    try:
        with redirect_stdout(printed):
            exec(compile(tree, lesson.title, "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), lesson.title, "eval"), names)
    except Exception as error:
        raise InputError(f"{error!r} in\n{cell.text}", where=lesson.title) from error
    shown = f'<pre class="out">{escape(printed.getvalue())}</pre>' if printed.getvalue() else ""
    if hasattr(value, "as_html"):  # a figure, whose _repr_html_ is for other backends of matplotlib
        return f"{shown}{value.as_html('picture')}"
    if hasattr(value, "_repr_html_"):
        return f"{shown}{value._repr_html_()}"
    return shown if value is None else f'{shown}<pre class="out">{escape(repr(value))}</pre>'


def _commands(cell: Cell, lesson: Lesson) -> str:
    """Run commands of ppnsim, in the version that makes the page."""
    told = []
    for line in cell.text.strip().split("\n"):
        program, *arguments = shlex.split(line)
        if program != "ppnsim":
            raise InputError(f"'{program}' is not a command of ppnsim", where=lesson.title)
        command = [sys.executable, "-m", "ppnsim", *arguments]
        done = subprocess.run(command, cwd=Path.cwd(), capture_output=True, text=True, encoding="utf-8", check=False)
        if done.returncode:
            raise InputError(f"'{line}' fails: {done.stderr.strip()}", where=lesson.title)
        told.append(done.stdout)
    return f'<pre class="out">{escape("".join(told))}</pre>'
