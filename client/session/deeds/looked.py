# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds that show something: pictures of the game, the log, the table, luck, the network, the rules; and quitting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import localtime, strftime
from typing import Final

from client.session.deeds.deed import (
    GAME,
    HAPPENED,
    OTHERS,
    PROGRAM,
    Answer,
    Argument,
    Deed,
    Done,
    Given,
    Job,
    Refused,
    Told,
    Wanted,
    at_table,
    lines_of,
)
from client.session.deeds.kinds import LOGGED, TEXT, seat_of
from client.session.deeds.others import messages
from client.session.filters import LogFilter, log_filters
from client.session.news import LoggedEvent, joined, teller
from client.session.notation import number_of
from client.session.session import Session
from client.session.spoken import called
from client.session.waiting import stopped_lines
from client.show.pictures import Picture
from client.show.sheets import Sheet
from client.show.styled import Line, line, owner_style, rows
from client.system.errors import UserError
from client.system.texts import N_, NC_, _
from client.table.words import owed_text, way_text
from client.words.machines import table_lines

__all__ = ["DEEDS", "MAP", "paragraphs", "pictured"]

MAP: Final = "map"
LAST: Final = 20
FOUND: Final = 60
"""Most sentences that are shown: of the whole log, and of a filter or search."""
ARTICLES: Final = 8
"""Most articles of the rules that are shown."""


# Pictures of the game ------------------------------------------------------------------------------------------------


def pictured(name: str, picture: Picture) -> Deed:
    """The deed that shows a picture of the game."""

    def run(session: Session, given: Given) -> Answer:
        return _drawn(session, name, given.get("words", ""))

    words = Argument("words", TEXT, optional=True)
    return Deed(name, (name,), picture.summary, GAME, run, picture.usage, picture.title, (words,), shows=True)


def _drawn(session: Session, name: str, text: str) -> Answer:
    picture, words = session.pictures.commands[name], text.split()
    title = _(picture.title) if picture.title else called(name).capitalize()

    def groups() -> Sequence[Sheet]:
        return picture.sheet(session.frame()) if picture.sheet is not None and not words else ()

    return Told(title, lambda width: picture.draw(session.frame(words, width)), groups)


def _where(session: Session, given: Given) -> Answer:
    if MAP not in session.pictures.commands:
        return Refused(_("This game has no such picture."))
    if not given.get("words"):
        return Wanted("words", (_("Say which place; {map} alone draws the whole map.").format(map=called(MAP)),))
    return _drawn(session, MAP, given["words"])


# What happened -------------------------------------------------------------------------------------------------------


def _log(session: Session, given: Given) -> Answer:
    """The last sentences of the log, those of a kind or about a seat, or those with a word in them."""
    told, text = session.log, given.get("text", "")
    chosen = _filter(session, text) if text else None
    if chosen is not None and chosen.keeps is None:
        return messages(session)
    if chosen is not None:
        found = [each for each in told if chosen.keeps is not None and chosen.keeps(each)][-FOUND:]
    elif (last := number_of(text)) is not None:
        found = told[-last:] if last else []
    elif text:
        found = [each for each in told if text.lower() in each.text.lower()][-FOUND:]
    else:
        found = told[-LAST:]
    if not found:
        return Refused(_("The log has nothing like that.") if text else _("Nothing has happened yet."))
    size = len(str(max(each.height for each in found)))
    texts = [f"{each.height:>{size}}  {_worded(each)}" for each in found]
    return Told(_("Log"), lambda width: lines_of(texts, width, " " * (size + 2)))


def _worded(told: LoggedEvent) -> str:
    return _("taken back: {text}").format(text=told.text) if told.undone else told.text


def _filter(session: Session, text: str) -> LogFilter | None:
    """The filter with this name, or of the seat with this letter or name."""
    seat, wanted = seat_of(session, text), text.lower()
    known = log_filters(session)
    return next((each for each in known if wanted in (each.word, each.title.lower()) or each.seat == seat), None)


def _since(session: Session, _given: Given) -> Answer:
    """What happened since this person's last answer, one paragraph for each seat's turn."""
    sent, names = session.sent.last, session.names
    told = [each for each in session.log if (sent is None or each.height > sent) and not each.undone]
    texts = [f"· {joined(run, teller(run[0], names))}" for run in paragraphs(told, names, session.pictures.opening)]
    shown = texts or [_("Nothing has happened since.")]
    return Told(_("Since your last answer"), lambda width: lines_of(shown, width, "  "))


def paragraphs(
    told: Sequence[LoggedEvent], names: Sequence[str], opening: frozenset[str]
) -> Iterator[Sequence[LoggedEvent]]:
    """Events by paragraphs: what one seat does in a turn, or one event that no seat does. opening: the events that
    begin a new paragraph."""
    run: list[LoggedEvent] = []
    for each in told:
        name = teller(each, names)
        if run and (not name or name != teller(run[0], names) or each.event in opening):
            yield run
            run = []
        run.append(each)
    if run:
        yield run


# The table -----------------------------------------------------------------------------------------------------------


def _table(session: Session, _given: Given) -> Answer:
    """Who plays, is connected and is waited for, and what has stopped the table."""

    def lines(width: int) -> list[Line]:
        seats = [line((owner_style(seat), text[:1]), text[1:]) for seat, text in enumerate(rows([*_seats(session)]))]
        texts = [*table_lines(at_table(session).genesis), *stopped_lines(session, width)]
        return [*seats, *map(line, texts)]

    return Told(_("Table"), lines)


def _seats(session: Session) -> Iterator[tuple[str, ...]]:
    controls = at_table(session)
    owing, debts, ways = controls.owing(), controls.debts(), controls.ways()
    for seat, name in enumerate(session.names):
        there = _("here") if seat in controls.seats else way_text(ways.get(name, ""))
        waited = seat in owing[name] or not owing[name] if name in owing else False
        owed = (owed_text(debts.get(name, "")) or _("is waited for")) if waited else ""
        yield chr(ord("A") + seat), name, there, owed, _waited_since(session, name) if waited else ""


def _waited_since(session: Session, name: str) -> str:
    """Since when a member keeps the table waiting, as far as this run knows."""
    at = session.screens.since.get(name)
    return "" if at is None else _("since {moment}").format(moment=strftime("%Y-%m-%d %H:%M", localtime(at)))


def _luck(session: Session, _given: Given) -> Answer:
    from client.session.fairness import fairness_sheet

    groups = fairness_sheet(at_table(session), session.names)
    texts = [*(cell.text for cell in groups[0].cells), groups[0].note]
    return Told(_("Dice"), lambda width: lines_of(texts, width), lambda: groups)


def _doctor(session: Session, _given: Given) -> Answer:
    at = session.controls or session.door
    examine = None if at is None else at.examine
    if examine is None:
        return Refused(_("This table uses no network."))
    return Job(
        _("Network"),
        _("Looking at the network …"),
        lambda heard: session.network.look(examine, session.screens.tell, heard),
    )


def _reach(session: Session, _given: Given) -> Answer:
    reach = at_table(session).reach
    if reach is None:
        return Refused(_("Only a member of a table with others makes its ticket."))
    text = reach()
    return Told(_("The way back to this table"), lambda _width: [*map(line, text.splitlines())])


# The rules -----------------------------------------------------------------------------------------------------------


def _rules(session: Session, given: Given) -> Answer:
    from client.session.lookup import contents, looked_up, paragraphs
    from client.words.reference import entries

    known, word = entries(at_table(session).match.spec), given.get("word", "")
    if not word:
        return Told(_("Rules, in our own words"), lambda _width: [*map(line, contents(known).splitlines())])
    try:
        found = looked_up(known, "-".join(word.lower().split()))
    except UserError as error:
        return Refused(f"{error.message} {error.hint}".strip())
    rest = ", ".join(each.word for each in found[ARTICLES:])
    texts = [text for each in found[:ARTICLES] for text in paragraphs(each)]
    more = [_("And more: {words}").format(words=rest)] if rest else []
    return Told(_("Rules, in our own words"), lambda width: lines_of([*texts, *more], width, "  "))


def _quit(session: Session, _given: Given) -> Answer:
    session.leave()
    return Done()


DEEDS: Final[Sequence[Deed]] = (
    Deed("where", (NC_("command", "where"),), N_("all about one place of the map, in sentences"), GAME, _where,
         N_("PLACE"), arguments=(Argument("words", TEXT, optional=True),), shows=True),
    Deed("since", (NC_("command", "since"),), N_("what happened since your last answer"), HAPPENED, _since, shows=True),
    Deed("log", (NC_("command", "log"),),
         N_("what happened: the last 20 or N sentences, those of a kind or a player, or those with WORD"), HAPPENED,
         _log, N_("[N | battles | dice | mine | chat | NAME | WORD]"),
         arguments=(Argument("text", LOGGED, optional=True),), shows=True),
    Deed("table", (NC_("command", "table"),),
         N_("who plays, who is connected, who is waited for, what is voted on"), OTHERS, _table, shows=True),
    Deed("luck", (NC_("command", "luck"),), N_("everybody's luck, compared with chance"), OTHERS, _luck,
         title=N_("Dice"), shows=True),
    Deed("doctor", (NC_("command", "doctor"),), N_("the network: what works here, and what to try"), OTHERS, _doctor,
         title=N_("Look at the network"), before=True),
    Deed("reach", (NC_("command", "reach"),), N_("a ticket by which members find this table again"), OTHERS, _reach,
         title=N_("Show the way back to this table")),
    Deed("rules", (NC_("command", "rules"),), N_("the rules of a word; alone: the words"), PROGRAM, _rules,
         N_("[WORD]"), N_("Rules"), arguments=(Argument("word", TEXT, optional=True),), shows=True),
    Deed("quit", (NC_("command", "quit"), "exit", "q"),
         N_("leave; a table stays and can be resumed, practice is not kept"), PROGRAM, _quit,
         title=N_("Quit for now: the table stays"), before=True),
)  # fmt: skip
