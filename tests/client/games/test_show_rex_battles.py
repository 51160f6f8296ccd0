"""What a person sees of the battles of Rex, before the plans and after them."""

from __future__ import annotations

import pytest
from rex_bot import JOL_NAR, LETNEV, SIX, SPACE, table
from rex_person import NAMES, Person

from client.system.texts import use
from client.words import DisplayNames, event_text
from engine.core.events import Event


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def at_the_question() -> Person:
    game = table(SIX).army(JOL_NAR, SPACE, 5).army(LETNEV, SPACE, 3)
    game.deal(LETNEV, "energy-rifle")
    game.run(["fight", game.g.const.space_index[SPACE], JOL_NAR, LETNEV], phase="battle")
    while game.asked == "play-card":
        game.say("no")
    assert game.asked == "question"
    return Person(game)


def test_who_asks_before_the_plans_sees_the_battle() -> None:
    shown = at_the_question().read()
    assert "Grand Exchange: Eve against Fay Eve, 5 units" in shown
    assert "dial: 0 1 2 3 4 5 ?" in shown
    assert "Battle in Grand Exchange: which part of the plan does Fay have to tell?" in shown


def test_who_has_to_tell_reads_who_asks_about_which_battle_and_sees_it() -> None:
    game = at_the_question().game
    game.say("dial")
    shown = Person(game).read()
    assert "Fay, 3 units" in shown
    assert "dial: 0 1 2 3 ?" in shown
    assert "Battle in Grand Exchange: Eve asks what your dial will be. The answer binds you." in shown


def test_a_told_dial_stands_once_in_the_battle() -> None:
    game = at_the_question().game
    game.say("dial", "2")
    assert Person(game).show("battle").count("dial 2") == 1
    with game.edit() as g:
        g.battle.dial[1], g.battle.leader[1] = 2, "nobody"
    assert Person(game).show("battle").count("dial 2") == 1


def test_a_victory_by_a_traitor_names_no_totals() -> None:
    told = event_text(Event("battle/result", {"seat": 0, "totals": (0, 0), "space": SPACE}), NAMES, DisplayNames("rex"))
    assert told == "Ada wins the battle in Grand Exchange."


def test_a_battle_is_told_and_asked_in_spanish_words() -> None:
    use("es")
    try:
        person = at_the_question()
        shown = person.read()
        assert all(word in shown for word in ("attack ataque", "defence defensa", "leader líder"))
        display_names = person.screen.session.table.display_names
        plan = Event("battle/plan", {"seat": 0, "dial": 3, "leader": "nobody", "intent": "none"})
        assert event_text(plan, NAMES, display_names) == "Ada marca 3, líder nadie, cartas: ninguna."
        order = Event("battle/commanded", {"by": 0, "seat": 1, "order": "withhold", "card": "bio-filter"})
        assert "no jugar Biofiltro" in event_text(order, NAMES, display_names)
        obeys = Event("battle/obeys", {"seat": 0, "card": "bio-filter", "answer": "cannot"})
        assert event_text(obeys, NAMES, display_names).endswith("no puede.")
    finally:
        use("en")
