# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock replay`: shows a recorded game on the full screen or as text, or plays on from one of its positions."""

from __future__ import annotations

import os
import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from client.commands.arguments import add_bots
from client.context import Context
from client.errors import DONE, INTERRUPTED, UserError
from client.fronts import FrontOptions, fits
from client.names import shown
from client.texts import _

if TYPE_CHECKING:
    from client.player import Player
    from client.walk import Walk
    from engine.core.match import Match
    from engine.core.values import Handle, Plain


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and the position."""
    parser.add_argument(
        "what", metavar=_("FILE|TABLE"), help=_("a saved game (.star), or the name of one of your tables")
    )
    parser.add_argument(
        "--at",
        metavar=_("HEIGHT"),
        type=int,
        help=_("show the position when this height opened: map, boards, points (default: tell the whole game)"),
    )
    parser.add_argument(
        "--linear", action="store_true", help=_("tell the game line by line instead of on the full screen")
    )
    parser.add_argument(
        "--branch",
        metavar=_("SEAT"),
        help=_("play on from there (with --at) as this seat, against bots on this machine; nothing of it is kept"),
    )
    add_bots(parser, default="greedy")


def run(args: Namespace, context: Context) -> int:
    """Show the game on the full screen, print it, show a position, or play on from one."""
    from client.walk import match_of, walk_of_input

    walk = walk_of_input(args.what, context)
    if args.branch is not None:
        return _play_on(args, walk, context)
    if args.at is None and not (args.linear or context.as_json) and fits():
        context.then = _watched(args.what, walk, context)
        return DONE
    at = walk.last if args.at is None else args.at
    match = match_of(walk, at)
    text = walk.log_lines(at) if args.at is None else _position(walk, match, at, context)
    context.answer("\n".join([*_heading(walk), *text]), **_fields(walk, match, at))
    return DONE


def _watched(what: str, walk: Walk, context: Context) -> Sequence[str]:
    """Show the game on the full screen. Returns the command line chosen there, () for none."""
    from client.audit import in_words
    from client.commands.home import answer_of
    from client.recording import Recording
    from client.screen.app import Screen
    from client.screen.replay import Replay
    from client.screen.run import chosen_glyphs
    from client.screen.settings import read

    glyphs = chosen_glyphs(read(context.folders))
    told = in_words(context.progress)
    recording = Recording(walk, _own_faces(what, walk, context), lambda done, total: told(done, total, "replay"))
    context.progress.clear()
    screen: Screen[Replay] = Screen(lambda host: Replay(recording, what, glyphs, answer_of, host.type, host.close))
    if screen.playing(lambda: screen.front.pause, screen.front.tick):
        raise KeyboardInterrupt
    return screen.front.words


def _own_faces(what: str, walk: Walk, context: Context) -> Mapping[Handle, Plain]:
    """The card faces that the secrets of this home decrypt; empty if the game is no table of this home."""
    from client.report.eyes import read_by
    from client.table.tables import kept_of

    kept = kept_of(context.folders.data, what)
    return {} if kept is None or kept.keys is None else read_by(walk, kept)


def _play_on(args: Namespace, walk: Walk, context: Context) -> int:
    """Play on from a position of the log."""
    from client.bots import level
    from client.commands.seating import at_table
    from client.recording import Recording
    from client.session.player import SessionPlayer
    from client.table.practice import Practice
    from client.walk import match_of

    at = walk.last if args.at is None else args.at
    if match_of(walk, at).over:
        raise UserError("replay/over", _("The game is over there."), _("Choose an earlier height with --at."))
    seat = _seat(args.branch, walk)
    bots, seed = level(args.bots), secrets.token_hex(16)
    recording = Recording(walk, _own_faces(args.what, walk, context))

    async def main(player: Player) -> int:
        if isinstance(player, SessionPlayer):
            player.session.lasting = False
        practice = Practice(recording, recording.at_height(at), seat, bots, seed)
        if not await practice.play(player):
            context.answer(_("You left the practice; nothing of it is kept."), ok=False, complete=False)
            return INTERRUPTED
        scores = sorted(practice.match.spec.scores(practice.match.g), key=lambda score: (score.rank, score.seat))
        lines = [f"{score.rank}. {practice.name(score.seat)}: {score.total}" for score in scores]
        totals = [score.total for score in sorted(scores, key=lambda score: score.seat)]
        context.answer("\n".join([_("The practice is over."), *lines]), complete=True, scores=totals)
        return DONE

    return at_table(context, FrontOptions(linear=args.linear), main)


def _seat(word: str, walk: Walk) -> int:
    """The seat with this letter or name. UserError if there is none."""
    for seat, name in enumerate(walk.names):
        if word.upper() == chr(ord("A") + seat) or word.lower() == name.lower():
            return seat
    seats = ", ".join(f"{chr(ord('A') + seat)} {name}" for seat, name in enumerate(walk.names))
    raise UserError("replay/seat", _("“{seat}” is no seat of this game.").format(seat=shown(word)), seats)


def _heading(walk: Walk) -> list[str]:
    names = ", ".join(f"{seat} {name}" for seat, name in enumerate(walk.names))
    return [_("{game}, table {table}").format(game=walk.genesis.game, table=walk.genesis.table.hex()[:16]), names, ""]


def _position(walk: Walk, match: Match, at: int, context: Context) -> Sequence[str]:
    """A height in words, and the pictures of the game."""
    from client.show.pictures import Frame, pictures
    from client.show.styled import glyphs_for, plain
    from engine.core.ids import Seat

    waiting = ", ".join(walk.names[seat] for seat in match.owing())
    lines = [
        _("height {height} of {last}, round {round}").format(height=at, last=walk.last, round=walk.round_at(at)),
        _("to move: {names}").format(names=waiting) if waiting else _("nobody has to answer here"),
        _("digest {digest}").format(digest=match.digest().hex()),
    ]
    glyphs = glyphs_for(context.out.encoding, os.environ.get("TERM", ""))
    frame = Frame(match.view(Seat(-1)), walk.names, glyphs, display_names=walk.display_names)
    shown = pictures(walk.genesis.game).commands
    for name in ("map", "boards", "score"):
        if name in shown:
            lines += ["", *(plain(line).rstrip() for line in shown[name].draw(frame))]
    return lines


def _fields(walk: Walk, match: Match, at: int) -> dict[str, object]:
    scores = sorted(match.spec.scores(match.g), key=lambda score: score.seat)
    return {
        "game": walk.genesis.game,
        "table": walk.genesis.table.hex(),
        "names": walk.names,
        "height": at,
        "last": walk.last,
        "complete": walk.complete,
        "round": walk.round_at(at),
        "to_move": list(match.owing()),
        "head": walk.head_at(at).hex(),
        "digest": match.digest().hex(),
        "scores": [score.total for score in scores],
        "events": [
            {"height": height, "id": event.id, "args": dict(event.args)}
            for height, events in walk.history
            if height < at
            for event in events
        ],
    }
