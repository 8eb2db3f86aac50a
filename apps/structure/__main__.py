"""Measure the shape of the program: modules, lines, rooms and the imports between them, from the sources alone.

python apps/structure                 this checkout
python apps/structure CHECKOUT …      others beside it, a column each
"""

from __future__ import annotations

import argparse
import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
LONG = 30
"""Lines of a function, docstring apart, beyond which it is counted as long."""


def name_of(module: Path, package: Path) -> str:
    """Return the dotted name of a module file of *package*."""
    parts = module.relative_to(package.parent).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def imports(tree: ast.Module, names: set[str]) -> set[str]:
    """Return those of *names* that a module imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom) and node.module:
            wanted = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (wanted & names) or {node.module}
    return found & names


def room(name: str) -> str:
    """Return the package, or the single module, directly under the program's that a module belongs to."""
    return name.split(".")[1] if "." in name else name


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of a function without its docstring."""
    lines = (node.end_lineno or node.lineno) - node.lineno + 1
    first = node.body[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def circles(uses: dict[str, set[str]]) -> int:
    """Return how many imports must be cut until no modules import each other."""
    uses, cut = {name: set(found) for name, found in uses.items()}, 0
    while True:
        try:
            TopologicalSorter(uses).prepare()
        except CycleError as error:
            later, earlier = error.args[1][:2]  # each is imported by the next
            uses[earlier].discard(later)
            cut += 1
        else:
            return cut


def constants(trees: dict[str, ast.Module]) -> int:
    """Return how many numbers have a name of their own in capitals at the top of a module."""
    return sum(
        isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and node.targets[0].id.isupper()
        and any(
            isinstance(part, ast.Constant) and isinstance(part.value, (int, float))
            for part in ast.walk(node.value)
        )
        for tree in trees.values()
        for node in tree.body
    )


def shape(checkout: Path) -> dict[str, str]:
    """Return the figures of a checkout, by what they count."""
    package = checkout / "bgsub"
    texts = {
        name_of(path, package): path.read_text(encoding="utf-8") for path in sorted(package.rglob("*.py"))
    }
    trees = {name: ast.parse(text) for name, text in texts.items()}
    uses = {name: imports(tree, set(trees)) - {name} for name, tree in trees.items()}
    arrows = {(room(name), room(other)) for name, found in uses.items() for other in found} - {
        (each, each) for each in map(room, trees)
    }
    between: dict[str, set[str]] = {}
    for name, other in arrows:
        between.setdefault(name, set()).add(other)
    lines = [len(text.splitlines()) for text in texts.values()]
    functions = [
        length(node)
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]
    loose = [path for path in package.glob("*.py") if path.stem != "__init__"]
    pages = list((checkout / "docs").rglob("*.md"))
    figures = {
        "modules": len(trees),
        "lines": sum(lines),
        "modules loose at the top": len(loose),
        "rooms": len({room(name) for name in trees}),
        "arrows between rooms": len(arrows),
        "circles of rooms": circles(between),
        "circles of modules": circles(uses),
        "median module, lines": round(median(lines)),
        "longest module, lines": max(lines),
        f"functions of more than {LONG} lines": sum(each > LONG for each in functions),
        "named numbers": constants(trees),
        "lines of README.md": len((checkout / "README.md").read_text(encoding="utf-8").splitlines()),
        "pages of docs": len(pages),
    }
    return {what: str(count) for what, count in figures.items()}


def main() -> None:
    """Print a table."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("checkouts", nargs="*", type=Path, metavar="CHECKOUT", help="others beside this one")
    given = words.parse_args()
    columns = [shape(checkout) for checkout in (*given.checkouts, ROOT)]
    names = [*map(str, given.checkouts), "here"]
    print(f"| | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for what in columns[0]:
        print(f"| {what} | {' | '.join(column[what] for column in columns)} |")


if __name__ == "__main__":
    main()
