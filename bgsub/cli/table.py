"""Flags made from the option table: nothing about an option is said here that the table does not say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

import click

from bgsub import config
from bgsub.options import Options, Spec, flag, spec_of

F = TypeVar("F", bound=Callable[..., Any])

SHORT = {"sparsity": "-s"}
METAVAR = {
    "names": "NAMES",
    "roi": "X,Y,W,H",
    "position": "WHEN",
    "int": "N",
    "float": "VALUE",
    "choice": "NAME",
}


def table_flags(command: F) -> F:
    """Give a command one flag for each field of :class:`Options`; they arrive as text in keyword arguments."""
    for item in reversed(fields(Options)):
        command = _flag(item.name, spec_of(item), item.default)(command)
    return command


def _flag(name: str, spec: Spec, default: Any) -> Callable[[F], F]:
    names = [flag(name), *([SHORT[name]] if name in SHORT else [])]
    if spec.kind == "flag":
        return click.option(*names, name, is_flag=True, default=None, help=spec.help)
    return click.option(*names, name, metavar=METAVAR[spec.kind], default=None, help=_help(spec, default))


def _help(spec: Spec, default: Any) -> str:
    shown = spec.automatic or (",".join(default) if isinstance(default, tuple) else default)
    facts = [f"{spec.unit}" * bool(spec.unit), f"{spec.range}" * bool(spec.range)]
    facts += [f"default: {shown}" * (shown is not None)]
    return f"{spec.help} [{'; '.join(fact for fact in facts if fact)}]"


def gather(flags: dict[str, Any], file: Path | None) -> Options:
    """Return the options: the table's defaults, overridden by *file*, overridden by *flags* that were given."""
    values = {} if file is None else config.load(file)
    values |= {name: config.parse(name, text) for name, text in flags.items() if text is not None}
    return Options(**values)
