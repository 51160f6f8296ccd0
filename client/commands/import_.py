# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock import`: adds a saved game to this home, or the entries that a table of this home lacks."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.texts import _, ngettext

if TYPE_CHECKING:
    from client.proof.audit import SavedGame
    from client.proof.walk import Walk
    from client.table.record import Record
    from p2p.lockstep.genesis import Genesis
    from p2p.log.store import Store
    from p2p.wire.entry import Entry


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the file."""
    parser.add_argument("file", metavar=_("FILE"), type=Path, help=_("a saved game (.star)"))


def run(args: Namespace, context: Context) -> int:
    """Judge the file first; a file that is not intact changes nothing."""
    from client.proof.audit import in_words, judged, note_position, read_game
    from client.proof.walk import walk_of
    from client.table.home import open_store

    progress = in_words(context.progress)
    log = read_game(args.file, progress)
    note_position(log, str(args.file), context)
    verdict = judged(log, progress)
    if not verdict.ok or verdict.genesis is None or verdict.table is None:
        raise UserError(
            "import/not-intact",
            _("{path} is not intact; nothing was taken from it.").format(path=args.file),
            _("What is wrong with it: starlock verify {path}").format(path=args.file),
            CHECK_FAILED,
        )
    with open_store(context) as store:
        record = _kept(store, verdict.genesis)
        news = _news(store, record.genesis.table, log) if record is not None else list(log.entries)
        if record is None:
            record = _new_record(store, walk_of(log, str(args.file), progress))
            store.add_table(record.genesis.table, record.info(), None, log.content)
        store.receive([(entry, log.texts.get(entry.id)) for entry in news])
    context.answer(
        ngettext(
            "{name}: {news} new entry, {entries} in the file.",
            "{name}: {news} new entries, {entries} in the file.",
            len(news),
        ).format(name=record.name, news=len(news), entries=len(log.entries)),
        table=record.genesis.table.hex(),
        name=record.name,
        entries=len(log.entries),
        new=len(news),
        complete=verdict.complete,
    )
    return DONE


def _kept(store: Store, genesis: Genesis) -> Record | None:
    """The record of the table in this home, None if it has none. UserError if it is damaged."""
    from client.table.record import sound_record

    return next((sound_record(stored) for stored in store.tables() if stored.table == genesis.table), None)


def _news(store: Store, table: bytes, log: SavedGame) -> list[Entry]:
    """The entries that this home lacks. UserError when the file and the store hold two histories of one author."""
    from p2p.log.feeds import feeds_of

    feeds = feeds_of(table, (entry for entry, _beside in store.entries(table)))
    news = [entry for entry in log.entries if entry in feeds.add(entry).readable]
    if feeds.forks:
        for pair in feeds.forks.values():
            store.add_fork(pair)
        names = ", ".join(author.hex()[:8] for author in feeds.forks)
        raise UserError(
            "import/forked",
            _("The file and this home hold two histories signed by one key ({keys}).").format(keys=names),
            _("The proof is kept: `starlock verify TABLE` shows it. Nothing else was taken from the file."),
            CHECK_FAILED,
        )
    return news


def _new_record(store: Store, walk: Walk) -> Record:
    """The record of a table that this home follows from now on, with the result of a finished one."""
    from client.table.record import Record, table_name
    from client.table.result import result_of

    name = table_name(walk.genesis, {str((stored.info or {}).get("name", "")) for stored in store.tables()})
    return Record(
        name,
        walk.genesis,
        state="finished" if walk.complete else "playing",
        round=walk.round_at(walk.last),
        result=result_of(walk.table, 0.0, 0).text() if walk.complete else "",
    )
