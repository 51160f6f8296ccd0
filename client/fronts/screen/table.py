# SPDX-License-Identifier: GPL-3.0-or-later
"""The table as a set of panes: question, map and news, the keys that all of them share, and those that work over pages
too."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import Hit, folded
from client.fronts.kit.pane import MARKED, Item, Key, Pane, rebound
from client.fronts.kit.stack import TypedLine
from client.fronts.screen import galaxy, proof
from client.fronts.screen.deeds import Doing, DoingPane
from client.fronts.screen.keys import BATTLE, MAP, NEWS, QUESTION, TABLE
from client.fronts.screen.layout import looks, sizes, table_screen, zoom_of
from client.fronts.screen.question import FAR, ROWS, Question
from client.fronts.screen.scene import PANES, Focus
from client.show.document import Chart
from client.show.styled import Glyphs, Line
from client.system.texts import N_, _

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


class TablePane(DoingPane):
    """What is drawn of a table, and the keys that its panes share. question, map, news, battle: its panes; what is
    drawn of them is laid out by `layout`; scrolls: the acts that scroll the news."""

    told = (MOUSE, SIGNS)

    def __init__(self, doing: Doing, mine: Mapping[str, Sequence[str]]) -> None:
        """mine: keys of one's own by act."""
        super().__init__(doing, rebound(TABLE, mine))
        self.question = question = Question(rebound(QUESTION, mine), doing)
        self.map = map_ = MapPane(rebound(MAP, mine), doing, question.at_place)
        self.scrolls = {act: partial(self.scroll, by) for act, by in ROWS.items()}
        self.news = Pane(rebound(NEWS, mine), {**self.scrolls, "enter": question.enter})
        fights = {"advised": question.take_advised, "retreat": question.retreat}
        self.battle = Pane(rebound(BATTLE, mine), {**fights, "proof": partial(proof.last_roll, doing)})
        self.does = {
            **self.does,
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
        battle = self._scene.battle
        return (self.battle, focus, self) if battle is not None and battle.units else (focus, self)

    @property
    def foot(self) -> Sequence[str]:
        scene = self._scene
        view, fights = scene.view, scene.battle is not None and bool(scene.battle.units)
        if view.question is not None:
            return QUESTIONED
        if not view.own or (fights and view.draft is None):
            return SEEING if fights else WATCHING
        if fights:
            return FIGHTING
        held = view.draft is not None and view.pictures.questions.waive(view.draft.asked.ask) is not None
        return HELD if held else ASKED

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> Sequence[Line]:
        self._ui.size = columns, height + 2
        if self._ui.place and self._ui.past is None:
            self.map.leave_gone()
        return table_screen(self._scene, self._ui, self._doing.news, columns, height + 2)

    def offers(self) -> Iterator[Item]:
        """Answers, and those that are not possible now, each with its reason and the rule behind it."""
        if (choices := self._view.choices) is not None:
            for at, letter in enumerate(choices.letters):
                yield Item(choices.title(at), letter.upper(), partial(self._doing.do, "pick", option=at))
        for reason, options, rule in self._scene.reasons():
            yield from (Item(text, "", lambda: None, f"{reason} {rule}".rstrip()) for text in options)

    # Keys ------------------------------------------------------------------------------------------------------------

    def _next(self) -> None:
        """Go to the next pane, on the map first to the next space that can be chosen."""
        if self._ui.pane is not Focus.MAP or not self.map.next_legal():
            self._go(1)

    def _go(self, by: int) -> None:
        ui = self._ui
        ui.pane, ui.news = PANES[(PANES.index(ui.pane) + by) % len(PANES)], 0
        if ui.pane is Focus.MAP:
            ui.place = ui.place or next(iter(self._scene.chart(0).spots), "")

    def _look(self) -> None:
        """Switch between the map and what to look at before the answer."""
        self._ui.looking = not looks(self._scene, self._ui)

    def _search(self) -> None:
        """Search the map by number or name, or the options."""
        if self._ui.pane is Focus.MAP:
            self._doing.type(TypedLine("/", self._found, self.map.to_place))
        else:
            self._ui.pane, search = Focus.ASK, self.question.search
            self._doing.type(TypedLine("/", changed=search, dropped=partial(search, ""), search=True), self._ui.word)

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
        self._ui.news = max(0, min(self._ui.news - rows, len(self._doing.news.texts)))

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
            case "turn", value:
                ui.cursor, by = map(int, value.split())
                ui.pane = Focus.ASK
                self.question.does["left" if by < 0 else "right"]()
            case "entry", value:
                at = int(value)
                chosen, ui.pane, ui.cursor = ui.cursor == at and ui.pane is Focus.ASK, Focus.ASK, at
                return "enter" if chosen else MARKED
        return ""

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


class Handover(DoingPane):
    """What is shown until the person who is awaited takes the screen; the only other thing to do is to leave."""

    whole = True

    def __init__(self, doing: Doing, pages: Pane) -> None:
        super().__init__(doing, [each for each in pages.keys if each.act in ("quit", "redraw", "suspend")])
        self.does = pages.does

    def press(self, key: str) -> bool:
        """`y`; Enter, which sends an answer, is too easily pressed twice."""
        if key == "y":
            self._doing.do("here")
        else:
            super().press(key)
        return True

    def draw(self, columns: int, height: int, glyphs: Glyphs) -> Sequence[Line]:
        """Whose turn it is, and nothing else."""
        scene = self._scene
        text = scene.said(scene.view.handover)
        return [*[()] * (height // 2), *folded(f"  {text}", columns)]


class MapPane(DoingPane):
    """The map, and the space in focus."""

    def __init__(self, keys: Sequence[Key], doing: Doing, enter: Callable[[], None]) -> None:
        """enter: chooses at the space in focus."""
        super().__init__(doing, keys)
        self.does = {**{act: partial(self._toward, act) for act in galaxy.WAYS}, "enter": enter}

    def chart(self) -> Chart:
        """The map as it is drawn."""
        return self._scene.chart(zoom_of(self._scene, self._ui, sizes(*self._ui.size)))

    def _toward(self, way: str) -> None:
        self._ui.place, self._ui.pan = galaxy.toward(self.chart(), self._ui.place, way), None

    def pan(self, dx: int, dy: int) -> None:
        at = sizes(*self._ui.size)
        self._ui.pan = galaxy.panned(self.chart(), self._ui.place, self._ui.pan, (at.map, at.body), (dx, dy))

    def settle(self) -> None:
        """Keep the space in focus while it can be chosen, else go to the nearest that can; at first to the own home."""
        ui, scene = self._ui, self._scene
        legal, spots = scene.legal(ui), self.chart().spots
        home = scene.documents.home(scene.view.frame())
        if home != ui.home and home in spots:
            ui.home = ui.place = home
            ui.pan = None
        else:
            self.leave_gone()
        if legal and ui.place not in legal:
            at = spots.get(ui.place)

            def far(place: str) -> int:  # a row is about as high as two columns are wide
                spot = spots.get(place)
                return FAR if at is None or spot is None else (spot.x - at.x) ** 2 + 4 * (spot.y - at.y) ** 2

            ui.place, ui.pan = min(legal, key=far), None

    def leave_gone(self) -> None:
        """Leave a space that is on the map no more, for the own home."""
        ui, spots = self._ui, self.chart().spots
        if ui.place not in spots:
            ui.place, ui.pan = ui.home if ui.home in spots else next(iter(spots), ""), None

    def next_legal(self, by: int = 1) -> bool:
        """Go to the next space that can be chosen. Returns False if there is none."""
        ui, legal = self._ui, self._scene.legal(self._ui)
        if legal:
            at = legal.index(ui.place) + by if ui.place in legal else 0
            ui.place, ui.pan, ui.pane = legal[at % len(legal)], None, Focus.MAP
        return bool(legal)

    def jump(self) -> None:
        self._ui.hints = bool(self._scene.chart(0).spots)

    def jumped(self, letter: str) -> None:
        """Go to the space with this letter."""
        ui, scene = self._ui, self._scene
        ui.hints = False
        named = galaxy.hint_letters(scene.legal(ui) or list(scene.chart(0).spots))
        place = next((place for place, each in named.items() if each == letter), "")
        if place:
            ui.place, ui.pan, ui.pane = place, None, Focus.MAP

    def zoom(self, by: int) -> None:
        now = zoom_of(self._scene, self._ui, sizes(*self._ui.size))
        self._ui.zoom, self._ui.pan = max(0, min(now + by, 2)), None

    def to_place(self, text: str) -> bool:
        """Go to the space whose number or name begins so, the exact number first. Returns False if there is none."""
        scene, wanted = self._scene, text.strip().lower()
        spots = list(scene.chart(0).spots)
        called = {place: scene.called(place).lower() for place in spots}
        tests: Sequence[Callable[[str], bool]] = (
            lambda place: place == wanted,
            lambda place: place.startswith(wanted),
            lambda place: called[place].startswith(wanted),
            lambda place: f" {wanted}" in called[place],
        )
        found = next((place for test in tests for place in spots if test(place)), "") if wanted else ""
        if found:
            self._ui.place, self._ui.pan = found, None
        return bool(found)

    def past(self, by: int) -> None:
        """Show the map at the previous or next step with events."""
        ui, scene = self._ui, self._scene
        heights = sorted({each.height for each in scene.view.log if not each.undone})
        now = ui.past if ui.past is not None else scene.height + 1
        steps = [height for height in heights if (height < now if by < 0 else height > now)]
        if by < 0:
            ui.past = steps[-1] if steps else ui.past
        else:
            ui.past = steps[0] if steps and ui.past is not None else None
