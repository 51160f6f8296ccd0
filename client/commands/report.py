"""`starlock report`: a game as one HTML file that shows it and checks itself."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from client.context import Context
from client.errors import CHECK_FAILED, DONE, UserError
from client.files import keep_existing, place
from client.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from p2p.lockstep.audit import Audit


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and the page."""
    parser.add_argument(
        "what", metavar=_("FILE|TABLE"), help=_("a saved game (.star), or the name of one of your tables")
    )
    parser.add_argument(
        "-o", dest="page", metavar=_("PAGE"), type=place, required=True, help=_("the file to write, such as game.html")
    )
    parser.add_argument("--force", action="store_true", help=_("write over a file that is there"))


def run(args: Namespace, context: Context) -> int:
    """Write the page: exit code 1 when the game is not intact, which the page then says itself."""
    from client.table.result import write_whole

    keep_existing(args.page, args.force)
    found, star, data = made(args.what, context)
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


def made(what: str, context: Context) -> tuple[Audit, bytes, bytes]:
    """A game judged, its saved form and its page.  UserError when there is no such game, or nothing to show of it."""
    from client.audit import Log, damaged, evidence_is_no_game, in_words, judged, read_input
    from client.report.page import page
    from p2p.log.records import FileError

    try:
        log = read_input(what, context)
    except FileError as error:
        raise damaged(what, error) from error
    if not isinstance(log, Log):
        raise evidence_is_no_game(what)
    found = judged(log, in_words(context.progress))
    if found.table is None:
        raise UserError(
            "replay/not-intact",
            _("{path} is not intact.").format(path=what),
            _("What is wrong with it: starlock verify {path}").format(path=what),
            CHECK_FAILED,
        )
    star = _star(what, log, context)
    return found, star, page(log, found, star)


def _star(word: str, log: object, context: Context) -> bytes:
    """The bytes of the saved game; a table of this home is exported, with its chat."""
    from client.audit import MAX_FILE, Log, machine_of
    from client.files import read_at_most
    from client.identity import own_identity
    from client.table.result import star_bytes
    from client.table.tables import peeked
    from p2p.lockstep.follower import Follower

    assert isinstance(log, Log)
    if log.end is not None:
        return read_at_most(Path(word), MAX_FILE)
    record, kept = peeked(context.folders.data, word)
    table = Follower(record.genesis, machine_of(record.genesis, kept.content))
    table.restore(kept.entries)
    return star_bytes(table, own_identity(context).key if kept.keys is None else kept.keys.key, log.texts)
