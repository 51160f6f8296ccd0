# SPDX-License-Identifier: GPL-3.0-or-later
"""When two engines differ, the peers compare their states section by section and name the fields that differ.

    state/mine     [height, head, state]       the digest of the state of a position, to all members
    state/ask      [height, head]              asks for the three others, of this position
    state/program  [height, head, state, [version, Python, rules, content], repeats]
                                               what computes there, the digest of its state, and whether it gets the
                                               same state when it plays the log again
    state/digests  `p2p.lockstep.report.digests`
    state/explain  [height, head, [section]]   asks for these sections in readable form
    state/fields   the answer

Only one of the two holds an entry of the other that it cannot accept, so whoever is asked asks back. Who asked before
asks again over a new link: the other side may have been started again and know nothing of it. Everybody who knows of a
difference tells its own state to all, so that every member learns of it and who agrees with whom. Only members are
heard, and of each a few messages, over whatever links, because most replay the game up to that height.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Final, TypeAlias

import trio

from client import __version__
from client.system.names import clipped
from client.table.notices import DivergenceFound, Party, Program, StateDiverged, StatesAgree
from client.table.runtime import RunningTable
from engine.core.dataclass import dataclass
from p2p.link.bucket import Buckets
from p2p.lockstep.report import Difference, Differing, Report, answer, differing, digests, repeats, report
from p2p.lockstep.step import STAGE
from p2p.wire.codec import Value
from p2p.wire.entry import Entry
from p2p.wire.messages import Lobby

SOON: Final = 3
"""Seconds that a comparison waits for what the other members have."""
EARLY: Final = 8
"""Most positions whose states of others are kept before this peer is there."""
OWN: Final = b""
"""Stands for this peer among the members whose states are known."""
WORDS_A_SECOND: Final = 0.05
WORDS_AT_ONCE: Final = 24
"""Messages of one member that are processed; others are passed over."""
MAX_SPEAKERS: Final = 64
REPORTS: Final = 16
"""Most reports of one run that are kept, the latest."""
SHOWN: Final = 50
"""Number of differing fields that a person is shown; the file has all."""


Place: TypeAlias = tuple[int, bytes]
"""The height and the head of a position."""


@dataclass(slots=True)
class Comparison:
    """A position at which another member's state differs, and what is known of it.

    Attributes:
        link: the link over which that member was asked, "" before.
        program: what computes there, None before it has said so.
        digests: the digests of its sections, None before.
        report: what differs, None before it is known.
        ticks: for how many seconds it has been known.
        told: what the person has been told, None before.
    """

    where: Differing
    link: str = ""
    program: Program | None = None
    digests: Value = None
    report: Report | None = None
    ticks: int = 0
    told: tuple[Report, Program | None] | None = None


class Divergence:
    """Compares states for a table. folder: where reports are written."""

    def __init__(self, table: RunningTable, folder: Path) -> None:
        self._table, self._folder = table, folder
        self._open: dict[bytes, Comparison] = {}
        self._states: dict[Place, dict[bytes, bytes]] = {}
        self._early: dict[Place, dict[bytes, bytes]] = {}
        self._told: set[tuple[str, Place]] = set()
        self._reports = list[Path]()
        self._rates = Buckets(WORDS_A_SECOND, WORDS_AT_ONCE, MAX_SPEAKERS)
        table.on_diverged = self.begin
        for kind in ("mine", "ask", "program", "digests", "explain", "fields"):
            table.words[f"state/{kind}"] = self.heard
        table.apart = lambda: self.found
        table.after_change.append(self._look)
        table.on_tick.append(self._tick)

    @property
    def found(self) -> bool:
        """True if engines differ now."""
        return bool(self._open) or bool(self._table.lockstep.reading.differing())

    def begin(self, entry: Entry) -> None:
        """Handle an entry that names another state than this peer's."""
        if entry.author in self._table.lockstep.position.roster and entry.author != self._table.me:
            self._compare(Differing(entry.author, entry.height, entry.head, entry.state))

    def heard(self, name: str, kind: str, body: Value) -> None:
        """Handle a message about states from a link of the table."""
        author, now = self._author(name), trio.current_time()
        if author is None or not (self._rates.admit(author.hex(), now) and self._rates.take(author.hex(), now)):
            return
        match kind, body:
            case "state/mine", [int(height), bytes(head), bytes(state)]:
                self._learn(author, (height, head), state)
                self._tell_mine(name, (height, head))
            case "state/ask", [int(height), bytes(head)]:
                self._say(name, "state/program", self._program(height, head))
                self._say(name, "state/digests", digests(self._table.lockstep, height, head))
                self._asked(author, height, head)
            case "state/explain", _:
                self._say(name, "state/fields", answer(self._table.lockstep, body))
            case "state/program" | "state/digests" | "state/fields", _:
                found = next((each for each in self._open.values() if each.link == name), None)
                if found is not None:
                    self._take(found, kind, body)

    def words(self) -> list[Lobby]:
        """What a bundle says of each position at which a member's state differs: the three answers, with all
        sections."""
        said, lockstep = list[Lobby](), self._table.lockstep
        for height, head in dict.fromkeys((found.where.height, found.where.head) for found in self._open.values()):
            match digests(lockstep, height, head):
                case [_, _, dict() as sections] as summed:
                    fields = answer(lockstep, [height, head, [*sections]])
                    said += [Lobby("state/program", self._program(height, head)), Lobby("state/digests", summed)]
                    said.append(Lobby("state/fields", fields))
        return said

    def read(self, author: bytes, words: Sequence[Lobby]) -> None:
        """Process what a member's bundle says."""
        for word in words:
            match word.kind, word.body:
                case "state/program", [int(height), bytes(head), bytes(state), *_]:
                    self._learn(author, (height, head), state)
            if (found := self._open.get(author)) is not None:
                self._take(found, word.kind, word.body)

    # Beginning and ending --------------------------------------------------------------------------------------------

    def _compare(self, where: Differing) -> None:
        known = self._open.get(where.author)
        if known is None or (known.where.height, known.where.head) != (where.height, where.head):
            self._open[where.author] = Comparison(where)

    def _asked(self, author: bytes | None, height: int, head: bytes) -> None:
        """Handle that a member asks about a position: its state differs there, unless the position is not known. One
        comparison is enough there."""
        position = self._table.lockstep.position
        if author is None or position.held(height, head) is None:
            return
        if not any((each.where.height, each.where.head) == (height, head) for each in self._open.values()):
            self._table.notice(
                StateDiverged(self._table.party(author), height, "", self._table.lockstep.repairable(height))
            )
            self._compare(Differing(author, height, head))

    def _learn(self, author: bytes | None, place: Place, state: bytes) -> None:
        """Note a member's state at a position. Another than the one here begins a comparison."""
        if author is None or author == self._table.me:
            return
        if not (own := self._own(place)):
            if place in self._early or len(self._early) < EARLY:
                self._early.setdefault(place, {})[author] = state
            return
        self._states.setdefault(place, {})[author] = state
        for found in self._open.values():
            self._tell_found(found)
        if state != own:
            self._asked(author, *place)

    def _own(self, place: Place) -> bytes:
        """This peer's state at a position, b"" if it is not in its history."""
        position = self._table.lockstep.position
        if position.held(*place) is None:
            return b""
        states = self._states.setdefault(place, {})
        if OWN not in states:
            here = place == (position.height, position.head)
            states[OWN] = position.state if here else position.state_of(position.history.machine_at(place[0]), place[0])
        return states[OWN]

    def _tell_mine(self, name: str, place: Place) -> None:
        """Tell a member this peer's state at a position, once over each link."""
        if (name, place) not in self._told and (own := self._own(place)):
            self._told.add((name, place))
            self._say(name, "state/mine", [*place, own])

    def _look(self) -> None:
        """Ask the members in reach that were not asked over their present link, and end what is over."""
        for place in [each for each in self._early if self._own(each)]:
            for author, state in self._early.pop(place).items():
                self._learn(author, place, state)
        for author, found in tuple(self._open.items()):
            if self._over(found):
                del self._open[author]
                if author in self._table.lockstep.position.members and author not in self._table.lockstep.position.cut:
                    self._table.notice(StatesAgree(self._table.party(author)))
            elif found.link not in self._table.who:
                identity = self._table.identity(author)
                found.link = next((name for name, who in self._table.who.items() if who == identity), "")
                if found.link:
                    found.report, found.ticks = None, 0  # its program may be another one now
                    self._say(found.link, "state/ask", [found.where.height, found.where.head])
            for name in self._table.who if author in self._open else ():
                if self._author(name) is not None:
                    self._tell_mine(name, (found.where.height, found.where.head))

    def _over(self, found: Comparison) -> bool:
        """True if the member was left out, the position was taken back, or the table has gone on from it together."""
        lockstep, where = self._table.lockstep, found.where
        position = lockstep.position
        if where.author in position.cut or where.author not in position.members:
            return True
        if position.held(where.height, where.head) is None or not position.history.on_line(where.height):
            return True
        later = (entry for entry in reversed(lockstep.feeds.feed(where.author)) if entry.kind in STAGE)
        last = next(later, None)
        on = last is not None and where.height < last.height < position.height
        return on and last is not None and position.held(last.height, last.head) is not None

    # Comparing -------------------------------------------------------------------------------------------------------

    def _take(self, found: Comparison, kind: str, body: Value) -> None:
        """Process an answer of the member that was asked."""
        table, where = self._table, found.where
        match kind, body:
            case "state/program", [int(height), bytes(head), bytes(state), [*facts], bool(same)] if (height, head) == (
                where.height,
                where.head,
            ) and len(facts) == 4:
                version, python, rules, content = (clipped(str(fact)) for fact in facts)
                found.program = Program(version, python, rules, content, repeats=same)
                found.where = Differing(where.author, height, head, where.state or state)
            case "state/digests", None:
                back = table.lockstep.repairable(where.height)
                self._table.notice(StateDiverged(table.party(where.author), where.height, "unknown", back))
            case "state/digests", _:
                found.digests = body
                names = differing(digests(table.lockstep, where.height, where.head), body)
                self._say(found.link, "state/explain", [where.height, where.head, list(names)])
            case "state/fields", _:
                found.report = report(table.lockstep, where, found.digests, body)
                self._tell_found(found)

    def _program(self, height: int, head: bytes) -> Value:
        """What computes here, for `state/program`."""
        position = self._table.lockstep.position
        past = position.history.machine_at(height) if position.held(height, head) is not None else None
        state = b"" if past is None else position.state_of(past, height)
        here = self._here(height, head)
        return [height, head, state, [here.version, here.python, here.rules, here.content], here.repeats]

    def _here(self, height: int, head: bytes) -> Program:
        genesis = self._table.lockstep.genesis
        same = repeats(self._table.lockstep, height, head)
        return Program(__version__, platform.python_version(), genesis.rules, genesis.content.hex()[:8], repeats=same)

    def _author(self, link: str) -> bytes | None:
        """The member at the other end of a link, None for a spectator."""
        identity = self._table.who.get(link)
        return next(
            (key for key in self._table.lockstep.position.roster if self._table.identity(key) == identity), None
        )

    def _say(self, name: str, kind: str, body: Value) -> None:
        self._table.router.send(name, Lobby(kind, body))

    # Telling ---------------------------------------------------------------------------------------------------------

    def _tell_found(self, found: Comparison) -> None:
        """Tell what differs, once for each program there, when it is known who agrees with whom, as far as others say
        so soon."""
        if found.report is None or (now := (found.report, found.program)) == found.told:
            return
        known = self._states.get((found.where.height, found.where.head), {})
        linked = filter(None, map(self._author, self._table.who))
        if (
            found.ticks >= SOON
            or known.keys() | {found.where.author} >= {*linked} - self._table.lockstep.position.cut.keys()
        ):
            found.told = now
            self._tell(found.report, found.program)

    def _tick(self) -> None:
        self._told = {(name, place) for name, place in self._told if name in self._table.who}
        for found in self._open.values():
            found.ticks += found.report is not None
            self._tell_found(found)

    def _tell(self, found: Report, there: Program | None) -> None:
        """Show the first differences, and write all of them to a file."""
        first = found.fields[0] if found.fields else Difference(", ".join(found.sections), "?", "?")
        self._table.notice(
            DivergenceFound(
                self._table.party(found.author),
                found.height,
                first.path,
                str(first.mine),
                str(first.theirs),
                rows=found.fields[:SHOWN],
                count=len(found.fields),
                file=self._written(found),
                sides=self._sides(found),
                here=self._here(found.height, found.head),
                there=there,
                repair_from=self._table.lockstep.repairable(found.height),
            )
        )

    def _written(self, found: Report) -> Path:
        """Write a report to its file."""
        path = self._folder / f"divergence-{self._table.lockstep.genesis.table.hex()[:8]}-{found.height}.json"
        shown = {
            "height": found.height,
            "head": found.head.hex(),
            "differs": self._table.name(found.author),
            "mine": found.mine.hex(),
            "theirs": found.theirs.hex(),
            "sections": found.sections,
            "fields": [{"path": each.path, "mine": each.mine, "theirs": each.theirs} for each in found.fields],
            "entries": [
                [each.height, each.author.hex()[:8], each.seq, each.kind, each.id.hex()] for each in found.entries
            ],
        }
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(json.dumps(shown, indent=1, default=str), "utf-8")
            self._reports = [*(each for each in self._reports if each != path), path]
            while len(self._reports) > REPORTS:
                self._reports.pop(0).unlink(missing_ok=True)
        except OSError as error:
            self._table.log("divergence/unwritten", reason=error.strerror or "")
        return path

    def _sides(self, found: Report) -> tuple[tuple[Party, ...], ...]:
        """The members grouped by the state they signed at the position, this peer's group first. Members
        that signed nothing there are left out."""
        table = self._table
        sides: dict[bytes, dict[Party, None]] = {found.mine: {} if table.me is None else {table.party(table.me): None}}
        for entry in table.lockstep.feeds.entries:
            if (entry.height, entry.head) == (
                found.height,
                found.head,
            ) and entry.author in table.lockstep.position.roster.keys() - {table.me}:
                sides.setdefault(entry.state, {}).setdefault(table.party(entry.author))
        known = self._states.get((found.height, found.head), {})
        for author in table.lockstep.position.members:
            if author in known:
                sides.setdefault(known[author], {}).setdefault(table.party(author))
        sides.setdefault(found.theirs, {}).setdefault(table.party(found.author))
        return tuple(tuple(members) for members in sides.values() if members)
