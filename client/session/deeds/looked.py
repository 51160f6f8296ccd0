# SPDX-License-Identifier: GPL-3.0-or-later
"""Deeds that show something: pictures of the game, the log, the table, luck, the network, the rules, what is proven;
and quitting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from time import localtime, strftime
from typing import TYPE_CHECKING, Final

from client.session.deeds.deed import GAME, HAPPENED, OTHERS, PROGRAM, Argument, Deed, unless
from client.session.deeds.kinds import LOGGED, STEP, TEXT, seat_of
from client.session.deeds.others import messages
from client.session.deeds.outcomes import Answer, Done, Given, NotDone, Told, done, looking, noted
from client.session.lobby import KnownLobby, lobby_document
from client.session.news import events_document, paragraphs_document
from client.session.session import Session
from client.session.view import SessionView, view_of
from client.session.waiting import stopped_document
from client.show.document import Block, Cell, Chart, Document, Note, TextTable
from client.show.pictures import Picture, Pictures
from client.show.styled import line, owner_style
from client.system.errors import UserError
from client.system.files import bug_bundle
from client.system.texts import N_, NC_, _
from client.table.notices import DivergenceFound
from client.words.plain import called, number_of

if TYPE_CHECKING:  # the network loads slowly
    from pathlib import Path

    from client.session.proof import ProvenStep

MAP: Final = "map"
LAST: Final = 20
FOUND: Final = 60
"""Most sentences that are shown: of the whole log, and of a filter or search."""
ARTICLES: Final = 8
"""Most articles of the rules that are shown."""


# Pictures of the game ------------------------------------------------------------------------------------------------


def heading(pictures: Pictures, name: str) -> str:
    """The title over a picture of the game."""
    title = pictures.documents.commands[name].title
    return _(title) if title else called(name).capitalize()


def pictured(name: str, picture: Picture) -> Deed:
    """The deed that shows a picture of the game."""

    def run(session: Session, given: Given) -> Answer:
        drawn = partial(session.frame, given.get("words", "").split())
        return Told(heading(session.table.pictures, name), lambda width: picture.document(drawn(width)))

    words = Argument("words", TEXT, optional=True)
    return Deed(name, (name,), picture.summary, GAME, run, picture.usage, picture.title, (words,), shows=True)


# What happened -------------------------------------------------------------------------------------------------------


def _log(session: Session, given: Given) -> Answer:
    """The last sentences of the log, those of a kind or about a seat, or those with a word in them."""
    told, text = session.events.entries, given.get("text", "")
    seat, wanted, ways = seat_of(session, text), text.lower(), view_of(session).filters
    named = (each for each in ways if wanted in (each.word, each.title.lower()) or each.seat == seat)
    chosen = next(named, None) if text else None
    if chosen is not None and chosen.keeps is None:
        return messages(session)
    if chosen is not None:
        found = [*filter(chosen.keeps, told)][-FOUND:]
    elif (last := number_of(text)) is not None:
        found = told[-last:] if last else []
    elif text:
        found = [each for each in told if text.lower() in each.text.lower()][-FOUND:]
    else:
        found = told[-LAST:]
    if not found:
        return NotDone(_("The log has nothing like that.") if text else _("Nothing has happened yet."))
    return Told(_("Log"), lambda _width: events_document(found, session.table.names))


def _since(session: Session, _given: Given) -> Answer:
    """What happened since this person's last answer, one paragraph for each seat's turn."""
    opening = session.table.pictures.questions.opening
    answered = session.sent.last is not None
    title = _("Since your last answer") if answered else _("What has happened so far")
    return Told(title, lambda _width: paragraphs_document(view_of(session).missed, session.table.names, opening))


# The table -----------------------------------------------------------------------------------------------------------


def _table(session: Session, _given: Given) -> Answer:
    """Who plays, is connected and is waited for, and what has stopped the table; before it begins the lobby."""

    def document(_width: int) -> Document:
        view = view_of(session)
        if not view.begun:
            return lobby_document(view.lobby or KnownLobby(), view.rights)
        seats = [*_seats(view)]
        return [TextTable((), seats), *map(Note, view.machines), *stopped_document(session)]

    return Told(_("Table"), document)


def _seats(view: SessionView) -> Iterator[Sequence[Cell]]:
    """A row for each seat: who plays it, how it is linked, what it owes and since when, as far as this run knows."""
    for number, seat in enumerate(view.seats):
        owed = (seat.owes or _("is waited for")) if number in view.debts else ""
        moment = strftime("%Y-%m-%d %H:%M", localtime(seat.since)) if seat.since else ""
        since = _("since {moment}").format(moment=moment) if moment else ""
        yield Cell(seat.letter, look=owner_style(number)), *map(Cell, (seat.name, seat.link or _("here"), owed, since))


def _luck(session: Session, _given: Given) -> Answer:
    from client.session.proof import fairness_sheet

    groups = fairness_sheet(session)
    return Told(_("Dice"), lambda _width: groups)


def _doctor(session: Session, _given: Given) -> Answer:
    at = session.table.controls or session.gathering.door
    examine = None if at is None else at.examine
    if examine is None:
        return NotDone(_("This table uses no network."))
    return looking(session, _("Network"), examine)


def _reach(session: Session, given: Given) -> Answer:
    reach = session.table.running.reach
    if reach is None:
        return NotDone(_("Only a member of a table with others makes its ticket."))
    text, ticket = reach(given.get("relay", "")).splitlines()
    return Told(_("The way back to this table"), lambda _width: [Note(text), Chart([line(ticket)])])


# The rules -----------------------------------------------------------------------------------------------------------


def _rules(session: Session, given: Given) -> Answer:
    from client.session.lookup import article_texts, contents, looked_up
    from client.words.reference import entries

    spec, word = session.table.running.match.spec, given.get("word", "")
    known = entries(spec)
    if not word:
        return noted(_("Rules, in our own words"), contents(spec.id, known).splitlines())
    found = looked_up(spec.id, known, "-".join(word.lower().split()))
    rest = ", ".join(each.word for each in found[ARTICLES:])
    texts = [text for each in found[:ARTICLES] for text in article_texts(each)]
    more = [_("And more: {words}").format(words=rest)] if rest else []
    return noted(_("Rules, in our own words"), [*texts, *more], "  ")


# What is proven -------------------------------------------------------------------------------------------------------


FEW: Final = 12
"""Steps that are shown in short."""
ALL: Final = 1_000_000
WHOLE: Final = 200
"""Letters of a hash in a whole proof, more than any has."""


def _verify(session: Session, given: Given) -> Answer:
    from client.session.proof import proven_steps  # it loads the network, slowly

    if "step" not in given:
        blocks = [*_in_short(session)]
        return Told(_("Verified"), lambda _width: blocks)
    step = next((each for each in proven_steps(session, ALL) if each.height == given["step"]), None)
    if step is None:
        return NotDone(_("There is no such step."))
    title = _("The proof of step {n}").format(n=step.height)
    return noted(title, _whole(session, step), "    ")


def _in_short(session: Session) -> Iterator[Block]:
    """How far the game is verified here, what is sealed, the last steps, and how the last one came about."""
    from client.session.proof import proven_steps, sealed_lines, step_part, steps_table, verdict

    steps = proven_steps(session, ALL)
    yield from verdict(session, steps)
    yield from map(Note, sealed_lines(session))
    yield steps_table(session, steps[:FEW])
    yield from (step_part(session, each) for each in steps[:1])


def _whole(session: Session, step: ProvenStep) -> Iterator[str]:
    from client.session.proof import hash_lines, step_lines

    yield step.text
    yield from step_lines(session, step, WHOLE)
    yield from hash_lines(session, step)
    missing = [name for seat, name in enumerate(session.table.names) if seat not in step.seen]
    if missing:
        yield _("Not known to be held by: {names}").format(names=", ".join(missing))


def saved(session: Session) -> Path:
    """The file to which the game so far was written. UserError."""
    save = None if session.table.controls is None else session.table.controls.save
    if save is None:
        raise UserError("table/no-log", _("This table has no log that could be written to a file."))
    return save()


def _save(session: Session, _given: Given) -> Answer:
    path = saved(session)
    size = max(path.stat().st_size // 1000, 1)
    text = _("file {path}, {size} kB; anyone can check it without a network: starlock verify {path}")
    return Done(text.format(path=path, size=size))


def _bundles(session: Session) -> list[Path]:
    """The game so far with each report on programs that differ. UserError."""
    return [bug_bundle(saved(session), report) for report in dict.fromkeys(_reports(session))]


def _reports(session: Session) -> Iterator[Path]:
    notices = (trouble.notice for trouble in session.troubles())
    return (each.file for each in notices if isinstance(each, DivergenceFound))


PROVEN: Final[Sequence[Deed]] = (
    Deed("verify", (NC_("command", "verify"),),
         N_("how each step came about, and who holds it; with a number all of it"), OTHERS, _verify, N_("[STEP]"),
         N_("Proof"), arguments=(Argument("step", STEP, optional=True),), shows=True),
    Deed("save", (NC_("command", "save"),), N_("write the game so far to a file that anybody can check"), OTHERS,
         _save, title=N_("Write the game so far to a file")),
    Deed("bug", (NC_("command", "bug"),),
         N_("write a bug bundle: the log and both states, without anything hidden"), OTHERS,
         lambda session, _given: Done(_("Written: {path}").format(path=", ".join(map(str, _bundles(session))))),
         title=N_("Write a bug bundle to a file"),
         hindrance=unless(lambda session: any(_reports(session)) and session.table.running.save is not None,
                          N_("No program has been found to differ."))),
)  # fmt: skip
MADE: Final[Mapping[str, Callable[[Session], Path]]] = {"save": saved, "bug": lambda session: _bundles(session)[-1]}
"""The deeds that write a file, with what makes it where it is fetched instead. UserError."""
DEEDS: Final[Sequence[Deed]] = (
    Deed("since", (NC_("command", "since"),), N_("what happened since your last answer"), HAPPENED, _since, shows=True),
    Deed("log", (NC_("command", "log"),),
         N_("what happened: the last 20 or N sentences, those of a kind or a player, or those with WORD"), HAPPENED,
         _log, N_("[N | battles | dice | mine | chat | NAME | WORD]"),
         arguments=(Argument("text", LOGGED, optional=True),), shows=True),
    Deed("table", (NC_("command", "table"),),
         N_("who plays, who is connected, who is waited for, what is voted on"), OTHERS, _table, before=True,
         shows=True),
    Deed("luck", (NC_("command", "luck"),), N_("everybody's luck, compared with chance"), OTHERS, _luck,
         title=N_("Dice"), shows=True),
    Deed("doctor", (NC_("command", "doctor"),), N_("the network: what works here, and what to try"), OTHERS, _doctor,
         title=N_("Look at the network"), before=True),
    Deed("reach", (NC_("command", "reach"),),
         N_("a ticket by which members find this table again; with RELAY, by that relay too"), OTHERS, _reach,
         N_("[RELAY]"), N_("Show the way back to this table"),
         arguments=(Argument("relay", TEXT, optional=True),)),
    Deed("rules", (NC_("command", "rules"),), N_("the rules of a word; alone: the words"), PROGRAM, _rules,
         N_("[WORD]"), N_("Rules"), arguments=(Argument("word", TEXT, optional=True),), shows=True),
    Deed("quit", (NC_("command", "quit"), "exit", "q"),
         N_("leave; a table stays and can be resumed, practice is not kept"), PROGRAM,
         done(lambda session, _given: session.leave()), title=N_("Quit for now: the table stays"), before=True),
)  # fmt: skip
