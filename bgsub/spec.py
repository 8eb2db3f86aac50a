"""What the option table says of one option."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Spec:
    """What the table says of one option (the metadata of a field of :class:`Options`)."""

    help: str
    kind: str
    reason: str
    unit: str = ""
    automatic: str = ""
    optional: bool = False
    choices: tuple[str, ...] = ()
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
