"""Shuffles of sealed cards: the same cards, an order that nobody can tell, and no other message that passes."""

from __future__ import annotations

from base64 import b85decode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import pytest
import shuffleoracle
from fairtable import TABLE, fresh
from volume import gated

from seeds import ristretto
from seeds.group import BASE, IDENTITY, L, Point, add, base, hash_point, mul, pack_scalars, read_point, sub
from seeds.hashing import H, Part, kdf, kdfs
from seeds.proofs import WEIGHT, Place, scalar
from seeds.shuffle import (
    MOST_CARDS,
    ROWS,
    ProvenShuffle,
    Sealed,
    Statement,
    challenge,
    challenges,
    check_shuffles,
    generator,
    link_weights,
    proven,
    read_shuffled,
    remasked,
    shuffle,
)

PLACE = (TABLE, 0, "bag", 1, b"ann")
X = scalar(fresh("x"), "x")
Y = base(X)


EARLIER = b85decode(
    "^gkoCOn4So0{i@_4CViAc2vJhbg7rZvdURfuWg=Y-U^IA>Q)@$Ql;$#N#5j5&#_B(uY%wma=T7;+sXoej46H=NVY1GQZ5h3cWhA3*WP)Yibcy<sICy"
    "UEpQibW}7i`+mAI}-lquW#<h9tO{auG-8<+@v=C|+s2J1%pv~v{)5&VV#6BSt#IF?)MAX!;@tm=L1t@yXVD%FR%tF!!x+EIY63l|ck_N2^y5L0^Fw{"
    "9qcj1QJB*C~6;H?)48Y(7^8jyN2jY-VdhOw^x<_onV{CKyWfolbGCa>7zAv|VR$#LSOwG-j{cK2BvA|8)>O<g)2*&|gfUf`Ecxq*kMSOPUW!gxtoh3"
    "r08siA^l8}0h8hgcaeAnyb7RAtZG^&2xaVU+OFG6O-z1k3sns8vgG;t>`j@KGWp)<8UZzli8IAS>=@tKEE*;ATsaS<*rP>T_raGNPW^XV(cu3;Q2W3"
    "4Rv_uo^|8iTD`CGvFK5x6{56<`}+sP#3BjGg~g`wYTBu0hM?+@ItYv)Cf^dw?{}qjLUHW>+Su`;wdk-|IjKf7aRcs&8!%d!MFq*FZMKl%8<|K;y!8n"
    "tL(G8A(nHN6X{IoMp__^uQ-lr>NXH+t#ex%5ZhjrPnG&*-i&9fF1=beho4-$+i<HXQDn&ml5v0~x8U>kR{O9>OQdFXHGc<b$K22q4?Kw87JYjR9}%Q"
    "&D0aI^=T|HiBB%98`csT6FT6BPv-JRYsy7P&Qz!fZ-us>D<1mb{!1j5ehwWg%Jf0v9FC)`e6w_7(%rpz(Oma0!eQHr~F%1t%)ADS@l93nJPHA=H4pV"
    "^wca(SKh9$-D4&vICQ8yEM7Af)%3<{!RM#*B_6H8PLQ`$_D4MGQ^?(yRX@&_EO01mOc12{)EcR0}e*8CO-ubueZDCZ$T1zH;Xzu)>!cJMZtHzQIjHy"
    "i5SYEcFZ"
)
"""Points and scalars of a shuffle of two cards in the form of earlier programs: an equation for each link."""


def deck(count: int) -> list[Sealed]:
    return [(BASE, add(hash_point("card", i), Y)) for i in range(count)]


def check_shuffle(place: Place, key: Point, cards: Sequence[Sealed], shuffled: ProvenShuffle) -> bool:
    return check_shuffles([Statement(place, key, tuple(cards), shuffled)])


def opened(cards: tuple[Sealed, ...]) -> list[int]:
    known = {hash_point("card", i): i for i in range(60)}
    return [known[sub(b, mul(X, a))] for a, b in cards]


def forged(
    order: list[int], change: Callable[[list[Sealed]], list[Sealed]] = list, errors: int = 0, count: int = 4
) -> ProvenShuffle:
    """What the honest algorithm makes of a wrong order, changed output or wrong randomness."""
    cards, chance = deck(count), kdf(fresh("forged"), "any")
    r = [scalar(chance, "r'", number) for number in range(count)]
    output = change([remasked(cards[j], Y, number) for j, number in zip(order, r, strict=True)])
    return proven(PLACE, Y, cards, tuple(output), order, [number + errors for number in r], chance)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 12])
def test_a_shuffle_holds_the_same_cards_and_convinces(count: int) -> None:
    cards = deck(count)
    shuffled = shuffle(PLACE, Y, cards, fresh(count))
    assert check_shuffle(PLACE, Y, cards, shuffled)
    assert sorted(opened(shuffled.cards)) == list(range(count))
    assert not set(shuffled.cards) & set(cards)
    assert read_shuffled(shuffled.plain(), count) == shuffled
    assert sum(map(len, shuffled.plain())) == 64 * count + 96 * count + 352


def test_the_oracle_computes_in_the_same_group() -> None:
    for number, encoding in enumerate(ristretto.MULTIPLES):
        element = shuffleoracle.times(number, shuffleoracle.decode(BASE))
        assert shuffleoracle.encode(element).hex() == encoding
        assert shuffleoracle.equal(element, shuffleoracle.decode(bytes.fromhex(encoding)))
    for encoding in ristretto.BAD:
        with pytest.raises(ValueError, match="not an encoding"):
            shuffleoracle.decode(bytes.fromhex(encoding))


def with_(shuffled: ProvenShuffle, name: str, value: Any) -> ProvenShuffle:
    changes: dict[str, Any] = {name: value}
    return replace(shuffled, **changes)


def alterations(shuffled: ProvenShuffle) -> Iterator[tuple[str, ProvenShuffle]]:
    """Every number and point of a shuffle changed, one at a time."""
    for name in ("commitments", "chain", "t"):
        for at, point in enumerate(getattr(shuffled, name)):
            points = list(getattr(shuffled, name))
            points[at] = add(point, BASE)
            yield f"{name} {at}", with_(shuffled, name, tuple(points))
    for name in ("s", "s_hat", "s_prime"):
        for at, number in enumerate(getattr(shuffled, name)):
            numbers = list(getattr(shuffled, name))
            numbers[at] = (number + 1) % L
            yield f"{name} {at}", with_(shuffled, name, tuple(numbers))
    for at, (a, b) in enumerate(shuffled.cards):
        for pair in ((add(a, BASE), b), (a, add(b, BASE)), (b, a)):
            yield f"card {at}", replace(shuffled, cards=(*shuffled.cards[:at], pair, *shuffled.cards[at + 1 :]))


@pytest.mark.parametrize("part", gated(range(4), 1))
def test_n29_the_verifier_and_the_oracle_accept_and_refuse_alike(part: int) -> None:
    cards = deck(2)
    h = [generator(number) for number in range(3)]
    shuffled = shuffle(PLACE, Y, cards, fresh("oracle"))
    assert check_shuffle(PLACE, Y, cards, shuffled)
    assert shuffleoracle.accepts(PLACE, Y, h, cards, shuffled)
    for what, wrong in islice(alterations(shuffled), part, None, 4):
        assert not check_shuffle(PLACE, Y, cards, wrong), what
        assert not shuffleoracle.accepts(PLACE, Y, h, cards, wrong), what
    for other in ((*PLACE[:3], 2, b"ann"), (*PLACE[:4], b"bob"), PLACE[:4]):
        assert not shuffleoracle.accepts(other, Y, h, cards, shuffled)


def test_n29_a_shuffle_in_the_form_of_earlier_programs_passes_and_none_that_is_altered() -> None:
    cards, shuffled = deck(2), read_shuffled([EARLIER[:480], EARLIER[480:]], 2)
    assert shuffled is not None
    assert len(shuffled.s_hat) == 2
    assert check_shuffle(PLACE, Y, cards, shuffled)
    assert shuffleoracle.accepts(PLACE, Y, [generator(number) for number in range(3)], cards, shuffled)
    for what, wrong in alterations(shuffled):
        assert not check_shuffle(PLACE, Y, cards, wrong), what


def test_shuffles_checked_together_pass_if_each_of_them_would() -> None:
    statements, cards = [], tuple(deck(2))
    for number in range(3):
        shuffled = shuffle((*PLACE, number), Y, cards, fresh("together", number))
        statements.append(Statement((*PLACE, number), Y, cards, shuffled))
        cards = shuffled.cards
    assert check_shuffles([])
    assert check_shuffles(statements)
    assert check_shuffles(statements[::2])
    for what, wrong in alterations(statements[1].shuffled):
        assert not check_shuffles([statements[0], replace(statements[1], shuffled=wrong), statements[2]]), what


def test_errors_of_two_shuffles_that_would_cancel_each_other_are_found_when_both_are_checked_together() -> None:
    """Each alone misses its equations by a point; without weights the sum would be the identity again."""
    cards = tuple(deck(2))
    one, other = (shuffle((*PLACE, number), Y, cards, fresh("cancel", number)) for number in range(2))
    high = replace(one, s=((one.s[0] + 1) % L, *one.s[1:]))
    low = replace(other, s=((other.s[0] - 1) % L, *other.s[1:]))
    pair = [Statement((*PLACE, number), Y, cards, shuffled) for number, shuffled in enumerate((high, low))]
    assert not check_shuffles(pair)


def test_n28_a_false_shuffle_fitted_to_the_weights_would_pass_if_these_left_the_responses_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A card is replaced, which breaks one equation by a multiple of the base point. Who knows the weights before he
    chooses the responses breaks another one by as much the other way."""
    cards = tuple(deck(4))

    def weak(tag: str, *parts: Part) -> bytes:
        return H(tag, *parts[:1]) if tag == "tw/weights" else H(tag, *parts)

    false = forged([0, 1, 2, 3], lambda out: [(out[0][0], add(out[0][1], BASE)), *out[1:]])
    x = challenge(PLACE, Y, cards, false.cards, false.commitments, false.chain, false.t)
    weights = kdfs(weak("tw/weights", pack_scalars([x])), "weight", 0, ROWS + 1)
    z1, _, _, z4, *_ = (int.from_bytes(key) % WEIGHT for key in weights)
    u = challenges(PLACE, Y, cards, false.cards, false.commitments)
    amount = -z4 * x * u[0] * pow(z1, -1, L)
    lie = replace(false, s=((false.s[0] + amount) % L, *false.s[1:]))
    assert not check_shuffle(PLACE, Y, cards, lie)
    assert not shuffleoracle.accepts(PLACE, Y, [generator(number) for number in range(5)], cards, lie)
    monkeypatch.setattr("seeds.shuffle.H", weak)
    assert check_shuffle(PLACE, Y, cards, lie), "the forger did what can be done"


def test_the_weights_follow_from_every_number_and_point_of_what_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A single part left out of them could be chosen to fit, also that of another shuffle of the same batch."""
    told: list[bytes] = []

    def noted(secret: bytes, label: str, first: int, count: int) -> list[bytes]:
        told.append(secret)
        return kdfs(secret, label, first, count)

    monkeypatch.setattr("seeds.shuffle.kdfs", noted)
    cards = tuple(deck(2))
    one, other = (
        Statement((*PLACE, number), Y, cards, shuffle((*PLACE, number), Y, cards, fresh("told", number)))
        for number in range(2)
    )
    variants = [replace(other, shuffled=wrong) for _, wrong in alterations(other.shuffled)]
    variants += [replace(other, place=PLACE), replace(other, key=add(Y, BASE)), replace(other, cards=cards[::-1])]
    for variant in (other, *variants):
        check_shuffles([one, variant])
    assert len(set(told)) == len(told) == 1 + len(variants)


def test_n31_the_oracle_refuses_generators_of_somebodys_own() -> None:
    cards, shuffled = deck(2), shuffle(PLACE, Y, deck(2), fresh("oracle"))
    trapdoors = [base(number + 2) for number in range(3)]
    assert not shuffleoracle.accepts(PLACE, Y, trapdoors, cards, shuffled)
    assert [generator(i) for i in range(5)] == [hash_point("tw/gen", i) for i in range(5)]
    assert len({generator(i) for i in range(MOST_CARDS + 1)}) == MOST_CARDS + 1


def test_n25_a_proof_counts_for_its_place_key_and_input_only() -> None:
    cards = deck(4)
    shuffled = shuffle(PLACE, Y, cards, fresh(25))
    assert check_shuffle(PLACE, Y, cards, shuffled)
    for other in ((TABLE, 1, *PLACE[2:]), (*PLACE[:2], "deck", *PLACE[3:]), (*PLACE[:3], 2, b"ann"), PLACE[:4]):
        assert not check_shuffle(other, Y, cards, shuffled)
    assert not check_shuffle(PLACE, add(Y, BASE), cards, shuffled)
    assert not check_shuffle(PLACE, Y, cards[::-1], shuffled)
    assert not check_shuffle(PLACE, Y, [*cards[:3], (BASE, add(hash_point("card", 9), Y))], shuffled)


LIES = {
    "N22, N26: a card copied and masked anew": ([0, 0, 2, 3], list, 0),
    "N22: one card only": ([1, 1, 1, 1], list, 0),
    "N23: another card": ([0, 1, 2, 3], lambda out: [(out[0][0], add(out[0][1], BASE)), *out[1:]], 0),
    "N23: another mask": ([0, 1, 2, 3], lambda out: [(add(out[0][0], BASE), out[0][1]), *out[1:]], 0),
    "N27: a card from outside": (
        [0, 1, 2, 3], lambda out: [remasked((BASE, add(hash_point("card", 9), Y)), Y, 5), *out[1:]], 0
    ),
    "N28: wrong randomness": ([0, 1, 2, 3], list, 1),
    "another order than proven": ([0, 1, 2, 3], lambda out: [out[1], out[0], *out[2:]], 0),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_n22_n23_n26_n27_n28_the_honest_algorithm_with_dishonest_input_convinces_nobody(lie: str) -> None:
    cards, h = deck(4), [generator(number) for number in range(5)]
    false = forged(*LIES[lie])
    assert not check_shuffle(PLACE, Y, cards, false)
    assert not shuffleoracle.accepts(PLACE, Y, h, cards, false)


def test_cards_mixed_would_pass_if_the_links_of_the_chain_had_no_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    """The output is B_0 + 2 B_1 and -B_1, so u'_0 = u_0, u'_1 = 2 u_0 - u_1, and only the chain is wrong. The forger
    ends it at the right point and chooses its middle so that the errors of its two links cancel each other."""
    cards, h = tuple(deck(2)), [generator(number) for number in range(3)]
    (a0, b0), (a1, b1) = cards
    mixed = (add(a0, mul(2, a1)), add(b0, mul(2, b1))), (sub(IDENTITY, a1), sub(IDENTITY, b1))
    output = tuple(remasked(card, Y, r) for card, r in zip(mixed, (5, 6), strict=True))
    c = add(add(h[1], mul(2, h[2])), base(14)), sub(base(9), h[2])
    u = challenges(PLACE, Y, cards, output, c)
    first, second, end = u[0], 2 * u[0] - u[1], u[0] * u[1] % L
    middle = (first - end) * pow(1 - second, -1, L) % L
    chain = mul(middle, h[0]), mul(end, h[0])

    def lie(z: Sequence[int]) -> ProvenShuffle:
        a, b = (add(mul(6, one), mul(7, other)) for one, other in zip(*output, strict=True))
        links = add(mul(6 * z[0] % L, h[0]), mul(7 * z[1] % L, chain[0]))
        c_tilde = add(mul(6, h[1]), mul(7, h[2]))
        t = base(1), base(2), add(base(3), c_tilde), sub(b, mul(4, Y)), sub(a, base(4)), add(base(5), links)
        x = challenge(PLACE, Y, cards, output, c, chain, t)
        secrets = 23, 0, 14 * u[0] + 9 * u[1], 5 * first + 6 * second
        s1, s2, s3, s4 = ((one + x * secret) % L for one, secret in enumerate(secrets, 1))
        return ProvenShuffle(output, c, chain, t, (s1, s2, s3, s4), (5,), ((6 + x * first) % L, (7 + x * second) % L))

    z = link_weights(PLACE, Y, cards, output, c, chain)
    assert not check_shuffle(PLACE, Y, cards, lie(z))
    assert not check_shuffle(PLACE, Y, cards, lie([1, 1]))
    assert not shuffleoracle.accepts(PLACE, Y, h, cards, lie([1, 1]))
    monkeypatch.setattr("seeds.shuffle.link_weights", lambda *_: [1, 1])
    assert check_shuffle(PLACE, Y, cards, lie([1, 1])), "the forger did what can be done"


def test_what_the_honest_algorithm_makes_of_honest_input_convinces() -> None:
    assert check_shuffle(PLACE, Y, deck(4), forged([2, 0, 3, 1]))


@pytest.mark.parametrize("equation", range(ROWS + 1))
def test_no_equation_is_left_out(monkeypatch: pytest.MonkeyPatch, equation: int) -> None:
    """An error in one commitment t alone breaks one equation alone: with its weight at 0 nobody would notice."""
    cards, noticed = tuple(deck(4)), []
    shuffled = shuffle(PLACE, Y, cards, fresh("equation"))
    x = challenge(PLACE, Y, cards, shuffled.cards, shuffled.commitments, shuffled.chain, shuffled.t)
    wrong = [add(t, BASE) if number == equation else t for number, t in enumerate(shuffled.t)]
    monkeypatch.setattr("seeds.shuffle.challenge", lambda *_: x)
    for weights in (1, 0):
        keys = [(weights if number == equation else number + 2).to_bytes(32, "big") for number in range(ROWS + 1)]
        monkeypatch.setattr("seeds.shuffle.kdfs", lambda *_, keys=keys: keys)
        noticed.append(not check_shuffle(PLACE, Y, cards, replace(shuffled, t=tuple(wrong))))
    assert noticed == [True, False]


def test_n24_n30_other_lengths_and_the_identity_are_refused() -> None:
    cards = deck(3)
    shuffled = shuffle(PLACE, Y, cards, fresh(24))
    for name in ("cards", "commitments", "chain", "t", "s_hat", "s_prime"):
        given = getattr(shuffled, name)
        for wrong in (given[:-1], (*given, given[0]), ()):
            assert not check_shuffle(PLACE, Y, cards, with_(shuffled, name, wrong))
    assert not check_shuffle(PLACE, Y, cards[:2], shuffled)
    points, scalars = shuffled.plain()
    assert read_shuffled([points, scalars], 4) is None
    assert read_shuffled([points, scalars], 2) is None
    for at in range(0, len(points), 32):
        assert read_shuffled([points[:at] + IDENTITY + points[at + 32 :], scalars], 3) is None
    assert read_shuffled([points, scalars[:-32] + L.to_bytes(32, "little")], 3) is None
    for body in ([points], [points, None], None, [points + b"\0", scalars], [points, scalars, b""]):
        assert read_shuffled(body, 3) is None


def test_n32_every_part_of_the_statement_moves_the_challenges() -> None:
    cards = deck(3)
    shuffled = shuffle(PLACE, Y, cards, fresh(32))
    parts = [PLACE, Y, cards, shuffled.cards, shuffled.commitments, shuffled.chain, shuffled.chain]
    other = [(*PLACE, 0), add(Y, BASE), cards[::-1], shuffled.cards[::-1], *[shuffled.chain[::-1]] * 3]

    def all_of(values: list[Any]) -> tuple[int, list[int], list[int]]:
        return challenge(*values), challenges(*values[:5]), link_weights(*values[:6])

    first = all_of([*parts])
    for at in range(len(parts)):
        changed = all_of([*parts[:at], other[at], *parts[at + 1 :]])
        assert changed[0] != first[0]
        assert (changed[1] != first[1]) == (at < 5)
        assert (changed[2] != first[2]) == (at < 6)


def test_n68_too_many_cards_are_refused_before_any_point_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> object:
        raise AssertionError("a group operation")

    shuffled = shuffle(PLACE, Y, deck(1), fresh(68))
    many = MOST_CARDS + 1
    wide = ProvenShuffle(
        shuffled.cards * many,
        shuffled.commitments * many,
        shuffled.chain * many,
        shuffled.t[:5] + shuffled.t[5:] * many,
        shuffled.s,
        shuffled.s_hat * many,
        shuffled.s_prime * many,
    )
    plain = wide.plain()
    monkeypatch.setattr("seeds.group.load_library", never)
    assert read_shuffled(plain, many) is None
    assert read_shuffled([bytes(10**6), bytes(10**6)], 10**6) is None
    assert not check_shuffle(PLACE, Y, deck_of(many), wide)


def deck_of(count: int) -> list[Sealed]:
    return [(BASE, BASE)] * count


def test_any_byte_of_a_shuffle_altered_makes_it_fail() -> None:
    cards = deck(2)
    points, scalars = shuffle(PLACE, Y, cards, fresh("bytes")).plain()
    for body in range(2):
        data = (points, scalars)[body]
        for at in range(len(data)):
            altered = data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :]
            read = read_shuffled([altered, scalars] if body == 0 else [points, altered], 2)
            assert read is None or not check_shuffle(PLACE, Y, cards, read)


def test_orders_are_evenly_spread_over_ten_thousand_small_shuffles() -> None:
    """The order alone: group operations do not change it, and one that does is shown above."""
    from seeds.streams import Stream

    found: Counter[tuple[int, ...]] = Counter()
    for number in range(10_000):
        chance = kdf(fresh("spread", number), "shuffle", list(PLACE), Y, b"")
        found[tuple(Stream(kdf(chance, "order"), "order").permutation(4))] += 1
    expected = 10_000 / 24
    assert sum((found[order] - expected) ** 2 / expected for order in found) < 49.7, "chi square, 23 degrees, 0.1 %"
    assert len(found) == 24


def test_real_shuffles_of_three_cards_take_every_order() -> None:
    cards = deck(3)
    found = Counter(tuple(opened(shuffle(PLACE, Y, cards, fresh("real", n)).cards)) for n in range(90))
    assert len(found) == 6
    assert max(found.values()) < 35


def test_same_fresh_bytes_at_another_place_give_another_order_and_other_nonces() -> None:
    cards = deck(8)
    one, other = (shuffle(place, Y, cards, fresh("same")) for place in (PLACE, (*PLACE, 1)))
    assert opened(one.cards) != opened(other.cards)
    seen: set[Point] = {half for card in one.cards for half in card}
    assert not seen & {half for card in other.cards for half in card}
    assert all(read_point(half) for half in seen)
