"""Votes of a member that signs two histories, shown to some of the others alone: all go on without it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import count, islice

import pytest
from test_pact_freezes import Linked, at_together, key, out, returns

from p2p.lockstep.consent import SILENT, Consent
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.pacts import Pact
from p2p.lockstep.signing import maker
from p2p.testing.tables import DirectTable
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry

CHEAT = 3
MOST = int(2.5 * SILENT)
"""Seconds in which programs agree to go on."""


def said(table: DirectTable, kind: str, body: Plain, before: Entry | None = None) -> Entry:
    """Return the next entry of the cheat, or the one after `before`."""
    position = table.peers[0].position
    seq, last = table.peers[0].feeds.end(key(table, CHEAT)) if before is None else (before.seq, before.id)
    return maker(table.keys[CHEAT].key)(
        table=table.genesis.table, seq=seq + 1, prev=last, epoch=position.epoch, height=position.height,
        head=position.head, state=position.state, kind=kind, body=body,
    )  # fmt: skip


def show(table: DirectTable, entry: Entry, *numbers: int) -> None:
    for number in numbers:
        table.peers[number].feed(entry)
    table.settle()


def absent(table: DirectTable, *numbers: int, attempt: int = 0) -> Pact:
    """Return a vote to go on without these members."""
    first = table.peers[0]
    ends = tuple(first.voting.end(each) for each in out(table, *numbers))
    return Pact("absent", first.position.height, first.position.head, ends, None, attempt)


def votes(table: DirectTable, peers: Sequence[Lockstep], away: Sequence[bytes]) -> Callable[[int], None]:
    """Return a step that lets the programs of these members vote for so many seconds. away: who is out of reach."""
    voices = [Consent(peer, Linked(away), lambda *_, **__: None) for peer in peers]
    seconds = count()

    def run(most: int) -> None:
        known = 0
        for second in islice(seconds, most):
            for voice in voices:
                voice.tick(float(second))
                said = sum(len(peer.feeds.entries) for peer in peers)
                if said != known:
                    known = said
                    table.settle()

    return run


def end_alike(table: DirectTable, honest: Sequence[Lockstep]) -> bool:
    """Play on. True if all of these come to one end, and convict nobody but the cheat."""
    table.play()
    convicted = {who for peer in honest for who in peer.faults}
    heads = {peer.position.head for peer in honest if peer.position.over}
    return all(peer.position.over for peer in honest) and len(heads) == 1 and convicted <= {key(table, CHEAT)}


def shown_to_one() -> tuple[DirectTable, Pact, list[Entry]]:
    """Of five one is away. The cheat proposes to go on without it, and shows that to one of the others alone, who signs
    it. The rest get a word of the cheat in its place, and hear of both histories."""
    table = at_together(5, "1m")
    table.cut_off = {CHEAT, 4}
    pact = absent(table, 4, attempt=1)
    both = [said(table, "pact", pact.body()), said(table, "clock", [bytes(32)])]
    show(table, both[0], 0)
    show(table, both[1], 1, 2)
    assert table.peers[0].sign(pact.id) is None
    table.settle()
    assert all(pact.id not in peer.ballots.pacts for peer in table.peers[1:3])
    return table, pact, both


def test_who_has_signed_what_others_never_get_proposes_it_too() -> None:
    """It was bound by a vote on which nobody else could say a word."""
    table, pact, both = shown_to_one()
    for entry in both:
        show(table, entry, 0, 1, 2)
    proposers = [[*peer.ballots.proposers[pact.id]] for peer in table.peers[1:3]]
    assert proposers == [[key(table, 0)]] * 2
    assert not table.peers[1].ballots.unshown
    table.settle()
    assert sum(entry.kind == "pact" for entry in table.peers[0].feeds.feed(key(table, 0))) == 1
    votes(table, table.peers[:3], out(table, CHEAT, 4))(MOST)
    assert end_alike(table, table.peers[:3])


def unknown_over() -> tuple[DirectTable, Pact, list[Entry]]:
    """The same, but the cheat proposes to go on without that one, whose own vote to go on without the cheat is over
    that."""
    table = at_together(5, "1m")
    table.cut_off = {CHEAT, 4}
    theirs = absent(table, 0, 4)
    both = [said(table, "pact", theirs.body()), said(table, "clock", [bytes(32)])]
    show(table, both[0], 0)
    show(table, both[1], 1, 2)
    assert table.peers[0].propose("absent", out(table, CHEAT, 4)) is None
    table.settle()
    mine = [*table.peers[0].ballots.pacts.values()][-1]
    assert mine.over == (theirs.id,)
    return table, mine, both


def test_a_vote_over_what_others_never_get_is_refused_and_proposed_without_that() -> None:
    """Who had proposed it was bound by it for ever, since nobody else could judge it."""
    table, mine, both = unknown_over()
    for entry in both:
        show(table, entry, 0, 1, 2)
    assert table.peers[1].ballots.refused(mine, key(table, 1)) == "pact/others-missing"
    votes(table, table.peers[:3], out(table, CHEAT, 4))(MOST)
    assert end_alike(table, table.peers[:3])


def test_a_vote_that_the_cheat_completes_for_some_alone_holds_nobody_up() -> None:
    """Of four, one is away at a roll, and left out for those who hold the cheat's word on that. Another one does not
    hold it, and waits for that word until it hears of both histories. Neither says anything for the roll by then, and
    each took the other for silent."""
    table = at_together(4, "1m")
    assert table.peers[2].answer(2, [1]) is None
    table.settle()
    table.cut_off = {2}
    for number in (0, 1, CHEAT):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {2, CHEAT}
    away = out(table, 2)
    run = votes(table, table.peers[:3], away)
    run(20)
    (pact,) = table.peers[0].ballots.pacts.values()
    assert table.peers[0].voting.awaited() == table.peers[1].voting.awaited() == {key(table, CHEAT)}
    both = [said(table, "sign", [pact.id]), said(table, "clock", [bytes(32)])]
    show(table, both[0], 1, 2)
    show(table, both[1], 0)
    run(int(SILENT) + 10)
    away.clear()
    returns(table, 2)
    assert [peer.voting.bound for peer in table.peers[:3]] == [True, False, False]
    for entry in both:
        show(table, entry, 0, 1, 2)
    assert not table.peers[0].voting.bound
    assert table.peers[2].voting.left_out
    run(MOST)
    assert end_alike(table, table.peers[:3])


def decided_for_some(members: int, signers: Sequence[int], told: Sequence[int]) -> tuple[DirectTable, list[Entry]]:
    """Some have answered, and the cheat. They sign to go on without the rest, and the cheat signs that for those who
    are told, who go on. All others get another word of the cheat."""
    table, rest = at_together(members, "1m"), {*range(members)} - {CHEAT, *signers}
    for number in (*signers, CHEAT):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {CHEAT, *rest}
    pact = absent(table, *rest)
    for number in signers:
        table.peers[number].signing.say("pact", pact.body())
        table.peers[number].advance()
    table.settle()
    both = [said(table, "sign", [pact.id]), said(table, "clock", [bytes(32)])]
    show(table, both[0], *told)
    show(table, both[1], *{*range(members)} - {CHEAT, *told})
    assert [table.peers[number].position.height - pact.at for number in signers] == [
        number in told for number in signers
    ]
    return table, both


def test_who_has_signed_what_the_cheat_decides_for_others_goes_on_with_them() -> None:
    table, both = decided_for_some(5, (0, 1, 2), (1, 2))
    height = table.peers[1].position.height
    show(table, both[0], 0)
    assert table.peers[0].position.height >= height
    votes(table, table.peers[:3], out(table, CHEAT, 4))(MOST)
    assert end_alike(table, table.peers[:3])


@pytest.mark.parametrize(("members", "signers"), [(5, (0, 1, 2)), (4, (0, 1))])
def test_who_was_left_out_by_a_word_that_the_cheat_has_shown_to_others_alone_gets_the_end(
    members: int, signers: Sequence[int]
) -> None:
    (late,) = {*range(members)} - {CHEAT, *signers}
    table, both = decided_for_some(members, signers, signers[1:])
    honest = [table.peers[number] for number in signers]
    show(table, both[0], 0)
    votes(table, honest, out(table, CHEAT, late))(MOST)
    table.play()
    table.cut_off = {CHEAT}
    for entry, attachment in (*table.log, (both[0], None)):
        table.peers[late].feed(entry, attachment)
    table.settle()
    assert end_alike(table, [*honest, table.peers[late]])


def test_where_too_few_hold_the_word_of_the_cheat_all_go_on_from_that_vote_without_it() -> None:
    """Of five, one had gone on without two, and nobody else could follow it."""
    table, both = decided_for_some(5, (0, 1), (1,))
    table.cut_off = {CHEAT}
    returns(table, 2, 4)
    honest = [*table.peers[:3], table.peers[4]]
    for entry in both:
        show(table, entry, 0, 1, 2, 4)
    votes(table, honest, out(table, CHEAT))(MOST)
    assert end_alike(table, honest)


def bound_alone(*, gone_on: Sequence[int]) -> tuple[DirectTable, Pact, Entry]:
    """Of four, the second proposes to go on without the first. The cheat signs that for it alone and refuses it for the
    others. The first comes back, and these go on."""
    table = at_together(4)
    for number in (1, 2, CHEAT):
        assert table.peers[number].answer(number, [1]) is None
    table.settle()
    table.cut_off = {0, CHEAT}
    assert table.peers[1].propose("absent", out(table, 0)) is None
    table.settle()
    (bound,) = table.peers[1].voting.locks()
    both = [said(table, "sign", [bound.id]), said(table, "refuse", [bound.id, "no", []])]
    table.cut_off = {1, CHEAT}
    table.peers[0].feed(table.log_of("pact")[-1])
    show(table, both[1], 0, 2)
    table.peers[1].feed(both[0])
    assert table.peers[0].answer(0, [1]) is None
    table.settle()
    for number in gone_on:
        for entry in table.peers[number].feeds.feed(key(table, number)):
            table.peers[1].feed(entry)
    return table, bound, both[1]


def test_a_vote_binds_nobody_any_more_once_all_but_a_forger_have_gone_on_without_whose_word_it_needs() -> None:
    """On the branch of the one that it bound the forger had signed it (doubletalk 98,000,033)."""
    table, bound, refusal = bound_alone(gone_on=(0, 2))
    first, second = table.peers[:2]
    assert first.position.height > bound.at
    assert second.voting.locks() == [bound], "nobody is known for a forger"
    second.feed(refusal)
    assert second.feeds.forks.keys() == {*out(table, CHEAT)}
    assert not second.voting.locks()
    table.cut_off = {CHEAT}
    table.settle()
    assert second.position.height > bound.at


@pytest.mark.parametrize("gone_on", [(0,), (2,)])
def test_it_binds_while_one_who_may_sign_in_time_has_not_gone_on(gone_on: tuple[int]) -> None:
    """The first could still leave out the one whose word is missing, so that its late signature counts."""
    table, bound, refusal = bound_alone(gone_on=gone_on)
    second = table.peers[1]
    second.feed(refusal)
    assert second.voting.locks() == [bound]
