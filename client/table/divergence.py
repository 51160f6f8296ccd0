"""When two engines differ, the peers compare their states section by section and name the fields that differ.

    state/ask      [height, head]              asks for the digests of the sections there
    state/digests  `p2p.lockstep.report.digests`
    state/explain  [height, head, [section]]   asks for these sections in readable form
    state/fields   the answer

Only members are answered, a few times per link, because each answer replays the game up to that height.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

from client.notices import DivergenceFound, StateDiverged
from client.table.runtime import RunningTable
from p2p.lockstep.report import Difference, Report, answer, differing, digests, report
from p2p.wire.codec import Value
from p2p.wire.entry import Entry
from p2p.wire.messages import Lobby

ANSWERS: Final = 8
SHOWN: Final = 50
"""Number of differing fields that a person is shown; the file has all."""


class Divergence:
    """Compares states for a table. folder: where reports are written."""

    def __init__(self, table: RunningTable, folder: Path) -> None:
        self._table, self._folder = table, folder
        self._open: dict[str, tuple[Entry, Value]] = {}
        self._answered: Counter[str] = Counter()
        table.on_diverged = self.begin
        table.on_word = self.heard

    def begin(self, entry: Entry) -> None:
        """Handle an entry that names another state than this peer's: ask its author if there is a link."""
        table = self._table
        if entry.author not in table.lockstep.position.roster:
            return
        identity = table.identity(entry.author)
        for name, who in table.who.items():
            if who == identity:
                self._open[name] = (entry, None)
                table.router.send(name, Lobby("state/ask", [entry.height, entry.head]))
                return

    def heard(self, name: str, kind: str, body: Value) -> None:
        """Handle a message about states from a link of the table."""
        table = self._table.lockstep
        match kind, body:
            case "state/ask", [int(height), bytes(head)] if self._may_answer(name):
                self._say(name, "state/digests", digests(table, height, head))
                self._table.notice(StateDiverged(self._member(name), height))
            case "state/explain", _ if self._may_answer(name):
                self._say(name, "state/fields", answer(table, body))
            case "state/digests", _ if name in self._open:
                entry, _ = self._open[name]
                self._open[name] = (entry, body)
                names = differing(digests(table, entry.height, entry.head), body)
                self._say(name, "state/explain", [entry.height, entry.head, list(names)])
            case "state/fields", _ if name in self._open:
                entry, theirs = self._open.pop(name)
                found = report(table, entry, theirs, body)
                if found is not None:
                    self._tell(found)

    def _may_answer(self, name: str) -> bool:
        roster = self._table.lockstep.position.roster.values()
        member = self._table.who.get(name) in {each.certificate.identity for each in roster}
        self._answered[name] += 1
        return member and self._answered[name] <= ANSWERS

    def _member(self, link: str) -> str:
        """The name of the member at the other end of a link."""
        roster = self._table.lockstep.position.roster
        return next(self._table.name(key) for key in roster if self._table.identity(key) == self._table.who[link])

    def _say(self, name: str, kind: str, body: Value) -> None:
        self._table.router.send(name, Lobby(kind, body))

    def _tell(self, found: Report) -> None:
        """Show the first difference, and write all of them to a file."""
        name = self._table.name(found.author)
        path = self._folder / f"divergence-{self._table.lockstep.genesis.table.hex()[:8]}-{found.height}.json"
        rows = [{"path": each.path, "mine": each.mine, "theirs": each.theirs} for each in found.fields]
        shown = {
            "height": found.height,
            "head": found.head.hex(),
            "differs": name,
            "mine": found.mine.hex(),
            "theirs": found.theirs.hex(),
            "sections": found.sections,
            "fields": rows,
            "entries": [
                [each.height, each.author.hex()[:8], each.seq, each.kind, each.id.hex()] for each in found.entries
            ],
        }
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_text(json.dumps(shown, indent=1, default=str), "utf-8")
        except OSError as error:
            self._table.log("divergence/unwritten", reason=error.strerror or "")
        first = found.fields[0] if rows else Difference(", ".join(found.sections) or "?", "?", "?")
        self._table.notice(
            DivergenceFound(
                name,
                found.height,
                first.path,
                str(first.mine),
                str(first.theirs),
                rows=found.fields[:SHOWN],
                count=len(rows),
                file=path,
                sides=self._sides(found),
            )
        )

    def _sides(self, found: Report) -> tuple[tuple[str, ...], ...]:
        """The names of the members grouped by the state they signed at the position, this peer's group first. Members
        that signed nothing there are left out."""
        table = self._table
        sides: dict[bytes, dict[str, None]] = {found.mine: {} if table.me is None else {table.name(table.me): None}}
        for entry in table.lockstep.feeds.entries:
            if (entry.height, entry.head) == (
                found.height,
                found.head,
            ) and entry.author in table.lockstep.position.roster:
                sides.setdefault(entry.state, {}).setdefault(table.name(entry.author))
        sides.setdefault(found.theirs, {}).setdefault(table.name(found.author))
        return tuple(tuple(names) for names in sides.values() if names)
