# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: measures of speed on this machine, each compared with a floor of the same run."""

from __future__ import annotations

import json
import os
import platform
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.commands.cli import Parser, report_error
from client.system.context import Context
from client.system.errors import DONE, UserError
from client.system.files import read_at_most
from client.system.progress import Meter

if TYPE_CHECKING:
    from bench import Measure, Spread

COMMAND: Final = ".venv/bin/python scripts/bench"
AGAINST: Final = ("catanatron",)
CHAPTERS: Final = (
    "engine",
    "logs",
    "starts",
    "resume",
    "fairness",
    "wire",
    "report",
    "reach",
    "tables",
    "idle",
    "web",
    "screen",
)
RULES_ALONE: Final = frozenset({"engine", "reach", "web", "screen", "idle"})
"""The chapters that need no group operations."""
MOST: Final = 1_000_000
"""Most bytes of the file of an earlier run."""
NAMES: Final = {
    "decisions-6": "decisions of six random bots, options listed",
    "decisions-4": "decisions of four random bots, options listed",
    "decisions-eclipse1": "decisions of four random bots, Eclipse, first edition",
    "decisions-emperor": "decisions of four random bots, Galactic Emperor",
    "decisions-rex": "decisions of four random bots, Rex",
    "game-4": "a random game of four",
    "clone-border": "copy of a game at the start of a step",
    "clone-anywhere": "copy of a game anywhere",
    "digest": "digest of a position",
    "replay": "replay of a log without signatures",
    "verify": "verify, beside signatures, rules and digests alone",
    "late-action": "action 10,000, beside action 100",
    "late-memory": "memory that each height costs until then, beside its entries",
    "start-verify": "verify of a table that has just begun",
    "start-verify-imports": "the same, beside its imports alone",
    "start-simulate": "simulate of one game of two",
    "start-simulate-imports": "the same, beside its imports alone",
    "start-odds": "odds of a battle",
    "start-odds-imports": "the same, beside its imports alone",
    "start-help": "--help",
    "start-help-imports": "the same, beside its imports alone",
    "resume": "resume of a table of 4,500 entries until it is open, beside that of a new one",
    "shuffle": "shuffle and prove 52 sealed cards",
    "shuffle-check": "check such a shuffle",
    "shuffle-series": "six members shuffle 52 cards in turn",
    "draw": "a share of a drawn card, made and checked",
    "roll": "a locked roll of six, all that one peer computes",
    "deal-anew": "52 cards dealt again, one of six is gone",
    "sent-eclipse2": "what a game of six sends, the mean of three, beside bodies and signatures",
    "entries-eclipse2": "entries a decision there",
    "sent-rex": "what a game of six sends in Rex",
    "entries-rex": "entries a decision there, in Rex",
    "page-size": "page of a game, beside its saved game in base64",
    "page-made": "audit of it and its page made, beside the audit",
    "page-shown": "first picture of it in Chromium, beyond that of an empty page",
    "page-verified": "checks of the page in Chromium, beside the audit",
    "verifier-verdict": "both verdicts of the verifier page in Chromium, from opening it, beside the audit",
    "verifier-rules": "rules of the game replayed there, beside the same here",
    "page-checked": "checks of the page under node with one worker, beside the audit",
    "told-bytes": "what members were asked, beside the saved game",
    "told-time": "digests of that, beside the rules of the game",
    "reach-find": "a table on this network is found",
    "reach-first-direct": "first word to a friend, from the first packet",
    "reach-first-relayed": "first word through a relay",
    "reach-trip-direct": "a word and its answer over a link",
    "reach-trip-relayed": "a word and its answer through a relay, beside its two legs",
    "reach-rate-direct": "what a link carries",
    "reach-rate-relayed": "what a link through a relay carries",
    "reach-first-libp2p": "first word through a relay of libp2p, from opening both nodes on",
    "reach-trip-libp2p": "a word and its answer through such a relay, beside a bare connection",
    "reach-rate-libp2p": "what a link through such a relay carries",
    "relay-memory": "memory of a relay with 1,000 rooms in use",
    "relay-work": "processor's time of a relay for one message",
    "lab-first-direct": "from joining to the first entry between two homes, one of which can be dialed",
    "lab-first-punched": "the same where both routers let in answers only",
    "lab-first-relay": "the same where only a relay leads through",
    "lab-answer": "from pasting the answer to the first question: no relay, both routers let in answers only",
    "lab-evening": "from starting to the first question there, ticket and answer carried at once",
    "lab-trip-direct": "a word and its answer between two homes, beside a bare connection",
    "lab-rate-direct": "what such a link carries, beside a bare connection",
    "lab-trip-punched": "a word and its answer over a link that both opened through their routers",
    "lab-rate-punched": "what such a link carries, beside a bare connection",
    "lab-trip-relay": "a word and its answer through a relay, beside links of both with its machine",
    "lab-rate-relay": "what such a link carries, beside a bare connection",
    "lab-trip-friend": "a word and its answer through a friend, beside the links of both with that friend",
    "lab-rate-friend": "what such a link carries, beside a bare connection",
    "seen-by-all": "an action until all of six peers have seen it",
    "seen-by-all-late": "one such action of a hundred, beside the median",
    "seen-by-two": "an action until both of two peers have seen it",
    "seen-by-two-late": "one such action of a hundred there, beside the median",
    "peer-memory": "memory of a peer at its greatest",
    "longest-step": "longest that a peer's loop was busy with one thing",
    "height-memory": "memory that each height of a game of six costs, beside its entries",
    "idle-work": "processor's time of one of six peers to whom nothing happens",
    "idle-wakes": "how often it wakes",
    "web-click": "a pick or a step back in the page until its new state is ready, late in a game of four",
    "web-page": "from a click in Chromium to the page that shows what came of it, the middle one of many",
    "web-page-worst": "the worst of them",
    "web-map": "the map there, drawn",
    "web-map-bytes": "bytes of the map",
    "web-state-bytes": "bytes of the rest of the state",
    "web-import": "import of the page",
    "screen-line": "full screen of 120x40: a key that moves the cursor until its frame is painted",
    "screen-map": "the same for a map at another zoom",
    "screen-draft": "the same for a step of the draft, late in a game of four",
    "screen-page": "the same for a scroll of the rules, over a thousand rows",
    "screen-first-paint": "from the shell to the home screen, beside its imports alone",
    "screen-memory": "memory of a table late in a game on the full screen, beside the line mode",
    "audit-work": "work of auditing a complete game of six, without its rules",
    "audit": "audit of it, by the clock",
    "against-decisions": "decisions of six random bots, beside catanatron's of four",
    "against-clone": "copy of a game, beside catanatron's",
    "against-digest": "digest of a position, beside catanatron's copy of a game",
}


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for; the exit code."""
    given = list(sys.argv[1:] if words is None else words)
    context = Context("bench", "--json" in given, None, sys.stdout, sys.stderr, Meter(sys.stderr))
    parser = Parser(prog=COMMAND, description=__doc__, allow_abbrev=False)
    add_arguments(parser)
    try:
        code = run(parser.parse_args(given), context)
    except UserError as error:
        return report_error(context, error)
    if context.as_json and context.result is not None:
        context.print_result(context.result)
    return code


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the choice of measures."""
    parser.add_argument(
        "chapters",
        metavar="CHAPTER",
        nargs="*",
        help="what to measure: {known} (default: all)".format(known=", ".join(CHAPTERS)),
    )
    parser.add_argument(
        "--against",
        metavar="PROGRAM",
        help="measure the engine beside {known} too, which is installed for it".format(known=", ".join(AGAINST)),
    )
    parser.add_argument("--json", action="store_true", help="answer in one line of JSON, for programs")
    parser.add_argument(
        "--markdown", action="store_true", help="answer with a page that holds the table, its machine and the day"
    )
    parser.add_argument(
        "--compare",
        metavar="FILE",
        type=Path,
        help="compare each measure with that of an earlier run, whose answer to --json is in FILE",
    )


def run(args: Namespace, context: Context) -> int:
    """Measure; nothing passes or fails."""
    unknown = next((name for name in args.chapters if name not in CHAPTERS), None)
    if unknown is not None:
        raise UserError(
            "bench/unknown-chapter",
            f"There are no measures called “{unknown}”.",
            "Choose among: {known}".format(known=", ".join(CHAPTERS)),
        )
    if args.against not in (None, *AGAINST):
        raise UserError(
            "bench/unknown-program",
            f"The engine cannot be measured beside “{args.against}”.",
            "Choose among: {known}".format(known=", ".join(AGAINST)),
        )
    before = {} if args.compare is None else _earlier(args.compare)
    alone = args.against is not None and not args.markdown  # a Markdown page holds all measures
    wanted = args.chapters or (() if alone else CHAPTERS)
    chapters = [name for name in CHAPTERS if name in wanted]
    if not RULES_ALONE.issuperset(chapters):
        _ask_for_library()
    found: list[Measure] = []
    for number, chapter in enumerate(chapters):
        context.progress(number, len(chapters), "measures")
        found += measured(chapter, context)
    if args.against is not None:
        from bench import against

        found += against.measures()
    context.answer(
        _page(found) if args.markdown else _table(found, before),
        machine=_machine(),
        measures=[{**measure.fields(), **_beside(measure, before)} for measure in found],
    )
    return DONE


def _earlier(path: Path) -> dict[str, float]:
    """The values of an earlier run, by measure."""
    try:
        told = json.loads(read_at_most(path, MOST))
        return {str(one["name"]): float(one["value"]) for one in told["measures"] if float(one["value"]) > 0}
    except (ValueError, TypeError, KeyError, RecursionError) as problem:
        raise UserError(
            "bench/no-run",
            f"The file {path} does not hold the answer of an earlier run.",
            "Make one: {command}".format(command=f"{COMMAND} --json > FILE"),
        ) from problem


def _beside(measure: Measure, before: Mapping[str, float]) -> dict[str, float]:
    """The earlier value, and the new value divided by it."""
    then = before.get(measure.name)
    return {} if then is None else {"before": then, "change": round(measure.value / then, 3)}


def _ask_for_library() -> None:
    """Raise UserError, before anything is measured, if the library for group operations is missing."""
    from seeds import group

    try:
        group.start()
    except group.NoGroupError as error:
        raise UserError(
            error.code,
            f"These measures need the library libsodium, and no copy that works was found ({error.looked}).",
            "Install the Python package rbcl, or libsodium 1.0.18 or newer; without it: {command}".format(
                command=f"{COMMAND} engine"
            ),
        ) from error


def measured(chapter: str, context: Context) -> list[Measure]:
    """The measures of one chapter."""
    match chapter:
        case "engine":
            from bench import engine

            return engine.measures()
        case "logs":
            from bench import logs

            return logs.measures()
        case "starts":
            from bench import starts

            return starts.measures()
        case "resume":
            from bench import resume

            return resume.measures()
        case "fairness":
            from bench import fairness

            return fairness.measures()
        case "idle":
            from bench import idle

            return idle.measures()
        case "web":
            from bench import web

            return web.measures()
        case "report":
            from bench import report

            return report.measures()
        case "screen":
            from bench import screen

            return screen.measures()
        case "wire":
            from bench import wire

            return wire.measures()
        case "reach":
            return _reach(context)
    from bench import tables

    return tables.measures(context)


def _reach(context: Context) -> list[Measure]:
    """Links on this machine, through libp2p and between homes behind routers, as far as this machine supports them."""
    from bench import circuits, lab, reach
    from p2p.reach.circuits import installed
    from p2p.testing.homes import missing

    found = reach.measures()
    if installed():
        found += circuits.measures()
    else:
        context.note("Ways through libp2p are not measured: starlock[libp2p] is not installed.")
    if (reason := missing()) is None:
        return [*found, *lab.measures()]
    context.note(f"Ways between homes behind routers are not measured: {reason}.")
    return found


def _machine() -> str:
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def _table(found: list[Measure], before: Mapping[str, float]) -> str:
    lines = [_machine(), "", f"{'measured':>16}  {'floor':>16}  {'ratio':>7}"]
    for measure in found:
        value, floor = (f"{number:.4g} {measure.unit}" for number in (measure.value, measure.floor))
        lines.append(f"{value:>16}  {floor:>16}  {measure.ratio:7.2f}  {NAMES[measure.name]}")
        then = before.get(measure.name)
        if then is not None:
            change = f"{measure.value / then:.2f}"
            told = "before: {value}, now {change} times as much".format(value=f"{then:.4g}", change=change)
            lines.append(f"{'':>36}{told}")
        if measure.spread is not None:
            lines.append(f"{'':>36}{_turns(measure.spread)}")
        if measure.met is not None:
            lines.append(f"{'':>36}aim: {_limits(measure)}: {'met' if measure.met else 'missed'}")
    return "\n".join(lines)


def _turns(spread: Spread) -> str:
    """How even the turns were, of which the table shows the quietest."""
    told = "{turns} turns: median {median}, slowest {slowest} times the least"
    even = told.format(turns=spread.turns, median=f"{spread.median:.2f}", slowest=f"{spread.slowest:.2f}")
    return f"noisy: {even}" if spread.noisy else even


def _page(found: list[Measure]) -> str:
    """The table as a page in Markdown."""
    from datetime import UTC, datetime

    day = datetime.now(UTC).date().isoformat()
    heads = ("measure", "measured", "median", "slowest", "floor", "ratio", "aim", "")
    rows = [heads, ("---", "---:", "---:", "---:", "---:", "---:", "---", "---")]
    for measure in found:
        value, floor = (f"{number:.4g} {measure.unit}" for number in (measure.value, measure.floor))
        noisy = "noisy" if measure.spread is not None and measure.spread.noisy else ""
        judged = "" if measure.met is None else "met" if measure.met else "missed"
        aims = "" if measure.met is None else _limits(measure)
        told = ", ".join(filter(None, (judged, noisy)))
        turns = measure.spread
        median, slowest = ("", "") if turns is None else (f"{turns.median:.2f}", f"{turns.slowest:.2f}")
        rows.append((NAMES[measure.name], value, median, slowest, floor, f"{measure.ratio:.2f}", aims, told))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    meaning = (
        "Each measure stands beside its floor: the same work as bare as it can be, timed in the same run. What counts "
        "is the ratio; the seconds tell of the machine. Most measures are taken several times: what stands here is the "
        "quietest turn, and of the median and the slowest how many times as long they took."
    )
    again = "Made by: {command}".format(command=f"`{COMMAND} --against catanatron --markdown`")
    return "\n\n".join(["# Benchmarks", meaning, again, f"{_machine()}, {day}.", table])


def _limits(measure: Measure) -> str:
    aims = [] if measure.aim is None else ["at most {ratio} times the floor".format(ratio=f"{measure.aim:g}")]
    if measure.most is not None:
        aims.append("at most {value} {unit}".format(value=f"{measure.most:g}", unit=measure.unit))
    return ", ".join(aims)
