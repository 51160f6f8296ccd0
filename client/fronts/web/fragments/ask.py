# SPDX-License-Identifier: GPL-3.0-or-later
"""What is asked, what is picked, and what sending means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from client.fronts.web.fragments.deeds import button, deed, do, of_topics, offered, row
from client.session.deeds.answers import order_ways
from client.session.deeds.deed import ANSWERS
from client.session.menu import MOST, MenuEntry, entries
from client.session.notation import PickedStage
from client.session.session import Session
from client.session.view import SessionView
from client.session.view_records import Ask, ListedOption
from client.session.waiting import draft_document, idle_document, question_document
from client.show.document import Sheet
from client.show.html import document
from client.show.markup import Markup, el, hint, joined
from client.system.texts import _


def asked(view: SessionView, session: Session, over: bool) -> Markup:
    """The question with its options, or who is waited for; and what is picked. session: where deeds are done; over:
    True after the table has ended."""
    made: list[str] = [_parts(view.parts)] if view.parts else []
    if view.question:
        yes, no = deed("reply", None, _("yes"), key=True, yes=True), deed("reply", None, _("no"), yes=False)
        made += [el("h2", view.question), row(yes, no)]
    elif view.handover:
        made += [el("h2", view.handover), row(deed("here", key=True))]
    elif view.ask is not None:
        made += _question(view, view.ask, session)
    elif not view.sendable:
        if over:
            made.append(el("p", _("The game is over.")))
        if view.confirming or not over:
            made.append(document(idle_document(view), "idle"))
    return joined([*made, *_picked(view)])


def _parts(parts: Sequence[PickedStage]) -> Markup:
    """An answer in several parts as one form: what was picked for each, to be picked anew."""
    fields = []
    for number, part in enumerate(parts):
        again = number > 0 and parts[number - 1].text == part.text
        options = (
            el("option", title, selected=at == part.chosen, data_do=do("part", part=number, option=at))
            for at, title in enumerate(part.titles)
        )
        single = len(part.titles) < 2
        made = el("select", *options, class_="part", aria_label=part.text, disabled=single)
        fields.append(el("label", el("span", part.text, hidden=again), made, class_="field"))
    return el("div", *fields, class_="fields")


def _question(view: SessionView, ask: Ask, session: Session) -> Iterator[Markup]:
    main = [group for group in ask.groups if not _aside(group, ask)]
    others = [group for group in ask.groups if _aside(group, ask)]
    formed = {one.option for group in ask.groups for cell in group.cells for one in cell.picks}
    rest = [at for at in range(len(ask.options)) if at not in formed]
    listed = entries(ask, view.display_names, rest if formed else None)
    yield el("h2", ask.text)
    if ask.before and not main:
        yield document(ask.before, "before")
    yield document(question_document(view)[1:], "asked")
    if main:
        yield document(main, "ask")
    if len(rest) > MOST:
        yield el("input", type="search", id="find", placeholder=_("Find"), aria_label=_("Find"))
    yield _listed(ask, listed)
    if others:
        yield el("details", el("summary", _("Besides")), document(others, "ask"), open=not rest)
    if ask.advice:
        yield el("p", ask.advice, class_="hint")
    yield row(*(offered(each, session) for each in of_topics(ANSWERS)))
    yield el("div", id="answer")
    if ask.hold:
        yield deed("hold")
    if ask.refused:
        yield el("details", el("summary", _("Not possible now")), *(el("p", each.text) for each in ask.refused))


def _aside(group: Sheet, ask: Ask) -> bool:
    """True if the group has something that does not answer the question."""
    return any(ask.options[one.option].aside for cell in group.cells for one in cell.picks)


def _listed(ask: Ask, listed: Sequence[MenuEntry]) -> Markup:
    """The entries of the list, those last that do not answer the question; groups are opened by a click or a search."""
    made = list[Markup]()
    for aside, some in groupby(listed, lambda entry: ask.options[entry.options[0]].aside):
        made += [el("h3", _("Besides"))] if aside else []
        for entry in some:
            options = [_option(ask.options[at], at) for at in entry.options]
            if entry.amount is not None:
                made.append(_amount(ask, entry.options))
            elif entry.path:
                made.append(el("details", el("summary", f"{entry.title} … ({len(options)})"), *options))
            else:
                made += options
    return el("div", *made, class_="options", id="options")


def _option(one: ListedOption, at: int, *, hidden: bool = False) -> Markup:
    inside = el("span", one.title), hint(one.hint), el("span", one.cost, class_="price")
    return el("button", *inside, title=one.text, data_option=at, hidden=hidden)


def _amount(ask: Ask, options: Sequence[int]) -> Markup:
    """Options that differ in a number alone: the number is set, and what it means is the option to click on."""
    number = el("input", type="range", min=0, max=len(options) - 1, value=0, aria_label=ask.text)
    less = button("−", aria_label=_("Less"), data_own="less")
    more = button("+", aria_label=_("More"), data_own="more")
    shown = (_option(ask.options[at], at, hidden=at != options[0]) for at in options)
    return el("div", row(less, number, more), el("div", *shown, class_="options"), class_="amount")


def _picked(view: SessionView) -> Iterator[Markup]:
    """What is picked and not sent, with what sending means, and the standing orders."""
    if told := draft_document(view):
        yield el("h3", _("Draft, not sent"))
        yield document(told, "draft")
        send = [deed("send", key=True)] if view.sendable else []
        yield row(deed("undo"), deed("reset"), *send, class_="final")
    if ways := [row(deed(id, None, text, **given)) for text, id, given in order_ways(view)]:
        yield el("details", el("summary", _("Standing orders")), *ways)
