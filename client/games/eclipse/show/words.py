# SPDX-License-Identifier: GPL-3.0-or-later
"""Short forms that the pictures of Eclipse share: ships, squares, resources, figures of a ship."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from client.games.eclipse.show.galactic import shrine_count
from client.games.eclipse.wording import term
from client.show.pictures import Frame
from client.show.styled import Run, owner_style
from client.system.texts import _
from engine.core.sections import row_of
from engine.eclipse.population import ORBITAL_SQUARE
from engine.eclipse.state import Eclipse, ship_kind
from engine.eclipse.stats import (
    CANNONS,
    COMPUTER,
    CONSUMPTION,
    DRIVE,
    HULL,
    INITIATIVE,
    MISSILES,
    PRODUCTION,
    SHIELD,
    Stats,
)
from engine.eclipse.terms import ANCIENT, COLOURS, GCDS, GUARDIAN, PIECES, SQUARES

ROMAN: Final = ("", "I", "II", "III")
RESOURCE_SIGNS: Final = "$SM"
"""Money, science, materials."""
SQUARE_SIGNS: Final = "$SMw"
SHIP_SIGNS: Final = "icdb"
"""Interceptor, cruiser, dreadnought, starbase."""
NPC_SIGNS: Final = {ANCIENT: "N", GUARDIAN: "G", GCDS: "GC"}


def squares_text(g: Eclipse, tile: int, room: int = 80) -> str:
    """Population squares: the letters of the cubes there, then free squares in brackets; `*` is advanced.

    With less room the stars are left out, then the free squares become a number.
    """
    held = row_of(g.sectors.cubes, tile)
    taken, free = "", ""
    for square, (kind, star) in enumerate(g.const.squares[tile]):
        if held[square]:
            taken += RESOURCE_SIGNS[held[square] - 1] + "*" * star
        else:
            free += SQUARE_SIGNS[kind] + "*" * star
    full = taken + (f"({free})" if free else "")
    if len(full) > room:
        full = full.replace("*", "")
    if len(full) > room:
        free = free.replace("*", "")
        full = taken.replace("*", "") + (f"({len(free)})" if free else "")
    return full


def planets_text(g: Eclipse, tile: int) -> str:
    """Population squares in words: of each kind how many have a cube and how many there are; `*` is advanced."""
    held, counts = row_of(g.sectors.cubes, tile), dict[str, list[int]]()
    for square, (kind, star) in enumerate(g.const.squares[tile]):
        name = term(SQUARES[kind]) + "*" * star
        count = counts.setdefault(name, [0, 0])
        count[0] += bool(held[square])
        count[1] += 1
    return ", ".join(f"{name} {taken}/{every}" for name, (taken, every) in counts.items())


def structures(g: Eclipse, tile: int) -> str:
    """`O` an orbital, with its cube or brackets; `#` a monolith; `@` a warp portal; `&` and the number of shrines."""
    text = ""
    if g.sectors.orbital[tile]:
        cube = g.sectors.cubes[tile, ORBITAL_SQUARE]
        text += "O" + (RESOURCE_SIGNS[cube - 1] if cube else "()")
    if g.sectors.monolith[tile]:
        text += "#"
    if g.const.portals[tile] or g.sectors.warp[tile]:
        text += "@"
    shrines = shrine_count(g, tile)
    if shrines:
        text += f"&{shrines}"
    return text


def fleet_runs(frame: Frame, here: Mapping[int, Sequence[int]], room: int) -> list[Run]:
    """Ships of a sector by owner: `A2i1c`; only numbers if there is no room."""
    runs: list[Run] = []
    for brief in (False, True):
        runs = []
        for owner, ships in sorted(here.items(), key=lambda each: (each[0] < 0, each[0])):
            if runs:
                runs.append(("", " "))
            runs.append((owner_style(owner), _owner_ships(frame, owner, ships, brief)))
        if sum(len(text) for _style, text in runs) <= room:
            break
    return runs


def _owner_ships(frame: Frame, owner: int, ships: Sequence[int], brief: bool) -> str:
    kinds = [ship_kind(frame.g, ship) for ship in ships]
    if owner < 0:
        counted = {kind: kinds.count(kind) for kind in sorted(set(kinds))}
        return "".join(NPC_SIGNS[kind] + (str(n) if kind != GCDS else "") for kind, n in counted.items())
    if brief:
        return f"{frame.letter(owner)}{len(ships)}"
    counts = [(kinds.count(kind), sign) for kind, sign in enumerate(SHIP_SIGNS)]
    return frame.letter(owner) + "".join(f"{n}{sign}" for n, sign in counts if n)


def ships_text(g: Eclipse, ships: Iterable[int]) -> str:
    """Ships in words: “2 × interceptor, cruiser”."""
    return ships_text_of([ship_kind(g, ship) for ship in ships])


def ships_text_of(kinds: Sequence[int]) -> str:
    """Ships in words, given the type of each."""
    return ", ".join(
        (f"{kinds.count(kind)} × " if kinds.count(kind) > 1 else "") + term(PIECES[kind]) for kind in sorted(set(kinds))
    )


def dice_text(can: Stats) -> str:
    """The dice of a ship: “2 yellow, 1 orange; missiles 2 yellow”, “none; missiles 2 yellow”."""
    return "; ".join(filter(None, (cannons_text(can), missiles_text(can))))


def weapon_text(can: Stats) -> str:
    """The dice of a part, "" without any: “2 yellow”, “missiles 2 yellow”."""
    return _dice(can, CANNONS) or missiles_text(can)


def cannons_text(can: Stats) -> str:
    """The cannon dice of a ship: “2 yellow, 1 orange”."""
    return _dice(can, CANNONS) or _("none")


def missiles_text(can: Stats) -> str:
    """The missile dice of a ship, "" without missiles: “missiles 2 yellow”."""
    dice = _dice(can, MISSILES)
    return _("missiles {dice}").format(dice=dice) if dice else ""


def _dice(can: Stats, weapons: int) -> str:
    return ", ".join(f"{can[weapons + at]} {term(name)}" for at, name in enumerate(COLOURS) if can[weapons + at])


def figures(can: Stats) -> list[str]:
    """The stats of a ship besides its dice."""
    return [
        _("init {n}").format(n=can[INITIATIVE]),
        _("move {n}").format(n=can[DRIVE]),
        _("hull {n}").format(n=can[HULL]),
        _("computer {n:+}").format(n=can[COMPUTER]),
        _("shield {n:+}").format(n=-can[SHIELD]),
        _("energy {n} spare").format(n=can[PRODUCTION] - can[CONSUMPTION]),
    ]
