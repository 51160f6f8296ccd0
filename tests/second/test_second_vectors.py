# SPDX-License-Identifier: GPL-3.0-or-later
"""The second verifier gives the vectors' outputs for their inputs, and refuses what they refuse."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from second import carried, entries, genesis, log, pacts, posting, relaying, savedgame, signing, told
from second.codec import decode, encode
from second.dice import commitment
from second.evidence import proven, read_evidence
from second.formulas import FORMULAS
from second.hashing import H, kdf
from second.proofvectors import PROOFS
from second.vectors import VECTORS, plain, raw, refusal
from second.verdict import judge

KEPT = 54_000
"""A point of time, in seconds since 1970, before every expiry in the vectors."""


def encoding(cases: list[dict[str, str]]) -> None:
    values: list[Any] = [
        None,
        True,
        False,
        0,
        23,
        24,
        -1,
        2**63,
        -(2**63),
        b"",
        b"\x00\xff",
        "",
        "é",
        [],
        [1, [2, "three"]],
    ]
    values.append({"a": 1, "b": [None], "aa": {}})
    assert [encode(value).hex() for value in values] == [case["encoding"] for case in cases]
    assert [plain(case["encoding"]) for case in cases] == values
    assert [type(plain(case["encoding"])) for case in cases] == [type(value) for value in values]


def refused_encoding(cases: list[dict[str, str]]) -> None:
    assert [refusal(decode, raw(case["encoding"])) for case in cases] == [case["code"] for case in cases]


def signature(case: dict[str, Any]) -> None:
    def right(case: dict[str, Any]) -> bool:
        return signing.signed(raw(case["key"]), raw(case["message"]), raw(case["signature"]))

    assert right(case)
    assert not any(map(right, case["refused"]))


def entry(case: dict[str, Any]) -> None:
    read = entries.checked(raw(case["raw"]))
    fields = case["fields"]
    assert {name: raw(fields[name]) if name != "kind" else fields[name] for name in fields} == {
        name: 1 if name == "version" else getattr(read, name) for name in fields
    }
    assert (read.body, read.id.hex()) == (plain(case["body"]), case["id"])
    assert [refusal(entries.checked, raw(other["raw"])) for other in case["refused"]] == [
        other["code"] for other in case["refused"]
    ]


def chat(case: dict[str, Any]) -> None:
    digest = raw(case["hash"])

    def fits(case: dict[str, Any]) -> bool:
        salt = raw(case["salt"])
        return len(salt) == 16 and H("chat", salt, case["text"]) == digest

    assert fits(case)
    assert not any(map(fits, case["refused"]))


def contradiction(case: dict[str, Any]) -> None:
    for pair in case["proofs"] + case["refused"]:
        first, second = entries.read_entry(raw(pair["first"])), entries.read_entry(raw(pair["second"]))
        assert entries.contradiction(first, second) == pair.get("code"), pair["why"]
        assert entries.contradiction(second, first) == pair.get("code"), pair["why"]


def genesis_(case: dict[str, Any]) -> None:
    read = genesis.Genesis(plain(case["body"]))
    assert read.table.hex() == case["table"]
    assert [
        {"key": member.key.hex(), "identity": member.identity.hex(), "seats": member.seats} for member in read.members
    ] == case["members"]
    nonces = [H("nonce", member[0][1], member[2]).hex() for member in read.body["members"]]
    assert nonces == case["nonces"]
    for other in case["refused"]:
        assert refusal(genesis.Genesis, plain(other["body"])) == other["code"], other["why"]


def certificate(case: dict[str, Any]) -> None:
    assert genesis.read_certificate(plain(case["certificate"]))[1].hex() == case["key"]
    moved = case["moved"]
    identity, _, lobby, _, _ = genesis.read_certificate(plain(moved["certificate"]))
    assert lobby == H("moved", raw(moved["table"]), raw(moved["old"]), int(moved["kept"])) == raw(moved["lobby"])
    assert identity == genesis.read_certificate(plain(case["certificate"]))[0]
    for other in case["refused"]:
        assert refusal(genesis.read_certificate, plain(other["certificate"])) == other["code"], other["why"]


def words(case: list[str]) -> None:
    assert len(set(case)) == 256


def refused_told(cases: list[Any]) -> None:
    assert not any(map(told.is_asked, cases))


def refused_outcome(cases: list[Any]) -> None:
    assert not any(map(told.is_outcome, cases))


def end(cases: list[dict[str, str]]) -> None:
    assert all(log.is_end(plain(case["body"])) for case in cases)


def refused_end(cases: list[str]) -> None:
    assert not any(log.is_end(plain(case)) or log.is_claim(plain(case)) for case in cases)


def told_file(case: dict[str, Any]) -> None:
    read = told.Told(raw(case["file"]), raw(case["table"]))
    assert [read.height, read.asked] == case["open"][:2]
    assert read.digest.hex() == case["open"][2]
    assert [[height, row.asked, row.ended] for height, row in read.rows.items()] == [row[:3] for row in case["heights"]]


def refused_told_file(cases: dict[str, str]) -> None:
    table = raw(VECTORS["told file"]["table"])
    for why, file in cases.items():
        assert refusal(told.Told, raw(file), table) == "told/form", why


def roll(case: dict[str, Any]) -> None:
    table, epoch, k, author = raw(case["table"]), case["epoch"], case["k"], raw(case["author"])
    seed = kdf(raw(case["secret"]), "seed", table, epoch, k)
    assert seed.hex() == case["seed"]
    assert commitment(table, epoch, k, author, seed).hex() == case["commitment"]
    for other in case["refused openings"]:
        said = commitment(table, other["epoch"], other["k"], raw(other["author"]), raw(other["seed"]))
        assert said.hex() != case["commitment"], other["why"]
    assert all(map(FORMULAS["value"], case["values"]))


def pact(case: dict[str, Any]) -> None:
    for one in case["pacts"]:
        read = pacts.read_pact(plain(one["body"]))
        assert (read.kind, read.id.hex()) == (one["kind"], one["id"])
    for other in case["refused"]:
        assert refusal(pacts.read_pact, plain(other["body"])) == other["code"], other["why"]
    for pair in case["covers"]:
        first, second = (pacts.read_pact(plain(pair[name])) for name in ("first", "second"))
        assert pacts.covers(first, second, raw(pair["members"])) == pair["covers"]
    for count in case["enough"]:
        members = [bytes([number]) for number in range(count["members"])]
        pact = pacts.Pact(count["kind"], 0, b"", [], None, 0, [], b"", frozenset(members[: count["left"]]))
        assert pacts.least(pact, members) == count["signers"]


def star(case: dict[str, Any]) -> None:
    read = savedgame.read_star(raw(case["star"]))
    assert [one.id.hex() for one in read.entries] == case["entries"]
    assert (read.height, read.head.hex(), read.exporter.hex()) == (case["height"], case["head"], case["exporter"])
    assert read.program == case["program"]
    for other in case["refused"]:
        found = refusal(savedgame.read_star, raw(other["star"])) or judge(raw(other["star"]), b"").problems[0][1]
        assert found == other["code"], other["why"]


def evidence(case: dict[str, Any]) -> None:
    assert proven(read_evidence(raw(case["evidence"])), b"") == case["code"]
    for other in case["refused"]:
        assert refusal(read_evidence, raw(other["evidence"])) == other["code"], other["why"]


def game(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        verdict = judge(raw(case["star"]), raw(case["told"]))
        reading = verdict.reading
        assert verdict.problems == [], case["name"]
        assert reading is not None
        assert {str(height): found.hex() for height, found in reading.heads.items()} == case["heads"], case["name"]
        assert {str(height): epoch for height, epoch in reading.epochs.items()} == case["epochs"]
        assert {str(height): found for height, found in reading.members.items()} == case["members"]
        assert [list(effect) for effect in reading.effects] == case["pacts"]
        assert [
            {"height": one.height, "k": one.k, "value": one.value.hex(), "faces": one.faces}
            for one in reading.rolls
            if one.faces
        ] == case["rolls"]
        assert (verdict.over, verdict.final) == (case["complete"], case["final"])
        assert verdict.end is not None
        assert [*verdict.end[:2], [key.hex() for key in verdict.end[2]]] == case["end"]


def refused_game(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        verdict = judge(raw(case["star"]), raw(case["told"]))
        assert [list(problem) for problem in verdict.problems] == case["problems"], case["name"]


def bundle(case: dict[str, Any]) -> None:
    read = posting.read_bundle(raw(case["bundle"]))
    assert (read.made, read.writer.hex()) == (case["made"], case["writer"])
    assert [one.hex() for one in read.entries] == case["entries"]
    assert [[author.hex(), seq, last.hex()] for author, seq, last in read.feeds] == case["feeds"]
    for other in case["refused"]:
        assert refusal(posting.read_bundle, raw(other["bundle"])) == other["code"], other["why"]


def letter(case: dict[str, Any]) -> None:
    statements, behind = posting.read_letter(raw(case["letter"]))
    assert behind == b""
    assert [(one.kind, one.id.hex(), one.about.hex(), one.author.hex()) for one in statements] == [
        (one["kind"], one["id"], one["about"], one["author"]) for one in case["statements"]
    ]
    made = posting.made_genesis(statements)
    assert (encode(made).hex(), genesis.Genesis(made).table.hex()) == (case["genesis"], case["table"])
    for other in case["refused"]:
        assert refusal(posting.read_letter, raw(other["letter"])) == other["code"], other["why"]


def posted_text(case: dict[str, Any]) -> None:
    parts = list(case["parts"])
    random.Random(5).shuffle(parts)
    found = posting.read_posted("and this one: ".join(parts).upper())
    assert (found.whole, found.damaged, found.other) == (raw(case["data"]), 0, 0)
    for other in case["refused"]:
        found = posting.read_posted(other["text"])
        assert found.whole is None
        assert [found.damaged, found.other] == other["damaged, other"], other["why"]


def ticket(case: dict[str, Any]) -> None:
    text = f"Come to “{case['ticket'][:40].upper()}\n  {case['ticket'][40:]}”"
    for form in (case["ticket"], text.replace("“", '"').replace("”", '"')):
        read = carried.read_ticket(form, KEPT)
        assert (read.lobby, read.inviter, read.secret) == tuple(
            raw(case[name]) for name in ("lobby", "inviter", "secret")
        )
        assert (read.candidates, read.relays, read.expiry) == (case["candidates"], case["relays"], case["expiry"])
    heard = carried.read_ticket(case["announced"], KEPT)
    assert (heard.secret.hex(), heard.candidates) == (case["secret"], case["candidates"])
    assert [carried.read_ticket(case["ticket"], KEPT).meeting().hex(), heard.meeting().hex()] == case["meeting"]
    for other in case["refused"]:
        assert refusal(carried.read_ticket, other["text"], KEPT) == other["code"], other["why"]
    assert refusal(carried.read_ticket, case["ticket"], case["expiry"] + 1) == case["expired"]


def relay(case: dict[str, Any]) -> None:
    assert relaying.room(raw(case["secret"]), raw(case["identity"])).hex() == case["room"]
    for each in case["requests"]:
        read = relaying.read_request(raw(each["content"]))
        assert read == (each["verb"], raw(each["room"]), each["port"], raw(each["pass"]))
    for each in case["answers"]:
        assert relaying.read_answer(raw(each["content"])) == each["is"]
    readers: list[tuple[str, Callable[[bytes], object]]] = [
        ("requests", relaying.read_request),
        ("answers", relaying.read_answer),
    ]
    for name, reader in readers:
        for other in case[f"refused {name}"]:
            assert refusal(reader, raw(other["content"])) == other["code"], other["why"]
    visit = case["visit"]
    held, visitor, own = (
        X25519PrivateKey.from_private_bytes(raw(visit[name])) for name in ("private key", "visitor", "relay")
    )
    key, theirs, mine = (each.public_key().public_bytes_raw() for each in (held, visitor, own))
    assert key.hex() == visit["key"]
    noise = relaying.Visit(key)
    assert relaying.opening(noise.message(theirs, raw(visit["visitor"]), key)).hex() == visit["first"]
    assert noise.message(mine, raw(visit["relay"]), theirs).hex() == visit["second"]
    asking, answering = noise.ciphers()
    assert asking.encrypt(bytes(12), raw(visit["request"]), None).hex() == visit["encrypted"]
    assert answering.encrypt(bytes(12), raw(visit["answer"]), None).hex() == visit["answered"]


def admission(case: dict[str, Any]) -> None:
    access = relaying.access_key(raw(case["private key"]), case["club"])
    assert access.hex() == case["access"]
    good = relaying.make_pass(access, raw(case["tag"]), case["expiry"])
    assert good.hex() == case["pass"]
    assert relaying.judge_pass(good, access, case["expiry"]) == ""
    for other in case["refused"]:
        assert relaying.judge_pass(raw(other["pass"]), access, other["now"]) == other["code"], other["why"]


def answer(case: dict[str, Any]) -> None:
    seed, inviter, lobby = (raw(case[name]) for name in ("seed of the inviter", "inviter", "lobby"))
    keys = carried.x25519_keys(seed, inviter)
    public = X25519PrivateKey.from_private_bytes(keys[0]).public_key().public_bytes_raw()
    assert [*map(raw, case["X25519 keys of the inviter"])] == [keys[0], public] == [*keys]
    read = carried.read_answer(case["answer"], seed, inviter, lobby)
    assert read is not None
    assert (read.lobby, read.guest, read.instance) == tuple(raw(case[name]) for name in ("lobby", "guest", "instance"))
    assert (read.places, read.expiry) == (case["places"], case["expiry"])
    for other in case["refused"]:
        if other["code"] == "another key":
            assert carried.read_answer(other["text"], seed, inviter, lobby) is None, other["why"]
        else:
            assert refusal(carried.read_answer, other["text"], seed, inviter, lobby) == other["code"], other["why"]


def whereabouts(case: dict[str, Any]) -> None:
    table = raw(case["table"])
    fields = carried.read_table_ticket(case["ticket"])
    assert carried.table_ticket_right(table, fields)
    assert [encode(said) for said in fields[2]] == [raw(each) for each in case["whereabouts"]]
    assert all(carried.whereabouts_right(table, said) for said in fields[2])
    for other in case["refused"]:
        if other["code"] != "signature":
            assert refusal(carried.read_table_ticket, other["text"]) == other["code"], other["why"]
        elif "text" in other:
            assert not carried.table_ticket_right(table, carried.read_table_ticket(other["text"])), other["why"]
        else:
            assert not carried.whereabouts_right(table, decode(raw(other["whereabouts"]))), other["why"]


CHECKS: dict[str, Callable[[Any], None]] = {
    "encoding": encoding,
    "refused encoding": refused_encoding,
    "signature": signature,
    "entry": entry,
    "chat": chat,
    "contradiction": contradiction,
    "genesis": genesis_,
    "certificate": certificate,
    "words": words,
    "refused told": refused_told,
    "refused outcome": refused_outcome,
    "end": end,
    "refused end": refused_end,
    "told file": told_file,
    "refused told file": refused_told_file,
    "roll": roll,
    "pact": pact,
    "star": star,
    "evidence": evidence,
    "game": game,
    "refused game": refused_game,
    "bundle": bundle,
    "letter": letter,
    "posted text": posted_text,
    "relay": relay,
    "pass": admission,
    "ticket": ticket,
    "answer": answer,
    "whereabouts": whereabouts,
}


def formula(name: str, cases: Any) -> None:
    """All cases of a formula follow from their inputs, none of those that are refused does."""
    right, refused = FORMULAS[name.removeprefix("refused ")], name.startswith("refused ")
    for case in cases if isinstance(cases, list) else [cases]:
        assert right(case) is not refused, case.get("why", case)


@pytest.mark.parametrize("name", VECTORS)
def test_the_second_verifier_gives_and_refuses_what_the_vectors_say(name: str) -> None:
    checks = CHECKS | PROOFS
    if name in checks:
        checks[name](VECTORS[name])
    else:
        formula(name, VECTORS[name])
