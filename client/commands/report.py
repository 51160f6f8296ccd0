# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock report`: writes a game as one HTML file that shows it and checks itself."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from client.context import Context
from client.errors import CHECK_FAILED, DONE, UserError
from client.files import keep_existing, place
from client.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.audit import SavedGame
    from client.report.facts import Seen
    from p2p.lockstep.audit import Audit
    from p2p.lockstep.follower import Follower


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and the page."""
    parser.add_argument(
        "what", metavar=_("FILE|TABLE"), help=_("a saved game (.star), or the name of one of your tables")
    )
    parser.add_argument(
        "-o", dest="page", metavar=_("PAGE"), type=place, required=True, help=_("the file to write, such as game.html")
    )
    parser.add_argument(
        "--eyes", metavar=_("SEAT"), help=_("add what your own seat knew: its letter or name (asked twice first)")
    )
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def run(args: Namespace, context: Context) -> int:
    """Write the page. Exit code 1 when the game is not intact; the page then says so too."""
    from client.table.result import write_whole

    keep_existing(args.page, args.force)
    found, star, data = made(args.what, context, args.eyes)
    write_whole(args.page, data)
    context.answer(
        _("Wrote {path}: open it in a browser.").format(path=args.page.absolute()),
        ok=found.ok,
        path=str(args.page.absolute()),
        bytes=len(data),
        star=len(star),
        complete=found.complete,
    )
    return DONE if found.ok else CHECK_FAILED


def made(what: str, context: Context, eyes: str | None = None) -> tuple[Audit, bytes, bytes]:
    """The verdict on a game, its saved form and its page. UserError when there is no such game or nothing to show.

    eyes: a seat of this home, whose private knowledge the page includes, "" or None for none.
    """
    from client.audit import SavedGame as Saved
    from client.audit import damaged, evidence_is_no_game, in_words, read_input
    from client.report.page import audited
    from p2p.log.records import FileError

    try:
        log = read_input(what, context)
    except FileError as error:
        raise damaged(what, error) from error
    if not isinstance(log, Saved):
        raise evidence_is_no_game(what)
    found, star, page = audited(
        log,
        lambda table: _star(what, log, table, context),
        lambda table: () if eyes is None else _seen(what, log, table, eyes, context),
        in_words(context.progress),
    )
    if found.table is None:
        raise UserError(
            "replay/not-intact",
            _("{path} is not intact.").format(path=what),
            _("What is wrong with it: starlock verify {path}").format(path=what),
            CHECK_FAILED,
        )
    return found, star, page


def _seen(what: str, log: SavedGame, table: Follower, eyes: str, context: Context) -> Seen:
    """What a seat of this home knew, after its person has agreed twice to publish it on the page."""
    from client.report.eyes import known, own_seat
    from client.table.tables import peeked
    from client.walk import Walk

    if log.end is not None:
        raise UserError(
            "report/eyes-file",
            _("A file holds no secrets: what a seat knew is kept in that player's own starlock folder."),
            _("Name the table instead of the file: starlock tables"),
        )
    walk, (_record, kept) = Walk(table), peeked(context.folders.data, what)
    seat = own_seat(eyes, walk, kept)
    _agree(_("The page will show what only {name} knew: cards, secret choices.").format(name=walk.names[seat]), context)
    _agree(_("Whoever gets the page reads that too, also while the game goes on."), context)
    return known(seat, walk, kept)


def _agree(warning: str, context: Context) -> None:
    """Raise UserError unless the person types yes."""
    word = _("yes")
    context.note(_("{warning} Type {word} to go on:").format(warning=warning, word=word))
    if sys.stdin is None or sys.stdin.readline().strip().lower() not in (word, "yes"):
        raise UserError(
            "report/eyes-refused", _("Nothing was written."), _("Without --eyes the page shows nobody's secrets.")
        )


def _star(word: str, log: SavedGame, table: Follower, context: Context) -> bytes:
    """The bytes of the saved game; a table of this home is exported, with its chat."""
    from client.audit import MAX_FILE
    from client.files import read_at_most
    from client.identity import own_identity
    from client.table.result import star_bytes
    from client.table.tables import peeked

    if log.end is not None:
        return read_at_most(Path(word), MAX_FILE)
    _record, kept = peeked(context.folders.data, word)
    return star_bytes(table, own_identity(context).key if kept.keys is None else kept.keys.key, log.texts)
