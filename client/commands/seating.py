# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared by the commands that play at a table: the player's arguments, the front, and the answer at the end."""

from __future__ import annotations

import os
import stat
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.bots import LEVELS, level, levels, missing_text
from client.bots.programs import adopted
from client.commands.arguments import add_open, add_seed
from client.commands.ways import check_port
from client.fronts import FrontOptions, Main, chosen_front, front
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, INTERRUPTED, UserError
from client.system.files import place
from client.system.names import bot_name, checked_name, default_name
from client.system.platform import program
from client.system.system_troubles import parts
from client.system.texts import N_, _

FILES: Final = 1_024
"""Files and connections that a table may have open, as far as the system permits."""
FEWEST_FILES: Final = 64
"""With fewer than these a table does not begin: a listener, the store and five links with their dials."""

if TYPE_CHECKING:  # the network loads slowly, and --help does not need it
    from client.table.home import Seat
    from client.table.joining import SeatRequest
    from client.table.lobby import Hosting
    from client.table.peer import Peer, PlayedTable
    from client.table.player import Player
    from client.table.result import Result
    from p2p.lockstep.follower import Follower


def add_player(parser: ArgumentParser) -> None:
    """Add --as and --name."""
    text = _("let a bot play for you, without a terminal: {known}").format(known=", ".join(LEVELS))
    add_open(parser, "--as", LEVELS, dest="level", metavar=_("LEVEL"), help=text)
    parser.add_argument("--name", metavar=_("NAME"), help=_("what the others call you (default: your user name)"))
    add_page(parser)
    parser.add_argument("--save", metavar=_("FILE"), type=place, help=_("write the finished game to FILE"))


def add_page(parser: ArgumentParser) -> None:
    """Add --linear, --web, --web-port and --api."""
    add_linear(parser)
    parser.add_argument("--web", action="store_true", help=_("show the board in the browser, on this machine alone"))
    add_web_port(parser)
    parser.add_argument(
        "--api", action="store_true", help=_("let a program play: serve it the table as JSON, see API.md")
    )


def add_linear(parser: ArgumentParser) -> None:
    """Add --linear."""
    parser.add_argument(
        "--linear",
        action="store_true",
        help=_("play line by line instead of on the full screen: for screen readers, and terminals below 80x24"),
    )


def add_web_port(parser: ArgumentParser) -> None:
    """Add --web-port."""
    parser.add_argument(
        "--web-port", metavar="P", type=int, default=0, help=_("serve the board on port P (default: any)")
    )


def chooses_by_page(args: Namespace, add_arguments: Callable[[ArgumentParser], None], context: Context) -> bool:
    """True if a command has --web and no other argument: then the start page becomes the context's next command."""
    if not args.web:
        return False
    bare = ArgumentParser()
    add_arguments(bare)
    said = vars(bare.parse_args([]))
    if any(getattr(args, name) != value for name, value in said.items() if name not in ("web", "web_port")):
        return False
    context.then = ["home", "--web", "--web-port", str(args.web_port)]
    return True


def add_sitting(parser: ArgumentParser) -> None:
    """Add --seat and --seed."""
    parser.add_argument("--seat", metavar="K", type=int, help=_("the seat you want, from 0 (default: any)"))
    add_seed(parser, _("a test table on this machine: all chance follows from S, which all must give"))


def wish_of(args: Namespace, seat: int | None = None) -> SeatRequest:
    """The seat request of the person. UserError for an invalid port, name, seat or bot."""
    from client.table.joining import SeatRequest

    check_port(args.port)
    bot_level = None if args.level is None else level(args.level)
    given = args.name if args.name is not None else default_name(bot_level)
    name = checked_name(given)
    seat = args.seat if seat is None else seat
    if seat is not None and seat < 0:
        raise UserError("cli/seat", _("There is no seat {seat}.").format(seat=seat), _("Seats are counted from 0."))
    if args.seed is not None and seat is None:
        raise UserError(
            "cli/seed-seat",
            _("A test table needs to know who sits where."),
            _("Give --seat too, another one for each player."),
        )
    return SeatRequest(
        ((name, bot_level),),
        () if seat is None else (seat,),
        seed=args.seed,
        port=args.port,
        local=args.local,
        named=args.name is not None,
    )


def with_bots(request: SeatRequest, said: str, seats: Sequence[int]) -> SeatRequest:
    """The request, with bots of this machine in these seats. said: their levels, as given to --bots."""
    bots = [(seat, (bot_name(seat), level)) for seat, level in zip(seats, levels(said, len(seats)), strict=True)]
    return replace(
        request,
        players=(*request.players, *(bot for _seat, bot in bots)),
        wants=(*request.wants, *(seat for seat, _bot in bots)),
    )


def at_table(context: Context, options: FrontOptions, main: Main) -> int:
    """Run `main` with its player: a bot, or the person at the terminal, the page or both."""
    from client.system.platform import end_with_parent

    need_files()
    if "STARLOCK_PARENT" in os.environ:  # started by demo or play: this process must end with its parent
        end_with_parent()
    if options.level is None and options.port is None:
        need_input()
    if options.level is None and options.port is not None:
        check_port(options.port)
    try:
        return front(chosen_front(options))(context, main, options)
    except BaseExceptionGroup as group:  # errors from inside nurseries
        raise leading(group) from group


def front_options(args: Namespace, bot_level: str | None = None) -> FrontOptions:
    """The front options of a command that has the arguments of `add_page`."""
    return FrontOptions(bot_level, args.web_port if is_served(args) else None, args.api, args.linear)


def is_served(args: Namespace) -> bool:
    """True if the table is to be served to a browser or a program."""
    return bool(args.web or args.api or args.web_port)


def leading(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The error to show first: one that a person can correct, if there is any."""
    from client.table.words import store_trouble
    from p2p.log.store import StoreError

    leaves = list(parts(group))
    for error in leaves:
        if isinstance(error, UserError):
            return error
        if isinstance(error, StoreError):
            return store_trouble(error)
    return leaves[0] if len(leaves) == 1 else group


def need_files() -> None:
    """Raise UserError if the system lets this process open too few files for links and pages."""
    from client.system.platform import allow_files
    from client.system.system_troubles import too_few_files

    if allow_files(FILES) < FEWEST_FILES:
        raise too_few_files()


def need_input() -> None:
    """Raise UserError if there is neither a terminal nor a pipe or file to read answers from."""
    if not has_input():
        raise UserError(
            "cli/no-terminal",
            _("There is no terminal to play at."),
            _("Let a bot play for you with --as greedy, or look at: starlock demo"),
        )


def has_input() -> bool:
    """True if standard input is a terminal, a pipe or a file with lines to read."""
    try:
        return sys.stdin.isatty() or not stat.S_ISCHR(os.fstat(sys.stdin.fileno()).st_mode)
    except (OSError, ValueError):
        return False


async def play_out(
    context: Context,
    peer: Peer,
    seat: Seat,
    player: Player,
    hosting: Hosting | None = None,
    save: Path | None = None,
    *,
    resumed: bool = False,
) -> int:
    """Play a table that has begun, and give the answer."""
    import trio

    from client.table.pauses import short_pauses
    from client.table.peer import play
    from client.table.reception import show_cautions
    from client.table.result import save_star

    record = seat.record
    if seat.keys is None and record.genesis.origin is not None:
        context.foreign = record.name
    context.log("table/begun", table=record.genesis.table.hex(), name=record.name)
    text = N_("Table {name} goes on.") if resumed else N_("Table {name} begins.")
    player.show(lambda: _(text).format(name=record.name))
    show_cautions(player, record.genesis.options, record.genesis.seats, len(record.genesis.members))
    bot_level = record.level  # given before the game was known, where others opened the table
    if bot_level is not None and missing_text(record.genesis.game, bot_level):
        player.show(lambda: missing_text(record.genesis.game, bot_level))
    context.interrupted_hint = going_on(record.name)
    with short_pauses():
        played = await play(peer, seat, player, hosting, person=record.level is None)
    context.interrupted_hint = ""
    key = peer.identity if seat.keys is None else seat.keys.key
    if save is not None and played.result is not None:
        await trio.to_thread.run_sync(save_star, save, played.table, key)
    course = await trio.to_thread.run_sync(
        course_text, played.table, played.result
    )  # it loads much, and links close meanwhile
    return answer(context, played, course, save)


def going_on(name: str) -> str:
    """The command that continues a table, as this person starts the program."""
    return _("Go on with: {command}").format(command=f"{program()} resume {name}")


def afterwards(name: str) -> str:
    """The commands for a table that is over."""
    commands = {
        f"verify {name}": _("judge it"),
        f"replay {name}": _("see it again"),
        f"export {name} {name}.star": _("share it as a file"),
        f"report {name} -o {name}.html": _("share it as a page that shows and proves it"),
    }
    told = "\n".join(f"  {what}:\n    {program()} {command}" for command, what in commands.items())
    return _("Now you may:") + "\n" + told


def parts_text(table: Follower, result: Result) -> list[str]:
    """Points by source, a column for each seat, the winner first."""
    from client.show.boards import end_table
    from client.show.lines import table_lines
    from client.show.pictures import pictures
    from client.show.styled import plain
    from client.table.machine import GameMachine

    machine = table.machine
    if not isinstance(machine, GameMachine):
        return []
    points = end_table(machine.spec.scores(machine.match.g), result.names, pictures(result.game).counts.sources)
    return [plain(row) for row in table_lines(points, 79)]


def fortunes(table: Follower, result: Result) -> list[str]:
    """The luck of the dice, one line for each seat that rolled any in battles."""
    from client.proof.luck import luck, luck_text
    from engine.core.events import Event

    steps = table.position.history.steps()
    events = [event for step in steps for event in step.events if isinstance(event, Event)]
    figures = [each for each in luck(events, len(result.names)) if each.dice]
    told = [f"  {luck_text(each, result.names[each.seat])}" for each in figures]
    return [_("Luck of the dice:"), *told] if told else []


def course_text(table: Follower, result: Result | None) -> list[str]:
    """The lines of points by source and of luck; empty before the end."""
    return [] if result is None else [*parts_text(table, result), *fortunes(table, result)]


def told_end(result: Result, name: str, course: Sequence[str]) -> list[str]:
    """How a game ended, and what may be done with it now. course: see `course_text`."""
    over = _("The game is over.") if result.ending == "played" else _("The game is over: the members agreed to end it.")
    return [over, result.shown(), *course, afterwards(name)]


def answer(context: Context, played: PlayedTable, course: Sequence[str], save: Path | None) -> int:
    """Print the outcome of a table. course: see `course_text`. save: the file it was saved to."""
    result, record = played.result, played.record
    if result is None:
        text = _("You left the table {name}.").format(name=record.name)
        context.answer(f"{text} {going_on(record.name)}", ok=False, table=record.name, complete=False)
        return INTERRUPTED
    logs = [] if save is None else [str(save.absolute())]
    alike = result.alike
    text = "\n".join(told_end(result, record.name, course))
    if not played.complete:
        missing = _(
            "Somebody may still lack the last entries: starlock passes them on whenever it runs here, or: {command}"
        )
        text += "\n" + missing.format(command=f"{program()} resume {record.name}")
    context.answer(text, **{**result.fields(), "ok": alike, "name": record.name, "logs": logs, "killed": []})
    return DONE if alike else CHECK_FAILED


def check_programs(seat: Seat) -> None:
    """Raise UserError if a bot of this member is a program that this run's command line has not given: what a record
    says is never run."""
    member = None if seat.keys is None else seat.record.member(seat.keys.key.public)
    named = [] if member is None else [row.level for row in member.rows if row.level is not None]
    check_levels([*named, *([seat.record.level] if seat.record.level else [])])


def check_levels(named: Sequence[str]) -> None:
    """Raise UserError if a level is a program that this run's command line has not given."""
    for label in named:
        if label not in LEVELS and adopted(label) is None:
            raise UserError(
                "bot/not-given",
                _("A bot of this table is a program ({label}).").format(label=label),
                _("Name its command again: {example}").format(example="--bots 'cmd:…'"),
            )


def resumed_level(args: Namespace, seat: Seat) -> str | None:
    """The level of the bot that continues a table: the given one, or without a terminal the one that played before."""
    if args.level is not None:
        return level(args.level)
    person = is_served(args) or (sys.stdin.isatty() and sys.stdout.isatty())
    return None if person else seat.record.level


def answer_finished(context: Context, seat: Seat, save: Callable[[], list[str]]) -> int:
    """Print the result of a table that is over for all members."""
    from client.table.result import Result

    result = Result.read(seat.record.result)
    fields = {"ok": result.alike, "name": seat.record.name, "logs": save(), "killed": []}
    text = "\n".join([_("This game is over."), result.shown(), afterwards(seat.record.name)])
    context.answer(text, **{**result.fields(), **fields})
    return DONE
