# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock replay`: shows a recorded game on the full screen or as text, or plays on from one of its positions."""

from __future__ import annotations

import os
import secrets
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from client.commands.arguments import add_bots, add_recorded, settle_bots
from client.fronts import FrontOptions, fits
from client.show.styled import owner_letter
from client.system.context import Context
from client.system.errors import DONE, INTERRUPTED, UserError
from client.system.names import shown
from client.system.texts import _

if TYPE_CHECKING:
    from client.proof.walk import Walk
    from client.table.player import Player
    from engine.core.values import Handle, Plain
    from p2p.log.store import Peeked


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the game and the position."""
    add_recorded(parser)
    parser.add_argument(
        "--at",
        metavar=_("STEP"),
        type=int,
        help=_("show the position when this step opened (default: tell the whole game)"),
    )
    parser.add_argument(
        "--show",
        metavar=_("PICTURE"),
        nargs="+",
        default=[],
        help=_("of the position only this picture, as the line mode names it, such as map 001 (default: all)"),
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
    from client.proof.walk import match_of, walk_of_input
    from client.report.position import game_heading, position_fields, position_lines
    from client.show.styled import glyphs_for

    walk = walk_of_input(args.what, context)
    if args.branch is not None:
        return _play_on(args, walk, context)
    asked = _picture(args.show, walk.genesis.game)
    if args.at is None and not (args.linear or asked or context.as_json) and fits():
        context.then = _watched(args.what, walk, context)
        return DONE
    at = walk.last if args.at is None else args.at
    match = match_of(walk, at)
    glyphs = glyphs_for(context.out.encoding, os.environ.get("TERM", ""))
    told = args.at is None and not asked
    text = walk.log_lines(at) if told else position_lines(walk, match, at, glyphs, asked)
    context.answer("\n".join([*game_heading(walk), *text]), **position_fields(walk, match, at))
    return DONE


def _picture(typed: Sequence[str], game: str) -> Sequence[str]:
    """The name of a picture of the game in English, and the words after it, () for none. UserError."""
    from client.session.deeds.looked import pictured
    from client.session.deeds.typed import named_deeds
    from client.show.pictures import pictures
    from client.words.plain import called, plain

    commands = pictures(game).documents.commands
    deeds = named_deeds({name: pictured(name, picture) for name, picture in commands.items()})
    if not typed:
        return ()
    if (deed := deeds.get(plain(typed[0]))) is None:
        raise UserError(
            "replay/picture",
            _("{game} has no picture “{name}”.").format(game=game, name=shown(typed[0])),
            ", ".join(map(called, commands)),
        )
    return deed.id, *typed[1:]


def _watched(what: str, walk: Walk, context: Context) -> Sequence[str]:
    """Show the game on the full screen. Returns the command line chosen there, () for none."""
    from client.fronts.screen.app import FullScreen
    from client.fronts.screen.replay import ReplayScreen
    from client.fronts.screen.run import chosen_glyphs
    from client.fronts.screen.settings import read
    from client.proof.audit import in_words
    from client.proof.recording import Recording
    from client.report.eyes import own_seats
    from client.session.home import Errands
    from client.table.identity import own_identity
    from client.table.tables import kept_of

    settings = read(context.folders)
    told, kept = in_words(context.progress), kept_of(context.folders.data, what)
    mine = () if kept is None else own_seats(walk, kept)
    recording = Recording(walk, _own_faces(walk, kept), lambda done, total: told(done, total, "replay"), mine)
    context.progress.clear()

    def made(host: FullScreen[ReplayScreen]) -> ReplayScreen:
        errands = Errands(host.beside, lambda: own_identity(context))
        return ReplayScreen(recording, what, chosen_glyphs(settings), errands.answer, host, settings.keys)

    screen: FullScreen[ReplayScreen] = FullScreen(made, context.folders.logs)
    if screen.playing(lambda: screen.front.pause, screen.front.tick):
        raise KeyboardInterrupt
    return screen.front.words


def _own_faces(walk: Walk, kept: Peeked | None) -> Mapping[Handle, Plain]:
    """The card faces that the secrets of this home decrypt; empty if the game is no table of this home."""
    from client.report.eyes import read_by

    return {} if kept is None or kept.keys is None else read_by(walk, kept)


def _play_on(args: Namespace, walk: Walk, context: Context) -> int:
    """Play on from a position of the log."""
    from client.bots import level
    from client.commands.seating import at_table
    from client.proof.recording import Recording
    from client.proof.walk import match_of
    from client.session.player import SessionPlayer
    from client.session.practice import Practice
    from client.table.tables import kept_of

    at = walk.last if args.at is None else args.at
    match = match_of(walk, at)
    if match.over:
        raise UserError("replay/over", _("The game is over there."), _("Choose an earlier step with --at."))
    seat = _seat(args.branch, walk)
    settle_bots(args, match.spec.id, context)
    bots, seed = level(args.bots), secrets.token_hex(16)
    recording = Recording(walk, _own_faces(walk, kept_of(context.folders.data, args.what)))

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
        if word.upper() == owner_letter(seat) or word.lower() == name.lower():
            return seat
    seats = ", ".join(f"{owner_letter(seat)} {name}" for seat, name in enumerate(walk.names))
    raise UserError("replay/seat", _("“{seat}” is no seat of this game.").format(seat=shown(word)), seats)
