"""Which command the words mean: ``bgsub VIDEO`` is ``bgsub separate VIDEO``, wherever its options stand."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable

import click

from bgsub.frames.live.address import kind_of

SHOWN = ("-h", "--help", "--version")
"""Options of the program itself: they print something and exit."""
LIKE_FILES = "*?%[]./\\:"
"""Characters of the names of files, folders and patterns, but not of commands."""


def with_command(words: list[str], group: click.Group, main: str) -> list[str]:
    """Return *words* with the command first: the one that they name, or *main*.

    A word that is neither a command nor footage stays first, to be refused as an unknown command.
    """
    if not words or words[0] in SHOWN:
        return words
    place = _first_argument(words, group.commands[main].params)
    if place is None:
        return [main, *words]
    word = words[place]
    if word in group.commands and "--" not in words[:place]:
        return [word, *words[:place], *words[place + 1 :]]
    return [main, *words] if _is_footage(word) or "--" in words[:place] else [word, *words]


def _first_argument(words: list[str], params: Iterable[click.Parameter]) -> int | None:
    """Return the place of the first word that is no option and no value of one; None if there is none."""
    taking = {name for item in params if _takes_value(item) for name in item.opts}
    skip = False
    for place, word in enumerate(words):
        if skip:
            skip = False
        elif word == "--":
            return place + 1 if place + 1 < len(words) else None
        elif not word.startswith("-") or word == "-":
            return place
        else:
            skip = _ends_with_option(word, taking)
    return None


def _ends_with_option(word: str, taking: Collection[str]) -> bool:
    """Return whether the value of an option of *word*, perhaps one of several letters, is the next word."""
    if word.startswith("--"):
        return word in taking
    places = [place for place, letter in enumerate(word) if f"-{letter}" in taking]
    return bool(places) and places[0] == len(word) - 1


def _takes_value(item: click.Parameter) -> bool:
    return isinstance(item, click.Option) and not item.is_flag


def _is_footage(word: str) -> bool:
    return bool(os.path.lexists(word) or kind_of(word) or set(word) & set(LIKE_FILES))


def asks_for_json(words: Collection[str], others: Collection[str]) -> bool:
    """Return whether *words*, command first, hold ``--json``, and the command is none of the *others*.

    An unknown command counts: whoever asks for JSON wants to be told in JSON of that, too.
    """
    return bool(words) and next(iter(words)) not in others and "--json" in _options(words)


def _options(words: Iterable[str]) -> list[str]:
    found = []
    for word in words:
        if word == "--":
            break
        found.append(word)
    return found
