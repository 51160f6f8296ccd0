# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything that a screen shows of a session, as one frozen value, and its JSON for pages and programs.

A view holds only what the seat may know: it is made from the seat's view of the game, the public state of the table
and the draft. Version 2 of the JSON, by key (absent keys have the value given after `=`):

    version    2
    step       identifies the question and draft shown; actions repeat it
    game       id of the game
    status     one line about the seat
    seats      [{letter, name, mine, here, linked, link = "", owes = "", since = 0, figures = [[name, number]…]}], by
               seat; here: this machine plays it; link: how its member is linked in words, such as "through Bob", "" for
               this person's seats; since: when it began to keep the table waiting, in seconds since 1970
    machines   [text…]: from which table this one goes on, machines that hold several seats, who let whom in
    waiting    [name…]: the members that the table waits for; before it begins, free seats in words too
    confirming the game has ended, in words, while members have not signed the end, = ""; `waiting` names them
    stopped    [{text, lines = [text…], rows = [[path, here, there]…], deeds = [{text, deed, given}…]}…]: what has
               stopped the table, which waits for votes alone then; rows: the fields in which programs differ; deeds:
               what may be proposed, with the id of the deed and its arguments
    question   the yes-or-no question before the table begins, = null
    lobby      the lobby, = null: {game, seats, names, free, ticket, rules, content, options =
               [[name, value, meaning, title, title of the value]…], places = [{seat, name, mine, bot, words, way,
               link, rtt, ready, wish, machine, holds, inviter, met}…], watching = as places}
    votes      [{id, kind, text, name}], id in hexadecimal; name: who proposes it
    held       [seat…]: seats of this person that hold: they say no automatically
    orders     [{seat, text, until}…]: standing orders, with the answer and its end in words
    ask        the question, = null; see `Ask`
    parts      [{text, titles, chosen}…]: the picked stages of an answer in stages: the question of each, its options in
               words, the index of the picked option; the action `part` changes it
    picked     [text…]: complete answers of the draft, in notation
    titles     [text…]: the same in words
    sendable   true if the draft can be sent
    seen       height of the last action of this person, = null: log entries of later heights are news
    log        [{height, text, event, seats, undone, places}…], from index log_from of the whole log on
    chat       [{name, text}…], from index chat_from on

    ask        {seat, text, before, so_far, secret, hold, advice, options, amounts, groups, refused}
    before     [[[style, text]…]…]: lines of runs to show first
    options    [{text, title, hint, price = [[resource in words, ±n]…], aside, places = [place…]}]
    amounts    [{numbers = [number…], options = [index…]}]: options that differ only in a number
    groups     [{title, note, look, cells = [{text, note, look, share, picks = [{option: index, text, note}…]}…]}]: the
               sheet for answering the question; look: a style such as "seat-0" or "faint"; share: percent or null
    refused    [{reason, texts}]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any, Final

from client.session.choices import Choices
from client.session.draft import Draft
from client.session.ending import confirming, confirming_text
from client.session.forms import Amount, Forms, Part, forms_of, parts_of, titles_of
from client.session.guide import advice_text
from client.session.lobby import Lobby, waited_for
from client.session.news import ChatMessage, LoggedEvent
from client.session.orders import order_text
from client.session.session import Session
from client.session.troubles import Remedy, stopped_text
from client.show.pictures import Frame
from client.show.sheets import Sheet
from client.show.styled import Line
from client.show.wall import Wall
from client.system.texts import _
from client.table.words import owed_text, way_text
from client.words.asking import prompt_text
from client.words.machines import table_lines
from engine.core.dataclass import dataclass
from engine.core.values import Value

__all__ = ["VERSION", "Ask", "ListedOption", "OrderView", "SeatView", "SessionView", "VoteView", "as_json", "view_of"]

VERSION: Final = 2
NO_LOG: Final = Wall()


@dataclass(frozen=True, slots=True)
class SeatView:
    """The public facts about a seat.

    Attributes:
        here: True if this machine plays the seat, by this person or a bot.
        link: how its member is linked in words, "" for this person's seats.
        owes: what its member owes, in words.
        since: the time since when it owes that, in seconds since 1970, 0 if it owes nothing.
        figures: numbers to show next to the name, each with its name.
    """

    letter: str
    name: str
    mine: bool
    here: bool
    linked: bool
    link: str
    owes: str
    since: int
    figures: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class VoteView:
    """A proposal that waits for this person's vote.

    Attributes:
        text: the proposal in words.
        name: the name of its proposer.
    """

    id: str
    kind: str
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class StoppedView:
    """Why the table has stopped.

    Attributes:
        text: in one sentence.
        lines: what is known of it, and what to do.
        rows: the fields in which programs differ: path, value here, value there.
        deeds: what may be proposed.
    """

    text: str
    lines: Sequence[str]
    rows: Sequence[tuple[str, str, str]]
    deeds: Sequence[Remedy]


@dataclass(frozen=True, slots=True)
class OrderView:
    """A standing order.

    Attributes:
        text: the question, the answer, and the end of the order.
        until: phase, round or game.
    """

    seat: int
    text: str
    until: str


@dataclass(frozen=True, slots=True)
class ListedOption:
    """One option of the draft.

    Attributes:
        text: the notation that is typed.
        title: the option in words.
        hint: its meaning here, "" if there is nothing to add to the title.
        price: its cost (negative) or gain, by resource.
        aside: True if it does not answer the question but may be done at any time.
        places: the spaces that it names, in the order of its words, by the ids of the map.
    """

    text: str
    title: str
    hint: str
    price: Sequence[tuple[str, int]]
    aside: bool
    places: Sequence[str]


@dataclass(frozen=True, slots=True)
class RefusedOptions:
    """Options that might be expected and are not possible, for one reason."""

    reason: str
    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Ask:
    """The next question.

    Attributes:
        before: lines to show first.
        so_far: the picks of an incomplete answer.
        secret: True if the answer stays hidden until all have answered.
        hold: True if `hold` answers it.
        advice: advice for a first game, "" if there is none or the person wants none.
    """

    seat: int
    text: str
    before: Sequence[Line]
    so_far: str
    secret: bool
    hold: bool
    advice: str
    options: Sequence[ListedOption]
    amounts: Sequence[Amount]
    groups: Sequence[Sheet]
    refused: Sequence[RefusedOptions]


@dataclass(frozen=True, slots=True)
class SessionView:
    """Everything that a screen shows besides pictures; the module's docstring describes the fields."""

    step: int
    game: str
    status: str
    seats: Sequence[SeatView]
    machines: Sequence[str]
    waiting: Sequence[str]
    confirming: str
    stopped: Sequence[StoppedView]
    question: str | None
    lobby: Lobby | None
    votes: Sequence[VoteView]
    held: Sequence[int]
    orders: Sequence[OrderView]
    ask: Ask | None
    parts: Sequence[Part]
    picked: Sequence[str]
    titles: Sequence[str]
    sendable: bool
    seen: int | None
    log_from: int
    log: Sequence[LoggedEvent]
    chat_from: int
    chat: Sequence[ChatMessage]
    version: int = VERSION


def view_of(session: Session, log_from: int = 0, chat_from: int = 0, wall: Wall = NO_LOG) -> SessionView:
    """The present view of a session, with log and chat from these indices on. wall: receives the errors of failed
    drawings."""
    controls = session.controls
    frame = session.frame() if controls is not None else None
    unsigned = confirming(session)
    return SessionView(
        step=session.step,
        game="" if controls is None else controls.genesis.game,
        status="" if frame is None else wall.drawn(lambda: session.pictures.standing(frame), ""),
        seats=() if frame is None else _seats(session, frame, wall),
        machines=() if controls is None else tuple(table_lines(controls.genesis)),
        waiting=_waiting(session),
        confirming=confirming_text(unsigned) if unsigned else "",
        stopped=_stopped(session),
        question=session.question,
        lobby=session.lobby,
        votes=tuple(VoteView(each.pact.id.hex(), each.pact.kind, each.text, each.name) for each in session.votes()),
        held=tuple(session.held),
        orders=tuple(
            OrderView(order.seat, order_text(order, session.display_names), order.until) for order in session.standing()
        ),
        ask=None if frame is None else _ask(session, frame, wall),
        parts=() if frame is None else _parts(session, frame, wall),
        picked=tuple(session.picked),
        titles=() if frame is None else _titles(session, frame, wall),
        sendable=session.sendable,
        seen=session.sent.seen,
        log_from=log_from,
        log=tuple(session.log[log_from:]),
        chat_from=chat_from,
        chat=tuple(session.chat[chat_from:]),
    )


def as_json(view: SessionView) -> Mapping[str, Any]:
    """The view as plain maps, lists, texts, numbers, booleans and null."""
    return asdict(view)


def _stopped(session: Session) -> tuple[StoppedView, ...]:
    found = []
    for trouble in session.troubles():
        if trouble.stops:
            after = _("First after: {what}").format(what=trouble.after) if trouble.after else ""
            lines = (trouble.text, after, trouble.why, trouble.stake, trouble.todo)
            rows = tuple((each.path, each.mine, each.theirs) for each in trouble.differences)
            deeds = tuple(deed for deed in trouble.deeds if deed.deed in ("absent", "repair"))
            found.append(StoppedView(stopped_text(trouble), tuple(filter(None, lines)), rows, deeds))
    return tuple(found)


def _waiting(session: Session) -> tuple[str, ...]:
    if session.controls is not None:
        if session.stopped() is None:
            return tuple(session.controls.owing())
        return tuple(name for name, kind in session.controls.debts().items() if kind == "sign")
    return () if session.lobby is None else tuple(waited_for(session.lobby))


def _seats(session: Session, frame: Frame, wall: Wall) -> tuple[SeatView, ...]:
    controls = session.controls
    assert controls is not None
    debts, ways = controls.debts(), controls.ways()
    nothing = tuple[tuple[str, int], ...]()

    def figures(seat: int) -> Sequence[tuple[str, int]]:
        return wall.drawn(lambda: tuple(session.pictures.figures(frame, seat)), nothing)

    return tuple(
        SeatView(
            frame.letter(seat),
            name,
            seat in controls.seats,
            seat in controls.seats or ways.get(name) == "here",
            seat in controls.seats or bool(ways.get(name)),
            "" if seat in controls.seats else way_text(ways.get(name, "")),
            owed_text(debts.get(name, "")),
            int(session.screens.since.get(name, 0)),
            figures(seat),
        )
        for seat, name in enumerate(session.names)
    )


def _parts(session: Session, frame: Frame, wall: Wall) -> tuple[Part, ...]:
    draft, nothing = session.draft, tuple[Part, ...]()
    if draft is None:
        return nothing
    return wall.drawn(lambda: tuple(parts_of(session.pictures, frame, draft)), nothing)


def _titles(session: Session, frame: Frame, wall: Wall) -> tuple[str, ...]:
    draft = session.draft
    if draft is None:
        return ()
    return wall.drawn(lambda: tuple(titles_of(session.pictures, frame, draft)), tuple(session.picked))


def _ask(session: Session, frame: Frame, wall: Wall) -> Ask | None:
    draft, choices = session.draft, session.choices
    if draft is None or draft.ask is None or choices is None:
        return None
    pictures, ask = session.pictures, draft.ask
    forms = wall.drawn(lambda: forms_of(pictures, frame, draft, choices), Forms())
    before = wall.drawn(lambda: tuple(pictures.before(frame, ask)), tuple[Line, ...]())
    question = wall.drawn(lambda: pictures.question(frame, ask, draft.so_far), "")
    return Ask(
        seat=draft.asked.seat,
        text=question or prompt_text(ask, session.names, session.display_names),
        before=before,
        so_far=session.so_far,
        secret=draft.asked.sealed,
        hold=draft.empty and pictures.waive(ask) is not None,
        advice=advice_text(session),
        options=_options(session, frame, draft, choices, wall),
        amounts=tuple(forms.amounts),
        groups=tuple(forms.groups),
        refused=tuple(
            RefusedOptions(reason, tuple(texts)) for reason, texts in choices.why(asides=False, titled=True).items()
        ),
    )


def _options(session: Session, frame: Frame, draft: Draft, choices: Choices, wall: Wall) -> tuple[ListedOption, ...]:
    pictures, ask = session.pictures, draft.ask
    assert ask is not None
    nowhere = tuple[str, ...]()

    def places(option: Value) -> Sequence[str]:
        return wall.drawn(lambda: tuple(pictures.places(frame, ask, option, draft.so_far)), nowhere)

    def hint(at: int) -> str:
        found = choices.hint(at)
        return "" if _spaced(found) in _spaced(choices.title(at)) else found

    return tuple(
        ListedOption(
            text=choices.texts[at],
            title=wall.drawn(partial(choices.title, at), choices.texts[at]),
            hint=wall.drawn(partial(hint, at), ""),
            price=tuple((session.display_names(name), n) for name, n in choices.price(at)),
            aside=at >= choices.main,
            places=places(option),
        )
        for at, option in enumerate(choices.options)
    )


def _spaced(text: str) -> str:
    """A text to look for words in."""
    return " ".join(["", *re.findall(r"\w+", text.casefold()), ""])
