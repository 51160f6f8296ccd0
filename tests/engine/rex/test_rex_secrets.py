"""What each seat can know: lenses hold the own cards and what was looked at, and no answer depends on others' cards."""

from __future__ import annotations

from rex_table import lensed, opening

from engine.core.cards import SEALS, Handle
from engine.core.dealer import HashDice, play

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
XXCHA, JOL_NAR = 3, 4


def test_a_seat_sees_its_own_cards_and_nobody_elses() -> None:
    """Hands and traitors of the others are in no lens but their own at any step of a whole game."""
    made = opening(SIX, betrayal="on")
    for step, _ in enumerate(play(made.match, made.dealer, lensed(made.dealer, HashDice("secrets"), 30))):
        if step % 25 or made.match.g.flow.now[:1] == ["finish"]:
            continue
        g = made.match.g
        for owner in range(6):
            strategy = [Handle("strategy", at) for at in g.seats.hand[owner]]
            traitor = [Handle("traitor", at) for at in g.seats.traitors[owner]]
            assert all(card in made.dealer.lens(owner) for card in (*strategy, *traitor))
            for other in range(6):
                if other == owner:
                    continue
                assert not [card for card in traitor if card in made.dealer.lens(other)]
                if other != JOL_NAR:  # who has looked at cards before they were sold
                    assert not [card for card in strategy if card in made.dealer.lens(other)]


def test_nobody_but_xxcha_knows_the_prediction_until_somebody_wins() -> None:
    made = opening(SIX)
    opened = 0
    for _, told in play(made.match, made.dealer, lensed(made.dealer, HashDice("prediction"))):
        if not made.match.over and made.match.g.round.prediction:
            seal = Handle(SEALS, made.match.g.round.prediction - 1)
            assert {seat for seat in range(6) if seal in made.dealer.lens(seat)} <= {XXCHA}
        opened += sum(event.id == "victory/predicted" for event in told)
    assert opened == 1
