"""Dealing anew: survivors keep their hands, the hand of who is gone goes back, and nobody learns a card by it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations

import pytest
from fairtable import ANN, BOB, CAT, DAN, FAY, MEMBERS, TABLE, fresh
from sealedtable import deal, deck_keys, masked_reading, reveal, shuffled_deck, table, x_of
from volume import gated

from seeds.anew import Blinded, DealingAnew, Hand, read_blinded, read_hand
from seeds.deckkeys import Shares
from seeds.errors import ContractError, Fault
from seeds.group import BASE, IDENTITY, Point, add, base, mul, sub, total
from seeds.opendeck import Card, Handle
from seeds.proofs import equal_logarithms, prove, weighted
from seeds.sealedcards import card_point
from seeds.sealeddeck import SealedDecks
from seeds.turns import CheckedShuffle

BAG: list[Handle] = [("bag", number) for number in range(6)]


def shuffled(anew: DealingAnew) -> DealingAnew:
    while anew.task is not None:
        checked = anew.task.check(anew.task.member, anew.task.make(fresh("anew", anew.task.turn)))
        assert isinstance(checked, CheckedShuffle)
        anew.take(checked)
    return anew


def handed(anew: DealingAnew) -> DealingAnew:
    shuffled(anew)
    for member in anew.keys.members:
        if anew.owing_hand(member):
            x = x_of(member, anew.old.keys.generation)
            assert anew.hand(member, anew.make_hand(member, x, fresh("hand", member))) is None
    return anew


def blinded(anew: DealingAnew) -> DealingAnew:
    for member in handed(anew).keys.members:
        assert anew.owing == (member,)
        assert anew.blind(member, anew.make_blinded(member, fresh("blind", member))) is None
    return anew


def dealt_anew(old: SealedDecks, survivors: tuple[bytes, ...], deck: str = "bag") -> SealedDecks:
    """What lies there when these go on, without any reading since."""
    anew = blinded(DealingAnew(old, deck_keys(survivors, old.keys.generation + 1), deck))
    for member in anew.owing:
        share = anew.make_share(member, x_of(member, anew.keys.generation), fresh("share", member))
        assert anew.share(member, share) is None
    decks = old.successor(anew.keys)
    anew.lay(decks)
    return decks


def game(count: int = 3) -> tuple[SealedDecks, dict[Handle, Card]]:
    """ANN holds bag 0, BOB bag 1, CAT bag 2; bag 3 lies open; 4 and 5 were never read."""
    decks = table(count)
    held: dict[Handle, Card] = {}
    for member, handle in zip((ANN, BOB, CAT), BAG, strict=False):
        [held[handle]] = deal(decks, member, handle)
    [held[BAG[3]]] = reveal(decks, BAG[3])
    return decks, held


@pytest.mark.parametrize(
    ("count", "survivors"), [(3, (ANN, BOB)), (4, (ANN, BOB, DAN)), (4, (BOB, ANN)), (5, (DAN, ANN))]
)
def test_hands_and_open_cards_stay_and_the_rest_is_what_nobody_holds(count: int, survivors: tuple[bytes, ...]) -> None:
    old, held = game(count)
    order = tuple(member for member in old.keys.members if member in survivors)
    decks = dealt_anew(old, order)
    keepers = {ANN: BAG[0], BOB: BAG[1], CAT: BAG[2]}
    kept = {handle for member, handle in keepers.items() if member in survivors}
    for handle in kept:
        assert reveal(decks, handle) == [held[handle]]
    assert reveal(decks, BAG[3]) == [held[BAG[3]]]
    free = [handle for handle in BAG if handle not in kept and handle != BAG[3]]
    gone = {held[handle] for handle in (*kept, BAG[3])}
    assert sorted(map(int, reveal(decks, *free))) == sorted(set(range(6)) - set(map(int, gone)))


def test_the_game_goes_on_with_the_cards_dealt_anew() -> None:
    old, held = game()
    decks = dealt_anew(old, (ANN, BOB))
    assert decks.reader(BAG[0]) == ANN
    assert deal(decks, ANN, BAG[0]) == [held[BAG[0]]], "her own card once more, after a start from the log"
    assert deal(decks, BOB, BAG[0]) == [held[BAG[0]]], "shown to another through a new mask"
    [new] = deal(decks, BOB, BAG[4])
    assert new not in {held[BAG[0]], held[BAG[1]], held[BAG[3]]}
    rest: list[Handle] = [("bag", 10 + n) for n in range(6)]
    shuffled_deck(decks, "bag", BAG, rest)
    assert sorted(map(int, reveal(decks, *rest))) == list(range(6))


LEAVING = [
    (count, gone) for count, step in ((4, 7), (5, 23), (6, 50)) for gone in [*permutations(MEMBERS[:count], 3)][::step]
]


@pytest.mark.parametrize(("count", "gone"), gated(LEAVING, 4))
def test_however_many_go_one_after_the_other_who_stays_keeps_every_card(count: int, gone: tuple[bytes, ...]) -> None:
    """Two cards each: one dealt, one dealt and shown to the next member, too. One that was put back lies anew."""
    bag: list[Handle] = [("bag", number) for number in range(2 * count + 5)]
    old = table(count, range(len(bag)))
    members = old.keys.members
    held: dict[bytes, dict[Handle, Card]] = {member: {} for member in members}
    for number, member in enumerate(members):
        own, shown = bag[2 * number], bag[2 * number + 1]
        held[member].update(zip((own, shown), deal(old, member, own, shown), strict=True))
        following = members[(number + 1) % count]
        [held[following][shown]] = deal(old, following, shown)
    [back] = deal(old, members[0], bag[-1])
    assert back is not None
    [opened] = reveal(old, bag[-2])
    shuffled_deck(old, "bag", [bag[-1], bag[-3]], [("bag", 100), ("bag", 101)])
    staying = members
    for one in gone:
        staying = tuple(member for member in staying if member != one)
        old = dealt_anew(old, staying)
        for member in staying:
            for handle, card in held[member].items():
                assert old.read(member, x_of(member, old.keys.generation), handle) == card
    kept = {handle: card for member in staying for handle, card in held[member].items()}
    everything = sorted(old.lying)
    faces = dict(zip(everything, reveal(old, *everything), strict=True))
    assert faces.items() >= {**kept, bag[-2]: opened}.items()
    assert sorted(map(int, faces.values())) == list(range(len(bag)))


def test_cards_read_put_back_and_shown_between_two_departures_stay_as_well() -> None:
    old, held = game(5)
    decks = dealt_anew(old, (ANN, BOB, CAT, DAN))
    [new] = deal(decks, DAN, BAG[4])
    assert deal(decks, BOB, BAG[0]) == [held[BAG[0]]], "ANN's card, shown to BOB as well"
    shuffled_deck(decks, "bag", [BAG[2]], [("bag", 20)])
    decks = dealt_anew(decks, (BOB, CAT, DAN))
    for member, handle, card in ((BOB, BAG[0], held[BAG[0]]), (BOB, BAG[1], held[BAG[1]]), (DAN, BAG[4], new)):
        assert decks.read(member, x_of(member, 2), handle) == card
    with pytest.raises(ContractError, match="not for this member"):
        decks.read(CAT, x_of(CAT, 2), ("bag", 20))
    decks = dealt_anew(decks, (BOB, DAN))
    assert reveal(decks, BAG[0], BAG[1], BAG[4], BAG[3]) == [held[BAG[0]], held[BAG[1]], new, held[BAG[3]]]


def test_a_member_gone_while_a_hand_is_shown_or_opened_changes_no_hand() -> None:
    old, held = game(5)
    for reader, survivors in ((BOB, (ANN, BOB, CAT, DAN)), (None, (ANN, BOB, CAT)), (CAT, (ANN, CAT))):
        old.begin_reading([BAG[0]], reader)
        if remasking := old.owing_remask(ANN):
            assert remasking == [BAG[0]]
            assert old.remask(ANN, old.make_remask(ANN, fresh())) is None
        first = old.owing[0]
        assert old.share(first, old.make_share(first, x_of(first, old.keys.generation), fresh())) is None
        old.abandon()
        old = dealt_anew(old, survivors)
        assert old.read(ANN, x_of(ANN, old.keys.generation), BAG[0]) == held[BAG[0]]
        assert list(old.readers(BAG[0])) == [ANN]


def test_pooled_data_of_the_other_survivors_and_of_who_is_gone_does_not_hold_a_hand() -> None:
    old, _ = game()
    anew = blinded(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    anew.share(ANN, anew.make_share(ANN, x_of(ANN, 1), fresh()))
    of_bob = anew.make_share(BOB, x_of(BOB, 1), fresh())
    anew.share(BOB, of_bob)
    decks = old.successor(anew.keys)
    anew.lay(decks)
    a, b = decks.lying[BAG[0]].pairs[0].sealed
    first = old.lying[BAG[0]].pairs[-1]
    pooled: list[Point] = [mul(x_of(BOB, 1), a), mul(x_of(BOB), a), mul(x_of(CAT), a)]
    pooled += [mul(x_of(member), first.sealed[0]) for member in (BOB, CAT)]
    points = {card_point(TABLE, "bag", number) for number in range(6)}
    for size in range(len(pooled) + 1):
        for some in combinations(pooled, size):
            assert not {sub(b, total(some)), sub(first.sealed[1], total(some))} & points
    tags = [sub(after, share) for (_, after), share in zip(anew.blindings[-1], of_bob.values, strict=False)]
    assert not set(tags) & points


def test_tags_are_no_cards_and_bobs_number_alone_does_not_open_them() -> None:
    old, _ = game()
    anew = blinded(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    for member in (ANN, BOB):
        anew.share(member, anew.make_share(member, x_of(member, 1), fresh()))
    tags = set(anew.tags())
    assert len(tags) == 5, "five places; two of them come twice, as hands"
    points = [card_point(TABLE, "bag", number) for number in range(6)]
    assert not tags & set(points)
    before = [half for pair in anew.blindings[0] for half in pair]
    assert not set(before) & {half for pair in anew.blindings[1] for half in pair}


# What is refused -----------------------------------------------------------------------------------------------------


def test_n39_a_hand_with_another_card_another_a_or_another_key_is_a_fault() -> None:
    old, _ = game()
    anew = shuffled(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    right = anew.make_hand(ANN, x_of(ANN), fresh())
    (a, b), proof = right.pairs[0], right.proofs[0]
    bobs = anew.make_hand(BOB, x_of(BOB), fresh())
    for pair in ((a, add(b, BASE)), (add(a, BASE), b), bobs.pairs[0]):
        assert anew.hand(ANN, Hand((pair,), (proof,))) == Fault("anew/hand-proof", ANN)
    number = 1 if old.read(ANN, x_of(ANN), BAG[0]) == 0 else 0
    other = (base(9), add(card_point(TABLE, "bag", number), mul(9, anew.keys.public)))
    for secrets in ([x_of(ANN), 9], [x_of(ANN, 1), 9]):
        forged = prove("hand", anew.hand_place(ANN, BAG[0]), anew.hand_relation(ANN, BAG[0], other), secrets, fresh())
        assert anew.hand(ANN, Hand((other,), (forged,))) == Fault("anew/hand-proof", ANN)
    assert anew.hand(ANN, anew.make_hand(ANN, x_of(ANN) + 1, fresh())) == Fault("anew/hand-proof", ANN)
    assert anew.hand(BOB, right) == Fault("anew/hand-proof", BOB)
    assert anew.hand(ANN, right) is None
    assert anew.hand(ANN, right) == Fault("anew/owes-no-hand", ANN)


def test_n40_a_hand_is_neither_shortened_nor_doubled() -> None:
    old, _ = game()
    deal(old, ANN, BAG[4])
    anew = shuffled(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    right = anew.make_hand(ANN, x_of(ANN), fresh())
    assert len(right.pairs) == 2
    wrong = [
        Hand(right.pairs[:1], right.proofs[:1]),
        Hand((*right.pairs, right.pairs[0]), (*right.proofs, right.proofs[0])),
        Hand(right.pairs, right.proofs[:1]),
    ]
    for message in wrong:
        assert anew.hand(ANN, message) == Fault("anew/form", ANN)
    twice = Hand((right.pairs[0], right.pairs[0]), (right.proofs[0], right.proofs[0]))
    assert anew.hand(ANN, twice) == Fault("anew/hand-proof", ANN)
    assert anew.blind(ANN, NOTHING) == Fault("anew/not-your-turn", ANN)
    assert read_hand(right.plain(), 2) == right
    for body in (right.plain()[:1], [right.plain()[0], b""], None, [bytes(128), right.plain()[1]]):
        assert read_hand(body, 2) is None


NOTHING = Blinded((), BASE, prove("x", [], equal_logarithms(BASE, BASE, BASE), [1], fresh()))


def test_n40_tags_of_a_deck_that_contradicts_itself_are_noticed() -> None:
    old, _ = game()
    anew = blinded(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    for member in (ANN, BOB):
        anew.share(member, anew.make_share(member, x_of(member, 1), fresh()))
    decks, right = old.successor(anew.keys), anew.tag_shares[BOB]
    anew.tag_shares[BOB] = (*right[:-1], add(right[-1], BASE))
    with pytest.raises(ContractError, match="none of the deck"):
        anew.lay(decks)
    anew.tag_shares[BOB] = right
    anew.blindings[-1] = anew.blindings[-1][:1] * len(right)
    anew.tag_shares = {member: values[:1] * len(right) for member, values in anew.tag_shares.items()}
    with pytest.raises(ContractError, match="one tag"):
        anew.lay(decks)


def test_two_readers_of_one_card_with_two_tags_are_noticed() -> None:
    old, _ = game()
    deal(old, BOB, BAG[0])
    anew = blinded(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    assert anew.hands[:2] == [(BAG[0], ANN), (BAG[0], BOB)]
    for member in (ANN, BOB):
        anew.share(member, anew.make_share(member, x_of(member, 1), fresh()))
    at = len(anew.places)
    for pairs in (anew.blindings[-1], *anew.tag_shares.values()):
        assert len(pairs) == at + 3
    anew.blindings[-1] = (*anew.blindings[-1][: at + 1], anew.blindings[-1][at + 2], anew.blindings[-1][at + 2])
    anew.tag_shares = {member: (*v[: at + 1], v[at + 2], v[at + 2]) for member, v in anew.tag_shares.items()}
    with pytest.raises(ContractError, match="two readers"):
        anew.lay(old.successor(anew.keys))


def test_n41_another_number_for_one_element_is_a_fault() -> None:
    old, _ = game()
    anew = handed(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    right = anew.make_blinded(ANN, fresh())
    (a, b), rest = right.pairs[0], right.pairs[1:]
    lists = [
        ((add(a, a), add(b, b)), *rest),
        ((a, add(b, BASE)), *rest),
        (rest[0], (a, b), *rest[1:]),
        ((add(a, BASE), sub(b, BASE)), *rest),
    ]
    for pairs in lists:
        place = anew.keys.place(ANN, "bag", right.anchor)
        before = [half for pair in anew.unblinded() for half in pair]
        after = [half for pair in pairs for half in pair]
        relation = equal_logarithms(right.anchor, *weighted("blind", place, before, after))
        proof = prove("blind", anew.keys.place(ANN, "bag"), relation, [5], fresh())
        for message in (replace(right, pairs=pairs), replace(right, pairs=pairs, proof=proof)):
            assert anew.blind(ANN, message) == Fault("anew/blind-proof", ANN)
    assert anew.blind(ANN, replace(right, anchor=base(3))) == Fault("anew/blind-proof", ANN)
    assert anew.blind(ANN, replace(right, pairs=right.pairs[:-1])) == Fault("anew/form", ANN)
    for member in (BOB, CAT, FAY):
        assert anew.blind(member, right) == Fault("anew/not-your-turn", member)
    assert anew.blind(ANN, right) is None
    assert anew.blind(ANN, right) == Fault("anew/not-your-turn", ANN)
    assert anew.blind(BOB, right) == Fault("anew/blind-proof", BOB)
    count = len(right.pairs)
    assert read_blinded(right.plain(), count) == right
    for body in (right.plain()[:2], None, [right.plain()[0], IDENTITY, right.plain()[2]]):
        assert read_blinded(body, count) is None
    assert read_blinded(right.plain(), count + 1) is None


def test_wrong_shares_of_tags_are_faults() -> None:
    old, _ = game()
    anew = handed(DealingAnew(old, deck_keys((ANN, BOB), 1), "bag"))
    assert anew.share(ANN, Shares((), NOTHING.proof)) == Fault("anew/owes-no-share", ANN)
    for member in (ANN, BOB):
        anew.blind(member, anew.make_blinded(member, fresh(member)))
    right = anew.make_share(ANN, x_of(ANN, 1), fresh())
    wrong = replace(right, values=(add(right.values[0], BASE), *right.values[1:]))
    assert anew.share(ANN, wrong) == Fault("anew/share-proof", ANN)
    assert anew.share(ANN, anew.make_share(ANN, x_of(ANN), fresh())) == Fault("anew/share-proof", ANN)
    of_hand = replace(right, values=(*right.values[:-1], add(right.values[-1], BASE)))
    assert anew.share(ANN, of_hand) == Fault("anew/share-proof", ANN)
    assert anew.share(ANN, replace(right, values=right.values[:-1])) == Fault("anew/share-proof", ANN)
    assert anew.share(CAT, right) == Fault("anew/owes-no-share", CAT)
    assert anew.share(ANN, right) is None
    assert anew.share(ANN, right) == Fault("anew/owes-no-share", ANN)
    with pytest.raises(ContractError, match="owe"):
        anew.lay(old.successor(anew.keys))


def test_some_survive_and_their_keys_are_new() -> None:
    old, _ = game()
    for members, generation in (((ANN, BOB), 0), ((FAY,), 1)):
        with pytest.raises(ContractError):
            DealingAnew(old, deck_keys(members, generation), "bag")
    with pytest.raises(ContractError):
        DealingAnew(old, deck_keys((ANN, BOB), 1), "box")
    anew = DealingAnew(old, deck_keys((ANN, BOB), 1), "bag")
    assert anew.task is not None
    checked = anew.task.check(ANN, anew.task.make(fresh()))
    assert isinstance(checked, CheckedShuffle)
    anew.take(checked)
    with pytest.raises(ContractError):
        anew.take(checked)


def test_a_card_that_a_survivor_only_peeked_at_stays_under_its_handle() -> None:
    decks = table(3)
    deal(decks, CAT, BAG[0])
    [card] = deal(decks, ANN, BAG[0])
    assert reveal(dealt_anew(decks, (ANN, BOB)), BAG[0]) == [card]


def test_a_card_whose_reading_was_cut_off_goes_back() -> None:
    decks = table(3)
    masked_reading(decks, ANN, BAG[0])
    assert decks.share(BOB, decks.make_share(BOB, x_of(BOB), fresh())) is None
    anew = DealingAnew(decks, deck_keys((ANN, BOB), 1), "bag")
    assert anew.hands == []
    assert anew.free == BAG
    assert sorted(map(int, reveal(dealt_anew(decks, (ANN, BOB)), *BAG))) == list(range(6))


def test_a_member_gone_during_a_shuffle_leaves_the_deck_as_it_was_before_it() -> None:
    decks = table(3)
    decks.begin_shuffle("bag", [BAG[0], 77], [("bag", 10), ("bag", 11)])
    assert sorted(map(int, reveal(dealt_anew(decks, (ANN, BOB)), *BAG))) == list(range(6))


def test_what_goes_back_may_come_again_in_any_place() -> None:
    seen: Counter[int] = Counter()
    for number in range(24):
        decks = table(3, range(4))
        deal(decks, CAT, BAG[0])
        anew = DealingAnew(decks, deck_keys((ANN, BOB), 1), "bag")
        while anew.task is not None:
            checked = anew.task.check(anew.task.member, anew.task.make(fresh(number, anew.task.turn)))
            assert isinstance(checked, CheckedShuffle)
            anew.take(checked)
        opened = sub(anew.places[0][1], mul(x_of(ANN, 1) + x_of(BOB, 1), anew.places[0][0]))
        seen[decks.points[opened][1]] += 1
    assert set(seen) == {0, 1, 2, 3}
