"""Options from text: command-line words and TOML files in, a commented TOML file out."""

from __future__ import annotations

import json
import tomllib
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

from bgsub.errors import CannotOpen, UsageError
from bgsub.options.areas import EXPECTED, placed, placed_zones
from bgsub.options.position import Position
from bgsub.options.spec import Spec
from bgsub.options.synonyms import meant
from bgsub.options.table import Options, flag, spec_of
from bgsub.options.values import read, unreadable

NONE = "none"
"""The text of an option that nobody asks for and nothing is decided for: no start, no end, no region."""
AREAS = tuple(item.name for item in fields(Options) if spec_of(item).kind == "areas")
"""Options that may name pictures."""
ZONES = tuple(item.name for item in fields(Options) if spec_of(item).kind == "zones")
"""The same, with a name before each."""


def parse(name: str, value: object) -> Any:
    """Turn *value* (text from the command line, or a TOML value) into the field *name* of :class:`Options`.

    Raises
    ------
    UsageError
        When *name* is no option (the nearest one is named) or *value* is empty or not of its kind.
    """
    known = {item.name: spec_of(item) for item in fields(Options)}
    key = name.replace("-", "_")
    if key not in known:
        raise UsageError(f"unknown option '{name}'" + meant(name, [n.replace("_", "-") for n in known]))
    if value == "auto" and known[key].automatic:
        return None
    if value == NONE and known[key].optional:
        return None
    if isinstance(value, str) and not value.strip():
        raise UsageError(f"{flag(key)} is empty; {_instead(known[key])}")
    try:
        return read(known[key].kind, value)
    except (ValueError, TypeError) as error:
        raise UsageError(f"{flag(key)}: cannot read {unreadable(value, error)}") from None


def _instead(spec: Spec) -> str:
    """Return what to write in place of an empty text, more often the unset variable of a script than a wish."""
    if spec.optional:
        forms = EXPECTED.removeprefix("expected ") if spec.kind == "areas" else spec.unit
        return f"give {forms}, or leave it out ('{NONE}' in a file)"
    if spec.range:
        return f"choose from {spec.range}" if spec.choices else f"give a value {spec.range}, or leave it out"
    return "give a value, or leave it out"


def load(path: Path) -> dict[str, Any]:
    """Read a TOML file of options; returns field names and values, each checked for its kind.

    Pictures of regions are looked for beside the file, wherever the program is run; absolute names stay.

    Raises
    ------
    CannotOpen
        When the file cannot be read.
    UsageError
        When it is not TOML, or holds a key that the table does not know (the nearest key is named).
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise CannotOpen(f"cannot read the options file {path}: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is not a TOML file: {error}") from None
    try:
        return {name: _beside(name, value, path.parent) for name, value in _fields(table).items()}
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


def _fields(table: dict[str, Any]) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name in values:
            raise UsageError(f"'{key}' is given twice")
        values[name] = parse(key, value)
    return values


def _beside(name: str, value: Any, folder: Path) -> Any:
    if name in ZONES:
        return placed_zones(value, folder)
    return placed(value, folder) if name in AREAS else value


def dump(options: Options) -> str:
    """Write *options* as a TOML file in which every key is there, with its meaning, range and reason.

    Pictures of regions get absolute names: nobody knows yet which folder the text will lie in.
    """
    lines = ["# bgsub options; give this file back with --config FILE."]
    for item in fields(Options):
        spec = spec_of(item)
        lines += ["", f"# {spec.help}"]
        facts = [f"unit: {spec.unit}" * bool(spec.unit), f"allowed: {spec.range}" * bool(spec.range)]
        default = spec.automatic or _toml(item.default, False)
        facts += [f"default: {default}, because: {spec.reason}"]
        lines += [f"# {'; '.join(fact for fact in facts if fact)}"]
        value = _beside(item.name, getattr(options, item.name), Path.cwd())
        lines += [f"{flag(item.name)[2:]} = {_toml(value, bool(spec.automatic))}"]
    return "\n".join(lines) + "\n"


def _toml(value: Any, automatic: bool) -> str:
    if value is None:
        return '"auto"' if automatic else f'"{NONE}"'
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(_toml(part, automatic) for part in value) + "]"
    if isinstance(value, Position) and value.frame is not None:
        return str(value.frame)
    if isinstance(value, Fraction):
        text = str(Position(seconds=value)).removesuffix("s")
        return json.dumps(text) if "/" in text else text
    # Within quotes TOML escapes as JSON does.
    return json.dumps(str(value), ensure_ascii=False) if isinstance(value, (str, Position)) else repr(value)
