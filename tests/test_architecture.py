"""The arrows between packages: who may import whom, read from the sources themselves."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import bgsub

ROOT = Path(bgsub.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
LONGEST = 300
TABLE = {"options", "fit_options", "area", "position", "kinds", "spec", "choices"}
"""The option table: plain data that fitting and planning read."""
MAY_USE = {
    "errors": set(),
    "jit": set(),
    "words": set(),
    "size": set(),
    "area": set(),
    "position": set(),
    "kinds": {"area", "position", "size"},
    "spec": set(),
    "choices": set(),
    "checks": {"area", "errors", "position", "spec", "words"},
    "fit_options": {"choices", "spec"},
    "options": {"checks", "choices", "errors", "fit_options", "kinds", "position", "spec"},
    "memory": {"errors", "frames", "size", "words", *TABLE},
    "solver": {"errors", "jit"},
    "frames": {"area", "errors", "jit", "position", "words"},
    "masks": {"errors", "frames", "jit"},
    "background": {"errors", "frames", "jit", "masks", "memory", "solver", "words", *TABLE},
    "render": {"errors", "frames", "words"},
    "evaluation": {"errors", "frames", "words"},
    "shortage": {"frames", "memory", "size", "words", *TABLE},
    "advice": {"frames", "memory", "shortage", "size", "words", *TABLE},
    "plan": {"errors", "frames", "memory", "shortage", "words", *TABLE},
    "version": set(),
    "manifest": {"version", "errors", "frames", "background", "words", *TABLE},
}
LIBRARIES = {
    "solver": {"numpy", "scipy", "numba", "threadpoolctl"},
    "errors": set(),
    "position": set(),
    "options": set(),
    "fit_options": set(),
}
SEES_ALL = {"ahead", "pipeline", "comparison", "cli"}


def imports(module: Path) -> set[str]:
    """Return the dotted names of everything that *module* imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module} imports relatively"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def part_of(module: Path) -> str:
    """Return the package (or the single module) directly under bgsub that *module* belongs to."""
    return module.relative_to(ROOT).parts[0].removesuffix(".py")


def parts_used(module: Path) -> set[str]:
    return {name.split(".")[1] for name in imports(module) if name.startswith("bgsub.")} - {part_of(module)}


def named(module: Path) -> str:
    return str(module.relative_to(ROOT))


@pytest.mark.parametrize("module", [m for m in MODULES if part_of(m) in MAY_USE], ids=named)
def test_a_layer_imports_only_layers_below_it(module):
    assert parts_used(module) - MAY_USE[part_of(module)] == set()


@pytest.mark.parametrize("module", [m for m in MODULES if part_of(m) in LIBRARIES], ids=named)
def test_these_layers_use_few_libraries(module):
    import sys

    others = {name.split(".")[0] for name in imports(module)} - sys.stdlib_module_names - {"bgsub"}
    assert others - LIBRARIES[part_of(module)] == set()


@pytest.mark.parametrize(
    "module", [m for m in MODULES if part_of(m) not in SEES_ALL | {"__init__"}], ids=named
)
def test_only_the_pipeline_and_the_commands_know_the_pipeline(module):
    assert parts_used(module) & SEES_ALL == ({"cli"} if named(module) == "__main__.py" else set())


@pytest.mark.parametrize("module", [m for m in MODULES if m.name == "__init__.py"], ids=named)
def test_packages_load_nothing_by_themselves(module):
    tree = ast.parse(module.read_text(encoding="utf-8"))
    names = [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    assert [
        name for name in names if name.split(".")[0] in ("numpy", "scipy", "numba", "cv2", "av", "skimage")
    ] == []


@pytest.mark.parametrize("module", MODULES, ids=named)
def test_a_module_is_short_and_says_what_it_is(module):
    text = module.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= LONGEST
    assert ast.get_docstring(ast.parse(text))
