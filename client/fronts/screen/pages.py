# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages shown over the table, by keys that work over pages too: log, chat, rules, standing orders; and what the
palette offers besides keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from client.fronts.kit.canvas import folded, searched
from client.fronts.kit.cards import fitted, pictured
from client.fronts.kit.page import Page, reading
from client.fronts.kit.pane import Item, Pane, rebound, spelt
from client.fronts.kit.stack import TypedLine
from client.fronts.screen.deeds import Doing, DoingPane, votes
from client.fronts.screen.keys import EVERYWHERE
from client.fronts.screen.layout import battle_lines
from client.fronts.screen.proof import VerifyPanel
from client.fronts.screen.scene import Scene
from client.fronts.screen.shared import ShelfPage, article_page, board_page, reference_page, shelves, shelves_of
from client.fronts.screen.troubles import troubles
from client.session.deeds import DEEDS
from client.session.deeds.answers import order_ways
from client.session.deeds.outcomes import NotDone
from client.session.deeds.typed import typed_names
from client.session.news import chat_document
from client.session.view import SessionView
from client.show.battles import Number, chances_of, side_name
from client.show.lines import lines as drawn
from client.show.styled import Line, line
from client.system.texts import _
from client.words.plain import called

FAR: Final = 1000
RULES: Final = 8
"""Articles of the reference that are shown at once."""
TALKING: Final = frozenset({"page", "guide", "help", "options", "do"})
"""Deeds that have a key elsewhere, or no use."""
BEFORE: Final = frozenset({"yes", "no", "help", "command", "palette", "troubles", "chat", "redraw", "suspend", "quit"})
"""Acts that exist before the table begins too."""


class Pages(DoingPane):
    """The keys that work at a table and over its pages: most of them show another page. early: those that work before
    the table begins."""

    def __init__(
        self,
        doing: Doing,
        mine: Mapping[str, Sequence[str]],
        page: Callable[[], Page | None],
        **more: Callable[[], None],
    ) -> None:
        """mine: keys of one's own by act. page: the one on top. more: what else keys do."""
        super().__init__(doing, rebound(EVERYWHERE, mine))
        self._page = page
        self.does = {
            **self.does,
            "details": self._details,
            "why": lambda: doing.open(why(doing.now)),
            "odds": self._odds,
            "orders": self._orders,
            "since": partial(doing.page, "since"),
            "votes": self._begun(lambda: votes(doing)),
            "troubles": lambda: doing.open(troubles(doing)),
            "yes": partial(self._answer, True),
            "no": partial(self._answer, False),
            "rules": self._rules,
            "log": lambda: doing.open(log(doing.now)),
            "chat": self.chat,
            "boards": self._begun(lambda: board_page(doing.now().view.pictures, doing.frame)),
            "goods": self._goods,
            "verify": self._begun(lambda: VerifyPanel(doing)),
            "score": partial(doing.page, "score"),
            "battle": self._battle,
            "legend": partial(doing.page, "legend"),
            "command": partial(self.typed, ""),
            "redraw": doing.host.redraw,
            "suspend": doing.host.suspend,
            **more,
        }
        self.early = Pane([each for each in self.keys if each.act in BEFORE], self.does)

    def _begun(self, page: Callable[[], Page]) -> Callable[[], None]:
        """Shows a page that exists once the table has begun."""

        def show() -> None:
            if self._view.begun:
                self._doing.open(page())
            else:
                self._doing.say(_("The table has not begun."))

        return show

    def _details(self) -> None:
        """Show everything about the space in focus, and why answers that name it are not possible now."""
        now, place = self._doing.now, self._doing.ui.place
        view = now().view
        commands = view.pictures.documents.commands
        if not place or "map" not in commands:
            return

        def lines(width: int) -> list[Line]:
            shown = pictured(commands["map"], now().view.frame((place,), width))
            return [*shown, *now().refused_rows(place, width)]

        self._doing.open(reading(view.display_names(place), lines))

    def _odds(self) -> None:
        """Show the odds of the present battle or of the one in the space in focus."""
        view = self._view
        page = odds(view, self._doing.ui.place) if view.begun else None
        if page is not None:
            self._doing.open(page)
        else:
            none = _("No dice decide battles here: there are no odds.")
            self._doing.say(none if view.begun else _("The table has not begun."))

    def _orders(self) -> None:
        doing = self._doing

        def items() -> Iterator[Item]:
            for text, deed, given in order_ways(doing.now().view):
                yield Item(text, "", partial(doing.do, deed, **given))

        if [*items()]:
            doing.open(Page(_("Standing orders"), items=items))
        else:
            doing.say(_("Pick an answer first; then it can be made the answer to all such questions."))

    def _answer(self, yes: bool) -> None:
        """Say yes or no to a question, or mark it beside the first proposal."""
        view = self._view
        if view.question is not None:
            self._doing.do("reply", yes=yes)
        elif view.votes:
            page = votes(self._doing)
            page.cursor = 0 if yes else 1  # the first proposal has an entry to agree, then one to refuse
            self._doing.open(page)
        else:
            self._doing.say(_("No question with yes or no is open."))

    def _rules(self) -> None:
        """Show the reference of the game, articles about the marked ware or the question first."""
        from client.session.lookup import about
        from client.words.reference import entries

        view, page = self._view, self._page()
        if view.spec is None:
            self._doing.say(_("The table has not begun."))
            return
        ask = view.draft.ask if view.draft else None
        shelf = page.marked() if isinstance(page, ShelfPage) else None
        marked = [] if shelf is None else [shelf.text.casefold()]
        words = [*marked, *([ask.word] if ask is not None else [])][:1]
        found = [each for word in words for each in about(view.spec.id, entries(view.spec), word)][:RULES]
        self._doing.open(reference_page(_("Rules, in our own words"), view.spec, found), over=bool(marked))

    def chat(self) -> None:
        """Show the chat; a typed line is sent to all."""

        def lines(width: int) -> Sequence[Line]:
            view = self._view
            self._doing.ui.read = len(view.chat)  # what is drawn is read
            return drawn(chat_document(view.chat), width)

        self._doing.open(reading(_("Chat"), lines, tail=True))
        self._say("")

    def _say(self, text: str) -> None:
        """Let the person type what to say, beginning with a text."""
        self._doing.type(TypedLine(_("say: "), self._said, dropped=lambda: self._doing.open(None)), text)

    def _said(self, text: str) -> None:
        if text.strip():
            deed = DEEDS["chat"]
            answer = deed.do(self._doing.session, {"text": text})
            self._doing.answered(deed, answer)
            if isinstance(answer, NotDone):  # what was typed can be made shorter
                self._say(text)

    def _goods(self) -> None:
        """Show what can be bought, or what the seat has of it."""
        view = self._view
        if view.begun and shelves_of(view.pictures, view.frame()):
            shelves(self._doing)
        else:
            self._doing.page(view.pictures.documents.goods)

    def _battle(self) -> None:
        """Show the present battle, else the ships that would fight."""
        now = self._doing.now

        def lines(width: int) -> Sequence[Line]:
            battle, view = now().battle, now().view
            if battle is None:
                return folded(_("The battle is over."), width)
            return battle_lines(battle, view.names, width, FAR, view.glyphs)

        if now().battle is not None:
            self._doing.open(reading(_("The battle under way"), lines))
        elif "battle" in now().view.pictures.documents.commands:
            self._doing.page("battle")
        else:
            self._doing.say(_("No battle is under way."))

    # The palette -----------------------------------------------------------------------------------------------------

    def offers(self) -> Iterator[Item]:
        """Pictures, filters of the log, commands, articles of the rules."""
        doing, view = self._doing, self._view
        if not view.begun:
            return
        for name, shown in view.pictures.documents.commands.items():
            own, show = called(name), partial(doing.page, name)
            yield Item(f"{own}: {_(shown.summary)}", f":{own}", show, words=(name,))
        for tab, kept in enumerate(view.filters[1:], 1):
            page = partial(log, doing.now, tab)
            yield Item(_("Only in the log: {what}").format(what=kept.title), self._key("log"), self._begun(page))
        keyed = {each.act for each in self.keys}
        for each in doing.lines.deeds.values():
            listed = each.id in TALKING or each.id in view.pictures.documents.commands
            if each.names and not listed and (each.usage or each.id not in keyed):
                own, words = called(each.names[0]), typed_names(each)
                act = partial(self.typed, f"{own} ") if each.usage else partial(doing.command, own)
                yield Item(f"{own}: {_(each.does)}", f":{own}", act, doing.why_not(each.id), words=words)
        for article in doing.now().articles:
            page = partial(article_page, _("Rules, in our own words"), [article])
            yield Item(_("Rules: {title}").format(title=article.title), self._key("rules"), self._begun(page))

    def typed(self, text: str) -> None:
        """Let the person type a command, beginning with a text."""
        self._doing.type(TypedLine(":", self._doing.command, completes=self._doing.lines.completions), text)

    def _key(self, act: str) -> str:
        return next((spelt(each.keys[0]) for each in self.keys if each.act == act), "")


# What happened ------------------------------------------------------------------------------------------------------


def log(now: Callable[[], Scene], tab: int = 0) -> Page:
    """The log, the latest at the end; its tabs are filters."""
    filters = now().view.filters

    def lines(width: int, word: str) -> Sequence[Line]:
        view, kept = now().view, filters[page.tab]
        told = partial(kept.document, view.log, view.chat, view.names)
        return searched(word, now().once(("log", page.tab, width), lambda: drawn(told(), width)))

    page = Page(_("Log"), lines, tail=True, tabs=[each.title for each in filters], tab=tab)
    return page


def bundle(text: str) -> Page:
    """A bundle for the others at a table by post, which is on the clipboard."""
    told, *parts = text.split("\n")
    how = _("It is on the clipboard, if your terminal can do that. As a file: :post FILE")

    def lines(width: int) -> list[Line]:
        return [*folded(told, width, "question"), *folded(how, width, "said"), line(""), *map(line, parts)]

    return reading(_("For the others"), lines)


# Refusals -------------------------------------------------------------------------------------------------------------


def why(now: Callable[[], Scene]) -> Page:
    """The refused options with the reason and the rule."""

    def lines(width: int) -> list[Line]:
        shown: list[Line] = []
        for reason, options, rule in now().reasons():
            shown += [*folded(reason, width, "question"), *folded(", ".join(options), width, "", "  ")]
            shown += folded(rule, width, "faint", "  ") if rule else []
        return shown or [line(_("Nothing is refused now."))]

    return reading(_("Not possible now"), lines)


# What if -------------------------------------------------------------------------------------------------------------

CHANCES: Final = 4
"""Most rows of the chances."""


def odds(view: SessionView, place: str) -> Page | None:
    """The present battle, or the one in a space, with numbers of both sides, which ← and → set, and the resulting
    chances; None for a game without dice in battles. place: the space in focus."""
    frame, names, numbers = view.frame(), view.names, dict[str, int]()
    first = view.pictures.fights.suppose(frame, place, numbers)
    if first is None:
        return None
    now = [first]

    def turn(number: Number, by: int) -> None:
        numbers[number.key] = max(0, min(number.value + by, number.most))
        now[0] = view.pictures.fights.suppose(frame, place, numbers) or first

    def item(number: Number) -> Item:
        text = f"◂ {number.shown} ▸  {side_name(names, number.owner)}: {number.text}"
        return Item(text, "", partial(turn, number, 1), turn=partial(turn, number))

    def head(width: int) -> Sequence[Line]:
        said = folded(_("← and → set a number; nothing of this happens."), width, "faint")
        return [*fitted(chances_of([now[0].chance], names), width, CHANCES, view.glyphs)[0], *said, ()]

    return Page(_("What if: {battle}").format(battle=first.title), items=lambda: map(item, now[0].numbers), head=head)
