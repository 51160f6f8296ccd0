# SPDX-License-Identifier: GPL-3.0-or-later
"""A game imagined from a view looks like that view, and all deals that agree with it are equally likely."""

from __future__ import annotations

import dataclasses
import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import permutations
from random import Random
from typing import Any

import pytest
from volume import gated, seeds

from client.bots import bot, chooser
from client.bots.thinking import LENGTH, packed
from engine.core.agenda import Table
from engine.core.cards import SEALS, Claim, Handle, Lens
from engine.core.dealer import Chooser, Dealer, HashDice, at_random, play
from engine.core.history import History, Shuffled
from engine.core.ids import Seat
from engine.core.imagine import ImagineError, imagine
from engine.core.inputs import Answer, Input, Notice
from engine.core.match import Match
from engine.core.registry import GameSpec, game, settle_options
from engine.core.values import Plain, Value
from engine.core.views import VEILED, View
from engine.core.waits import Choose, Seal
from engine.rex.effects import testimony_false as false_claim
from engine.testing.gamekit import specs
from engine.testing.toy import TOY
from engine.testing.toymatch import toy

Deal = Mapping[Handle, Plain]


def begun(name: str, seats: int, seed: str, **options: str) -> tuple[Match, Dealer]:
    spec = specs()[name]
    table = settle_options(spec, seats, options)
    assert isinstance(table, Table)
    return Match.new(spec, table), Dealer(HashDice(seed))


def truthful(dice: HashDice, dealer: Dealer) -> Chooser:
    """Picks random options that the seat's lens leaves."""

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        g, lens = None if isinstance(match.pending, Seal) else match.g, dealer.lens(seat)
        options = ask.options(g, lens)
        if not ask.staged:
            return options[dice.below(len(options))]
        so_far: tuple[Value, ...] = ()
        while options:
            so_far = (*so_far, options[dice.below(len(options))])
            options = ask.options(g, lens, so_far)
        return so_far

    return choose


def waits(match: Match, dealer: Dealer, seed: str, leaving: int = 0) -> Iterator[list[int]]:
    """Play at random; before each answer and each sealed choice, the seats that are asked. leaving: one seat in so many
    inputs leaves for good."""
    dice = HashDice(f"{seed} leaving")
    choose = truthful(HashDice(f"{seed} answers"), dealer)
    while match.pending is not None:
        if isinstance(match.pending, Seal) or match.owing():
            yield [*match.owing()]
        given: Input | None = dealer.outcome(match, choose)
        if given is None:
            seat = match.owing()[0]
            ask = match.ask_of(seat)
            assert ask is not None
            given = Answer(seat, choose(match, seat, ask))
        match.apply(given)
        if leaving and not match.over and dice.below(leaving) == 0:
            gone = Seat(dice.below(match.g.table.seats))
            match.apply(Notice("hand-returned", gone))


# What an imagined game is


CASES = [
    ("rex", 4, {"betrayal": "on"}),
    ("eclipse2", 3, {}),
    ("emperor", 3, {}),
    ("rex", 6, {"open-influence": "on"}),
    ("rex", 3, {}),
    ("eclipse1", 4, {}),
    ("eclipse2", 6, {"supernova": "on", "pulsar": "on"}),
    ("toy", 3, {}),
]


@pytest.mark.parametrize("leaving", [0, 60])
@pytest.mark.parametrize(("name", "seats", "options"), gated(CASES, 3))
def test_the_view_of_an_imagined_game_is_the_view(name: str, seats: int, options: dict[str, str], leaving: int) -> None:
    for number in seeds(1):
        seed, checked = f"{name} {seats} {number}", 0
        match, dealer = begun(name, seats, seed, **options)
        dice = HashDice(seed)
        for asked in waits(match, dealer, seed, leaving):
            if dice.below(20):
                continue
            for seat in sorted({*asked, dice.below(seats)}):
                view = match.view(seat, dealer.lens(seat))
                other, knows = imagine(match.spec, view, dice)
                _same(other.view(seat, knows.lens(seat)), view)
                assert other.g.digest() == match.g.digest()
                checked += 1
                if dice.below(40) == 0:
                    for _ in play(other, knows, at_random(dice)):
                        pass  # it can be played to its end: each card that is opened has a face
        assert checked > 1


def _same(one: View, other: View) -> None:
    assert one.g.digest() == other.g.digest()
    assert one.start.digest() == other.start.digest()
    assert dict(one.lens) == dict(other.lens)
    assert one.g.history == other.g.history
    told = [(view.seat, view.pending, view.ask, view.height, view.tail) for view in (one, other)]
    assert told[0] == told[1]


@pytest.mark.parametrize(("name", "options"), [("emperor", {}), ("rex", {"open-influence": "on"})])
def test_start_and_tail_lead_to_the_view_in_another_process_too(name: str, options: dict[str, str]) -> None:
    match, dealer = begun(name, 3, "tail", **options)
    longest = 0
    for at, asked in enumerate(waits(match, dealer, "tail")):
        view = match.view(asked[0], dealer.lens(asked[0]))
        longest = max(longest, len(view.tail))
        if at % 25:
            continue
        kept = through_a_pipe(view)
        assert kept.tail == view.tail
        trial = Match(match.spec, kept.start.copy())
        for given in kept.tail:
            trial.take(given)
        assert (trial.pending, trial.height) == (match.pending, match.height)
    assert longest > 0


def through_a_pipe(view: View) -> View:
    """The view as the process sees it in which bots think."""
    _, _, seen = pickle.loads(packed("greedy", "seed", view)[LENGTH:])
    assert isinstance(seen, View)
    return seen


def test_a_view_knows_what_has_been_opened_for_all() -> None:
    match, dealer = begun("rex", 4, "opened")
    for _ in waits(match, dealer, "opened"):
        if len(match.g.history.opened) > 12:
            break
    opened = match.g.history.opened
    assert all(dealer.faces[card] == face for card, face in opened.items())
    for seat in range(-1, 4):
        assert opened.items() <= match.view(seat, Lens()).lens.items()
    assert not any(card.deck == SEALS for card in opened)


def test_a_snapshot_keeps_the_history() -> None:
    match, dealer = begun("rex", 3, "snapshot")
    for _ in waits(match, dealer, "snapshot"):
        if match.g.round.number == 3:
            break
    back = Match.load(match.spec, match.dump())
    assert isinstance(back, Match)
    assert back.g.history == match.g.history
    assert back.g.history.shuffles
    assert through_a_pipe(match.view(0)).g.history == match.g.history


@pytest.mark.parametrize("seats", gated([5, 6, 4, 3], 2))
def test_what_is_told_of_payments_adds_up_to_every_purse(seats: int) -> None:
    """So influence is no secret to who listens, and an imagined game has the true numbers without having seen them."""
    for number in seeds(1):
        match, dealer = begun("rex", seats, f"purse {seats} {number}")
        for _ in waits(match, dealer, f"purse {seats} {number}"):
            purses = match.g.history.ledger.get("seats.influence", (0,) * seats)
            assert purses == tuple(match.g.seats.influence)
        assert match.g.round.number > 1


def test_a_number_that_only_the_state_holds_is_not_imagined() -> None:
    """A view gives no way to what is behind the screens but what has been told."""
    match, dealer = begun("rex", 3, "planted")
    seat = _second_round(match, dealer, "planted")
    other = (seat + 1) % 3
    before, _ = imagine(match.spec, match.view(seat, dealer.lens(seat)), HashDice(1))
    match.g.seats.influence[other] += 77
    base: Any = match._base
    base = match._base = base.copy()
    base.seats.influence[other] += 77
    after, _ = imagine(match.spec, match.view(seat, dealer.lens(seat)), HashDice(1))
    assert after.g.seats.influence[other] == before.g.seats.influence[other]
    for seen in (match.view(seat), through_a_pipe(match.view(seat))):
        assert [seen.g.seats.influence[other], seen.start.seats.influence[other]] == [VEILED, VEILED]


def _second_round(match: Match, dealer: Dealer, seed: str) -> int:
    """Play to the second round. Return a seat that is asked."""
    return next(asked[0] for asked in waits(match, dealer, seed) if match.g.round.number == 2)


def test_one_gives_up_on_a_view_that_contradicts_itself() -> None:
    match, dealer = begun("rex", 3, "liar")
    seat = _second_round(match, dealer, "liar")
    lens = Lens({**dealer.lens(seat), Handle("strategy", 0): "no such card"})
    with pytest.raises(ImagineError):
        imagine(match.spec, match.view(seat, lens), HashDice(1))
    with pytest.raises(ImagineError):
        imagine(match.spec, View(Seat(seat), match.g, match.pending, None, lens, match.height), HashDice(1))


# All deals are equally likely


def few_cards(faces: Sequence[str], *later: Sequence[int]) -> History:
    """A deck of these faces, and later shuffles of these handles."""
    shuffles, made = [Shuffled("lots", 0, tuple(faces))], len(faces)
    for members in later:
        shuffles.append(Shuffled("lots", made, tuple(Handle("lots", at) for at in members)))
        made += len(members)
    return History(tuple(shuffles))


def every_deal(history: History) -> Iterator[Deal]:
    """Every deal of these shuffles, each as often as there are orders of its cards."""

    def further(done: dict[Handle, Plain], left: Sequence[Shuffled]) -> Iterator[Deal]:
        if not left:
            yield done
            return
        faces = [done[card] if isinstance(card, Handle) else card for card in left[0].members]
        for order in permutations(faces):
            yield from further({**done, **dict(zip(left[0].made, order, strict=True))}, left[1:])

    return further({}, history.shuffles)


SMALL: list[tuple[History, dict[int, str], list[tuple[tuple[int, ...], str, str]]]] = [
    (few_cards("aabc"), {1: "a"}, []),
    (few_cards("aabcd", (1, 2, 3)), {1: "a", 5: "a"}, []),
    (few_cards("aabbc", (0, 2, 3), (1, 5, 6)), {0: "b", 5: "a", 8: "b"}, []),
    (few_cards("abcd", (0, 1, 2)), {4: "a"}, [((5, 3), "lacks", "b")]),
    (few_cards("aabcd", (2, 3, 4)), {}, [((0, 1), "holds", "b"), ((5,), "lacks", "c")]),
]


@pytest.mark.parametrize(("history", "known", "said"), SMALL)
def test_every_deal_that_agrees_is_equally_likely(
    history: History, known: dict[int, str], said: list[tuple[tuple[int, ...], str, str]]
) -> None:
    """Against a list of all deals: cards of one face, cards put back, shuffles of shuffled cards, claims."""
    claims = [Claim(_lots(cards), _says(kind, face)) for cards, kind, face in said]
    lens = Lens({Handle("lots", at): face for at, face in known.items()})
    expected: Counter[tuple[Plain, ...]] = Counter()
    for deal in every_deal(history):
        if all(deal[card] == face for card, face in lens.items()) and all(_true(claim, deal) for claim in claims):
            expected[_seen(deal, history)] += 1
    match = toy()
    match.g.history, match.g.decks.seals = history, []
    match.g.decks.made = {"lots": sum(len(each.members) for each in history.shuffles)}
    view, spec = match.view(0, lens), _claiming(claims)
    found: Counter[tuple[Plain, ...]] = Counter()
    for number in range(400):
        _, dealer = imagine(spec, view, HashDice(f"deal {number}"))
        found[_seen(dealer.faces, history)] += 1
    assert found.keys() <= expected.keys()
    assert unlikely(found, expected) < 1


def _lots(cards: Sequence[int]) -> tuple[Handle, ...]:
    return tuple(Handle("lots", card) for card in cards)


def _says(kind: str, face: str) -> Callable[[Sequence[Plain]], bool]:
    return lambda faces: not false_claim(f"{kind}/{face}", faces)


def _true(claim: Claim, deal: Deal) -> bool:
    return claim.holds([deal[card] for card in claim.cards])


def _claiming(claims: Sequence[Claim]) -> GameSpec:
    return dataclasses.replace(TOY, claims=lambda g: claims)


def _seen(deal: Deal, history: History) -> tuple[Plain, ...]:
    """The faces of the cards as they lie now."""
    gone = {card for each in history.shuffles for card in each.members}
    return tuple(deal[card] for each in history.shuffles for card in each.made if card not in gone)


def unlikely(found: Mapping[Any, int], expected: Mapping[Any, int]) -> float:
    """Pearson's figure over that which one fair series in ten thousand exceeds (Wilson and Hilferty, 1931)."""
    drawn, whole = sum(found.values()), sum(expected.values())
    figure = sum(
        (found.get(key, 0) - drawn * each / whole) ** 2 / (drawn * each / whole) for key, each in expected.items()
    )
    free = max(len(expected) - 1, 1)
    return float(figure / (free * (1 - 2 / (9 * free) + 3.72 * (2 / (9 * free)) ** 0.5) ** 3))


PLACES = [("rex", 6, 1, "strategy"), ("rex", 4, 2, "strategy"), ("rex", 3, 1, "traitor")]


@pytest.mark.parametrize(("name", "seats", "number", "deck"), PLACES)
def test_hidden_cards_of_rex_are_imagined_as_fair_shuffles_deal_them(
    name: str, seats: int, number: int, deck: str
) -> None:
    view = _position(name, seats, number, deck)
    assert alike(game(name), view, deck) < 1


@pytest.mark.parametrize("drawn", gated([3, 4, 5, 7], 1))
def test_reputation_tiles_of_eclipse_are_imagined_as_fair_shuffles_deal_them(drawn: int) -> None:
    """After so many draws, of which the tiles not kept were mixed in again."""
    view = _after(drawn)
    assert len(view.g.history.shuffles) > 1
    assert alike(game("eclipse2"), view, "reputation") < 1


def alike(spec: GameSpec, view: View, deck: str) -> float:
    """Compare with whole series of shuffles from the beginning, each weighed by the chance to show what the seat has
    seen. The figure is the face of the first card that another seat holds unseen."""
    lens = {card: face for card, face in view.lens.items() if card.deck == deck}
    hidden = _hidden(view, deck)
    shuffles = [each for each in view.g.history.shuffles if each.deck == deck]
    orders = [sorted(each.made, key=lambda card: card not in lens) for each in shuffles]
    fair, dice = Counter[Plain](), HashDice("fair")
    for _ in range(400):
        deal, weight = _shuffled_again(shuffles, orders, lens, dice)
        if weight:
            fair[deal[hidden]] += weight
    assert len(fair) > 1
    found = Counter(imagine(spec, view, HashDice(at))[1].faces[hidden] for at in range(150))
    assert found.keys() <= fair.keys()
    return unlikely(found, fair)


def _position(name: str, seats: int, number: int, deck: str) -> View:
    """The view of a seat in a round of a random game, in which another holds a card of the deck unseen."""
    for seed in range(9):
        match, dealer = begun(name, seats, f"{name} {seed}")
        for asked in waits(match, dealer, f"{name} {seed}"):
            view = match.view(asked[0], dealer.lens(asked[0]))
            said = any(card.deck == deck for claim in match.spec.claims(match.g) for card in claim.cards)
            if match.g.round.number >= number and _hidden(view, deck) and not said:
                return view
    raise AssertionError("no such position")


@lru_cache
def _after(drawn: int) -> View:
    """The view of a seat of a game of Eclipse after so many draws of reputation tiles."""
    match, dealer = begun("eclipse2", 2, "a")
    choose = chooser([bot("greedy")] * 2, dealer, Random(1))
    for _ in play(match, dealer, choose):
        view = match.view(0, dealer.lens(0))
        if len(match.g.history.seen) >= drawn and match.owing() and _hidden(view, "reputation"):
            return view
    raise AssertionError("no such position")


def _hidden(view: View, deck: str) -> Any:
    """The card that another seat has seen first and that nobody else knows, if it still lies somewhere."""
    gone = {card for each in view.g.history.shuffles for card in each.members if isinstance(card, Handle)}
    for seat, cards in view.g.history.seen:
        for card in cards:
            if card.deck == deck and seat != view.seat and card not in view.lens and card not in gone:
                return card
    return None


def _shuffled_again(
    shuffles: Sequence[Shuffled], orders: Sequence[Sequence[Handle]], lens: Deal, dice: HashDice
) -> tuple[Deal, int]:
    """One series of shuffles that shows what was seen, with its weight in parts of 2^120; 0 if it cannot go on."""
    deal: dict[Handle, Plain] = {}
    weight = 1 << 120
    for each, order in zip(shuffles, orders, strict=True):
        faces = [deal[card] if isinstance(card, Handle) else card for card in each.members]
        for card in order:
            fitting = [at for at, face in enumerate(faces) if lens.get(card, face) == face]
            weight = weight * len(fitting) // len(faces)
            if not weight:
                return deal, 0
            deal[card] = faces.pop(fitting[dice.below(len(fitting))])
    return deal, weight
