"""Whole games between bots: what each answers and by which figures, as kept in tests/client/games/thoughts, and all
that is shown of the game at questions of every kind, as kept in tests/client/games/shown."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

sys.path.append(str(Path(__file__).parents[2] / "engine" / "eclipse"))

import pytest
from bot_games import GAMES, MORE, Figures, Moment, moments
from eclipse_table import put, station, table
from kept import compared
from shown_games import asked, mapped, whole
from specimens import styled

from client.bots import NODES, Bot, bot
from client.bots.graded import ExpertBot
from client.bots.planner import PlannerBot
from client.bots.reasons import weighed_text
from client.games.eclipse.bot.figures import figures as figures_of
from client.show.pictures import Frame, pictures
from client.show.styled import UNICODE
from client.words import DisplayNames
from engine.core.dataclass import replace
from engine.core.notation import format_value
from engine.core.values import Value
from engine.eclipse.sectors import tile_map

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
    assert not [text for text in shown if re.search(r"\{[a-z_]+[}:]", text)], "a placeholder is shown"
    compared(SHOWN / f"{name}.txt", "\n".join(shown) + "\n")


@pytest.mark.parametrize("name", MORE)
def test_bots_answer_in_whole_games_as_they_are_kept(name: str) -> None:
    out = list[str]()

    def think(moment: Moment, answering: Bot, rng: Random) -> Value:
        answer = answering.choose(moment.view, moment.wait, rng, NODES)
        out.append(f"{moment.match.height} {moment.seat} {moment.wait.word}: {format_value(answer)}")
        return answer

    for _ in moments(MORE[name], think):
        pass
    compared(THOUGHTS / f"{name}.txt", "\n".join(out) + "\n")


def test_every_sector_is_drawn_as_it_is_kept() -> None:
    play = table(2, pulsar="on", supernova="on", nebula="on", wanderers="on", black_hole="396")
    with play.edit(possible=False) as g:
        e = g.const
        other = {
            *tile_map(g).values(),
            *e.exploded.values(),
            *(tile for tile, parts in enumerate(e.subsectors) if parts),
        }
        rest = [tile for tile in range(len(e.sector_ids)) if tile not in other]
        for at, tile in enumerate(rest):
            first = min(tile, *e.siblings[tile]) if e.siblings[tile] else tile
            place, id = rest.index(first), e.sector_ids[tile]
            put(g, id, 10 + place % 8, place // 8 - 4, place % 6)
            g.sectors.owner[tile] = at % 3 - 1
            g.sectors.orbital[tile], g.sectors.monolith[tile] = at % 4 == 0, at % 5 == 0
            g.sectors.warp[tile], g.sectors.discovery[tile] = at % 7 == 0, at % 2
            station(g, id, at % 2, *["interceptor"] * (at < 8), *["cruiser"] * (at % 5 == 1 and at < 30))
    frame = Frame(play.match.view(0), ("Anna", "Bob"), UNICODE, width=116, height=0)
    drawn = pictures("eclipse2")
    told = [*mapped(frame, drawn)]
    for word in ("map", "legend"):
        told += map(styled, drawn.documents.commands[word].draw(frame))
    for id in frame.g.const.sector_ids:
        told += map(styled, drawn.documents.commands["map"].draw(replace(frame, words=(id,), width=80)))
    compared(SHOWN / "sectors.txt", "\n".join(told) + "\n")
