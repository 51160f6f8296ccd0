"""Whole games between bots: what each answers and by which figures, as kept in tests/client/games/thoughts, and all
that is shown of the game at questions of every kind, as kept in tests/client/games/shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest
from bot_games import GAMES, Figures, Moment, moments
from kept import compared
from shown_games import asked, whole

from client.bots import NODES, Bot, bot
from client.bots.graded import ExpertBot
from client.bots.planner import PlannerBot
from client.bots.reasons import weighed_text
from client.games.eclipse.bot.figures import figures as figures_of
from client.show.pictures import pictures
from client.words import DisplayNames
from engine.core.notation import format_value
from engine.core.values import Value

THOUGHTS: Final = Path(__file__).with_name("thoughts")
SHOWN: Final = Path(__file__).with_name("shown")
THOUGHT: Final = (1, 4, 16, 50)
"""Of which answers to a kind of question the figures are kept, of light's and of all others."""
LOOKED: Final = (1, 12)
"""At which questions of a kind is kept what is shown."""
WHOLE: Final = ("menu", "choose-role", "bid")
"""At the last of which all pictures are kept."""
DEEPER: Final = {("eclipse2", "menu"): ("expert", NODES), ("emperor", "choose-role"): ("planner", 200)}
"""Who is asked too, and how many positions it may look at."""


def deeper(moment: Moment, game: str) -> Iterator[str]:
    """What a bot says that looks further, with all that it weighed."""
    level, budget = DEEPER.get((game, moment.wait.word), ("", 0))
    if level:
        other = bot(level)
        assert isinstance(other, ExpertBot | PlannerBot)
        said = other.choose(moment.match.view(moment.seat, moment.lens), moment.wait, Random(1), budget)
        yield f"  {level}: {format_value(said)}"
        yield from (f"    {worth:.5g} {format_value(each)}" for worth, each in other.weighed)
    if level == "expert":
        named = figures_of(moment.view.g, moment.seat, moment.lens)
        yield f"    {', '.join(f'{name} {figure}' for name, figure in named.items() if figure)}"


@pytest.mark.parametrize("name", GAMES)
def test_bots_answer_by_the_figures_and_games_are_shown_as_they_are_kept(name: str) -> None:
    played, thoughts, shown = GAMES[name], list[str](), list[str]()
    figured, looked = Counter[tuple[bool, str]](), Counter[str]()
    package, drawn = f"client.games.{played.game.rstrip('12')}.bot", pictures(played.game)

    def think(moment: Moment, answering: Bot, rng: Random) -> Value:
        view, wait = moment.view, moment.wait
        kind = (moment.level == "light", wait.word)
        figured[kind] += 1
        looked[wait.word] += 1
        where = f"{moment.match.height} {moment.level} {moment.seat} {wait.word}"
        if figured[kind] in THOUGHT:
            with Figures(package) as figures:
                answer = answering.choose(view, wait, rng, NODES)
                why = weighed_text("greedy", view, wait, DisplayNames(played.game))
            thoughts.extend(
                (f"{where}: {format_value(answer)} ({why})", *figures.lines(), *deeper(moment, played.game))
            )
        else:
            answer = answering.choose(view, wait, rng, NODES)
            thoughts.append(f"{where}: {format_value(answer)}")
        if looked[wait.word] in LOOKED:
            shown.extend(asked(moment, drawn, answer))
        if looked[wait.word] == LOOKED[-1] and wait.word in WHOLE and name == played.game:
            shown.extend(whole(moment, drawn))
        return answer

    for _ in moments(played, think):
        pass
    compared(THOUGHTS / f"{name}.txt", "\n".join(thoughts) + "\n")
    compared(SHOWN / f"{name}.txt", "\n".join(shown) + "\n")
