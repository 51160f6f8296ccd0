from __future__ import annotations

import pytest
from emperor_table import face_up, put, score, table

from engine.core.errors import Refusal
from engine.emperor.spec import EMPEROR
from engine.testing.judges import judge, load_position


def chosen_by(direction: str, first: int = 0) -> list[int]:
    """Who chooses roles in a round of four, in order."""
    play, seats = table(4, forced={"throne": (first + 1,)}), []
    play.say(direction)
    for role in ("merchant", "scientist", "steward", "engineer"):
        seats.append(play.seat)
        play.say(role)
        if role != "engineer":
            play.until("choose")
    return seats


def test_the_holder_of_the_throne_points_the_direction_and_chooses_first() -> None:
    assert chosen_by("left") == [0, 1, 2, 3]
    assert chosen_by("right") == [0, 3, 2, 1]
    assert chosen_by("right", 2) == [2, 1, 0, 3]


def test_a_role_is_played_by_all_chooser_first_before_the_next_is_chosen() -> None:
    play = table(3).say("right", "merchant")
    assert play.seat == 0
    seats = []
    for _ in range(3):
        play.until("trade") if play.g.flow.now[0] != "trade" else None
        seats.append(play.seat)
        play.say("- - -")
    assert seats == [0, 2, 1]
    assert (play.g.flow.now, play.seat) == (["choose", 2], 2)


def test_wherever_the_throne_is_its_holder_points_chooses_and_acts_first() -> None:
    play = table(4, forced={"throne": (3,)})
    assert (play.seat, play.asked) == (2, "point-direction")
    play.say("right")
    assert (play.seat, play.asked) == (2, "choose-role")
    play.say("regent")
    seats = []
    while play.asked == "buy-influence":
        seats.append(play.seat)
        play.say("-")
    assert seats == [2, 1, 0, 3]
    play.until("choose")
    assert play.seat == 1


def test_a_role_is_chosen_once_a_round_and_the_choice_is_compulsory() -> None:
    play = table(3).say("left", "steward", "metal")
    assert play.refusal("steward") == "role/used"
    assert play.refusal("warlord-2") == "role/not-in-the-game"
    assert "-" not in play.options()


def test_a_round_without_explorer_turns_up_one_more_tile() -> None:
    play = table(3).say("left")
    shown = len(play.shown())
    for role in ("engineer", "steward", "scientist"):
        play.say(role).until("choose" if role != "scientist" else "direction")
    assert len(play.shown()) == shown + 1
    assert play.g.round.number == 2


def test_a_round_with_explorer_turns_up_no_more() -> None:
    play = table(3).say("left", "explorer").until("choose")
    assert len(play.shown()) == 4
    play.say("steward").until("choose").say("engineer").until("direction")
    assert len(play.shown()) == 4


def test_all_get_two_marks_and_the_cards_go_back_when_the_round_ends() -> None:
    play = table(3).say("left")
    for role in ("engineer", "steward", "scientist"):
        play.say(role).until("choose" if role != "scientist" else "direction")
    assert list(play.g.seats.marks) == [7, 7, 7]
    assert 1 not in play.g.round.cards
    assert play.say("left").options()[:2] == ["engineer", "explorer"]


def test_the_order_stays_when_the_throne_changes_hands() -> None:
    play = table(3).say("left", "regent").until("exert").say("throne -", "-", "-")
    assert play.g.round.throne == 1
    assert play.seat == 1
    play.say("steward").until("choose")
    assert play.seat == 2
    play.say("engineer").until("direction")
    assert play.seat == 1


def test_with_six_players_and_without_scientist_the_last_takes_what_is_left() -> None:
    play = table(6)
    with play.edit() as g:
        face_up(g, "black-hole", "oatha")
    play.say("left", "explorer", "black-hole")
    play.until("choose")
    for _ in range(4):
        play.say(next(role for role in ("steward", "engineer", "merchant", "regent") if role in play.options()))
        play.until("choose")
    assert play.options() == ["warlord"]


def test_anytime_technologies_are_ready_again_in_the_next_round() -> None:
    play = table(3)
    with play.edit() as g:
        tech = g.const.technology_index["time-warp"]
        g.seats.techs[0, tech], g.round.display[tech] = 2, 2
    play.say("left", "steward").until("choose")
    assert play.g.seats.techs[0, play.g.const.technology_index["time-warp"]] == 2
    play.say("engineer").until("choose").say("scientist").until("direction")
    assert play.g.seats.techs[0, play.g.const.technology_index["time-warp"]] == 1


def test_all_players_finish_the_role_in_which_the_game_ends() -> None:
    play = table(3)
    with play.edit() as g:
        score(g, 0, 114)
    play.say("left", "regent").until("exert").say("-", "-", "-")
    assert play.match.over
    assert play.g.round.pool == 115 - 114 - 3
    assert list(play.g.seats.vp) == [115, 1, 1]
    assert play.events("game/ending") == [{"why": "pool", "role": "regent"}]


def test_a_position_with_all_tokens_of_a_seat_placed_says_that_the_game_ends() -> None:
    play = table(3).say("left", "warlord")
    with play.edit() as g:
        tiles = [g.const.tiles[n].id for n in (*g.const.plain, *g.const.atomic) if g.const.planets[n]]
        for tile, space in zip(tiles, [space for space in g.const.spaces if space[0] in "bc"], strict=False):
            put(g, tile, space, 0)
        g.round.last = 1
    assert play.g.seats.reserve[0] == 0
    data = play.match.position()
    data["round"]["last"] = 0
    judged = load_position(EMPEROR, data)
    assert isinstance(judged, Refusal)
    assert (judged.code, judged.path) == ("position/out-of-range", "round.last")


def test_a_position_names_what_is_wrong_with_it() -> None:
    def refusal(section: str, field: str, at: int, value: int) -> str:
        data = table(3).match.position()
        data[section][field][at] = value
        judged = load_position(EMPEROR, data)
        return getattr(judged, "code", "")

    assert refusal("seats", "reserve", 0, 10) == "position/empires"
    assert refusal("seats", "vp", 1, 3) == "position/points"
    assert refusal("seats", "metal", 1, 7) == "position/out-of-range"
    assert refusal("sectors", "tile", 0, -1) == "position/tile"
    assert refusal("sectors", "food", 1, 1) == "position/food"
    assert refusal("tiles", "where", 0, 2) == "position/tile"
    assert refusal("round", "cards", 7, 0) == "position/roles"
    assert refusal("round", "display", 0, 2) == "position/technology"
    assert refusal("ships", "damage", 12, 1) == "position/damage"
    assert refusal("ships", "place", 1, 0) == "position/foreign-home"
    assert refusal("ships", "place", 1, 18) == "position/sun"


@pytest.mark.parametrize(("phase", "stands"), [(-1, False), (0, True), (1, True), (2, True), (3, False)])
def test_a_written_position_stands_before_the_first_round_or_in_one_of_two_phases(phase: int, stands: bool) -> None:
    data = table(3).match.position()
    data["round"]["phase"] = phase
    judged = load_position(EMPEROR, data)
    assert judged == Refusal("position/out-of-range", "round.phase", (phase, 0, 2)) or stands
    assert isinstance(judged, Refusal) is not stands


@pytest.mark.parametrize(("phase", "stands"), [(0, False), (1, True), (3, True), (4, False)])
def test_a_written_battle_fires_in_phases_one_to_three(phase: int, stands: bool) -> None:
    g = table(3).say("left", "warlord").g
    g.battle.site, g.battle.attacker, g.battle.defender = g.const.space_index["b1"], 0, 1
    g.flow.agenda.insert(0, ["fire", phase])
    refused = judge(EMPEROR, g)
    assert (refused is None) is stands
    assert refused is None or (refused.code, refused.detail) == ("position/agenda-arguments", ("fire", phase))
