"""Whoever breaks the protocol is convicted by evidence that a judge reads alone; nobody else ever is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.lockstep.audit import audit
from p2p.lockstep.conviction import replayed
from p2p.lockstep.follower import Follower
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.machine import Answer
from p2p.lockstep.step import STAGE
from p2p.log.evidence import Evidence, Replayed, Verdict, judge, pack_evidence, read_evidence
from p2p.testing.cheats import CheatTable, alter, changed
from p2p.testing.machine import TestMachine
from p2p.wire.entry import Entry
from seeds.choices import make_choice
from seeds.dealing import Complaint, Dealer
from seeds.group import base
from seeds.proofs import equal_logarithms, logarithm, prove, scalar

Case = Callable[[], tuple[CheatTable, int]]
"""Plays a table to a fault, and says whose it is."""
CHANCE = bytes(32)


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


def altered(who: int, kind: str, *path: int, at: int = -20, nth: int = 0) -> Case:
    def case() -> tuple[CheatTable, int]:
        table = CheatTable()
        table.cheat(who, alter(kind, *path, at=at, nth=nth))
        table.start()
        table.play()
        return table, who

    return case


def altered_anew(who: int, kind: str, *path: int, at: int = -20) -> Case:
    """The same while a deck is dealt anew."""

    def case() -> tuple[CheatTable, int]:
        table = CheatTable(seed=5)
        table.start()
        table.play_to("choose")
        table.lose(3)
        table.cheat(who, alter(kind, *path, at=at))
        table.agree("gone", [3])
        table.play()
        return table, who

    return case


def bad_dealing() -> tuple[CheatTable, int]:
    """The third member deals the second a share that does not fit, which complains."""
    table = CheatTable()
    table.cheat(2, alter("keys", 2, at=64 + 7))
    table.start()
    table.play()
    assert table.log_of("complaint")
    return table, 2


def false_complaint() -> tuple[CheatTable, int]:
    """A member complains, with a sound proof, of a share that fits."""
    table = CheatTable()

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == "ok":
            run, keys = table.peers[1].position.chance.run, table.keys[1]
            assert run is not None
            dealer = table.keys[0].key.public
            own = Dealer(keys.secret, run, keys.key.public)
            relation = equal_logarithms(base(own._exchange), run.announced[dealer].exchange, own._pair(dealer))
            place = [*run.place(keys.key.public), dealer]
            proof = prove("complaint", place, relation, [own._exchange], CHANCE)
            fields["kind"] = "complaint"
            basis = table.peers[1].position.step.basis("complaint")
            fields["body"] = [basis, Complaint(dealer, own._pair(dealer), proof).plain()]

    table.cheat(1, tamper)
    table.start()
    table.play()
    return table, 1


def unopenable_seal() -> tuple[CheatTable, int]:
    """A member seals noise, with a sound proof, and vanishes: the others open it by force."""
    table = CheatTable()

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == "seal":
            position, keys = table.peers[3].position, table.keys[3]
            assert position.step.pending is not None
            key, handle = position.chance.seal_key(position.step.pending), position.step.handle_of(3)
            assert key is not None
            sound = make_choice(key, keys.secret, keys.key.public, handle, b"\x03", CHANCE)
            text = changed(sound.text, (), 5)
            r = scalar(keys.secret, "seal/r", key.table, key.epoch, *handle)
            place = [*key.place(keys.key.public), *handle, sound.committed, text]
            proof = prove("seal/pok", place, logarithm(sound.point), [r], CHANCE)
            fields["body"] = [3, sound.committed, sound.point, text, proof.packed()]

    table.cheat(3, tamper)
    table.start()
    table.play_to("seal")
    assert table.peers[3].answer(3, [2]) is None
    table.settle()
    table.cut_off.add(3)
    table.play()
    table.agree("absent", [3])
    table.play()
    return table, 3


def illegal_answer() -> tuple[CheatTable, int]:
    table = CheatTable()
    table.start()
    table.play_to("together")
    assert table.peers[1].answer(1, [2]) is None
    table.settle()
    table.say(2, "answer", [2, [99]])
    return table, 2


def two_commitments() -> tuple[CheatTable, int]:
    """After its commitment a member signs another for the same roll, while somebody else still owes his."""
    table = CheatTable()
    table.withheld.add((3, "commit"))
    table.start()
    first = next(entry for entry in table.log_of("commit") if entry.author == table.keys[1].key.public)
    assert isinstance(first.body, list)
    table.say(1, "commit", [first.body[0], bytes(32), *first.body[2:]])
    return table, 1


def fork() -> tuple[CheatTable, int]:
    """A member signs two entries for one place of its feed."""
    table = CheatTable()
    table.start()
    table.play_to("together")
    last = table.peers[1].feeds.last(table.keys[1].key.public)
    assert last is not None
    table.say(1, "answer", [1, [1]])
    table.say(1, "answer", [1, [2]], seq=last.seq + 1, prev=last.id)
    return table, 1


def late_partial() -> tuple[CheatTable, int]:
    """A member's partial is none, and comes long after three others have lifted the lock without it."""
    table = CheatTable()
    table.withheld.add((3, "partial"))
    table.start()
    table.play()
    first = table.log_of("partial")[0]
    lifted = table.peers[0].position.chance.rolls[0].lifted
    assert len(lifted) == 3
    assert table.keys[3].key.public not in lifted
    table.say(
        3, "partial", changed(first.body, (1,), -20),
        epoch=first.epoch, height=first.height, head=first.head, state=first.state,
    )  # fmt: skip
    return table, 3


def sign_after_refuse() -> tuple[CheatTable, int]:
    """A member signs a pact that it has refused."""
    table = CheatTable()
    table.start()
    table.play_to("together")
    table.cut_off.add(3)
    assert table.peers[0].propose("absent", [table.keys[3].key.public]) is None
    table.settle()
    (vote,) = table.peers[1].votes()
    refused = table.say(1, "refuse", [vote.pact.id, "pact/test", []])
    table.say(1, "sign", [vote.pact.id], seq=refused.seq + 1, prev=refused.id)
    return table, 1


def from_afar(kind: str) -> Case:
    """Some words name a height that nobody has come to: the last one of a member who is left out later, or a vote about
    it. Then another member opens a false seed."""

    def case() -> tuple[CheatTable, int]:
        table = CheatTable()
        table.start()
        table.play_to("together")
        if kind == "chat":
            table.say(3, "chat", [bytes(32)], height=10**6)
        table.cut_off.add(3)
        table.play()
        table.cheat(1, alter("open", 1))
        table.cheat(2, lambda fields: fields.update(height=10**6) if fields["kind"] == kind else None)
        table.agree("absent", [3])
        table.play()
        return table, 1

    return case


CASES: dict[str, tuple[Case, str]] = {
    "keys proof": (altered(1, "commit", 2, 1), "keys/proof"),
    "deck key": (altered(1, "commit", 3), "deck/key-proof"),
    "dealing's proof": (altered(1, "keys", 1), "keys/proof"),
    "other coefficients": (altered(1, "keys", 0), "keys/form"),
    "bad dealing": (bad_dealing, "keys/bad-share"),
    "false complaint": (false_complaint, "keys/false-complaint"),
    "false shuffle": (altered(1, "shuffle", 1, 1), "deck/shuffle-proof"),
    "bad share": (altered(2, "share", 1, 1), "deck/share-proof"),
    "bad remask": (altered(1, "remask", 1), "deck/remask-proof"),
    "false opening": (altered(1, "open", 1), "beacon/opening-mismatch"),
    "false opening, chat from afar": (from_afar("chat"), "beacon/opening-mismatch"),
    "false opening, vote from afar": (from_afar("sign"), "beacon/opening-mismatch"),
    "bad partial": (altered(1, "partial", 1), "lock/proof"),
    "late partial": (late_partial, "lock/proof"),
    "bad seal": (altered(1, "seal", 4), "seal/form"),
    "false reveal": (altered(1, "reveal", 0, 3), "seal/opening-mismatch"),
    "unopenable seal": (unopenable_seal, "seal/unopenable"),
    "illegal answer": (illegal_answer, "answer/illegal"),
    "two commitments": (two_commitments, "evidence/slot"),
    "sign after refuse": (sign_after_refuse, "pact/sign-after-refuse"),
    "fork": (fork, "evidence/seq"),
    "shuffle anew": (altered_anew(1, "shuffle", 1, 1), "deck/shuffle-proof"),
    "hand anew": (altered_anew(2, "remask", 1), "anew/hand-proof"),
    "tag anew": (altered_anew(1, "tag", 1, 2), "anew/blind-proof"),
    "share anew": (altered_anew(1, "share", 1, 1), "anew/share-proof"),
}


@cache
def played(name: str) -> tuple[CheatTable, int]:
    return CASES[name][0]()


@pytest.mark.parametrize("name", CASES)
def test_evidence_convicts_the_right_key_and_only_it(name: str) -> None:
    (table, guilty), code = played(name), CASES[name][1]
    key = table.keys[guilty].key.public
    for number in table.present():
        if number == guilty:
            continue
        assert set(table.peers[number].faults) == {key}, "the honest members convict"
        found = proofs(table, number)
        assert found
        for evidence in found:
            assert judged(evidence) == Verdict("guilty", key, code)


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
@settings(max_examples=25, deadline=None)
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
    trial.apply(Answer(0, 1))
    second = table.say(
        0, "answer", [0, [5]], to=[], seq=batch.seq + 1, prev=batch.id, height=height + 1,
        head=late.position.past[height + 1].head, state=trial.digest(),
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
