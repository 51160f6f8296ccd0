# SPDX-License-Identifier: GPL-3.0-or-later
"""The table that command-line options describe: a game by its name, seats, and options as `name=value`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Final

from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.registry import GAMES
from client.system.texts import _
from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.registry import GameSpec, game, settle_options

LOCKED_FROM: Final = 3
"""Number of players from which dice are locked. `p2p.lockstep.randomness` defines it too, but loads slowly."""


def chosen_game(name: str, content: Path | None = None) -> GameSpec:
    """The game of that name, perhaps with content from a file. UserError for an unknown game or a bad file."""
    spec = game(known_game(name))
    if content is None:
        return spec
    from client.table.custom_content import read_custom

    return read_custom(spec, content).spec


def known_game(name: str, known: Collection[str] = GAMES) -> str:
    """Return the name if it is a known game. UserError otherwise."""
    if name in known:
        return name
    unusable = GAMES.trouble(name)
    if unusable is not None:
        raise unusable
    close = nearest(name, list(known))
    raise UserError(
        "cli/unknown-game",
        _("There is no game “{name}”.").format(name=name),
        hint_of(close, _("Games: {known}").format(known=", ".join(known))),
    )


PACES: Final = ("live", "post")
"""How a table will be played; "post" has other default options."""


def _at_pace(pace: str, players: int) -> dict[str, str]:
    """The default options of a pace. By post every round of messages takes days, so dice do not wait for all players,
    and cards wait for none. UserError for an unknown pace."""
    if pace not in PACES:
        raise UserError(
            "table/option-value",
            _("The option {name} cannot be “{value}”.").format(name="pace", value=pace),
            _("Possible: {known}").format(known=", ".join(PACES)),
        )
    if pace == "live":
        return {}
    return {"patience": "7d", **({"dice": "lock", "draws": "open"} if players >= LOCKED_FROM else {})}


def settled(spec: GameSpec, players: int, options: Sequence[str]) -> Table:
    """The table that `--players` and the `-o` options describe. UserError names the first thing that does not fit."""
    given: dict[str, str] = {}
    for text in options:
        name, equals, value = text.partition("=")
        if name in given:
            raise UserError(
                "cli/option-twice",
                _("The option {name} is given twice.").format(name=name),
                _("Leave one of them out."),
            )
        given[name] = value if equals else "on"
    if "pace" in given:
        known = {option.name for option in spec.options}
        proposed = _at_pace(given.pop("pace"), players)
        given = {**{name: value for name, value in proposed.items() if name in known}, **given}
    table = settle_options(spec, players, given)
    if isinstance(table, Refusal):
        raise _explained(table, spec)
    return table


def _explained(refusal: Refusal, spec: GameSpec) -> UserError:
    match refusal.code, refusal.detail:
        case "table/seats", (seats, least, most):
            return UserError(
                refusal.code,
                _("{game} is not played by {seats}.").format(game=spec.id, seats=seats),
                _("Choose --players from {least} to {most}.").format(least=least, most=most),
            )
        case "table/unknown-option", known:
            close = nearest(refusal.path, [str(name) for name in known])
            return UserError(
                refusal.code,
                _("{game} has no option “{name}”.").format(game=spec.id, name=refusal.path),
                hint_of(close, _("Options: {known}").format(known=", ".join(map(str, known)))),
            )
        case "table/option-value", (value, *possible):
            return UserError(
                refusal.code,
                _("The option {name} cannot be “{value}”.").format(name=refusal.path, value=value),
                _("Possible: {known}").format(known=", ".join(map(str, possible))),
            )
        case "table/option-conflict", (value, other, other_value):
            return UserError(
                refusal.code,
                _("The options {name}={value} and {other}={other_value} exclude each other.").format(
                    name=refusal.path, value=value, other=other, other_value=other_value
                ),
                _("Leave one of them out."),
            )
    from client.words import DisplayNames, refusal_text

    return UserError(
        refusal.code,
        _("The option {name}: {reason}").format(name=refusal.path, reason=refusal_text(refusal, DisplayNames(spec.id))),
        _("See: {command}").format(command=f"starlock rules {spec.id} options"),
    )
