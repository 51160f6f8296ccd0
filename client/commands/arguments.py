# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments that several commands share: the game, its seats, its options, its bots, and handicaps that are given
with the levels of bots: `--bots greedy,expert+2`."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace, _ActionsContainer
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from client.system.registry import GAMES
from client.system.texts import _, ngettext
from engine.core.handicap import HANDICAP

if TYPE_CHECKING:
    from client.system.context import Context

USUAL_GAME: Final = "eclipse2"
"""The default game."""


def add_open(parser: _ActionsContainer, name: str, values: Iterable[str], **how: Any) -> None:
    """Add an argument of which these are values to list, and others may be right too. how: as argparse has it."""
    vars(parser.add_argument(name, **how))["values"] = tuple(values)


def add_game(parser: ArgumentParser, default: str | None = None, known: Iterable[str] = GAMES) -> None:
    """Add GAME, optional if there is a default. known: the accepted games."""
    text = _("the game: {known}").format(known=", ".join(known))
    if default is None:
        add_open(parser, "game", known, metavar=_("GAME"), help=text)
    else:
        text += " " + _("(default: {default})").format(default=default)
        add_open(parser, "game", known, metavar=_("GAME"), nargs="?", default=default, help=text)


def add_table(parser: ArgumentParser, players: int) -> None:
    """Add --players and -o, which `settled` reads."""
    text = _("how many seats (default: {default})").format(default=players)
    parser.add_argument("--players", metavar="N", type=int, default=players, help=text)
    parser.add_argument(
        "-o",
        dest="options",
        metavar=_("NAME[=VALUE]"),
        action="append",
        default=[],
        help=_("a table option, as often as needed; `starlock rules GAME options` lists them"),
    )


def add_bots(parser: ArgumentParser, default: str) -> None:
    """Add --bots LEVEL[,LEVEL…]."""
    from client.bots import LEVELS

    known = ", ".join(LEVELS)
    how = _("how bots play: {known} (default: {default})").format(known=known, default=default)
    several = _("several with commas, one for each bot in turn; LEVEL+N gives a bot the handicap N")
    text = f"{how}; {several}; {_('or cmd:PROGRAM, one of your own')}"
    add_open(parser, "--bots", LEVELS, metavar=_("LEVEL"), default=default, help=text)


def settle_bots(args: Namespace, game: str, context: Context) -> None:
    """Put for each level of --bots and --as that the game does not have the one that is the same there, and say so."""
    from client.bots import COMMAS, NUMBERS, level_in, missing_text

    told: dict[str, None] = {}

    def settled(one: str) -> str:
        said, plus, handicap = one.strip().partition("+")
        name = NUMBERS.get(said, said)
        other = level_in(game, name)
        if other == name:
            return one
        told[missing_text(game, name)] = None
        return f"{other}{plus}{handicap}"

    for argument in ("bots", "level"):
        given = getattr(args, argument, None)
        if given is not None:
            setattr(args, argument, ",".join(map(settled, COMMAS.split(given))))
    for text in told:
        context.note(text)


def missed_text(missed: int) -> str:
    """Says how many answers programs have not given."""
    text = ngettext(
        "a stand-in gave {n} answer that a program did not give",
        "a stand-in gave {n} answers that programs did not give",
        missed,
    )
    return text.format(n=missed)


def add_recorded(parser: ArgumentParser) -> None:
    """Add FILE|TABLE, a recorded game that `walk_of_input` reads."""
    text = _("a saved game (.star), or the name of one of your tables")
    parser.add_argument("what", metavar=_("FILE|TABLE"), help=text)


def add_seed(parser: ArgumentParser, text: str) -> None:
    """Add --seed S, any text."""
    parser.add_argument("--seed", metavar="S", help=text)


def add_content(parser: ArgumentParser) -> None:
    """Add --content FILE."""
    parser.add_argument(
        "--content",
        metavar=_("FILE"),
        type=Path,
        help=_("play with the values of FILE instead of the game's own (emperor)"),
    )


LEVEL: Final = re.compile(r"\s*([a-z0-9][\w-]*|(?:cmd|package):.+)\+([0-9]+)\s*")
"""A level, or a bot of others, with what its seat gets more in each round."""


def with_handicaps(said: str, seats: Sequence[int], players: int, options: Sequence[str]) -> tuple[str, list[str]]:
    """The levels without their handicaps, and the options `-o` with them. said: as given to --bots, for these seats of
    a table of so many players."""
    from client.bots import COMMAS

    levels, more = [], []
    for one in COMMAS.split(said):
        found = LEVEL.fullmatch(one)
        levels.append(found[1] if found else one)
        more.append(found[2] if found else "0")
    numbers = ["0"] * players
    for at, seat in enumerate(seats):
        numbers[seat] = more[at % len(more)]
    given = any(number.strip("0") for number in numbers)
    return ",".join(levels), [*options, *([f"{HANDICAP.name}={','.join(numbers)}"] if given else [])]
