"""The house as a whole: no circle of files, no class name that means several things, no file or function too large."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from statistics import median, quantiles

import networkx as nx
import pytest
from radon.complexity import cc_visit_ast

import ppnsim

PACKAGE = Path(ppnsim.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))


def module_of(file: Path) -> str:
    parts = file.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {module_of(file): file for file in FILES}


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def imports_of(file: Path) -> list[ast.Import | ast.ImportFrom]:
    return [node for node in ast.walk(tree_of(file)) if isinstance(node, ast.Import | ast.ImportFrom)]


def imported(node: ast.AST) -> list[str]:
    """Return the modules of the package that an import statement names."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name in MODULES]
    if isinstance(node, ast.ImportFrom) and node.module in MODULES:
        deeper = [f"{node.module}.{alias.name}" for alias in node.names]
        return [name if name in MODULES else node.module for name in deeper]
    return []


def test_no_circle_of_files() -> None:
    """Imports for type checking and inside functions count: they tie files together all the same."""
    graph = nx.DiGraph(
        (module, other) for module, file in MODULES.items() for node in imports_of(file) for other in imported(node)
    )
    graph.remove_edges_from([(module, other) for module, other in graph.edges if module == other])
    assert [sorted(circle) for circle in nx.strongly_connected_components(graph) if len(circle) > 1] == []


def test_a_class_name_means_one_thing() -> None:
    where = defaultdict(list)
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.ClassDef):
                where[node.name].append(str(file.relative_to(PACKAGE)))
    assert {name: places for name, places in where.items() if len(places) > 1} == {}


def test_modules_are_small() -> None:
    lines = {str(file.relative_to(PACKAGE)): file.read_text(encoding="utf-8").count("\n") for file in FILES}
    assert {name: count for name, count in lines.items() if count > 280} == {}
    assert median(lines.values()) <= 120
    assert quantiles(lines.values(), n=10)[-1] <= 200


@pytest.mark.parametrize("room", sorted({file.relative_to(PACKAGE).parts[0] for file in FILES}))
def test_no_function_has_more_than_twenty_ways_through(room: str) -> None:
    found = {}
    for file in FILES:
        if file.relative_to(PACKAGE).parts[0] == room:
            for block in cc_visit_ast(tree_of(file)):
                for function in [block, *getattr(block, "methods", ()), *getattr(block, "closures", ())]:
                    if function.complexity > 20 and not hasattr(function, "methods"):
                        found[f"{file.relative_to(PACKAGE)}:{function.lineno} {function.name}"] = function.complexity
    assert found == {}


def test_functions_are_short() -> None:
    """Without their docstrings: that of a command is its help."""
    found = {}
    for file in FILES:
        for node in ast.walk(tree_of(file)):
            if isinstance(node, ast.FunctionDef):
                text = node.body[0] if ast.get_docstring(node) is not None else None
                documented = text.end_lineno - text.lineno + 1 if text is not None and text.end_lineno else 0
                if (lines := (node.end_lineno or 0) - node.lineno + 1 - documented) > 65:
                    found[f"{file.relative_to(PACKAGE)}:{node.lineno} {node.name}"] = lines
    assert found == {}


SLOW = {"islpy", "matplotlib", "pandas", "simpy"}


def slow_to_import() -> set[str]:
    """Return the modules that import a slow library at their head, or a module that does."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    for module, file in MODULES.items():
        for node in tree_of(file).body:
            graph.add_edges_from((other, module) for other in imported(node))
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
                graph.add_edges_from((name.split(".")[0], module) for name in names)
    return set().union(*(nx.descendants(graph, library) for library in SLOW))


def test_only_what_is_slow_to_import_is_imported_inside_a_function() -> None:
    """A picture is drawn with matplotlib, a table is made with pandas; a command answers Ctrl-C before all else."""
    slow, found = slow_to_import(), set()
    begin = ("ppnsim", "ppnsim.cli.main", "ppnsim.cli.command")
    for module, file in MODULES.items():
        if all(node in tree_of(file).body for node in imports_of(file)):
            continue
        for function in ast.walk(tree_of(file)):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and module not in begin:
                for node in ast.walk(function):
                    found |= {f"{module}: {other}" for other in imported(node) if other not in slow}
    assert found == set()


def test_the_drawing_of_the_house_names_what_is_there() -> None:
    """Every file and folder that ``ppnsim/README.md`` names exists, and every room is drawn."""
    readme = (PACKAGE / "README.md").read_text(encoding="utf-8")
    named = {name for name in re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?|\w+/(?:\w+/)*\w+)`", readme) if "NAME" not in name}
    roots = (PACKAGE, PACKAGE.parent)
    assert [name for name in sorted(named) if not any((root / name).exists() for root in roots)] == []
    rooms = {
        place.name for place in PACKAGE.iterdir() if place.is_dir() and place.name not in ("__pycache__", "scenarios")
    }
    assert [room for room in sorted(rooms) if f"    {room}/ " not in readme] == []
    assert readme.index("## Four ways") < readme.index("## Recipes")


TESTS = sorted(Path(__file__).parents[1].rglob("test_*.py"))
_EXACT = re.compile(r"rel=1e-12|== Fraction\(|Fraction\(.*\n *\]|== \(?\[?\(?\d[\d_]+|== executed\b|== clocks\b")


def test_beside_a_tolerance_our_own_figure_is_pinned() -> None:
    """A tolerance of a millionth or less only forgives the rounding of floats: there, a law meets itself."""
    loose = []
    for file in TESTS:
        text = file.read_text(encoding="utf-8")
        if "approx" not in text:
            continue
        for function in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)):
            wide = [
                keyword.value.value
                for call in ast.walk(function)
                if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "approx"
                for keyword in call.keywords
                if isinstance(keyword.value, ast.Constant) and float(str(keyword.value.value)) > 1e-6
            ]
            if wide and not _EXACT.search(ast.get_source_segment(text, function) or ""):
                loose.append(f"{file.name}: {function.name}")
    assert loose == []
