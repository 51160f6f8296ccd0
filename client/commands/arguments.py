"""What several commands ask for in the same way: the game, its seats, its options, its bots."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Final

from client.errors import UserError, nearest
from client.texts import _
from engine.core.agenda import Table
from engine.core.errors import Refusal
from engine.core.registry import GAMES, GameSpec, game, settle_options

USUAL_GAME: Final = "eclipse2"
"""What is played if nobody says."""
LOCKED_FROM: Final = 3
"""Players from which on dice have a lock, as `p2p.lockstep.randomness` has it, which loads slowly."""


def add_game(parser: ArgumentParser, default: str | None = None, known: Iterable[str] = GAMES) -> None:
    """GAME; may be left out where there is a default.  known: the games that will do."""
    text = _("the game: {known}").format(known=", ".join(known))
    if default is None:
        parser.add_argument("game", metavar=_("GAME"), help=text)
    else:
        text += " " + _("(default: {default})").format(default=default)
        parser.add_argument("game", metavar=_("GAME"), nargs="?", default=default, help=text)


def add_table(parser: ArgumentParser, players: int) -> None:
    """--players and -o, which `settled` reads."""
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
    """--bots LEVEL."""
    from client.bots import LEVELS

    known = ", ".join(LEVELS)
    text = _("how bots play: {known} (default: {default})").format(known=known, default=default)
    parser.add_argument("--bots", metavar=_("LEVEL"), default=default, help=text)


def add_seed(parser: ArgumentParser, text: str) -> None:
    """--seed S, any text."""
    parser.add_argument("--seed", metavar="S", help=text)


def add_content(parser: ArgumentParser) -> None:
    """--content FILE."""
    parser.add_argument(
        "--content",
        metavar=_("FILE"),
        type=Path,
        help=_("play with the values of FILE instead of the game's own (emperor)"),
    )


def chosen_game(name: str, content: Path | None = None) -> GameSpec:
    """The game of that name, perhaps with the content of a file.  UserError for an unknown one, or a bad file."""
    spec = game(known_game(name))
    if content is None:
        return spec
    from client.custom_content import read_custom

    return read_custom(spec, content).spec


def known_game(name: str, known: Collection[str] = GAMES) -> str:
    """The name itself if there is such a game among those known.  UserError for an unknown one."""
    if name in known:
        return name
    close = nearest(name, list(known))
    raise UserError(
        "cli/unknown-game",
        _("There is no game “{name}”.").format(name=name),
        _("Did you mean “{close}”?").format(close=close)
        if close
        else _("Games: {known}").format(known=", ".join(known)),
    )


PACES: Final = ("live", "post")
"""How a table means to be played; "post" proposes other options."""


def _at_pace(pace: str, players: int) -> dict[str, str]:
    """The options that a pace proposes where none is given: by post every round of messages takes days, so that dice do
    not wait for all players, and cards for none.  UserError for an unknown pace."""
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
    """The table that --players and the -o's describe.  UserError names the first thing that does not fit."""
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
        given = {**_at_pace(given.pop("pace"), players), **given}
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
                _("Did you mean “{close}”?").format(close=close)
                if close
                else _("Options: {known}").format(known=", ".join(map(str, known))),
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
    from client.wording import DisplayNames, refusal_text

    return UserError(
        refusal.code,
        _("The option {name}: {reason}").format(name=refusal.path, reason=refusal_text(refusal, DisplayNames(spec.id))),
        _("See: {command}").format(command=f"starlock rules {spec.id} options"),
    )
