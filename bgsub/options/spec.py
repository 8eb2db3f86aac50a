"""What the option table says of one option."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Spec:
    """What the table says of one option (the metadata of a field of :class:`Options`).

    ``refused`` holds choices that people ask for and that cannot be, each with the reason and a way out.
    """

    help: str
    kind: str
    reason: str
    unit: str = ""
    automatic: str = ""
    optional: bool = False
    choices: tuple[str, ...] = ()
    refused: Mapping[str, str] = field(default_factory=dict)
    minimum: float | None = None
    above: float | None = None
    maximum: float | None = None

    @property
    def range(self) -> str:
        """The allowed values in words; empty when everything of the right kind is allowed."""
        if self.choices:
            return ", ".join(self.choices)
        low = f"> {self.above:g}" if self.above is not None else ""
        low = f"≥ {self.minimum:g}" if self.minimum is not None else low
        high = f"≤ {self.maximum:g}" if self.maximum is not None else ""
        return ", ".join(part for part in (low, high) if part)


def option(default: Any, spec: Spec) -> Any:
    """Return a field of the table: its default, and what the table says of it."""
    return field(default=default, metadata={"spec": spec})
