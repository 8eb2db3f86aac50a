"""Flags generated from the option table, the only place that describes an option."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import Field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeVar

import click

from bgsub.errors import OptionError
from bgsub.options import toml
from bgsub.options.spec import Spec
from bgsub.options.table import Options, flag, spec_of

F = TypeVar("F", bound=Callable[..., Any])

SHORT = {"sparsity": "-s"}
METAVAR = {
    "names": "NAMES",
    "file": "FILE",
    "areas": "AREA",
    "zones": "NAME=AREA",
    "seconds": "SECONDS",
    "place": "WHEN",
    "position": "LENGTH",
    "int": "N",
    "angle": "DEGREES",
    "float": "VALUE",
    "rate": "RATE",
    "range": "LOW,HIGH",
    "choice": "NAME",
    "word": "NAME",
}


def table_flags(command: F) -> F:
    """Add a flag to a command for each field of :class:`Options`; values arrive as text in keyword arguments."""
    return some_flags([item.name for item in fields(Options)])(command)


def some_flags(names: Collection[str]) -> Callable[[F], F]:
    """Return what adds a flag to a command for each of these fields, in the order of the table."""

    def add(command: F) -> F:
        for item in reversed(fields(Options)):
            command = _flag(item)(command) if item.name in names else command
        return command

    return add


def names_of(item: Field[Any]) -> list[str]:
    """Return the flags of an option, the long one first."""
    return [flag(item.name), *([SHORT[item.name]] if item.name in SHORT else [])]


def default_text(item: Field[Any]) -> str:
    """Return the default of an option as it would be typed, or in words; empty if there is none."""
    if spec_of(item).automatic:
        return spec_of(item).automatic
    default = item.default
    if default is None or isinstance(default, bool):
        return ""
    if isinstance(default, Fraction):
        return f"{float(default):g}"
    return ",".join(default) if isinstance(default, tuple) else str(default)


def _flag(item: Field[Any]) -> Callable[[F], F]:
    names, spec = names_of(item), spec_of(item)
    if spec.kind == "flag":
        # The command line may turn off what a file turns on.
        pair = f"{names[0]}/--no-{names[0][2:]}"
        return click.option(pair, item.name, is_flag=True, default=None, help=spec.help)
    metavar = "SIZE" if spec.unit == "bytes" else METAVAR[spec.kind]
    text = _help(spec, default_text(item))
    several = spec.kind in ("areas", "zones")
    return click.option(*names, item.name, metavar=metavar, default=None, multiple=several, help=text)


def _help(spec: Spec, default: str) -> str:
    facts = [spec.unit, spec.range, f"default: {default}" * bool(default)]
    return f"{spec.help} [{'; '.join(fact for fact in facts if fact)}]"


def gather(flags: dict[str, Any], file: Path | None) -> Options:
    """Return the options: the table's defaults, overridden by *file*, overridden by the *flags* that were given."""
    values = {} if file is None else toml.load(file)
    if file is not None:
        _check(values, file)
    values |= {name: toml.parse(name, _single(text)) for name, text in flags.items() if _is_given(text)}
    return Options(**values)


def _is_given(text: Any) -> bool:
    return text is not None and text != ()


def _single(text: Any) -> Any:
    """Unwrap the value of a repeatable flag that was given once: only a single value can mean none."""
    return text[0] if isinstance(text, tuple) and len(text) == 1 else text


def scale_is_asked(flags: dict[str, Any], options: Options) -> bool:
    """Return whether the user set the scale; a 1 in a file does not count, since --print-config writes it."""
    return flags["scale"] is not None or options.scale != 1


def _check(values: dict[str, Any], file: Path) -> None:
    """Validate the values of a file before flags are merged in; errors name the file."""
    try:
        Options(**values)
    except OptionError as error:
        raise type(error)(f"{file}: {error}") from None
