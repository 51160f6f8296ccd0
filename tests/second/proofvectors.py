# SPDX-License-Identifier: GPL-3.0-or-later
"""The second verifier judges the vectors' proofs, keys, cards and secret choices as they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from second import formulas
from second.anew import Anew
from second.cards import Card, DeckKeys, Form, Opening, card_point
from second.choices import Choice, commitment, read_seal
from second.codec import Refused, encode, refuse
from second.decks import Decks, OpenDecks
from second.dice import KeyRun, ThresholdKey, lock_base
from second.formulas import FORMULAS
from second.group import hashed_point, read_points, read_scalars
from second.proofs import Shuffle, holds, read_pairs
from second.vectors import VECTORS, handle, plain, raw, refusal, whole

TABLE = bytes([7]) * 32


def group(case: dict[str, Any]) -> None:
    for point in raw(case["points"]):
        assert read_points(point, 1, "refused") == [point]
    for why, point in case["refused points"].items():
        assert refusal(read_points, raw(point), 1, "refused") == "refused", why
    for scalar in raw(case["scalars"]):
        assert read_scalars(scalar, 1, "refused") == [int.from_bytes(scalar, "little")]
    for scalar in raw(case["refused scalars"]):
        assert refusal(read_scalars, scalar, 1, "refused") == "refused"


def proof(cases: dict[str, Any]) -> None:
    for name, case in cases.items():
        if name == "several":
            assert all(map(FORMULAS["several"], case))
            continue
        assert proves(case)
        for other in case["refused"]:
            assert refusal(proves, other) or not proves(other), other["why"]


def proves(case: dict[str, Any]) -> bool:
    rows = raw(case["rows"])
    scalars = read_scalars(raw(case["proof"]), 1 + len(rows[0]), "form")
    return holds(case["tag"], plain(case["place"]), rows, raw(case["images"]), scalars)


def run_of(case: dict[str, Any]) -> KeyRun:
    run = KeyRun(raw(case["table"]), case["epoch"], raw(case["members"]))
    for key, announcement in zip(run.keys, raw(case["announcements"]), strict=True):
        run.announced[key] = run.read_announcement(key, announcement)
    for key, body in zip(run.keys, raw(case["keys"]), strict=True):
        run.dealt[key] = run.read_keys(key, body)
    return run


def threshold_keys(case: dict[str, Any]) -> None:
    run = run_of(case)
    assert (run.roster.hex(), run.threshold, run.ok().hex()) == (case["roster"], case["threshold"], case["ok"])
    for purpose, key in run.finished().items():
        assert (key.public, key.shares) == (raw(case["public"][purpose]), raw(case["shares"][purpose]))
    for other in case["refused announcements"]:
        assert refusal(run.read_announcement, raw(other["author"]), raw(other["body"])) == other["code"], other["why"]
    for other in case["refused keys"]:
        assert refusal(run.read_keys, raw(other["author"]), raw(other["body"])) == other["code"], other["why"]
    for why, complaint in case["complaints"].items():
        assert convicted(run_of(case), complaint) == (complaint["code"], raw(complaint["culprit"])), why


def convicted(run: KeyRun, complaint: dict[str, Any]) -> tuple[str, bytes]:
    """The code and the culprit of a complaint about the first member."""
    author, body = raw(complaint["author"]), raw(complaint["complaint"])
    run.dealt[run.keys[0]] = run.read_keys(run.keys[0], raw(complaint["keys"]))
    try:
        return "keys/bad-share", run.read_complaint(author, body)
    except Refused as refused:
        return refused.code, author


def lock(case: dict[str, Any]) -> None:
    members, shares = raw(case["members"]), raw(case["shares"])
    key = ThresholdKey(raw(case["table"]), case["epoch"], case["purpose"], members, raw(case["public"]), shares)
    base = lock_base(key.table, key.epoch, case["k"])
    assert (base.hex(), key.threshold) == (case["point"], case["threshold"])
    given = zip(members, raw(case["partials"]), strict=True)
    values = {author: key.read_partial(author, base, partial, "form", "proof") for author, partial in given}
    for left_out in members:
        some = {author: value for author, value in values.items() if author != left_out}
        assert key.combined(some).hex() == case["gamma"]
    assert all(map(FORMULAS["weights"], case["weights"]))
    for other in case["refused"]:
        arguments = raw(other["author"]), base, raw(other["partial"]), "lock/form", "lock/proof"
        assert refusal(key.read_partial, *arguments) == other["code"], other["why"]


def keys_of(case: dict[str, Any], points: str = "") -> DeckKeys:
    keys = DeckKeys(TABLE, case.get("generation", 0), raw(case["members"]))
    if points:
        keys.points = dict(zip(keys.keys, raw(case[points]), strict=True))
    return keys


def deck_keys(case: dict[str, Any]) -> None:
    keys = keys_of(case)
    assert keys.roster.hex() == case["roster"]
    for author, body in zip(keys.keys, raw(case["keys"]), strict=True):
        keys.points[author] = keys.read_key(author, body)
    assert keys.public.hex() == case["public"]
    for other in case["refused"]:
        assert refusal(keys.read_key, raw(other["author"]), raw(other["key"])) == other["code"], other["why"]


def shuffled(case: dict[str, Any], public: bytes) -> Shuffle:
    cards = read_pairs(raw(case["input"]), len(case["input"]) // 128, "input")
    read = Shuffle(raw(case["body"]), len(cards))
    if not read.proves(plain(case["place"]), public, cards):
        refuse("deck/shuffle-proof")
    return read


def shuffle(case: dict[str, Any]) -> None:
    public = raw(case["public"])
    assert [hashed_point("tw/gen", i).hex() for i in range(len(case["generators"]))] == case["generators"]
    one = case["shuffle"]
    cards = read_pairs(raw(one["input"]), len(one["input"]) // 128, "input")
    u, z, x = shuffled(one, public).challenges(plain(one["place"]), public, cards)
    assert (u, z, x) == (list(map(whole, one["u"])), list(map(whole, one["z"])), whole(one["x"]))
    for following in case["following"]:
        shuffled(following, public)
    for other in case["refused"]:
        assert refusal(shuffled, other, public) == other["code"], other["why"]
    for other in case["refused elsewhere"]:
        assert refusal(shuffled, other, public) == "deck/shuffle-proof", other["why"]


def reading(case: dict[str, Any]) -> None:
    keys = keys_of(case, "points")
    assert keys.public == raw(case["public"])
    assert [card_point(TABLE, "bag", number).hex() for number in range(4)] == case["cards"]
    output = [shuffled(one, keys.public).output for one in case["shuffle"]][-1]
    lying = {("bag", at): Card(("bag", at), [Form(pair)]) for at, pair in enumerate(output)}
    for height, step in enumerate(case["steps"]):
        reader = raw(step["reader"])
        opening = Opening(keys, [lying[handle(row)] for row in step["handles"]], reader, step["asked"] == "reveal")
        opening.begin()
        for one in step["entries"]:
            give(opening, one)
        opening.end(height, lambda deck, point: case["cards"].index(point.hex()))
        found = [case["faces"][lying[handle(row)].number] if step["cards"] else None for row in step["handles"]]
        assert found == (step["cards"] or [None] * len(found))
        assert not any(opening.to_share(member) or opening.to_remask(member) for member in keys.keys)
    for other in case["refused shares"]:
        arguments = raw(other["author"]), raw(other["firsts"]), raw(other["share"])
        assert refusal(keys.read_share, *arguments, "deck/form", "deck/share-proof") == other["code"], other["why"]
    for other in case["refused remasks"]:
        old = raw(other["old"])
        said = raw(other["author"]), [("bag", 0)], [(old[:32], old[32:])], raw(other["remask"])
        assert refusal(keys.read_remask, *said) == other["code"], other["why"]


def give(opening: Opening, one: dict[str, Any]) -> None:
    """One entry of a step: its author owes just that."""
    author = raw(one["author"])
    if "remask" in one:
        assert [list(card.handle) for card in opening.to_remask(author)] == one["handles"]
        assert [(card.last.pair[0] + card.last.pair[1]).hex() for card in opening.to_remask(author)] == one["old"]
        opening.remask(author, raw(one["remask"]))
    else:
        cards = opening.to_share(author)
        assert [list(card.handle) for card in cards] == one["handles"]
        assert [card.used(opening.reader).pair[0].hex() for card in cards] == one["firsts"]
        opening.share(author, raw(one["share"]))


def open_deck(case: dict[str, Any]) -> None:
    decks = OpenDecks()
    for one in case["shuffles"]:
        assert formulas.open_deck(one, decks)


def choice(case: dict[str, Any]) -> None:
    place = raw(case["table"]), case["epoch"], handle(case["handle"]), raw(case["author"])
    assert commitment(*place, raw(case["value"]), raw(case["nonce"])).hex() == case["commitment"]
    for other in case["refused openings"]:
        assert commitment(*place, raw(other["value"]), raw(other["nonce"])).hex() != case["commitment"], other["why"]
    forced(place, case["forced"])


def forced(place: tuple[bytes, int, tuple[str, int], bytes], case: dict[str, Any]) -> None:
    row = case["key"]
    key = ThresholdKey(place[0], row["epoch"], "seal", raw(row["members"]), raw(row["public"]), raw(row["shares"]))

    def sealed(body: list[Any]) -> Choice:
        read = Choice(*place, b"", 0, b"")
        read_seal(read, raw(body), key)
        return read

    def partial(author: bytes, body: bytes) -> bytes:
        return key.read_partial(author, sealed(case["seal"]).point, body, "seal/form", "seal/proof")

    shared = key.combined({author: partial(author, body) for author, body in raw(case["partials"])})
    assert shared.hex() == case["shared"]
    assert encode(sealed(case["seal"]).force(shared)).hex() == case["value"]
    assert sealed(case["seal"]).fits(raw(case["value"]), raw(case["nonce"]))
    for other in case["refused seals"]:
        assert refusal(sealed, other["seal"]) == other["code"], other["why"]
    for other in case["refused partials"]:
        assert refusal(partial, raw(other["author"]), raw(other["partial"])) == other["code"], other["why"]
    for other in case["unopenable"]:
        assert refusal(sealed(other["seal"]).force, raw(other["shared"])) == other["code"], other["why"]


def anew_of(case: dict[str, Any]) -> Anew:
    """The deck of the vectors before it is dealt anew."""
    old = Decks(keys_of(VECTORS["reading"], "points"), made=True)
    for hand in case["hands"]:
        pair = read_pairs(raw(hand["old"]), 1, "old")[0]
        shares = {raw(key): raw(share) for key, share in hand["shares"].items()}
        lies = handle(hand["handle"])
        old.lie.lying[lies] = Card(lies, [Form(pair, raw(hand["reader"]), shares)])
    for lies in map(handle, case["free"]):
        old.lie.lying[lies] = Card(lies, [Form(old.keys.openly("bag", 0))])
    known = 1
    for lies in map(handle, [row[0] for row in case["known"]]):
        old.lie.lying[lies] = Card(lies, [Form(old.keys.openly("bag", known))], known, [0])
    old.lie.numbers["bag"] = [0, known, 2, 3]
    reads = {(handle(hand["handle"]), raw(hand["reader"])) for hand in case["hands"]}
    number = plain(case["shuffle"][0]["place"])[5]
    return Anew(old, keys_of(case, "new points"), case["deck"], number, reads)


def anew(case: dict[str, Any]) -> None:
    deal = anew_of(case)
    assert (deal.new.public.hex(), deal.numbers) == (case["public"], case["numbers"])
    assert [list(name) for name in deal.free] == case["free"]
    for one in case["shuffle"]:
        place = deal.new.shuffle_place("bag", deal.number, raw(one["author"]))
        assert place == plain(one["place"])
        assert [a + b for a, b in deal.fresh] == [a + b for a, b in read_pairs(raw(one["input"]), 3, "input")]
        deal.fresh = shuffled(one, deal.new.public).output
    for other in case["refused remask"]:
        author = raw(case["remask"][0]["author"])
        assert refusal(deal.remask, author, raw(other["body"])) == other["code"], other["why"]
    for one in case["remask"]:
        deal.remask(raw(one["author"]), raw(one["body"]))
    for other in case["refused tag"]:
        assert refusal(deal.blind, raw(other["author"]), raw(other["body"])) == other["code"], other["why"]
    for one in case["tag"]:
        assert b"".join(a + b for a, b in deal.to_blind()).hex() == one["before"]
        deal.blind(raw(one["author"]), raw(one["body"]))
    for one in case["share"]:
        assert deal.firsts(raw(one["author"])) == raw(one["firsts"])
        deal.share(raw(one["author"]), raw(one["body"]))
    assert [tag.hex() for tag in deal.tags()] == case["tags"]
    laid = Decks(deal.new, made=True)
    deal.lay(laid)
    assert [lying(name, found) for name, found in laid.lie.lying.items()] == case["lying"]


def lying(name: tuple[str, int], found: Card) -> dict[str, Any]:
    return {"handle": list(name), "forms": [form_of(form) for form in found.forms]}


def form_of(form: Form) -> dict[str, Any]:
    return {
        "pair": (form.pair[0] + form.pair[1]).hex(),
        "reader": form.reader.hex() if form.reader else None,
        "shares": {key.hex(): share.hex() for key, share in form.shares.items()},
    }


PROOFS: dict[str, Callable[[Any], None]] = {
    "group": group,
    "proof": proof,
    "threshold keys": threshold_keys,
    "lock": lock,
    "deck keys": deck_keys,
    "shuffle": shuffle,
    "reading": reading,
    "open deck": open_deck,
    "choice": choice,
    "anew": anew,
}
