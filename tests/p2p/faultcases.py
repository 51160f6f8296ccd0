"""Tables at which somebody breaks the protocol, in every way that can be proven."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from p2p.testing.cheats import CheatTable, alter, changed
from seeds.choices import Choice, make_choice
from seeds.dealing import Complaint, KeyDealer
from seeds.group import base
from seeds.opendeck import Handle
from seeds.proofs import equal_logarithms, logarithm, prove, scalar
from seeds.threshold import ThresholdKey

Case = Callable[[], tuple[CheatTable, int]]
"""Plays a table to a fault, and says whose it is."""
CHANCE = bytes(32)


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
            own = KeyDealer(keys.secret, run, keys.key.public)
            relation = equal_logarithms(base(own.exchange_secret), run.announced[dealer].exchange, own.pair_key(dealer))
            place = [*run.place(keys.key.public), dealer]
            proof = prove("complaint", place, relation, [own.exchange_secret], CHANCE)
            fields["kind"] = "complaint"
            basis = table.peers[1].position.step.basis("complaint")
            fields["body"] = [basis, Complaint(dealer, own.pair_key(dealer), proof).plain()]

    table.cheat(1, tamper)
    table.start()
    table.play()
    return table, 1


def unopenable_seal() -> tuple[CheatTable, int]:
    """A member seals noise, with a sound proof, and vanishes: the others open it by force."""

    def noise(key: ThresholdKey, secret: bytes, me: bytes, handle: Handle, head: bytes) -> Choice:
        sound = make_choice(key, secret, me, handle, head, b"\x03", CHANCE)
        text = changed(sound.text, (), 5)
        r = scalar(secret, "seal/r", key.table, key.epoch, *handle, sound.committed)
        place = [*key.place(me), *handle, sound.committed, text]
        return replace(sound, text=text, proof=prove("seal/pok", place, logarithm(sound.point), [r], CHANCE))

    return sealed_falsely(noise)


def unreadable_seal() -> tuple[CheatTable, int]:
    """A member seals bytes that encode a value in a longer form than the shortest, and vanishes."""

    def long(key: ThresholdKey, secret: bytes, me: bytes, handle: Handle, head: bytes) -> Choice:
        return make_choice(key, secret, me, handle, head, b"\x18\x03", CHANCE)

    return sealed_falsely(long)


def sealed_falsely(make: Callable[[ThresholdKey, bytes, bytes, Handle, bytes], Choice]) -> tuple[CheatTable, int]:
    """A member seals what `make` returns and vanishes: the others open it by force."""
    table = CheatTable()

    def tamper(fields: dict[str, Any]) -> None:
        if fields["kind"] == "seal":
            position, keys = table.peers[3].position, table.keys[3]
            assert position.step.pending is not None
            key, handle = position.chance.seal_key(position.step.pending), position.step.handle_of(3)
            assert key is not None
            fields["body"] = [3, *make(key, keys.secret, keys.key.public, handle, position.head).plain()]

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
    "other coefficients": (altered(1, "keys", 0, at=0), "keys/form"),  # a first byte that is odd encodes no element
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
    "unreadable seal": (unreadable_seal, "seal/unopenable"),
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
    """The table of a case after its fault, and who is guilty; nobody may play it on."""
    return CASES[name][0]()
