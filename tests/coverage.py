"""Which lines do the tests run? ``python -m tests.coverage [--report]``: measured once, shown by room.

Measuring runs the whole suite and keeps ``.coverage`` (for each line the tests that ran it, which mutation testing asks
for), ``.coverage.seconds.json`` (what each test took) and ``.coverage.sources.json`` (the files as they were). Lines of
machine code, which no tracer sees, count apart; every other line that is not covered is listed: with a usual reason (a
refusal, what follows an error, a constant answer, a command in its own process), one in ``uncovered.toml``, or without.
"""

from __future__ import annotations

import argparse
import ast
import json
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import coverage
import pytest

ROOT = Path(__file__).parents[1]
DATA, SECONDS, SOURCES = (ROOT / f".coverage{name}" for name in ("", ".seconds.json", ".sources.json"))
REASONS = Path(__file__).with_name("uncovered.toml")
LEAST = 0.95  # of the lines of a room
_MACHINE = ("kernel",)
_RUNNING = {"machine_code": 0, "run_kernel": 0, "run_for": 1}  # which argument is the function


class Stopwatch:
    """Seconds of each test, with its fixtures."""

    def __init__(self) -> None:
        self.seconds: defaultdict[str, float] = defaultdict(float)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add a phase of a test."""
        self.seconds[report.nodeid] += report.duration


def measure(arguments: Sequence[str]) -> int:
    """Run the suite under coverage and return pytest's exit code."""
    watch = Stopwatch()
    files = sorted((ROOT / "ppnsim").rglob("*.py"))
    sources = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in files}
    if "--cov-append" in arguments and SOURCES.exists():
        before = json.loads(SOURCES.read_text(encoding="utf-8"))
        if changed := sorted(name for name in sources | before if sources.get(name) != before.get(name)):
            words = f"{len(changed)} files are not as they were measured ({changed[0]}): lines would be mixed up"
            raise SystemExit(f"{words}; measure anew, without --cov-append")
    options = ["-q", "--cov=ppnsim", "--cov-context=test", "--cov-report="]
    code = pytest.main([*options, *arguments], plugins=[watch])
    SOURCES.write_text(
        json.dumps(sources, indent=0), encoding="utf-8"
    )  # now: coverage erases .coverage.* when it begins
    known = json.loads(SECONDS.read_text(encoding="utf-8")) if "--cov-append" in arguments and SECONDS.exists() else {}
    seconds = {name: round(value, 3) for name, value in sorted(watch.seconds.items())}
    SECONDS.write_text(json.dumps(known | seconds, indent=0), encoding="utf-8")
    return int(code)


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield functions with their qualified names, the inner ones after those around them."""
    todo: list[tuple[str, ast.AST]] = [("", tree)]
    while todo:
        prefix, node = todo.pop()
        for each in ast.iter_child_nodes(node):
            named = isinstance(each, ast.FunctionDef | ast.ClassDef)
            name = f"{prefix}{each.name}." if isinstance(each, ast.FunctionDef | ast.ClassDef) else prefix
            if isinstance(each, ast.FunctionDef):
                yield name[:-1], each
            todo.append((name if named else prefix, each))


@cache
def machine_code() -> dict[str, set[str]]:
    """Return the functions that are compiled, by file: decorated so, or handed to what compiles them.

    Examples
    --------
    >>> machine_code()["ppnsim/explore/explain/slack.py"]
    {'backwards'}
    >>> machine_code()["ppnsim/analysis/self_timed_kernel.py"]
    {'advance'}
    """
    texts = {path: path.read_text(encoding="utf-8") for path in sorted((ROOT / "ppnsim").rglob("*.py"))}
    handed = {
        argument.id
        for text in texts.values()
        if any(f"{name}(" in text for name in _RUNNING)
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in _RUNNING
        for argument in call.args[_RUNNING[call.func.id] :][:1]
        if isinstance(argument, ast.Name)
    }
    telling = ("@kernel", *(f"def {name}(" for name in handed))
    trees = {path: ast.parse(text) for path, text in texts.items() if any(word in text for word in telling)}
    found: dict[str, set[str]] = {}
    for path, tree in trees.items():
        names = {
            name
            for name, function in functions(tree)
            if name in handed or any(ast.unparse(each).split("(")[0] in _MACHINE for each in function.decorator_list)
        }
        if names:
            found[path.relative_to(ROOT).as_posix()] = names
    return found


def lines_missing(file: str, missing: Sequence[int]) -> dict[str, list[int]]:
    """Return lines by the innermost function that holds them, ``-`` outside of all."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    found: defaultdict[str, list[int]] = defaultdict(list)
    for line in missing:
        inside = [name for name, each in functions(tree) if each.lineno <= line <= (each.end_lineno or line)]
        found[max(inside, key=len, default="-")].append(line)
    return dict(found)


def usual_reason(file: str, lines: Sequence[int]) -> str | None:
    """Return why lines are not covered where their kind says it: refusals, and what runs in processes of its own."""
    if file.startswith("ppnsim/cli/") or file.endswith("__main__.py"):
        return "commands run as processes of their own in the tests, which this measurement does not see"
    kinds = _kinds(ast.parse((ROOT / file).read_text(encoding="utf-8")))
    return next((why for why, found in kinds.items() if found.issuperset(lines)), None)


def _kinds(tree: ast.Module) -> dict[str, set[int]]:
    """Return the lines of refusals, of what follows an error, and of constant answers, each by its reason."""
    refused, handled, constant = set[int](), set[int](), set[int]()
    for node in ast.walk(tree):
        for block in ("body", "orelse", "handlers"):
            statements = getattr(node, block, [])
            if isinstance(statements, list) and statements and _ends_refused(statements[-1]):
                refused |= {line for each in statements if _is_plain(each) for line in _lines_of(each)}
        if isinstance(node, ast.ExceptHandler):
            handled |= _lines_of(node)
        elif isinstance(node, ast.Continue | ast.Break | ast.Pass) or (
            isinstance(node, ast.Return) and (node.value is None or _is_constant(node.value))
        ):
            constant |= _lines_of(node)
    return {
        "a refusal that no test asks for": refused,
        "what follows an error that no test provokes": handled,
        "a constant answer, or a way on without one, that no test gets": constant,
    }


def _lines_of(node: ast.stmt | ast.ExceptHandler) -> set[int]:
    return set(range(node.lineno, (node.end_lineno or node.lineno) + 1))


def _ends_refused(last: ast.AST) -> bool:
    return isinstance(last, ast.Raise) or (
        isinstance(last, ast.Expr | ast.Return) and last.value is not None and _refuses(last.value)
    )


def _is_plain(each: ast.stmt) -> bool:
    """Return whether a statement before a refusal only finds its words."""
    return isinstance(each, ast.Assign | ast.AugAssign) or _ends_refused(each)


def _is_constant(value: ast.expr) -> bool:
    """Return whether an answer is a constant, or nothing in brackets."""
    if isinstance(value, ast.Tuple | ast.List):
        return not value.elts
    empty = (
        isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id == "set" and not value.args
    )
    return isinstance(value, ast.Constant) or empty or (isinstance(value, ast.Dict) and not value.keys)


def _refuses(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and "refuse" in value.func.id


def report() -> int:
    """Print the rooms and the lines that no test runs; return 1 if a room is thin."""
    known = coverage.Coverage(data_file=str(DATA))
    known.load()
    reasons: dict[str, dict[str, str]] = tomllib.loads(REASONS.read_text(encoding="utf-8"))
    machine = machine_code()
    rooms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    open_lines: list[tuple[bool, str]] = []
    for path in sorted((ROOT / "ppnsim").rglob("*.py")):
        file = path.relative_to(ROOT).as_posix()
        _, statements, _, missing, _ = known.analysis2(str(path))
        room = rooms[file.split("/")[1] if file.count("/") > 1 else "(top)"]
        room["lines"] += len(statements)
        for function, lines in lines_missing(file, missing).items():
            if any(function == name or function.startswith(f"{name}.") for name in machine.get(file, ())):
                room["machine code"] += len(lines)
                continue
            room["missing"] += len(lines)
            why = reasons.get(file, {}).get(function) or usual_reason(file, lines)
            where = f"  {file}:{','.join(map(str, lines))} {function}"
            open_lines.append((why is None, f"{where}: {why or 'NO REASON'}"))
    thin = False
    for name, room in sorted(rooms.items()):
        covered = 1 - room["missing"] / max(1, room["lines"] - room["machine code"])
        thin |= covered < LEAST
        more = f"{room['machine code']:>4} more are machine code"
        print(f"{name:<12}{room['lines']:>6} lines {covered:>7.1%} covered, {more}")  # noqa: T201
    print("not covered:", *(line for _, line in open_lines), sep="\n")  # noqa: T201
    print(f"{sum(missing for missing, _ in open_lines)} of {len(open_lines)} places have no reason yet")  # noqa: T201
    return int(thin)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m tests.coverage", description=__doc__)
    parser.add_argument("--report", action="store_true", help="measure nothing, show what was measured")
    given, others = parser.parse_known_args(arguments)
    return (0 if given.report else measure(others)) or report()


if __name__ == "__main__":
    sys.exit(main())
