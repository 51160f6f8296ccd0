"""Battles on the full screen: dice as rolled, advised targets, chances, sealed plans, phases of fire."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from battle_scenes import crowd, eclipse, emperor_fire, engaging, rex_battle, rolling, salvo
from pictures import SIZES
from screen_game import text_of

from client.fronts.screen.front import Front
from client.fronts.screen.keys import BATTLE
from client.fronts.screen.layout import battle_lines
from client.fronts.screen.settings import Settings
from client.games.eclipse.show.fight import advised, fight
from client.games.eclipse.show.odds import Fate, stage_of
from client.games.emperor.show.fight import fight as emperor_fight
from client.session.battle import battle_of
from client.show.battles import Battle, document_of, share_text, units_table
from client.show.lines import lines
from client.show.styled import UNICODE, Glyphs, plain
from client.system import texts
from client.system.names import columns
from client.table.notices import OthersHeard
from engine.core.events import Event
from engine.eclipse.combat.strike import Assign

SCENES: dict[str, Callable[[Glyphs], Front]] = {
    "eclipse-assign": rolling,
    "eclipse-engage": engaging,
    "emperor-fire": emperor_fire,
    "rex-sealing": lambda glyphs: rex_battle(glyphs, sealing=True),
    "rex-opened": lambda glyphs: rex_battle(glyphs, sealing=False),
}


def fought(front: Front) -> Battle:
    battle = battle_of(front.session)
    assert battle is not None
    return battle


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("size", [*SIZES, (60, 18)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_battles_fit_in_spanish(scene: str, size: tuple[int, int]) -> None:
    texts.use("es")
    try:
        front = SCENES[scene](UNICODE)
        for key in ("", "f8"):
            front.press(key)
            lines = [plain(line) for line in front.draw(*size).lines]
            assert {columns(line) for line in lines} == {size[0]}
            assert len(lines) == size[1]
    finally:
        texts.use("en")


@pytest.mark.parametrize("scene", SCENES)
def test_looking_at_a_battle_changes_nothing(scene: str) -> None:
    front = SCENES[scene](UNICODE)
    controls = front.session.table.controls
    assert controls is not None
    before = controls.match.digest()
    for key in ("m", "m", "f8", "escape", "tab", "up", "down"):
        front.press(key)
        front.draw(80, 24)
    assert controls.match.digest() == before


def test_the_dice_stand_as_they_fell_with_what_they_need() -> None:
    shown = text_of(rolling(), (80, 24))
    assert shown.count("│ 6 │") == 2
    assert "HIT   HIT" in shown
    assert "needs 6+ (6 always, 1 never; computer +0, shield +0); 2 hits of" in shown
    assert "luck so far: Anna hit 2 times, 0.3 expected" in shown


def test_the_advised_target_is_marked_and_leaves_the_best_chance() -> None:
    front = rolling()
    session = front.session
    assert session.asking.draft is not None
    assert session.asking.choices is not None
    ask, view = session.asking.draft.ask, session.asking.draft.view()
    assert isinstance(ask, Assign)
    picks = advised(view.g, ask)
    assert [(pick.ship, pick.damage) for pick in picks] == [("cruiser", 1)], "both hits on one ship sink it"
    listed = front.scene.entries(front.ui)
    assert session.asking.choices.options[listed[front.ui.cursor].option] == picks[0]
    assert front.view.ask is not None
    assert "★ advised" in front.view.ask.options[listed[front.ui.cursor].option].about
    battle = fight(session.frame(), session.table.recent)
    assert battle is not None
    before, after = (dict(chance.shares)[0] for chance in battle.chances if chance.shares)
    assert after > before > 0.5


@pytest.mark.parametrize("better", ["wins", "left", "neither"])
def test_of_targets_with_the_same_chance_those_that_spare_ships_are_advised_and_else_those_of_neutral_ships(
    monkeypatch: pytest.MonkeyPatch, better: str
) -> None:
    session = rolling().session
    assert session.asking.draft is not None
    ask, g = session.asking.draft.ask, session.asking.draft.view().g
    assert isinstance(ask, Assign)
    stage = stage_of(g)
    assert stage is not None
    sign = 1 if ask.seat == stage.sides[0] else -1
    usual = ask.caretaker(g)
    (other,) = ((option,) for option in ask.options(g, None, ()) if (option,) != usual)

    def after(_stage: object, _ask: object, picks: object, _most: object) -> Fate:
        """The other target wins a little more, or spares a little more."""
        more = picks == other
        ships = 1.0 + 0.1 * (more and better == "left")
        return Fate(0.5 + sign * 0.1 * (more and better == "wins"), (ships, ships))

    monkeypatch.setattr("client.games.eclipse.show.fight._after", after)
    assert advised(g, ask) == (usual if better == "neither" else other)


def test_a_retreat_says_where_to_and_how_many_get_away() -> None:
    shown = " ".join(text_of(engaging(), (200, 50)).split())
    assert "retreat to 221 with cruiser: it begins at their turn in the next round;" in shown
    assert "of 2 get away on average" in shown


def test_the_chance_before_the_battle_is_that_of_its_first_position() -> None:
    arena = eclipse().begin()
    stage = stage_of(arena.now)
    assert stage is not None
    found = stage.fate()
    assert found is not None
    battle = battle_of(rolling().session)
    assert battle is not None
    (before,) = (chance for chance in battle.chances if chance.text == "before the battle")
    assert dict(before.shares)[0] == pytest.approx(found.wins)


@pytest.mark.parametrize("seat", [-1, 1])
def test_who_only_watches_sees_the_battle_as_it_goes(seat: int) -> None:
    shown = text_of(rolling(seat=seat), (80, 24))
    assert "Sector 102, round 1" in shown
    assert shown.count("HIT") == 2
    assert "v proof" in shown
    assert "before this roll" in shown


def test_seals_turn_from_chosen_to_sealed_with_the_letters_of_its_entry_to_opened() -> None:
    front = rex_battle(sealing=True)
    assert text_of(front).count("… chooses") == 2
    controls: Any = front.session.table.controls
    controls.owing, controls.seals = lambda: (5,), lambda: {0: "3f9a"}
    front.session.notice(OthersHeard())
    assert text_of(front).count("… chooses") == 1
    assert text_of(front).count("■ sealed ✓ 3f9a") == 1
    opened = text_of(rex_battle(sealing=False))
    assert opened.count("✓ opened") == 2
    assert "dial  [0] 1 2 3 4 5" in opened
    assert "leader  Assault General (5)" in text_of(rex_battle(sealing=False), (80, 24))


def test_the_own_plan_shows_what_is_set_and_picked_and_nobody_elses() -> None:
    front = rex_battle(sealing=True)
    assert "dial  ◂ [0] 1 2 3 ▸" in text_of(front)
    front.press("right")
    assert "dial  ◂ 0 [1] 2 3 ▸" in text_of(front)
    front.press("enter")
    front.press("1")
    shown = text_of(front, (200, 50))
    assert "dial  ◂ 0 [1] 2 3 ▸" in shown
    assert "leader  Baronial Heir (6)" in shown
    assert sum(shown.count(f"{slot}  ?") for slot in ("leader", "attack", "defence")) == 5
    front.press("1")
    assert "  one card" in text_of(front)


def test_a_dial_is_set_by_clicks_on_its_numbers_and_arrows() -> None:
    front = rex_battle(sealing=True)
    rows = text_of(front, (80, 24)).split("\n")
    y = next(at for at, row in enumerate(rows) if "◂ [0] 1 2 3 ▸" in row)
    front.click(rows[y].index("2 3 ▸"), y)
    assert "◂ 0 1 [2] 3 ▸" in text_of(front, (80, 24))
    front.click(rows[y].index("▸"), y)
    assert "◂ 0 1 2 [3] ▸" in text_of(front, (80, 24))
    front.click(rows[y].index("◂"), y)
    assert "◂ 0 1 [2] 3 ▸" in text_of(front, (80, 24))


def test_a_picked_dial_is_changed_by_clicks_while_the_leader_is_asked_for() -> None:
    front = rex_battle(sealing=True)
    front.press("enter")
    rows = text_of(front, (80, 24)).split("\n")
    assert "Which leader fights?" in "\n".join(rows)
    y = next(at for at, row in enumerate(rows) if "◂ [0] 1 2 3 ▸" in row)
    front.click(rows[y].index("2 3 ▸"), y)
    assert "◂ 0 1 [2] 3 ▸" in text_of(front, (80, 24))
    front.click(rows[y].index("▸"), y)
    assert "◂ 0 1 2 [3] ▸" in text_of(front, (80, 24))
    assert "Which leader fights?" in text_of(front, (80, 24))


def test_a_number_that_the_dial_cannot_have_says_why() -> None:
    front = rex_battle(sealing=True)
    front.table.question.dial(7)
    assert any("The dial goes up to 3." in text for _style, text in front.news.texts)


def test_a_hidden_plan_shows_nothing_of_it() -> None:
    shown = text_of(rex_battle(sealing=True))
    assert sum(shown.count(f"{slot}  ?") for slot in ("leader", "attack", "defence")) == 6
    assert "dial  0 1 2 3 4 5 ?" in shown


def test_the_three_phases_say_what_fires_and_which_is_under_way() -> None:
    shown = text_of(emperor_fire(), (80, 24))
    assert "✓ Phase 1: dreadnought, damaged dreadnought  Bob 3 dice: 3+  Carl no dice" in shown
    assert "─ Bob rolls in phase 1, step 10 ─" in shown
    assert "[4] HIT  [1] miss  [1] miss  1 hit" in shown


def test_the_chances_as_a_battle_began_are_worded_anew_in_another_language() -> None:
    session, found = engaging().session, list[str]()
    try:
        for language in texts.LANGUAGES:
            texts.use(language)
            battle = battle_of(session)
            assert battle is not None
            found.append(battle.chances[-1].text)
    finally:
        texts.use("en")
    assert found == ["before the battle", "antes de la batalla"]


@pytest.mark.parametrize("scene", SCENES)
def test_screens_with_cards_show_the_same_battle(scene: str) -> None:
    front = SCENES[scene](UNICODE)
    battle = battle_of(front.session)
    assert battle is not None
    shown = " ".join(map(plain, lines(document_of(battle, front.session.table.names), 1000)))
    for volley in battle.volleys:
        assert volley.title in shown
    for chance in battle.chances:
        assert chance.text in shown


def test_chances_near_to_certain_are_not_shown_as_certain() -> None:
    shares = (0, 1e-300, 0.00004, 0.00006, 0.001, 0.5, 0.999, 0.99994, 0.99996, 1 - 2e-16, 1)
    told = "0% <0.01% <0.01% 0.01% 0.10% 50.0% 99.90% 99.99% >99.99% >99.99% 100%"
    assert " ".join(share_text(share, 1) for share in shares) == told
    assert [share_text(share) for share in (0, 0.004, 0.014, 0.5, 1)] == ["0%", "0.40%", "1%", "50%", "100%"]


def test_what_a_ship_does_is_not_cut_where_the_row_is_full() -> None:
    row = (0, "2 × dreadnought", ("3", "2 orange", "+1", "-1", "3 3 of 3"), False, "leaves for 394")
    battle = Battle("Sector 233", units=units_table(("init", "dice", "comp", "shield", "hits left"), [row]))
    for width in (60, 71, 90):
        shown = [plain(each).rstrip() for each in battle_lines(battle, ("Anna",), width, 9, UNICODE)]
        assert "leaves for 394" in " ".join(" ".join(shown).split())
        assert max(map(columns, shown)) <= width


def test_on_a_narrow_screen_the_columns_of_ships_stand_closer_and_nothing_is_cut() -> None:
    row = (0, "2 × dreadnought", ("3", "missiles 2 orange", "■■"), True, "leaves for 394")
    battle = Battle("Sector 233", units=units_table(("init", "dice", "ships left"), [row]))
    for wide in (80, 70, 51, 44, 25):
        shown = [plain(each).rstrip() for each in battle_lines(battle, ("Anna",), wide, 9, UNICODE)]
        assert max(map(columns, shown)) <= wide
        assert "2 × dreadnought 3 missiles 2 orange ■■ leaves for 394" in " ".join(" ".join(shown[2:]).split())


def test_on_a_narrow_screen_the_title_is_shortened_and_the_count_of_rows_left_out_is_whole() -> None:
    battle = replace(fought(salvo()), title="Sector 102, round 1, which has a long title")
    for wide, height in ((45, 8), (45, 60), (60, 8)):
        title = plain(battle_lines(battle, ("Anna", "Bob"), wide, height, UNICODE)[0])
        assert "…" in title
        assert columns(title) == wide
        assert title.endswith(" more rows ─") == (height == 8)


def test_in_the_missile_volley_the_missiles_have_the_first_rows() -> None:
    battle = fought(salvo())
    assert battle.units is not None
    assert [row[2].text for row in battle.units.rows[:7]] == [*["missiles 2 orange"] * 6, "1 yellow"]
    assert [*battle.units.marked] == [0]


def test_many_ships_have_chances_unless_working_them_out_takes_too_long() -> None:
    shown = text_of(salvo())
    assert "before this roll" in shown
    assert "if advised" in shown
    shown = text_of(crowd())
    assert "too many ships to work out the chances" in shown
    assert "before the battle" not in shown


def test_rows_that_do_not_fit_are_counted_and_a_click_on_the_title_shows_them() -> None:
    front = salvo()
    shown = text_of(front, (80, 24))
    assert "F8: 11 more rows" in shown
    assert "▸ B 3 × interceptor" in shown, "who acts now is among the rows that are shown"
    assert "[6] HIT  [5] miss  [2] miss  [6] HIT  [1] miss  [6] HIT" in shown
    front.click(70, 1)
    assert "The battle under way" in text_of(front, (80, 24))


def test_the_arrows_go_from_die_to_die_and_a_takes_what_is_advised() -> None:
    front = salvo()
    assert "Die 1 of 3 shows 6, damage 2: which ship of Anna does it hit?" in text_of(front, (80, 24))
    front.press("right")
    assert "Die 2 of 3" in text_of(front, (80, 24))
    front.press("left")
    assert "Die 1 of 3" in text_of(front, (80, 24))
    front.press("a")
    draft = front.session.asking.draft
    assert draft is not None
    assert draft.values
    front.press("left")
    assert "Die 3 of 3" in text_of(front, (80, 24))


def test_a_target_says_what_the_next_die_does_to_it() -> None:
    shown = text_of(rolling(), (80, 24))
    assert "1 Hit cruiser (0 damage so far)  hull 1/1 → stays, 1 more to sink it" in shown
    assert "▸2 Hit cruiser (1 damage so far)  hull 0/1 → SINKS ★ advised" in shown


def test_r_lists_the_ways_to_retreat_or_says_why_there_is_none() -> None:
    front = engaging()
    front.press("r")
    listed = front.scene.entries(front.ui)
    assert [entry.title for entry in listed] == ["Retreat with cruiser to sector 221"]
    other = emperor_fire()
    other.press("r")
    assert [entry.title for entry in other.scene.entries(other.ui)] == ["Retreat"]
    hits = rolling()
    hits.press("r")
    assert "no choice to retreat" in hits.news.texts[-1][1]


def test_every_key_of_a_battle_means_one_thing_and_a_key_of_ones_own_stays() -> None:
    pressed = [key for each in BATTLE for key in each.keys]
    assert len(pressed) == len({*pressed})
    front = rolling()
    mine = Front(front.session, front.host, Settings(keys={"send": ["a"]}))
    assert [each.acts(each.below())["a"] for each in (mine, front)] == ["send", "advised"]
    assert {each.act for each in BATTLE} == mine.table.battle.does.keys()


def test_v_shows_the_step_of_the_last_roll() -> None:
    front = rolling()
    front.press("v")
    assert "How step 2 came about" in text_of(front, (80, 24))


def test_a_hurt_ship_is_shown_with_the_hits_that_it_still_takes() -> None:
    front = rolling()
    front.press("1")
    battle = battle_of(front.session)
    assert battle is not None
    assert battle.units is not None
    assert "□□ (1 of 2, 1 of 2)" in [row[-2].text for row in battle.units.rows]


def test_a_die_that_is_rolled_anew_shows_its_new_face() -> None:
    session = rolling().session
    again = Event("combat/rerolled", {"seat": 0, "sector": "102", "colour": "yellow", "face": 6, "now": 1})
    battle = fight(session.frame(), [*session.table.recent, again])
    assert battle is not None
    assert sorted(die.face for die in battle.volleys[0].dice) == [1, 6]
    fire = emperor_fire().session
    again = Event("technology/rerolled", {"seat": 1, "die": 1, "before": 4, "after": 2})
    other = emperor_fight(fire.frame(), [*fire.table.recent, again])
    assert other is not None
    assert [(die.face, die.hit) for die in other.volleys[0].dice] == [(2, False), (1, False), (1, False)]


def test_a_roll_says_who_made_it_and_a_battle_its_number_in_the_phase() -> None:
    session = rolling().session
    controls: Any = session.table.controls
    part = SimpleNamespace(member=b"b", seed=b"seed")
    roll = SimpleNamespace(height=controls.history[-1][0], ok=True, lifted=(), parts=(part,))
    read = iter(([roll],))
    controls.rolls = lambda: next(read)
    controls.genesis.member = lambda _key: SimpleNamespace(seats=(1, 0))
    battle = battle_of(session)
    assert battle is not None
    assert (battle.volleys[0].title, battle.volleys[0].proof) == (
        "Anna rolls for interceptor",
        "step 2, proof ✓ by A B",
    )
    assert battle_of(session) == battle, "the report of a roll is read once"
    assert battle.title == "Battle 1/1: Sector 102, round 1"


def test_a_battle_that_a_draft_begins_shows_no_roll_of_an_earlier_one() -> None:
    session = emperor_fire().session
    frame, told = session.frame(), [*session.table.recent]
    opening = next(each for each in told if each.id == "warlord/battle")
    elsewhere = Event("warlord/battle", {**opening.args, "space": "c1"})
    found = emperor_fight(frame, [elsewhere if each is opening else each for each in told])
    assert found is not None
    assert found.volleys == ()
    controls: Any = session.table.controls
    controls.history = [(1, [elsewhere, *(each for each in told if each is not opening)])]
    battle = battle_of(session)
    assert battle is not None
    assert "luck so far" not in " ".join(battle.notes)


def test_a_phase_that_is_over_is_marked_so_while_a_retreat_is_asked() -> None:
    battle = battle_of(emperor_fire().session)
    assert battle is not None
    assert battle.phases is not None
    assert [row[0].text[0] for row in battle.phases.rows] == ["✓", " ", " "]
    assert battle.units is not None
    assert not battle.units.marked


def test_hits_of_dice_with_different_damage_tell_it_without_colour() -> None:
    session = rolling().session
    roll = next(each for each in session.table.recent if each.id == "combat/rolled")
    mixed = Event(roll.id, {**roll.args, "dice": ("yellow", "orange"), "faces": (6, 6)})
    battle = fight(session.frame(), [mixed])
    assert battle is not None
    shown = "\n".join(plain(each) for each in battle_lines(battle, ("Anna", "Bob"), 80, 30, UNICODE))
    assert "HIT 1 HIT 2" in shown
    assert battle.volleys[0].note.endswith("2 hits of 2/1 damage each")
