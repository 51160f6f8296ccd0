from __future__ import annotations

from eclipse_table import Play, put, table

from engine.eclipse.state import events_of


def pulsing(money: int = 9) -> Play:
    """Seat 0 controls pulsar 393 and has an interceptor at home."""
    play = table(pulsar="on")
    with play.edit() as g:
        put(g, "393", 0, -3, 0, owner=0)
        g.seats.store[0, 2] = money
    return play


def pulses(play: Play) -> list[str]:
    return [option for option in play.options() if option.startswith("activate")]


def test_the_disc_goes_to_the_move_space_first() -> None:
    play = pulsing()
    assert events_of(play.g).space[play.tile("393")] == 1
    assert pulses(play) == ["activate 393 build", "activate 393 upgrade"]
    assert play.refusal("activate 393 move") == "pulsar/same-space"


def test_a_pulsar_gives_one_activation_for_no_disc_in_place_of_an_action() -> None:
    play = pulsing()
    discs = play.g.seats.discs[0]
    play.say("activate 393 build")
    assert getattr(play.ask, "of", 0) == 1
    play.say("construct interceptor 393", "done")
    assert (play.seat, play.g.seats.discs[0], play.g.seats.spent[0]) == (1, discs, 0)
    assert events_of(play.g).space[play.tile("393")] == 2


def test_a_pulsar_is_activated_once_a_round() -> None:
    play = pulsing().say("activate 393 build", "construct interceptor 393", "done", "pass")
    assert (play.seat, pulses(play)) == (0, [])
    assert play.refusal("activate 393 move") == "pulsar/used"
    play.say("pass").until("turn")
    assert play.g.round.number == 2
    while play.seat:
        play.say("pass")
    assert "activate 393 move" in pulses(play)


def test_each_controlled_pulsar_may_be_activated() -> None:
    play = pulsing()
    with play.edit() as g:
        put(g, "394", 1, -4, 0, owner=0)
    play.say("activate 393 build", "construct interceptor 393", "done", "pass")
    assert pulses(play) == ["activate 394 build", "activate 394 upgrade"]


def test_no_pulsar_is_activated_after_passing() -> None:
    play = pulsing().say("pass", "build")
    play.until("turn")
    assert (play.seat, play.g.seats.passed[0], pulses(play)) == (0, 1, [])
    assert play.refusal("activate 393 build") == "pulsar/passed"


def test_without_discs_a_pulsar_can_still_be_activated() -> None:
    play = pulsing()
    with play.edit() as g:
        g.seats.spent[0] += g.seats.discs[0]
        g.seats.discs[0] = 0
    assert play.options()[:3] == ["pass", "activate 393 build", "activate 393 upgrade"]


def test_only_its_controller_activates_a_pulsar() -> None:
    play = pulsing().say("pass")
    assert (play.seat, pulses(play)) == (1, [])


def test_a_pulsar_never_holds_two_discs() -> None:
    play = pulsing().say("influence")
    assert "shift track 393" not in play.options()
    assert play.refusal("shift track 393") == "influence/controlled"


def test_a_disc_that_leaves_a_pulsar_leaves_its_space() -> None:
    play = pulsing().say("influence", "shift 393 track")
    assert events_of(play.g).space[play.tile("393")] == 0


def test_an_action_that_makes_no_sense_is_refused_with_its_reason() -> None:
    play = pulsing(money=0)
    assert play.refusal("activate 393 build") == "build/nothing-possible"


def test_games_without_pulsars_have_no_section_for_them() -> None:
    assert "events" not in table(supernova="on").g.sections
    assert "events" in table(pulsar="on").g.sections
