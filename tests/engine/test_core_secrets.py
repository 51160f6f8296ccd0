"""What only some may see: sealed choices, faces of cards, lenses and views, claims about cards."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import SEALS, Decks, Handle, Lens
from engine.core.dealer import HashDice, at_random
from engine.core.errors import LocalError, Refusal
from engine.core.ids import Seat
from engine.core.inputs import Answer, Outcome
from engine.core.match import Match
from engine.core.outcomes import delivered
from engine.core.views import VEILED
from engine.core.waits import Deal, Reveal, Seal, Shuffle
from engine.testing.toy import TOY, Turn
from engine.testing.toymatch import at, same


def test_a_seal_that_is_opened_badly_counts_as_its_fallback_and_is_told() -> None:
    match, _ = at(Reveal, skip=0)
    assert isinstance(match.pending, Reveal)
    seats = len(match.pending.handles)
    told = match.apply(Outcome(("99", "[[", "0")[:seats]))
    fouls = [event.args for event in told if event.id == "core/foul"]
    assert [(foul["seat"], foul["play"]) for foul in fouls] == [(0, "answer/not-an-option"), (1, "seal/unreadable")]
    assert [event.args["bids"] for event in told if event.id == "toy/no-field"] == [(0, 0, 0)]
    same(match.clone(), match)


@given(st.text(max_size=9) | st.sampled_from(["[" * 99999, "1e999", "NaN", '["", ["", ["x"]]]', '["bid",0,1]', "true"]))
def test_any_text_in_place_of_a_sealed_answer_is_the_answer_or_a_foul(card: str) -> None:
    match = Match.load(TOY, BIDDING)
    assert isinstance(match, Match)
    told = match.apply(Outcome((card, "0", "1")))
    bids = [event.args.get("bid", 1) for event in told if event.id in ("toy/field", "toy/no-field")]
    assert len(bids) == 1
    assert any(event.id == "core/foul" for event in told) or card.strip() in tuple("012345")


BIDDING = at(Reveal)[0].dump()


def test_a_seal_whose_owner_is_gone_counts_as_its_fallback_without_a_foul() -> None:
    match, _ = at(Reveal)
    told = match.apply(Outcome((None, "3", "2")))
    assert [(event.id, dict(event.args)) for event in told] == [("toy/field", {"seat": 1, "bid": 3})]


@given(st.integers(1, 6), st.lists(st.lists(st.integers(0, 9), unique=True, max_size=4), max_size=4))
def test_cards_put_back_are_mixed_in_before_the_next_draw_whichever_they_are(made: int, back: list[list[int]]) -> None:
    """Two cards or more, of which one was put back, are unmixed; so are they after more are put back."""
    decks = Decks({"lots": list(range(made - made // 2, made))}, {"lots": made}, [], [])
    held, lying = {*range(made - made // 2)}, {*decks.order["lots"]}
    assert not decks.unmixed("lots")
    returned = False
    for cards in back:
        some = held.intersection(cards)
        decks.put_back("lots", (Handle("lots", card) for card in some))
        held, lying, returned = held - some, lying | some, returned or bool(some)
        assert sorted(decks.order["lots"]) == sorted(lying)
        assert decks.unmixed("lots") == (returned and len(lying) > 1)


def test_the_fallback_is_fixed_when_the_seal_is() -> None:
    match, _ = at(Seal, skip=1)
    assert isinstance(match.pending, Seal)
    assert match.check(Answer(Seat(0), 1)) == Refusal("answer/sealed")
    assert [match.caretaker(seat) for seat in match.owing()] == [0, 0, 0]
    kept = len(match.g.decks.seals)
    match.apply(Outcome())
    assert [row[3] for row in match.g.decks.seals[kept:]] == ["0", "0", "0"]


def test_kept_seals_outlive_the_reveal_of_short_ones() -> None:
    match, dealer = at(Reveal)
    prophecies = [row for row in match.g.decks.seals if "prophecy" in str(row[2])]
    assert len(prophecies) == 3
    match.apply(dealer.outcome(match, at_random(HashDice(1))) or Outcome())
    assert match.g.decks.seals == prophecies


def test_a_seal_is_opened_once() -> None:
    match, _ = at(Reveal)
    handle = match.pending.handles[0] if isinstance(match.pending, Reveal) else Handle(SEALS, 0)
    match.apply(Outcome(("0", "0", "0")))
    match.pending = Reveal((handle,), "sealed")
    with pytest.raises(LocalError, match="has been opened before"):
        match.apply(Outcome(("0",)))


def test_a_face_that_fails_its_check_is_a_foul_and_counts_for_nothing() -> None:
    match, dealer = at(Reveal, seats=2, skip=4)
    assert isinstance(match.pending, Reveal)
    assert match.pending.play == "lots"
    handles = match.pending.handles
    told = match.apply(Outcome(("gold", None, *[dealer.faces[handle] for handle in handles[2:]])))
    assert [dict(event.args) for event in told if event.id == "core/foul"] == [
        {"deck": "lots", "index": handles[0].index, "play": "lots", "seat": None}
    ]
    assert match.g.hands.shown == [dealer.faces[handle] for handle in handles[2:]]


def test_no_lens_is_in_the_digest() -> None:
    match, dealer = at(Turn)
    hand = tuple(handle for handle in dealer.lens(0) if handle.deck != SEALS)
    assert len(hand) == 3
    view = match.view(0, dealer.lens(0))
    blind = match.view(0)
    assert (view.ask, len(blind.lens), len(view.lens)) == (blind.ask, 0, 3 + 1)  # its prophecy is sealed
    ryeless = Lens(dict.fromkeys(hand, "rye"))
    ask_ = match.ask_of(0)
    assert ask_ is not None
    assert len(ask_.options(match.g, ryeless)) < len(ask_.options(match.g))
    view.g.farm.coins[0] += 1
    assert match.g.farm.coins[0] == view.g.farm.coins[0] - 1


def test_a_view_shows_of_a_veiled_column_the_own_number_alone() -> None:
    match, _ = at(Turn)
    plain_g = match.g
    match.spec = dataclasses.replace(TOY, veil=lambda g: ("farm.coins",) if g.farm.round else ())
    coins = list(plain_g.farm.coins)
    assert coins[1:] != [VEILED] * (len(coins) - 1)
    seen = match.view(1, copy=False).g
    assert list(seen.farm.coins) == [number if seat == 1 else VEILED for seat, number in enumerate(coins)]
    assert list(match.view(-1, copy=False).g.farm.coins) == [VEILED] * len(coins)
    assert seen.farm.grain == plain_g.farm.grain
    assert list(match.g.farm.coins) == coins
    match.g.farm.round = 0
    assert match.view(1, copy=False).g is match.g
    assert match.view(1).g is not match.g


@pytest.mark.parametrize(("left", "wanted", "dealt"), [(0, 4, 0), (1, 4, 1), (3, 2, 2), (2, 0, 0)])
def test_a_deal_past_the_end_gives_what_is_left(left: int, wanted: int, dealt: int) -> None:
    match, _ = at(Deal)
    order = match.g.decks.order["lots"][:left]
    match.g.decks.order["lots"] = list(order)
    taken = delivered(match.g, TOY, Deal("lots", wanted, Seat(0)), Outcome())
    assert taken == tuple(Handle("lots", index) for index in order[:dealt])
    assert match.g.decks.order["lots"] == order[dealt:]
    assert delivered(match.g, TOY, Deal("never-shuffled", wanted, Seat(0)), Outcome()) == ()


def test_a_claim_says_at_which_height_by_whom_and_about_which_cards() -> None:
    match, dealer = at(Shuffle, skip=1)
    seat = int(match.g.flow.now[1])
    for _ in range(2):
        match.apply(dealer.outcome(match, at_random(HashDice(1))) or Outcome())
    (claim,) = match.g.decks.claims
    assert claim[:4] == [match.height, seat, "no-rye", "lots"]
    assert Handle("lots", claim[4] if isinstance(claim[4], int) else -1) in dealer.lens(seat)
