"""What a log does not prove, though no vote says so: rolls of two whose lock has gone, and cards of two histories."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from agreement import NODE, Game, Judged, judged_by_all, packed
from judges import disagreements
from movedtables import welcome
from outsider import listening
from sealedgame import Sealed

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.cuts import end_here
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import Machine
from p2p.lockstep.pacts import Pact, moving_lobby
from p2p.testing.hostile_silence import Reticent
from p2p.testing.machine import ReaderMachine, TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import decode, encode
from p2p.wire.entry import EntryFields, make_entry
from seeds.hashing import H

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")
SEED = 6
NEW = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)


def judged(teller: Lockstep, keys: TableKeys, machine: Machine, folder: Path) -> Judged:
    found = judged_by_all([Game(packed(teller, keys.key.private), machine)], folder)
    assert disagreements(found) == []
    return found[0]


def no_test(table: DirectTable, machine: Machine) -> None:
    """Let the dice be nobody's that knows the number of the table."""
    table.genesis = replace(table.genesis, test=False)
    table.peers = [member(table.genesis, keys, machine.clone()) for keys in table.keys]


def absent(table: DirectTable, *numbers: int) -> None:
    """Let all who are there leave these out."""
    here = [peer for number, peer in enumerate(table.peers) if number not in table.cut_off]
    ends = (end_here(here[0].reading, table.keys[number].key.public) for number in numbers)
    out = tuple(sorted(ends, key=lambda end: end.author))
    for peer in here:
        position = here[0].position
        peer.signing.say("pact", Pact("absent", position.height, position.head, out, None).body())
        peer.advance()
    table.settle()


def moved(table: DirectTable, number: int) -> None:
    """Of two members the first lets the other one go on with another key."""
    old, owner = table.keys[number].key.public, SigningKey.from_seed(H("test identity", SEED, number))
    fields = certify(owner, NEW.key.public, moving_lobby(table.genesis.table, old), "another device").fields()
    table.cut_off.add(number)
    assert table.peers[0].propose("moved", [old], [decode(encode(fields)), False]) is None
    table.settle()
    welcome(table, NEW, rounds=3)


@pytest.mark.parametrize("moves", [False, True])
def test_nobody_says_that_no_roll_was_chosen_where_one_of_the_last_two_gave_up_its_share_of_the_lock(
    moves: bool, tmp_path: Path
) -> None:
    """Two of three foresee the rolls of their last lock. Without it they roll as two do, and choose together."""
    table = DirectTable([[0], [1], [2]], SEED, 3)
    no_test(table, TestMachine(3, 3))
    table.start()
    first = table.peers[0]
    while first.position.step.kind != "together":
        assert table.step()
    table.cut_off = {2}
    absent(table, 2)
    while not any(rolled.lock and not rolled.promised for rolled in first.position.chance.rolls):
        assert table.step()
    if moves:
        moved(table, 1)
    table.play()
    assert first.position.over
    assert moves is any(not rolled.lock for rolled in first.position.chance.rolls)
    found = judged(first, table.keys[0], TestMachine(3, 3), tmp_path).found
    assert found is not None
    assert ("dice-unchosen" in found.proves) is not moves
    assert ("last-opener-may-stop" in found.does_not_prove) is moves


class Parted(Sealed):
    """Who decides who is dealt the first card says seat 3 to all others, and seat 0 to that one."""

    machine_kind = ReaderMachine

    def sit(self, number: int) -> Reticent:
        self.genesis = replace(self.genesis, test=False)
        return super().sit(number)

    def part(self) -> None:
        self.until_kind("choose")
        self.cut_off.add(3)
        forger, away = self.peers[0], self.peers[3]
        assert forger.answer(0, [1]) is None
        self.settle()
        answer = next(entry for entry in reversed(forger.feeds.feed(self.key(0))) if entry.kind == "answer")
        fields = {name: getattr(answer, name) for name in EntryFields.__annotations__}
        forged = make_entry(self.keys[0].key.private, **{**fields, "body": [0, [2]]})
        away.feed(forged)
        self.settle()
        assert list(away.owing()) == [self.key(0)], "nobody shares a card before its reader has masked it"
        position = away.position
        assert position.chance.decks is not None
        mask = position.chance.decks.make_remask(self.key(0), bytes(32)).plain()
        here = {"height": position.height, "head": position.head, "state": position.state}
        after = {"seq": forged.seq + 1, "prev": forged.id}
        away.feed(make_entry(self.keys[0].key.private, **{**fields, **here, **after, "kind": "remask", "body": mask}))
        self.settle()
        assert away.feeds.feed(self.key(3))[-1].kind == "share"


def test_a_log_does_not_say_that_cards_are_secret_where_somebody_shared_one_in_another_history(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A forger gives its answer to one member in another form. No hand is read so, since each reader has masked what it
    reads; but a share of that member stands in the log, of a card that is another one's."""
    outsider = listening(monkeypatch)
    table = Parted(4, rounds=1)
    table.part()
    assert (table.at.step.kind, list(table.here[0].owing())) == ("deal", [table.key(3)])
    assert outsider.read() == set()
    table.agree("absent", [3])
    first = table.peers[1]
    for entry in table.peers[3].feeds.feed(table.key(3)):
        first.feed(entry)
    table.settle()
    found = judged(first, table.keys[1], table.fresh, tmp_path).found
    assert found is not None
    assert "cards-secret" not in found.proves
    assert "shown-and-taken-back" in found.does_not_prove
