# SPDX-License-Identifier: GPL-3.0-or-later
"""`starlock bench`: measures of speed on this machine, each compared with a floor of the same run."""

from __future__ import annotations

import json
import os
import platform
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from client.context import Context
from client.errors import DONE, UserError
from client.files import read_at_most
from client.texts import N_, _

if TYPE_CHECKING:
    from client.bench import Measure, Spread

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
    "decisions-6": N_("decisions of six random bots, options listed"),
    "decisions-4": N_("decisions of four random bots, options listed"),
    "decisions-eclipse1": N_("decisions of four random bots, Eclipse, first edition"),
    "decisions-emperor": N_("decisions of four random bots, Galactic Emperor"),
    "decisions-rex": N_("decisions of four random bots, Rex"),
    "game-4": N_("a random game of four"),
    "clone-border": N_("copy of a game at the start of a step"),
    "clone-anywhere": N_("copy of a game anywhere"),
    "digest": N_("digest of a position"),
    "replay": N_("replay of a log without signatures"),
    "verify": N_("verify, beside signatures, rules and digests alone"),
    "late-action": N_("action 10,000, beside action 100"),
    "late-memory": N_("memory that each height costs until then, beside its entries"),
    "start-verify": N_("verify of a table that has just begun"),
    "start-verify-imports": N_("the same, beside its imports alone"),
    "start-simulate": N_("simulate of one game of two"),
    "start-simulate-imports": N_("the same, beside its imports alone"),
    "start-odds": N_("odds of a battle"),
    "start-odds-imports": N_("the same, beside its imports alone"),
    "start-help": N_("--help"),
    "start-help-imports": N_("the same, beside its imports alone"),
    "resume": N_("resume of a table of 4,500 entries until it is open, beside that of a new one"),
    "shuffle": N_("shuffle and prove 52 sealed cards"),
    "shuffle-check": N_("check such a shuffle"),
    "shuffle-series": N_("six members shuffle 52 cards in turn"),
    "draw": N_("a share of a drawn card, made and checked"),
    "roll": N_("a locked roll of six, all that one peer computes"),
    "deal-anew": N_("52 cards dealt again, one of six is gone"),
    "sent-eclipse2": N_("what a game of six sends, the mean of three, beside bodies and signatures"),
    "entries-eclipse2": N_("entries a decision there"),
    "sent-rex": N_("what a game of six sends in Rex"),
    "entries-rex": N_("entries a decision there, in Rex"),
    "page-size": N_("page of a game, beside its saved game in base64"),
    "page-made": N_("audit of it and its page made, beside the audit"),
    "page-shown": N_("first picture of it in Chromium, beyond that of an empty page"),
    "page-verified": N_("checks of the page in Chromium, beside the audit"),
    "page-checked": N_("checks of the page under node with one worker, beside the audit"),
    "reach-find": N_("a table on this network is found"),
    "reach-first-direct": N_("first word to a friend, from the first packet"),
    "reach-first-relayed": N_("first word through a relay"),
    "reach-trip-direct": N_("a word and its answer over a link"),
    "reach-trip-relayed": N_("a word and its answer through a relay, beside its two legs"),
    "reach-rate-direct": N_("what a link carries"),
    "reach-rate-relayed": N_("what a link through a relay carries"),
    "reach-first-libp2p": N_("first word through a relay of libp2p, from opening both nodes on"),
    "reach-trip-libp2p": N_("a word and its answer through such a relay, beside a bare connection"),
    "reach-rate-libp2p": N_("what a link through such a relay carries"),
    "relay-memory": N_("memory of a relay with 500 rooms in use"),
    "relay-work": N_("processor's time of a relay for one message"),
    "lab-first-direct": N_("from joining to the first entry between two homes, one of which can be dialed"),
    "lab-first-punched": N_("the same where both routers let in answers only"),
    "lab-first-relay": N_("the same where only a relay leads through"),
    "lab-trip-direct": N_("a word and its answer between two homes, beside a bare connection"),
    "lab-rate-direct": N_("what such a link carries, beside a bare connection"),
    "lab-trip-punched": N_("a word and its answer over a link that both opened through their routers"),
    "lab-rate-punched": N_("what such a link carries, beside a bare connection"),
    "lab-trip-relay": N_("a word and its answer through a relay, beside links of both with its machine"),
    "lab-rate-relay": N_("what such a link carries, beside a bare connection"),
    "lab-trip-friend": N_("a word and its answer through a friend, beside the links of both with that friend"),
    "lab-rate-friend": N_("what such a link carries, beside a bare connection"),
    "seen-by-all": N_("an action until all of six peers have seen it"),
    "seen-by-all-late": N_("one such action of a hundred, beside the median"),
    "seen-by-two": N_("an action until both of two peers have seen it"),
    "seen-by-two-late": N_("one such action of a hundred there, beside the median"),
    "peer-memory": N_("memory of a peer at its greatest"),
    "longest-step": N_("longest that a peer's loop was busy with one thing"),
    "height-memory": N_("memory that each height of a game of six costs, beside its entries"),
    "idle-work": N_("processor's time of one of six peers to whom nothing happens"),
    "idle-wakes": N_("how often it wakes"),
    "web-click": N_("a pick or a step back in the page until its new state is ready, late in a game of four"),
    "web-page": N_("from a click in Chromium to the page that shows what came of it, the middle one of many"),
    "web-page-worst": N_("the worst of them"),
    "web-map": N_("the map there, drawn"),
    "web-map-bytes": N_("bytes of the map"),
    "web-state-bytes": N_("bytes of the rest of the state"),
    "web-import": N_("import of the page"),
    "screen-line": N_("full screen of 120x40: a key that moves the cursor until its frame is painted"),
    "screen-map": N_("the same for a map at another zoom"),
    "screen-draft": N_("the same for a step of the draft, late in a game of four"),
    "screen-page": N_("the same for a scroll of the rules, over a thousand rows"),
    "screen-first-paint": N_("from the shell to the home screen, beside its imports alone"),
    "screen-memory": N_("memory of a table late in a game on the full screen, beside the line mode"),
    "audit-work": N_("work of auditing a complete game of six, without its rules"),
    "audit": N_("audit of it, by the clock"),
    "against-decisions": N_("decisions of six random bots, beside catanatron's of four"),
    "against-clone": N_("copy of a game, beside catanatron's"),
    "against-digest": N_("digest of a position, beside catanatron's copy of a game"),
}


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the choice of measures."""
    parser.add_argument(
        "chapters",
        metavar=_("CHAPTER"),
        nargs="*",
        help=_("what to measure: {known} (default: all)").format(known=", ".join(CHAPTERS)),
    )
    parser.add_argument(
        "--against",
        metavar=_("PROGRAM"),
        help=_("measure the engine beside {known} too, which is installed for it").format(known=", ".join(AGAINST)),
    )
    parser.add_argument(
        "--markdown", action="store_true", help=_("answer with a page that holds the table, its machine and the day")
    )
    parser.add_argument(
        "--compare",
        metavar=_("FILE"),
        type=Path,
        help=_("compare each measure with that of an earlier run, whose answer to --json is in FILE"),
    )


def run(args: Namespace, context: Context) -> int:
    """Measure; nothing passes or fails."""
    unknown = next((name for name in args.chapters if name not in CHAPTERS), None)
    if unknown is not None:
        raise UserError(
            "bench/unknown-chapter",
            _("There are no measures called “{name}”.").format(name=unknown),
            _("Choose among: {known}").format(known=", ".join(CHAPTERS)),
        )
    if args.against not in (None, *AGAINST):
        raise UserError(
            "bench/unknown-program",
            _("The engine cannot be measured beside “{name}”.").format(name=args.against),
            _("Choose among: {known}").format(known=", ".join(AGAINST)),
        )
    before = {} if args.compare is None else _earlier(args.compare)
    alone = args.against is not None and not args.markdown  # a Markdown page holds all measures
    wanted = args.chapters or (() if alone else CHAPTERS)
    chapters = [name for name in CHAPTERS if name in wanted]
    if not RULES_ALONE.issuperset(chapters):
        _ask_for_library()
    found: list[Measure] = []
    for number, chapter in enumerate(chapters):
        context.progress(number, len(chapters), _("measures"))
        found += measured(chapter, context)
    if args.against is not None:
        from client.bench import against

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
            _("The file {file} does not hold the answer of an earlier run.").format(file=path),
            _("Make one: {command}").format(command="starlock bench --json > FILE"),
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
            _("These measures need the library libsodium, and no copy that works was found ({looked}).").format(
                looked=error.looked
            ),
            _("Install the Python package rbcl, or libsodium 1.0.18 or newer; without it: {command}").format(
                command="starlock bench engine"
            ),
        ) from error


def measured(chapter: str, context: Context) -> list[Measure]:
    """The measures of one chapter."""
    match chapter:
        case "engine":
            from client.bench import engine

            return engine.measures()
        case "logs":
            from client.bench import logs

            return logs.measures()
        case "starts":
            from client.bench import starts

            return starts.measures()
        case "resume":
            from client.bench import resume

            return resume.measures()
        case "fairness":
            from client.bench import fairness

            return fairness.measures()
        case "idle":
            from client.bench import idle

            return idle.measures()
        case "web":
            from client.bench import web

            return web.measures()
        case "report":
            from client.bench import report

            return report.measures()
        case "screen":
            from client.bench import screen

            return screen.measures()
        case "wire":
            from client.bench import wire

            return wire.measures()
        case "reach":
            return _reach(context)
    from client.bench import tables

    return tables.measures(context)


def _reach(context: Context) -> list[Measure]:
    """Links on this machine, through libp2p and between homes behind routers, as far as this machine supports them."""
    from client.bench import circuits, lab, reach
    from p2p.reach.circuits import installed
    from p2p.testing.homes import missing

    found = reach.measures()
    if installed():
        found += circuits.measures()
    else:
        context.note(_("Ways through libp2p are not measured: starlock[libp2p] is not installed."))
    if (reason := missing()) is None:
        return [*found, *lab.measures()]
    context.note(_("Ways between homes behind routers are not measured: {reason}.").format(reason=reason))
    return found


def _machine() -> str:
    return (
        f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, "
        f"{platform.python_implementation()} {platform.python_version()}"
    )


def _table(found: list[Measure], before: Mapping[str, float]) -> str:
    lines = [_machine(), "", f"{_('measured'):>16}  {_('floor'):>16}  {_('ratio'):>7}"]
    for measure in found:
        value, floor = (f"{number:.4g} {measure.unit}" for number in (measure.value, measure.floor))
        lines.append(f"{value:>16}  {floor:>16}  {measure.ratio:7.2f}  {_(NAMES[measure.name])}")
        then = before.get(measure.name)
        if then is not None:
            change = f"{measure.value / then:.2f}"
            told = _("before: {value}, now {change} times as much").format(value=f"{then:.4g}", change=change)
            lines.append(f"{'':>36}{told}")
        if measure.spread is not None:
            lines.append(f"{'':>36}{_turns(measure.spread)}")
        if measure.met is not None:
            lines.append(
                f"{'':>36}{_('aim: {aims}').format(aims=_limits(measure))}: {_('met') if measure.met else _('missed')}"
            )
    return "\n".join(lines)


def _turns(spread: Spread) -> str:
    """How even the turns were, of which the table shows the quietest."""
    told = _("{turns} turns: median {median}, slowest {slowest} times the least")
    even = told.format(turns=spread.turns, median=f"{spread.median:.2f}", slowest=f"{spread.slowest:.2f}")
    return f"{_('noisy')}: {even}" if spread.noisy else even


def _page(found: list[Measure]) -> str:
    """The table as a page in Markdown."""
    from datetime import UTC, datetime

    day = datetime.now(UTC).date().isoformat()
    heads = (_("measure"), _("measured"), _("median"), _("slowest"), _("floor"), _("ratio"), _("aim"), "")
    rows = [heads, ("---", "---:", "---:", "---:", "---:", "---:", "---", "---")]
    for measure in found:
        value, floor = (f"{number:.4g} {measure.unit}" for number in (measure.value, measure.floor))
        noisy = _("noisy") if measure.spread is not None and measure.spread.noisy else ""
        judged = "" if measure.met is None else _("met") if measure.met else _("missed")
        aims = "" if measure.met is None else _limits(measure)
        told = ", ".join(filter(None, (judged, noisy)))
        turns = measure.spread
        median, slowest = ("", "") if turns is None else (f"{turns.median:.2f}", f"{turns.slowest:.2f}")
        rows.append((_(NAMES[measure.name]), value, median, slowest, floor, f"{measure.ratio:.2f}", aims, told))
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    meaning = _(
        "Each measure stands beside its floor: the same work as bare as it can be, timed in the same run. What counts "
        "is the ratio; the seconds tell of the machine. Most measures are taken several times: what stands here is the "
        "quietest turn, and of the median and the slowest how many times as long they took."
    )
    again = _("Made by: {command}").format(command="`starlock bench --against catanatron --markdown`")
    return "\n\n".join([f"# {_('Benchmarks')}", meaning, again, f"{_machine()}, {day}.", table])


def _limits(measure: Measure) -> str:
    aims = [] if measure.aim is None else [_("at most {ratio} times the floor").format(ratio=f"{measure.aim:g}")]
    if measure.most is not None:
        aims.append(_("at most {value} {unit}").format(value=f"{measure.most:g}", unit=measure.unit))
    return ", ".join(aims)
