"""Any byte of any message of locks, decks, choices and deals anew, altered, and it is not read or not accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from fairtable import ANN, BOB, begun, fresh, generated, secret
from sealedtable import deal, deck_keys, masked_reading, table, x_of
from test_anew import handed, shuffled

from seeds.anew import DealingAnew, read_blinded, read_hand
from seeds.choices import check_choice, make_choice, read_choice
from seeds.dealing import read_announcement, read_complaint, read_dealing
from seeds.deckkeys import Keyring, read_deck_key, read_shares
from seeds.errors import Fault
from seeds.hashing import H
from seeds.sealedcards import read_remask
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import read_shuffled
from seeds.threshold import check_partial, make_partial, read_partial, roll_point
from seeds.turns import CheckedShuffle

Case = tuple[Sequence[bytes], Callable[[list[bytes]], bool]]
"""A message's bytes, and whether a peer takes it; every call starts from the same state."""


def announcement() -> Case:
    run, dealers = begun(3)

    def takes(body: list[bytes]) -> bool:
        read = read_announcement(body)
        clean = type(run)(run.table, run.epoch, run.members)
        return read is not None and clean.announce(ANN, read) is None and clean.announced == {ANN: run.announced[ANN]}

    return dealers[ANN].announcement(fresh(ANN)).plain(), takes


def dealing() -> Case:
    """A share that is altered is found by its receiver."""
    run, dealers = begun(3)

    def takes(body: list[bytes]) -> bool:
        read = read_dealing(body, 3)
        run.dealt.clear()
        if read is None or run.deal(ANN, read) is not None:
            return False
        for member in run.members[1:]:
            run.deal(member, dealers[member].dealing(fresh(member)))
        return read.shares[0] == bytes(64) and not any(dealers[m].complaints(fresh()) for m in run.members[1:])

    return dealers[ANN].dealing(fresh()).plain(), takes


def complaint() -> Case:
    run, dealers = begun(2)
    for member in run.members:
        dealt = dealers[member].dealing(fresh(member))
        run.deal(member, dealt if member == BOB else type(dealt)(dealt.coefficients, dealt.proofs, (bytes(64),) * 2))
    [made] = dealers[BOB].complaints(fresh())

    def takes(body: list[bytes]) -> bool:
        read = read_complaint(body)
        return read is not None and run.complain(BOB, read) == Fault("keys/bad-share", ANN)

    return made.plain(), takes


def partial() -> Case:
    keys, shares = generated(3)
    made = make_partial(keys["dice"], ANN, shares[ANN, "dice"], roll_point(keys["dice"].table, 0, 1), fresh())

    def takes(body: list[bytes]) -> bool:
        read = read_partial(body[0])
        return read is not None and check_partial(keys["dice"], ANN, roll_point(keys["dice"].table, 0, 1), read)

    return [made.packed()], takes


def deck_key() -> Case:
    ring = Keyring(fresh(), 0, (ANN, BOB))

    def takes(body: list[bytes]) -> bool:
        read = read_deck_key(body[0])
        return read is not None and Keyring(fresh(), 0, (ANN, BOB)).add(ANN, read) is None

    return [ring.make(ANN, x_of(ANN), fresh()).packed()], takes


def shuffle() -> Case:
    decks = SealedDecks(deck_keys((ANN, BOB)))
    decks.begin_shuffle("bag", [1, 2], [("bag", 0), ("bag", 1)])
    task = decks.task
    assert task is not None

    def takes(body: list[bytes]) -> bool:
        read = read_shuffled(body, 2)
        return read is not None and isinstance(task.check(ANN, read), CheckedShuffle)

    return task.make(fresh()).plain(), takes


def shares() -> Case:
    def begin() -> SealedDecks:
        decks = table(2)
        masked_reading(decks, ANN, ("bag", 0), ("bag", 1))
        return decks

    decks = begin()

    def takes(body: list[bytes]) -> bool:
        read = read_shares(body, 2)
        taken = read is not None and decks.share(BOB, read) is None
        for number in range(2):
            decks.lying["bag", number].pairs[-1].shares.clear()
        return taken

    return decks.make_share(BOB, x_of(BOB), fresh()).plain(), takes


def remask() -> Case:
    decks = table(2)
    deal(decks, ANN, ("bag", 0))
    decks.begin_reading([("bag", 0)], BOB)

    def takes(body: list[bytes]) -> bool:
        read = read_remask(body, 1)
        taken = read is not None and decks.remask(ANN, read) is None
        del decks.lying["bag", 0].pairs[2:]
        return taken

    return decks.make_remask(ANN, fresh()).plain(), takes


def choice() -> Case:
    key = generated(3)[0]["seal"]

    def takes(body: list[bytes]) -> bool:
        read = read_choice(body)
        return read is not None and check_choice(key, ANN, ("seal", 0), read)

    return make_choice(key, secret(ANN), ANN, ("seal", 0), bytes(32), b"bid", fresh()).plain(), takes


def hand() -> Case:
    decks = table(3)
    deal(decks, ANN, ("bag", 0))
    anew = shuffled(DealingAnew(decks, deck_keys((ANN, BOB), 1), "bag"))

    def takes(body: list[bytes]) -> bool:
        read = read_hand(body, 1)
        taken = read is not None and anew.hand(ANN, read) is None
        anew.new_hands.clear()
        return taken

    return anew.make_hand(ANN, x_of(ANN), fresh()).plain(), takes


def blinded() -> Case:
    decks = table(3, range(2))
    anew = handed(DealingAnew(decks, deck_keys((ANN, BOB), 1), "bag"))

    def takes(body: list[bytes]) -> bool:
        read = read_blinded(body, 2)
        taken = read is not None and anew.blind(ANN, read) is None
        anew.blindings.clear()
        return taken

    return anew.make_blinded(ANN, fresh()).plain(), takes


CASES = [announcement, dealing, complaint, partial, deck_key, shuffle, shares, remask, choice, hand, blinded]
GOLDEN = {
    "announcement": "7ad9d127ffbd91ce8aa92ef8a155176d",
    "dealing": "f079ab10a070b7dea90b4d5d58b750d4",
    "complaint": "f33b5fa946e174013dff69aa10aab44f",
    "partial": "d41110508f85a6f2790d6d4442b05273",
    "deck_key": "a94c7aca6efa541ca167cc321f14bae4",
    "shuffle": "0efca76731fb9257563376676cede491",
    "shares": "bec84287521acebaa3ce7b076ccea9a8",
    "remask": "c3c4b0f0ce6412c0fc4dc728fd442b17",
    "choice": "3da0f3763284c7e6b1d1c99f8236af83",
    "hand": "e02e8250a29baa38a4a5e4d69073eb2f",
    "blinded": "90f77ec00769813a179e2cf8c89384c4",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_n51_golden_messages_never_change(case: Callable[[], Case]) -> None:
    assert H("test", *case()[0]).hex()[:32] == GOLDEN[case.__name__]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_message_with_one_byte_altered_is_not_accepted(case: Callable[[], Case]) -> None:
    body, takes = case()
    assert takes(list(body))
    for part, data in enumerate(body):
        for at in range(len(data)):
            altered = list(body)
            altered[part] = data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :]
            assert not takes(altered), f"part {part}, byte {at}"
    assert takes(list(body))
