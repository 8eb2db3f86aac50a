"""The arrows between packages: who may import whom, read from the sources themselves."""

from __future__ import annotations

import ast
import sys
from functools import cache
from pathlib import Path

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
HEAVY = {"numpy", "scipy", "numba", "cv2", "av", "skimage"}
ONE_DOOR = {"av": {"frames/pyav.py"}}
"""Libraries that change with their releases: such a change must break one file only."""


@cache
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


def libraries(module: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(module)}


def named(module: Path) -> str:
    return module.relative_to(ROOT).as_posix()


def offenders(modules: list[Path], wrong) -> dict[str, set[str]]:
    """Return what is *wrong* with each module of which something is; the modules must be some."""
    assert modules
    return {named(module): found for module in modules if (found := wrong(module))}


def test_a_layer_imports_only_layers_below_it():
    layers = [module for module in MODULES if part_of(module) in MAY_USE]
    assert {part_of(module) for module in layers} == set(MAY_USE)
    assert offenders(layers, lambda module: parts_used(module) - MAY_USE[part_of(module)]) == {}


def test_these_layers_use_few_libraries():
    layers = [module for module in MODULES if part_of(module) in LIBRARIES]

    def others(module):
        return libraries(module) - sys.stdlib_module_names - {"bgsub"} - LIBRARIES[part_of(module)]

    assert offenders(layers, others) == {}


def test_one_file_alone_imports_a_library_that_changes():
    for library, door in ONE_DOOR.items():
        assert {named(module) for module in MODULES if library in libraries(module)} == door


def test_only_the_pipeline_and_the_commands_know_the_pipeline():
    below = [module for module in MODULES if part_of(module) not in SEES_ALL | {"__init__"}]
    assert offenders(below, lambda module: parts_used(module) & SEES_ALL) == {"__main__.py": {"cli"}}


def test_packages_load_nothing_by_themselves():
    def loaded(module):
        body = ast.parse(module.read_text(encoding="utf-8")).body
        names = [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]
        return {name.split(".")[0] for name in names} & HEAVY

    assert offenders([module for module in MODULES if module.name == "__init__.py"], loaded) == {}


def test_a_module_is_short_and_says_what_it_is():
    def faults(module):
        text = module.read_text(encoding="utf-8")
        long = {"too long"} if len(text.splitlines()) > LONGEST else set()
        return long | (set() if ast.get_docstring(ast.parse(text)) else {"no docstring"})

    assert offenders(MODULES, faults) == {}
