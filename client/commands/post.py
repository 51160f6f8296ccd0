"""`starlock post`: play a table by files or pasted text, without any connection."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.bots import level
from client.commands.seating import at_table, leading
from client.context import Context
from client.errors import CHECK_FAILED, DONE, UserError
from client.files import place, unwritable
from client.platform import take_terminal_as_input
from client.texts import _

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.player import Player
    from client.table.letters import Letters
    from client.table.post import Post

STANDARD_INPUT: Final = "-"


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table, what comes in, and where the bundle goes."""
    parser.add_argument("table", metavar=_("TABLE"), nargs="?", help=_("its name (default: the last one)"))
    parser.add_argument(
        "--in",
        dest="given",
        metavar=_("FILE"),
        nargs="+",
        action="extend",
        default=[],
        help=_("bundles of the others, as files or as text, in any order; - for standard input"),
    )
    parser.add_argument(
        "-o", dest="out", metavar=_("FILE"), type=place, help=_("write the bundle for the others to FILE, not as text")
    )
    parser.add_argument(
        "--newest",
        action="store_true",
        help=_("say that you have not played this table on from another copy of it"),
    )
    parser.add_argument("--as", dest="level", metavar=_("LEVEL"), help=_("let a bot play for you"))


def run(args: Namespace, context: Context) -> int:
    """Take what came, go on as far as it goes, and write what the others lack."""
    import trio

    from client.session.player import SessionPlayer
    from client.table.correspond import attended, unattended
    from client.table.home import open_store
    from client.table.post import by_post
    from client.table.tables import chosen

    letters = _given(args.given)
    terminal = sys.stdin.isatty() and sys.stdout.isatty() and not context.as_json
    with open_store(context) as store:
        seat = chosen(store, args.table)
        bot = level(args.level) if args.level is not None else None if terminal else seat.record.level

        async def main(player: Player) -> int:
            correspond = unattended(context.note, newest=args.newest, bot=bot is not None)
            person = terminal and isinstance(player, SessionPlayer)
            if isinstance(player, SessionPlayer) and terminal:
                correspond = attended(player, lambda post, name: handed_over(post, context, name), newest=args.newest)
            plays = person or bot is not None
            post = await by_post(context, store, seat, player, letters, correspond, plays=plays)
            return answer(args, context, post)

        if bot is not None or terminal:
            return at_table(context, bot, seat.record.seed, main)
        try:
            return trio.run(main, SessionPlayer())
        except BaseExceptionGroup as group:
            raise leading(group) from group


def _given(names: Sequence[str]) -> Letters:
    """What stands in these files, and on standard input."""
    from client.table.letters import Letters
    from p2p.sync.pasted import MAX_TEXT

    letters = Letters()
    for name in names:
        if name == STANDARD_INPUT:
            letters.given(sys.stdin.buffer.read(MAX_TEXT + 1), _("standard input"))
            take_terminal_as_input()
        else:
            letters.file(Path(name))
    return letters


def handed_over(post: Post, context: Context, name: str) -> str:
    """Write the bundle to a file, or return it as text to be sent; what to tell about it either way.  UserError."""
    from client.table.confirmation import newer_elsewhere
    from p2p.sync.pasted import pasted_parts

    lacked = len(post.lacked())
    data = post.bundle()
    if name:
        _write(Path(name), data)
        return _("Wrote {entries} entries for the others to {path}. Send them that file.").format(
            entries=lacked, path=Path(name).absolute()
        )
    if not lacked and not newer_elsewhere(post.table):
        return _("The others have everything, as far as is known: there is nothing to send.")
    parts = pasted_parts(data)
    told = _("Send these {count} parts to the others, in one message or several:").format(count=len(parts))
    if len(parts) == 1:
        told = _("Send this to the others:")
    return "\n".join([told, *parts])


def _write(path: Path, data: bytes) -> None:
    """Write a bundle; over another bundle, but over nothing else.  UserError."""
    from p2p.sync.bundle import MAGIC

    try:
        if path.exists():
            with path.open("rb") as file:
                if file.read(len(MAGIC)) != MAGIC:
                    raise UserError(
                        "file/exists",
                        _("There is a file {path} already, which is no bundle; nothing was written.").format(path=path),
                        _("Name another file."),
                    )
        path.write_bytes(data)
    except OSError as error:
        raise unwritable(path, error) from error


def answer(args: Namespace, context: Context, post: Post) -> int:
    """Say how the table stands and give the bundle for the others."""
    from client.table.correspond import standing_text

    table, record, wrong = post.table, post.record, post.letters.wrong
    member = post.seat.keys is not None
    handed = handed_over(post, context, str(args.out) if args.out else "") if member else ""
    result = post.result()
    text = standing_text(post) if result is None else _("The game is over.") + "\n" + result.shown()
    owing = table.lockstep.owing()
    context.answer(
        "\n".join(part for part in (text, handed) if part),
        ok=not wrong,
        table=record.genesis.table.hex(),
        name=record.name,
        height=table.lockstep.position.height,
        complete=table.lockstep.position.over,
        waiting=list(record.to_move),
        since=record.since[1],
        mine=list(owing.get(table.me or b"", ())),
        unsigned=post.unsigned(),
        entries=len(post.lacked()),
        path=str(args.out.absolute()) if args.out else None,
        bundle=handed if member and not args.out else "",
        wrong=[{"code": error.code, "message": error.message} for error in wrong],
    )
    return CHECK_FAILED if wrong else DONE
