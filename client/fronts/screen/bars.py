# SPDX-License-Identifier: GPL-3.0-or-later
"""The bars of the table: who must act, links and verified steps above; the seat's own figures, seats and chat below;
and the pane beside the map: the space in focus, the question, the seats, what can be bought.

Where rows are short, what can be bought goes first, then the seats, which the bar below names too; options always stay.
"""

from __future__ import annotations

from typing import Final

from client.fronts.kit.canvas import fit, folded, rule, shortened, size, wide
from client.fronts.screen.asking import AskingPane, asking
from client.fronts.screen.scene import Focus, Scene, Ui, link_sign
from client.fronts.screen.troubles import banner, doubtful
from client.session.waiting import silenced
from client.show.pictures import WIDE
from client.show.styled import Line, Run, line, owner_style, plain
from client.system.names import BOT
from client.system.texts import _

TOLD: Final = 6
"""Rows for the contents of the space in focus, if there is more to say of it."""
LEAST: Final = 6
"""Rows for the space in focus on the smallest screen."""
ROWS: Final = 24
"""A pane of so many rows names the seats, and the space in focus also while the question has the focus."""
BRIEF: Final = 4
"""Rows for the space in focus where the options need the rest."""
FEW: Final = 6
"""With no more options visible the seats are left to the bar below."""
OFFERS: Final = 4
"""Fewest rows for what can be bought."""


def beside(scene: Scene, ui: Ui, width: int, height: int) -> AskingPane:
    """The pane at this size."""
    roomy = height >= ROWS and scene.battle is None
    told = _about(scene, ui, width, height) if ui.pane is Focus.MAP or roomy else []
    table = _seats(scene, width) if height >= ROWS else []
    asked = asking(scene, ui, width, height - len(told) - len(table))
    if asked.missing:  # options come first
        rows = max(len(told) - asked.missing, LEAST if ui.pane is Focus.MAP else BRIEF)
        told = told if len(told) <= rows else [*told[: rows - 1], _more(scene)]
        asked = asking(scene, ui, width, height - len(told) - len(table))
    if asked.missing and table and len({*asked.rows}) <= FEW:
        table = []
        asked = asking(scene, ui, width, height - len(told))
    left = height - len(told) - len(table) - len(asked.lines)
    if not told and left > 2 and scene.battle is None:
        told = _about(scene, ui, width, height)[:left]
    offers = _offers(scene, width, left) if table and left >= OFFERS else []
    blank = [()] * (height - len(told) - len(asked.lines) - len(table) - len(offers))
    return AskingPane([*told, *asked.lines, *blank, *table, *offers], [-1] * len(told) + [*asked.rows])


def _about(scene: Scene, ui: Ui, width: int, height: int) -> list[Line]:
    """The contents of the space in focus, and why no answer can name it, in some rows of a pane of this height."""
    if not ui.place or scene.view.question is not None or "map" not in scene.view.pictures.documents.commands:
        return []
    told = list(scene.picture("map", (ui.place,), width))
    reasons = scene.refused_at(ui.place) if scene.view.ask is not None else ()
    why = [row for what, text in reasons for row in folded(f"x {what}: {text}", width, "faint", "  ")]
    most = max(height * 2 // 5, LEAST)
    facts = told[: max(most - len(why), min(TOLD, most // 2))]
    if len(told) > len(facts):
        facts[-1] = _more(scene)
    return [rule(scene.view.display_names(ui.place), width, scene.glyphs), *facts, *why[: most - len(facts)]]


def _more(scene: Scene) -> Line:
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
    told, documents = scene.goods(width), scene.view.pictures.documents
    if not told:
        return []
    title, key = _(documents.commands[documents.goods].title), scene.way("goods")
    lines = [rule(f"{title} ({key})", width, scene.glyphs), *(fit(each, width) for each in told)]
    if len(lines) > room:
        lines = [*lines[: room - 1], *folded(_("… {key}: all of it").format(key=key), width, "faint")[:1]]
    return lines


MINUTE: Final = 60


def top(scene: Scene, columns: int) -> Line:
    """The top bar: program, game, round and phase, who is waited for and how long, the draft, links, verified steps.

    What does not fit is left out from the left: the program, then the clock.
    """
    spelt = columns >= WIDE
    view, bar = scene.view, f" {scene.glyphs.walls[5]} "
    picked = _("✎ {n} unsent").format(n=len(view.picked)) if spelt else f"✎{len(view.picked)}"
    turn = " ".join(filter(None, (_turn(scene), picked if view.picked else "")))
    end = bar.join(_lights(scene, spelt=spelt))
    waits = [since for seat, since in view.since.items() if view.names[seat] in view.waiting]
    clock = _("{n} min").format(n=view.seconds(min(waits)) // MINUTE) if waits else ""
    head = [f"starlock {view.game}".strip(), scene.moment(columns), turn, clock]
    for shorter in (head, [view.game, *head[1:]], [view.game, *head[1:3]], head[1:3], head[2:3]):
        told = f" {bar.join(filter(None, shorter))}"
        if wide(told) + wide(end) + 2 <= columns:
            break
    told = plain(shortened(line(told), max(columns - wide(end) - 2, 1)))
    return fit(line(("bar", f"{told} {end} ")), columns)


def _turn(scene: Scene) -> str:
    """Who must act."""
    view, here = scene.view, scene.glyphs.here
    if view.question is not None:
        return _("a question")
    if view.draft is not None:
        return f"{here} " + _("{name} to answer").format(name=view.seats[view.draft.asked.seat].name)
    if (stopped := next((each for each in view.troubles if each.stops), None)) is not None:
        return (_("cannot follow: {why}") if stopped.ahead else _("stopped: {why}")).format(why=stopped.stops)
    if silenced(view) is not None:
        return _("nothing is sent from here yet")
    if view.confirming:
        return _("ended, being confirmed by {names}").format(names=", ".join(view.waiting))
    return _("waiting for {names}").format(names=", ".join(view.waiting)) if view.waiting else ""


def _lights(scene: Scene, *, spelt: bool) -> list[str]:
    """The link of each seat, with the seconds for which a lost one is lost; how many steps are verified, or that they
    are not as they should be."""
    seats = scene.view.seats
    if not seats:
        return []
    links = "".join(_light(scene, seat) for seat in range(len(seats)))
    if not scene.view.lasting:
        return [links, _("practice")]  # nothing is signed, so nothing is verified
    wrong = any(map(doubtful, scene.troubles))
    if not spelt:
        return [links, f"{'!' if wrong else '✓'}{scene.height}"]
    verified = _("verified {n}").format(n=scene.height)
    return [_("links {signs}").format(signs=links), f"{verified} {'!' if wrong else '✓'}"]


def _light(scene: Scene, seat: int) -> str:
    since = scene.view.lost.get(seat)
    sign = link_sign(scene, seat)
    if since is None or scene.view.seats[seat].linked or scene.view.post:
        return sign
    seconds = scene.view.seconds(since)
    return f"{sign}{seconds}s" if seconds < MINUTE else f"{sign}{seconds // MINUTE}m"


def status(scene: Scene, ui: Ui, columns: int, *, troubled: bool) -> Line:
    """The figures of the seat, or the step that is looked back at. troubled: True to show a trouble here, because no
    rows of news do."""
    if ui.past is not None:
        told = " ".join(each.text for each in scene.told_at(ui.past))
        text = _("looking back: step {n} of {all}").format(n=ui.past, all=scene.height)
        return fit(line(("alarm", f" {text}"), f"  {told}"), columns)
    if troubled and scene.troubles:
        return fit(banner(scene.troubles, columns, scene.way("troubles")), columns)
    return fit(line(("status", f" {scene.figures(columns)}".ljust(columns))), columns)


def unread(scene: Scene, ui: Ui, columns: int) -> Line:
    """The last message of the chat, and how many have not been read; () without any."""
    chat = scene.view.chat
    if not chat:
        return ()
    count, key = len(chat) - ui.read, scene.way("chat")
    tail = _("[{n} unread, {key}]").format(n=count, key=key) if count > 0 else f"[{key}]"
    said = f" {_('chat')}  {chat[-1].name}: {chat[-1].text}"
    return line(*shortened(line(("said", said)), columns - wide(tail) - 2), " ", ("key", tail), " ")


def seats(scene: Scene, ui: Ui, columns: int) -> Line:
    """Letter, name and link of every seat with all its figures, or with the last alone, which is the points; ▸ before
    those who are waited for; unread messages. Names are cut if not all fit."""
    count = len(scene.view.chat) - ui.read
    tail = f" [{scene.way('chat')} {count}] " if count > 0 else ""
    room = columns - len(tail)
    longest = max((wide(seat.name) for seat in scene.view.seats), default=0)
    runs = _seat_runs(scene, None, None)
    for most in (None, *range(longest, 0, -1)):
        if size(runs) <= room:
            break
        runs = _seat_runs(scene, 1, most)
    return (*fit(runs, room), ("key", tail))


def _seat_runs(scene: Scene, figures: int | None, most: int | None) -> Line:
    """figures: how many of them, the last ones; most: columns of a name; None for all."""
    view = scene.view
    runs: list[Run] = []
    for number, seat in enumerate(view.seats):
        waited = scene.glyphs.here if seat.name in view.waiting else " "
        told = " ".join(str(value) for _name, value in seat.figures[-(figures or 0) :])
        name = seat.name if most is None else plain(shortened(line(seat.name.removesuffix(BOT).strip()), most)).rstrip()
        runs += [
            (owner_style(number), f"{waited}{seat.letter}"),
            ("bold" if seat.mine else "", f" {name} "),
            ("faint", f"{link_sign(scene, number)} {told} ".rstrip() + " "),
        ]
    return tuple(runs)
