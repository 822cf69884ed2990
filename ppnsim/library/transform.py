"""``ppnsim.transform``: a C kernel rewritten, as C that computes the same values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from ppnsim.errors import InputError
from ppnsim.export.place import replacing
from ppnsim.library.answer import Answer
from ppnsim.library.kernels import one_kernel
from ppnsim.library.place import Place
from ppnsim.library.rewriting import rewritten, steps_of
from ppnsim.loops.as_c.source import c_source
from ppnsim.loops.dependences import firings
from ppnsim.loops.program import LoopProgram


@dataclass(frozen=True, kw_only=True, repr=False, eq=False)
class TransformedKernel(Answer):
    """A kernel that was rewritten.

    Attributes
    ----------
    c : the text that takes the place of the source.
    program : the loop program after the last step.
    executions : how often each statement is executed.
    file : the source.
    """

    c: str
    program: LoopProgram
    executions: Mapping[str, int]
    file: str

    def to_dict(self) -> dict[str, Any]:
        """Return what the command writes as JSON."""
        return {"file": self.file, "function": self.program.name, "statements": list(self.rows()), "c": self.c}

    def print(self, console: Console) -> None:
        """Print the C text."""
        console.out(self.c, end="", highlight=False)

    def rows(self) -> Sequence[Mapping[str, Any]]:
        """Return a row for each statement: its name, and how often it is executed."""
        return [{"name": each.name, "executions": self.executions[each.name]} for each in self.program.statements()]

    def save(self, path: Place) -> Path:
        """Write the C text to a file, and return that.

        Raises
        ------
        InputError
            If the file cannot be written.
        """
        with replacing(place := Path(path)) as file:
            file.write(self.c)
        return place

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.program.name}, {len(self.executions)} statements>"


def transform(
    source: Place, *, rewrite: Sequence[str] = (), defines: Mapping[str, str] | None = None,
    settings: Mapping[str, int] | None = None, **options: Any,
) -> TransformedKernel:  # fmt: skip
    """Rewrite a C kernel as C that takes the place of the original and computes the same values.

    Parameters
    ----------
    source : path of a C source.
    rewrite : steps as on the command line, ``["unfold tmp_2=32", "cut y_2=2@j"]``.
    defines, settings : macros and parameters, which become numbers of the text.
    options : ``function`` and ``include``.

    Raises
    ------
    InputError
        If the source cannot be read, or a rewriting would change a value.

    Examples
    --------
    >>> from ppnsim.formats.shipped import directory
    >>> found = transform(directory() / "kernels" / "predictor.c")
    >>> found.c.splitlines()[0]
    '/*'
    """
    steps = steps_of(rewrite)
    program = one_kernel(source, defines=defines or {}, settings=settings or {}, **options)
    program, _ = rewritten(program, steps, io=False)
    said = [f"--{name} {value}" for name, value in steps]
    said += [f"--set {name}={value}" for name, value in (settings or {}).items()]
    text = c_source(program, _text(str(source)), note=" ".join(("ppnsim transform", *said)))
    macros = (f"#ifndef {name.partition('(')[0]}\n#define {name} {value}\n#endif\n" for name, value in _items(defines))
    return TransformedKernel(c="".join(macros) + text, program=program, executions=firings(program), file=str(source))


def _items(defines: Mapping[str, str] | None) -> list[tuple[str, str]]:
    return list((defines or {}).items())


def _text(source: str) -> str:
    try:
        return Path(source).read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InputError(f"is not UTF-8 text (byte {error.start})", where=source) from None
