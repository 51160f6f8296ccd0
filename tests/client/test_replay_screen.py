"""A recorded game on the full screen: its timeline, eyes of a seat, and branching into a game against bots."""

from __future__ import annotations

import io
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import trio
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recorded import begun
from screen_game import Solo
from volume import gated

from client import cli
from client.bots import BUDGET, bot
from client.context import Context
from client.dealt import dealer_at
from client.machine import GameMachine
from client.names import BOT, columns
from client.notices import TableNotice
from client.player import Asked, LobbyControls, TableControls
from client.position import FORMS
from client.progress import Meter
from client.recording import Recording
from client.screen.keys import HOME, KEYS, PAGED, REPLAY, TROUBLED, pressed
from client.screen.position import ShownPosition
from client.screen.recorded import log
from client.screen.replay import Replay
from client.settings import Folders
from client.show.styled import ASCII, UNICODE, Glyphs, plain
from client.table.practice import Practice
from client.texts import use
from client.walk import Walk, walk_of_input
from engine.core.dealer import play
from engine.core.events import Event
from engine.core.match import Match
from engine.core.values import Value
from engine.core.waits import Choose

STARS = Path(__file__).parents[1] / "stars"


@pytest.fixture(autouse=True)
def english() -> None:
    use("en")


def walked(name: str) -> Walk:
    context = Context("replay", True, Folders(Path(), Path(), Path()), sys.stdout, sys.stderr, Meter(io.StringIO()))
    return walk_of_input(str(STARS / name), context)


@pytest.fixture(scope="module")
def eclipse() -> Recording:
    return Recording(walked("eclipse2.1.star"))


@pytest.fixture(scope="module")
def rex() -> Recording:
    return Recording(walked("rex.1.star"))


class Seen:
    """A replay whose screen a test reads."""

    def __init__(self, recording: Recording, glyphs: Glyphs = UNICODE) -> None:
        self.asked: list[Sequence[str]] = []
        self.lines: list[str] = []
        self.left = 0
        self.replay = Replay(recording, "game.star", glyphs, self.answer, self)

    def answer(self, words: Sequence[str], show: Callable[[str], None]) -> None:
        self.asked.append(words)
        show("all is proven")

    def type(self, text: str) -> None:
        self.lines.append(text)

    def redraw(self) -> None:
        raise AssertionError

    def suspend(self) -> None:
        raise AssertionError

    def close(self) -> None:
        self.left += 1

    def enter(self, text: str) -> str:
        self.replay.typed(text)
        self.replay.entered(text)
        return self.text()

    def text(self, columns: int = 120, rows: int = 40) -> str:
        drawn = self.replay.draw(columns, rows)
        assert len(drawn.lines) == rows
        assert {len(plain(line)) for line in drawn.lines} == {columns}
        return "\n".join(plain(line) for line in drawn.lines)

    def press(self, *keys: str) -> str:
        for key in keys:
            self.replay.press(key)
        return self.text()


def test_every_step_is_the_game_that_its_height_has_in_the_log(rex: Recording) -> None:
    for at in (0, 1, 23, 24, 25, 100, 301, 300, len(rex.steps) - 1):
        machine = rex.walk.table.position.history.machine_at(rex.steps[at].opens)
        assert isinstance(machine, GameMachine)
        if rex.at_height(rex.steps[at].opens) == at:
            assert rex.match(at).digest() == machine.match.digest()


def test_keys_go_by_steps_seats_rounds_and_battles_and_stop_at_both_ends(eclipse: Recording) -> None:
    seen, steps = Seen(eclipse), eclipse.steps
    seen.press("left", "{", "[", "up")
    assert seen.replay.shown.at == 0
    seen.press("right", "right", "left")
    assert seen.replay.shown.at == 1
    seen.press("}")
    assert steps[seen.replay.shown.at].battle
    seen.press("]")
    assert steps[seen.replay.shown.at].round == steps[seen.replay.shown.at - 1].round + 1
    seen.press("down")
    assert steps[seen.replay.shown.at].seat >= 0
    seen.press("end", "right", "]", "}")
    assert seen.replay.shown.at == len(steps) - 1
    assert not seen.replay.press("y")


def test_a_battle_stands_where_it_is_fought_and_a_key_shows_the_map(rex: Recording) -> None:
    seen = Seen(rex)
    shown = seen.replay.shown
    shown.at = next(at for at, step in enumerate(rex.steps) if step.battle)
    while shown.battle() is None:
        shown.at += 1
    assert "dial  " in seen.text()
    assert "dial  " not in seen.press("f8")
    assert "dial  " in seen.press("f8")


def test_it_plays_by_itself_until_the_end_and_stops_for_a_page(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    assert not seen.replay.tick()
    slow = seen.replay.pause
    seen.press(" ", "+")
    assert seen.replay.pause < slow
    assert seen.replay.tick()
    assert seen.replay.shown.at == 1
    while seen.replay.tick():
        pass
    assert seen.replay.shown.at == seen.replay.shown.last
    seen.press("home", " ", "?")
    assert "to the next battle" in seen.text()
    assert not seen.replay.tick()


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII], ids=["unicode", "ascii"])
@pytest.mark.parametrize("size", [(40, 10), (60, 18), (80, 24), (120, 40), (200, 50)])
def test_map_timeline_and_points_fit_every_size(eclipse: Recording, glyphs: Glyphs, size: tuple[int, int]) -> None:
    seen = Seen(eclipse, glyphs)
    for at in (0, 77, len(eclipse.steps) - 1):
        seen.replay.shown.at = at
        text = seen.text(*size)
        assert text.isascii() or glyphs is UNICODE
        assert "R1" in text
        assert ("v" if glyphs is ASCII else "▼") in text


def test_a_click_on_the_timeline_goes_there_and_the_wheel_steps(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.text(120, 40)
    row = next(y for y, line in enumerate(seen.replay.draw(120, 40).lines) if "▼" in plain(line))
    for x in (119, 60, 9):
        seen.replay.click(x, row)
        line = plain(seen.replay.draw(120, 40).lines[row])
        assert abs(line.index("▼") - x) <= 1
    seen.replay.wheel(5, row, 3)
    assert seen.replay.shown.at == 1


REPLAY_PAGES = ("", "f2", "f4", "f5", "f7", "f9", "v", "?", "e", "b", "/", "x", "d", "tab", "c-p", "f3")


@pytest.mark.parametrize(("width", "height"), gated([(60, 18), (80, 24), (120, 40), (200, 50)], 2))
@pytest.mark.parametrize("name", ["eclipse", "rex"])
def test_spanish_fits_on_the_replay_and_all_its_pages(
    name: str, width: int, height: int, request: pytest.FixtureRequest
) -> None:
    use("es")
    seen = Seen(request.getfixturevalue(name))
    for at in (0, 77, seen.replay.shown.last):
        seen.replay.shown.at = at
        for key in REPLAY_PAGES:
            if key:
                seen.replay.press(key)
            lines = [plain(line) for line in seen.replay.draw(width, height).lines]
            assert ({columns(line) for line in lines}, len(lines)) == ({width}, height)
            seen.replay.dropped()
            if key not in ("", "/"):
                seen.replay.press("escape")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_a_click_does_what_is_drawn_under_it(eclipse: Recording, data: st.DataObject) -> None:
    seen = Seen(eclipse)
    width, rows = data.draw(st.sampled_from([(60, 18), (80, 24), (120, 40), (200, 50)]))
    seen.replay.shown.at = start = data.draw(st.integers(0, seen.replay.shown.last))
    drawn = seen.replay.draw(width, rows)
    x, y = data.draw(st.integers(0, width - 1)), data.draw(st.integers(0, rows - 1))
    hit = drawn.at(x, y)
    seen.replay.click(x, y)
    if hit is None:
        assert seen.replay.shown.at == start, "nothing is drawn there that could be clicked"
    elif hit.what == "time":
        marked = next(plain(line).index("▼") for line in seen.replay.draw(width, rows).lines if "▼" in plain(line))
        assert abs(marked - x) <= 1 or marked > x
    elif hit.what == "place":
        assert seen.replay.shown.place == hit.value
    elif hit.what == "eyes":
        assert seen.replay.shown.eyes == int(hit.value)
    elif hit.what == "key" and hit.area.y:
        shown = plain(drawn.lines[y])[hit.area.x : hit.area.x + hit.area.width]
        assert hit.value in shown, "the key that is named there is pressed"


def test_every_key_at_the_foot_can_be_clicked(eclipse: Recording) -> None:
    for size in ((80, 24), (120, 40), (200, 50)):
        keys = {hit.value for hit in Seen(eclipse).replay.draw(*size).hits if hit.what == "key"}
        assert {pressed(text) for text in keys} > {each.keys[0] for each in REPLAY if each.short}
    seen = Seen(eclipse)
    for word, shown in (("?", "to the next battle"), ("Esc", "■"), ("→", "step 1 of"), ("←", "step 0 of")):
        hit = next(hit for hit in seen.replay.draw(120, 40).hits if hit.value == word)
        seen.replay.click(hit.area.x, hit.area.y)
        assert shown in seen.text()


def test_search_goes_to_the_next_step_that_tells_of_it_and_round_again(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.press("/")
    assert seen.replay.typing
    seen.replay.typed("passes")
    seen.replay.entered("passes")
    first = seen.replay.shown.at
    assert any("passes" in text for text in seen.replay.shown.event_lines())
    seen.press("n")
    assert seen.replay.shown.at > first
    seen.press("end", "n")
    assert seen.replay.shown.at == first


def test_pages_show_log_boards_points_and_the_proof(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.replay.shown.at = 77
    for key, word in (("f2", "Player 0"), ("f4", "Player 0"), ("f7", "Player 1"), ("v", "all is proven")):
        assert word in seen.press(key)
        assert "What happened" in seen.press("escape")
    assert seen.asked == [("verify", "game.star")]


def test_the_log_has_the_filters_of_the_table_and_begins_at_the_shown_step(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.replay.shown.at = next(at for at, step in enumerate(eclipse.steps) if step.battle)
    assert "Battle in" in seen.text()
    shown = seen.press("f2")
    first = seen.replay.shown.event_lines()[0]
    assert " ".join(first.split()) in " ".join(shown.split("dice")[1].split())
    tabs = {hit.value: hit for hit in seen.replay.draw(120, 40).hits if hit.what == "tab"}
    assert "[all] battles  dice  chat  Player 0  Player 1" in shown
    assert "[battles]" in seen.press("right")
    assert "passes" not in seen.text()
    seen.replay.click(tabs["4"].area.x + 1, tabs["4"].area.y)
    assert "[Player 0]" in seen.text()
    assert "[chat]" in seen.press("escape", "f3")


def test_the_log_tells_each_event_at_its_step(eclipse: Recording) -> None:
    shown, names = ShownPosition(eclipse, UNICODE), [*eclipse.walk.names]
    rows = [plain(row) for row in log(eclipse, 0, names, 0, 500).lines(500, "")]
    told = [(at, text) for at in range(len(eclipse.steps)) for text in shown.event_lines(at)]
    assert [row.strip() for row in rows] == [f"{at}  {text}" for at, text in told]


def test_marks_are_set_shown_on_the_timeline_and_gone_to(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    for at in (10, 40):
        seen.replay.shown.at = at
        assert f"step {at} of 154 ★" in seen.press("m")
    seen.press("home", ".", ".", ".")
    assert seen.replay.shown.at == 40
    assert seen.press(",").count("★") == 2
    assert seen.replay.shown.at == 10
    assert "★" not in seen.press("m", ".", "m")


@pytest.mark.parametrize(
    ("form", "holds"),
    [("svg", "<svg"), ("txt", "Player 0"), ("json", '"digest": '), ("log.txt", "victory points")],
)
def test_the_shown_step_is_written_in_every_form_and_over_no_other_file(
    eclipse: Recording, form: str, holds: str, tmp_path: Path
) -> None:
    seen = Seen(eclipse)
    seen.replay.shown.at = 77
    seen.press("x", *["down"] * [*FORMS].index(form), "enter")
    assert seen.lines[-1] == ("game.txt" if form == "log.txt" else f"game-{eclipse.steps[77].opens}.{form}")
    path = tmp_path / "written"
    assert "Wrote " in seen.enter(str(path))
    assert holds in path.read_text()
    seen.press("escape", "x", *["down"] * [*FORMS].index(form), "enter")
    assert "already; nothing was written" in " ".join(seen.enter(str(path)).split())


def test_a_typed_line_goes_to_a_step_or_a_round(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.press(":")
    assert "step 40 of 154" in seen.enter("40")
    seen.press(":")
    assert "round 4 of 8" in seen.enter("r4")
    seen.press(":")
    assert "neither the number of a step" in seen.enter("somewhere")


def test_a_typed_line_does_what_a_word_of_the_foot_says_and_is_completed(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    assert seen.replay.complete("r") == ()
    for lang, word, shown in (("en", "eyes", "what all may see"), ("es", "ojos", "lo que todos pueden ver")):
        use(lang)
        seen.press(":")
        assert word in seen.replay.complete("")
        assert seen.replay.complete(word[:2]) == [word]
        assert list(seen.replay.complete("r"))[:3] == ["r1", "r2", "r3"]
        assert shown in seen.enter(word)
        seen.press("escape")
    assert seen.replay.complete("r") == ()


def test_a_space_has_its_name_beside_the_map_and_as_a_title(rex: Recording) -> None:
    seen = Seen(rex)
    seen.press("end")
    while seen.replay.shown.place != "imperial-palace":
        seen.press("tab")
    assert "─ Imperial Palace ─" in seen.text()
    assert "─ Imperial Palace ─" in seen.press("d")


def test_a_space_tells_what_lies_there_and_the_map_moves_under_the_mouse(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.press("end", "z", "z")
    before = seen.text()
    drawn = seen.replay.draw(120, 40)
    hit = next(hit for hit in drawn.hits if hit.what == "place")
    seen.replay.drag(hit.area.x, hit.area.y, 5, 3)
    assert seen.text() != before
    seen.replay.wheel(hit.area.x, hit.area.y, -3)
    seen.replay.click(hit.area.x, hit.area.y)
    place = seen.replay.shown.place
    assert f"─ {place} ─" in seen.text()
    seen.press("tab")
    assert seen.replay.shown.place != place
    assert "What happened" not in seen.press("d")


def test_a_click_in_the_bar_chooses_the_eyes_and_plays(rex: Recording) -> None:
    seen = Seen(rex)
    seen.press("end")
    hits = [hit for hit in seen.replay.draw(120, 40).hits if hit.area.y == 0]
    first = next(hit for hit in hits if (hit.what, hit.value) == ("eyes", "0"))
    seen.replay.click(first.area.x, 0)
    assert seen.replay.shown.eyes == 0
    seen.press("home")
    pace = next(hit for hit in hits if hit.what == "key")
    seen.replay.click(pace.area.x, 0)
    assert seen.replay.playing


def test_moves_that_were_taken_back_are_marked_in_the_log_and_are_no_steps(tmp_path: Path) -> None:
    use("en")
    table = begun(12)
    position = table.peers[0].position
    to = next(height for height in range(position.height, 0, -1) if not position.secrets_since(height)) - 2
    assert table.peers[0].propose("takeback", terms=[to, True]) is None
    table.settle()
    for vote in table.peers[1].votes():
        assert table.peers[1].sign(vote.pact.id) is None
    table.settle()
    for _ in range(3):
        assert table.step()
    path = tmp_path / "game.star"
    path.write_bytes(table.star())
    recording = Recording(walked(str(path)))
    whole = recording.walk.log_lines(recording.walk.last)
    undone = [each for each in whole if "taken back: " in each]
    assert 0 < len(undone) < len(whole)
    told = sum(len(step.events) for step in recording.steps)
    assert told == len(recording.walk.events) - len(undone)
    assert "taken back: " in Seen(recording).press("f2")
    agreed = f"Agreed: take back to move {to}"
    assert any(each.endswith(agreed) for each in whole)
    seen = Seen(recording)
    seen.press("/")
    assert agreed in seen.enter(agreed)
    assert agreed in seen.press("f2")
    rows = [plain(row) for row in log(recording, 0, recording.walk.names, 0, 100).lines(100, "")]
    at = next(at for at, row in enumerate(rows) if agreed in row)
    assert "taken back: " in rows[at - 1], "what was agreed stands after what it undoes"
    assert "taken back: " not in rows[at + 1]


def test_eyes_of_a_seat_show_what_the_log_tells_of_its_hand(rex: Recording) -> None:
    seen = Seen(rex)
    seen.press("end")
    assert "eyes: [public] Player 0 Player 1" in seen.text()
    assert "cards seen " in seen.press("e")
    seen.press("down", "enter")
    assert "eyes: public [Player 0] Player 1" in seen.text()
    lens = rex.cards.lens(0, len(rex.steps) - 1)
    assert lens
    assert all(rex.cards.face(handle) == face for handle, face in lens.items())
    assert not rex.cards.lens(0, 0)


def test_no_key_of_a_screen_stands_twice() -> None:
    for table in (KEYS, PAGED, TROUBLED, REPLAY, HOME):
        keys = [key for each in table for key in each.keys]
        assert len(set(keys)) == len(keys)


def test_branch_becomes_a_command_that_could_be_typed_and_is_refused_at_the_end(eclipse: Recording) -> None:
    seen = Seen(eclipse)
    seen.press("end", "b")
    assert "The game is over here" in seen.text()
    seen.press("escape", "home", *["right"] * 20, "b", "down", "enter")
    assert seen.replay.words == ("replay", "game.star", "--at", str(eclipse.steps[20].opens), "--branch", "B")
    assert seen.left == 1


@pytest.mark.parametrize(
    ("name", "at"),
    gated(
        [
            *(("eclipse2.1.star", 0.8), ("rex.1.star", 0.1), ("emperor.1.star", 0.4)),
            *(("eclipse2.1.star", 0.1), ("rex.1.star", 0.4), ("emperor.1.star", 0.8)),
            *(("eclipse2.1.star", 0.4), ("rex.1.star", 0.8), ("emperor.1.star", 0.1)),
        ],
        3,
    ),
)
def test_a_game_can_be_played_to_its_end_from_any_step(name: str, at: float) -> None:
    recording = Recording(walked(name))
    step = int(at * len(recording.steps))
    match, dealer, rng = recording.match(step).clone(), dealer_at(recording, step, "seed"), random.Random(1)
    player = bot("random")

    def choose(match: Match, seat: int, ask: Choose[object]) -> Value:
        return player.choose(match.view(seat, dealer.lens(seat), copy=False), ask, rng, BUDGET)

    for _given in play(match, dealer, choose):
        pass
    assert match.over


def test_who_plays_on_keeps_the_cards_that_were_seen_and_none_that_come_later(rex: Recording) -> None:
    at = len(rex.steps) // 2
    dealers = [dealer_at(rex, at, seed) for seed in ("one", "two")]
    seen = {handle for step, _seat, handles in rex.cards.dealt if step <= at for handle in handles}
    known = {handle for handle in seen if rex.cards.face(handle) is not None}
    assert known
    for dealer in dealers:
        assert all(dealer.faces[handle] == rex.cards.face(handle) for handle in known)
    hidden = [handle for handle in dealers[0].faces if handle not in seen and handle not in rex.cards.shown]
    assert [dealers[0].faces[handle] for handle in hidden] != [dealers[1].faces[handle] for handle in hidden]
    for handles, members in ((handles, members) for step, handles, members in rex.cards.shuffled if step <= at):
        faces = dealers[0].faces
        wanted = sorted(str(faces[card]) if card in faces else str(card) for card in members)
        assert sorted(str(faces[handle]) for handle in handles) == wanted


class Sitting:
    """A person who answers at random, so many times, and then leaves."""

    def __init__(self, answers: int) -> None:
        self.left, self.told, self.asked = answers, list[Event](), 0
        self.controls: TableControls | None = None

    async def confirm(self, question: Callable[[], str]) -> bool:
        return True

    def show(self, told: Callable[[], str], *, plain: bool = False) -> None:
        pass

    def gather(self, controls: LobbyControls) -> None:
        pass

    def sit(self, controls: TableControls) -> None:
        self.controls = controls

    async def choose(self, asked: Asked) -> Sequence[Value]:
        assert self.controls is not None
        assert asked.seat in self.controls.seats
        self.asked += 1
        if self.asked > self.left:
            self.controls.leave()
            await trio.sleep_forever()
        return [bot("random").choose(asked.view(), asked.ask, random.Random(self.asked), BUDGET)]

    def tell(self, height: int, events: Sequence[Event]) -> None:
        self.told += events

    def notice(self, notice: TableNotice) -> None:
        pass


async def test_a_practice_goes_on_from_the_step_with_bots_marked_as_such_and_can_be_left(eclipse: Recording) -> None:
    at = len(eclipse.steps) // 3
    practice, person = Practice(eclipse, at, 0, "random", "seed"), Sitting(3)
    assert practice.match.digest() == eclipse.match(at).digest()
    assert (practice.name(0).endswith(BOT), practice.name(1).endswith(BOT)) == (False, True)
    assert not await practice.play(person)
    assert person.asked == 4
    assert practice.match.height > eclipse.match(at).height
    assert practice.past(0) is not None
    assert practice.chat("hello") is not None


def test_a_practice_says_so_where_a_table_tells_how_far_it_is_verified() -> None:
    solo = Solo("emperor")
    assert "verified" in plain(solo.front.draw(120, 40).lines[0])
    solo.session.lasting = False
    solo.front.changed()
    for size in ((80, 24), (120, 40)):
        assert "practice" in plain(solo.front.draw(*size).lines[0])
        assert "✓" not in plain(solo.front.draw(*size).lines[0])


async def test_a_practice_is_played_to_its_end(eclipse: Recording) -> None:
    practice = Practice(eclipse, len(eclipse.steps) * 9 // 10, 1, "random", "seed")
    assert await practice.play(Sitting(10_000))
    assert practice.match.over


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--branch", "Z", "--at", "20"), "replay/seat"),
        (("--branch", "A"), "replay/over"),
        (("--branch", "A", "--at", "99999"), "replay/height"),
        (("--branch", "A", "--at", "20", "--bots", "nobody"), "cli/unknown-bot"),
    ],
)
def test_a_branch_that_cannot_be_is_refused_with_a_reason(
    words: Sequence[str], code: str, capsys: pytest.CaptureFixture[str], starlock_home: Path
) -> None:
    assert cli.main(["replay", str(STARS / "eclipse2.1.star"), *words, "--json"]) == 2
    assert f'"code":"{code}"' in capsys.readouterr().out
