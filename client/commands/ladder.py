# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock ladder`: how much better a bot plays than others, by pairs of games with the same seed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from client.bots import FIELD, level
from client.commands.arguments import USUAL_GAME, add_open, add_seed, add_table, missed_text
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.files import unwritable
from client.system.registry import GAMES
from client.system.texts import _, ngettext
from client.table.options import chosen_game, settled

if TYPE_CHECKING:
    from client.bots.ladder import LadderVerdict, Run, Series, Share

SEED: Final = "ladder"
"""The usual seed, so that two programs are compared by the same games."""
PAIRS: Final = 100


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the bots and the games."""
    known = ", ".join(FIELD)
    add_open(parser, "bot", FIELD, metavar=_("LEVEL"), help=_("the bot under test: {known}").format(known=known))
    parser.add_argument(
        "field",
        metavar=_("OTHER"),
        nargs="+",
        help=_("the bots that it meets; the first one also plays each game once in its place"),
    )
    games = _("the game: {known}").format(known=", ".join(GAMES))
    usual = _("(default: {default})").format(default=USUAL_GAME)
    add_open(parser, "--game", GAMES, metavar=_("GAME"), default=USUAL_GAME, help=f"{games} {usual}")
    add_table(parser, players=4)
    parser.add_argument(
        "--games",
        metavar="N",
        type=int,
        default=2 * PAIRS,
        help=_("how many games, two for each pair (default: {default})").format(default=2 * PAIRS),
    )
    parser.add_argument(
        "--workers", metavar="K", type=int, default=1, help=_("how many processes play at once (default: 1)")
    )
    parser.add_argument(
        "--rows",
        metavar=_("FILE"),
        type=Path,
        help=_("keep each game as a line of JSON in FILE, and go on with the games that it holds"),
    )
    parser.add_argument("--markdown", action="store_true", help=_("answer with a row of a table in Markdown"))
    add_seed(parser, _("all chance follows from S (default: {default})").format(default=SEED))


def run(args: Namespace, context: Context) -> int:
    """Play the games that are missing, and tell what all of them show."""
    from functools import partial

    from client.bots.pool import played

    if args.workers < 1:
        raise UserError("cli/usage", _("--workers needs a number from 1."), _("For example: --workers 2"))
    return climbed(args, context, partial(played, workers=args.workers))


def climbed(args: Namespace, context: Context, play: Run) -> int:
    """The command with some way to play games. Exit code 1 if the engine did not finish a game."""
    from client.bots.ladder import Rows, RowsError, climb

    if args.games < 2:
        raise UserError("cli/usage", _("--games needs a number from 2."), _("For example: --games 200"))
    series, program = _series(args)

    def told(done: int, games: int) -> None:
        context.progress(done, games, _("games"))

    with TemporaryDirectory() as folder:
        path = args.rows or Path(folder) / "rows"
        try:
            with Rows(path, series, program) as rows:
                found = climb(series, args.games // 2, rows, play, told)
        except RowsError as error:
            raise _unfit(path, error) from error
        except OSError as error:
            raise unwritable(path, error) from error
    text = markdown_row(series, found) if args.markdown else report(series, found)
    context.answer(text, ok=not found.faults, **fields(series, found), **program)
    return CHECK_FAILED if found.faults else DONE


def _series(args: Namespace) -> tuple[Series, Mapping[str, str]]:
    """What is played, and by which program."""
    from client.bots.ladder import Series
    from client.bots.version import playing_version

    spec = chosen_game(args.game, None)
    table = settled(spec, args.players, args.options)
    others = tuple(level(name, FIELD) for name in args.field)
    seed = SEED if args.seed is None else args.seed
    series = Series(spec.id, table.seats, dict(table.options), level(args.bot, FIELD), others, seed)
    program = {"rules": spec.rules_id, "content": spec.content_id(table).hex()}
    return series, {"version": playing_version(spec.id), **program}


def _unfit(path: Path, error: Any) -> UserError:
    if error.code == "rows/program":
        return UserError(
            error.code,
            _("A game was played by another program or content ({what}).").format(what=error.detail),
            _("Install the same version on all machines."),
        )
    if error.code == "rows/in-use":
        return UserError(
            error.code,
            _("Another starlock is going on with the games in {file}.").format(file=path),
            _("Wait until it has ended, or name another file."),
        )
    if error.code == "rows/other":
        return UserError(
            error.code,
            _("The file {file} holds other games ({what}).").format(file=path, what=error.detail),
            _("Name another file, or play what it holds."),
        )
    return UserError(
        error.code,
        _("Line {line} of {file} is no row of the ladder.").format(line=error.line, file=path),
        _("Name another file."),
    )


# The answer ----------------------------------------------------------------------------------------------------------


def report(series: Series, found: LadderVerdict) -> str:
    """What the series shows, for people."""
    others = ", ".join(dict.fromkeys(series.field))
    lines = [
        ngettext(
            "{game}, {seats} seats: {bot} among {others}, {pairs} pair of games",
            "{game}, {seats} seats: {bot} among {others}, {pairs} pairs of games",
            found.pairs,
        ).format(game=series.game, seats=series.seats, bot=series.bot, others=others, pairs=found.pairs),
        "",
        _("{bot} won {share}").format(bot=series.bot, share=_share(found.bot)),
        _("{bot} in its place won {share}: the share of an equal").format(
            bot=series.field[0], share=_share(found.equal)
        ),
        _("of the pairs, {alone} were won by the first alone and {other} by the second alone (z = {z})").format(
            alone=found.alone, other=found.other, z=f"{found.z:.1f}"
        ),
        _("points ahead of its place: {mean} ± {half}").format(
            mean=f"{found.ahead[0]:+.1f}", half=f"{found.ahead[1]:.1f}"
        ),
    ]
    for name, (middle, worst) in found.think.items():
        lines.append(
            _("a decision of {bot}: {middle} ms in the middle, {worst} ms at most").format(
                bot=name, middle=f"{1000 * middle:.1f}", worst=f"{1000 * worst:.0f}"
            )
        )
    if found.missed:
        lines.append(missed_text(found.missed))
    if found.faults:
        lines.append(_("games that the engine did not finish: {faults}").format(faults=found.faults))
    lines += ["", _("better than an equal: yes") if found.better else _("better than an equal: not shown")]
    return "\n".join(lines)


def _share(share: Share) -> str:
    low, high = share.interval
    return _("{won} of {of} games ({share}, {low}-{high})").format(
        won=share.won, of=share.of, share=f"{share.share:.0%}", low=f"{low:.0%}", high=f"{high:.0%}"
    )


COLUMNS: Final = (
    *("game", "seats", "bot", "field", "pairs", "won", "an equal", "z", "points ahead"),
    *("decision, middle", "longest", "core hours"),
)
"""The columns of `markdown_row`."""


def markdown_row(series: Series, found: LadderVerdict) -> str:
    """The series as a row of a table."""
    middle, worst = found.think.get(series.bot, (0.0, 0.0))
    shares = [f"{s.share:.0%} ({s.interval[0]:.0%}-{s.interval[1]:.0%})" for s in (found.bot, found.equal)]
    cells: Sequence[object] = [
        *(series.game, series.seats, series.bot, ", ".join(dict.fromkeys(series.field)), found.pairs, *shares),
        *(f"{found.z:.1f}", f"{found.ahead[0]:+.1f} ± {found.ahead[1]:.1f}"),
        *(f"{1000 * middle:.1f} ms", f"{1000 * worst:.0f} ms", f"{found.hours:.2f}"),
    ]
    return f"| {' | '.join(map(str, cells))} |"


def fields(series: Series, found: LadderVerdict) -> Mapping[str, object]:
    """What the series shows, for programs. Shares are won, of, low and high; times are seconds."""

    def share(one: Share) -> Mapping[str, object]:
        low, high = one.interval
        return {"won": one.won, "of": one.of, "low": round(low, 4), "high": round(high, 4)}

    return {
        "game": series.game,
        "seats": series.seats,
        "bot": series.bot,
        "field": [*series.field],
        "seed": series.seed,
        "pairs": found.pairs,
        "won": share(found.bot),
        "equal": share(found.equal),
        "alone": found.alone,
        "other": found.other,
        "z": round(found.z, 3),
        "ahead": [round(number, 3) for number in found.ahead],
        "better": found.better,
        "faults": found.faults,
        "missed": found.missed,
        "decision": {name: [round(number, 6) for number in times] for name, times in found.think.items()},
        "hours": round(found.hours, 4),
    }
