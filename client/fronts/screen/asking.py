# SPDX-License-Identifier: GPL-3.0-or-later
"""The pane beside the map: the space in focus, the question with its options and their prices, refusals and the draft,
the seats, what can be bought.

Where rows are short, what can be bought goes first, then the seats, which a bar names too; options always stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Final

from client.fronts.kit.canvas import aimed, fit, folded, hits, rule, shortened, size, wide
from client.fronts.kit.pane import turning
from client.fronts.screen.scene import Focus, Scene, Ui, link_sign
from client.session.menu import MenuEntry, begun
from client.session.waiting import draft_document, idle_document, question_document
from client.show.styled import Line, line, owner_style
from client.system.texts import _, ngettext

LEAST: Final = 4
"""Rows that the options have at least."""
SHORT: Final = 2
"""Rows for the refusals where other panes use the rows that options do not need."""
TOLD: Final = 6
"""Rows for the contents of the space in focus, if there is more to say of it."""
SPACE: Final = 6
"""Rows for the space in focus on the smallest screen."""
ROWS: Final = 24
"""A pane of so many rows names the seats, and the space in focus also while the question has the focus."""
BRIEF: Final = 4
"""Rows for the space in focus where the options need the rest."""
FEW: Final = 6
"""With fewer options visible the seats are left to the bar below."""
OFFERS: Final = 4
"""Fewest rows for what can be bought."""


def beside(scene: Scene, ui: Ui, width: int, height: int) -> list[Line]:
    """The pane at this size."""
    roomy = height >= ROWS and scene.battle is None
    told = _about(scene, ui, width, height) if ui.pane is Focus.MAP or roomy else []
    table = _seats(scene, width) if height >= ROWS else []
    asked = asking(scene, ui, width, height - len(told) - len(table))
    listed = len(scene.entries(ui))
    if missing := listed - len(entries_of(asked)):  # options come first
        rows = max(len(told) - missing, SPACE if ui.pane is Focus.MAP else BRIEF)
        told = told if len(told) <= rows else [*told[: rows - 1], _all_about(scene)]
        asked = asking(scene, ui, width, height - len(told) - len(table))
    if table and len(entries_of(asked)) < min(FEW, listed):
        table = []
        asked = asking(scene, ui, width, height - len(told))
    left = height - len(told) - len(table) - len(asked)
    if not told and left > 2 and scene.battle is None:
        told = _about(scene, ui, width, height)[:left]
    offers = _offers(scene, width, left) if table and left >= OFFERS else []
    blank = [()] * (height - len(told) - len(asked) - len(table) - len(offers))
    return [*told, *asked, *blank, *table, *offers]


def entries_of(lines: Sequence[Line]) -> set[int]:
    """The entries that have rows in these lines."""
    return {int(hit.value) for hit in hits(lines) if hit.what == "entry"}


def _about(scene: Scene, ui: Ui, width: int, height: int) -> list[Line]:
    """The contents of the space in focus, and why no answer can name it, in some rows of a pane of this height."""
    if not ui.place or scene.view.question is not None or "map" not in scene.documents.commands:
        return []
    told = list(scene.picture("map", (ui.place,), width))
    why = scene.refused_rows(ui.place, width) if scene.view.ask is not None else ()
    most = max(height * 2 // 5, SPACE)
    facts = told[: max(most - len(why), min(TOLD, most // 2))]
    if len(told) > len(facts):
        facts[-1] = _all_about(scene)
    return [rule(scene.view.display_names(ui.place), width, scene.glyphs), *facts, *why[: most - len(facts)]]


def _all_about(scene: Scene) -> Line:
    return line(("faint", _("… {key}: all about it").format(key=scene.way("details"))))


def _seats(scene: Scene, width: int) -> list[Line]:
    """A row for each seat: letter, name, link, what all know of it, and as many figures as fit, the last first; ▸
    before those who are waited for, ✎ behind a name with steps that are not sent."""
    view = scene.view
    most = min(max((wide(seat.name) for seat in view.seats), default=0), width // 3)
    lines = [rule(_("Seats"), width, scene.glyphs)]
    for number, seat in enumerate(view.seats):
        waited = scene.glyphs.here if seat.name in view.waiting else " "
        mark = "✎" if seat.mine and view.picked else " "
        name = shortened(line(("bold" if seat.mine else "", seat.name)), most)
        head = line(
            (owner_style(number), f"{seat.letter}{waited}"), *name, ("key", f" {mark}"), link_sign(scene, number)
        )
        told = [each for each in (scene.about_seat(number),) if each]
        for figure, value in reversed(seat.figures):
            text = f"{figure} {value}"
            if wide("  ".join([*told, text])) > width - most - 7:
                break
            told.append(text)
        lines.append(shortened(line(*head, "  ", "  ".join(told)), width))
    return lines


def _offers(scene: Scene, width: int, room: int) -> list[Line]:
    """What can be bought, or what the seat has of it, as far as there is room."""
    told, documents = scene.goods(width), scene.documents
    if not told:
        return []
    title, key = _(documents.commands[documents.goods].title), scene.way("goods")
    lines = [rule(f"{title} ({key})", width, scene.glyphs), *(fit(each, width) for each in told)]
    if len(lines) > room:
        lines = [*lines[: room - 1], *folded(_("… {key}: all of it").format(key=key), width, "faint")[:1]]
    return lines


# The question ---------------------------------------------------------------------------------------------------------


def asking(scene: Scene, ui: Ui, width: int, height: int, *, brief: bool = False, advised: bool = True) -> list[Line]:
    """The pane: question, options, refusals if there is room, draft. Options always have rows. brief: True if other
    panes use the rows that options do not need; advised: False to leave out the advice, as it is where the first part
    of an answer has shown it and it has no room."""
    head = [*_votes(scene, width), *_question(scene, ui, width, advised=advised)]
    draft = scene.told(draft_document, width)
    foot = [rule(_("Draft, not sent"), width, scene.glyphs), *draft] if draft else []
    if brief and len(foot) > (most := max(height // 2, 3)):
        foot = [foot[0], _more(_("{n} above").format(n=len(foot) - most), width), *foot[2 - most :]]
    listed = scene.entries(ui)
    least, ask = min(LEAST, len(listed)), scene.view.ask
    if ask is not None and ask.so_far and len(head) + least + len(foot) > height:
        head = [*_votes(scene, width), *_question(scene, ui, width, advised=False)]
    room = max(height - len(head) - len(foot), least, 0)
    head = head[: max(height - room - len(foot), 1)] if listed else head
    rows = _rows(scene, ui, listed, width, room, brief=brief)
    spare = min(room - len(rows), SHORT) if brief else room - len(rows)
    more = _refused(scene, ui, width, spare) if not ui.only and not ui.path and ui.of is None else []
    return [*head, *rows, *more, *foot]


def _votes(scene: Scene, width: int) -> list[Line]:
    """The proposals that wait for this person's vote."""
    lines: list[Line] = []
    for vote in scene.view.votes:
        text = _("{name} proposes: {what}.").format(name=vote.name, what=vote.text)
        key = scene.way("yes" if scene.battle is not None else "votes")
        lines += [*folded(text, width, "question"), _keyed(_("{key}: agree or refuse").format(key=key))]
    return lines


def _question(scene: Scene, ui: Ui, width: int, *, advised: bool) -> list[Line]:
    """The question, its advice and what is picked so far."""
    view, ask = scene.view, scene.view.ask
    if view.question is not None:
        return yes_or_no(scene, view.question, width)
    if ask is None:
        if scene.view.draft is not None:
            return [rule(_("Ready to send"), width, scene.glyphs)]
        return [rule(_("Waiting"), width, scene.glyphs), *scene.told(idle_document, width)]
    name = view.seats[ask.seat].name
    lines = [rule(name, width, scene.glyphs, f"seat-{ask.seat % 6} bold"), *scene.told(question_document, width)]
    if view.advice and advised:
        lines += folded(scene.said(view.advice), width, "said", "  ")
        lines.append(_keyed(_("{key}: no more advice").format(key=scene.way("guide"))))
    if ui.of is not None:
        lines.append(_keyed(_("Esc: all answers")))
    elif ui.only:
        lines += folded(_("Only: {place}").format(place=ui.only), width, "picked")
    elif ui.path:
        titles = [ask.options[entry.option].title for entry in scene.entries(ui) if entry.option >= 0]
        shared = begun(titles) or " ".join(map(scene.view.display_names, ui.path))
        lines += folded(f"{shared} …", width, "picked")
    if ui.word:
        lines += folded(_("Search: {word}").format(word=ui.word), width, "picked")
    return lines


def yes_or_no(scene: Scene, question: str, width: int) -> list[Line]:
    """A question about a newcomer, or whether to take a seat."""
    keys = _keyed(*_("{yes}: yes   {no}: no").format(yes=scene.way("yes"), no=scene.way("no")).split("  "))
    return [rule(_("A question"), width, scene.glyphs), *folded(question, width, "question"), keys]


def _keyed(*texts: str) -> Line:
    """What keys do, as “v: agree or refuse”, to be clicked."""
    parts = (text.strip().partition(":") for text in texts if text)
    told = (aimed((("key", key), ("faint", f"{sign}{what}  ")), "key", key) for key, sign, what in parts)
    return line(*chain.from_iterable(told))


def _rows(scene: Scene, ui: Ui, listed: Sequence[MenuEntry], width: int, room: int, *, brief: bool) -> list[Line]:
    """The rows of the entries around the cursor; the marked one in full, and all if there is room."""
    if not listed or not room:
        return []
    cursor = min(ui.cursor, len(listed) - 1)
    blocks = [_entry(scene, entry, at, cursor, width) for at, entry in enumerate(listed)]
    if not brief and sum(map(len, blocks)) < room:
        whole = [_entry(scene, entry, at, cursor, width, whole=True) for at, entry in enumerate(listed)]
        blocks = whole if sum(map(len, whole)) <= room else blocks
    first = _first(blocks, max(cursor, 0), room)
    rows = [aimed(turning(fit(row, width), at), "entry", at) for at in range(first, len(blocks)) for row in blocks[at]]
    if room < 3:
        return rows[:room]
    shown = [_more(_("{n} above").format(n=first), width)] if first else []
    if len(rows) <= room - len(shown):
        return shown + rows
    shown += rows[: room - len(shown) - 1]
    left = len(listed) - 1 - max(entries_of(shown))
    return [*shown, _more(_("{n} below").format(n=left) if left else "", width)]


def _first(blocks: Sequence[Sequence[Line]], cursor: int, room: int) -> int:
    """The first entry to show, so that the chosen one is visible with a row for “more” on either side."""
    first, need = cursor, len(blocks[cursor]) + 2
    while first and need + len(blocks[first - 1]) <= room:
        first -= 1
        need += len(blocks[first])
    return 0 if sum(map(len, blocks[:cursor])) + len(blocks[cursor]) < room else first


def _more(text: str, width: int) -> Line:
    return fit(line(("faint", f"     … {text}")), width)


def _entry(scene: Scene, entry: MenuEntry, at: int, cursor: int, width: int, *, whole: bool = False) -> list[Line]:
    """The rows of an entry: mark, number or letter, text, and the price at the end; in full at the cursor and with
    `whole`."""
    chosen = at == cursor
    mark, whole = scene.glyphs.here if chosen else " ", whole or chosen
    key = scene.letter(entry).upper() or (str(at + 1) if at < 9 else " ")
    option = scene.view.ask.options[entry.option] if scene.view.ask is not None and entry.option >= 0 else None
    text, about = (f"{entry.title}{' …' * bool(entry.path)}", "") if option is None else (option.title, option.about)
    tail = f" ({len(entry.options)})" if entry.path else ""
    if entry.stage is not None:
        numbers, picked = entry.stage.numbers, entry.stage.chosen
        tail = _amount(numbers, picked) if numbers else f"  ◂ {picked + 1}/{len(entry.stage.titles)} ▸"
    if entry.amount is not None:
        tail = _amount(entry.amount.numbers, entry.at)
    keys, style = ("key", f"{mark}{key} "), "chosen" if chosen else ""
    room = width - wide(keys[1]) - wide(tail)
    if not whole and wide(text) > room:  # the tail tells what the entry does
        return [fit(line(keys, *shortened(line((style, text)), max(room, 1)), (style, tail)), width)]
    head = line(keys, (style, text + tail))
    if not about:
        return _in_full(head, "", width) if whole else [fit(head, width)]
    row = line(*head, "  ", ("faint", about))
    return _in_full(head, about, width) if whole and size(row) > width else [shortened(row, width)]


def _amount(numbers: Sequence[int], at: int) -> str:
    """A number with the arrows that change it, and its range."""
    return f"  ◂ {numbers[at]} ▸ {numbers[0]}…{numbers[-1]}"


def _in_full(head: Line, about: str, width: int) -> list[Line]:
    """A row that is too long, folded to several rows."""
    keys, (style, text) = head[0], head[1]
    rows = folded(text, width - wide(keys[1]), style)
    lines = [line(keys if not number else "   ", *row) for number, row in enumerate(rows)]
    return [*lines, *(line("     ", *row) for row in (folded(about, width - 5, "faint") if about else []))]


def _refused(scene: Scene, ui: Ui, width: int, room: int) -> list[Line]:
    """The refusals as far as there is room, else their number."""
    ask = scene.view.ask
    if ask is None or not ask.refused or room < 2:
        return []
    lines: list[Line] = [()]
    for number, refused in enumerate(ask.refused):
        rows = folded(f"x {refused.text}", width, "faint", "  ")
        if len(lines) + len(rows) + (number < len(ask.refused) - 1) > room:
            left = len(ask.refused) - number
            said = ngettext("x {n} more reason: {key}", "x {n} more reasons: {key}", left)
            if not number:
                said = ngettext("x not possible, {n} reason: {key}", "x not possible, {n} reasons: {key}", left)
            return [*lines, *folded(said.format(n=left, key=scene.way("why")), width, "faint")][:room]
        lines += rows
    return lines
