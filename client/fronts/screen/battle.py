# SPDX-License-Identifier: GPL-3.0-or-later
"""The present battle: ships or plans, phases, rolled dice, chances. Pure functions, like `layout`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from client.fronts.kit.canvas import fit, folded, rule, shortened, wide
from client.show.battles import Battle, Chance, Die, Plan, Volley, share_text, side_text
from client.show.styled import ASCII, Glyphs, Line, line, owner_style, padded, plain, rows
from client.system.texts import _, ngettext

__all__ = ["WHOLE", "battle_lines", "chance_lines", "cut_rows", "dial_parts", "dialled"]

WHOLE: Final = "F8"
"""The key that shows the whole battle."""
BAR: Final = 20
"""Columns of the bar of a chance."""
LEAST: Final = 5
"""The least columns of a bar."""
NUMBERS: Final = 11
"""Most numbers of a dial that are shown."""
PART: Final = re.compile(r"[◂▸]|\[?\d+\]?")
"""An arrow or a number of a dial."""
DIE: Final = 6
"""Columns of a large die."""
LARGE: Final = 3
"""Additional rows of large dice."""
BESIDE: Final = 30
"""The least columns for a text beside large dice."""
FEWEST: Final = 4
"""Rows of the sides that are shown even where the dice and chances need the room."""


def battle_lines(battle: Battle, names: Sequence[str], width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """The battle in at most `height` rows: dice are large if there is room, and what is left out is told with the key
    that shows all."""
    stage = folded(battle.stage, width, "question") if battle.stage else []
    sides = [*_fighters(battle, width, glyphs), *_plans(battle, names, width, glyphs)]
    sides += _phases(battle, names, width, glyphs)
    bar = _bar(battle.chances, names, width)
    chances = [row for each in battle.chances for row in chance_lines(each, names, width, bar)]
    notes = [row for note in battle.notes for row in folded(note, width, "faint", "  ")]
    roll = [row for each in battle.volleys[:1] for row in (*_headed(each, width, glyphs), *_small(each, width))]
    older = [row for each in battle.volleys[1:] for row in _titled(each, width)]
    fixed = 1 + len(stage) + len(roll) + len(chances)
    if roll and fixed + len(sides) + LARGE + len(older) <= height:
        roll = [*_headed(battle.volleys[0], width, glyphs), *_large(battle.volleys[0], width, glyphs)]
    shown = _around(battle, sides, max(height - fixed, FEWEST))
    spare = height - 1 - len(stage) - len(shown) - len(roll) - len(chances)
    lines = [*stage, *shown, *roll, *(older if len(older) <= spare else ()), *chances, *notes][: height - 1]
    everything = (stage, sides, roll, older, chances, notes)
    return [_title(battle.title, sum(map(len, everything)) - len(lines), width, glyphs), *lines]


def _title(text: str, left: int, width: int, glyphs: Glyphs) -> Line:
    """The title, with the key that shows the rows that are left out."""
    more = ngettext("{key}: {n} more row", "{key}: {n} more rows", left).format(key=WHOLE, n=left) if left else ""
    room = width - 3 - (wide(more) + 3 if more else 0)
    title = plain(shortened(line(("", text)), room)) if wide(text) > room > 0 else text
    return rule(title, width, glyphs, tail=more)


def cut_rows(lines: Sequence[Line]) -> list[int]:
    """The row that tells of rows which are left out, if there is one."""
    return [at for at, each in enumerate(lines[:1]) if any(f"{WHOLE}: " in text for _style, text in each)]


def _around(battle: Battle, sides: list[Line], room: int) -> list[Line]:
    """The rows of the sides that fit, around those who act now."""
    if len(sides) <= room:
        return sides
    now = next((at for at, each in enumerate(battle.fighters, 1) if each.now), 1)
    first = max(min(now - (room - 1) // 2, len(sides) - room + 1), 1)
    return [sides[0], *sides[first : first + room - 1]]


def _fighters(battle: Battle, width: int, glyphs: Glyphs) -> Iterator[Line]:
    """A row for each kind of ship, in the order of their turns."""
    if not battle.fighters:
        return
    table = [["", *battle.heads, ""], *([each.name, *each.cells, each.state] for each in battle.fighters)]
    texts = rows(table)
    if max(map(wide, texts)) + 2 > width:
        texts = _close(table)
    head, last = f"  {texts[0]}".rstrip(), battle.heads[-1]
    fitting = (head.removesuffix(last) + each for each in (last, last.split()[-1]))
    head = next((each for each in fitting if wide(each) <= width), head.removesuffix(last))
    while wide(head) > width and " " in head:
        head = head.rstrip().rpartition(" ")[0]
    yield fit(line(("faint", head)), width)
    for each, text in zip(battle.fighters, texts[1:], strict=True):
        mark = glyphs.here if each.now else " "
        style = f"{owner_style(each.owner)} {'bold' if each.now else ''}".strip()
        size, now = wide(each.name), "bold" if each.now else ""
        cut = wide(text) + 2 > width
        shown = text.removesuffix(each.state).rstrip() if cut else text
        if wide(shown) + 2 > width:
            yield from folded(f"{mark} {shown} {each.state}", width, style, "      ")
            continue
        yield fit(line(("key", f"{mark} "), (style, shown[:size]), (now, shown[size:])), width)
        if cut and not each.now:
            yield from (line("      ", *part) for part in folded(each.state, width - 6, now))


def _close(table: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table with a single space between its columns."""
    most = [max(map(wide, column)) for column in zip(*table, strict=True)]
    return [" ".join(padded(cell, room) for cell, room in zip(row, most, strict=True)).rstrip() for row in table]


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
        style = "bold" if card else ""
        if wide(slot) + wide(face) + 2 <= room:
            yield line(("faint", f"{slot}  "), (style, face))
        else:
            yield from folded(f"{slot}  {face}", room, style, "    ")
    for note in plan.notes:
        yield from folded(note, room, "faint", "  ")


def _seal(plan: Plan) -> str:
    """The state of the seal: …, sealed or opened."""
    if plan.sealed is None:
        return _("✓ opened") if plan.opened else ""
    if not plan.sealed:
        return _("… chooses")
    return _("■ sealed ✓ {letters}").format(letters=plan.seal) if plan.seal else _("■ sealed")


def _dial(plan: Plan) -> str:
    """The numbers, the dialed one in brackets; of many those around it."""
    first = max(min(plan.dial - NUMBERS // 2, plan.most - NUMBERS + 1), 0)
    last = min(first + NUMBERS - 1, plan.most)
    told = " ".join(f"[{n}]" if n == plan.dial else str(n) for n in range(first, last + 1))
    told += f" (0…{plan.most})" if last - first < plan.most and not plan.setting else ""
    if plan.setting and not plan.opened:
        return f"◂ {told} ▸" + (f" 0…{plan.most}" if last - first < plan.most else "")
    return told if plan.opened else f"{told}  ?"


def dialled(battle: Battle, seat: int, number: int) -> Battle:
    """The battle with a number on the dial of the plan that this seat is choosing, unless one is picked."""
    plans = [
        replace(plan, dial=number) if plan.owner == seat and plan.setting and plan.dial < 0 else plan
        for plan in battle.plans
    ]
    return replace(battle, plans=tuple(plans))


def dial_parts(lines: Sequence[Line]) -> Iterator[tuple[int, int, str]]:
    """The parts of a dial that is being set: column, row and text of each arrow and number."""
    for row, each in enumerate(lines):
        text = plain(each)
        if "◂" in text and "▸" in text:
            first, last = text.index("◂"), text.index("▸")
            yield from ((wide(text[: at.start()]), row, at.group()) for at in PART.finditer(text, first, last + 1))


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
            both = line(*(run for side in sides for run in side))
            apart = sum(wide(text) for _style, text in both) > width
            yield from (fit(each, width) for each in (sides if apart else [both]))


# Dice and chances ----------------------------------------------------------------------------------------------------


def _result(die: Die) -> str:
    """Hit or miss; the damage of a hit where dice differ in it, since colour alone does not tell it."""
    if die.hit is None:
        return ""
    return f"{_('HIT')} {die.damage or ''}".rstrip() if die.hit else _("miss")


def _headed(volley: Volley, width: int, glyphs: Glyphs) -> Sequence[Line]:
    """Whose roll it is, and its proof."""
    if wide(volley.heading) + 4 <= width:
        return [rule(volley.heading, width, glyphs, f"{owner_style(volley.owner)} bold")]
    return folded(volley.heading, width, f"{owner_style(volley.owner)} bold")


def _dice(volley: Volley) -> str:
    return "  ".join(f"[{die.face}] {_result(die)}".rstrip() for die in volley.dice)


def _small(volley: Volley, width: int) -> list[Line]:
    """A roll in one or more rows: each die with its result."""
    dice = _dice(volley)
    if wide(dice) + wide(volley.note) + 2 <= width:
        return [line(("bold", dice), ("faint", f"  {volley.note}"))]
    return [*folded(dice, width, "bold"), *folded(volley.note, width, "faint")]


def _titled(volley: Volley, width: int) -> list[Line]:
    """An earlier roll: its title in the row of the dice if there is room."""
    text = f"{volley.title}: {_dice(volley)}"
    if wide(text) + wide(volley.note) + 2 <= width:
        return [line((owner_style(volley.owner), text), ("faint", f"  {volley.note}"))]
    return [*folded(text, width, owner_style(volley.owner), "    "), *folded(volley.note, width - 4, "faint", "    ")]


def _large(volley: Volley, width: int, glyphs: Glyphs) -> list[Line]:
    """A roll with as many dice as boxes as fit, and the faces that hit beside them if there is room."""
    count = max(1, min(len(volley.dice), (width - 2) // DIE))
    dice, corner = volley.dice[:count], glyphs is ASCII
    top, bottom, wall = ("+---+", "+---+", "|") if corner else ("┌───┐", "└───┘", "│")
    faces = [(f"die-{die.colour or 'white'}", f" {die.face} ") for die in dice]
    results = [(("bold" if die.hit else "faint"), _result(die).center(DIE - 1)[: DIE - 1] + " ") for die in dice]
    boxes = [
        line("  ", " ".join([top] * count), " "),
        line("  ", *(run for face in faces for run in (("", wall), face, ("", f"{wall} ")))),
        line("  ", " ".join([bottom] * count), " "),
        line("  ", *results),
    ]
    left = len(volley.dice) - count
    more = ngettext("… and {n} more die", "… and {n} more dice", left).format(n=left)
    below = folded(more, width, "faint") if left else []
    room = width - 4 - DIE * count
    beside = [*folded(volley.note, room, "faint")] if room >= BESIDE else []
    if beside and len(beside) <= len(boxes):
        beside += [()] * (len(boxes) - len(beside))
        return [*(line(*box, "  ", *note) for box, note in zip(boxes, beside, strict=True)), *below]
    return [*boxes, *folded(volley.note, width, "faint"), *below]


def chance_lines(chance: Chance, names: Sequence[str], width: int, bar: int = BAR) -> Sequence[Line]:
    """A case with a bar of the first side's share, and both shares in numbers. bar: columns of the bar."""
    if not chance.shares:
        return folded(chance.text, width, "", "    ")
    owner, share = chance.shares[0]
    said = "   ".join(f"{side_text(names, each)} {share_text(part, 1)}" for each, part in chance.shares)
    if bar and bar + wide(said) + wide(chance.text) + 3 <= width:
        return [line(*_barred(owner, share, bar), f" {said}  ", ("faint", chance.text))]
    text = folded(f"{said}  {chance.text}", width, "", "    ")
    if len(text) == 1 or bar + wide(said) + 1 > width:
        return text
    return [line(*_barred(owner, share, bar), f" {said}"), *folded(f"    {chance.text}", width, "faint", "    ")]


def _barred(owner: int, share: float, bar: int) -> Line:
    full = round(bar * share)
    return line((owner_style(owner), "█" * full), ("faint", "░" * (bar - full)))


def _bar(chances: Sequence[Chance], names: Sequence[str], width: int) -> int:
    """Columns of the bars, the same for all, so that they can be compared; 0 for none."""
    rooms = [width - wide(_shares(each, names)) - 3 for each in chances if each.shares]
    return min((room for room in (*rooms, BAR) if room >= LEAST), default=0)


def _shares(chance: Chance, names: Sequence[str]) -> str:
    return "   ".join(f"{side_text(names, each)} {share_text(part, 1)}" for each, part in chance.shares) + chance.text
