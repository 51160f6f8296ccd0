# SPDX-License-Identifier: GPL-3.0-or-later
"""The odds of a battle between given ships, for `starlock odds`."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from client.show.battles import possible, share_text
from client.system.errors import UserError
from client.system.meant import hint_of, nearest
from client.system.names import clipped
from client.system.system_troubles import reason
from client.system.texts import _
from client.words import DisplayNames, refusal_text
from client.words.plain import number_of
from engine.core.errors import Refusal
from engine.eclipse.actions.upgrade import judge
from engine.eclipse.catalog import Edition, first, second
from engine.eclipse.columns import NONE
from engine.eclipse.combat.odds import ASSUMPTION, ONE, Group, by_name, odds
from engine.eclipse.stats import (
    CANNONS,
    COMPUTER,
    CONSUMPTION,
    DRIVE,
    HULL,
    INITIATIVE,
    MISSILES,
    NOTHING,
    PRODUCTION,
    SHIELD,
    Stats,
    add,
)
from engine.eclipse.terms import ANCIENT, COLOURS, PIECES, SHIPS, VARIANTS

EDITIONS: Final[Mapping[str, Callable[[], Edition]]] = {"eclipse2": second, "eclipse1": first}
AGAINST: Final = "vs"
COMMAND: Final = "starlock odds eclipse2 2 cruiser vs ancient"
EXAMPLE: Final = (
    '{"attacker": [{"ship": "cruiser", "count": 2, "initiative": 2, "hull": 1, "cannons": {"yellow": 1}}], '
    '"defender": [{"ship": "ancient", "hull": 1, "computer": 1, "cannons": {"yellow": 2}}]}'
)
"""The form of the file for `--input`."""
MOST_SHIPS: Final = 8
"""The most ships of a type in any supply."""
MOST: Final = 40
"""The greatest value of a ship's figure."""
VALUES: Final = ("initiative", "hull", "computer", "shield")
WEAPONS: Final = ("cannons", "missiles")


def answered(game: str, words: Sequence[str], given: tuple[str, bytes] | None) -> tuple[str, Mapping[str, Any]]:
    """The odds of a battle as a text and as JSON: how often each side wins, and what is left.

    words: both sides, typed. given: instead of them, the name and the content of a file. UserError.
    """
    edition = EDITIONS[game]()
    sides = _written(game, edition, words) if given is None else _listed(_read(*given))
    for side in sides:
        _enough(edition, side)
        _alike(game, side)
    _opposed(*sides)
    found = odds(*sides, [edition.constants.dice_damage[colour] for colour in COLOURS])
    left = [by_name(side, counts, PIECES) for side, counts in zip(sides, found.survivors, strict=True)]
    survivors = {
        who: {name: round(count / ONE, 9) for name, count in counts.items()}
        for who, counts in zip(("attacker", "defender"), left, strict=True)
    }
    chances = {
        "attacker_wins": round(found.attacker_wins / ONE, 9),
        "defender_wins": round(found.defender_wins / ONE, 9),
        "neither": round(found.neither / ONE, 9),
    }
    wins = chances["attacker_wins"] if found.certain else possible(found.attacker_wins / ONE)
    worded = _worded(game, wins, found.rounds / ONE, survivors, found.exact)
    answer = {**chances, "rounds": round(found.rounds / ONE, 9), "survivors": survivors, "exact": found.exact}
    return worded, {"assumption": ASSUMPTION, **answer}


def _worded(game: str, wins: float, rounds: float, survivors: Any, exact: bool) -> str:
    named = DisplayNames(game)
    lines = [
        _("The attacker wins: {chance}").format(chance=share_text(wins, 2)),
        _("The defender wins: {chance}").format(chance=share_text(1 - wins, 2)),
        _("Rounds on average: {rounds}").format(rounds=f"{rounds:.2f}"),
    ]
    for who, title in (("attacker", _("Left of the attacker on average")), ("defender", _("… of the defender"))):
        lines.append(f"{title}: " + ", ".join(f"{named(name)} {count:.2f}" for name, count in survivors[who].items()))
    lines.append(
        _(
            "Assumed: nobody retreats; at equal initiative the defender fires first; players sink the ship with the "
            "fewest hits left first, neutral ships the largest that they can."
        )
    )
    if not exact:
        lines.append(_("Not exact: what is less likely than one in a hundred thousand million was left out."))
    return "\n".join(lines)


# In words


def _written(game: str, edition: Edition, words: Sequence[str]) -> tuple[list[Group], list[Group]]:
    """Both sides of `2 cruiser:ion-cannon,hull vs ancient`."""
    tokens = " ".join(words).split()
    if tokens.count(AGAINST) != 1:
        raise UserError(
            "odds/no-battle",
            _("A battle needs two sides: ATTACKER vs DEFENDER, or --input FILE."),
            _("For example: {command}").format(command=COMMAND),
        )
    at = tokens.index(AGAINST)
    parts: list[int] = []
    sides = tuple(_side(game, edition, side, parts) for side in (tokens[:at], tokens[at + 1 :]))
    _tiles(game, edition, parts)
    return sides[0], sides[1]


def _side(game: str, edition: Edition, tokens: Sequence[str], parts: list[int]) -> list[Group]:
    """The ships of a side; `parts` gets the parts of each blueprint that it names."""
    groups: list[Group] = []
    blueprints: dict[tuple[int, tuple[str, ...]], Stats] = {}
    count = ""
    for token in tokens:
        if token.isascii() and token.isdecimal() and not count:
            count = token
            continue
        name, _colon, said = token.replace("_", "-").partition(":")
        kind = _known(name, [PIECES[ship] for ship in SHIPS], _("There is no ship “{name}”."))
        ship = PIECES.index(kind)
        blueprint = ship, tuple(sorted(said.split(",")))
        if blueprint not in blueprints:
            blueprints[blueprint] = (
                _variant(edition, ship, said) if ship >= ANCIENT else _built(game, edition, ship, said, parts)
            )
        stats = blueprints[blueprint]
        groups.append(Group(ship, stats, (0,) * _count(count or "1"), by_rule=ship >= ANCIENT))
        count = ""
    if count or not groups:
        raise UserError(
            "odds/no-ships",
            _("A side has no ships, or a number without a ship after it."),
            _("For example: {command}").format(command=COMMAND),
        )
    return groups


def _enough(edition: Edition, groups: Sequence[Group]) -> None:
    """Raises UserError if a side has more ships of a type than there are."""
    for kind in dict.fromkeys(group.kind for group in groups):
        n, most = sum(len(group.damage) for group in groups if group.kind == kind), edition.supply[kind]
        if n > most:
            raise UserError(
                "odds/count",
                _("{n} ships of the type {ship}: there are {most}.").format(n=n, ship=PIECES[kind], most=most),
                _("Give at most {most}.").format(most=most),
            )


def _alike(game: str, groups: Sequence[Group]) -> None:
    """Raises UserError if ships of one type on one side have different blueprints."""
    blueprints: dict[int, Stats] = {}
    for group in groups:
        if blueprints.setdefault(group.kind, group.stats) != group.stats:
            raise UserError(
                "odds/not-legal",
                _("All ships of a type have one blueprint: {ship}.").format(
                    ship=DisplayNames(game)(PIECES[group.kind])
                ),
                _("Give them the same parts or figures, or make two battles of it."),
            )


def _opposed(attacker: Sequence[Group], defender: Sequence[Group]) -> None:
    """Raises UserError if neutral ships fight beside ships of a player or attack: they were there first."""
    neutral = [{group.by_rule for group in side} for side in (attacker, defender)]
    if {True, False} in neutral:
        problem = _("Ships of players and neutral ships do not fight side by side.")
    elif True in neutral[0]:
        problem = _("Neutral ships always defend.")
    else:
        return
    raise UserError("odds/sides", problem, _("For example: {command}").format(command=COMMAND))


def _count(text: str) -> int:
    number = number_of(text)
    if number is None or not 1 <= number <= MOST_SHIPS:
        raise UserError(
            "odds/count",
            _("{n} ships of a type: there are 1 to {most}.").format(n=clipped(text), most=MOST_SHIPS),
            _("Give a number from 1 to {most}, or leave out the ships that are not there.").format(most=MOST_SHIPS),
        )
    return number


def _variant(edition: Edition, ship: int, said: str) -> Stats:
    """A neutral ship, by the name of its blueprint."""
    there = VARIANTS[: len(edition.npc_stats[ship])]
    if not there:
        others = [PIECES[other] for other in SHIPS if other < ANCIENT or edition.npc_stats[other]]
        raise UserError(
            "odds/unknown-ship",
            _("This game has no such ship."),
            _("Known: {all}").format(all=", ".join(others)),
        )
    return edition.npc_stats[ship][there.index(_known(said or there[0], there, _("There is no blueprint “{name}”.")))]


def _built(game: str, edition: Edition, ship: int, said: str, parts: list[int]) -> Stats:
    """A player's ship: the standard blueprint with exactly these parts, which are added to `parts`, or as printed."""
    board = next(number for number, row in enumerate(edition.species) if row.kind == "terran")
    printed = edition.printed[board][ship]
    if not said:
        chosen = [part for part in printed if part != NONE]
    else:
        ids = edition.part_ids
        chosen = [ids.index(_known(part, ids, _("There is no ship part “{name}”."))) for part in said.split(",")]
        parts += chosen
    inside = [part for part in chosen if not edition.outside_grid[part]]
    if len(inside) > len(printed):
        raise UserError(
            "odds/too-many-parts",
            _("{ship} has {slots} slots, not {n}.").format(ship=PIECES[ship], slots=len(printed), n=len(inside)),
            _("Name at most {slots} parts after the colon.").format(slots=len(printed)),
        )
    stats = add(edition.base_stats[board][ship], *[edition.part_stats[part] for part in chosen])
    problem = judge(ship, stats[PRODUCTION] - stats[CONSUMPTION], stats[DRIVE])
    if problem is not None:
        raise _not_legal(game, problem)
    return stats


def _tiles(game: str, edition: Edition, parts: Sequence[int]) -> None:
    """Raises UserError if there are not enough discovery tiles for these parts of all blueprints."""
    for part in parts:
        id = edition.part_ids[part]
        tiles = sum(row.tiles for row in edition.discoveries if row.part == id)
        if edition.ancient[part] and parts.count(part) > tiles:
            raise _not_legal(game, Refusal("build/none-left", "", (id,)))


def _not_legal(game: str, problem: Refusal) -> UserError:
    return UserError(
        "odds/not-legal",
        refusal_text(problem, DisplayNames(game)),
        _("Name all parts of the ship, its drive and its source too, or none for the printed ones."),
    )


def _known(name: str, known: Sequence[str], message: str) -> str:
    if name in known:
        return name
    close = nearest(name, list(known))
    raise UserError(
        "odds/unknown-name",
        message.format(name=name),
        hint_of(close, _("Known: {all}").format(all=", ".join(known))),
    )


# From a file


def _read(name: str, data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as problem:
        raise UserError(
            "odds/unreadable",
            _("{file} cannot be read as JSON: {problem}").format(file=name, problem=reason(problem)),
            _("For example: {command}").format(command=EXAMPLE),
        ) from problem


def _listed(data: Any) -> tuple[list[Group], list[Group]]:
    """Both sides of `{"attacker": [ship, …], "defender": [ship, …]}`."""
    _only(data, "", ("attacker", "defender"))
    return _rows(data, "attacker"), _rows(data, "defender")


def _rows(data: Any, who: str) -> list[Group]:
    rows = data.get(who)
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_SHIPS:
        raise _wrong(who, _("a list of ships"))
    return [_row(row, f"{who}[{at}]") for at, row in enumerate(rows)]


def _row(row: Any, where: str) -> Group:
    _only(row, where, ("ship", "count", *VALUES, *WEAPONS, "damage", "splitter"))
    name = row.get("ship")
    if not isinstance(name, str) or name not in [PIECES[ship] for ship in SHIPS]:
        raise _wrong(f"{where}.ship", ", ".join(PIECES[ship] for ship in SHIPS))
    stats = list(NOTHING)
    for value, place in zip(VALUES, (INITIATIVE, HULL, COMPUTER, SHIELD), strict=True):
        stats[place] = _number(row, value, where, 0, MOST, 0)
    _arm(stats, row, where)
    count = _number(row, "count", where, 1, MOST_SHIPS, 1)
    damage = row.get("damage", [0] * count)
    hull = stats[HULL]
    if (
        not isinstance(damage, list)
        or len(damage) != count
        or not all(type(points) is int and 0 <= points <= hull for points in damage)
    ):
        raise _wrong(f"{where}.damage", _("one number from 0 to {hull} for each ship").format(hull=hull))
    splitter = row.get("splitter", False)
    if type(splitter) is not bool:
        raise _wrong(f"{where}.splitter", "true, false")
    kind = PIECES.index(name)
    return Group(kind, tuple(stats), tuple(damage), by_rule=kind >= ANCIENT, splitter=splitter)


def _arm(stats: list[int], row: Any, where: str) -> None:
    """Add the dice of a row, by colour."""
    for name, place in zip(WEAPONS, (CANNONS, MISSILES), strict=True):
        dice = row.get(name, {})
        _only(dice, f"{where}.{name}", COLOURS)
        for colour in dice:
            stats[place + COLOURS.index(colour)] = _number(dice, colour, f"{where}.{name}", 0, MOST_SHIPS, 0)


def _only(data: Any, where: str, known: Sequence[str]) -> None:
    if not isinstance(data, dict):
        raise _wrong(where or "input", _("an object with: {known}").format(known=", ".join(known)))
    for key in data:
        if key not in known:
            raise _wrong(f"{where}.{key}".lstrip("."), _("no such key; known: {known}").format(known=", ".join(known)))


def _number(data: Any, key: str, where: str, least: int, most: int, default: int) -> int:
    value = data.get(key, default)
    if type(value) is not int or not least <= value <= most:
        raise _wrong(f"{where}.{key}", _("a number from {least} to {most}").format(least=least, most=most))
    return value


def _wrong(where: str, wanted: str) -> UserError:
    return UserError(
        "odds/input",
        _("{where}: wanted: {wanted}").format(where=where, wanted=wanted),
        _("For example: {command}").format(command=EXAMPLE),
    )
