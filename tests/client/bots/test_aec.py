"""The games are environments of PettingZoo: its own tests pass, and no question has more options than is said."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from volume import VOLUME, gated

import engine
from client.system.registry import game_client
from engine import Choose, HashDice, Match, Seal, Value
from engine.core.registry import GAMES

ROOT = Path(__file__).resolve().parents[3]
EXTRA = ROOT / ".venv" / "pettingzoo"
JUDGED = """
import sys, warnings
from client.bots.aec import env
from pettingzoo.test import api_test, seed_test
warnings.simplefilter("ignore")  # that an observation with a mask is no array
id, cycles = sys.argv[1], int(sys.argv[2])
api_test(env(id, 3), num_cycles=cycles)
seed_test(lambda: env(id, 3), num_cycles=cycles)
game = env(id, 3)
game.reset(seed=1)
game.action_space("seat_0").seed(1)  # one space for all
for agent in game.agent_iter():
    seen, reward, ended, cut, info = game.last()
    if ended or cut:
        break
    assert info["asked"]["options"], agent
    assert int(seen["action_mask"].sum()) == len(info["asked"]["options"])
    game.step(game.action_space(agent).sample(seen["action_mask"]))
assert all(game.terminations.values())
assert abs(sum(game.rewards.values())) < 1e-9
"""


@pytest.mark.skipif(not EXTRA.is_dir(), reason="PettingZoo is not installed in .venv/pettingzoo (.ci/run does it)")
@pytest.mark.parametrize("id", gated(sorted(GAMES, key=lambda id: id != "rex"), 1))
def test_an_environment_passes_the_tests_of_pettingzoo_and_plays_a_whole_game(id: str) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "nim", EXTRA)))}
    command = [sys.executable, "-c", JUDGED, id, "20" if VOLUME == 1 else "500"]
    run = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600, check=False)
    assert run.returncode == 0, run.stderr
    assert "Passed API test" in run.stdout


@pytest.mark.parametrize("id", GAMES)
def test_no_question_has_more_options_than_an_environment_has_actions(id: str) -> None:
    most, seats = 0, engine.game(id).seats
    for number in range(500 if VOLUME > 1 else 3):
        match, dealer = engine.new_game(id, seats[-1 - number % len(seats)], f"options {number}")
        dice = HashDice(number)

        def choose(match: Match, _seat: int, ask: Choose[Value]) -> Value:
            nonlocal most
            g = None if isinstance(match.pending, Seal) else match.g
            so_far: tuple[Value, ...] = ()
            options = ask.options(g)
            while True:
                most = max(most, len(options))
                pick = options[dice.below(len(options))]  # noqa: B023
                if not ask.staged:
                    return pick
                so_far = (*so_far, pick)
                options = ask.options(g, None, so_far)
                if not options:
                    return so_far

        for _ in engine.play(match, dealer, choose):
            pass
    assert 0 < most <= game_client(id).most_options // 2, "with as much to spare"
