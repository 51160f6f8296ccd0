"""A member that holds the other branch of a forked feed reads the branch that the others have decided on, and gets the
end."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from test_pact_freezes import at_together, key, out, returns, vote_on

from p2p.lockstep.consent import Consent
from p2p.lockstep.effects import Keep
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.lockstep.signing import maker
from p2p.lockstep.unreachable import MOST
from p2p.log.feeds import Feeds
from p2p.sync.exchange import Exchange
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.entry import Entry

CHEAT, SLEEPER = 3, 4
LINKED = SimpleNamespace(linked=lambda key: True, reached=lambda key: True)


def branches(table: DirectTable, length: int = 1, values: Sequence[int] = (1, 2)) -> list[list[Entry]]:
    """Answers of the cheat to one question, each followed by votes."""
    position, feeds = table.peers[CHEAT].position, table.peers[CHEAT].feeds
    make, found = maker(table.keys[CHEAT].key), []
    for value in values:
        seq, last = feeds.end(key(table, CHEAT))
        branch: list[Entry] = []
        for number in range(length):
            kind, body = ("answer", [CHEAT, [value]]) if number == 0 else ("clock", [bytes([value]) * 32])
            fields: dict[str, Any] = {"kind": kind, "body": body, "seq": seq + 1 + number, "prev": last}
            fields |= {"height": position.height, "head": position.head, "state": position.state, "epoch": 0}
            branch.append(make(table=table.genesis.table, **fields))
            last = branch[-1].id
        found.append(branch)
    return found


def decided(length: int, beside: int = 0) -> tuple[DirectTable, list[Entry], list[Entry]]:
    """The others have left out the cheat and the sleeper, without knowing of the branch that the sleeper holds, so that
    the cheat's answer to them counts. beside: the length of that branch, 0 for the same."""
    table = at_together(5)
    mine, other = branches(table, length)
    del other[beside or length :]
    table.cut_off = {CHEAT, SLEEPER}
    for number in (0, 1, 2):
        for entry in mine:
            table.peers[number].feed(entry)
    for entry in other:
        table.peers[SLEEPER].feed(entry)
    table.settle()
    first = table.peers[0]
    ends = [
        FeedEnd(key(table, CHEAT), mine[-1].seq, mine[-1].id),
        FeedEnd(key(table, SLEEPER), *first.feeds.end(key(table, 4))),
    ]
    pact = Pact("absent", first.position.height, first.position.head, tuple(sorted(ends)), None)
    for number in (0, 1, 2):
        table.peers[number].signing.say("pact", pact.body())
        table.peers[number].advance()
        table.settle()
    for number in (0, 1, 2):
        table.peers[number].answer(number, [1])
    table.settle()
    assert first.position.height > pact.at
    table.play()
    return table, mine, other


def catch_up(table: DirectTable, late: Lockstep) -> None:
    for entry, attachment in table.log:
        late.feed(entry, attachment)
        late.settled()


def test_who_holds_the_other_branch_reads_the_one_that_counts_and_gets_the_end() -> None:
    table, mine, _ = decided(1)
    late = table.peers[SLEEPER]
    catch_up(table, late)
    assert late.position.height < table.peers[0].position.height
    late.feed(mine[0])
    catch_up(table, late)
    assert late.position.over
    assert late.position.head == table.peers[0].position.head
    assert late.faults.keys() == {key(table, CHEAT)}


@pytest.mark.parametrize("beside", [1, 2, 3])
def test_it_finds_a_longer_branch_in_any_order_and_again_after_a_restart(beside: int) -> None:
    table, mine, _ = decided(3, beside)
    late = table.peers[SLEEPER]
    for entry in mine[::-1]:
        late.feed(entry)
    catch_up(table, late)
    assert late.position.over
    again = member(table.genesis, table.keys[SLEEPER], TestMachine(5, 2))
    again.restore([(entry, None) for entry in late.feeds.entries])
    assert again.position.head == late.position.head == table.peers[0].position.head


def synced(table: DirectTable, *numbers: int, seconds: int = 100) -> None:
    """Let two members exchange what they hold over a link, for so many seconds."""
    ends = [Exchange(table.peers[number]) for number in numbers]
    for end, number in zip(ends, reversed(numbers), strict=True):
        end.opened("a link", table.genesis.members[number].certificate.identity)
    for second in range(seconds):
        for end, there in (ends, ends[::-1]):
            end.tick(float(second))
            for _, message in end.outgoing():
                there.received("a link", message, float(second))
                for number in numbers:
                    table.seen[number] += table.peers[number].settled()


@pytest.mark.parametrize(("length", "beside"), [(2, 2), (2, 1), (3, 1), (5, 4), (100, 1), (100, 100)])
def test_sync_asks_for_the_branch_that_counts_however_long_it_is(length: int, beside: int) -> None:
    table, _, other_branch = decided(length, beside)
    late, other = table.peers[SLEEPER], table.peers[0]
    catch_up(table, late)
    assert late.feeds.last(key(table, CHEAT)) == other_branch[-1]
    assert late.position.height < other.position.height
    synced(table, SLEEPER, 0)
    assert not late.feeds.sought
    assert late.position.head == other.position.head


def test_a_vote_on_a_known_forger_ends_its_feed_before_the_histories_part() -> None:
    table = at_together(5)
    mine, other = branches(table)
    for number in (0, 1, 2):
        for entry in (*mine, *other):
            table.peers[number].feed(entry)
    for entry in (*other, *mine):
        table.peers[SLEEPER].feed(entry)
    table.cut_off = {CHEAT}
    table.settle()
    pact = vote_on(table, "absent", out(table, CHEAT), (0, 1, 2, SLEEPER))
    assert pact.out[0].seq == mine[0].seq - 1
    ends_alike_but_faults(table)


def ends_alike_but_faults(table: DirectTable) -> None:
    table.play()
    peers = [table.peers[number] for number in (0, 1, 2, SLEEPER)]
    assert all(peer.position.over for peer in peers)
    assert len({peer.position.head for peer in peers}) == 1


def test_no_minority_chooses_a_branch() -> None:
    """A pact that too few have signed makes nobody read another branch."""
    table = at_together(5)
    mine, other = branches(table)
    late = table.peers[SLEEPER]
    for entry in (*other, *mine):
        late.feed(entry)
    place = late.position.height, late.position.head
    pact = Pact("absent", *place, (FeedEnd(key(table, CHEAT), mine[0].seq, mine[0].id),), None)
    for number in (0, 1):
        table.peers[number].signing.say("pact", pact.body())
    table.settle()
    assert late.feeds.last(key(table, CHEAT)) == other[0]
    assert not late.feeds.sought


def elsewhere(table: DirectTable, number: int) -> set[int]:
    """The members of which this one knows that they hold another branch."""
    voting = table.peers[number].voting
    return {other for other in range(5) if voting.on_another_branch(key(table, other))}


def told_of_both() -> tuple[DirectTable, list[Entry]]:
    """A table where all know both histories of the cheat, of which the sleeper holds the second one: that one."""
    table = at_together(5)
    mine, other = branches(table)
    for number in range(5):
        for entry in (*other, *mine) if number == SLEEPER else (*mine, *other):
            table.peers[number].feed(entry)
    table.settle()
    return table, other


def answer(table: DirectTable) -> None:
    """Let all but the cheat answer, each in its own history."""
    for number in (0, 1, 2, SLEEPER):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()


def test_who_answers_in_another_history_shows_that_it_holds_another_branch() -> None:
    table, _ = told_of_both()
    assert not any(elsewhere(table, number) for number in range(5)), "so far nobody has shown a history"
    answer(table)
    for number in (0, 1, 2, SLEEPER):
        table.peers[number].clock(key(table, CHEAT))
    table.settle()
    assert elsewhere(table, 0) - {CHEAT} == elsewhere(table, 1) - {CHEAT} == {SLEEPER}
    assert elsewhere(table, SLEEPER) - {CHEAT} == {0, 1, 2}


def test_who_says_no_word_on_going_on_from_an_earlier_height_is_silent() -> None:
    """It owed nothing that it could send, and nobody missed its word, which was asked for at a height before."""
    table, _ = told_of_both()
    answer(table)
    first = table.peers[0]
    assert first.part(key(table, CHEAT)) is None
    table.settle()
    (pact,) = first.voting.locks()
    assert pact.at < first.position.height
    assert {(key(table, number), pact.id) for number in (1, 2, SLEEPER)} == {*first.voting.wordless()}
    for number in (1, 2):
        assert table.peers[number].sign(pact.id) is None
    table.settle()
    assert first.voting.wordless() == [(key(table, SLEEPER), pact.id)]


def test_who_refuses_an_end_that_it_cannot_read_shows_that_it_holds_another_branch() -> None:
    table = at_together(5)
    mine, other = branches(table)
    for number in (0, 1, 2):
        for entry in mine:
            table.peers[number].feed(entry)
    first, late = table.peers[0], table.peers[SLEEPER]
    for entry in (*other, *mine):
        late.feed(entry)
    end = FeedEnd(key(table, CHEAT), mine[-1].seq, mine[-1].id)
    first.signing.say("pact", Pact("absent", first.position.height, first.position.head, (end,), None).body())
    table.settle()
    assert elsewhere(table, 0) == set()
    for entry in other:
        first.feed(entry)
    table.settle()
    assert elsewhere(table, 0) - {CHEAT} == {SLEEPER}


def test_a_chosen_branch_takes_the_place_of_the_first_one() -> None:
    table = at_together(5)
    mine, other = branches(table, 3)
    feeds = Feeds(table.genesis.table)
    for entry in (*table.peers[0].feeds.feed(key(table, CHEAT)), *other):
        feeds.add(entry)
    for entry in mine[:2]:
        assert not feeds.add(entry).readable
    assert not feeds.choose(key(table, CHEAT), mine[2].seq, mine[2].id).readable
    assert feeds.sought == {key(table, CHEAT): (mine[2].seq, mine[2].id)}
    added = feeds.add(mine[2])
    assert (list(added.readable), list(added.dropped)) == (mine, other)
    assert list(feeds.feed(key(table, CHEAT)))[-3:] == mine
    assert not {entry.id for entry in other} & {entry.id for entry in feeds.entries}
    assert feeds.get(other[0].id) is None
    assert not feeds.sought


def test_a_flood_of_votes_for_later_heights_makes_nobody_refuse_more_than_a_few() -> None:
    """One without a fork votes at places where nobody is, and each time says that it is there."""
    table, other = told_of_both()
    answer(table)
    make, first = maker(table.keys[2].key), table.peers[0]
    end = FeedEnd(key(table, 1), *first.feeds.end(key(table, 1)))
    assert first.voting.parted(key(table, CHEAT))
    for beyond in range(100):
        position, (seq, prev) = first.position, first.feeds.end(key(table, 2))
        ends = (FeedEnd(key(table, CHEAT), other[0].seq, other[0].id),) if beyond % 2 else (end,)
        pact = Pact("absent", position.height + 1 + beyond, bytes([beyond]) * 32, ends, None)
        said = make(
            table=table.genesis.table, seq=seq + 1, prev=prev, epoch=0, height=pact.at, head=pact.head,
            state=position.state, kind="pact", body=pact.body(),
        )  # fmt: skip
        for number in range(5):
            table.peers[number].feed(said)
        table.settle()
    for number in (0, 1, SLEEPER):
        refused = [entry for entry in first.feeds.feed(key(table, number)) if entry.kind == "refuse"]
        assert len(refused) <= MOST


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
