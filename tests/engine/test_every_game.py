"""What holds for every game: the promises that replay, search, files and peers rely on.

Games are picked up from the registry; the toy game keeps the suite honest. In the gate each seat count plays one
random game, at default options or at drawn ones in turn.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from volume import gated, seeds

from engine.core.agenda import State, Table
from engine.core.cards import Handle
from engine.core.dealer import Chooser, Dealer, HashDice, at_random, by_caretaker, play
from engine.core.errors import LocalError, Refusal
from engine.core.gamelog import GameLog, replay, transcript
from engine.core.match import MAX_TAIL, Match
from engine.core.registry import GAMES, GameSpec
from engine.core.values import Value
from engine.core.waits import Choose
from engine.testing.gamekit import fair_scores, known_events, play_judged, same_for_every_hash_seed, some_table, specs
from engine.testing.judges import judge_of, load_position

SPECS = specs()
TESTS = Path(__file__).parent.parent
LOGS = sorted((TESTS / "logs").glob("*.json"))
WHOLE_GAMES = [
    pytest.param(spec, some_table(spec, seats, seed), seed, id=f"{spec.id}-{seats}-{seed}", marks=marks)
    for number, spec in enumerate(SPECS.values())
    for seats in spec.seats
    for marks in ([] if seats == spec.seats[number % len(spec.seats)] else [pytest.mark.soak],)
    for seed in seeds(1, (seats + number) % 2)
]
"""One seat count of each game in the gate."""
LEAST_SEATS = [
    pytest.param(spec, seats, id=f"{spec.id}-{seats}", marks=[] if seats == spec.seats[0] else pytest.mark.soak)
    for spec in SPECS.values()
    for seats in spec.seats
]
SEAT_COUNTS = [pytest.param(spec, seats, id=f"{spec.id}-{seats}") for spec in SPECS.values() for seats in spec.seats]


def test_every_registered_game_is_there() -> None:
    assert set(GAMES) <= set(SPECS)


@pytest.mark.parametrize(("spec", "table", "seed"), WHOLE_GAMES)
def test_random_play_keeps_every_promise(spec: GameSpec, table: Table, seed: int) -> None:
    assert play_judged(spec, table, seed) > 0


@pytest.mark.parametrize(("spec", "seats"), SEAT_COUNTS)
def test_stand_ins_alone_finish_the_game(spec: GameSpec, seats: int) -> None:
    match = Match.new(spec, some_table(spec, seats, 0), None)
    for _, told in play(match, Dealer(HashDice(seats)), by_caretaker):
        known_events(spec, told)
    assert match.pending is None
    fair_scores(spec.scores(match.g), seats)


@pytest.mark.parametrize(("spec", "seats"), LEAST_SEATS)
def test_whoever_prolongs_everything_still_meets_segment_borders(spec: GameSpec, seats: int) -> None:
    match = Match.new(spec, some_table(spec, seats, 0))
    dice = HashDice(f"prolong {seats}")
    adversary = prolonging(dice)
    for step, _ in enumerate(play(match, Dealer(dice), adversary)):
        assert match.tail <= MAX_TAIL, match.g.flow.now
        if step == 1000:
            break


def prolonging(dice: HashDice) -> Chooser:
    """Picks what leaves the running segment running, or at least makes the same one run again."""
    random = at_random(dice)

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        def worth(answer: Value) -> tuple[int, bool]:
            trial = match.clone()
            refusal = trial.batch(seat, [answer])
            return (-1, False) if isinstance(refusal, Refusal) else (trial.tail, trial.g.flow.now == match.g.flow.now)

        return max((random(match, seat, ask) for _ in range(4)), key=worth)

    return choose


@pytest.mark.parametrize(("spec", "seats"), SEAT_COUNTS)
def test_a_position_written_out_plays_on_alike(spec: GameSpec, seats: int) -> None:
    table = some_table(spec, seats, 0)
    match, dice = Match.new(spec, table), HashDice(f"position {seats}")
    for step, _ in enumerate(play(match, Dealer(dice), at_random(dice))):
        if step >= 40 and step % 40 == 0 and not match.over:
            written = json.loads(json.dumps(match.position()))
            state = load_position(spec, written)
            assert not isinstance(state, Refusal), f"{match.g.flow.now}: {state}"
            again = Match(spec, state)
            assert again.pending == match.clone_at(0).pending
            assert again.position() == written


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_every_game_has_a_judge_of_positions(spec: GameSpec) -> None:
    assert judge_of(spec) is not None, f"engine.testing.judges has no module with the name of the folder of {spec.id}"


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_a_damaged_position_is_refused_or_plays(spec: GameSpec) -> None:
    match, dice = Match.new(spec, some_table(spec, spec.seats[-1], 0)), HashDice("damage")
    dealer = Dealer(dice)
    text = ""
    for step, _ in enumerate(play(match, dealer, at_random(dice))):
        if match.over:
            break
        if step % 10 == 0:
            text = json.dumps(match.position())
        if step == 60:
            break
    unknown: defaultdict[Handle, Value] = defaultdict(lambda: None, dealer.faces)
    for _ in range(300):
        data = json.loads(text)
        where = damage(data, dice)
        judged = load_position(spec, data)
        assert isinstance(judged, State | Refusal), where
        if isinstance(judged, Refusal):
            assert judged.path, f"{where}: {judged} names no place"
        else:
            dealer = Dealer(dice)
            dealer.faces = unknown.copy()
            try:
                for step, _ in enumerate(play(Match(spec, judged), dealer, by_caretaker)):
                    if step == 30:
                        break
            except LocalError as problem:
                pytest.fail(
                    f"{where}: the judge of {spec.id} in engine.testing.judges lets it pass, and then: {problem}"
                )


def damage(data: Any, dice: HashDice) -> str:
    """Change one thing somewhere in JSON data; tells where."""
    path = ""
    while True:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        key = keys[dice.below(len(keys))]
        path += f".{key}"
        if isinstance(data[key], dict | list) and data[key] and dice.below(8):
            data = data[key]
            continue
        wild: tuple[Any, ...] = (None, -1, 0, 1, 3, 99, 32767, -32768, 40000, 10**30, "", "x", [], {}, True, 1.5)
        change = dice.below(3)
        if change == 0:
            del data[key]
        elif change == 1 and isinstance(data, list):
            data.append(data[key])
        else:
            data[key] = wild[dice.below(len(wild))]
        return path


@pytest.mark.parametrize("spec", gated(SPECS.values(), 2), ids=SPECS)
def test_no_hash_seed_changes_a_whole_game(spec: GameSpec) -> None:
    game = same_for_every_hash_seed(
        "from engine.testing.gamekit import some_table, specs\n"
        "from engine.core.dealer import HashDice, at_random\n"
        "from engine.core.gamelog import record\n"
        f"spec = specs()[{spec.id!r}]\n"
        "print(record(spec, some_table(spec, spec.seats[-1], 1), HashDice(1), at_random(HashDice(2))).text())"
    )
    assert len(GameLog.read(game).inputs) > spec.seats[-1]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_golden_games_play_as_they_did(path: Path) -> None:
    log = GameLog.read(path.read_text("utf-8"))
    spec = SPECS[log.rules.split("/")[0]]
    refusal = replay(spec, log)
    assert refusal is None, (
        f"{refusal}: rules or content that play differently need another rules_version, and a correction that asks for"
        f" it; before the first release: .venv/bin/python scripts/golden.py --anew {spec.id}"
    )


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_every_version_of_the_rules_has_its_corrections_and_each_is_asked_for_where_it_stands(spec: GameSpec) -> None:
    versions = {each.version for each in spec.corrections}
    assert versions == set(range(2, spec.rules_version + 1))
    assert all(each.text and each.source for each in spec.corrections)
    modules = {rule.__module__ for rule in spec.segments.values()}
    folders = {Path(str(sys.modules[module].__file__)).parent for module in modules}
    sources = {path for folder in folders for path in folder.rglob("*.py") if "engine" in path.parts}
    gates = {int(n) for path in sources for n in re.findall(r"g\.rules (?:>=|<) (\d+)", path.read_text("utf-8"))}
    assert gates == versions


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_transcripts_read_as_they_did(path: Path) -> None:
    log = GameLog.read(path.read_text("utf-8"))
    kept = (TESTS / "transcripts" / f"{path.stem}.txt").read_text("utf-8")
    assert transcript(SPECS[log.rules.split("/")[0]], log) == kept


@pytest.mark.parametrize("spec", SPECS.values(), ids=SPECS)
def test_every_game_has_a_golden_log(spec: GameSpec) -> None:
    assert any(path.stem.startswith(f"{spec.id}-") for path in LOGS), f".venv/bin/python scripts/golden.py {spec.id}"
