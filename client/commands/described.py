# SPDX-License-Identifier: GPL-3.0-or-later
"""What can be told to the program, as plain data: the commands and their arguments from their parsers, and what is
typed at a table from the deeds. Completion, the manual page and `help --json` are made of it."""

from __future__ import annotations

from argparse import SUPPRESS, Action, ArgumentParser
from collections.abc import Mapping, Sequence
from typing import TypeAlias

from client.session.deeds import DEEDS
from client.session.deeds.deed import TOPICS
from client.session.deeds.typed import OF_FRONTS, typed_names, usage
from client.system.texts import _
from engine.core.dataclass import dataclass

Parsers: TypeAlias = Mapping[str, tuple[str, ArgumentParser]]
"""Name of a command → its summary and parser."""


@dataclass(frozen=True, slots=True)
class ListedArgument:
    """An argument of a command.

    Attributes:
        names: the words of an option, such as -o; () for an argument that is known by its place.
        value: what stands for its value, "" for an option without one.
        values: what its value can be, as far as that is listed.
    """

    names: Sequence[str]
    value: str
    does: str
    values: Sequence[str]


@dataclass(frozen=True, slots=True)
class ListedCommand:
    """A command. usage: its arguments as they are typed."""

    name: str
    summary: str
    usage: str
    arguments: Sequence[ListedArgument]


@dataclass(frozen=True, slots=True)
class ListedDeed:
    """What is typed at a table.

    Attributes:
        names: all words for it, in the language in use first.
        usage: words and arguments, as they are typed.
        topic: where lists have it.
    """

    id: str
    names: Sequence[str]
    usage: str
    does: str
    topic: str


def listed(parsers: Parsers) -> list[ListedCommand]:
    """The commands in their order."""
    return [
        ListedCommand(name, summary, " ".join(parser.format_usage().split()[2:]), _arguments(parser))
        for name, (summary, parser) in parsers.items()
    ]


def _arguments(parser: ArgumentParser) -> list[ListedArgument]:
    """Those known by their place first. argparse has no public list of them."""
    shown = (each for each in parser._actions if each.help is not SUPPRESS)
    return [_argument(each) for each in sorted(shown, key=lambda each: bool(each.option_strings))]


def _argument(action: Action) -> ListedArgument:
    values = [str(each) for each in vars(action).get("values", action.choices or ())]
    stands = action.metavar or action.dest.upper()
    value = "" if action.nargs == 0 else stands if isinstance(stands, str) else " ".join(stands)
    return ListedArgument(tuple(action.option_strings), value, action.help or "", values)


def listed_deeds() -> list[ListedDeed]:
    """What is typed at a table, by topics."""
    return [
        ListedDeed(each.id, typed_names(each), usage(each), _(each.does), _(topic))
        for topic in TOPICS
        for each in (*DEEDS.values(), *OF_FRONTS.values())
        if each.topic == topic and each.names
    ]
