"""The audit accepts what honest tables leave behind, and names what was changed in a log."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from volume import seeds

import p2p.lockstep.audit as audit_module
from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.effects import Diverged, Keep, Over, Work
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.testing.cheats import CheatTable, alter, vanished_bidder
from p2p.testing.machine import TestMachine
from p2p.testing.plans import random_plan
from p2p.testing.simulator import simulate
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Plain
from p2p.wire.entry import Entry, make_entry


def played(holdings: list[list[int]] | None = None) -> DirectTable:
    table = DirectTable(holdings or [[0], [1], [2]], seed=9)
    table.start()
    table.play()
    return table


def judge(entries: list[Entry], rounds: int = 1) -> Audit:
    return audit(entries, lambda genesis: TestMachine(genesis.seats, rounds))


def log(table: DirectTable) -> list[Entry]:
    return [entry for entry, _ in table.log]


def test_an_honest_log_is_complete_and_accounts_for_every_roll() -> None:
    table = played()
    verdict = judge(log(table))
    assert verdict.ok, verdict.problems
    assert verdict.complete
    assert (verdict.head, verdict.state) == (table.peers[0].position.head, table.peers[0].position.state)
    assert verdict.ending == "played"
    (roll,) = verdict.rolls
    assert roll.ok
    assert len(roll.parts) == 3
    assert len(roll.lifted) == roll.lock == 2
    assert all(1 <= face <= sides for face, sides in zip(roll.faces, roll.sides, strict=True))
    assert (verdict.cards.shuffles, verdict.cards.reveals) == (1, 1)
    assert "legal-answers" in verdict.proves
    assert "test-seed" in verdict.does_not_prove


def test_the_log_of_any_peer_in_any_order_of_feeds_gives_one_verdict() -> None:
    table = played()
    by_author = sorted(log(table)[1:], key=lambda entry: (entry.author, entry.seq))
    ends = {judge([*order]).head for order in (log(table), [log(table)[0], *by_author], table.peers[2].feeds.entries)}
    assert len(ends) == 1


@pytest.mark.parametrize("seed", seeds(3, 20))
def test_logs_of_troubled_tables_audit_to_the_place_where_the_peers_stand(seed: int) -> None:
    simulation = simulate(seed)
    peer = simulation.peers[0].lockstep
    verdict = judge(list(peer.feeds.entries), random_plan(seed).rounds)
    assert verdict.ok, verdict.problems
    assert (verdict.height, verdict.head) == (peer.position.height, peer.position.head)


def test_an_unfinished_log_is_sound_but_not_complete() -> None:
    entries = log(played())
    for end in range(4, len(entries) - 4, 5):
        verdict = judge(entries[:end])
        assert verdict.ok, verdict.problems
        assert not verdict.complete


def test_a_missing_entry_is_named() -> None:
    entries = log(played())
    verdict = judge([*entries[:12], *entries[13:]])
    assert not verdict.ok
    assert verdict.problems[0].code in ("log/gap", "entry/forked")


def test_an_entry_with_another_signature_is_named() -> None:
    entries = log(played())
    other = entries[10]
    forged = Entry(
        other.version, other.table, other.author, other.seq, other.prev, other.epoch, other.height, other.head,
        other.state, other.kind, other.body, bytes(64), other.raw, other.id,
    )  # fmt: skip
    verdict = judge([*entries[:10], forged, *entries[11:]])
    assert (verdict.problems[0].entry, verdict.problems[0].code) == (10, "entry/signature")


def test_a_cheater_is_named_with_the_entry() -> None:
    table = played()
    entries = log(table)
    first = next(number for number, entry in enumerate(entries) if entry.kind == "answer")
    cheat = entries[first]
    key = next(keys.key.private for keys in table.keys if keys.key.public == cheat.author)
    illegal = make_entry(
        key, table=cheat.table, seq=cheat.seq, prev=cheat.prev, epoch=cheat.epoch, height=cheat.height, head=cheat.head,
        state=cheat.state, kind="answer", body=[cheat.body[0], [1000]],  # type: ignore[index]
    )  # fmt: skip
    verdict = judge([*entries[:first], illegal])
    assert [(problem.entry, problem.code) for problem in verdict.problems] == [(first, "answer/illegal")]


def test_a_false_shuffle_is_named_also_where_a_vote_ended_its_height() -> None:
    """Its turn had come: the proof of the shuffle before it is checked first, though nobody waits for either."""
    table = CheatTable()
    table.cheat(1, alter("shuffle", 1, 1))
    table.start()
    table.play()
    table.lose(1)
    entries = [entry for entry, _ in table.log]
    wrong = next(number for number, entry in enumerate(entries) if entry == table.log_of("shuffle")[1])
    found = judge(entries)
    assert [kind for height, kind in found.heights.items() if height == entries[wrong].height] == ["pact"]
    assert [(problem.entry, problem.code) for problem in found.problems] == [(wrong, "deck/shuffle-proof")]


def test_an_engine_that_differs_is_no_cheater() -> None:
    entries = log(played())

    class Other(TestMachine):
        def digest(self) -> bytes:
            return bytes(16) if self.state["at"] == 6 else super().digest()

    verdict = audit(entries, lambda genesis: Other(genesis.seats, 1))
    assert [problem.code for problem in verdict.problems][:1] == ["entry/other-state"]


def test_a_result_signed_of_another_position_at_the_same_end_is_told() -> None:
    """The last answers lead to a position that no entry but the results names."""
    table = played()
    entries = log(table)
    number = max(number for number, entry in enumerate(entries) if entry.kind == "result")
    said = entries[number]
    key = next(keys.key.private for keys in table.keys if keys.key.public == said.author)
    other = make_entry(
        key, table=said.table, seq=said.seq, prev=said.prev, epoch=said.epoch, height=said.height, head=said.head,
        state=bytes(16), kind="result", body=said.body,
    )  # fmt: skip
    verdict = judge([*entries[:number], other, *entries[number + 1 :]])
    assert [(problem.entry, problem.code) for problem in verdict.problems] == [(number, "result/other-state")]
    follower = Follower(table.genesis, TestMachine(table.genesis.seats, 1))
    for entry in [*entries[:number], other, *entries[number + 1 :]]:
        follower.take(entry)
    assert [effect.entry for effect in follower.settled() if isinstance(effect, Diverged)] == [other]
    assert verdict.problems[0].detail == verdict.state.hex()
    assert (verdict.ok, verdict.complete) == (False, True)
    assert "same-states" not in verdict.proves


def last_said(table: DirectTable, body: Plain, entries: list[Entry], *, at: Entry | None = None) -> list[Entry]:
    """The log with another last word of who signed the last result; at: an entry under whose head it is said."""
    number = max(number for number, entry in enumerate(entries) if entry.kind == "result")
    said = entries[number]
    key = next(keys.key.private for keys in table.keys if keys.key.public == said.author)
    there = at or said
    other = make_entry(
        key, table=said.table, seq=said.seq, prev=said.prev, epoch=there.epoch, height=there.height, head=there.head,
        state=there.state, kind="result", body=body,
    )  # fmt: skip
    return [*entries[:number], other, *entries[number + 1 :]]


@pytest.mark.parametrize("body", [None, [], ["played", 1], "played", [b"played"], ["unanswered", "all"], {"end": 1}])
def test_a_result_of_another_form_or_without_a_word_is_named(body: Plain) -> None:
    table = played()
    verdict = judge(last_said(table, body, log(table)))
    assert [problem.code for problem in verdict.problems] == ["result/form"]
    assert verdict.problems[0].entry is not None


def test_a_result_of_another_ending_than_the_game_had_is_named() -> None:
    table = played()
    verdict = judge(last_said(table, ["I won " + 99 * "!", table.peers[0].machine.scores(), []], log(table)))
    ((code, detail),) = [(problem.code, problem.detail) for problem in verdict.problems]
    assert (code, detail) == ("result/other-ending", "I won " + 34 * "!")


def test_a_result_signed_before_the_end_is_named() -> None:
    table = played()
    early = next(entry for entry in log(table) if entry.kind == "answer")
    verdict = judge(last_said(table, ["played", table.peers[0].machine.scores(), []], log(table), at=early))
    assert [problem.code for problem in verdict.problems] == ["result/not-over"]
    assert verdict.complete


def test_who_has_not_signed_the_end_is_told_without_blame() -> None:
    table = played()
    number = max(number for number, entry in enumerate(log(table)) if entry.kind == "result")
    said = log(table)[number]
    verdict = judge([entry for entry in log(table) if entry is not said])
    assert (verdict.ok, verdict.complete, verdict.unsigned) == (True, True, (said.author,))
    assert judge(log(table)).unsigned == ()


def test_entries_that_rest_on_missing_ones_are_counted_by_author() -> None:
    """The end of one feed is missing: what the others said after it can be judged by nobody."""
    table = played()
    short = table.keys[2].key.public
    entries = [entry for entry in log(table) if entry.author != short or entry.height < 5]
    verdict = judge(entries)
    assert (verdict.ok, verdict.complete) == (True, False)
    beyond = [entry.author for entry in entries if entry.height > verdict.height]
    assert beyond
    assert short not in beyond
    assert dict(verdict.unjudged) == {author: beyond.count(author) for author in beyond}
    assert verdict.cards.void == 0, "no pact has made them void"
    assert judge(log(table)).unjudged == ()


def test_a_log_without_its_genesis_or_with_unknown_rules_is_not_judged() -> None:
    entries = log(played())
    assert judge([entry for entry in entries if entry.kind != "genesis"]).problems[0].code == "log/no-genesis"
    assert judge([]).problems[0].code == "log/no-genesis"
    assert audit(entries, lambda genesis: None).problems[0].code == "log/other-rules"


def test_a_table_of_one_member_proves_nothing_about_dice() -> None:
    verdict = judge(log(played([[0, 1]])))
    assert verdict.ok
    assert "one-member" in verdict.does_not_prove
    assert "dice-committed" not in verdict.proves


def test_progress_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    entries = log(played())
    audit(entries, lambda genesis: TestMachine(genesis.seats, 1), lambda *at: told.append(at), checked=True)
    assert told[0] == (0, len(entries), "replay")
    assert told[-1] == (len(entries), len(entries), "replay")


def test_the_genesis_survives_its_wire_form() -> None:
    table = played()
    assert Genesis.read(log(table)[0].body) == table.genesis


def test_nothing_that_an_audit_needs_imports_trio() -> None:
    folder = Path(audit_module.__file__).parent
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not [name for name in names if name.split(".")[0] == "trio"], path


def sealed_table() -> DirectTable:
    table = DirectTable([[0], [1], [2]], seed=9, options={"draws": "sealed"})
    table.start()
    table.play()
    return table


def test_a_store_is_read_to_its_end_with_shuffles_and_all() -> None:
    table = sealed_table()
    told: list[tuple[int, int]] = []
    again = Follower(table.genesis, TestMachine(3, 1))
    again.restore(table.log, lambda done, total: told.append((done, total)))
    assert (again.position.height, again.position.head) == (
        table.peers[0].position.height,
        table.peers[0].position.head,
    )
    effects = again.effects()
    assert not [effect for effect in effects if isinstance(effect, Keep | Work)]
    assert [effect for effect in effects if isinstance(effect, Over)]
    assert told == [(number, len(table.log)) for number in range(len(table.log))]


# What is proven, and what is not -------------------------------------------------------------------------------------


def real(holdings: list[list[int]], draws: str) -> Audit:
    """A game whose keys no test seed decides, played to its end."""
    table = DirectTable(holdings, seed=9, options={"draws": draws})
    table.genesis = replace(table.genesis, test=False)
    table.peers = [member(table.genesis, keys, TestMachine(len(holdings), 1)) for keys in table.keys]
    table.start()
    table.play()
    found = judge(log(table))
    assert found.ok, found.problems
    assert found.complete
    return found


ALWAYS = {"signatures", "order", "legal-answers", "same-states", "result", "dice-committed", "choices-fixed"}
NEVER = {"who-holds-a-key", "collusion", "why-somebody-was-silent", "last-words"}


@pytest.mark.parametrize(
    ("members", "draws", "proves", "open_points", "coalitions"),
    [
        (2, "sealed", {"cards-proven", "cards-secret"}, {"last-opener-may-stop"}, ()),
        (2, "open", set(), {"last-opener-may-stop", "cards-are-not-secret"}, ()),
        (3, "sealed", {"dice-locked", "cards-proven", "cards-secret"}, {"lock-coalition", "choice-coalition"}, (2, 3)),
        (3, "open", {"dice-locked"}, {"lock-coalition", "cards-are-not-secret"}, (2, 3)),
        (4, "sealed", {"dice-locked", "cards-proven", "cards-secret"}, {"lock-coalition", "choice-coalition"}, (3, 4)),
        (5, "open", {"dice-locked"}, {"lock-coalition", "cards-are-not-secret"}, (3, 5)),
        (6, "open", {"dice-locked"}, {"lock-coalition", "cards-are-not-secret"}, (4, 6)),
    ],
)
def test_a_log_proves_what_its_members_and_its_draws_allow(
    members: int, draws: str, proves: set[str], open_points: set[str], coalitions: tuple[int, ...]
) -> None:
    found = real([[seat] for seat in range(members)], draws)
    assert set(found.proves) == ALWAYS | proves
    assert set(found.does_not_prove) == NEVER | open_points
    assert found.coalitions == ((coalitions,) if coalitions else ())


def left_alone(draws: str) -> DirectTable:
    """One of two leaves, and the other one plays to the end."""
    table = DirectTable([[0], [1]], seed=9, rounds=2, options={"draws": draws})
    table.genesis = replace(table.genesis, test=False)
    table.peers = [member(table.genesis, keys, TestMachine(2, 2)) for keys in table.keys]
    table.start()
    while table.peers[0].position.step.kind != "choose":
        assert table.step()
    assert table.peers[1].leave() is None
    table.settle()
    table.play()
    assert len(table.peers[0].position.members) == 1
    return table


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_a_log_claims_nothing_about_dice_or_cards_where_one_member_was_left(draws: str) -> None:
    """It knows each roll before it is asked for, and a vote of its own gives it other seeds."""
    found = judge(log(left_alone(draws)), 2)
    assert (found.ok, found.complete) == (True, True)
    assert {"dice-committed", "dice-locked", "dice-unchosen", "cards-secret"}.isdisjoint(found.proves)
    assert "one-was-left" in found.does_not_prove


@pytest.mark.parametrize("across", [False, True])
def test_what_was_taken_back_after_it_had_been_shown_is_no_secret_any_more(across: bool) -> None:
    table = DirectTable([[0], [1], [2]], seed=9, options={"draws": "sealed"})
    table.genesis = replace(table.genesis, test=False)
    table.peers = [member(table.genesis, keys, TestMachine(3, 1)) for keys in table.keys]
    table.start()
    while table.peers[0].position.step.kind != ("seal" if across else "together"):
        assert table.step()
    height = table.peers[0].position.height
    to = 2 if across else height - 1
    assert table.peers[0].propose("takeback", (), [to, across]) is None
    table.settle()
    for peer in table.peers[1:]:
        for vote in peer.votes():
            assert peer.sign(vote.pact.id) is None
    table.settle()
    assert table.peers[0].position.height > height
    table.play()
    found = judge(log(table))
    assert found.ok, found.problems
    assert found.complete
    assert [pact.kind for pact in found.pacts] == ["takeback"]
    assert ("shown-and-taken-back" in found.does_not_prove) is across
    assert ("cards-secret" in found.proves) is not across
    assert ("choices-fixed" in found.proves) is not across


def test_a_deck_dealt_anew_and_a_forced_opening_are_told_with_what_nobody_has_reviewed() -> None:
    table = vanished_bidder()
    found = judge(table.log_at(0))
    assert found.ok, found.problems
    lost = table.keys[3].key.public
    assert [deck for _, deck in found.cards.anew] == ["bag"]
    assert [(author, opened) for _, author, opened in found.cards.forced] == [(lost, True)]
    assert found.cards.void > 0
    assert found.cards.entries["tag"] == 3
    assert "dealt-anew-unreviewed" in found.does_not_prove
    assert found.coalitions == ((3, 4),)
    assert [(pact.kind, pact.members) for pact in found.pacts] == [("absent", (lost,)), ("gone", (lost,))]
