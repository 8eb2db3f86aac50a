"""The public surface: every name is there, and asking for one is what loads it."""

from __future__ import annotations

import subprocess
import sys

import pytest

import bgsub


def test_the_exported_names_are_sorted_and_given_once():
    assert bgsub.__all__ == sorted(set(bgsub.__all__))


def test_every_exported_name_resolves_to_a_documented_object():
    for name in bgsub.__all__:
        thing = getattr(bgsub, name)
        assert thing.__name__ == name
        assert thing.__doc__
        assert name in dir(bgsub)


def test_a_star_import_brings_exactly_the_exported_names():
    space: dict[str, object] = {}
    exec("from bgsub import *", space)
    assert sorted(set(space) - {"__builtins__"}) == bgsub.__all__


def test_an_unknown_name_is_an_attribute_error():
    for name in ("seperate", "pandas", "__wrapped__"):
        with pytest.raises(AttributeError, match=rf"module 'bgsub' has no attribute '{name}'"):
            getattr(bgsub, name)


def test_what_answers_help_loads_no_heavy_library():
    heavy = "{'numpy', 'scipy', 'cv2', 'av', 'numba', 'skimage', 'tqdm'}"
    statements = "import bgsub.cli.main; from bgsub import Options; Options()"
    script = f"{statements}; import sys; print(*({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
