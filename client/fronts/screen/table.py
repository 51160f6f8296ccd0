# SPDX-License-Identifier: GPL-3.0-or-later
"""The table as a set of panes: question, map and news, the keys that all of them share, and those that work over pages
too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import Hit, fit, folded
from client.fronts.kit.pane import MARKED, Item, Pane, rebound
from client.fronts.kit.stack import TypedLine
from client.fronts.screen import proof
from client.fronts.screen.deeds import Doing
from client.fronts.screen.feed import NewsFeed
from client.fronts.screen.focus import MapPane
from client.fronts.screen.keys import BATTLE, MAP, NEWS, QUESTION, TABLE
from client.fronts.screen.layout import looks, table_screen
from client.fronts.screen.question import Question
from client.fronts.screen.ui import PANES, Focus
from client.session.deeds import DEEDS
from client.show.styled import Glyphs, Line, plain
from client.system.texts import N_, _

FAR: Final = 100_000
ROWS: Final[Mapping[str, int]] = {"up": -1, "down": 1, "page_up": -8, "page_down": 8, "home": -FAR, "last": FAR}
"""Acts → rows that they move in the news."""
ARROWS: Final[Mapping[str, str]] = {"◂": "left", "▸": "right", "<": "left", ">": "right"}
"""The signs beside a value that is set, with and without Unicode."""
MOUSE: Final = N_("With the mouse: click to look, click again to choose; the wheel scrolls and pans, the right button "
                  "tells all about a space.")  # fmt: skip
SIGNS: Final = N_("Signs: ● connected, ◐ by way of somebody else, ○ not connected, – by post, b a bot; ✎ steps not "
                  "sent; ✓ steps verified here. On the map: [ ] in focus, * can be chosen, ! something happened since "
                  "your last answer.")  # fmt: skip
ASKED: Final = ("enter", "send", "undo", "next_pane", "zoom_in", "search", "help", "command", "palette", "quit")
HELD: Final = (*ASKED[:6], "hold", *ASKED[6:])
FIGHTING: Final = (
    "advised", "retreat", "proof", "enter", "odds", "fight-on", "help", "command", "palette", "log", "quit",
)  # fmt: skip
SEEING: Final = ("proof", "next_pane", "odds", "help", "command", "palette", "log", "chat", "quit")
WATCHING: Final = ("next_pane", "zoom_in", "search", "help", "command", "palette", "log", "chat", "quit")
QUESTIONED: Final = ("yes", "no", "help", "command", "quit")
"""Acts whose keys stand at the foot: at the table, for one that can be waived, in a battle, in one that is only
watched, without a seat, for a yes or no."""


class TablePane(Pane):
    """What is drawn of a table, and the keys that its panes share.

    Attributes:
        question, map, news, battle: its panes; what is drawn of them is laid out by `layout`.
    """

    told = (MOUSE, SIGNS)

    def __init__(
        self, doing: Doing, feed: NewsFeed, mine: Mapping[str, Sequence[str]], type_: Callable[..., None]
    ) -> None:
        """mine: keys of one's own by act. type_: lets the person type a line."""
        self._doing, self._ui, self._feed, self._type = doing, doing.ui, feed, type_
        self._drawn: Sequence[Line] = ()
        self.question = question = Question(rebound(QUESTION, mine), doing)
        self.map = map_ = MapPane(rebound(MAP, mine), doing.now, doing.ui, self._at_place)
        self.news, self.battle = Pane(), Pane()
        scrolls = {act: partial(self.scroll, by) for act, by in ROWS.items()}
        self.news.keys, self.news.does = rebound(NEWS, mine), {**scrolls, "enter": question.enter}
        self.battle.keys = rebound(BATTLE, mine)
        self.battle.does = {
            "advised": question.take_advised, "retreat": question.retreat, "proof": partial(proof.last_roll, doing),
        }  # fmt: skip
        self.keys = rebound(TABLE, mine)
        self.does = {
            **{each.act: partial(doing.do, each.act) for each in self.keys if each.act in DEEDS},
            "next_pane": self._next,
            "previous_pane": partial(self._go, -1),
            "next_legal": map_.next_legal,
            "previous_legal": partial(map_.next_legal, -1),
            "jump": map_.jump,
            "zoom_in": partial(map_.zoom, 1),
            "zoom_out": partial(map_.zoom, -1),
            "look": self._look,
            "back": question.back,
            "search": self._search,
            "earlier": partial(map_.past, -1),
            "later": partial(map_.past, 1),
            "hint": question.advice,
            "escape": self._escape,
        }

    def panes(self) -> Sequence[Pane]:
        """The pane that has the focus, those of a battle with dice before it, and what all share."""
        focus = {Focus.ASK: self.question, Focus.MAP: self.map, Focus.NEWS: self.news}[self._ui.pane]
        battle = self._doing.now().battle
        return (self.battle, focus, self) if battle is not None and battle.fighters else (focus, self)

    @property
    def foot(self) -> Sequence[str]:
        scene = self._doing.now()
        view, fights = scene.view, scene.battle is not None and bool(scene.battle.fighters)
        if view.question is not None:
            return QUESTIONED
        if not view.own or (fights and view.draft is None):
            return SEEING if fights else WATCHING
        if fights:
            return FIGHTING
        held = view.draft is not None and view.pictures.questions.waive(view.draft.asked.ask) is not None
        return HELD if held else ASKED

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> tuple[Sequence[Line], Sequence[Hit]]:
        self._ui.size = columns, height + 2
        self._drawn, hits = table_screen(self._doing.now(), self._ui, self._feed, columns, height + 2)
        return self._drawn, hits

    def why_not(self, act: str) -> str:
        return self._doing.why_not(act)

    def offers(self) -> Iterator[Item]:
        """Answers, and those that are not possible now, each with its reason and the rule behind it."""
        choices = self._doing.now().view.choices
        for at, letter in enumerate(choices.letters if choices is not None else ()):
            if choices is not None:
                yield Item(choices.title(at), letter.upper(), partial(self._doing.do, "pick", option=at))
        for reason, options, rule in self._doing.now().reasons():
            yield from (Item(text, "", lambda: None, f"{reason} {rule}".rstrip()) for text in options)

    # Keys ------------------------------------------------------------------------------------------------------------

    def _at_place(self) -> None:
        """Choose on the map, or send what is ready."""
        view = self._doing.now().view
        self.question.enter() if view.draft is not None and view.choices is None else self.question.at_place()

    def _next(self) -> None:
        """Go to the next pane, on the map first to the next space that can be chosen."""
        if self._ui.pane is not Focus.MAP or not self.map.next_legal():
            self._go(1)

    def _go(self, by: int) -> None:
        ui = self._ui
        ui.pane, ui.news = PANES[(PANES.index(ui.pane) + by) % len(PANES)], 0
        if ui.pane is Focus.MAP:
            self.map.focused()

    def _look(self) -> None:
        """Switch between the map and what to look at before the answer."""
        self._ui.looking = not looks(self._doing.now(), self._ui)

    def _search(self) -> None:
        """Search the map by number or name, or the options."""
        if self._ui.pane is Focus.MAP:
            self._type(TypedLine("/", self._found, self.map.to_place))
        else:
            self._ui.pane, search = Focus.ASK, self.question.search
            self._type(TypedLine("/", changed=search, dropped=partial(search, ""), search=True), self._ui.word)

    def _found(self, text: str) -> None:
        if text.strip() and not self.map.to_place(text):
            self._doing.say(_("No space on the map is called so: {text}").format(text=text))

    def _escape(self) -> None:
        """End the letters or the look back; else show the whole list."""
        ui = self._ui
        if ui.hints or ui.past is not None:
            ui.hints, ui.past = False, None
        else:
            self.question.show_all()

    def scroll(self, rows: int) -> None:
        """Scroll the news; up goes back."""
        self._ui.news = max(0, min(self._ui.news - rows, len(self._feed.texts)))

    # The mouse -------------------------------------------------------------------------------------------------------

    def click(self, hit: Hit, x: int, y: int, *, details: bool) -> str:
        """Go to a pane, a space, an entry or the options of a cell; the second time choose."""
        ui = self._ui
        match hit.what, hit.value:
            case "pane", value:
                ui.pane = Focus(value)
            case "place", value:
                again = ui.place == value and ui.pane is Focus.MAP
                self.map.pan(0, 0)  # it does not move under the mouse
                ui.place = value
                if details:
                    return "details"
                ui.pane = Focus.MAP
                return "enter" if again else ""
            case "cell", value:
                ui.list_only(map(int, value.split(",")))
            case "number", value:
                ui.pane = Focus.ASK
                self.question.dial(int(value))
            case "entry", value if not self._arrow(hit, x, y):
                at = int(value)
                chosen, ui.pane, ui.cursor = ui.cursor == at and ui.pane is Focus.ASK, Focus.ASK, at
                return "enter" if chosen else MARKED
        return ""

    def _arrow(self, hit: Hit, x: int, y: int) -> bool:
        """Handle a click on ◂ or ▸ beside an amount or a part of the answer. Returns False for any other click."""
        entry = self.question.listed()[int(hit.value)]
        sign = plain(fit(self._drawn[y - 1], 1, x)) if x > hit.area.x + 1 else ""
        if sign not in ARROWS or (entry.amount is None and entry.part < 0):
            return False
        self._ui.pane, self._ui.cursor = Focus.ASK, int(hit.value)
        self.question.does[ARROWS[sign]]()
        return True

    def drag(self, hit: Hit | None, dx: int, dy: int) -> None:
        if hit is not None and (hit.what == "place" or hit.value == Focus.MAP.value):
            self.map.pan(dx, dy)

    def wheel(self, hit: Hit | None, rows: int, sideways: bool) -> None:
        """Scroll what is under the mouse: the map, the news or the options."""
        if hit is not None and hit.what in ("place", "pane") and hit.value not in (Focus.ASK.value, Focus.NEWS.value):
            self.map.pan(4 * rows if sideways else 0, 0 if sideways else rows)
        elif hit is not None and hit.value == Focus.NEWS.value:
            self.scroll(rows)
        else:
            self.question.move(rows)


class Handover(Pane):
    """What is shown until the person who is awaited takes the screen; the only other thing to do is to leave."""

    whole = True

    def __init__(self, doing: Doing, pages: Pane) -> None:
        self._doing = doing
        self.keys = [each for each in pages.keys if each.act in ("quit", "redraw", "suspend")]
        self.does = pages.does

    def press(self, key: str) -> bool:
        """`y`; Enter, which sends an answer, is too easily pressed twice."""
        if key == "y":
            self._doing.do("here")
        else:
            super().press(key)
        return True

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> tuple[Sequence[Line], Sequence[Hit]]:
        """Whose turn it is, and nothing else."""
        scene = self._doing.now()
        text = scene.said(scene.view.handover)
        return [*[()] * (height // 2), *folded(f"  {text}", columns)], ()
