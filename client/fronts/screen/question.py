# SPDX-License-Identifier: GPL-3.0-or-later
"""The pane of the question: options are marked, narrowed, picked and changed; in a battle by its own keys too."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from client.fronts.kit.pane import Key
from client.fronts.screen.deeds import Doing, DoingPane
from client.fronts.screen.feed import PLANNED
from client.fronts.screen.scene import UNMARKED, Focus
from client.session.menu import MenuEntry, first_words
from client.system.texts import N_, _
from client.table.player import refusal_of
from client.words import refusal_text
from client.words.ways import DO
from engine.core.values import Value

MOST: Final = 99
"""Most picks of one advised answer."""
FAR: Final = 1_000_000
"""Further than any entry, row of the news, or space of a map."""
ROWS: Final[Mapping[str, int]] = {"up": -1, "down": 1, "page_up": -8, "page_down": 8, "home": -FAR, "last": FAR}
"""Acts → entries that they move in the list, and rows in the news."""


class Question(DoingPane):
    """The question, its options and the draft."""

    told = (N_("1 to 9 choose an entry of the list; letters before entries always mean the same one."),)

    def __init__(self, keys: list[Key], doing: Doing) -> None:
        super().__init__(doing, keys)
        moves = {act: partial(self.move, by) for act, by in ROWS.items()}
        self.does = {**moves, "enter": self.enter, "left": self.left, "right": self.right}

    def listed(self) -> list[MenuEntry]:
        return self._scene.entries(self._ui)

    def marked(self) -> MenuEntry | None:
        listed = self.listed()
        return listed[min(self._ui.cursor, len(listed) - 1)] if listed and self._ui.cursor != UNMARKED else None

    def move(self, rows: int) -> None:
        """Move the cursor; the map follows the spaces of the option."""
        ui, listed = self._ui, self.listed()
        ui.cursor = max(0, min(ui.cursor + rows, len(listed) - 1))
        ask = self._view.ask
        if ask is not None and listed and (places := listed[ui.cursor].places(ask)):
            ui.place, ui.pan = places[-1], None

    def search(self, word: str) -> None:
        self._ui.word, self._ui.cursor = word, 0

    def enter(self) -> None:
        """Choose the marked option, or send the whole draft."""
        if self._view.draft is not None and self._view.choices is None:
            self._doing.do("send")
        else:
            self.choose(self._ui.cursor)

    def entry_of(self, key: str) -> int | None:
        """The entry of a digit or a fixed letter, which is shown large and may be typed so."""
        letters = [self._scene.letter(entry) for entry in self.listed()]
        if key.lower() in filter(None, letters):
            return letters.index(key.lower())
        at = int(key) - 1 if key.isascii() and key.isdecimal() else -1
        return at if 0 <= at < len(letters) and not letters[at] else None

    def choose(self, at: int) -> None:
        """Choose an entry: pick an option, or open a group."""
        listed = self.listed()
        if at == UNMARKED and listed:
            self._ui.cursor = 0
            text = _("Nothing was marked. Enter takes what is marked now; arrows or a number choose another.")
            self._doing.say(text, PLANNED)  # goes when the draft changes
        if not 0 <= at < len(listed):
            return
        entry = listed[at]
        if entry.part >= 0:
            self._changed(entry, 1)
        elif self._view.choices is None:
            return
        elif entry.option < 0:
            self._ui.opened, self._ui.cursor = (*self._ui.opened, entry.path), 0
        else:
            self._doing.do("pick", option=entry.option)

    def at_place(self) -> None:
        """Choose on the map: the only option for the space, or a list of its options; or send what is ready."""
        ui, view = self._ui, self._view
        if view.draft is not None and view.choices is None:
            self._doing.do("send")
            return
        before, ui.only, ui.opened, ui.cursor = ui.only, ui.place, (), 0
        listed = self.listed()
        ask = view.ask
        ends = [at for at, entry in enumerate(listed) if before and ask is not None and before in entry.places(ask)]
        if ends and before != ui.place:  # from there to here
            listed, ui.only = [listed[at] for at in ends], before
            options = [entry.option for entry in listed]
            ui.cursor = next((at for at, entry in enumerate(self.listed()) if entry.option in options), 0)
            ui.pane = Focus.ASK
        elif len(listed) == 1 and listed[0].option >= 0:
            self.choose(0)
        elif listed:
            ui.pane = Focus.ASK
        else:
            ui.only = ""
            name = view.display_names(ui.place)
            text = _("No answer that is possible now names {place}; {do:details} tells all about it.")
            self._doing.say(text.format(place=name, do=DO))

    def unmark(self) -> None:
        """Mark no entry of the whole list, so that the person marks what Enter takes; a single entry is marked."""
        picks = [entry for entry in self.listed() if entry.part < 0]
        self._ui.cursor = 0 if len(picks) == 1 else UNMARKED

    def show_all(self) -> None:
        self._ui.pane = Focus.ASK
        self._ui.word, self._ui.only, self._ui.of, self._ui.opened = "", "", None, ()
        self.unmark()

    def back(self) -> None:
        ui = self._ui
        if ui.word:
            ui.word = ""
        elif ui.of is not None:
            ui.of = None
        elif ui.only:
            ui.only = ""
        else:
            ui.opened = ui.opened[:-1]
        ui.cursor = 0
        if not ui.narrowed:
            self.unmark()

    # Amounts, parts of an answer, and what a battle asks -------------------------------------------------------------

    def _changed(self, entry: MenuEntry, by: int) -> None:
        """Pick the next or previous option of a stage anew, after the last one the first; later picks stay if they
        may."""
        assert entry.stage is not None
        option = (entry.stage.chosen + by) % len(entry.stage.titles)
        self._doing.do("part", part=entry.part, option=option)
        self._ui.cursor = next((at for at, each in enumerate(self.listed()) if each.part == entry.part), UNMARKED)
        self._ui.pane = Focus.ASK

    def _turn(self, entry: MenuEntry, by: int) -> None:
        """Increase or decrease the amount of an entry."""
        assert entry.amount is not None
        options = entry.amount.options
        self._ui.numbers[options[0]] = max(0, min(entry.at + by, len(options) - 1))

    def _fights(self) -> bool:
        """True while the question, or the draft of its answer, belongs to a battle."""
        return self._view.draft is not None and self._scene.battle is not None

    def left(self) -> None:
        """Set the previous number, or go one level back; in a battle to the die or part of the answer before."""
        entry, draft = self.marked(), self._view.draft
        if entry is not None and entry.amount is not None:
            self._turn(entry, -1)
        elif draft is not None and not draft.empty and not self._ui.narrowed and self._fights():
            picks = draft.stages[2] if draft.ask is None and draft.stages is not None else ()
            self._doing.do("undo")
            for each in picks[:-1]:
                self._doing.pick(each)
        elif entry is not None and entry.part >= 0:
            self._changed(entry, -1)
        else:
            self.back()

    def right(self) -> None:
        """Set the next number, or open a group; in a battle take what is marked and go to the next die or part."""
        entry, draft = self.marked(), self._view.draft
        staged = draft is not None and draft.ask is not None and draft.ask.staged
        if entry is None:
            return
        if entry.part >= 0:
            self._changed(entry, 1)
        elif entry.amount is not None:
            self._turn(entry, 1)
        elif entry.option < 0 or (staged and self._fights()):
            self.choose(min(self._ui.cursor, len(self.listed()) - 1))

    def dial(self, number: int) -> None:
        """Set the dial to a number that was clicked, also one that is picked already; or tell why it cannot be."""
        ask, draft = self._view.ask, self._view.draft
        for at, entry in enumerate(self.listed()):
            if entry.stage is not None and entry.part == 0 and number in entry.stage.numbers:
                self._changed(entry, list(entry.stage.numbers).index(number) - entry.stage.chosen)
            elif entry.amount is not None and number in entry.amount.numbers:
                self._ui.cursor = at
                self._ui.numbers[entry.amount.options[0]] = list(entry.amount.numbers).index(number)
            elif ask is not None and entry.option >= 0 and ask.options[entry.option].text == str(number):
                self._ui.cursor = at
            else:
                continue
            return
        if draft is not None and draft.stages is not None:
            question, state, _picks = draft.stages
            refused = next((why for pick, why in question.refused(state, draft.lens, ()) if pick == number), None)
            if refused is not None:
                self._doing.say(refusal_text(refusal_of(refused), self._view.display_names), "alarm")

    def take_advised(self) -> None:
        """Pick the advised targets or losses that are left; in other questions mark what a bot would answer."""
        taken = 0
        while taken < MOST and (best := self._best()) is not None:
            self._doing.pick(best)
            taken += 1
        if not taken:
            self.advice()

    def _best(self) -> Value:
        """The option that is computed to be the best, None if none of those that are listed now is."""
        view, draft, choices = self._view, self._view.draft, self._view.choices
        if draft is None or draft.ask is None or choices is None:
            return None
        best = view.pictures.fights.advised(view.frame(), draft.ask, draft.so_far)
        return best if best in choices.options else None

    def retreat(self) -> None:
        """List the ways to retreat, or tell why there is none."""
        ask, choices, word = self._view.ask, self._view.choices, self._view.pictures.fights.retreat
        if ask is None or choices is None or not self._fights():
            self._doing.say(_("A retreat can be chosen only when a battle asks for it."))
            return
        ways = [at for at, option in enumerate(ask.options) if first_words(option)[:1] == (word,)]
        if ways:
            self.show_all()
            self._ui.list_only(ways)
            return
        reason = next(iter(choices.why(word)), "") if word else ""
        self._doing.say(reason or _("This question leaves no choice to retreat."), "alarm" if reason else "")

    # What is marked for the person -----------------------------------------------------------------------------------

    def advice(self) -> None:
        """Show the answer of a bot with its reason, and mark its first pick in the list."""
        from client.session.advice import advised

        found = advised(self._doing.session)
        if found is None:
            self._doing.say(_("Nothing is asked of you now."))
            return
        answer, reason = found.lines()
        self._doing.say(answer, "picked")
        self._doing.say(reason)
        self._doing.open(None)
        options = list(self._view.choices.options) if self._view.choices else []
        self.show_all()
        if found.following and found.following[0] in options:
            at = options.index(found.following[0])
            self._ui.list_only((at,))
            for amount in self._view.ask.amounts if self._view.ask else ():
                if at in amount.options:
                    self._ui.numbers[amount.options[0]] = amount.options.index(at)

    def preferred(self) -> None:
        """Mark the option that the person wished for in the lobby, or the advised option, if it is available."""
        wish, choices, listed = self._view.wish, self._view.choices, [entry.option for entry in self.listed()]
        options = () if choices is None else choices.options
        option = wish if wish in options else self._best()
        if option is not None and options.index(option) in listed:
            self._ui.cursor = listed.index(options.index(option))
            if option == wish:
                self._doing.say(
                    _("You wished for {wish}: it is marked.").format(wish=self._view.display_names(wish)), "picked"
                )
