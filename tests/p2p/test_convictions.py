"""Whoever breaks the protocol is convicted by evidence that a judge reads alone; nobody else ever is."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from faultcases import CASES, played
from hypothesis import given, settings
from hypothesis import strategies as st
from volume import GATE, VOLUME

from p2p.lockstep.audit import audit
from p2p.lockstep.conviction import replayed
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import GivenAnswer
from p2p.lockstep.step import STAGE
from p2p.log.evidence import Evidence, Replayed, Verdict, judge, pack_evidence, read_evidence
from p2p.testing.cheats import CheatTable, alter, cheat
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.entry import MAX_NUMBER, Entry


def machine(genesis: Genesis) -> TestMachine:
    return TestMachine(genesis.seats, 1)


def genesis_of(log: Sequence[Entry]) -> Genesis:
    return Genesis.read(next(entry.body for entry in log if entry.kind == "genesis"))


def replay(log: Sequence[Entry], accused: Entry) -> Replayed | None:
    genesis = genesis_of(log)
    return replayed(Follower(genesis, machine(genesis)), log, accused)


def judged(evidence: Evidence) -> Verdict:
    return judge(read_evidence(pack_evidence(evidence, "test")), replay)


def proofs(table: CheatTable, number: int = 0) -> list[Evidence]:
    """What a member can prove from what it keeps: its log, and the pairs that show forks."""
    forks = table.peers[number].feeds.forks.values()
    pairs = [Evidence("entry/forked", (pair.first, pair.second)) for pair in forks]
    return [*audit(table.log_at(number), machine).proofs, *pairs]


# The faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
def test_evidence_convicts_the_right_key_and_only_it(name: str) -> None:
    (table, guilty), code = played(name), CASES[name][1]
    key = table.keys[guilty].key.public
    honest = [number for number in table.present() if number != guilty]
    assert all(set(table.peers[number].faults) == {key} for number in honest), "the honest members convict"
    for number in honest[: 1 if VOLUME == GATE else None]:
        found = proofs(table, number)
        assert found
        for evidence in found:
            assert judged(evidence) == Verdict("guilty", key, code)


def test_a_replay_tells_how_far_it_has_come() -> None:
    table, guilty = played(next(iter(CASES)))
    evidence = proofs(table, 1 - guilty)[0]
    told: list[tuple[int, int, str]] = []
    genesis = genesis_of(evidence.log)
    replayed(Follower(genesis, machine(genesis)), evidence.log, evidence.accused[0], lambda *step: told.append(step))
    whole = len(evidence.log) + 1
    assert told == [(number, whole, "replay") for number in range(len(told))]
    assert 0 < len(told) <= whole


def test_every_kind_of_a_height_is_among_the_faults() -> None:
    tables = [(table, 0 if guilty else 1) for table, guilty in map(played, CASES)]
    kinds = {entry.kind for table, honest in tables for one in proofs(table, honest) for entry in one.accused}
    assert kinds & set(STAGE) == set(STAGE) - {"ok"}, "an `ok` can only name other dealings, nobody's proven fault"


# Who is honest -------------------------------------------------------------------------------------------------------


@cache
def honest_log() -> tuple[Entry, ...]:
    """A game in which a member is lost for good, a deck dealt anew and a choice opened by force; nobody cheats."""
    table = CheatTable(seed=5)
    table.start()
    table.play_to("choose")
    table.lose(3)
    table.agree("gone", [3])
    table.play_to("seal")
    for number in (0, 1):
        assert table.peers[number].answer(number, [2]) is None
    table.settle()
    assert table.peers[2].answer(2, [1]) is None
    table.withheld.add((2, "reveal"))
    table.settle()
    table.withheld.clear()
    table.play()
    assert not table.peers[0].faults
    return tuple(table.log_at(0))


@given(st.randoms(use_true_random=False))
@settings(max_examples=10 * VOLUME, deadline=None)
def test_no_choice_of_what_comes_along_convicts_an_honest_author(random: Random) -> None:
    log = honest_log()
    accused = random.choice([entry for entry in log if entry.kind in STAGE])
    near = [number for number, entry in enumerate(log) if entry.height <= accused.height]
    ends = {author: random.choice((0, 0, 0, 1, 2, 9)) for author in {entry.author for entry in log}}
    last = {author: max(log[n].seq for n in near if log[n].author == author) for author in ends}
    kept = [
        entry
        for entry in log
        if entry.kind == "genesis" or (entry.seq <= last[entry.author] - ends[entry.author] and entry != accused)
    ]
    verdict = judged(Evidence("answer/illegal", (accused,), tuple(kept)))
    assert verdict.kind == "unfounded", verdict


def test_a_judge_whose_engine_differs_names_nobody() -> None:
    (evidence,) = proofs(played("illegal answer")[0])

    class Other(TestMachine):
        def digest(self) -> bytes:
            return bytes(16) if self.state["at"] >= 4 else super().digest()

    verdict = judge(evidence, lambda log, accused: replayed(Follower(genesis_of(log), Other(4, 1)), log, accused))
    assert (verdict.kind, verdict.code) == ("engines-differ", "evidence/other-state")


def test_a_judge_without_the_rules_does_not_judge() -> None:
    (evidence,) = proofs(played("illegal answer")[0])
    assert judge(evidence, lambda log, accused: None).kind == "not-judged"


@pytest.mark.parametrize("name", ["illegal answer", "bad share", "unopenable seal", "share anew"])
def test_evidence_holds_no_entry_that_it_does_not_need(name: str) -> None:
    """Each feed ends with an entry without which nothing is proven any more, or with one of the last height."""
    table, guilty = played(name)
    evidence = proofs(table, 0 if guilty else 1)[0]
    (accused,) = evidence.accused
    assert max(entry.height for entry in evidence.log) <= max(accused.height, table.peers[0].position.height)
    if name == "illegal answer":
        assert all(entry.height < accused.height for entry in evidence.log if entry.author != accused.author)
    assert not [entry for entry in evidence.log if entry.kind == "result"]
    assert len(evidence.log) < len(table.log)


# Around it -----------------------------------------------------------------------------------------------------------


def test_a_second_answer_behind_a_batch_is_void_whenever_it_comes() -> None:
    """Whether it is read before or after the batch has filled its second height, the heads are equal."""
    table = CheatTable()
    table.start()
    table.play_to("choose")
    early, late = table.peers[1], table.peers[2]
    height = early.position.height
    batch = table.say(0, "answer", [0, [1, 2]], to=[])
    late.feed(batch)
    late.settled()
    assert late.position.height == height + 2
    trial = early.position.machine.clone()
    trial.apply(GivenAnswer(0, 1))
    second = table.say(
        0, "answer", [0, [5]], to=[], seq=batch.seq + 1, prev=batch.id, height=height + 1,
        head=late.position.past[height + 1].head, state=late.position.state_of(trial, height + 1),
    )  # fmt: skip
    late.feed(second)
    early.take(second)
    early.feed(batch)
    early.settled()
    assert early.position.height == late.position.height
    assert early.position.head == late.position.head
    assert [fault.code for fault in early.faults[batch.author]] == ["entry/not-asked"]


def test_who_helps_with_a_false_partial_is_waited_for_until_the_others_go_on_without_it() -> None:
    table = CheatTable()
    table.start()
    table.play_to("seal")
    for number in range(4):
        assert table.peers[number].answer(number, [2]) is None
    table.withheld.add((3, "reveal"))
    table.settle()
    table.cut_off.add(3)
    table.cheat(2, alter("partial", 0, 2))
    table.agree("absent", [3])
    cheat = table.keys[2].key.public
    assert [fault.code for fault in table.peers[0].faults[cheat]] == ["seal/proof"]
    assert table.peers[0].position.step.kind == "reveal"
    assert cheat in table.peers[0].owing()
    table.cut_off.add(2)
    table.agree("absent", [2])
    position = table.peers[0].position
    assert cheat not in position.members
    assert position.step.task is not None
    assert not [owed for owed in position.step.task.owed() if owed[0] != "share"], "cards wait for them, choices do not"


@pytest.mark.parametrize(("part", "code"), [(2, "keys/form"), (3, "deck/form")])
def test_who_shows_a_key_that_nobody_asked_for_is_convicted(part: int, code: str) -> None:
    """Two members make no keys for dice, and open draws none for decks: such bytes would be anybody's to choose."""

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == "commit":
            fields["body"][part] = bytes(96)

    table = DirectTable([[0], [1]], 5, options={"draws": "open"})
    cheat(table, 1, tamper)
    table.start()
    assert [fault.code for fault in table.peers[0].faults[table.keys[1].key.public]] == [code]


def test_a_false_vote_may_claim_any_height_and_the_judge_of_its_log_ends_all_the_same() -> None:
    table = DirectTable([[0], [1], [2]])
    table.start()
    cheat(table, 1, lambda fields: fields.update(height=MAX_NUMBER, kind="sign", body=[1]))
    assert table.peers[1].chat("anything") is None
    table.settle()
    culprit = table.keys[1].key.public
    found = audit(table.peers[0].hearing.log, machine)
    assert [problem.code for problem in found.problems] == ["pact/shape"]
    (proof,) = found.proofs
    verdict = judge(read_evidence(pack_evidence(proof, "test")), replay)
    assert (verdict.kind, verdict.author, verdict.code) == ("guilty", culprit, "pact/shape")


@pytest.mark.parametrize(("kind", "path"), [("partial", (0,)), ("open", (0,)), ("commit", (0,)), ("reveal", (0, 1))])
def test_a_truth_value_is_no_number(kind: str, path: tuple[int, ...]) -> None:
    """To Python true equals 1, and the bytes of an entry must not have two forms of one meaning."""

    def truth(body: Any, path: Sequence[int]) -> Any:
        if not path:
            return bool(body) if body in (0, 1) else body
        return [truth(item, path[1:]) if number == path[0] else item for number, item in enumerate(body)]

    done = []

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == kind:
            fields["body"] = truth(fields["body"], path)
            done.append(fields["body"])

    table = CheatTable(rounds=2)
    table.cheat(1, tamper)
    table.start()
    table.play()
    assert done
    assert table.keys[1].key.public in table.peers[0].faults
