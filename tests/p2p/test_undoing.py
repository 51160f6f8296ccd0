# SPDX-License-Identifier: GPL-3.0-or-later
"""No vote undoes what somebody has said who does not sign it, nor gives away what is not its signers'."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sealedgame import Sealed

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.consent import Consent
from p2p.lockstep.cuts import end_here
from p2p.lockstep.drawn import Rolled
from p2p.lockstep.effects import Agreed, Keep
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.machine import TableRefusal
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import NO_PREV

LOSER = 2


def until(table: DirectTable, kind: str) -> None:
    """Play until the table waits for this."""
    while table.peers[0].position.step.kind != kind:
        assert table.step()


def rolled(draws: str) -> tuple[DirectTable, int]:
    """Three members have rolled; one of them is left out by the two others. Return the height of the roll too."""
    table = Sealed(3) if draws == "sealed" else DirectTable([[0], [1], [2]], 6, 2)
    if draws == "open":
        table.start()
    until(table, "seal")
    height = table.peers[0].position.chance.rolls[-1].roll.height
    table.cut_off = {LOSER}
    table.play()
    both(table, "absent", [table.keys[LOSER].key.public])
    assert len(table.peers[0].position.members) == 2
    return table, height


def both(table: DirectTable, kind: str, out: list[bytes], terms: Value = None) -> None:
    """Two members sign a pact, whatever their programs advise."""
    ends = tuple(table.peers[0].voting.end(author) for author in out)
    position = table.peers[0].position
    pact = Pact(kind, position.height, position.head, ends, terms)
    for peer in table.peers[:2]:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()


def agreed(table: DirectTable) -> list[str]:
    return [effect.pact.kind for effect in table.seen[0] if isinstance(effect, Agreed)]


@pytest.mark.parametrize("draws", ["open", "sealed"])
@pytest.mark.parametrize("gone", [False, True])
def test_two_of_three_choose_no_finished_roll_by_leaving_the_third_out_first(draws: str, gone: bool) -> None:
    table, height = rolled(draws)
    if gone:
        both(table, "gone", [table.keys[LOSER].key.public])
    (first,) = (each for each in table.peers[0].position.chance.rolls if each.roll.height == height)
    back = height - 1
    refusal = table.peers[0].propose("takeback", (), [back, True])
    assert isinstance(refusal, TableRefusal)
    assert refusal.code == "pact/undoes-others"
    both(table, "takeback", [], [back, True])
    assert "takeback" not in agreed(table)
    assert first in table.peers[0].position.chance.rolls
    assert table.peers[0].position.history.stands(height)
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert [each.kind for each in found.pacts] == (["absent", "gone"] if gone else ["absent"])
    assert [each.faces for each in found.rolls if each.height == height] == [first.faces]


@pytest.mark.parametrize("kind", ["absent", "repair", "free"])
def test_no_majority_votes_at_a_height_that_it_has_passed(kind: str) -> None:
    """Two of three sign at a height before a finished roll, against what their programs advise: that the third was
    absent there, that all read on from there, or that nobody is bound by a vote which all have gone on by."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "choose")
    if kind == "free":
        agreed_absent(table, 1)
    until(table, "seal")
    position, victim = table.peers[0].position, table.keys[LOSER].key.public
    first = [each for each in position.chance.rolls if each.kind == "roll"][-1]
    at = first.roll.height - 1 if kind != "free" else next(h for h in position.past if table.peers[0].effected(h))
    pact, cut = late(table, kind, at, victim), {*position.cut}
    for peer in table.peers[:2]:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    for peer in table.peers:
        assert peer.position.history.stands(first.roll.height)
        assert first.faces in [each.faces for each in peer.position.chance.rolls]
        assert {*peer.position.cut} == cut
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert found.problems == ()
    assert (kind, at) not in [(each.kind, each.height) for each in found.pacts]
    assert [each.faces for each in found.rolls if each.height == first.roll.height] == [first.faces]


def late(table: DirectTable, kind: str, at: int, victim: bytes) -> Pact:
    peer = table.peers[0]
    head, ends = peer.position.past[at].head, (end_here(peer.reading, victim, at),)
    read: list[Value] = [[victim, *peer.feeds.end(victim)]]
    match kind:
        case "absent":
            return Pact(kind, at, head, ends, None)
        case "repair":
            return Pact(kind, at, head, ends, [peer.position.state_at(at), read, peer.position.epoch + 1])
    over = tuple(sorted(pact.id for pact in peer.ballots.at(at, head)))
    return Pact("free", at, head, (FeedEnd(victim, -1, NO_PREV),), None, 0, over)


def agreed_absent(table: DirectTable, number: int) -> None:
    """Two leave one out, which comes back."""
    table.cut_off = {number}
    table.play()
    out = table.keys[number].key.public
    assert table.peers[0].propose("absent", [out]) is None
    table.settle()
    assert table.peers[LOSER].sign(table.peers[LOSER].votes()[0].pact.id) is None
    table.settle()
    table.cut_off = set()
    for entry, attachment in [*table.log]:
        table.peers[number].feed(entry, attachment)
    table.settle()
    assert table.peers[number].propose("back") is None
    table.settle()
    for peer in (table.peers[0], table.peers[LOSER]):
        for terms in peer.voting.asking():
            peer.propose("back", terms=terms)
            table.settle()


def test_two_who_stay_take_back_what_they_alone_have_said_since() -> None:
    table, _height = rolled("open")
    for peer in table.peers[:2]:
        for vote in peer.votes():
            peer.sign(vote.pact.id)
    while table.peers[0].position.step.kind != "choose" and table.step():
        pass
    to = table.peers[0].position.height
    assert table.step()
    assert table.peers[0].propose("takeback", (), [to, False]) is None
    table.settle()
    assert table.peers[1].sign(table.peers[1].votes()[0].pact.id) is None
    table.settle()
    assert agreed(table) == ["absent", "takeback"]
    table.play()
    assert table.peers[0].position.over


def test_nobody_gives_away_the_seat_of_a_member_that_does_not_sign_it() -> None:
    table, _height = rolled("open")
    keys = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    certificate = certify(SigningKey.from_seed(b"i" * 32), keys.key.public, table.genesis.table, "laptop")
    record = decode(encode(Member(certificate, (Row(LOSER, "Newcomer"),), bytes(32)).record()))
    refusal = table.peers[0].propose("seat", (), [LOSER, record])
    assert isinstance(refusal, TableRefusal)
    assert refusal.code == "pact/owner-left-out"
    both(table, "seat", [], [LOSER, record])
    assert table.peers[0].position.owner[LOSER] == table.keys[LOSER].key.public
    assert agreed(table) == ["absent"]


def test_a_bot_agrees_to_no_takeback_that_undoes_an_opened_roll() -> None:
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "together")
    before = table.peers[0].position.height
    assert votes_of_a_bot(table, before - 1) == "sign"
    until(table, "seal")
    assert table.peers[0].position.chance.rolls[-1].roll.height >= before
    assert votes_of_a_bot(table, table.peers[0].position.height - 2) == "refuse"


def votes_of_a_bot(table: DirectTable, to: int) -> str:
    """Return the kind of entry that a bot signs when it is asked to go back."""
    reach: Any = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)
    bot = table.peers[1]
    assert table.peers[0].propose("takeback", (), [to, False]) is None
    table.settle()
    Consent(bot, reach, lambda *_, **__: None).tick(1.0)
    table.settle()
    last = bot.feeds.last(bot.me or b"")
    assert last is not None
    if last.kind == "sign":
        assert table.peers[2].refuse(table.peers[2].votes()[0].pact.id, "pact/declined") is None
        table.settle()
    return last.kind


# At the height of a roll ---------------------------------------------------------------------------------------------


class Overheard(DirectTable):
    """What the third opens at a roll of dice goes to nobody at first: the two others read it and wait."""

    opened: Keep | None = None

    def deliver(self, sender: int, keep: Keep) -> None:
        rolling = any(peer.position.step.kind == "roll" for peer in self.peers)
        if sender == LOSER and keep.entry.kind == "open" and rolling and self.opened is None:
            self.opened = keep
        else:
            super().deliver(sender, keep)


def roll_of_two(attempt: int | None, before: bool = False) -> tuple[tuple[int, ...], Audit, Overheard]:
    """The roll where the two leave out the third although it has opened its seed. attempt: None to let it count.
    before: they have left it out and let it back before that roll."""
    table = Overheard([[0], [1], [2]], 6, 2)
    table.start()
    if before:
        out_and_back(table)
    while table.opened is None:
        assert table.step()
    first, at = table.peers[0], table.peers[0].position.height
    assert first.position.step.kind == "roll"
    if attempt is not None:
        victim = table.keys[LOSER].key.public
        pact = Pact("absent", at, first.position.head, (first.voting.end(victim),), None, attempt)
        for peer in table.peers[:2]:
            peer.signing.say("pact", pact.body())
            peer.advance()
        table.settle()
    DirectTable.deliver(table, LOSER, table.opened)
    table.settle()
    judged = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    roll = next(each for each in first.position.chance.rolls if each.roll.height == at)
    return roll.faces, judged, table


def test_at_the_height_of_a_roll_more_than_half_choose_between_two_values_and_no_third_one() -> None:
    """Both follow from what all have committed to before: with the seed of the third, and without it as if it had come
    too late. Neither another try nor a later vote leads to other faces, and the account says whose seed is missing."""
    with_it, _, _ = roll_of_two(None)
    found = [roll_of_two(attempt) for attempt in (0, 5)]
    (without_it,) = {faces for faces, _, _ in found}
    assert with_it != without_it
    for faces, judged, table in found:
        assert table.opened is not None
        at, victim = table.opened.entry.height, table.keys[LOSER].key.public
        assert judged.problems == ()
        assert [(pact.kind, pact.height) for pact in judged.pacts] == [("absent", at)]
        (roll,) = (each for each in table.peers[0].position.chance.rolls if each.roll.height == at)
        assert [member for member, seed in roll.roll.seeds if seed is None] == [victim]
        assert table.opened.entry.id in {entry.id for entry in table.peers[0].feeds.feed(victim)}, "its word is kept"
        both(table, "takeback", [], [at - 1, True])
        assert [each.faces for each in table.peers[0].position.chance.rolls if each.roll.height == at] == [faces]


def out_and_back(table: DirectTable) -> None:
    """Two of three leave the third out, though it owes nothing, and let it back at the next height."""
    until(table, "choose")
    both(table, "absent", [table.keys[LOSER].key.public])
    assert table.step()
    assert table.peers[LOSER].propose("back") is None
    table.settle()
    for peer in table.peers[:2]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
            table.settle()
    assert table.step()
    assert len(table.peers[0].position.members) == 3


def test_the_account_lists_what_somebody_had_said_since_the_height_at_which_it_is_left_out() -> None:
    """The two others had nothing to say there, so their votes come in time."""
    table = DirectTable([[0], [1], [2]], 6, 2)
    table.start()
    until(table, "choose")
    position, author = table.peers[0].position, table.keys[0].key.public
    pact = Pact("absent", position.height, position.head, (end_here(table.peers[1].reading, author),), None)
    until(table, "together")
    said = [entry.body for entry in table.log_of("answer")]
    assert len(said) == 2
    for peer in table.peers[1:]:
        peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    found = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert {each.by for each in found.undone} == {"absent"}
    assert [(each.said.height - pact.at, [0, [each.said.value]]) for each in found.undone] == [*enumerate(said)]


def test_who_is_left_out_and_let_back_before_a_roll_leads_to_another_pair_of_values_and_the_account_says_so() -> None:
    """All seeds and the lock are new then. More than half know the value without it as soon as the keys are made, so
    that they may go on like this as long as it asks to come back."""
    pairs = [(roll_of_two(None, before)[0], roll_of_two(0, before)[0]) for before in (False, True)]
    assert len({faces for pair in pairs for faces in pair}) == 4
    _, judged, _ = roll_of_two(0, before=True)
    assert judged.problems == ()
    assert [pact.kind for pact in judged.pacts] == ["absent", "back", "absent"]


# Below three members -------------------------------------------------------------------------------------------------


def next_roll(table: DirectTable) -> Rolled:
    """Play on to the next roll of dice and return it."""
    before = len(table.peers[0].position.chance.rolls)
    while len(table.peers[0].position.chance.rolls) == before:
        assert table.step()
    return table.peers[0].position.chance.rolls[-1]


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_two_who_are_left_of_three_choose_no_roll(draws: str) -> None:
    """Whatever they vote before it, the roll is the value of a lock that three had made, at its next number."""
    found = []
    for votes in (0, 1, 3):
        table = left(draws)
        for _ in range(votes):
            to = table.peers[0].position.height
            assert table.step()
            assert table.peers[0].propose("takeback", (), [to, False]) is None
            table.settle()
            assert table.peers[1].sign(table.peers[1].votes()[0].pact.id) is None
            table.settle()
        rolled = next_roll(table)
        assert rolled.promised == {}
        assert (rolled.lock, rolled.holders) == (2, 3)
        found.append(rolled.faces)
        at = rolled.roll.height
        refusal = table.peers[0].propose("takeback", (), [at, True])
        assert refusal is not None
        assert refusal.code == "pact/chooses-dice"
        both(table, "takeback", [], [at, True])
        assert table.peers[0].position.history.stands(at)
        judged = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
        assert judged.problems == ()
        assert judged.rolls[-1].faces == rolled.faces
        assert judged.rolls[-1].ok
        assert "dice-foreseen" in judged.does_not_prove
    assert len(set(found)) == 1, found


def test_two_who_are_left_of_three_take_back_what_came_after_a_roll() -> None:
    table = left("open")
    rolled = next_roll(table)
    after = rolled.roll.height + 1
    while table.peers[0].position.height <= after:
        assert table.step()
    assert table.peers[0].propose("takeback", (), [after, True]) is None
    table.settle()
    assert table.peers[1].sign(table.peers[1].votes()[0].pact.id) is None
    table.settle()
    for peer in table.peers[:2]:
        assert not peer.position.history.stands(after)
        assert peer.position.chance.rolls[-1] == rolled
    judged = audit([entry for entry, _ in table.log], lambda genesis: TestMachine(genesis.seats, 2))
    assert judged.problems == ()


def left(draws: str) -> DirectTable:
    """Two who are left of three after a roll of all, before the pick of the second round."""
    table, _height = rolled(draws)
    if draws == "sealed":
        table.play()
        both(table, "gone", [table.keys[LOSER].key.public])
    while (table.peers[0].position.step.kind, table.peers[0].position.chance.reveals) != ("choose", 1):
        assert table.step()
    return table


def test_rolls_have_seeds_again_when_the_third_is_back() -> None:
    table = left("open")
    assert next_roll(table).promised == {}
    for entry, attachment in table.log:
        table.peers[LOSER].feed(entry, attachment)
    table.cut_off = set()
    table.settle()
    assert table.peers[LOSER].propose("back") is None
    table.settle()
    for peer in table.peers[:2]:
        for terms in peer.voting.asking():
            assert peer.propose("back", terms=terms) is None or peer.votes() == []
            table.settle()
    table.play()
    assert len(table.peers[0].position.members) == 3
    assert len({peer.position.head for peer in table.peers}) == 1
