# SPDX-License-Identifier: GPL-3.0-or-later
"""The table besides the question: seats, proposals, tabs, chat, what one may propose, looking back, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from client.fronts.web.fragments.deeds import button, deed, do, of_topics, offered, row
from client.session.deeds.deed import DECIDED, GAME, HAPPENED, OTHERS, PROGRAM, Deed
from client.session.deeds.kinds import MEMBER, MEMBERS
from client.session.news import ChatMessage, chat_document, events_document
from client.session.session import Session
from client.session.view import SessionView
from client.session.view_records import SeatView
from client.show.document import Document, Note
from client.show.html import document
from client.show.markup import Markup, el, joined
from client.system.texts import LANGUAGES, _

LOG: Final = 300
"""Most events, and most messages, to show."""
KEPT: Final = 128
"""Number of tabs to cache."""


def tools() -> Markup:
    """The buttons of the map."""
    signs = (("+", "zoom-in", _("Zoom in")), ("−", "zoom-out", _("Zoom out")), ("□", "whole", _("Whole map")))
    return joined([button(sign, title=text, aria_label=text, data_own=own) for sign, own, text in signs])


def languages(language: str) -> Markup:
    """The choice of the language."""
    options = (
        el("option", name, value=each, lang=each, selected=each == language, data_do=do("language", language=each))
        for each, name in LANGUAGES.items()
    )
    return el("select", *options, id="language", aria_label=_("Language"))


def seats(view: SessionView) -> Markup:
    """All seats with their figures, links and debts."""
    return joined([_seat(seat, number) for number, seat in enumerate(view.seats)])


def _seat(seat: SeatView, number: int) -> Markup:
    beside = f"({_('you')})" if seat.mine else "" if seat.linked else f"({_('no connection')})"
    clock = el("time", data_since=seat.since) if seat.since else ""
    return el(
        "li",
        el("b", seat.letter, class_=f"seat-{number}"),
        f" {seat.name} {beside} ",
        *(f"{name} {n} " for name, n in seat.figures),
        el("span", f"{seat.owes} ", clock, class_="hint"),
        class_="owes" if seat.owes or seat.since else None,
    )


def votes(view: SessionView) -> Markup:
    """What has stopped the table with what is known of it, and what somebody proposes to the others."""
    made = list[Markup]()
    for stopped in view.stopped:
        deeds = [deed(each.deed, None, each.text, **each.given) for each in stopped.deeds]
        made.append(el("div", el("h2", stopped.text), document(stopped.document, "stopped"), row(*deeds)))
    for one in view.votes:
        yes = deed("vote", None, _("yes"), key=True, id=one.id, yes=True)
        no = deed("vote", None, _("no"), id=one.id, yes=False)
        told = el("p", _("{name} proposes: {what}.").format(name=one.name, what=one.text))
        made.append(el("div", told, row(yes, no)))
    return joined(made)


def lines(said: Sequence[str], view: SessionView, over: bool = False) -> Markup:
    """What is said to this person; after the end, how to see the result again."""
    if over:
        return button(_("Show the result"), data_own="end")
    left = [el("p", _("You left the table; it can be resumed."), class_="hint")] if view.left else []
    return joined([*(el("p", text) for text in said), *left])


def tabs(pictures: Sequence[tuple[str, str, str]]) -> Markup:
    """The tabs: log, chat, those of the pictures that have a title, looking back, the table. pictures: id, title, and
    what it does, of each."""
    own = (("log", _("Log"), ""), ("chat", _("Chat"), ""))
    more = (("replay", _("Look back"), ""), ("table", _("Table"), ""))
    return joined([_tab(*each) for each in (*own, *pictures, *more) if each[1]])


@lru_cache(KEPT)
def _tab(name: str, title: str, about: str) -> Markup:
    return button(title, role="tab", id=f"tab-{name}", title=about, data_tab=name)


def chat(said: Sequence[ChatMessage]) -> Markup:
    """The last messages, and a field for the next one."""
    told = el("div", document(chat_document(said[-LOG:]), "chat"))
    return joined([told, el("form", _typed(_("Say something to all")), id="say", name="chat")])


def _typed(about: str) -> Markup:
    return el("input", name="text", required=True, placeholder=about, aria_label=about)


def carried(answer: str, qr: str) -> Iterator[Markup]:
    """The lines between homes: the answer that another home has to get, if there is one, and a field for what others
    have sent. qr: the answer in SVG."""
    if answer:
        yield el("h3", _("Answer"))
        yield from line(answer, qr, _("Answer"))
    about = _("Paste here what another home sent you: an answer or a ticket")
    yield el("form", _typed(about), name="paste")


def line(text: str, qr: str, title: str) -> Iterator[Markup]:
    """A line that a person carries to another home, as text and picture. qr: in SVG."""
    yield el("textarea", text, readonly=True, rows=4, aria_label=title)
    yield row(button(_("Copy"), key=True, data_own="copy", data_copied=_("Copied")))
    if qr:
        yield el("div", Markup(qr), class_="qr")


def table(view: SessionView, session: Session, qr: str = "") -> Markup:
    """What one may propose to the others, leaving, and the network. qr: the answer for another home, in SVG."""
    machines = (el("p", text, class_="hint") for text in view.machines)
    deeds = of_topics(GAME, HAPPENED, OTHERS, DECIDED, PROGRAM)
    about = [each for each in deeds if any(one.kind in (MEMBER, MEMBERS) for one in each.arguments)]
    alone = [each for each in deeds if each not in about]
    own = row(
        *(offered(each, session) for each in alone if each.about is None),
        button(_("Tell me by the browser when it is my turn"), data_own="notify"),
        deed("quit"),
    )
    final = (offered(each, session) for each in alone if each.about is not None)
    others = _others(view, session, about)
    return joined([*machines, *others, own, *final, *carried(view.answer, qr), network(view)])


def _others(view: SessionView, session: Session, about: Sequence[Deed]) -> Iterator[Markup]:
    """The players elsewhere, each with what may be done about it."""
    for seat in view.seats:
        if not seat.here:
            made = (deed(each.id, session, name=seat.name, member=seat.member, members=[seat.member]) for each in about)
            yield el("p", el("b", f"{seat.letter} {seat.name} "), seat.link, f" {seat.owes} ", *made)


def network(view: SessionView) -> Markup:
    """A look at the network, one line a step with its cause and what to try."""
    look = button(_("Looking …"), disabled=True) if view.examining else deed("doctor")
    steps = (el("p", line, class_="hint" if line.startswith(" ") else None) for line in view.examined or ())
    return el("div", row(look), *steps, class_="network")


def then(height: int, last: int, told: Sequence[str]) -> Mapping[str, Markup]:
    """What is shown of an earlier position beside its map, by ids. last: the height that is open now; told: the events
    at the earlier one."""
    said = _("The board as it was at step {height}.").format(height=height)
    shown = el("span", said), button(_("Back to now"), data_own="back")
    return {"then": joined(shown), "told": joined([el("h3", f"{height} / {last}"), *(el("p", text) for text in told)])}


def which() -> Markup:
    """The dialog for several options at one space; the script of the page puts them there."""
    return joined([el("h2", _("Which one?")), el("div", class_="options"), button(_("no"), data_own="close")])


def log(view: SessionView) -> Markup:
    """The last events; those since this person's last answer below a heading."""
    told, seen = view.log[-LOG:], view.seen
    news = [each for each in told if seen is not None and each.height > seen]
    since = [Note(_("Since your last answer"), "title"), *events_document(news, view.names)] if news else []
    old = events_document([each for each in told if seen is None or each.height <= seen], view.names)
    return document([*old, *since], "log")


def looking_back(positions: int) -> Markup:
    """The slider over the earlier positions."""
    before = button("◀", aria_label=_("Earlier"), data_own="less")
    after = button("▶", aria_label=_("Later"), data_own="more")
    slider = el("input", type="range", id="past", min=0, max=max(positions - 1, 0), aria_label=_("Look back"))
    return el("div", row(before, slider, after), class_="amount")


def end(points: Document, state: Mapping[str, Any]) -> Markup:
    """Places, points by what they come from, and the page that proves the game. state: see `client.fronts.web.state`;
    its `lines` are the result, `home` and `report` say where to go on."""
    home = [button(_("Back to the start page"), key=True, id="home", data_do=do("home"))] if state["home"] else []
    made = [prover(None, _("The page that proves this game"), key=True, id="report")] if state["report"] else []
    result = el("pre", "\n".join(state["lines"]), tabindex=0)
    return joined([
        el("h2", _("The game is over")),
        document(points, "end"),
        el("details", el("summary", _("In numbers")), result),
        row(*home, *made, button(_("Look at the board"), data_own="end")),
    ])  # fmt: skip


def prover(table: str | None, text: str, *more: str, key: bool = False, **attributes: object) -> Markup:
    """A button that makes the page that proves the game of a table, this one without a name, and opens it."""
    making = _("Checking the whole game …")
    return button(text, *more, key=key, data_own="prove", data_making=making, data_table=table, **attributes)
