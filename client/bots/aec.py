# SPDX-License-Identifier: GPL-3.0-or-later
"""A game as an environment of PettingZoo (J. Terry et al., 2021), for who trains bots. Needs the extra `pettingzoo`.

    from client.bots.aec import env
    game = env("rex", seats=4)

An agent is a seat, `seat_0` and so on. An action is an index among the options of the present stage of the question,
so an answer in several parts takes several steps of one agent. `action_mask` has a 1 for each option that there is;
the game's record says how many there may be. `observation` holds the numbers of all sections of fixed size, as the seat
sees them, then the index of the question and the number of parts that are picked. `infos` has the position and the
question as JSON, as a program on pipes reads them (`client.bots.position`). Rewards come at the end: the share of the
victory, less that of an equal, so that they add up to 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from client.bots.position import asked_json, options_of, position_json
from client.system.registry import game_client
from engine.core.agenda import State, Table
from engine.core.dealer import Dealer, HashDice
from engine.core.errors import LocalError, Refusal
from engine.core.inputs import Answer
from engine.core.match import Match
from engine.core.registry import game, settle_options
from engine.core.values import Value
from engine.core.views import View
from engine.core.waits import Choose, Seal

LEAST: Final = -32768


def env(id: str, seats: int = 4, options: Mapping[str, str] | None = None) -> Any:
    """The environment, with wrappers that refuse what PettingZoo forbids."""
    return wrappers.OrderEnforcingWrapper(StarlockEnv(id, seats, options))


class StarlockEnv(AECEnv):  # type: ignore[misc]  # the extra has no types here
    """One game after the other. Raises ValueError for a table that cannot be."""

    def __init__(self, id: str, seats: int = 4, options: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.metadata = {"name": f"starlock_{id}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.render_mode = None
        self._spec, table = game(id), settle_options(game(id), seats, options or {})
        if isinstance(table, Refusal):
            raise ValueError(f"{id}: {table}")  # noqa: TRY004  a refusal is no type that was given
        self._table: Table = table
        self._words: list[str] = []
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        size = len(_numbers(Match.new(self._spec, table).view(0).g)) + 2
        actions = game_client(id).most_options
        if not actions:
            raise ValueError(f"{id}: its record does not say how many options a question may have")
        self._space = Dict(
            {
                "observation": Box(LEAST, -LEAST, (size,), np.int32),
                "action_mask": Box(0, 1, (actions,), np.int8),
            }
        )
        self._actions = Discrete(actions)

    def observation_space(self, agent: str) -> Any:
        """The same for every seat."""
        return self._space

    def action_space(self, agent: str) -> Any:
        """The same for every seat."""
        return self._actions

    # Playing

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; all chance follows from the seed."""
        chance = int(np.random.default_rng(seed).integers(1 << 48))
        self._match, self._dealer = Match.new(self._spec, self._table), Dealer(HashDice(chance))
        self._sealed: dict[int, Value] = {}
        self._picked: tuple[Value, ...] = ()
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._run()

    def step(self, action: Any) -> None:
        """Pick an option of the present stage for the seat whose turn it is. ValueError for one that there is not."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        view, ask = self._asked()
        options = options_of(view, ask, self._picked)
        if not 0 <= int(action) < len(options):
            raise ValueError(f"there is no option {action}: {len(options)} are listed")
        pick = options[int(action)]
        if ask.staged:
            self._picked = (*self._picked, pick)
            if options_of(view, ask, self._picked):
                self._show()
                return
            pick = self._picked
        self._picked = ()
        self._answer(view.seat, pick)
        self._run()
        self._accumulate_rewards()

    def _answer(self, seat: int, value: Value) -> None:
        if isinstance(self._match.pending, Seal):
            self._sealed[seat] = value
        else:
            self._match.apply(Answer(self._match.owing()[0], value))

    def _run(self) -> None:
        """Go on to the next question, or to the end."""
        match = self._match
        while match.pending is not None:
            if isinstance(match.pending, Seal) and {*match.pending.asks} - {*self._sealed}:
                break
            outcome = self._dealer.outcome(match, lambda _match, seat, _ask: self._sealed[seat])
            if outcome is None:
                break
            self._sealed = {}
            match.apply(outcome)
        if match.pending is None:
            self._end()
        self._show()

    def _seat(self) -> int:
        """The seat that is asked now, or the first agent's after the end."""
        match = self._match
        if match.pending is None:
            return self.possible_agents.index(self.agents[0])
        return next(int(seat) for seat in match.owing() if seat not in self._sealed)

    def _asked(self) -> tuple[View, Choose[Any]]:
        seat = self._seat()
        ask = self._match.ask_of(seat)
        assert ask is not None
        return self._match.view(seat, self._dealer.lens(seat)), ask

    def _end(self) -> None:
        scores = self._spec.scores(self._match.g)
        won = [int(score.seat) for score in scores if score.rank == 1]
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = (seat in won) / len(won) - 1 / len(self.possible_agents)
            self.terminations[agent] = True

    def _show(self) -> None:
        """Select who is asked, and tell the position in words of JSON."""
        self.agent_selection = self.possible_agents[self._seat()]
        if self._match.pending is not None:
            view, ask = self._asked()
            self.infos[self.agent_selection] = {
                "position": position_json(view),
                "asked": asked_json(view, ask, self._picked),
            }

    # Observing

    def observe(self, agent: str) -> dict[str, Any]:
        """What a seat sees; a mask without options for a seat that is not asked."""
        seat = self.possible_agents.index(agent)
        mask = np.zeros(self._actions.n, np.int8)
        word = stage = 0
        view = self._match.view(seat, self._dealer.lens(seat))
        if self._match.pending is not None and seat == self._seat():
            _view, ask = self._asked()
            listed = options_of(view, ask, self._picked)
            if len(listed) > len(mask):
                raise LocalError(f"{ask}: {len(listed)} options, at most {len(mask)} wanted")
            mask[: len(listed)] = 1
            word, stage = 1 + self._question(ask), len(self._picked)
        numbers = np.array([*_numbers(view.g), word, stage], np.int32)
        return {"observation": numbers, "action_mask": mask}

    def _question(self, ask: Choose[Any]) -> int:
        """A number that stands for the class of a question: it follows from its word."""
        return sum(ord(sign) * (at + 1) for at, sign in enumerate(ask.word)) % -LEAST

    def render(self) -> str:
        """A line: the height and the question."""
        return f"{self._match.height} {self._match.pending}"

    def close(self) -> None:
        """Nothing is open."""


def _numbers(g: State) -> list[int]:
    """The numbers of all sections whose size never changes: single numbers and columns."""
    found: list[int] = []
    for name in g.kinds:
        section = getattr(g, name)
        dumped = section.dump()
        for field, shape in section.shapes.items():
            if shape == "int":
                found.append(dumped[field])
            elif shape == "column":
                found += dumped[field]
    return found
