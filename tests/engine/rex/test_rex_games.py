"""Whole games of Rex, and positions that cannot be."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest
from rex_table import lensed, opening, table
from volume import gated, seeds

from engine.core.agenda import Table
from engine.core.cards import Handle
from engine.core.dealer import Dealer, HashDice, at_random, play
from engine.core.handicap import HANDICAP
from engine.core.ids import Seat
from engine.core.inputs import Notice
from engine.core.match import Match
from engine.core.registry import settle_options
from engine.rex.spec import REX
from engine.rex.victory import ENDINGS
from engine.testing.judges import judge, load_position

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"


def whole(seats: int, seed: int, careless: bool = False, /, **options: str) -> tuple[Match, Counter[str]]:
    """A game of players who know their own cards, or of careless ones who never look at them."""
    settled = settle_options(REX, seats, options)
    assert isinstance(settled, Table)
    match, dealer = Match.new(REX, settled), Dealer(HashDice(f"dice {seed}"))
    dice = HashDice(f"answers {seed}")
    told: Counter[str] = Counter()
    for _, events in play(match, dealer, at_random(dice) if careless else lensed(dealer, dice)):
        told.update(event.id for event in events)
    return match, told


def left() -> Counter[str]:
    """The events of a game of stand-ins whose Xxcha leaves for good, after the set-up."""
    made = opening(SIX).until("window")
    made.dealer.faces[Handle("seal", made.g.round.prediction - 1)] = None
    for kind in ("vacated", "hand-returned"):
        made.match.apply(Notice(kind, Seat(SIX.split(",").index("xxcha"))))
    made.until()
    assert made.match.over
    return Counter(event.id for event in made.new_events)


BY_FAULT = {"card/spoiled", "claim/false", "claim/struck"}
"""What happens only to who does not know its cards, or lies about them."""
BY_LEAVING = {"card/hand-returned", "victory/not-opened"}


TELLING = (17, 44, 64, 59, 61, 29)
"""Games that show all endings and events soon; others are tried when they no longer do."""


def test_all_six_endings_and_every_event_occur_in_whole_games() -> None:
    endings: Counter[str] = Counter()
    told = left() + whole(3, 0, handicap="2,0,0")[1]
    wanted = {*REX.events} - BY_FAULT
    for seed in (*TELLING, *range(200)):
        match, events = whole(3 + seed % 4, seed, betrayal=("off", "on")[seed % 2], factions="random")
        assert match.over
        endings[match.g.round.ending] += 1
        assert not (BY_FAULT | BY_LEAVING) & {*events}
        told += events
        if len(endings) == len(ENDINGS) and {*told} >= wanted:
            break
    assert sorted(endings) == sorted(ENDINGS)
    for seed in (5, *range(50)):
        told += whole(3 + seed % 4, seed, True)[1]
        if {*told} >= BY_FAULT:
            break
    assert {*REX.events} - {*told} == set()


NAMED = "named"
"""For the first seats of a full table, the factions in its order."""
MORE = "more"
"""For the first seat, a handicap."""
SWITCHED = {
    option.name: value
    for option in REX.options
    for value in (option.values or (MORE if option == HANDICAP else "random",))
    if value != option.default
}
"""Every option away from its default."""
CHOICES = {
    "default": {},
    "switched": SWITCHED,
    **{name: {name: value} for name, value in SWITCHED.items()},
    NAMED: {"factions": NAMED},
}
"""What is played: no option, all of them, each alone, and factions by name."""


ALL = sorted(product(REX.seats, CHOICES), key=lambda each: [*CHOICES].index(each[1]) != each[0] % 3)
"""First, for the gate, each seat count once, with no option, with all and with one in turn."""


@pytest.mark.parametrize(("seats", "choice"), gated(ALL, len(REX.seats)))
def test_games_end_legally_at_every_seat_count_with_every_option(seats: int, choice: str) -> None:
    meant = {NAMED: SIX.split(",")[:seats], MORE: ["2", *"0" * (seats - 1)]}
    options = {name: ",".join(meant.get(value, [value])) for name, value in CHOICES[choice].items()}
    for seed in seeds(1, 100):
        match, told = whole(seats, seed, **options)
        assert not {"core/foul", *BY_FAULT} & {*told}
        stated = {option.name: option.default for option in REX.options if not option.later}
        assert match.g.table.options == stated | options
        assert match.g.round.ending in ENDINGS
        assert told["round/opens"] == match.g.round.number <= 8
        assert judge(REX, match.g) is None


def test_who_knows_its_cards_commits_no_foul() -> None:
    for seed in seeds(2):
        _, told = whole(3 + seed % 4, seed)
        assert told["core/foul"] == told["claim/false"] == told["card/spoiled"] == 0


def test_eight_rounds_are_the_most() -> None:
    for seed in seeds(1):
        match, told = whole(4, seed)
        assert told["round/opens"] == match.g.round.number <= 8


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("seats.reserve.0", 21),
        ("seats.influence.1", -1),
        ("seats.faction.1", 0),
        ("seats.alliance.0", 3),
        ("board.hidden.3", 1),
        ("board.broken.1", 1),
        ("leaders.status.0", 0),
        ("leaders.battles.0", 1),
        ("round.located", 3),
        ("round.fleet", 19),
        ("round.prediction", 40),
        ("round.ending", "sol"),
        ("round.blocked", ["flight"]),
        ("round.discards", [3, 3]),
        ("seats.hand.0", [1000]),
        ("seats.betrayal.0", 4),
        ("battle.space", 4),
        ("flow.agenda", [["plans"]]),
        ("flow.agenda", [["obey", 0, 0, "pistol"]]),
        ("flow.agenda", [["phase", "picnic"]]),
        ("flow.agenda", [["fleet"]]),
        ("flow.agenda", [["bid", 1, 1, 0, 0, 900, 1, 0]]),
        ("decks.order.influence", []),
        ("decks.claims", [[1, 0, "has/energy-rifle"]]),
    ],
)
def test_an_impossible_position_is_refused_with_its_place(path: str, value: object) -> None:
    data = table(SIX).match.position()
    *way, last = path.split(".")
    place: Any = data
    for key in way:
        place = place[int(key)] if isinstance(place, list) else place[key]
    place[int(last) if isinstance(place, list) else last] = value
    refusal = load_position(REX, data)
    assert type(refusal).__name__ == "Refusal", path
    assert refusal.path  # type: ignore[union-attr]


def test_a_position_of_every_kind_of_wait_loads() -> None:
    made = opening(SIX, betrayal="on")
    seen = set()
    dealer = made.dealer
    choose = lensed(dealer, HashDice("kinds"), 1)
    for _ in play(made.match, dealer, choose):
        if made.match.over:
            break
        kind = made.match.g.flow.now[0]
        if kind not in seen:
            seen.add(kind)
            state: Any = made.match.segment_start()
            assert judge(REX, state) is None, kind
            assert not hasattr(load_position(REX, made.match.position()), "code"), kind
    assert len(seen) > 15
