# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle: ships or plans, phases, rolled dice, chances. Pure functions, like `layout`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from client.screen.canvas import fit, folded, rule, wide
from client.show.battles import Battle, Chance, Plan, Volley, share_text, side_text
from client.show.styled import ASCII, Glyphs, Line, line, owner_style, padded, rows
from client.texts import _, ngettext

__all__ = ["battle_lines", "chance_lines"]

BAR: Final = 20
"""Columns of the bar of a chance."""
DIE: Final = 6
"""Columns of a large die."""
LARGE: Final = 5
"""Additional rows of large dice."""


def battle_lines(battle: Battle, names: Sequence[str], width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """The whole battle in at most `height` rows: dice are large if there is room, and the least urgent parts are left
    out."""
    head = [rule(battle.title, width, glyphs), *folded(battle.stage, width, "question")]
    head = head if battle.stage else head[:1]
    body = [*_fighters(battle, width, glyphs), *_plans(battle, names, width, glyphs)]
    body += _phases(battle, names, width, glyphs)
    chances = [row for each in battle.chances for row in chance_lines(each, names, width)]
    notes = [row for note in battle.notes for row in folded(note, width, "faint", "  ")]
    volleys = battle.volleys
    small = [row for each in volleys for row in _small(each, width)]
    used = len(head) + len(body) + len(chances)
    if volleys and used + LARGE + len(small) <= height:
        small = [*_large(volleys[0], width, glyphs), *(row for each in volleys[1:] for row in _small(each, width))]
    return [*head, *body, *small, *chances, *notes][:height]


def _fighters(battle: Battle, width: int, glyphs: Glyphs) -> Iterator[Line]:
    """A row for each kind of ship, in the order of their turns."""
    if not battle.fighters:
        return
    table = [["", *battle.heads, ""], *([each.name, *each.cells, each.state] for each in battle.fighters)]
    texts = rows(table)
    yield fit(line(("faint", f"  {texts[0]}")), width)
    for each, text in zip(battle.fighters, texts[1:], strict=True):
        mark = glyphs.here if each.now else " "
        style = f"{owner_style(each.owner)} {'bold' if each.now else ''}".strip()
        size, now = wide(each.name), "bold" if each.now else ""
        cut = wide(text) + 2 > width
        shown = text.removesuffix(each.state) if cut else text
        yield fit(line(("key", f"{mark} "), (style, shown[:size]), (now, shown[size:])), width)
        if cut:
            yield from folded(each.state, width, now, "    ")


# Plans and phases ----------------------------------------------------------------------------------------------------


def _plans(battle: Battle, names: Sequence[str], width: int, glyphs: Glyphs) -> Iterator[Line]:
    """The plans of both sides next to each other."""
    if not battle.plans:
        return
    room = (width - 3) // max(len(battle.plans), 1)
    blocks = [[*_plan(plan, names, room, glyphs)] for plan in battle.plans]
    for at in range(max(map(len, blocks))):
        cells = [fit(block[at] if at < len(block) else (), room) for block in blocks]
        yield fit(tuple(run for cell in cells for run in (*cell, ("faint", f" {glyphs.walls[5]} ")))[:-1], width)


def _plan(plan: Plan, names: Sequence[str], room: int, glyphs: Glyphs) -> Iterator[Line]:
    """Name and seal, the dial, the cards, the notes."""
    seal = _seal(plan)
    yield line((f"{owner_style(plan.owner)} bold", padded(names[plan.owner], max(room - wide(seal) - 1, 1))), seal)
    yield from folded(_("dial  {numbers}").format(numbers=_dial(plan)), room, "bold" if plan.opened else "")
    for slot, card in plan.cards:
        face = f"[{card or '??????'}]"
        yield line(("faint", f"{slot}  "), ("bold" if card else "", face))
    for note in plan.notes:
        yield from folded(note, room, "faint", "  ")


def _seal(plan: Plan) -> str:
    """The state of the seal: …, sealed or opened."""
    if plan.opened:
        return _("✓ opened")
    return "" if plan.sealed is None else _("■ sealed") if plan.sealed else _("… chooses")


def _dial(plan: Plan) -> str:
    """All numbers, the dialed one in brackets."""
    numbers = [f"[{n}]" if n == plan.dial else str(n) for n in range(plan.most + 1)]
    return " ".join(numbers) + ("" if plan.opened else "  ?")


def _phases(battle: Battle, names: Sequence[str], width: int, glyphs: Glyphs) -> Iterator[Line]:
    """Each phase with the dice of both sides; the present one is marked."""
    marks = {"done": "✓", "now": glyphs.here, "next": " "}
    for phase in battle.phases:
        now = phase.state == "now"
        head = line(("key", f"{marks[phase.state]} "), ("bold" if now else "", phase.name))
        sides = [line("   ", (owner_style(owner), names[owner]), f" {text}") for owner, text in phase.sides]
        whole = line(*head, *(run for side in sides for run in side))
        if sum(wide(text) for _style, text in whole) <= width:
            yield whole
        else:
            yield fit(head, width)
            yield fit(line(*(run for side in sides for run in side)), width)


# Dice and chances ----------------------------------------------------------------------------------------------------


def _result(hit: bool | None) -> str:
    return "" if hit is None else _("HIT") if hit else _("miss")


def _small(volley: Volley, width: int) -> list[Line]:
    """A roll in one or two rows: each die with its result."""
    dice = "  ".join(f"[{die.face}] {_result(die.hit)}".rstrip() for die in volley.dice)
    head = line((owner_style(volley.owner), f"{volley.title}: "), ("bold", dice), "  ", ("faint", volley.note))
    if sum(wide(text) for _style, text in head) <= width:
        return [head]
    first = folded(f"{volley.title}: {dice}", width, owner_style(volley.owner), "    ")
    return [*first, *folded(volley.note, width - 4, "faint", "    ")]


def _large(volley: Volley, width: int, glyphs: Glyphs) -> list[Line]:
    """A roll with as many dice as boxes as fit."""
    count = max(1, min(len(volley.dice), (width - 2) // DIE))
    dice, corner = volley.dice[:count], glyphs is ASCII
    top, bottom, wall = ("+---+", "+---+", "|") if corner else ("┌───┐", "└───┘", "│")
    title = line((f"{owner_style(volley.owner)} bold", volley.title), "  ", ("faint", volley.note))
    lines = [title]
    if sum(wide(text) for _style, text in title) > width:
        lines = [fit(title[:1], width), *folded(volley.note, width, "faint", "  ")]
    lines.append(line("  ", " ".join([top] * count)))
    faces = [(f"die-{die.colour or 'white'}", f" {die.face} ") for die in dice]
    lines.append(line("  ", *(run for face in faces for run in (("", wall), face, ("", f"{wall} ")))))
    lines.append(line("  ", " ".join([bottom] * count)))
    results = [(("bold" if die.hit else "faint"), _result(die.hit).center(DIE - 1)[: DIE - 1] + " ") for die in dice]
    lines.append(line("  ", *results))
    left = len(volley.dice) - count
    more = ngettext("… and {n} more die", "… and {n} more dice", left).format(n=left)
    return [*lines, *(folded(more, width, "faint") if left else [])]


def chance_lines(chance: Chance, names: Sequence[str], width: int) -> list[Line]:
    """A case with a bar of the first side's share, and both shares in numbers."""
    if not chance.shares:
        return folded(chance.text, width, "", "    ")
    owner, share = chance.shares[0]
    full = round(BAR * share)
    said = "   ".join(f"{side_text(names, each)} {share_text(part)}" for each, part in chance.shares)
    head = line((owner_style(owner), "█" * full), ("faint", "░" * (BAR - full)), f" {said}  ", ("faint", chance.text))
    if sum(wide(text) for _style, text in head) <= width:
        return [head]
    return folded(f"{said}  {chance.text}", width, "", "    ")
