"""What can be wrong in a file: one small change each, found in the syntax tree, written into the text."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.In: (ast.NotIn,), ast.NotIn: (ast.In,), ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr, ast.BitXor: ast.BitOr,
}  # fmt: skip
_FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
# What guards against mistakes of the programmer, costs time or room but no answer, or is a word of the help.
_GUARDS = {
    "help",
    "metavar",
    "show_default",
    "rich_help_panel",
    "strict",
    "frozen",
    "slots",
    "kw_only",
    "repr",
    "compare",
    "maxsize",
    "encoding",
    "stacklevel",
    "init",
}
_NUMBER = re.compile(r"(?<![\w.\"#-])\d+(?:\.\d+)?(?![\w.])")


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one file.

    Attributes
    ----------
    file : path from the root of the tree.
    line, last : lines that are changed, the first one being 1.
    was, now : those lines before and after, their white space flattened.
    begin, end, put : what is put in the place of which characters of the file.
    """

    file: str
    line: int
    last: int
    was: str
    now: str
    begin: int
    end: int
    put: str

    def text(self, original: str) -> str:
        """Return the file after the change."""
        return original[: self.begin] + self.put + original[self.end :]

    def is_program(self, original: str) -> bool:
        """Return whether the file can still be parsed."""
        try:
            ast.parse("" if self.file.endswith(".toml") else self.text(original))
        except SyntaxError:
            return False
        return True

    def __str__(self) -> str:
        return f"{self.file}:{self.line}\n    - {self.was}\n    + {self.now}"


def mutants(file: str, text: str) -> list[Mutant]:
    """Return every mutant of a Python file or a TOML table, in the order of the text.

    Examples
    --------
    >>> for each in mutants("a.py", "y = x if x < 3 else min(x, key=g)"):
    ...     print(each.now)
    y = x if (x <= 3) else min(x, key=g)
    y = x if (x >= 3) else min(x, key=g)
    y = x if x < 4 else min(x, key=g)
    y = x if x < 2 else min(x, key=g)
    y = x if x < 3 else (max(x, key=g))
    y = x if x < 3 else (min(x))
    >>> [each.now for each in mutants("a.toml", 'ratio = 1.5 # of 2')]
    ['ratio = 2.5 # of 2', 'ratio = 0.5 # of 2']
    """
    found = _of_table(text) if file.endswith(".toml") else _of_tree(text)
    made = (_mutant(file, text, begin, end, now) for begin, end, now in found)
    return [each for each in dict.fromkeys(made) if each.was != each.now]


def _mutant(file: str, text: str, begin: int, end: int, put: str) -> Mutant:
    line, last = text.count("\n", 0, begin) + 1, text.count("\n", 0, end) + 1
    head, tail = text.rfind("\n", 0, begin) + 1, text.find("\n", end)
    tail = len(text) if tail < 0 else tail
    was, now = _flat(text[head:tail]), _flat(text[head:begin] + put + text[end:tail])
    return Mutant(file, line, last, was, now, begin, end, put)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _of_table(text: str) -> Iterator[tuple[int, int, str]]:
    begin = 0
    for line in text.splitlines(keepends=True):
        data = line.split("#")[0]
        equals = data.find("=")
        for match in _NUMBER.finditer(data) if '"' not in data and not data.lstrip().startswith("[") else ():
            if match.start() > equals:
                number = match.group()
                for step in (1, -1):
                    other = f"{float(number) + step:g}" if "." in number else str(int(number) + step)
                    yield begin + match.start(), begin + match.end(), other
        begin += len(line)


def _of_tree(text: str) -> Iterator[tuple[int, int, str]]:
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    encoded = text.encode()

    def place(line: int, column: int) -> int:
        return len(encoded[: starts[line - 1] + column].decode())

    for node, changed in _changes(ast.parse(text)):
        now = changed if isinstance(changed, str) else ast.unparse(changed)
        begin = place(node.lineno, node.col_offset)
        end = place(node.end_lineno or node.lineno, node.end_col_offset or 0)
        yield begin, end, f"({now})" if isinstance(node, ast.expr) and not isinstance(changed, ast.Constant) else now


def _changes(tree: ast.Module) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST | str]]:
    """Yield nodes with what is put in their places."""
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        todo += reversed([each for each in ast.iter_child_nodes(node) if not _is_left_alone(node, each)])
        tests = [node.test] if isinstance(node, ast.If | ast.IfExp | ast.While) else getattr(node, "ifs", [])
        yield from ((test, _negated(test)) for test in tests if not _has_opposite(test))
        if isinstance(node, ast.Return) and node.value is not None and not _is_constant(node.value, None):
            yield node.value, ast.Constant(None)
        elif isinstance(node, ast.AugAssign) and type(node.op) in _OPERATORS:
            yield node, _with(node, op=_OPERATORS[type(node.op)]())
        elif isinstance(node, ast.expr):
            yield from ((node, changed) for changed in _others(node))


def _others(node: ast.expr) -> Iterator[ast.AST]:
    """Yield what an expression can be mistaken for."""
    match node:
        case ast.Constant(value=bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(value=(int() | float()) as number):
            yield from (ast.Constant(number + step) for step in (1, -1))
        case ast.Compare():
            for index, each in enumerate(node.ops):
                for other in _COMPARISONS[type(each)]:
                    yield _with(node, ops=[*node.ops[:index], other(), *node.ops[index + 1 :]])
        case ast.BinOp() if type(node.op) in _OPERATORS:
            yield _with(node, op=_OPERATORS[type(node.op)]())
        case ast.BoolOp():
            yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield node.operand
        case ast.Call():
            yield from _other_calls(node)


def _other_calls(node: ast.Call) -> Iterator[ast.AST]:
    name = node.func.id if isinstance(node.func, ast.Name) else None
    if name in _FUNCTIONS:
        yield _with(node, func=ast.Name(_FUNCTIONS[name]))
    if name == "sorted" and not any(each.arg == "reverse" for each in node.keywords):
        yield _with(node, keywords=[*node.keywords, ast.keyword("reverse", ast.Constant(True))])
    for index, each in enumerate(node.keywords):
        if each.arg is not None and each.arg not in _GUARDS:
            yield _with(node, keywords=[*node.keywords[:index], *node.keywords[index + 1 :]])


def _with(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _has_opposite(test: ast.expr) -> bool:
    """Return whether the negation is found below: one comparison, or a negation already."""
    return (isinstance(test, ast.Compare) and len(test.ops) == 1) or isinstance(test, ast.UnaryOp)


def _is_constant(node: ast.AST, value: object) -> bool:
    return isinstance(node, ast.Constant) and node.value is value


def _is_left_alone(parent: ast.AST, node: ast.AST) -> bool:
    """Return whether a part of the tree says nothing to a machine, or has no place of its own in the text."""
    if isinstance(node, ast.JoinedStr | ast.Assert):
        return True
    match parent:
        case ast.AnnAssign() | ast.arg():
            return node is parent.annotation
        case ast.FunctionDef():
            return node is parent.returns or (node in parent.decorator_list)
        case ast.ClassDef():
            return node in parent.decorator_list
        case ast.keyword():
            return parent.arg in _GUARDS
        case ast.If():
            return isinstance(parent.test, ast.Name) and parent.test.id == "TYPE_CHECKING"
    return False
