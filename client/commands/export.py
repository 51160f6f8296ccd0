# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock export`: writes a table as a .star file, to keep, to show, or to continue on another machine."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from client.context import Context
from client.errors import DONE
from client.files import keep_existing, place
from client.texts import _


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table and the file."""
    parser.add_argument("table", metavar=_("TABLE"), help=_("its name, or the beginning of its id"))
    parser.add_argument(
        "file", metavar=_("FILE"), type=place, help=_("the file to write; its name usually ends in .star")
    )
    parser.add_argument("--no-chat", action="store_true", help=_("leave out what people said; the game stays provable"))
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def run(args: Namespace, context: Context) -> int:
    """Write the table from the store; another starlock may be playing it meanwhile."""
    from client.audit import machine_of
    from client.identity import own_identity
    from client.table.result import save_star
    from client.table.tables import peeked
    from p2p.lockstep.follower import Follower

    keep_existing(args.file, args.force)
    record, kept = peeked(context.folders.data, args.table)
    table = Follower(record.genesis, machine_of(record.genesis, kept.content))
    table.restore(kept.entries)
    key = own_identity(context).key if kept.keys is None else kept.keys.key
    save_star(args.file, table, key, chat=not args.no_chat)
    path, entries = args.file.absolute(), len(table.hearing.log)
    context.answer(
        _("Wrote {entries} entries of {name} to {path}.").format(entries=entries, name=record.name, path=path),
        table=record.genesis.table.hex(),
        name=record.name,
        path=str(path),
        entries=entries,
        height=table.position.height,
        complete=table.position.over,
    )
    return DONE
