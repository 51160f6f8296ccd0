"""What an audit assumes to be correct while threads check it, and what it does with the verdict meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from p2p.lockstep import replay
from p2p.lockstep.audit import Audit, audit
from p2p.lockstep.member_secrets import MemberSecrets
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable
from p2p.wire.entry import Entry
from seeds.dealing import KeyGeneration
from seeds.group import Point, base, mul
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import ProvenShuffle
from seeds.threshold import ThresholdKey, read_partial
from seeds.turns import ShuffleTask


def played(draws: str) -> DirectTable:
    table = DirectTable([[0], [1], [2]], seed=9, options={"draws": draws})
    table.start()
    table.play()
    return table


def judge(table: DirectTable) -> Audit:
    """The verdict over a log, which is also the last that could be used meanwhile, and the same without threads."""
    meanwhile: list[Audit] = []
    found = audit(log(table), lambda genesis: TestMachine(genesis.seats, 1), meanwhile=meanwhile.append)
    assert meanwhile[-1] == found
    alone = audit(log(table), lambda genesis: TestMachine(genesis.seats, 1), threads=0)
    assert (alone.problems, alone.head, alone.proofs) == (found.problems, found.head, found.proofs)
    return found


def log(table: DirectTable) -> list[Entry]:
    return [entry for entry, _ in table.log]


def colluding_table(monkeypatch: pytest.MonkeyPatch, spoilt: Callable[[ProvenShuffle], ProvenShuffle]) -> DirectTable:
    """The last to shuffle spoils the shuffle, and all members let it pass."""
    with monkeypatch.context() as together:
        make = ShuffleTask.make
        together.setattr("seeds.turns.check_shuffles", lambda statements: True)
        together.setattr(SealedDecks, "card_at", lambda decks, point: next(iter(decks.points.values())))

        def spoiling(task: ShuffleTask, fresh: bytes) -> ProvenShuffle:
            return spoilt(make(task, fresh)) if task.turn == 2 else make(task, fresh)

        together.setattr(ShuffleTask, "make", spoiling)
        return played("sealed")


def other_cards(shuffled: ProvenShuffle) -> ProvenShuffle:
    return replace(shuffled, cards=tuple((a, base(number + 2)) for number, (a, _) in enumerate(shuffled.cards)))


def other_proof(shuffled: ProvenShuffle) -> ProvenShuffle:
    return replace(shuffled, s_hat=(1, *shuffled.s_hat[1:]))


@pytest.mark.parametrize("spoilt", [other_cards, other_proof])
def test_a_false_shuffle_that_all_members_let_pass_is_found_and_proven(
    monkeypatch: pytest.MonkeyPatch, spoilt: Callable[[ProvenShuffle], ProvenShuffle]
) -> None:
    """Shuffles are checked beside a replay that believes them; such cards may even break it off."""
    assert judge(played("sealed")).cards.entries["shuffle"] == 3
    table = colluding_table(monkeypatch, spoilt)
    false = table.log_of("shuffle")[-1]
    found = judge(table)
    assert not found.complete
    assert [(problem.code, problem.entry) for problem in found.problems] == [
        ("deck/shuffle-proof", log(table).index(false))
    ]
    assert [(proof.author, proof.code) for proof in found.proofs] == [(false.author, "deck/shuffle-proof")]


def test_a_fault_of_the_program_is_not_taken_for_a_false_shuffle(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(decks: SealedDecks) -> None:
        raise RuntimeError("broken")

    table = played("sealed")
    monkeypatch.setattr(SealedDecks, "finish", broken)
    with pytest.raises(RuntimeError, match="broken"):
        judge(table)


def test_a_false_share_of_a_lock_that_all_members_let_pass_is_found_and_proven(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing in the rules shows it: the dice are others than the members had fixed."""
    share = MemberSecrets.partial

    def spoilt(secrets: MemberSecrets, run: KeyGeneration, key: ThresholdKey, point: Point) -> bytes:
        partial = read_partial(share(secrets, run, key, point))
        assert partial is not None
        return replace(partial, value=mul(2, partial.value)).packed()

    with monkeypatch.context() as together:
        together.setattr("p2p.lockstep.randomness.check_partial", lambda *_: True)
        together.setattr(MemberSecrets, "partial", spoilt)
        table = played("open")
    found, entries = judge(table), log(table)
    assert not found.complete
    assert {problem.code for problem in found.problems} == {"lock/proof"}
    authors = [proof.author for proof in found.proofs]
    assert authors == [entries[problem.entry or 0].author for problem in found.problems]
    assert {entries[problem.entry or 0].kind for problem in found.problems} == {"partial"}


@pytest.mark.parametrize("draws", ["open", "sealed"])
def test_a_verdict_can_be_used_while_the_last_proofs_are_checked(draws: str) -> None:
    found: list[Audit] = []
    entries = log(played(draws))
    verdict = audit(entries, lambda genesis: TestMachine(genesis.seats, 1), meanwhile=found.append)
    assert found == [verdict]
    assert verdict.ok


def test_without_threads_a_verdict_can_be_used_before_any_proof_that_it_believes_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A browser so tells its other judge early what was asked."""
    entries, order = log(played("sealed")), list[str]()

    def noted(name: str) -> None:
        check = getattr(replay, name)

        def checked(given: Sequence[object]) -> bool:
            order.append(name)
            return bool(check(given))

        monkeypatch.setattr(replay, name, checked)

    noted("check_shuffles")
    noted("check_partials")
    verdict = audit(
        entries, lambda genesis: TestMachine(genesis.seats, 1), meanwhile=lambda _: order.append("used"), threads=0
    )
    assert verdict.ok
    assert order[0] == "used"
    assert {*order[1:]} == {"check_shuffles", "check_partials"}
