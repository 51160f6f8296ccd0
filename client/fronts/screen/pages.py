# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages shown over the table: log, chat, rules, keys, standing orders; those of other modules by their actions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import Final

from client.fronts.kit.canvas import folded, searched
from client.fronts.kit.logged import filtered, messages, told_style
from client.fronts.kit.ui import Item, Page, Typing
from client.fronts.screen import boards, consent, deeds, palette, proof, whatif
from client.fronts.screen.actions import typing
from client.fronts.screen.articles import reference_page
from client.fronts.screen.battle import battle_lines
from client.fronts.screen.keys import BATTLE, KEYS, LOBBY, PAGED, TROUBLED, spelt
from client.fronts.screen.reading import picture, reading
from client.fronts.screen.scene import Scene
from client.fronts.screen.shelves import shelves, wares
from client.fronts.screen.shown_front import ShownFront
from client.session.filters import log_filters
from client.session.news import LoggedEvent, joined, teller
from client.session.orders import UNTIL, Order, order_text, until_text
from client.show.styled import Line, line, rows
from client.system.texts import _

__all__ = ["PAGES", "bundle"]

FAR: Final = 1000
RULES: Final = 8
"""Articles of the reference that are shown at once."""


def _first_of(*names: str) -> Callable[[ShownFront], None]:
    """An action that opens the first of these pictures that the game has."""

    def show(front: ShownFront) -> None:
        known = [name for name in names if name in front.session.pictures.commands]
        if known:
            picture(front, known[0])
        else:
            front.say(_("This game has no such picture."))

    return show


def tech(front: ShownFront) -> None:
    """Show what can be bought, or the picture of the technologies or of the cards."""
    controls = front.session.controls
    if controls is not None and front.session.pictures.shelves(front.session.frame())[1]:
        shelves(front)
    else:
        _first_of("tech", "cards")(front)


def details(front: ShownFront) -> None:
    """Show everything about the space in focus, and why answers that name it are not possible now."""
    place = front.ui.place
    if not place or "map" not in front.session.pictures.commands:
        return

    def lines(width: int) -> list[Line]:
        reasons = front.scene.refused_at(place)
        why = [row for what, text in reasons for row in folded(f"x {what}: {text}", width, "faint", "  ")]
        return [*front.scene.board("map", (place,), width), *why]

    reading(front, front.session.display_names(place), lines)


# What happened -------------------------------------------------------------------------------------------------------


def log(front: ShownFront, tab: int = 0) -> None:
    """Show the log, the latest at the end; its tabs are filters."""
    filters, session = log_filters(front.session), front.session

    @lru_cache(1)
    def told(_scene: Scene, tab: int, width: int) -> Sequence[Line]:
        return filtered(filters[tab], session.log, session.chat, session.names, width)

    def lines(width: int, word: str) -> Sequence[Line]:
        return searched(word, told(front.scene, page.tab, width))

    page = Page(_("Log"), lines, tail=True, tabs=[each.title for each in filters], tab=tab)
    front.open(page)


def since(front: ShownFront) -> None:
    """Show what happened since this person's last answer, one paragraph for each seat's turn."""

    def lines(width: int) -> list[Line]:
        names, runs = front.session.names, list[list[LoggedEvent]]()
        for told in front.scene.since:
            name = teller(told, names)
            begins = not name or not runs or name != teller(runs[-1][0], names)
            if begins or told.event in front.session.pictures.opening:
                runs.append([])
            runs[-1].append(told)
        return [
            row
            for run in runs
            for row in folded(joined(run, teller(run[0], names)), width, told_style(run[0], names), "  ")
        ] or [line(_("Nothing has happened since."))]

    answered = front.session.sent.last is not None
    title = _("Since your last answer") if answered else _("What has happened so far")
    reading(front, title, lines, tail=not answered)


def chat(front: ShownFront) -> None:
    """Show the chat; a typed line is sent to all."""

    def lines(width: int) -> Sequence[Line]:
        front.ui.read = len(front.session.chat)  # what is drawn is read
        return messages(front.session.chat, width)

    reading(front, _("Chat"), lines, tail=True)
    typing(front, Typing.CHAT)


def bundle(front: ShownFront, text: str) -> None:
    """Show a bundle for the others at a table by post, and put it on the clipboard."""
    told, *parts = text.split("\n")
    front.host.copy("\n".join(parts))
    how = _("It is on the clipboard, if your terminal can do that. As a file: :post FILE")

    def lines(width: int, _word: str) -> list[Line]:
        return [*folded(told, width, "question"), *folded(how, width, "said"), line(""), *map(line, parts)]

    front.open(Page(_("For the others"), lines))


def why(front: ShownFront) -> None:
    """Show the refused options with the reason and the rule."""
    from client.session.lookup import rule_text
    from client.words.reference import entries

    controls = front.session.controls
    game = controls.match.spec.id if controls is not None else ""
    known = entries(controls.match.spec) if controls is not None else []

    def lines(width: int) -> list[Line]:
        choices = front.session.choices
        found, codes = (choices.why(titled=True), choices.codes()) if choices else ({}, {})
        shown: list[Line] = []
        for reason, options in found.items():
            shown += folded(reason, width, "question")
            shown += folded(", ".join(options), width, "", "  ")
            rule = rule_text(game, known, codes[reason])
            shown += folded(rule, width, "faint", "  ") if rule else []
        return shown or [line(_("Nothing is refused now."))]

    reading(front, _("Not possible now"), lines)


# Rules and help ------------------------------------------------------------------------------------------------------


def rules(front: ShownFront) -> None:
    """Show the reference of the game, articles about the question first."""
    controls = front.session.controls
    if controls is None:
        front.say(_("The table has not begun."))
        return
    from client.session.lookup import about
    from client.words.reference import entries

    spec, page = controls.match.spec, front.ui.page
    ask = front.session.draft.ask if front.session.draft else None
    marked = [] if page is None else wares(page, front.ui.word)[page.cursor :][:1]
    words = [*(ware.title.casefold() for ware in marked), *([ask.word] if ask is not None else [])][:1]
    found = [each for word in words for each in about(spec.id, entries(spec), word)][:RULES]

    front.open(reference_page(_("Rules, in our own words"), spec, found))
    if page is not None and front.ui.page is not None and marked:
        front.ui.page.back = page


def helping(front: ShownFront) -> None:
    """Show all keys, then how answers are typed."""

    def lines(width: int) -> list[Line]:
        mine: dict[str, list[str]] = {}
        for pressed, act in front.keys.items():
            mine.setdefault(act, []).append(spelt(pressed))
        seen: dict[str, str] = {}
        for key in (*BATTLE, *KEYS) if front.session.controls is not None else (*LOBBY, *KEYS):
            if key.act not in seen and key.act in mine:
                seen[key.act] = _(key.text)
        table = [(f" {', '.join(mine.get(act, ['-']))}", text) for act, text in seen.items()]
        table += [(f" {', '.join(map(spelt, key.keys))}", _(key.text)) for key in (*PAGED, *TROUBLED)]
        own = [
            _("1 to 9 choose an entry of the list; letters before entries always mean the same one."),
            _("Enter on a space of the map lists the answers that name it, or takes the only one."),
            _("With the mouse: click to look, click again to choose; the wheel scrolls and pans, the right button "
              "tells all about a space."),
            _("Signs: ● connected, ◐ by way of somebody else, ○ not connected, – by post, b a bot; ✎ steps not "
              "sent; ✓ steps verified here. On the map: [ ] in focus, * can be chosen, ! something happened since your "
              "last answer."),
        ]  # fmt: skip
        return [*(row for text in own for row in folded(text, width)), line(""), *map(line, rows(table, width))]

    reading(front, _("Keys"), lines)


# Lists ---------------------------------------------------------------------------------------------------------------


def orders(front: ShownFront) -> None:
    """Show the standing orders, to end them, and those that may be given."""

    def items(word: str) -> list[Item]:
        return [item for item in _orders(front) if word.lower() in item.text.lower()]

    if not items(""):
        front.say(_("Pick an answer first; then it can be made the answer to all such questions."))
    else:
        front.open(Page(_("Standing orders"), items=items))


def _orders(front: ShownFront) -> Iterator[Item]:
    session = front.session
    for order in session.standing():
        text = _("End: {order}").format(order=order_text(order, session.display_names))
        yield Item(text, "", partial(_lift, front, order))
    for at, answer in enumerate(front.scene.view.titles):
        for until in ("round", "game"):
            text = _("Always so, {until}: {answer}").format(until=until_text(until), answer=answer)
            yield Item(text, "", partial(_order, front, at, until))
    draft = session.draft
    if draft is not None and draft.empty and session.pictures.waive(draft.asked.ask) is not None:
        for until in UNTIL:
            yield Item(_("Say no {until}").format(until=until_text(until)), "", partial(_hold, front, until))


def _lift(front: ShownFront, order: Order) -> None:
    front.session.asking.lift(order)
    text = _("Ended: {order}").format(order=order_text(order, front.session.display_names))
    front.say(text, "notice")


def _order(front: ShownFront, at: int, until: str) -> None:
    session = front.session
    session.asking.order(at, until)
    order = order_text(session.standing()[-1], session.display_names)
    front.say(f"{_('What is picked now is still to be sent. From then on:')} {order}", "notice")


def _hold(front: ShownFront, until: str) -> None:
    front.session.asking.hold(until)


def battle(front: ShownFront) -> None:
    """Show the present battle, else the ships that would fight."""
    if front.scene.battle is None:
        if "battle" in front.session.pictures.commands:
            picture(front, "battle")
        else:
            front.say(_("No battle is under way."))
        return

    def lines(width: int) -> Sequence[Line]:
        now, names = front.scene.battle, front.session.names
        if now is None:
            return folded(_("The battle is over."), width)
        return battle_lines(now, names, width, FAR, front.session.glyphs)

    reading(front, _("The battle under way"), lines)


PAGES: Final[Mapping[str, Callable[[ShownFront], None]]] = {
    "details": details,
    "log": log,
    "since": since,
    "chat": chat,
    "why": why,
    "verify": proof.verify,
    "proof": proof.last_roll,
    "rules": rules,
    "help": helping,
    "votes": deeds.votes,
    "troubles": consent.troubles,
    "orders": orders,
    "palette": palette.palette,
    "boards": boards.boards,
    "tech": tech,
    "score": _first_of("score"),
    "battle": battle,
    "odds": whatif.odds,
    "legend": _first_of("legend"),
}
