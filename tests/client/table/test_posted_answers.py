"""The lobby by post of an inviter: who is declined makes room, and nobody sits there by a replaced answer."""

from __future__ import annotations

from pathlib import Path

from client.table.posted import FOLDER, Posted
from p2p.identity.keys import SigningKey
from p2p.identity.tablekey import TableKeys, certify
from p2p.lobby.messages import Sitter, Terms
from p2p.lobby.posted import LobbyStatement, PostedLobby, state
from p2p.lockstep.genesis import nonce_commitment
from p2p.wire.codec import Plain
from seeds.hashing import H

LOBBY = bytes(16)
TERMS = Terms("toy", {"draws": "open"}, 3, "toy/1", bytes(16), {}, False, "starlock test")


def sitter(name: str, players: int = 1) -> tuple[SigningKey, Sitter]:
    key, identity = SigningKey.from_seed(H("table key", name)), SigningKey.from_seed(H("identity", name))
    rows = tuple((f"{name}{number or ''}", None) for number in range(players))
    return key, Sitter(certify(identity, key.public, LOBBY, ""), rows, (), ())


def inviting() -> Posted:
    key, ann = sitter("Ann")
    body: list[Plain] = [TERMS.fields(), ann.fields(), nonce_commitment(key.public, bytes(32))]
    lobby = PostedLobby(state(key, "invitation", LOBBY, bytes(32), body))
    return Posted("toy", lobby, TableKeys(key, bytes(32)), bytes(32))


def answer(posted: Posted, name: str, number: int = 1, players: int = 1) -> LobbyStatement:
    key, guest = sitter(name, players)
    body: list[Plain] = [number, guest.fields(), nonce_commitment(key.public, bytes(32))]
    return state(key, "answer", LOBBY, posted.lobby.invitation.id, body)


def names(posted: Posted) -> list[str]:
    return [place.sitter.name for place in posted.seated()]


def test_who_is_declined_makes_room_and_is_not_asked_about_again(tmp_path: Path) -> None:
    ann, asked = inviting(), list[str]()

    def approve(sitter: Sitter) -> bool:
        asked.append(sitter.name)
        return sitter.name in ("Bob", "Cid")

    strangers = [answer(ann, f"stranger {number}") for number in range(100)]
    ann.read_all([*strangers, answer(ann, "Bob")], approve)
    assert names(ann) == ["Bob"]
    (tmp_path / FOLDER).mkdir()
    ann.keep(tmp_path)
    ann = Posted.read(tmp_path / FOLDER / "toy")
    assert ann.read_all(strangers, approve) == []
    assert len(asked) == 101
    ann.read_all([*strangers, answer(ann, "Cid")], approve)
    assert names(ann) == ["Bob", "Cid"]
    assert ann.lobby.fixed


def test_nobody_sits_by_an_answer_that_a_later_one_replaced() -> None:
    ann = inviting()
    first, second = answer(ann, "Bob"), answer(ann, "Bob", 2, players=3)
    assert ann.read_all([first], lambda _sitter: True)
    assert names(ann) == ["Bob"]
    (told,) = ann.read_all([second], lambda _sitter: True)
    assert "does not sit down" in told
    assert ann.read_all([first], lambda _sitter: False) != [], "the inviter is asked anew"
    assert names(ann) == []
