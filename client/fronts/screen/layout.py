# SPDX-License-Identifier: GPL-3.0-or-later
"""How a table is laid out: the map, the question, bars and news: who must act, links and verified steps above; the
seat's own figures, seats and chat below. A pure function of scene, ui and size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from client.fronts.kit import SMALL
from client.fronts.kit.canvas import aimed, box, fit, folded, hits, rule, shortened, side_by_side, size, wide
from client.fronts.kit.cards import fitted, sheet
from client.fronts.kit.page import tab
from client.fronts.screen import galaxy
from client.fronts.screen.asking import ROWS, asking, beside, entries_of
from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.scene import UNMARKED, Focus, Scene, Ui, link_sign
from client.fronts.screen.troubles import banner
from client.session.news import LoggedEvent
from client.session.troubles import doubtful
from client.session.waiting import silenced
from client.show.battles import Battle, dialled, document_of
from client.show.document import Chart
from client.show.map import largest
from client.show.pictures import WIDE
from client.show.styled import Glyphs, Line, Run, line, owner_style, plain
from client.system.names import BOT
from client.system.texts import N_, _, ngettext

STACKED: Final = 110
"""With fewer columns a battle is shown above its question."""
TABBED: Final = (60, 18)
"""With fewer columns or rows a notice stands in the place of the names of the panes."""
PANED: Final = {Focus.ASK: N_("question"), Focus.MAP: N_("map"), Focus.NEWS: N_("news")}
"""The names of the panes."""
SHORT: Final = 3
"""Most lines that are looked at above the map where it is cut for them."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The division of a screen.

    Attributes:
        side: columns of the question's pane.
        news: rows.
        body: rows between the bars.
    """

    columns: int
    rows: int
    side: int
    body: int
    news: int

    @property
    def map(self) -> int:
        """Columns of the map."""
        return self.columns if self.side == self.columns else self.columns - self.side - 1


def sizes(columns: int, rows: int) -> Sizes:
    """The division of a screen of this size."""
    if columns < SMALL[0] or rows < SMALL[1]:
        return Sizes(columns, rows, columns, max(rows - 4, 1), 0)
    news = 2 if rows < 30 else 5 if rows < 45 else 8
    side = 34 if columns < 100 else min(columns * 2 // 5, 64)
    return Sizes(columns, rows, side, rows - 4 - news, news)


def zoom_of(scene: Scene, ui: Ui, at: Sizes) -> int:
    """The chosen zoom, or the largest at which the whole map fits."""
    return largest(scene.map(), at.map, at.body) if ui.zoom is None else ui.zoom


def table_screen(scene: Scene, ui: Ui, feed: NewsFeed, columns: int, rows: int) -> list[Line]:
    """A table between the bar and the foot of a screen of this size."""
    at = sizes(columns, rows)
    lines = _folded(scene, ui, feed, at) if at.side == columns else _body(scene, ui, at)
    lines.append(status(scene, ui, columns, troubled=not at.news))
    if at.news:
        stacked = scene.battle is not None and at.columns < STACKED and looks(scene, ui)
        said = unread(scene, ui, columns) if at.body >= ROWS and not stacked else ()  # the pane names the seats then
        lines.append(said or seats(scene, ui, columns))
    return [*lines, *(aimed(row, "pane", Focus.NEWS.value) for row in _news(scene, feed, ui, at))]


# Bars -----------------------------------------------------------------------------------------------------------------

MINUTE: Final = 60


def top(scene: Scene, columns: int) -> Line:
    """The top bar: program, game, round and phase, who is waited for and how long, the draft, links, verified steps.
    What does not fit is left out from the left: the program, then the clock."""
    spelt = columns >= WIDE
    view, bar = scene.view, f" {scene.glyphs.walls[5]} "
    picked = _("✎ {n} unsent").format(n=len(view.picked)) if spelt else f"✎{len(view.picked)}"
    turn = " ".join(filter(None, (_turn(scene), picked if view.picked else "")))
    end = bar.join(_lights(scene, spelt=spelt))
    waits = [since for seat, since in view.since.items() if view.names[seat] in view.waiting]
    clock = _("{n} min").format(n=view.seconds(min(waits)) // MINUTE) if waits else ""
    moment = scene.documents.moment(view.frame((), columns)) if view.begun else ""
    head = [f"starlock {view.game}".strip(), moment, turn, clock]
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
        return banner(scene.troubles, columns, scene.way("troubles"))
    return fit(line(("status", f" {scene.figures(columns)}".ljust(columns))), columns)


def unread(scene: Scene, ui: Ui, columns: int) -> Line:
    """The last message of the chat, and how many have not been read; () without any."""
    chat = scene.view.chat
    if not chat:
        return ()
    count, key = len(chat) - ui.read, scene.way("chat")
    tail = _("[{n} unread, {key}]").format(n=count, key=key) if count > 0 else f"[{key}]"
    said = f" {_('chat')}  {chat[-1].name}: {chat[-1].text}"
    row = line(*shortened(line(("said", said)), columns - wide(tail) - 2), " ", ("key", tail), " ")
    return aimed(fit(row, columns), "key", key)


def seats(scene: Scene, ui: Ui, columns: int) -> Line:
    """Letter, name and link of every seat with all its figures, or with the last alone, which is the points; ▸ before
    those who are waited for; unread messages. Names are cut if not all fit."""
    count, key = len(scene.view.chat) - ui.read, scene.way("chat")
    tail = f" [{key} {count}] " if count > 0 else ""
    room = columns - len(tail)
    longest = max((wide(seat.name) for seat in scene.view.seats), default=0)
    runs = _seat_runs(scene, None, None)
    for most in (None, *range(longest, 0, -1)):
        if size(runs) <= room:
            break
        runs = _seat_runs(scene, 1, most)
    row = (*fit(runs, room), ("key", tail))
    return aimed(row, "key", key) if tail else row


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


# The news -------------------------------------------------------------------------------------------------------------


def _news(scene: Scene, feed: NewsFeed, ui: Ui, at: Sizes) -> list[Line]:
    """The last rows of the news, or earlier ones; above them a trouble. At the end of the last row how much is not
    shown, and the key for it; a row that is too long for that is folded once more."""
    if not at.news:
        return []
    told = [banner(scene.troubles, at.columns, scene.way("troubles"))] if scene.troubles else []
    rows, room = feed.rows(at.columns), at.news - len(told)
    tail: Line = ()
    if not ui.news and rows:
        tail = _unshown(scene, feed.shown(at.columns, room))
        if size(rows[-1]) + size(tail) > at.columns:
            tail = _unshown(scene, feed.shown(at.columns, room - 1))
            rows = [*rows[:-1], *folded(plain(rows[-1]), at.columns - size(tail), rows[-1][0][0], "  ")]
    end = len(rows) - min(ui.news, max(len(rows) - room, 0))
    shown = _paragraphs(rows, max(end - room, 0), end, at.columns)
    if tail and size(shown[-1]) + size(tail) <= at.columns:  # below a trouble one row may be too few for both
        shown[-1] = (*fit(shown[-1], at.columns - size(tail)), *tail)
    return box([*told, *[()] * (room - len(shown)), *shown], at.columns, at.news)


def _unshown(scene: Scene, shown: Sequence[LoggedEvent]) -> Line:
    """How much has happened since this person's last answer and is not shown, and the key for it; () for nothing."""
    seen = {(each.height, each.text) for each in shown}
    count = sum((each.height, each.text) not in seen for each in scene.view.missed) if scene.view.own else 0
    if not count:
        return ()
    key = scene.way("log" if scene.battle is not None and scene.battle.units else "since")
    return aimed(line(("key", _(" {key}: {n} more ").format(key=key, n=count))), "key", key)


def _paragraphs(feed: Sequence[Line], first: int, end: int, columns: int) -> list[Line]:
    """These rows of the news; a paragraph that begins above them shows its first row."""
    begins = first
    while 0 < begins < end and plain(feed[begins]).startswith("  "):
        begins -= 1
    head = [] if begins == first else [shortened((*feed[begins], ("", " " * columns)), columns)]
    return [*head, *feed[first + len(head) : end]]


# The table -----------------------------------------------------------------------------------------------------------


def _body(scene: Scene, ui: Ui, at: Sizes) -> list[Line]:
    """The map at the left, the space in focus and the question at the right; on a narrow screen a battle above its
    question."""
    if scene.battle is not None and at.columns < STACKED and looks(scene, ui) and ui.past is None:
        return _stacked(scene, ui, at)
    stage = _stage(scene, ui, at.map, at.body, zoom_of(scene, ui, at))
    asked = box(beside(scene, ui, at.side, at.body), at.side, at.body)
    wall = ("focus" if ui.pane is Focus.MAP else "faint"), scene.glyphs.walls[5]
    return side_by_side(_within(stage, Focus.MAP), _within(asked, Focus.ASK), joint=wall)


def _within(lines: Sequence[Line], pane: Focus) -> list[Line]:
    """Lines of a pane, which a click goes to."""
    return [aimed(row, "pane", pane.value) for row in lines]


def _stacked(scene: Scene, ui: Ui, at: Sizes) -> list[Line]:
    """The battle at full width, the question below it, with advice if the rows that the battle leaves hold it."""
    whole = _looked(scene, ui, at.columns, at.body)
    free = next((row for row, each in enumerate(reversed(whole)) if plain(each).strip()), at.body)
    asked = asking(scene, ui, at.columns, max(at.body // 2, free, 6), brief=True, advised=False)
    advised = asking(scene, ui, at.columns, free, brief=True)
    asked = advised if len(advised) <= free and entries_of(asked) <= entries_of(advised) else asked
    room = at.body - len(asked)
    told, below = _looked(scene, ui, at.columns, room), box(asked, at.columns, at.body - room)
    return [*_within(told, Focus.MAP), *_within(below, Focus.ASK)]


def _stage(scene: Scene, ui: Ui, width: int, height: int, zoom: int) -> list[Line]:
    """The map, or what to look at before the answer if the question names no space or the person wants it."""
    chart = scene.chart(zoom, ui.past)
    above = _above(scene, ui, width, height - len(chart.lines)) if ui.past is None and chart.lines else []
    if above:
        return [*above, *_map(scene, ui, width, height - len(above), chart)]
    if ui.past is None and (looks(scene, ui) or not chart.lines):
        return _looked(scene, ui, width, height)
    return _map(scene, ui, width, height, chart)


def _above(scene: Scene, ui: Ui, width: int, room: int) -> list[Line]:
    """What to look at before the answer, where it is short or fits into the rows that the map leaves; else []."""
    before = scene.before(width)
    if scene.battle is not None or scene.groups() or ui.looking is not None or len(before) > max(SHORT, room):
        return []
    return box(before, width, len(before))


def _map(scene: Scene, ui: Ui, width: int, height: int, chart: Chart) -> list[Line]:
    """The map around the space in focus."""
    letters = galaxy.hint_letters(scene.legal(ui) or list(chart.spots)) if ui.hints else None
    recent = scene.recent() if ui.past is None else [place for each in scene.told_at(ui.past) for place in each.places]
    marks = galaxy.Marks(ui.place, scene.legal(ui) if ui.past is None else (), recent, letters)
    return galaxy.staged(chart, marks, ui.pan, width, height)


def looks(scene: Scene, ui: Ui) -> bool:
    """True if a battle, a sheet or a picture is shown instead of the map: by the person's choice, else for a battle or
    a question without spaces."""
    if scene.battle is None and not scene.groups() and not scene.before(80):
        return False
    return ui.looking if ui.looking is not None else scene.battle is not None or not scene.legal(ui)


def _looked(scene: Scene, ui: Ui, width: int, height: int) -> list[Line]:
    """The present battle or the sheet of the question, else what to look at before the answer."""
    groups = scene.groups()
    if scene.battle is not None:
        return _fight(scene.battle, scene, ui, width, height)
    if not groups:
        whole = scene.documents.whole
        return box(scene.before(width) or (scene.picture(whole, (), width) if whole else ()), width, height)
    listed = scene.entries(ui)
    marked = listed[min(ui.cursor, len(listed) - 1)] if listed and ui.cursor != UNMARKED else None
    option = -1 if marked is None else marked.option
    rows = sheet(groups, option, width, scene.glyphs)
    option = next(iter(marked.options), -1) if marked is not None and marked.path else option
    at = next((hit.y for hit in hits(rows) if hit.what == "cell" and str(option) in hit.value.split(",")), 0)
    return box(rows[max(0, min(at - height // 2, len(rows) - height)) :], width, height)


def _fight(battle: Battle, scene: Scene, ui: Ui, width: int, height: int) -> list[Line]:
    """The present battle; the row that is left out and a dial can be clicked."""
    ask, listed, number = scene.view.ask, scene.entries(ui), -1
    if ask is not None and ask.secret and 0 <= ui.cursor < len(listed) and listed[ui.cursor].option >= 0:
        text = ask.options[listed[ui.cursor].option].text
        if text.isdecimal():
            number = int(text)
            battle = dialled(battle, ask.seat, number)
    told = scene.once(
        ("fight", number, width, height),
        lambda: battle_lines(battle, scene.view.names, width, height, scene.glyphs, scene.way("battle")),
    )
    return box(told, width, height)


def battle_lines(
    battle: Battle, names: Sequence[str], width: int, height: int, glyphs: Glyphs, whole: str = "F8"
) -> list[Line]:
    """The battle in at most `height` rows. whole: the key that shows all of it."""
    _head, *blocks = document_of(battle, names)
    rows, left = fitted(blocks, width, height - 1, glyphs)
    more = ngettext("{key}: {n} more row", "{key}: {n} more rows", left).format(key=whole, n=left) if left else ""
    room = width - 3 - (wide(more) + 3 if more else 0)
    title = plain(shortened(line(("", battle.title)), room)) if wide(battle.title) > room > 0 else battle.title
    head = rule(title, width, glyphs, tail=more)
    return [aimed(head, "key", whole) if left else head, *rows]


def _folded(scene: Scene, ui: Ui, feed: NewsFeed, at: Sizes) -> list[Line]:
    """A small screen, which shows only the pane in focus, below the names of all panes; on a very small one below a
    notice."""
    names = (tab(_(name), "pane", pane.value, chosen=pane is ui.pane) for pane, name in PANED.items())
    tabs = line(" ", *chain.from_iterable(names))
    if at.columns < TABBED[0] or at.rows < TABBED[1]:
        notice = _("Small screen: {pane}; Tab, Shift-Tab: the others").format(pane=_(PANED[ui.pane]))
        tabs = shortened(line(("faint", f" {notice}")), at.columns)
    room = at.body
    if ui.pane is Focus.NEWS:
        return [tabs, *feed.last(at.columns, room, ui.news)]
    if ui.pane is Focus.MAP:
        return [tabs, *_stage(scene, ui, at.columns, room, zoom_of(scene, ui, at))]
    return [tabs, *box(asking(scene, ui, at.columns, room), at.columns, room)]
