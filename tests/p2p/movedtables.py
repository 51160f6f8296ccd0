"""Tables one of whose members moves to another table key, and hands of cards that it held before."""

from __future__ import annotations

from typing import Any

from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lockstep.genesis import Genesis
from p2p.lockstep.lockstep import Lockstep
from p2p.lockstep.machine import HandleRef, RefusalLike
from p2p.lockstep.pacts import moving_lobby
from p2p.testing.cheats import CheatTable
from p2p.testing.machine import TestMachine
from p2p.testing.tables import DirectTable, member
from p2p.wire.codec import Value, decode, encode
from p2p.wire.entry import Entry, make_entry
from seeds.hashing import H

SEED, OLD = 3, 3
"""The number of the table, and of the member that moves."""
NEW = TableKeys(SigningKey.from_seed(b"n" * 32), b"s" * 32)


def table(kind: str = "together") -> CheatTable:
    """A table of four at a wait of this kind, one of whom says nothing any more."""
    made = CheatTable(seed=SEED, rounds=2)
    made.start()
    made.play_to(kind)
    made.cut_off.add(OLD)
    return made


def key(made: CheatTable) -> bytes:
    return made.keys[OLD].key.public


def certificate(
    made: CheatTable, identity: int = OLD, lobby: bytes = b"", new: bytes = NEW.key.public, *, kept: bool = False
) -> Value:
    owner = SigningKey.from_seed(H("test identity", SEED, identity))
    made_for = lobby or moving_lobby(made.genesis.table, key(made), kept=kept)
    return decode(encode(certify(owner, new, made_for, "another device").fields()))


def propose(made: CheatTable, terms: Value | None = None) -> RefusalLike | None:
    return made.peers[0].propose("moved", [key(made)], [certificate(made), False] if terms is None else terms)


def agree_to_move(made: CheatTable, new_keys: TableKeys = NEW, *, kept: bool = False) -> None:
    """The first proposes it, and the others who are there sign."""
    assert propose(made, [certificate(made, new=new_keys.key.public, kept=kept), kept]) is None
    made.settle()
    for number in made.present()[1:]:
        (vote,) = made.peers[number].votes()
        assert made.peers[number].sign(vote.pact.id) is None
    made.settle()


def move(made: CheatTable, new_keys: TableKeys = NEW, *, kept: bool = False) -> Lockstep:
    """Let the others agree, and let the new key take its seat."""
    agree_to_move(made, kept=kept)
    return welcome(made, new_keys)


def welcome(made: DirectTable, new_keys: TableKeys, rounds: int = 2) -> Lockstep:
    """Let the new key take its seat."""
    new = member(made.genesis, new_keys, TestMachine(len(made.keys), rounds))
    new.restore([(entry, None) for entry in made.peers[0].feeds.entries])
    new.settled()
    made.keys.append(new_keys)
    made.peers.append(new)
    made.seen.append([])
    new.start(new=True)
    made.settle()
    return new


def machine_of(genesis: Genesis) -> TestMachine:
    return TestMachine(4, 2)


def again(made: CheatTable, last: Entry, body: Any, **changes: Any) -> Entry:
    """Another entry by the old key."""
    fields: dict[str, Any] = {
        "table": made.genesis.table, "seq": last.seq + 1, "prev": last.id, "epoch": last.epoch, "height": last.height,
        "head": last.head, "state": last.state, "kind": "answer", "body": body,
    }  # fmt: skip
    return make_entry(made.keys[OLD].key.private, **(fields | changes))


def with_a_hand(players: int = 4) -> CheatTable:
    """A table whose last member holds cards that it alone has read, before it is lost."""
    holdings = [[seat] for seat in range(players)]
    made = CheatTable(holdings, seed=SEED, rounds=2)
    made.start()
    while not hand(made.peers[-1], players - 1):
        assert made.step()
    made.cut_off.add(players - 1)
    return made


def machine(peer: Lockstep) -> TestMachine:
    game = peer.position.game.machine
    assert isinstance(game, TestMachine)
    return game


def hand(peer: Lockstep, seat: int) -> dict[HandleRef, Value]:
    """The hidden cards of a seat that a program can read now."""
    chance = peer.position.chance
    decks = chance.decks or chance.old_decks
    hidden = {h for h, card in decks.lying.items() if card.known is None} if decks is not None else set()
    return {h: card for h, card in chance.seen(seat) if h in hidden}
