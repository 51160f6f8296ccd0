"""All judges agree where members change: on keys that move, heights that votes have ended, and ends."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import movedtables
import pytest
import test_end_undecided
import test_pact_freezes
from agreement import NODE, Game, hints_of, judged_by_all, packed, repacked
from judges import disagreements, end_there, game_of
from resigned import FIELDS
from sealedgame import Sealed
from test_ends import played as ended
from test_which_end_stands import excluding, foresigned, hidden, played_on, praised, undoing, voted_anew
from volume import gated

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.genesis import Member, Row
from p2p.lockstep.pacts import FeedEnd, Pact
from p2p.log.starfile import pack_star, read_star
from p2p.testing.hostile_votes import Holding, Unbound
from p2p.testing.machine import Brief, TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.codec import encode
from p2p.wire.entry import Entry, make_entry

pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node on this machine")


@pytest.mark.parametrize("kind", gated(["another secret", "the same secret", "together", "seal"], 1))
def test_all_judge_a_table_where_a_member_has_moved_to_another_key_alike(kind: str, tmp_path: Path) -> None:
    if kind.endswith("secret"):
        made, kept = movedtables.with_a_hand(), kind == "the same secret"
        secret = made.keys[movedtables.OLD].secret if kept else movedtables.NEW.secret
        movedtables.move(made, TableKeys(movedtables.NEW.key, secret), kept=kept)
    else:
        made = movedtables.table(kind)
        movedtables.move(made)
    made.play()
    found = judged_by_all([game_of(made.peers[0], made.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert found[0].ours is None


def let_back_twice(greater_first: bool) -> DirectTable:
    """A table that lets one member back by two votes at one position, of which the one with the greater seq has the
    lower id, or the other one."""
    table = test_pact_freezes.at_together(3)
    table.cut_off = {2}
    test_pact_freezes.vote_on(table, "absent", test_pact_freezes.out(table, 2), (0, 1))
    while len(table.peers[0].position.members) > 2 or table.peers[0].position.step.kind != "choose":
        assert table.step()
    test_pact_freezes.returns(table, 2)
    (first, second, late), key = table.peers, test_pact_freezes.key(table, 2)
    seq, height, head = len(late.feeds.feed(key)), late.position.height, late.position.head
    one, other = (Pact("back", height, head, (), [key, seq + number]) for number in (0, 1))
    while (other.id < one.id) is not greater_first:
        other = replace(other, attempt=other.attempt + 1)
    for peer in (late, first, second):
        for pact in (one, other):
            peer.signing.say("pact", pact.body())
        peer.advance()
    table.settle()
    assert [pact.id for pact in first.reading.effected(height)] == sorted([one.id, other.id])
    table.play()
    assert first.position.membership.floor == {key: seq + 1}
    return table


def test_all_let_a_member_back_once_that_two_votes_let_back(tmp_path: Path) -> None:
    tables = [let_back_twice(greater_first) for greater_first in (True, False)]
    for table in tables:
        assert all(peer.position.over and not peer.faults for peer in table.peers)
        assert table.peers[0].position.membership.returns == {test_pact_freezes.key(table, 2): 1}
    found = judged_by_all([game_of(table.peers[0], table.keys[0].key.private, 2) for table in tables], tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None, None]


def test_all_let_a_vote_do_nothing_while_the_log_lacks_an_end_that_it_names(tmp_path: Path) -> None:
    """Who is named is still present, so that what it has not signed is told."""
    table = test_pact_freezes.at_together(3)
    height, head, key = table.peers[0].position.height, table.peers[0].position.head, test_pact_freezes.key(table, 2)
    end = FeedEnd(key, len(table.peers[0].feeds.feed(key)), bytes([1]) * 32)
    for peer in table.peers[:2]:
        assert peer.answer(table.peers.index(peer), [1]) is None
        peer.signing.say("pact", Pact("absent", height, head, (end,), None).body())
        peer.advance()
    table.settle()
    found = judged_by_all([game_of(table.peers[0], table.keys[0].key.private, 2)], tmp_path)
    assert disagreements(found) == []
    assert [(each.ours, each.found and (each.found.height, each.found.pacts)) for each in found] == [
        (None, (height, ()))
    ]
    assert found[0].theirs["signed"] < height


def test_shares_of_a_height_that_a_vote_ended_prove_nothing_about_cards(tmp_path: Path) -> None:
    """The page said that the cards were proven, though none was dealt."""
    table = Sealed(3, silent={2: "share"})
    table.play()
    at = table.at.height
    table.cut_off.add(2)
    table.agree("absent", [2])
    log = [entry for entry in table.peers[0].feeds.entries if entry.height <= at]
    assert "share" in {entry.kind for entry in log}
    (judged,) = judged_by_all([repacked(log, {}, table.keys[0].key.private, table.fresh)], tmp_path)
    assert judged.found is not None
    assert judged.found.height > at
    assert "cards-proven" not in judged.found.proves
    assert disagreements([judged]) == []


def test_all_give_the_end_that_members_have_signed_under_the_last_state(tmp_path: Path) -> None:
    """Whoever has signed another one before, under another state: its program computed otherwise then. A key of nobody
    at the table, for which somebody has proposed a seat, signs no end."""
    table = ended()
    log = [entry for entry, _ in table.log if entry.kind != "result"]
    right = next(entry for entry, _ in table.log if entry.kind == "result")
    body: Any = right.body
    ending, scores, gone = body
    other = [ending, [[place, points + 50, parts] for place, points, parts in scores], gone]
    keys = {key.key.public: key.key.private for key in table.keys}
    guest = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)
    certificate = certify(SigningKey.from_seed(b"i" * 32), guest.key.public, table.genesis.table, "laptop")
    record = Member(certificate, (Row(2, "Guest"),), bytes(32)).record()
    keys[guest.key.public] = guest.key.private

    def said(*words: tuple[bytes, str, Any, bytes]) -> Game:
        entries = [*log]
        for author, kind, body, state in words:
            feed = [entry for entry in entries if entry.author == author]
            place = {"seq": len(feed), "prev": feed[-1].id if feed else bytes(32)}
            fields: dict[str, Any] = {name: getattr(right, name) for name in FIELDS} | place
            entries.append(make_entry(keys[author], **fields | {"kind": kind, "body": body, "state": state}))
        return repacked(entries, {}, keys[table.keys[0].key.public], TestMachine(3, 1))

    one, two, three = (each.key.public for each in table.keys)
    here, elsewhere, seat = right.state, bytes(16), ["seat", right.height, right.head, [], [2, record], 0, []]
    mended = [
        (key, "result", body, state)
        for key in (one, two, three)
        for body, state in ((other, elsewhere), (right.body, here))
    ]
    rights = [(key, "result", right.body, here) for key in (one, two, three)]
    games = [
        *(said(*rights), said(mended[0], *rights), said(*mended), said(*mended[:2]), said(mended[0])),
        said((one, "pact", seat, here), (guest.key.public, "result", right.body, here)),
    ]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    given = [end_there(each.theirs.get("end")) for each in found]
    assert given == [*[encode(right.body)] * 4, encode(None), encode(None)]


@pytest.mark.parametrize("make", gated([undoing, excluding], 1))
def test_all_let_no_majority_undo_an_end_that_all_have_signed(make: Any, tmp_path: Path) -> None:
    table = ended()
    whole, later = [entry for entry, _ in table.log], voted_anew(table, [0, 1], make)
    unsigned = [entry for entry in whole if (entry.author, entry.kind) != (table.peers[2].me, "result")]
    key, machine = table.keys[0].key.private, TestMachine(3, 1)
    games = [repacked(log, {}, key, machine) for log in (whole, [*whole, *later], [*unsigned, *later], unsigned)]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found][:2] == [None, "result/other-head"]
    assert [each.found.final for each in found if each.found is not None] == [True, True, False, False]
    assert found[3].theirs["unchecked"] == ["rules", "unsigned", "last"]


def test_the_page_does_not_believe_who_tells_of_the_game_after_an_undone_end(tmp_path: Path) -> None:
    """The majority that undoes an end writes the page, and tells what was asked where its votes would lead."""
    table = ended()
    whole, later = (
        [entry for entry, _ in table.log],
        [e for e in voted_anew(table, [0, 1], undoing) if e.kind == "pact"],
    )
    unsigned = [entry for entry in whole if (entry.author, entry.kind) != (table.peers[2].me, "result")]
    key, machine = table.keys[0].key.private, TestMachine(3, 1)
    elsewhere = repacked([*unsigned, *later], {}, key, machine)
    told = hints_of(elsewhere.star, machine)
    height, head = read_star(elsewhere.star).height, read_star(elsewhere.star).head
    kept = [(entry, None) for entry in [*whole, *later]]
    star = pack_star(kept, key=key, height=height, head=head, program="test")
    (honest, undone) = judged_by_all([elsewhere, Game(star, machine, hints=told)], tmp_path)
    assert undone.theirs["problem"]["code"] == "result/undone"
    assert honest.theirs["ok"]
    assert [each.second.intact for each in (honest, undone)] == [True, False]


def test_all_come_to_one_of_two_ends_to_which_one_has_led_two_parts_of_a_table(tmp_path: Path) -> None:
    """The vote at the end that one part had signed leaves out those who would have to sign the other one, and took away
    the signers of the vote at the earlier height: the page and the second verifier held a log for false that is not."""
    games = []
    for pledged in ("before the others vote", "before its own vote", "before its result", "after its result"):
        table = test_end_undecided.Parted(Holding if pledged == "before its result" else Unbound)
        test_end_undecided.lead(table, pledged)
        reader = table.peers[test_end_undecided.A]
        test_end_undecided.bring(table.peers, reader)
        games.append(Game(packed(reader, table.keys[0].key.private), Brief(5, 1)))
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    assert [each.ours for each in found] == [None] * 4


@pytest.mark.parametrize("more", gated([True, False], 1))
def test_all_let_no_majority_play_on_from_an_end_that_all_have_signed_to_another_one(
    more: bool, tmp_path: Path
) -> None:
    """Nor does the page believe who tells of the game on the way there."""
    table = ended()
    height, head = table.peers[2].position.height, table.peers[2].position.head
    played_on(table)
    log = [entry for entry, _ in table.log] + (praised(table, height, head) if more else [])
    unsigned = [entry for entry in log if (entry.author, entry.kind) != (table.peers[2].me, "result")]
    key, machine = table.keys[0].key.private, TestMachine(3, 1)
    there = repacked(unsigned, {}, key, machine)
    told, other = hints_of(there.star, machine), read_star(there.star)
    kept = [(entry, None) for entry in log]
    star = pack_star(kept, key=key, height=other.height, head=other.head, program="test")
    honest, undone, false = judged_by_all(
        [repacked(log, {}, key, machine), there, Game(star, machine, hints=told)], tmp_path
    )
    assert disagreements([honest, undone]) == []
    assert [each.found.head if each.found is not None else b"" for each in (honest, undone)] == [head, other.head]
    assert false.theirs["problem"]["code"] == "result/undone"
    assert not false.second.intact


def test_all_let_no_majority_undo_an_end_by_another_one_that_it_has_signed_in_advance(tmp_path: Path) -> None:
    table, head, false = foresigned()
    log = [entry for entry, _ in table.log]
    unsigned = [entry for entry in log if (entry.author, entry.kind) != (table.peers[2].me, "result")]
    key, machine = table.keys[0].key.private, TestMachine(3, 1)
    there = repacked(unsigned, {}, key, machine)
    told, other = hints_of(there.star, machine), read_star(there.star)
    assert other.head == false
    star = pack_star([(entry, None) for entry in log], key=key, height=other.height, head=false, program="test")
    games = [repacked(log, {}, key, machine), there, Game(star, machine, hints=told)]
    honest, undone, told_otherwise = judged_by_all(games, tmp_path)
    assert disagreements([honest, undone]) == []
    assert [each.found.head if each.found is not None else b"" for each in (honest, undone)] == [head, false]
    assert not told_otherwise.theirs["ok"]
    assert not told_otherwise.second.intact


def test_all_name_a_result_that_stands_at_no_position_and_a_false_vote_behind_an_end_that_stands(
    tmp_path: Path,
) -> None:
    """A head says under which end a result stands, and a result that names another height signs nothing there. What is
    no vote in form is a fault also where votes count no more, and a result of another form signs the end like any
    other."""
    table = ended()
    log = [entry for entry, _ in table.log]
    keys = {key.key.public: key.key.private for key in table.keys}
    end, early = next(each for each in reversed(log) if each.kind == "result"), log[len(log) // 2]
    others = [entry for entry in log if entry is not end]
    vote = ["absent", end.height, end.head, [], None, 0, []]

    def said(entries: list[Entry], **changes: Any) -> Game:
        feed = [entry for entry in entries if entry.author == end.author]
        fields: dict[str, Any] = {name: getattr(end, name) for name in FIELDS}
        fields |= {"seq": len(feed), "prev": feed[-1].id} | changes
        entries = [*entries, make_entry(keys[end.author], **fields)]
        return repacked(entries, {}, keys[end.author], TestMachine(3, 1))

    games = [
        *(said(others, height=early.height - 1, head=early.head), said(others, height=0, body=["agreed", [], []])),
        *(said(others, height=0), said(log, kind="pact", body=vote), said(others, body=["played", []])),
    ]
    found = judged_by_all(games, tmp_path)
    assert disagreements(found) == []
    codes = ["result/other-head", "result/other-ending", None, "pact/out", "result/form"]
    assert [each.ours for each in found] == codes
    assert [each.found.final for each in found if each.found is not None] == [False, False, False, True, True]


def test_all_let_no_majority_hide_an_end_behind_others_that_new_keys_sign(tmp_path: Path) -> None:
    table = ended()
    position = table.peers[0].position
    log = [entry for entry, _ in table.log] + hidden(table, (0, 1), 5)
    (found,) = judged_by_all([repacked(log, {}, table.keys[0].key.private, TestMachine(3, 1))], tmp_path)
    assert disagreements([found]) == []
    assert found.found is not None
    assert (found.found.head, found.found.final, found.ours) == (position.head, True, "result/other-head")
