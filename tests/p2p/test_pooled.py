"""With all other members' data together no card, kept choice or unopened seed of a member can be computed before its
opening, and no fewer than t members open a short choice or lift the lock of a roll."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from volume import gated

from p2p.lockstep.machine import HandleRef, Pending
from p2p.testing.hostile_silence import reticent
from p2p.testing.machine import HIGHEST, TestMachine
from p2p.testing.pooled import Pool, find_out, private_cards
from p2p.testing.tables import DirectTable, member
from seeds.deckkeys import deck_secret
from seeds.group import mul, sub, total

GUESSES = range(HIGHEST + 1)


class Keeping(TestMachine):
    """Its bids are kept choices."""

    def pending(self) -> Pending | None:
        wait = super().pending()
        if wait is None or wait.kind != "seal":
            return wait
        return Pending("seal", wait.seats, handles=wait.handles, seats_all=wait.seats_all, keep=True)


def table(members: int, *, until: str = "", machine: type[TestMachine] = TestMachine, rounds: int = 2) -> DirectTable:
    """A sealed table. until: the kind of entry that nobody says, so that it stands where that is owed."""
    fresh = machine(members, rounds)
    made = DirectTable([[seat] for seat in range(members)], 5, machine=fresh, options={"draws": "sealed"})
    made.peers = [member(made.genesis, keys, fresh.clone(), kind=reticent(until)) for keys in made.keys]
    made.start()
    return made


def hand(table: DirectTable, seat: int) -> list[HandleRef]:
    """The card in a seat's hand, if the leader has not peeked at it and it is not being opened."""
    machine = table.peers[0].machine
    assert isinstance(machine, TestMachine)
    s, step = machine.state, machine.step_name()
    peeked = s["at"] > s["seats"] + 1 and seat == (s["round"] + 1) % s["seats"]
    if step in ("", "mix", "open") or peeked or seat >= len(s["hands"]):
        return []
    return [("bag", s["hands"][seat])]


def whole(table: DirectTable, victim: int) -> Counter[str]:
    """How many secrets of the victim stayed secret, at every answer of a game."""
    counted = Counter[str]()
    while True:
        hidden, found = find_out(table.peers, table.keys, victim, hand(table, victim), GUESSES)
        assert found == []
        counted += hidden
        if not table.step():
            return counted


@pytest.mark.parametrize(("members", "victim"), [(2, 1), (3, 2), (4, 0)])
def test_n79_the_others_pooled_find_no_card_and_no_seed_of_a_member_at_any_point(members: int, victim: int) -> None:
    counted = whole(table(members), victim)
    assert counted["card of bag"] >= 2
    assert counted["seed"] >= 5


@pytest.mark.parametrize("members", [2, 3, 4])
def test_n79_the_others_pooled_do_not_read_a_kept_choice(members: int) -> None:
    for victim in range(members):
        counted = whole(table(members, until="reveal", machine=Keeping, rounds=1), victim)
        assert counted["kept choice"] == 1


@pytest.mark.parametrize("members", gated([3, 4, 5], 2))
def test_fewer_than_t_members_open_no_short_choice(members: int) -> None:
    stands = table(members, until="reveal", rounds=1)
    counted = whole(stands, members - 1)
    assert counted["short choice"] == 1


@pytest.mark.parametrize("members", gated([3, 6, 4, 5], 2))
def test_fewer_than_t_members_do_not_know_what_lifts_the_lock_and_any_t_do(members: int) -> None:
    stands = table(members, until="open", rounds=1)
    stands.play()
    assert stands.peers[0].position.step.kind == "roll"
    truth = Pool(stands.peers, stands.keys).gamma()
    assert truth is not None
    t = members // 2 + 1
    for numbers in combinations(range(members), t):
        assert truth in some(stands, numbers).gammas()
    for numbers in combinations(range(members), t - 1):
        assert truth not in some(stands, numbers).gammas()


def some(table: DirectTable, numbers: tuple[int, ...]) -> Pool:
    return Pool([table.peers[number] for number in numbers], [table.keys[number] for number in numbers])


def test_n70_a_card_that_was_shown_and_then_dealt_stays_hidden_from_who_did_not_see_it() -> None:
    """Peek, then deal: the leader has seen its neighbour's card, the third member and the rest of the data have not."""
    stands = table(3, until="open", rounds=1)
    stands.play()
    peers, keys, decks = stands.peers, stands.keys, stands.peers[0].position.chance.decks
    assert decks is not None
    shown = next(handle for handle, card in decks.lying.items() if len(card.pairs) == 3)
    assert [pair.reader for pair in decks.lying[shown].pairs] == [None, keys[1].key.public, keys[0].key.public]
    assert some(stands, (2,)).card(shown) is None
    assert some(stands, (0,)).card(shown) == some(stands, (1,)).card(shown) == Pool(peers, keys).card(shown)
    hidden = [handle for handle, card in decks.lying.items() if not any(pair.reader for pair in card.pairs)]
    for handle in hidden:
        assert all(some(stands, numbers).card(handle) is None for numbers in ((0, 1), (0, 2), (1, 2)))


def test_trying_all_cards_decides_nothing() -> None:
    """For every card of the deck there is a share of the victim that would make it that card; only a proof under the
    victim's key could tell which, and neither share nor proof stands anywhere."""
    stands, victim = table(3, until="open", rounds=1), 2
    stands.play()
    me, pool, decks = stands.keys[victim].key.public, some(stands, (0, 1)), stands.peers[0].position.chance.decks
    assert decks is not None
    (handle,) = private_cards(stands.peers[0], me)
    _, pair = decks.lying[handle].pairs
    assert set(pair.shares) == {stands.keys[0].key.public, stands.keys[1].key.public}
    left = sub(pair.sealed[1], total(pair.shares.values()))
    wanted = {sub(left, point) for point in decks.points}
    assert len(wanted) == len(decks.points) == 6
    assert mul(deck_secret(stands.keys[victim].secret, pool.table, 0), pair.sealed[0]) in wanted
    assert not [share for share in wanted if pool.holds(share)]


def test_open_draws_hide_no_card_and_the_log_says_so() -> None:
    made = DirectTable([[0], [1]], 5, options={"draws": "open"})
    made.start()
    made.play()
    verdict = made.peers[0].position.chance
    assert verdict.looks
    assert all(card is not None for look in verdict.looks for _, card in look.cards)
