"""The odds of a battle with other numbers than those that stand, and fighting on until a unit is lost."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from battle_scenes import emperor_fire, engaging, rex_battle, rolling, salvo
from pictures import SIZES
from screen_game import Solo, listing, sought, text_of, typed

from client.fronts.screen.front import Front
from client.games.emperor.show.fight import best_loss, fight
from client.show.battles import Supposed
from client.show.pictures import Frame
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.system import texts
from client.system.names import columns
from engine.core.dataclass import replace
from engine.core.events import Event
from engine.core.ids import Seat
from engine.core.waits import Together
from engine.emperor.combat import Losses, count

SCENES: dict[str, Callable[[Glyphs], Front]] = {"eclipse": rolling, "emperor": emperor_fire}


def press(front: Front, *keys: str) -> str:
    for key in keys:
        front.press(key)
    return text_of(front)


@pytest.mark.parametrize(("scene", "stands"), [("eclipse", "Anna 75.1% Bob 24.9%"), ("emperor", "Bob 97.7% Carl 2.1%")])
def test_what_if_begins_with_the_battle_as_it_stands(scene: str, stands: str) -> None:
    front = SCENES[scene](UNICODE)
    for shown in (text_of(front), press(front, "o")):
        assert stands in " ".join(re.sub("[█░]", "", shown).split())


@pytest.mark.parametrize("scene", SCENES)
def test_more_ships_of_one_side_win_more_often_and_none_never(scene: str) -> None:
    front = SCENES[scene](UNICODE)
    session, place = front.session, front.ui.place
    now = session.table.pictures.fights.suppose(session.frame(), place, {})
    assert now is not None
    mine = [number for number in now.numbers if number.key.startswith("0 ") and number.key.count(" ") == 1]
    more = session.table.pictures.fights.suppose(session.frame(), place, {mine[0].key: mine[0].value + 2})
    none = session.table.pictures.fights.suppose(
        session.frame(), place, dict.fromkeys((number.key for number in mine), 0)
    )
    assert more is not None
    assert none is not None
    assert more.chance.shares[0][1] > now.chance.shares[0][1] > none.chance.shares[0][1] == 0.0


def test_figures_of_a_ship_can_be_set_as_parts_would() -> None:
    front = rolling()
    press(front, "o", "/")
    front.typed("Anna: cruiser: hull")
    front.entered("Anna: cruiser: hull")
    assert "◂ 0 ▸  Anna: cruiser: hull" in text_of(front)
    shown = press(front, "right", "right", "left", "right")
    assert "◂ 2 ▸  Anna: cruiser: hull" in shown
    assert "Anna 75.1%" not in shown


def test_a_number_is_set_by_clicks_and_nothing_of_it_happens() -> None:
    front = rolling()
    before = front.session.table.controls.match.digest()  # type: ignore[union-attr]  # the table has begun
    press(front, "o")
    hit = next(each for each in front.draw(80, 24).hits if each.what == "item" and each.value == "0")
    front.click(hit.x, hit.y)
    assert "◂ 3 ▸  Anna: interceptor" in text_of(front)
    rows = text_of(front, (80, 24)).split("\n")
    y = next(at for at, row in enumerate(rows) if "◂ 2 ▸  Anna: cruiser" in row)
    front.click(rows[y].index("◂"), y)
    front.click(rows[y].index("◂"), y)
    assert "◂ 0 ▸  Anna: cruiser" in text_of(front, (80, 24))
    front.click(rows[y].index("▸"), y)
    assert "◂ 1 ▸  Anna: cruiser" in text_of(front, (80, 24))
    press(front, "escape")
    assert front.page is None
    assert front.session.table.controls.match.digest() == before  # type: ignore[union-attr]


def test_clicks_on_the_arrows_of_any_number_change_it_alone_and_move_no_row() -> None:
    front = rolling()
    press(front, "o")
    for y in range(5, 23):
        before = text_of(front, (80, 24)).split("\n")
        front.click(before[y].rindex("▸"), y)
        after = text_of(front, (80, 24)).split("\n")
        assert [at for at in range(5, 23) if after[at] != before[at]][:1] == [y]
        front.click(after[y].index("◂"), y)
        assert text_of(front, (80, 24)).split("\n")[5:23] == before[5:23]


@pytest.mark.parametrize("size", [*SIZES, (60, 18)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("scene", SCENES)
def test_it_fits_in_spanish_and_in_ascii(scene: str, size: tuple[int, int]) -> None:
    texts.use("es")
    try:
        front = SCENES[scene](UNICODE)
        front.press("o")
        assert {columns(plain(line)) for line in front.draw(*size).lines} == {size[0]}
    finally:
        texts.use("en")
    plainer = SCENES[scene](ASCII)
    plainer.press("o")
    assert text_of(plainer, size).isascii()


@pytest.mark.parametrize("name", ["eclipse1", "eclipse2", "emperor"])
def test_without_a_battle_it_is_about_the_space_in_focus(name: str) -> None:
    solo = Solo(name)
    place = solo.front.ui.place
    assert place
    assert place in press(solo.front, "o").splitlines()[1]


def test_where_no_dice_decide_it_says_so() -> None:
    front = rex_battle(sealing=True)
    front.press("o")
    assert front.page is None
    assert front.news.texts[-1][1] == "No dice decide battles here: there are no odds."


# Fighting on ---------------------------------------------------------------------------------------------------------


def drafting(front: Front) -> bool:
    return front.session.asking.draft is not None


def test_who_fights_on_is_asked_again_at_a_lost_ship_not_at_a_hit() -> None:
    front = engaging()
    session, controls = front.session, front.session.table.controls
    assert session.asking.draft is not None
    assert controls is not None
    asked, ships = session.asking.draft.asked, controls.match.g.ships
    front.press("f")
    session.asking.withdrawn(asked)
    mine = ships.place.index(2)
    ships.damage[mine] = 1
    session.asking.asked(asked)
    assert not drafting(front), "a ship is hit and not lost"
    session.asking.withdrawn(asked)
    ships.place[mine] = -1
    session.asking.asked(asked)
    assert drafting(front)


def test_to_fight_on_what_is_picked_has_to_be_sent_or_taken_back_first() -> None:
    front = engaging()
    typed(front, "2")
    assert "What is picked is not sent yet: send it" in typed(front, "fight-on")
    typed(front, "undo")
    typed(front, "fight-on")
    assert not drafting(front)


def test_who_fights_on_in_emperor_is_asked_again_once_a_unit_is_lost() -> None:
    front = emperor_fire()
    session, controls = front.session, front.session.table.controls
    assert session.asking.draft is not None
    assert controls is not None
    asked = session.asking.draft.asked
    front.press("f")
    assert not drafting(front)
    session.asking.withdrawn(asked)
    session.asking.asked(asked)
    assert not drafting(front), "nothing was lost: the answer is given"
    session.asking.withdrawn(asked)
    ships = controls.match.g.ships
    for at in range(len(ships.damage)):
        ships.damage[at] = 1
    session.asking.asked(asked)
    assert drafting(front)
    assert session.asking.forces is None


def test_who_fights_on_is_asked_again_where_such_an_answer_is_taken_back() -> None:
    front = emperor_fire()
    session = front.session
    controls: Any = session.table.controls
    assert session.asking.draft is not None
    asked = session.asking.draft.asked
    front.press("f")
    session.asking.withdrawn(asked)
    controls.match.g.height += 2
    controls.stands = lambda height: height != asked.height
    session.asking.asked(replace(asked, height=asked.height + 2))
    assert drafting(front)


def test_fighting_on_ends_with_the_battle_though_the_next_one_has_the_same_units() -> None:
    front = emperor_fire()
    session, table = front.session, front.session.table
    assert session.asking.draft is not None
    asked, fights = session.asking.draft.asked, table.pictures.fights
    here = fights.now(table.frame(None), table.recent)
    assert here is not None
    units, there = fights.forces(table.frame(None), here.place), replace(here, place="elsewhere")
    front.press("f")
    session.asking.withdrawn(asked)
    other = replace(fights, now=lambda _frame, _events: there, forces=lambda _frame, _space: units)
    table.pictures = replace(table.pictures, fights=other)
    session.asking.asked(asked)
    assert drafting(front)


def test_the_hits_go_where_is_advised(monkeypatch: pytest.MonkeyPatch) -> None:
    front = rolling()
    sent: list[Any] = []
    monkeypatch.setattr(front.session.asking, "give", lambda _asked, values: sent.append(values))
    front.press("f")
    ((picks,),) = sent
    assert [(pick.ship, pick.damage) for pick in picks] == [("cruiser", 1)]


def test_other_questions_cannot_be_fought_on() -> None:
    solo = Solo("eclipse2")
    solo.press("f")
    assert "No battle is under way that could" in solo.front.news.texts[-1][1]
    assert solo.session.asking.draft is not None


# Chances while the Emperor's battle lasts ----------------------------------------------------------------------------


def with_hits(pending: object, *told: Event) -> list[tuple[str, tuple[tuple[int, float], ...]]]:
    """The chances that are shown at a position of the scene in which hits wait for their units."""
    frame = emperor_fire().session.frame()
    view = frame.view
    object.__setattr__(view, "pending", pending)
    found = fight(Frame(view, frame.names, UNICODE), told)
    assert found is not None
    return [(chance.text, tuple(chance.shares)) for chance in found.chances]


def test_hits_to_be_taken_have_the_chances_before_their_roll_and_after_them() -> None:
    g = emperor_fire().session.frame().g
    units = count(g, 2, g.battle.site)
    rolled = Event("warlord/rolled", {"phase": 1, "seats": (1, 1), "dice": (6, 1), "needs": (3, 3)})
    (before, shares), (after, later) = with_hits(Together({Seat(2): Losses(Seat(2), units, 1)}), rolled)
    assert before == "before this roll"
    assert after == "if what is worth least is lost first"
    assert later[0][1] > shares[0][1]
    again = Event("technology/rerolled", {"seat": 2, "die": 1, "before": 6, "after": 1})
    assert with_hits(Together({}), rolled, again)[1][1][0][1] < later[0][1]
    stopped = Event("warlord/shielded", {"seat": 2, "hits": 1})
    assert with_hits(Together({}), rolled, stopped)[1][1] == with_hits(Together({}), rolled, again)[1][1]


def test_the_next_unit_to_lose_is_advised() -> None:
    frame = emperor_fire().session.frame()
    ask = Losses(Seat(2), count(frame.g, 2, frame.g.battle.site), 1)
    assert best_loss(frame, ask, ()) == "fighter"
    assert best_loss(frame, ask, ("fighter",)) is None


def test_one_fights_on_by_a_typed_word_that_no_game_uses() -> None:
    front = engaging()
    typed(front, "fight-on")
    assert not drafting(front)
    solo = Solo("eclipse2")
    assert "No battle is under way that could" in typed(solo.front, "fight-on")


# Parts and targets ---------------------------------------------------------------------------------------------------


def test_the_parts_of_a_ship_can_be_changed_and_its_figures_follow() -> None:
    front = rolling()
    session, place = front.session, front.ui.place
    now = session.table.pictures.fights.suppose(session.frame(), place, {})
    assert now is not None
    slot = next(number for number in now.numbers if number.shown.startswith("Gauss Shield"))
    assert slot.text == "cruiser: part 3"
    hull = next(at for at, name in enumerate(slot.names) if name == "hull (hull +1)")
    then = session.table.pictures.fights.suppose(session.frame(), place, {slot.key: hull})
    assert then is not None

    def figures(supposed: Supposed) -> dict[str, int]:
        return {number.text: number.value for number in supposed.numbers if number.owner == 0}

    assert figures(now)["cruiser: shield"] == 1
    assert figures(then)["cruiser: shield"] == 0
    assert figures(then)["cruiser: hull"] == figures(now)["cruiser: hull"] + 1
    assert then.chance != now.chance


@pytest.mark.parametrize(("name", "kinds"), [("eclipse1", 2), ("eclipse2", 3)])
def test_only_neutral_ships_of_the_edition_can_be_set(name: str, kinds: int) -> None:
    solo = Solo(name)
    solo.play(60, random.Random(2))
    front = solo.front
    front.ui.place = ""
    front.press("o")
    page = listing(front)
    assert len(sought(page, "neutral")) >= kinds
    for at in range(kinds):
        sought(page, "neutral")[at].act()
    told = typed(front, "odds 2 cruiser vs guardian")
    assert ("no type of ship" in told) == (kinds == 2)


def test_the_arrows_of_every_number_can_be_clicked_where_its_row_is_cut() -> None:
    texts.use("es")
    try:
        front = salvo()
        front.press("o")
        drawn = front.draw(80, 24)
        rows = {hit.y for hit in drawn.hits if hit.what == "item"}
        turned = [hit.y for hit in drawn.hits if hit.what == "turn"]
        assert sorted(turned) == sorted([*rows, *rows])
        assert any("…" in plain(drawn.lines[y]) for y in rows)
    finally:
        texts.use("en")


def test_the_targets_of_a_side_can_be_changed() -> None:
    front = salvo()
    session, place = front.session, front.ui.place
    few = {f"{at} {ship}": 1 for at in (0, 1) for ship in ("interceptor", "cruiser", "dreadnought")}
    few |= {"1 starbase": 0}
    found = [session.table.pictures.fights.suppose(session.frame(), place, few | {"0 targets": aim}) for aim in (0, 1)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].chance.shares[0][1] != found[1].chance.shares[0][1]
    shown = press(front, "o")
    assert "◂ the ship with the fewest hits left first ▸" in shown


def test_ships_that_nobody_may_build_have_a_reason_instead_of_chances() -> None:
    front = salvo()
    session, place = front.session, front.ui.place
    frame = session.frame()
    number = {id: 1 + at for at, id in enumerate(frame.g.const.part_ids)}
    few = {
        f"{at} {ship}": int(ship == "cruiser") for at in (0, 1) for ship in ("interceptor", "dreadnought", "starbase")
    }
    few |= {"0 cruiser": 1, "1 cruiser": 1}
    for part, reason in (("antimatter-cannon", "more energy than there is"), ("hull", "needs a drive")):
        slots = {f"0 cruiser slot {slot}": number[part] for slot in range(6)}
        found = session.table.pictures.fights.suppose(frame, place, few | slots)
        assert found is not None
        assert reason in found.chance.text
        assert not found.chance.shares
    plain_ships = session.table.pictures.fights.suppose(frame, place, few)
    assert plain_ships is not None
    assert plain_ships.chance.shares
    counts = {each.key: each.most for each in plain_ships.numbers}
    assert [counts[f"0 {ship}"] for ship in ("interceptor", "cruiser", "dreadnought", "starbase")] == [8, 4, 2, 4]
