"""Where the histories of a forger have parted the others go on from before that: who asks for it, whom it binds, and
who is freed from it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from test_pact_branches import CHEAT, SLEEPER, answer, branches, catch_up, ends_alike_but_faults, told_of_both
from test_pact_freezes import at_together, key, out, returns, vote_on

from p2p.lockstep.consent import Consent
from p2p.lockstep.effects import Keep
from p2p.lockstep.pacts import Pact
from p2p.lockstep.signing import maker
from p2p.testing.tables import DirectTable
from p2p.wire.entry import Entry

LINKED = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)


class TwoTongued(DirectTable):
    """Seat 0 says a word more to the sleeper than to the rest before its partial of the first roll, and nothing after
    that. Both histories lead to the same position, and only one of them goes on."""

    def start(self) -> None:
        self.told: list[Entry] = []
        super().start()

    def deliver(self, sender: int, keep: Keep) -> None:
        if sender != 0 or (keep.entry.height, keep.entry.kind) < (2, "partial"):
            super().deliver(sender, keep)
            return
        self.cut_off ^= {SLEEPER}
        super().deliver(sender, keep)
        self.cut_off ^= {SLEEPER}
        if keep.entry.height == 2:
            for kind, body in (("clock", [bytes(32)]), (keep.entry.kind, keep.entry.body))[bool(self.told) :]:
                self.told.append(self._twin(keep.entry, kind, body))
                self.peers[SLEEPER].feed(self.told[-1])

    def _twin(self, entry: Entry, kind: str, body: Any) -> Entry:
        seq, prev = (self.told[-1].seq, self.told[-1].id) if self.told else (entry.seq - 1, entry.prev)
        place: dict[str, Any] = {"height": entry.height, "head": entry.head, "state": entry.state, "epoch": entry.epoch}
        place |= {"table": self.genesis.table, "seq": seq + 1, "prev": prev, "kind": kind, "body": body}
        return maker(self.keys[0].key)(**place)


def one_goes_on() -> TwoTongued:
    """The rest has gone on, and all have answered but the sleeper, whose history does not go on. Then both histories
    become known."""
    table = TwoTongued([[number] for number in range(5)], rounds=1)
    table.start()
    while table.peers[1].position.step.kind != "together":
        assert table.peers[0].answer(0, [1]) is None
        table.settle()
    for number in range(4):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {0}
    for entry in (*table.peers[0].feeds.feed(key(table, 0)), *table.told):
        for number in (1, 2, 3, SLEEPER):
            table.peers[number].feed(entry)
    table.settle()
    return table


def test_who_holds_a_history_that_does_not_go_on_asks_at_once_to_go_on_from_where_it_stands() -> None:
    """The others answer that all agree up to there. It could not know that, and by the time it asked once more they
    had left it out."""
    table = one_goes_on()
    late = table.peers[SLEEPER]
    consents = [Consent(peer, LINKED, lambda *_, **__: None) for peer in table.peers[1:]]
    for second in range(4):
        for consent in consents:
            consent.tick(float(second))
            table.settle()
    asked = [pact for pact in late.ballots.pacts.values() if next(iter(late.ballots.proposers[pact.id])) == late.me]
    assert [pact.kind for pact in asked] == ["without", "without"]
    assert late.ballots.refused(asked[0], key(table, 1)) == "pact/too-far-back"
    assert asked[0].at < asked[1].at
    table.play()
    peers = table.peers[1:]
    assert all(peer.position.over and peer.faults.keys() == {key(table, 0)} for peer in peers)
    assert len({peer.position.head for peer in peers}) == 1


def test_who_hears_that_cards_were_shown_in_another_history_asks_for_new_deck_keys() -> None:
    """It could not know that, and asked for the same again each time."""
    table, _ = told_of_both()
    answer(table)
    table.cut_off, late, asked = {CHEAT}, table.peers[SLEEPER], list[Pact]()
    for _ in range(3):
        assert late.part(key(table, CHEAT)) is None
        table.settle()
        asked.append([*late.ballots.pacts.values()][-1])
        refused = table.peers[2].refuse(asked[-1].id, "pact/cards-shown" if len(asked) == 1 else "pact/declined")
        assert refused is None
        table.settle()
    assert [pact.terms[2] for pact in asked if isinstance(pact.terms, list)] == [False, True, True]


def bound_beside_a_silent_one() -> tuple[DirectTable, Pact, Pact]:
    """Two of the first history wait for the word of one that says nothing, to go on without the cheat and the one in
    the other history, which asks to go on without the cheat and the silent one from where the histories part."""
    table, _ = told_of_both()
    answer(table)
    table.cut_off = {0, CHEAT}
    away = vote_on(table, "absent", out(table, CHEAT, SLEEPER), (1, 2))
    assert table.peers[SLEEPER].part(key(table, CHEAT), out(table, 0)) is None
    table.settle()
    return table, away, [*table.peers[SLEEPER].ballots.pacts.values()][-1]


def test_whom_a_vote_binds_goes_on_from_before_it_with_one_in_another_history() -> None:
    """They refused that as a rival of their own vote, which waited for ever."""
    table, away, back = bound_beside_a_silent_one()
    assert back.at < away.at
    for number in (1, 2):
        assert table.peers[number].sign(back.id) is None
    table.settle()
    table.play()
    peers = [table.peers[number] for number in (1, 2, SLEEPER)]
    assert all(peer.position.over for peer in peers)
    assert len({peer.position.head for peer in peers}) == 1


def test_who_has_signed_both_votes_rolls_nothing_before_the_earlier_one_is_decided() -> None:
    """Else who withholds its word on that one could see a roll of the later one first."""
    table, away, back = bound_beside_a_silent_one()
    first = table.peers[1]
    assert first.sign(back.id) is None
    table.cut_off = {2, CHEAT}
    returns(table, 0)
    assert table.peers[0].sign(away.id) is None
    table.settle()
    assert first.ballots.complete(away, first.position.members)
    assert [lock.id for lock in first.voting.locks()] == [back.id]
    assert not [entry for entry in first.feeds.feed(key(table, 1)) if entry.height > away.at]
    returns(table, 2)
    assert table.peers[2].refuse(back.id, "pact/declined") is None
    table.settle()
    assert not first.voting.bound
    table.play()
    assert all(table.peers[number].position.over for number in (0, 1, 2))


@pytest.mark.parametrize(("willing", "times", "left_out"), [((0, 1), 3, {2}), ((0, 1), 2, set()), ((0,), 3, set())])
def test_who_alone_refuses_three_times_to_go_on_without_a_forger_is_left_out_with_it(
    willing: tuple[int, ...], times: int, left_out: set[int]
) -> None:
    table, _ = told_of_both()
    answer(table)
    table.cut_off, late = {CHEAT}, table.peers[SLEEPER]
    for _ in range(times):
        assert late.part(key(table, CHEAT)) is None
        table.settle()
        pact = [*late.ballots.pacts.values()][-1]
        for number in willing:
            assert table.peers[number].sign(pact.id) is None
        assert table.peers[2].refuse(pact.id, "pact/declined") is None
        table.settle()
    assert late.voting.holding_back() == {key(table, number) for number in left_out}


def test_whom_a_vote_binds_at_an_earlier_height_refuses_its_rivals_though_it_has_spoken_later() -> None:
    """All have signed to go on without the cheat, and each two also without one of the others, as if that one were
    silent. Both are bound by that at a height before their own last words, and none of them said that it never signs
    the other one."""
    table, _ = told_of_both()
    answer(table)
    cheat, honest = key(table, CHEAT), (0, 1, 2, SLEEPER)
    both = table.peers[0].proposals.parting(cheat)
    without_one = table.peers[0].proposals.parting(cheat, out(table, 1))
    without_zero = table.peers[1].proposals.parting(cheat, out(table, 0))
    table.cut_off = {*range(5)}
    for number, more in ((0, without_one), (2, without_one), (1, without_zero), (SLEEPER, without_zero)):
        for pact in (both, more):
            assert isinstance(pact, Pact)
            table.peers[number].signing.say("pact", pact.body())
    table.settle()
    for said in (-2, -1):
        for number in honest:
            table.log.append((table.peers[number].feeds.feed(key(table, number))[said], None))
    for number in honest:
        catch_up(table, table.peers[number])
    returns(table, *honest)
    ends_alike_but_faults(table)


def test_who_is_bound_to_go_back_where_others_refuse_that_is_freed_from_it() -> None:
    """Two had signed to go back without a third one who was away, and waited for one in another history who said
    nothing more. The third one had come as far as they had, so it refused to go back (paired 86,000,174)."""
    table = at_together(5)
    mine, other = branches(table)
    for number in range(4):
        table.peers[number].feed(mine[0])
    table.peers[SLEEPER].feed(other[0])
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {CHEAT, SLEEPER}
    for number in (0, 1, 2):
        table.peers[number].feed(other[0])
    table.settle()
    cheat, away, silent = (key(table, number) for number in (CHEAT, 1, SLEEPER))
    assert table.peers[0].part(cheat, [away]) is None
    table.settle()
    (back,) = table.peers[2].votes()
    assert back.pact.at < table.peers[2].position.height
    assert table.peers[2].sign(back.pact.id) is None
    table.settle()
    for _ in range(2):
        assert table.peers[0].part(cheat, [silent]) is None
        table.settle()
    free = [*table.peers[1].ballots.pacts.values()][-1]
    assert (free.kind, free.at, free.over) == ("free", back.pact.at, (back.pact.id,))
    for number in (1, 2):
        assert table.peers[number].sign(free.id) is None
    table.settle()
    assert not any(table.peers[number].voting.bound for number in (0, 1, 2))
    vote_on(table, "absent", [cheat, silent], (0, 1, 2))
    table.play()
    assert len({table.peers[number].position.head for number in (0, 1, 2)}) == 1
    assert all(table.peers[number].position.over for number in (0, 1, 2))
