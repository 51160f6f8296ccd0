from __future__ import annotations

from typing import Any

import pytest
from rex_table import Play, opening, table

from engine.core.cards import Handle
from engine.rex.spec import REX
from engine.rex.state import Rex
from engine.rex.victory import betrays, scores, special, stronghold_winners

SIX = "sol,lazax,hacan,xxcha,jol-nar,letnev"
STRONGHOLDS = (
    "imperial-navy-base",
    "adminus-imperialis",
    "civilian-spaceport",
    "imperial-palace",
    "mecatol-power-south",
)


def held(factions: str, *owners: int, **options: str) -> Play:
    """Who holds each stronghold, -1 for nobody."""
    made = table(factions, **options)
    for space, owner in zip(STRONGHOLDS, owners, strict=False):
        if owner >= 0:
            made.army(owner, space, 1)
    return made


def at_end(made: Play, number: int) -> Play:
    """The round of that number comes to its end."""
    with made.edit() as g:
        _in_round(made, g, number)
        g.flow.now, g.flow.agenda = [], [["end-round"]]
    return made


def _in_round(made: Play, g: Rex, number: int) -> None:
    deck: Any = made.dealer.faces
    locations = [at for at in g.decks.order["influence"] if deck[Handle("influence", at)].startswith("location")]
    for at in locations[:number]:
        g.decks.order["influence"].remove(at)
    g.round.number = g.round.located = number
    g.round.location = number - 1
    g.round.phase = 7


def test_a_player_without_allies_needs_three_strongholds() -> None:
    assert stronghold_winners(held("sol,hacan,letnev", 1, 1, 0).g) == ()
    assert stronghold_winners(held("sol,hacan,letnev", 1, 1, 1).g) == (1,)


def test_two_allies_need_four_and_three_allies_five() -> None:
    made = held(SIX, 1, 1, 1, 4, 5)
    made.ally(1, 4)
    assert stronghold_winners(made.g) == (1, 4)
    three = held(SIX, 1, 1, 1, 4).ally(1, 4, 5)
    assert stronghold_winners(three.g) == ()
    assert stronghold_winners(three.army(5, "mecatol-power-south", 1).g) == (1, 4, 5)


def test_an_ally_with_three_strongholds_does_not_win_alone() -> None:
    assert stronghold_winners(held(SIX, 1, 1, 1).ally(1, 4).g) == ()


def test_a_demolished_stronghold_does_not_count() -> None:
    assert stronghold_winners(held("sol,hacan,letnev", -1, -1, 1, 1, 1).g) == ()
    assert stronghold_winners(held(SIX, -1, -1, 1, 1, 1).g) == (1,)


def test_a_contested_stronghold_is_nobodys() -> None:
    assert stronghold_winners(held("sol,hacan,letnev", 1, 1, 1).army(0, "civilian-spaceport", 1).g) == ()


def test_the_game_ends_at_once_at_the_end_of_a_round_with_enough_strongholds() -> None:
    made = at_end(held("sol,hacan,letnev", 1, 1, 1), 3)
    assert made.match.over
    assert (made.g.round.ending, made.g.round.winners) == ("strongholds", [1])
    assert [score.rank for score in REX.scores(made.g)] == [2, 1, 2]


def test_without_a_winner_another_round_begins_before_the_eighth() -> None:
    made = at_end(held("sol,hacan,letnev", 1, 1, 0), 7)
    assert not made.match.over
    assert made.g.round.number == 8


@pytest.mark.parametrize(
    ("palace", "south", "won"), [(-1, -1, True), (0, -1, True), (0, 0, True), (1, 0, False), (0, 1, False)]
)
def test_sol_wins_when_nobody_else_stands_in_palace_and_power_station(palace: int, south: int, won: bool) -> None:
    made = held(SIX, -1, -1, -1, palace, south)
    assert (special(made.g)[0] == "sol") == won


def test_an_ally_in_the_palace_spoils_sols_victory() -> None:
    assert special(held(SIX, -1, -1, -1, 1).ally(0, 1).g)[0] != "sol"


def test_the_demolished_power_station_does_not_matter_to_sol() -> None:
    assert special(held("sol,hacan,letnev", -1, -1, -1, 0, 1).g)[0] == "sol"


@pytest.mark.parametrize("place", [0, 1, 2])
def test_hacan_wins_after_sol_with_one_of_its_three_strongholds(place: int) -> None:
    owners = [-1, -1, -1, 1, 1]
    owners[place] = 2
    assert special(held(SIX, *owners).g) == ("hacan", (2,))
    owners[3:] = [0, 0]
    assert special(held(SIX, *owners).g) == ("sol", (0,))


def test_allies_share_special_victories_unless_the_table_says_otherwise() -> None:
    assert special(held(SIX).ally(0, 4).g) == ("sol", (0, 4))
    assert special(held(SIX, **{"shared-special-victory": "off"}).ally(0, 4).g) == ("sol", (0,))


def test_else_most_strongholds_win_and_ties_share() -> None:
    assert special(held("lazax,letnev,jol-nar", 0, 1, 2, 1).g) == ("most-strongholds", (1,))
    assert special(held("lazax,letnev,jol-nar", 0, 1).g) == ("most-strongholds", (0, 1))


def test_special_victories_come_after_the_eighth_round_only() -> None:
    made = at_end(held("sol,hacan,letnev", 1, 1, 0), 8)
    assert (made.g.round.ending, made.g.round.winners) == ("sol", [0])


def test_strongholds_come_before_special_victories_in_the_eighth_round() -> None:
    made = at_end(held("sol,hacan,letnev", 2, 2, 2), 8)
    assert special(made.g)[0] == "sol"
    assert (made.g.round.ending, made.g.round.winners) == ("strongholds", [2])


def test_hacan_wins_at_the_end_of_the_eighth_round_and_no_sooner() -> None:
    owners = (1, -1, -1, 2)
    assert not at_end(held("sol,hacan,letnev", *owners), 7).match.over
    made = at_end(held("sol,hacan,letnev", *owners), 8)
    assert (made.g.round.ending, made.g.round.winners) == ("hacan", [1])


def foretold(prediction: str, number: int, *owners: int, ally: tuple[int, ...] = (), **options: str) -> Play:
    """Xxcha at seat 0 has predicted, and a round ends."""
    made = opening("xxcha,hacan,letnev,sol,lazax", **options)
    made.secrets[0] = [prediction]
    made.until("window")
    with made.edit() as g:
        for seat in range(5):
            for space in range(len(g.const.spaces)):
                g.seats.reserve[seat] += g.board.units[seat, space]
                g.board.units[seat, space] = 0
        for space_id, owner in zip(STRONGHOLDS, owners, strict=False):
            g.board.units[owner, g.const.space_index[space_id]] = 1
            g.seats.reserve[owner] -= 1
        for seat in ally:
            g.seats.alliance[seat] = 1 + min(ally)
        _in_round(made, g, number)
        g.flow.now, g.flow.agenda = [], [["end-round"]]
    return made


def test_xxcha_wins_alone_when_it_foresaw_winner_and_round() -> None:
    made = foretold("1 4", 4, 1, 1, 1)
    assert (made.g.round.ending, made.g.round.winners) == ("xxcha", [0])


@pytest.mark.parametrize("prediction", ["1 5", "2 4"])
def test_a_wrong_prediction_changes_nothing(prediction: str) -> None:
    assert foretold(prediction, 4, 1, 1, 1).g.round.winners == [1]


def test_xxcha_wins_alone_even_in_the_winning_alliance() -> None:
    made = foretold("1 4", 4, 1, 1, 1, 0, ally=(0, 1))
    assert (made.g.round.ending, made.g.round.winners) == ("xxcha", [0])


def test_a_prediction_covers_special_victories() -> None:
    made = foretold("3 8", 8, 1)
    assert (made.g.round.ending, made.g.round.winners) == ("xxcha", [0])


def test_the_prediction_is_opened_only_when_somebody_wins() -> None:
    made = foretold("1 4", 4, 1, 1, 2)
    assert made.g.round.prediction
    assert not made.events("victory/predicted")


# Betrayal


def traitorous(*cards: tuple[int, str]) -> Play:
    """Hacan and Letnev win together and hold these Betrayal cards."""
    made = table("xxcha,hacan,letnev,sol,lazax", betrayal="on")
    for seat, card in cards:
        mine = Handle("betrayal", made.g.seats.betrayal[seat] - 1)
        other = next(handle for handle, face in made.dealer.faces.items() if face == card)
        made.dealer.faces[other], made.dealer.faces[mine] = made.dealer.faces[mine], card
        made.dealer.lens(seat).learn(mine, card)
    for space, owner in zip(STRONGHOLDS, (1, 1, 1, 2), strict=False):
        made.army(owner, space, 1)
    made.army(2, "grand-exchange", 6).ally(1, 2)
    return at_end(made, 3)


def test_a_betrayal_card_wins_alone_when_its_condition_is_met() -> None:
    made = traitorous((1, "fortress-builder"), (2, "path-of-peace"))
    assert made.seat == 1
    assert made.seen() == ["no", "reveal"]
    made.say("reveal")
    assert made.seen() == ["no"]
    made.say("no")
    assert (made.g.round.ending, made.g.round.winners) == ("betrayal", [1])


def test_the_highest_betrayal_card_counts() -> None:
    made = traitorous((1, "fortress-builder"), (2, "massed-banners")).say("reveal", "reveal")
    assert made.g.round.winners == [1]


def test_an_unmet_betrayal_card_counts_for_nothing() -> None:
    made = traitorous((1, "massed-banners"), (2, "path-of-peace")).say("reveal", "reveal")
    assert (made.g.round.ending, made.g.round.winners) == ("strongholds", [1, 2])


def test_without_betrayal_an_alliance_wins_together() -> None:
    made = traitorous((1, "fortress-builder")).say("no", "no")
    assert (made.g.round.ending, made.g.round.winners) == ("strongholds", [1, 2])
    assert [score.rank for score in REX.scores(made.g)] == [3, 1, 1, 3, 3]


def test_a_true_prediction_leaves_no_room_for_betrayal() -> None:
    made = foretold("1 4", 4, 1, 1, 1, 2, ally=(1, 2), betrayal="on")
    assert (made.g.round.ending, made.g.round.winners) == ("xxcha", [0])


def test_a_single_winner_is_not_betrayed() -> None:
    made = at_end(held("sol,hacan,letnev", 1, 1, 1, betrayal="on"), 3)
    assert made.g.round.ending == "strongholds"


def test_allies_who_tie_for_most_strongholds_share_and_are_not_betrayed() -> None:
    made = held("lazax,letnev,jol-nar,hacan", 0, 1, betrayal="on").ally(0, 1)
    assert special(made.g) == ("most-strongholds", (0, 1))
    at_end(made, 8)
    assert (made.g.round.ending, made.g.round.winners) == ("most-strongholds", [0, 1])


def test_allies_who_win_by_the_power_of_one_may_be_betrayed() -> None:
    made = at_end(held("sol,hacan,letnev,lazax,jol-nar", betrayal="on").ally(0, 4), 8)
    assert made.asked == "betray"


def test_the_conditions_of_betrayal() -> None:
    made = table(SIX, betrayal="on").ally(1, 4).army(1, "galactic-council", 2).army(4, "galactic-council", 1)
    made.army(4, "iaf-hq", 4).army(4, "imperial-palace", 1).army(1, "imperial-navy-base", 1).influence(0, 3, 0, 0, 4, 0)
    made.deal(1, "bio-filter")
    with made.edit() as g:
        g.leaders.status[g.const.leaders_of[4][0]] = 2
    met = {card for card in made.g.const.betrayal if betrays(made.g, 1, card)}
    assert met == {"path-of-peace", "cautious-command", "secret-arsenal"}
    met = {card for card in made.g.const.betrayal if betrays(made.g, 4, card)}
    assert met == {"massed-banners", "deep-coffers", "city-network"}
    made.army(4, "mecatol-power-south", 1)
    assert betrays(made.g, 4, "throne-claimant")
    assert betrays(made.g, 4, "fortress-builder")


def test_a_claimant_to_the_throne_controls_the_palace_and_another_stronghold() -> None:
    made = table(SIX, betrayal="on").ally(1, 4).army(4, "mecatol-power-south", 1).army(4, "imperial-navy-base", 1)
    assert not betrays(made.g, 4, "throne-claimant")
    assert betrays(made.army(4, "imperial-palace", 1).g, 4, "throne-claimant")
    made.army(4, "mecatol-power-south", 0).army(4, "imperial-navy-base", 0)
    assert not betrays(made.g, 4, "throne-claimant")


def test_who_betrays_has_more_than_each_of_its_allies() -> None:
    made = table(SIX, betrayal="on").ally(1, 2, 4)
    for seat, count in ((1, 3), (2, 2), (4, 1)):
        made.army(seat, "galactic-council", count)
    made.army(1, "iaf-hq", 1).army(1, "imperial-palace", 1).army(1, "imperial-navy-base", 1)
    made.army(2, "hydro-works", 1).army(2, "adminus-imperialis", 1)
    made.influence(0, 3, 2, 0, 1, 0)
    made.deal(1, "bio-filter", "bio-filter")
    made.deal(2, "energy-rifle")
    with made.edit() as g:
        for faction, dead in ((2, 1), (4, 2)):
            for leader in g.const.leaders_of[faction][:dead]:
                g.leaders.status[leader] = 2
    compared = sorted({*made.g.const.betrayal} - {"throne-claimant"})
    met = {seat: [card for card in compared if betrays(made.g, seat, card)] for seat in (1, 2, 4)}
    assert met == {1: compared, 2: [], 4: []}


def test_face_down_units_do_not_count_for_betrayal() -> None:
    made = table(SIX, betrayal="on").ally(1, 3)
    made.army(3, "galactic-council", 2).army(1, "galactic-council", 1).army(3, "iaf-hq", 4).army(3, "hydro-works", 1)
    attested = ("path-of-peace", "massed-banners")
    assert [betrays(made.g, 3, card) for card in attested] == [True, True]
    for space, met in (("galactic-council", [False, True]), ("iaf-hq", [False, False])):
        with made.edit() as g:
            g.board.hidden[g.const.space_index[space]] = 1
        assert [betrays(made.g, 3, card) for card in attested] == met
    assert betrays(made.g, 1, "path-of-peace")


# False claims


def ended(made: Play, winners: tuple[int, ...], *liars: int) -> Play:
    """The game ends with these winners, and hands show that these have denied a card that they hold."""
    for seat in liars:
        made.deal(seat, "energy-rifle")
        made.run(["testify", seat, (seat + 1) % 3, "energy-rifle"]).say("no")
    with made.edit() as g:
        g.flow.now, g.flow.agenda = [], [["finish", "strongholds", *winners]]
    made.serve()
    assert made.match.over
    return made


def test_who_made_a_false_claim_does_not_win_and_its_honest_ally_does() -> None:
    made = ended(held(SIX, 1, 1, 1, 4, 5).ally(1, 4), (1, 4), 1)
    assert made.g.round.winners == [4]
    assert made.events("claim/struck") == [{"seat": 1}]
    (won,) = made.events("victory/won")
    assert won["seats"] == (4,)
    assert [score.seat for score in scores(made.g) if score.rank == 1] == [4]


def test_without_an_honest_winner_most_strongholds_of_the_others_decide() -> None:
    made = ended(held(SIX, 1, 1, 1, 4, 5), (1,), 1)
    assert made.g.round.winners == [4, 5]
    assert made.events("claim/struck") == [{"seat": 1}]


def test_a_false_claim_of_who_does_not_win_is_told_and_changes_nothing_else() -> None:
    made = ended(held(SIX, 1, 1, 1, 4), (1,), 4)
    assert made.g.round.winners == [1]
    assert (made.events("claim/struck"), len(made.events("claim/false"))) == ([], 1)


def test_when_all_have_lied_nobody_wins() -> None:
    made = ended(held("sol,hacan,letnev", 1, 1, 1), (1,), 0, 1, 2)
    assert made.g.round.winners == []
    assert len(made.events("claim/false")) == 3
