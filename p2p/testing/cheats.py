# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that break the protocol at tables without a network: their entries are altered before they are signed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from p2p.lockstep.effects import Keep
from p2p.lockstep.signing import maker
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry, make_entry

Tamper = Callable[[dict[str, Any]], None]
"""Changes the fields of an entry before it is signed."""
SEALED = {"draws": "sealed"}
FOUR = ([0], [1], [2], [3])


class CheatTable(DirectTable):
    """A table with sealed cards and locked dice. The others vote out members that are cut off."""

    def __init__(self, holdings: Sequence[Sequence[int]] = FOUR, seed: int = 3, rounds: int = 1) -> None:
        super().__init__(holdings, seed, rounds, options=SEALED)
        self.withheld: set[tuple[int, str]] = set()

    def cheat(self, who: int, tamper: Tamper) -> None:
        """Make this member sign altered entries from now on."""
        cheat(self, who, tamper)

    def deliver(self, sender: int, keep: Keep) -> None:
        if (sender, keep.entry.kind) not in self.withheld:
            super().deliver(sender, keep)

    def present(self) -> list[int]:
        return [number for number in range(len(self.peers)) if number not in self.cut_off]

    def agree(self, kind: str, who: Sequence[int]) -> None:
        """Let the present members agree that these members are absent or gone."""
        first, *rest = self.present()
        assert self.peers[first].propose(kind, [self.keys[number].key.public for number in who]) is None
        self.settle()
        for number in rest:
            for vote in self.peers[number].votes():
                self.peers[number].sign(vote.pact.id)
        self.settle()

    def lose(self, who: int) -> None:
        """Cut off a member, and let the others go on without it."""
        self.cut_off.add(who)
        self.play()
        self.agree("absent", [who])

    def step(self) -> bool:
        """Let one seat answer. A cheat that its own program has detected is silent."""
        seated = [number for number in self.present() if self.peers[number].me in self.peers[number].position.roster]
        muted = {number for number in seated if self.peers[number].mute is not None}
        self.cut_off |= muted
        went = super().step()
        self.cut_off -= muted
        return went

    def play_to(self, kind: str) -> None:
        """Answer until all members are at a wait of this kind."""
        while self.peers[self.present()[0]].position.step.kind != kind:
            assert self.step(), f"the game never comes to a {kind}"

    def log_at(self, number: int) -> list[Entry]:
        """Return every entry that this member holds."""
        return list(self.peers[number].feeds.entries)

    def say(self, who: int, kind: str, body: Plain, to: Sequence[int] | None = None, **changes: Any) -> Entry:
        """Sign an entry with a member's key, without its program, and pass it to the others."""
        peer = self.peers[who]
        last, position = peer.feeds.last(self.keys[who].key.public), peer.position
        assert last is not None
        fields: dict[str, Any] = {
            "table": self.genesis.table,
            "seq": last.seq + 1,
            "prev": last.id,
            "epoch": position.epoch,
            "height": position.height,
            "head": position.head,
            "state": position.state,
            "kind": kind,
            "body": body,
        }
        entry = make_entry(self.keys[who].key.private, **(fields | changes))
        for number in self.present() if to is None else to:
            if number != who:
                self.peers[number].feed(entry)
        self.settle()
        return entry


def vanished_bidder(rounds: int = 1) -> CheatTable:
    """Return a finished game of four. The last member vanishes before it opens its bid. The others open the bid, give
    the member up and deal its deck anew."""
    table = CheatTable(seed=5, rounds=rounds)
    table.start()
    table.play_to("seal")
    table.withheld.add((3, "reveal"))
    for number in range(4):
        refusal = table.peers[number].answer(number, [2])
        assert refusal is None, refusal
    table.settle()
    table.cut_off.add(3)
    table.agree("absent", [3])
    table.agree("gone", [3])
    table.play()
    return table


def cheat(table: DirectTable, who: int, tamper: Tamper) -> None:
    """Make this member of a table sign altered entries from now on."""
    honest = maker(table.keys[who].key)

    def make(**fields: Any) -> Entry:
        tamper(fields)
        return honest(**fields)

    table.peers[who].signing.make = make


def alter(kind: str, *path: int, at: int = -20, nth: int = 0) -> Tamper:
    """Return a Tamper that changes one byte at this path in the body of the nth entry of a kind."""
    seen = [0]

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == kind:
            if seen[0] == nth:
                fields["body"] = changed(fields["body"], path, at)
            seen[0] += 1

    return tamper


def changed(body: Any, path: Sequence[int], at: int) -> Any:
    """Return a copy of a body with one changed byte."""
    if not path:
        place = at % len(body)
        return body[:place] + bytes([body[place] ^ 1]) + body[place + 1 :]
    return [changed(item, path[1:], at) if number == path[0] else item for number, item in enumerate(body)]
