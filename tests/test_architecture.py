"""The arrows between packages: who may import whom, read from the sources themselves."""

from __future__ import annotations

import ast
import pkgutil
import re
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import bgsub

ROOT = Path(bgsub.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
MAY_USE = {
    "errors": set(),
    "version": set(),
    "base": {"errors"},
    "options": {"base", "errors"},
    "solver": {"base", "errors"},
    "frames": {"base", "errors", "options"},
    "masks": {"base", "errors", "frames"},
    "background": {"base", "errors", "frames", "masks", "options", "solver"},
    "render": {"base", "errors", "frames", "options"},
    "events": {"base", "errors"},
    "exports": {"base", "errors", "events", "frames", "render"},
    "evaluation": {"base", "errors", "frames"},
    "run": {"background", "base", "errors", "events", "exports", "frames", "options", "render", "version"},
    "comparison": {"base", "errors", "evaluation", "frames", "masks", "options", "render", "run", "version"},
    "cli": {"base", "comparison", "errors", "evaluation", "frames", "options", "render", "run", "version"},
    "__main__": {"cli"},
}
"""The rooms from the ground up: each may use rooms above it in this table, and of these only the ones named."""
LIBRARIES = {
    "solver": {"numpy", "scipy", "numba", "threadpoolctl"},
    "errors": set(),
    "options": {"numpy", "cv2"},
}
HEAVY = {"numpy", "scipy", "numba", "cv2", "av", "skimage", "PIL", "tifffile"}
LIGHT = {"__init__", "errors", "options"}
"""What is loaded before it is known what a command will do."""
ONE_DOOR = {
    "av": {"base/pyav.py"},
    "PIL": {"frames/read/animation.py", "frames/read/decode.py"},
    "tifffile": {"frames/read/tiff.py", "frames/read/tiff_axes.py", "frames/read/tiff_pages.py"},
}
"""Libraries that change with their releases: such a change must break few files."""


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


def test_few_files_import_a_library_that_changes():
    for library, door in ONE_DOOR.items():
        assert {named(module) for module in MODULES if library in libraries(module)} == door


def test_what_is_always_loaded_loads_nothing_heavy():
    def loaded(module):
        body = ast.parse(module.read_text(encoding="utf-8")).body
        names = [alias.name for node in body if isinstance(node, ast.Import) for alias in node.names]
        names += [node.module or "" for node in body if isinstance(node, ast.ImportFrom)]
        return {name.split(".")[0] for name in names} & HEAVY

    light = [module for module in MODULES if module.name == "__init__.py" or part_of(module) in LIGHT]
    assert offenders(light, loaded) == {}


def test_a_module_says_what_it_is():
    def faults(module):
        return set() if ast.get_docstring(ast.parse(module.read_text(encoding="utf-8"))) else {"no docstring"}

    assert offenders(MODULES, faults) == {}


def test_what_docstrings_refer_to_is_there():
    def lost(module):
        names = re.findall(r"(?<![\w/.-])bgsub(?:\.[A-Za-z_]\w*)+", module.read_text(encoding="utf-8"))
        return {name for name in names if not resolves(name)}

    assert offenders(MODULES, lost) == {}


@cache
def resolves(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def test_no_modules_import_each_other():
    uses = {name_of(module): uses_of(module) for module in MODULES}
    order = TopologicalSorter(uses)
    order.prepare()  # raises CycleError, which names the circle


def name_of(module: Path) -> str:
    return ".".join(("bgsub", *module.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")


def uses_of(module: Path) -> set[str]:
    """Return the modules that *module* imports when it is loaded or called, but not only for type checkers."""
    names = {name_of(each) for each in MODULES} - {"bgsub"}
    found = {name if name in names else name.rpartition(".")[0] for name in imports(module)}
    return (found & names) - {name_of(module)}
