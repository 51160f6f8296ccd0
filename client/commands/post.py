# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock post`: plays a table by files or pasted text, without a connection."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from client.bots import LEVELS, level
from client.commands.arguments import add_open, settle_bots
from client.commands.seating import add_linear, at_table, course_text, leading, told_end
from client.commands.ways import STANDARD_INPUT
from client.fronts import FrontOptions
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.files import place
from client.system.texts import _, ngettext

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.home import Seat
    from client.table.letters import Letters
    from client.table.player import Player
    from client.table.post import Post
    from client.table.posted import Posted
    from p2p.lobby.posted import LobbyStatement
    from p2p.log.store import Store, StoredTable


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table, the letters to read, and the file for the bundle."""
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
    add_open(parser, "--as", LEVELS, dest="level", metavar=_("LEVEL"), help=_("let a bot play for you"))
    add_linear(parser)


def run(args: Namespace, context: Context) -> int:
    """Read the letters, go on as far as possible, and write what the others lack."""
    from client.commands.letters import admits, answer_lobby, at_terminal, given_letters, paste
    from client.table.home import open_store
    from client.table.posted import posted_lobbies
    from client.table.tables import chosen

    letters = given_letters(args.given)
    terminal = at_terminal(context)
    home = context.folders.data
    with open_store(context) as store:
        try:
            known = posted_lobbies(home)
            posted = chosen_lobby(args.table, letters.statements(), known, [] if args.table else store.tables())
        except UserError as error:
            if error.code != "post/invitation" or not terminal:
                raise
            context.then = ["join", *args.given]
            return DONE
        if posted is None:
            return play(args, context, store, chosen(store, args.table), letters, None)
        if not posted.begun and terminal and not args.given:
            context.note(_("Paste what the others sent, with an empty line behind it:"))
            paste(letters)
        asked = terminal and STANDARD_INPUT not in args.given and args.level is None and posted.level is None
        told = posted.read_all(letters.statements(), admits(asked=asked))
        posted.keep(home)
        seat = posted.begin(store) if not posted.begun else chosen(store, posted.name)
        if seat is None:
            return answer_lobby(context, posted, args.out, letters, told)
        posted.keep(home)
        for text in told:
            context.note(text)
        code = play(args, context, store, seat, letters, posted)
        record = chosen(store, posted.name).record
        if all(member.key in record.held for member in record.genesis.members if member.key != posted.me):
            posted.forget(home)
        return code


def chosen_lobby(
    word: str | None, said: Sequence[LobbyStatement], known: Sequence[Posted], tables: Sequence[StoredTable]
) -> Posted | None:
    """The lobby for a command: by its name, by the given letters, or the only one if there is no table; None if the
    command is about a table that all members know to have begun."""
    found = [posted for posted in known if posted.name == word]
    if word is None:
        found = [posted for posted in known if any(each.lobby == posted.lobby.lobby for each in said)]
        if not found and len(known) == 1 and not tables:
            found = list(known)
        last = tables[-1].table if tables and not found else b""
        found = found or [posted for posted in known if posted.begun == last and last]
    if not found and any(each.kind == "invitation" for each in said):
        raise UserError(
            "post/invitation",
            _("It contains an invitation to a table at which you have no seat."),
            _("Sit down with: starlock join FILE"),
        )
    return found[0] if found else None


def play(args: Namespace, context: Context, store: Store, seat: Seat, letters: Letters, posted: Posted | None) -> int:
    """Go on with a table that has begun. posted: its lobby, while a member may not know that it has begun."""
    import trio

    from client.commands.letters import at_terminal
    from client.table.correspond import attended, unattended
    from client.table.player import Nobody
    from client.table.post import by_post

    terminal = at_terminal(context)
    settle_bots(args, seat.record.genesis.game, context)
    bot = level(args.level) if args.level is not None else None if terminal else seat.record.level
    plays = bot is not None or terminal

    async def main(player: Player) -> int:
        correspond = unattended(context.note, newest=args.newest, bot=bot is not None)
        if terminal:
            from client.session.player import SessionPlayer

            if isinstance(player, SessionPlayer):
                correspond = attended(player, lambda post, name: handed_over(post, posted, name), newest=args.newest)
        post = await by_post(context, store, seat, player, letters, correspond, plays=plays, level=bot)
        return answer(args, context, post, posted)

    if plays:
        return at_table(context, FrontOptions(bot, linear=args.linear), main)
    try:
        return trio.run(main, Nobody())
    except BaseExceptionGroup as group:
        raise leading(group) from group


def handed_over(post: Post, posted: Posted | None, name: str) -> str:
    """Write the bundle to a file, or return it as text to send. Returns what to show. posted: the lobby of the table,
    whose letter then contains the bundle. UserError."""
    from client.commands.letters import as_text, write_bundle_file
    from client.table.confirmation import newer_elsewhere
    from p2p.lobby.posted import write_letter

    lacked, needed = len(post.lacked()), posted is not None or post.needed()
    data = post.bundle()
    if posted is not None:
        data = write_letter(posted.lobby.statements(posted.me), data)
    if name:
        write_bundle_file(Path(name), data)
        told = ngettext(
            "Wrote {entries} entry for the others to {path}.",
            "Wrote {entries} entries for the others to {path}.",
            lacked,
        ).format(entries=lacked, path=Path(name).absolute())
        unneeded = _("Nobody waits for it now; send it only if an earlier letter is lost.")
        return f"{told} {_('Send them that file.') if needed else unneeded}"
    if not lacked and not newer_elsewhere(post.table) and not post.divergence.found:
        return _("The others have everything, as far as is known: there is nothing to send.")
    unneeded = _("Nobody waits for a letter from you now; send this only if an earlier one is lost:")
    return as_text(data) if needed else as_text(data, unneeded)


def answer(args: Namespace, context: Context, post: Post, posted: Posted | None) -> int:
    """Print the state of the table and give the bundle for the others."""
    from client.table.correspond import standing_text

    table, record, wrong = post.table, post.record, post.letters.wrong
    member = post.seat.keys is not None
    handed = handed_over(post, posted, str(args.out) if args.out else "") if member else ""
    result = post.result()
    text = (
        standing_text(post)
        if result is None
        else "\n".join(told_end(result, record.name, course_text(table.lockstep, result)))
    )
    owing = table.lockstep.owing()
    context.answer(
        "\n".join(part for part in (text, handed) if part),
        ok=not wrong,
        table=record.genesis.table.hex(),
        name=record.name,
        state=record.state,
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
