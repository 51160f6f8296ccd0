# SPDX-License-Identifier: GPL-3.0-or-later
"""The table besides the question: seats, proposals, tabs, chat, what one may propose, looking back, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from client.fronts.web.fragments.deeds import deed, of_topics, offered
from client.fronts.web.fragments.html import button, do, row
from client.session.deeds.deed import DECIDED, GAME, HAPPENED, OTHERS, PROGRAM, Deed
from client.session.deeds.kinds import MEMBER, MEMBERS
from client.session.news import ChatMessage, LoggedEvent
from client.session.past import EarlierPosition
from client.session.session import Session
from client.session.view import SessionView
from client.session.view_records import SeatView, StoppedView, VoteView
from client.show.html import document
from client.show.markup import Markup, el, joined
from client.system.texts import LANGUAGES

if TYPE_CHECKING:
    from client.fronts.web.shown import PageState

LOG: Final = 300
"""Most events, and most messages, to show."""
KEPT: Final = 2048
"""Number of events to cache."""

Words = Mapping[str, str]


def tools(words: Words) -> Markup:
    """The buttons of the map."""
    signs = (("+", "zoom-in"), ("−", "zoom-out"), ("□", "whole"))
    return joined([button(sign, title=words[own], aria_label=words[own], data_own=own) for sign, own in signs])


def languages(language: str, words: Words) -> Markup:
    """The choice of the language."""
    options = (
        el("option", name, value=each, lang=each, selected=each == language, data_do=do("language", language=each))
        for each, name in LANGUAGES.items()
    )
    return el("select", *options, id="language", aria_label=words["language"])


def seats(view: SessionView, words: Words) -> Markup:
    """All seats with their figures, links and debts."""
    return joined([_seat(seat, number, words) for number, seat in enumerate(view.seats)])


def _seat(seat: SeatView, number: int, words: Words) -> Markup:
    beside = f"({words['here']})" if seat.mine else "" if seat.linked else f"({words['no-link']})"
    clock = el("time", data_since=seat.since) if seat.since else ""
    return el(
        "li",
        el("b", seat.letter, class_=f"seat-{number}"),
        f" {seat.name} {beside} ",
        *(f"{name} {n} " for name, n in seat.figures),
        el("span", f"{seat.owes} ", clock, class_="hint"),
        class_="owes" if seat.owes or seat.since else None,
    )


def votes(view: SessionView, words: Words) -> Markup:
    """What has stopped the table, and what somebody proposes to the others."""

    def vote(one: VoteView) -> Markup:
        yes = deed("vote", None, words["yes"], key=True, id=one.id, yes=True)
        no = deed("vote", None, words["no"], id=one.id, yes=False)
        return el("div", el("p", words["proposal"].format(name=one.name, what=one.text)), row(yes, no))

    return joined([*map(_stopped, view.stopped), *(vote(one) for one in view.votes)])


def _stopped(one: StoppedView) -> Markup:
    """What has stopped the table, with what is known of it."""
    deeds = [deed(each.deed, None, each.text, **each.given) for each in one.deeds]
    return el("div", el("h2", one.text), document(one.document, "stopped"), row(*deeds))


def title(view: SessionView, words: Words) -> str:
    """The title of the page, which tells whose turn it is."""
    return f"● {words['my-turn']} – starlock" if view.ask or view.question else "starlock"


def lines(state: PageState, words: Words) -> Markup:
    """What is said to this person; after the end, how to see the result again."""
    if state.over:
        return button(words["to-end"], data_own="end")
    made = [el("p", text) for text in state.lines]
    return joined([*made, *([el("p", words["left"], class_="hint")] if state.view.left else [])])


def tabs(state: PageState, words: Words) -> Markup:
    """The tabs: log, chat, the pictures of the game, looking back, the table."""
    own = (("log", words["log"], ""), ("chat", words["chat"], ""))
    more = (("replay", words["replay"], ""), ("table", words["table"], ""))
    return joined([_tab(*each) for each in (*own, *state.pictures, *more) if each[1]])


@lru_cache(KEPT)
def _tab(name: str, title: str, about: str) -> Markup:
    return button(title, role="tab", id=f"tab-{name}", title=about, data_tab=name)


def chat(said: Sequence[ChatMessage], words: Words) -> Markup:
    """The last messages, and a field for the next one."""
    told = (el("p", el("b", f"{one.name}: "), one.text) for one in said[-LOG:])
    field = el("input", name="text", required=True, placeholder=words["say"], aria_label=words["say"])
    return joined([el("div", *told), el("form", field, id="say", name="chat")])


def carried(answer: str, qr: str, words: Words) -> Iterator[Markup]:
    """The lines between homes: the answer that another home has to get, if there is one, and a field for what others
    have sent. qr: the answer in SVG."""
    if answer:
        yield el("h3", words["answer"])
        yield from line(answer, qr, words["answer"], words)
    field = el("input", name="text", required=True, placeholder=words["paste-line"], aria_label=words["paste-line"])
    yield el("form", field, name="paste")


def line(text: str, qr: str, title: str, words: Words) -> Iterator[Markup]:
    """A line that a person carries to another home, as text and picture. qr: in SVG."""
    yield el("textarea", text, readonly=True, rows=4, aria_label=title)
    yield row(button(words["copy"], key=True, data_own="copy", data_copied=words["copied"]))
    if qr:
        yield el("div", Markup(qr), class_="qr")


def table(state: PageState, session: Session, words: Words) -> Markup:
    """What one may propose to the others, leaving, and the network."""
    if state.over:
        return el("p", words["over"])
    machines = (el("p", text, class_="hint") for text in state.view.machines)
    deeds = of_topics(GAME, HAPPENED, OTHERS, DECIDED, PROGRAM)
    about = [each for each in deeds if any(one.kind in (MEMBER, MEMBERS) for one in each.arguments)]
    alone = [each for each in deeds if each not in about]
    own = row(
        *(offered(each, session) for each in alone if each.about is None),
        button(words["notify"], data_own="notify"),
        deed("quit"),
    )
    final = (offered(each, session) for each in alone if each.about is not None)
    others = _others(state.view, session, about)
    lines = carried(state.view.answer, state.qr, words)
    return joined([*machines, *others, own, *final, *lines, network(state.view, words)])


def _others(view: SessionView, session: Session, about: Sequence[Deed]) -> Iterator[Markup]:
    """The players elsewhere, each with what may be done about it."""
    for seat in view.seats:
        if not seat.here:
            made = (deed(each.id, session, name=seat.name, member=seat.member, members=[seat.member]) for each in about)
            yield el("p", el("b", f"{seat.letter} {seat.name} "), seat.link, f" {seat.owes} ", *made)


def network(view: SessionView, words: Words) -> Markup:
    """A look at the network, one line a step with its cause and what to try."""
    look = button(words["looking"], disabled=True) if view.examining else deed("doctor")
    steps = (el("p", line, class_="hint" if line.startswith(" ") else None) for line in view.examined or ())
    return el("div", row(look), *steps, class_="network")


def then(past: EarlierPosition, words: Words) -> Mapping[str, Markup]:
    """What is shown of an earlier position beside its map, by ids."""
    shown = el("span", words["as-it-was"].format(height=past.height)), button(words["back"], data_own="back")
    told = el("h3", f"{past.height} / {past.last}"), *(el("p", text) for text in past.told)
    return {"then": joined(shown), "told": joined(told)}


def which(words: Words) -> Markup:
    """The dialog for several options at one space; the script of the page puts them there."""
    return joined([el("h2", words["several"]), el("div", class_="options"), button(words["no"], data_own="close")])


def log(told: Sequence[LoggedEvent], seen: int | None, words: Words) -> Markup:
    """The last events. seen: those of later heights are news; None if nothing is."""
    return joined([
        _event(one.text, one.undone, words["since"] if seen is not None and one.height > seen else "")
        for one in told[-LOG:]
    ])  # fmt: skip


@lru_cache(KEPT)
def _event(text: str, undone: bool, news: str) -> Markup:
    """An event. news: what to say of one that is new, else "". Cached, since most are sent again and again."""
    look = " ".join(["undone"] * undone + ["since"] * bool(news))
    return el("p", text, class_=look or None, title=news or None)


def looking_back(positions: int, words: Words) -> Markup:
    """The slider over the earlier positions."""
    before = button("◀", aria_label=words["before"], data_own="less")
    after = button("▶", aria_label=words["after"], data_own="more")
    slider = el("input", type="range", id="past", min=0, max=max(positions - 1, 0), aria_label=words["replay"])
    return el("div", row(before, slider, after), class_="amount")


def end(state: PageState, words: Words) -> Markup:
    """Places, points by what they come from, and the page that proves the game."""
    if not state.over:
        return Markup()
    home = [button(words["home"], key=True, id="home", data_do=do("home"))] if state.home else []
    made = [prover(None, words["report"], words, key=True, id="report")] if state.report else []
    result = el("pre", "\n".join(state.lines), tabindex=0)
    return joined([
        el("h2", words["game-over"]),
        document(state.end, "end"),
        el("details", el("summary", words["numbers"]), result),
        row(*home, *made, button(words["to-board"], data_own="end")),
    ])  # fmt: skip


def prover(table: str | None, text: str, words: Words, *more: str, key: bool = False, **attributes: object) -> Markup:
    """A button that makes the page that proves the game of a table, this one without a name, and opens it."""
    return button(text, *more, key=key, data_own="prove", data_making=words["making"], data_table=table, **attributes)
