# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock export`: writes a table as a .star file, to keep, to show, or to continue on another machine; the data
of games as tables of rows; or what members were asked, for programs without the rules."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Final

from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.files import keep_existing, place, unwritable
from client.system.texts import _, ngettext

FORMS: Final = ("csv", "jsonl", "parquet")


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the tables and the file or folder."""
    parser.add_argument(
        "what",
        metavar=_("TABLE FILE"),
        nargs="+",
        help=_("a table's name or the beginning of its id, and the file to write, usually ending in .star"),
    )
    parser.add_argument("--no-chat", action="store_true", help=_("leave out what people said; the game stays provable"))
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))
    parser.add_argument(
        "--rows",
        metavar=_("FOLDER"),
        type=Path,
        help=_("write tables of data about these saved games or tables instead: decisions, rolls, events, battles"),
    )
    parser.add_argument(
        "--told",
        metavar=_("FILE"),
        type=place,
        help=_("write what the members of this saved game or table were asked, for programs without the rules"),
    )
    parser.add_argument(
        "--form",
        choices=FORMS,
        default=FORMS[0],
        help=_("the form of these tables (default: csv); parquet needs pyarrow"),
    )


def run(args: Namespace, context: Context) -> int:
    """Write a table from the store, or the data of games."""
    if args.rows is not None:
        return _rows(args, context)
    if args.told is not None:
        return _told(args, context)
    if len(args.what) != 2:
        raise UserError(
            "cli/usage",
            _("export takes a table and a file."),
            _("For example: starlock export TABLE game.star, or starlock export --rows FOLDER FILE…"),
        )
    return _star(args.what[0], place(args.what[1]), args, context)


def _star(word: str, file: Path, args: Namespace, context: Context) -> int:
    """Write the table from the store; another starlock may be playing it meanwhile."""
    from client.proof.audit import machine_of
    from client.table.identity import own_identity
    from client.table.result import save_star
    from client.table.tables import peeked
    from p2p.lockstep.follower import Follower

    keep_existing(file, args.force)
    record, kept = peeked(context.folders.data, word)
    table = Follower(record.genesis, machine_of(record.genesis, kept.content))
    table.restore(kept.entries)
    key = own_identity(context).key if kept.keys is None else kept.keys.key
    save_star(file, table, key, chat=not args.no_chat)
    path, entries = file.absolute(), len(table.hearing.log)
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


def _rows(args: Namespace, context: Context) -> int:
    """Write the data of games as tables, one file each. All games are read before anything is written."""
    from importlib.util import find_spec

    from client.proof.walk import walk_of_input
    from client.report.rows.files import write
    from client.report.rows.schema import TABLES, VERSION

    folder: Path = args.rows
    if args.form == "parquet" and find_spec("pyarrow") is None:
        raise UserError(
            "export/no-pyarrow",
            _("Parquet files need the package pyarrow, which is not installed here."),
            _("Install it (pip install pyarrow), or use --form csv."),
        )
    for name in TABLES:
        keep_existing(folder / f"{name}.{args.form}", args.force)
    walks = {walk.genesis.table: walk for walk in (walk_of_input(word, context) for word in args.what)}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        counts = write(walks.values(), folder, args.form)
    except OSError as error:
        raise unwritable(folder, error) from error
    path = folder.absolute()
    told = [
        ngettext("Wrote the data of {games} game to {path}:", "Wrote the data of {games} games to {path}:", len(walks))
        .format(games=len(walks), path=path)
    ]  # fmt: skip
    told += [f"  {f'{name}.{args.form}':<18} {rows:>7}" for name, rows in counts.items()]
    context.answer("\n".join(told), games=len(walks), path=str(path), form=args.form, schema=VERSION, rows=dict(counts))
    return DONE


def _told(args: Namespace, context: Context) -> int:
    """Write what was asked at each step of one game, as far as this program could read it. A game that is not intact is
    told too, since who judges it by other means needs that most."""
    from client.proof.audit import game_named, in_words, judged
    from client.proof.walk import not_intact
    from client.table.result import write_whole
    from p2p.lockstep.told_file import told_file

    if len(args.what) != 1:
        raise UserError(
            "cli/usage",
            _("export --told takes one saved game or table."),
            _("For example: starlock export --told FILE game.star"),
        )
    (what,) = args.what
    keep_existing(args.told, args.force)
    found = judged(game_named(what, context), in_words(context.progress))
    if found.table is None:
        raise not_intact(what)
    position, path = found.table.position, args.told.absolute()
    write_whole(args.told, told_file(found.table.genesis.table, position))
    said = _("Wrote what was asked at {heights} steps to {path}.").format(heights=len(position.outcomes) + 1, path=path)
    if not found.ok:
        said = "\n".join([said, _("{path} is not intact.").format(path=what)])
    context.answer(
        said,
        ok=found.ok,
        table=found.table.genesis.table.hex(),
        path=str(path),
        height=position.height,
        complete=position.over,
    )
    return DONE if found.ok else CHECK_FAILED
