# SPDX-License-Identifier: GPL-3.0-or-later
"""What each front on a terminal does in its own way: the question again, several answers in a line, help, the address
of the page, leaving."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from client.session.deeds import DEEDS
from client.session.deeds.deed import ANSWERS, PROGRAM, TOPICS, Answer, Argument, Deed, Told, done
from client.session.deeds.kinds import TEXT
from client.session.deeds.others import alone_by
from client.session.deeds.typed import DO, named_deeds, usage
from client.session.session import Session
from client.show.document import Cell, Note, TextTable
from client.system.texts import N_, NC_, _
from client.words.plain import called, plain

ALL: Final = ("all", "commands")


def own_deeds(
    ask: Callable[[], None],
    page: Callable[[], None],
    go: Callable[[], None],
    deeds: Callable[[], Mapping[str, Deed]],
    *words: str,
) -> Mapping[str, Deed]:
    """The deeds by their ids. ask: shows the question; page: shows an address; go: leaves; deeds: all of them; words:
    options of `starlock resume` for the same front."""
    asks = done(lambda _session, _given: ask())
    found = (
        Deed("options", (NC_("command", "options"),), N_("show again what is asked"), ANSWERS, asks),
        Deed(DO, (NC_("command", "do"),), N_("answer and go on in one line: do 2, send"), ANSWERS, asks,
             N_("ANSWER, …")),
        Deed("page", (NC_("command", "page"),), N_("a new address of the board in the browser"), PROGRAM,
             done(lambda _session, _given: page()), before=True),
        Deed("help", (NC_("command", "help"), "?", "h"), N_("this list, or the rules of a word"), PROGRAM,
             lambda session, given: _helped(session, deeds(), given.get("word", "")), N_("[WORD]"),
             arguments=(Argument("word", TEXT, optional=True),), before=True),
        replace(DEEDS["quit"], run=done(lambda _session, _given: go())),
        replace(DEEDS["alone"], run=alone_by(*words)),
    )  # fmt: skip
    return {each.id: each for each in found}


def _helped(session: Session, deeds: Mapping[str, Deed], word: str) -> Answer:
    """How to answer and the deeds by topic; or all deeds, one deed, or the rules for a word."""
    typed = [each for each in deeds.values() if each.names]
    named = named_deeds(deeds)
    about = named.get(word) or named.get(plain(word))
    if word in ALL or word == _("all"):
        return _usages(typed)
    if about is not None:
        return _usages([about])
    if word:
        return DEEDS["rules"].do(session, {"word": word})
    topics = [(f"  {_(topic)}", ", ".join(_names(typed, topic))) for topic in TOPICS]
    last = _("? COMMAND tells about one, ? all about all of them, ? WORD the rules of a word.")
    table = TextTable((), [(Cell(topic), Cell(names)) for topic, names in topics if names])
    return Told(_("Help"), lambda _width: [*_manner(session), table, Note(last, indent="")])


def _manner(session: Session) -> list[Note]:
    """How answers are typed."""
    example = session.table.pictures.questions.example
    texts = (
        _("An answer is a number of the list, its letter, its words, or beginnings of some of them."),
        _("So you may type {example}.").format(example=_(example)) if example else "",
        _("Players are picked by their letter or name. Where an amount is asked for, a number is the amount."),
        _("Several answers stand in one line with ; between them. Enter alone sends when nothing is left to choose."),
        _("Tab completes what you type."),
    )
    return [Note(text, indent="") for text in texts if text]


def _names(deeds: Sequence[Deed], topic: str) -> list[str]:
    return [called(each.names[0]) for each in deeds if each.topic == topic]


def _usages(deeds: Sequence[Deed]) -> Told:
    table = TextTable((), [(Cell(f"  {usage(each)}"), Cell(_(each.does))) for each in deeds])
    return Told(_("Help"), lambda _width: [table])
