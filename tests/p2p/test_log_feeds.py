"""Feeds: read strictly in order, complete in the end whatever the order of arrival, and a fork is always proven."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from logkit import TABLE, entry, feed, member

from p2p.log.evidence import contradiction
from p2p.log.feeds import HELD, Added, Feeds, feeds_of
from p2p.wire.entry import NO_PREV, Entry
from seeds.hashing import H

ANN, BOB = member("ann"), member("bob")
FIRST = feed(ANN, 6)
OTHER = feed(ANN, 6, body="another history")


def test_entries_in_order_become_readable_one_by_one() -> None:
    feeds = Feeds(TABLE)
    for one in FIRST:
        assert feeds.add(one) == Added((one,))
    assert list(feeds.feed(ANN.key.public)) == FIRST
    assert feeds.last(ANN.key.public) == FIRST[-1]
    assert feeds.get(FIRST[2].id) == FIRST[2]
    assert feeds.have() == {ANN.key.public: (5, FIRST[5].id)}


@given(st.permutations(range(6)), st.permutations(range(4)), st.randoms(use_true_random=False))
def test_every_order_of_arrival_gives_the_same_feeds(ann: list[int], bob: list[int], random: object) -> None:
    theirs = feed(BOB, 4)
    arrivals = [FIRST[seq] for seq in ann] + [theirs[seq] for seq in bob]
    random.shuffle(arrivals)  # type: ignore[attr-defined]
    feeds = feeds_of(TABLE, [*arrivals, *arrivals])
    assert list(feeds.feed(ANN.key.public)) == FIRST
    assert list(feeds.feed(BOB.key.public)) == theirs
    assert len(feeds.entries) == 10
    assert feeds.forks == {}


def test_an_entry_beyond_a_gap_is_held_until_the_gap_closes() -> None:
    feeds = Feeds(TABLE)
    assert feeds.add(FIRST[2]) == Added()
    assert feeds.add(FIRST[1]) == Added()
    assert feeds.early(ANN.key.public) == [1, 2]
    assert feeds.authors == ()
    assert feeds.add(FIRST[0]) == Added(tuple(FIRST[:3]))
    assert feeds.early(ANN.key.public) == []


def test_what_is_known_or_held_already_changes_nothing() -> None:
    feeds = feeds_of(TABLE, [FIRST[0], FIRST[2]])
    assert feeds.add(FIRST[0]) == Added()
    assert feeds.add(FIRST[2]) == Added()
    assert feeds.entries == [FIRST[0]]


def test_no_more_than_a_window_is_held_and_the_nearest_are_kept() -> None:
    long = feed(BOB, HELD + 4)
    feeds = Feeds(TABLE)
    for one in reversed(long[1:]):
        feeds.add(one)
    assert feeds.early(BOB.key.public) == list(range(1, HELD + 1))
    assert len(feeds.add(long[0]).readable) == HELD + 1
    feeds = feeds_of(TABLE, long[1 : HELD + 1])
    assert feeds.add(long[HELD + 1]) == Added()
    assert feeds.early(BOB.key.public)[-1] == HELD


def test_n77_a_second_entry_for_a_seq_is_proven_kept_and_never_read() -> None:
    feeds = feeds_of(TABLE, FIRST[:3])
    added = feeds.add(OTHER[1])
    assert added.readable == ()
    assert added.fork is not None
    assert (added.fork.first, added.fork.second) == (FIRST[1], OTHER[1])
    assert contradiction(added.fork.first, added.fork.second) == "evidence/seq"
    assert feeds.forks == {ANN.key.public: added.fork}
    assert list(feeds.feed(ANN.key.public)) == FIRST[:3]


def test_walking_back_keeps_the_pair_where_the_histories_part_first() -> None:
    feeds = feeds_of(TABLE, FIRST)
    seqs = [fork.seq for one in reversed(OTHER) if (fork := feeds.add(one).fork) is not None]
    assert seqs == [5, 4, 3, 2, 1, 0]
    assert feeds.forks[ANN.key.public].seq == 0
    assert feeds.add(OTHER[3]).fork is None, "nothing new"


def test_n59_an_entry_that_follows_another_history_proves_the_fork_by_its_prev() -> None:
    feeds = feeds_of(TABLE, FIRST[:3])
    fork = feeds.add(OTHER[3]).fork
    assert fork is not None
    assert contradiction(fork.first, fork.second) == "evidence/chain"
    assert feeds.add(FIRST[3]) == Added((FIRST[3],)), "the branch that came first goes on"


@pytest.mark.parametrize("last", [1, 2, 3])
def test_entries_that_become_readable_just_before_a_fork_are_in_the_log(last: int) -> None:
    """The first entry closes a gap; the one after the held ones follows another history."""
    feeds = feeds_of(TABLE, [*FIRST[1 : last + 1], OTHER[last + 1]])
    assert feeds.entries == []
    added = feeds.add(FIRST[0])
    assert added.fork is not None
    assert added.readable == tuple(FIRST[: last + 1])
    assert feeds.entries == list(feeds.feed(ANN.key.public)) == FIRST[: last + 1]
    assert all(feeds.get(each.id) is each for each in feeds.entries)


def test_entries_before_a_fork_to_a_branch_that_is_sought_stay_in_the_log_as_far_as_both_share_them() -> None:
    shared = feed(ANN, 2)
    one, other = feed_after(shared, 2, "one"), feed_after(shared, 2, "other")
    feeds = feeds_of(TABLE, [shared[1], one[0], other[1], other[0]])
    assert feeds.choose(ANN.key.public, other[1].seq, other[1].id) == Added()
    for each in (shared[0], other[0], other[1]):
        feeds.add(each)
    assert feeds.entries == list(feeds.feed(ANN.key.public)) == [*shared, *other]


def test_of_a_branch_that_is_sought_all_is_kept_and_of_what_is_none_of_it_only_the_last() -> None:
    """Its author sends junk at every place up to the one that is missing."""
    shared = feed(ANN, 1)
    one, other = feed_after(shared, 1, "one"), feed_after(shared, 2 * HELD, "other")
    feeds = feeds_of(TABLE, [*shared, *one])
    feeds.choose(ANN.key.public, other[-1].seq, other[-1].id)
    junk = [entry(ANN, seq=seq, prev=H("junk", seq)) for seq in range(2, 2 + 2 * HELD)]
    for wanted in reversed(other):
        for each in junk:
            feeds.add(each)
        assert len(feeds._others[ANN.key.public]) <= HELD
        feeds.add(wanted)
    assert list(feeds.feed(ANN.key.public)) == [*shared, *other]
    assert not feeds._branches


def feed_after(shared: list[Entry], count: int, body: str) -> list[Entry]:
    """More entries of this member after those."""
    found = list(shared)
    for _ in range(count):
        found.append(entry(ANN, found[-1], body=body))
    return found[len(shared) :]


ANY = -1, NO_PREV


def test_the_other_branches_end_with_their_last_known_entries_also_where_they_part_a_second_time() -> None:
    """A branch of which an earlier entry is missing is none of them yet."""
    other = feed_after(FIRST[:2], 3, "another history")
    deeper = feed_after([*FIRST[:2], *other[:1]], 2, "a third one")
    unknown = feed_after([*FIRST[:2], *deeper], 1, "a fourth one")
    feeds = feeds_of(TABLE, [*FIRST, *other, *deeper[1:], *unknown])
    author = ANN.key.public
    assert feeds.branches(author, ANY) == [(other[-1].seq, other[-1].id)]
    feeds.add(deeper[0])
    ends = [(branch[-1].seq, branch[-1].id) for branch in (other, unknown)]
    assert sorted(feeds.branches(author, ANY)) == sorted(ends)
    held = {
        (FIRST[1].seq, FIRST[1].id): ends,
        (other[0].seq, other[0].id): ends,
        (deeper[0].seq, deeper[0].id): ends[1:],
    }
    for through, expected in held.items():
        assert sorted(feeds.branches(author, through)) == sorted(expected), through
    assert feeds.branches(author, (FIRST[2].seq, FIRST[2].id)) == []
    assert feeds.choose(author, *ends[0]).dropped == tuple(FIRST[2:])
    assert (FIRST[-1].seq, FIRST[-1].id) in feeds.branches(author, ANY)


@pytest.mark.parametrize("also", [False, True], ids=["alone", "beside another early entry"])
def test_a_branch_that_goes_on_beyond_the_end_of_the_feed_is_known_to_its_last_entry(also: bool) -> None:
    """also: an entry of a third history was held for the same seq before."""
    author, other = ANN.key.public, feed_after(FIRST[:2], 3, "another history")
    third = feed_after([*FIRST[:2], *other[:2]], 1, "a third one")
    gap = feed_after([*FIRST[:2], *other], 2, "with a gap")[1:]
    feeds = feeds_of(TABLE, [*FIRST[:3], *(third if also else ()), *other[::-1], *gap])
    end = other[-1].seq, other[-1].id
    assert end in feeds.branches(author, ANY)
    assert feeds.branches(author, end) == [end]
    assert feeds.branch(author, other[-1].id) == [*other]
    assert feeds.choose(author, *end).readable == tuple(other)


def test_early_entries_of_the_feed_itself_are_no_other_branch() -> None:
    feeds = feeds_of(TABLE, FIRST[:2])
    feeds.add(FIRST[2], lambda _spent: False)
    feeds.add(FIRST[3])
    assert feeds.branches(ANN.key.public, ANY) == []


def test_what_was_taken_of_a_branch_is_no_other_branch_any_more() -> None:
    """Where the feed had gone on, what had been taken was a branch that ended before: its author's last words were lost
    (doubletalk 86,000,079)."""
    author, other = ANN.key.public, feed_after(FIRST[:2], 3, "another history")
    feeds = feeds_of(TABLE, [*FIRST, *other[:2]])
    feeds.choose(author, other[1].seq, other[1].id)
    feeds.add(other[2])
    assert feeds.branches(author, ANY) == [(FIRST[-1].seq, FIRST[-1].id)]


def test_the_gaps_of_other_branches_are_what_is_missing_between_them_and_the_feed() -> None:
    author, other = ANN.key.public, feed_after(FIRST[:2], 5, "another history")
    feeds = feeds_of(TABLE, [*FIRST, other[1], other[4]])
    assert feeds.gaps(author) == [other[0].seq, other[3].seq]
    for each in (other[0], other[2], other[3]):
        feeds.add(each)
    assert feeds.gaps(author) == []


def test_a_branch_that_was_left_shows_its_heights_and_can_be_taken_again() -> None:
    """Its first entry alone did not show that others had gone on by it."""
    author, other = ANN.key.public, feed_after(FIRST[:2], 1, "another history")
    feeds = feeds_of(TABLE, [*FIRST, *other])
    feeds.choose(author, other[0].seq, other[0].id)
    assert {*FIRST[2:]} <= {*feeds.beside(author)}
    assert feeds.choose(author, FIRST[-1].seq, FIRST[-1].id).readable == tuple(FIRST[2:])


@pytest.mark.parametrize("length", [1, HELD // 2, 3 * HELD])
def test_of_other_branches_never_more_is_held_than_of_early_entries(length: int) -> None:
    shared, author = FIRST[:1], ANN.key.public
    branches = [feed_after(shared, length, f"history {number}") for number in range(4)]
    feeds = feeds_of(TABLE, [*shared, *branches[0]])
    for before, branch in pairwise(branches):
        feeds.add(branch[0])
        feeds.choose(author, branch[0].seq, branch[0].id)
        for each in branch[1:]:
            feeds.add(each)
        assert list(feeds.feed(author)) == [*shared, *branch]
        assert len(feeds.beside(author)) <= HELD
        assert {*before[: HELD // 2]} <= {*feeds.beside(author)}


@pytest.mark.parametrize("ends", ["leave", "answer"])
def test_another_branch_is_taken_as_far_as_it_is_shown_though_the_feed_has_ended(ends: str) -> None:
    """Only its first entry was, where the branch that is held ends with a `leave`, so that it never showed that others
    had gone on by it."""
    author, other = ANN.key.public, feed_after(FIRST[:2], 4, "another history")
    feeds = feeds_of(TABLE, [*FIRST[:2], entry(ANN, FIRST[1], kind=ends), *other])
    assert feeds.ended(author) is (ends == "leave")
    assert feeds.branch(author, other[-1].id) == other
    assert all(feeds.shows(author, each.id) for each in (*FIRST[:2], *other))


def test_beside_a_feed_that_has_ended_nothing_is_taken_that_follows_no_known_branch() -> None:
    """Its author could say more there for ever."""
    author, other = ANN.key.public, feed_after(FIRST[:2], 4, "another history")
    feeds = feeds_of(TABLE, [*FIRST[:2], entry(ANN, FIRST[1], kind="leave"), other[0], *other[2:]])
    assert not any(feeds.shows(author, each.id) for each in other[2:])
    assert feeds.add(entry(ANN, feeds.feed(author)[-1])) == Added()


def test_of_a_longer_branch_than_can_be_held_the_beginning_stays_whatever_else_its_author_shows() -> None:
    """Each entry more drove out the first one, without which none of the rest could be taken."""
    author, other = ANN.key.public, feed_after(FIRST[:2], 2 * HELD, "another history")
    junk = [entry(ANN, seq=1 + number % 5, prev=H("junk", number)) for number in range(HELD)]
    feeds = feeds_of(TABLE, [*FIRST[:2], entry(ANN, FIRST[1], kind="leave"), *junk])
    for each in other:
        assert feeds.longer(author) is (each.seq >= other[HELD].seq)
        feeds.add(each)
    assert feeds.branch(author, other[HELD - 1].id) == other[:HELD]
    assert len(feeds.beside(author)) == HELD
    assert feeds.choose(author, other[HELD - 1].seq, other[HELD - 1].id).readable == tuple(other[:HELD])


def test_a_fork_among_held_entries_is_proven_too() -> None:
    feeds = feeds_of(TABLE, [FIRST[4]])
    fork = feeds.add(OTHER[4]).fork
    assert fork is not None
    assert contradiction(fork.first, fork.second) == "evidence/seq"
    feeds = feeds_of(TABLE, [FIRST[0], OTHER[2]])
    added = feeds.add(FIRST[1])
    assert added.readable == (FIRST[1],)
    assert added.fork is not None
    assert contradiction(added.fork.first, added.fork.second) == "evidence/chain"
    assert feeds.add(FIRST[2]) == Added((FIRST[2],))


@given(st.lists(st.sampled_from([*FIRST, *OTHER]), min_size=1, max_size=24))
def test_whatever_arrives_a_feed_is_one_chain_and_a_kept_pair_contradicts_itself(arrivals: list[object]) -> None:
    feeds = Feeds(TABLE)
    for one in arrivals:
        feeds.add(one)  # type: ignore[arg-type]
    read = feeds.feed(ANN.key.public)
    assert [one.seq for one in read] == list(range(len(read)))
    assert all(later.prev == earlier.id for earlier, later in pairwise(read))
    assert all(contradiction(pair.first, pair.second) for pair in feeds.forks.values())
    assert list(read) in (FIRST[: len(read)], OTHER[: len(read)])


def test_an_entry_of_another_table_does_not_belong_here() -> None:
    with pytest.raises(ValueError, match="another table"):
        Feeds(TABLE).add(entry(ANN, table=H("test", "other table")))


def test_n78_the_same_words_signed_twice_are_no_fork() -> None:
    assert contradiction(FIRST[0], FIRST[0]) is None
    assert feeds_of(TABLE, [FIRST[0], FIRST[0]]).forks == {}
