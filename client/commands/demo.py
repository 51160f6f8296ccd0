# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock demo`: a whole game between real peer processes on this machine, all logs verified."""

from __future__ import annotations

import random
import shutil
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from client.bots import levels
from client.bots.programs import adopted
from client.commands.arguments import add_bots, add_content, add_game, add_seed, add_table, settle_bots, with_handicaps
from client.system.context import Context
from client.system.errors import CHECK_FAILED, DONE, UserError
from client.system.texts import _
from client.table.options import chosen_game, settled

if TYPE_CHECKING:
    from client.table.children import PeerProcess
    from client.table.processes import DemoPlan

EARLIEST, LATEST = 10, 120
"""Heights between which peers are killed: after the start, and reached by every game."""


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the table, its bots, and the peers to kill."""
    add_game(parser, default="eclipse2")
    add_table(parser, players=4)
    add_content(parser)
    add_bots(parser, default="greedy")
    add_seed(parser, _("play the very same game again: all chance follows from S (default: a new one)"))
    parser.add_argument(
        "--draws", metavar=_("MODE"), choices=("sealed", "open"), help=_("short for -o draws=MODE: sealed or open")
    )
    parser.add_argument(
        "--kill", metavar="N", type=int, default=0, help=_("end N peers for good in the middle (default: 0)")
    )


def run(args: Namespace, context: Context) -> int:
    """Play, compare, verify; exit code 1 when anything differs."""
    plan = planned(args, context)
    context.note(_("Each peer is a process of its own; their files are in {folder}.").format(folder=plan.folder))
    try:
        return play(plan, context)
    finally:
        for home in plan.folder.glob("*/home"):
            shutil.rmtree(home, ignore_errors=True)


def planned(args: Namespace, context: Context) -> DemoPlan:
    """The requested demo. UserError if it is not possible."""
    from client.table.processes import DemoPlan

    spec = chosen_game(args.game, args.content)
    settle_bots(args, spec.id, context)
    options = [*args.options, *([] if args.draws is None else [f"draws={args.draws}"])]
    if args.kill and not any(option.startswith("patience=") for option in options):
        options.append("patience=1m")  # killed peers do not come back, so a short wait is enough
    bots, options = with_handicaps(args.bots, range(args.players), args.players, options)
    table = settled(spec, args.players, options)
    most = max(args.players - 2, 0)
    if not 0 <= args.kill <= most:
        raise UserError(
            "cli/kill",
            _("Of {players} peers at most {most} can be killed: the others must be two or more.").format(
                players=args.players, most=most
            ),
            _("Give --kill a number from 0 to {most}, or more --players.").format(most=most),
        )
    chance = random.Random(None if args.seed is None else f"kill/{args.seed}")
    heights = sorted(chance.sample(range(EARLIEST, LATEST), args.kill))
    seats = chance.sample(range(args.players), args.kill)
    folder = Path(tempfile.mkdtemp(prefix="starlock-demo-"))
    kills = list(zip(seats, heights, strict=True))
    return DemoPlan(
        spec.id,
        table,
        tuple(adopted(name) or name for name in levels(bots, table.seats)),
        args.seed,
        kills,
        folder,
        args.content,
    )


def play(plan: DemoPlan, context: Context) -> int:
    """Start the peers, watch them to the end, and compare their files."""
    from client.system.platform import Children
    from client.table.processes import start, watch

    began = time.monotonic()
    with Children() as children:
        peers = start(plan, children, context)
        watch(plan, peers, context)
        answers = [peer.answer() for peer in peers]
    played = time.monotonic() - began
    return report(plan, context, peers, answers, played)


def report(
    plan: DemoPlan, context: Context, peers: Sequence[PeerProcess], answers: Sequence[dict[str, Any]], seconds: float
) -> int:
    """Compare and verify the files of the peers that finished, and print the result."""
    digests = [str(answer["digest"]) for answer in answers]
    logs = [peer.star.absolute() for peer in peers]
    problems = verified(logs, digests, context)
    first = answers[0]
    if len(set(digests)) > 1:
        problems.append(_("The peers ended in different states."))
    ended = {peer.seat: peer.process.returncode for peer in peers if peer.process.returncode != 0}
    problems += [_("Peer {seat} ended with {code}.").format(seat=seat, code=code) for seat, code in ended.items()]
    if len({str(answer["table"]) for answer in answers}) > 1:
        problems.append(_("The peers ended at different tables."))
    kept = {
        "ok": not problems,
        "game": plan.game,
        "players": plan.table.seats,
        "seed": plan.seed,
        "draws": first["draws"],
        "entries": max(int(answer["entries"]) for answer in answers),
        "rolls": first["rolls"],
        "decisions": first["decisions"],
        "seconds": round(seconds, 3),
        "bytes_sent": sum(int(answer["bytes_sent"]) for answer in answers),
        "digest": digests[0],
        "digests": digests,
        "logs": [str(path) for path in logs],
        "scores": first["scores"],
        "killed": plan.killed,
        "longest_step": longest_step(peers),
        "names": first["names"],
        "ranks": first["ranks"],
        "ending": first["ending"],
        "problems": problems,
    }
    context.answer(shown(kept), **kept)
    return CHECK_FAILED if problems else DONE


def longest_step(peers: Sequence[PeerProcess]) -> dict[str, Any] | None:
    """The longest step of any peer's event loop, by processor time."""
    held = [peer.held for peer in peers if peer.held is not None]
    return asdict(max(held, key=lambda each: each.work)) if held else None


def verified(logs: Sequence[Path], digests: Sequence[str], context: Context) -> list[str]:
    """The faults of the logs; each is judged from its bytes alone, as `starlock verify` does."""
    from client.proof.audit import judged, read_game

    problems: list[str] = []
    for number, (path, digest) in enumerate(zip(logs, digests, strict=True)):
        context.progress(number, len(logs), _("logs verified"))
        try:
            found = judged(read_game(path))
        except UserError as error:
            problems.append(error.message)
            continue
        problems += [f"{path}: {each.code} {each.detail}".rstrip() for each in found.problems]
        if not found.complete or found.state.hex() != digest:
            problems.append(_("{path} does not lead to the final state.").format(path=path))
    return problems


def shown(kept: dict[str, Any]) -> str:
    """The answer for people."""
    from client.table.result import counts_text

    order = sorted(range(kept["players"]), key=lambda seat: (kept["ranks"][seat], seat))
    gone = {killed["seat"]: killed["height"] for killed in kept["killed"]}
    lines = []
    for seat in order:
        line = f"  {kept['ranks'][seat]:>2}.  {kept['names'][seat]:<12}{kept['scores'][seat]:>5}"
        lines.append(line + ("   " + _("(killed at step {height})").format(height=gone[seat]) if seat in gone else ""))
    counts = counts_text(kept["entries"], kept["rolls"], kept["decisions"])
    told = _("{counts} in {seconds:.1f} s; {kilobytes} kB sent")
    lines.append(told.format(counts=counts, seconds=kept["seconds"], kilobytes=kept["bytes_sent"] // 1000))
    if (step := kept["longest_step"]) is not None:
        text = _("Longest that a peer was busy with one thing: {work:.1f} ms of work, {took:.1f} ms by the clock")
        lines.append(text.format(**step))
    if kept["ok"]:
        text = _("{count} peers ended in the same state {digest}, and their logs were verified:")
        lines.append(text.format(count=len(kept["digests"]), digest=kept["digest"]))
    else:
        lines += [_("Something is wrong:"), *kept["problems"]]
    return "\n".join([*lines, *kept["logs"]])
