# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks for all games: the list of games, tables for them, and the judge of their questions."""

from __future__ import annotations

import dataclasses
import importlib.util
import os
import re
import subprocess
import sys
from array import array
from collections.abc import Callable, Mapping
from itertools import pairwise
from pathlib import Path
from types import GeneratorType
from typing import Any

from engine.core.agenda import Again, State, Table
from engine.core.cards import Handle, Lens
from engine.core.dealer import Chooser, Dealer, HashDice, at_random, play
from engine.core.errors import Refusal
from engine.core.events import CORE_EVENTS, Event
from engine.core.ids import Seat
from engine.core.inputs import Answer
from engine.core.match import MAX_TAIL, Match
from engine.core.notation import format_value, parse
from engine.core.registry import GAMES, GameSpec, Score, game, settle_options
from engine.core.values import Value, order, plain
from engine.core.waits import Choose, Reveal, Roll, Seal, Shuffle, Wait
from engine.testing.judges import judge
from engine.testing.toy import TOY

CODE = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
NONSENSE: tuple[Value, ...] = (None, -1, 10**6, "", "nonsense", (), ("odd",), (None, None), Handle("nonsense", 7))
LONGEST = 50_000
"""Greatest number of inputs of a game, far more than any game needs."""


def specs() -> dict[str, GameSpec]:
    """Return the toy and every registered game whose folder exists."""
    there = [name for name, place in GAMES.items() if importlib.util.find_spec(place.split(":")[0])]
    return {"toy": TOY, **{name: game(name) for name in there}}


def some_table(spec: GameSpec, seats: int, seed: int) -> Table:
    """Return a table with default options for seed 0, else with random options that fit together."""
    dice = HashDice(f"{spec.id} {seats} {seed}")
    for _ in range(100):
        given = {
            option.name: option.values[dice.below(len(option.values))]
            for option in spec.options
            if seed and option.values and dice.below(3) == 0
        }
        table = settle_options(spec, seats, given)
        if isinstance(table, Table):
            return table
    raise AssertionError(f"no options of {spec.id} fit together at {seats} seats")


TIMID = ("pass", "discard", "points", "stop", "shift", "trade")
"""Answers, and names of answers, that pass up an action or could go on for ever."""


def curious(dice: HashDice) -> Chooser:
    """Return a chooser that plays at random but rarely passes, so that more of a game is covered."""
    random = at_random(dice)

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        for _ in range(3):
            pick = random(match, seat, ask)
            if pick is not None and pick not in TIMID and getattr(pick, "word", "") not in TIMID:
                return pick
        return random(match, seat, ask)

    return choose


def claiming(dice: HashDice) -> Chooser:
    """Return a chooser that claims whatever can be claimed, and prefers roles that lead to claims."""
    random = at_random(dice)

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        if ask.word in ("claim-sector", "claim-tile"):
            return ask.options(match.g)[1]
        if ask.word == "choose-role":
            left = ask.options(match.g)
            wanted = [role for role in ("explorer", "warlord", "warlord-2", "engineer") if role in left]
            return wanted[0] if wanted else random(match, seat, ask)
        return random(match, seat, ask)

    return choose


def watched(spec: GameSpec) -> GameSpec:
    """Return the game with checks that no rule changes the state before its first wait or has events before an
    aside."""

    def watch(rule: Any) -> Any:
        def watching(g: State, *args: Any) -> Any:
            before, told = g.digest(), len(g.new_events)
            running = rule(g, *args)
            if not isinstance(running, GeneratorType):
                return running
            try:
                wait = next(running)
            except StopIteration as stop:
                return stop.value
            assert g.digest() == before, f"{g.flow.now} mutates before its first wait"
            told = len(g.new_events) - told

            def rest() -> Any:
                answer = yield wait
                while True:
                    try:
                        asked = running.send(answer)
                    except StopIteration as stop:
                        return stop.value
                    answer = yield asked

            result = yield from rest()
            assert not (told and isinstance(result, Again)), f"{g.flow.now} tells before an aside"
            return result

        return watching

    return dataclasses.replace(spec, segments={name: watch(rule) for name, rule in spec.segments.items()})


class Judge:
    """Checks every question of a match in many ways."""

    def __init__(self, match: Match, dealer: Dealer, dice: HashDice, samples: int) -> None:
        self.match, self.dealer, self.dice, self.samples = match, dealer, dice, samples

    def some(self, values: Any) -> list[Any]:
        if len(values) <= self.samples:
            return list(values)
        return [values[self.dice.below(len(values))] for _ in range(self.samples)]

    def question(self, seat: int) -> Value:
        """Check the question to one seat. Return the answer chosen meanwhile."""
        match, ask = self.match, self.match.ask_of(seat)
        assert ask is not None
        assert ask.seat == seat
        assert match.spec.words.value(plain(ask)) == ask
        g = None if isinstance(match.pending, Seal) else match.g
        before = match.g.digest()
        so_far: tuple[Value, ...] = ()
        while True:
            options = ask.options(g, None, so_far)
            if ask.staged and not options:
                break
            self.listing(ask, g, options, so_far)
            self.behind_the_veil(ask, seat, so_far)
            for lens in (self.dealer.lens(seat), self.false_lens()):
                self.lens(ask, g, lens, options, so_far)
            pick = options[self.dice.below(len(options))]
            if not ask.staged:
                self.readable(ask, g, self.some(options))
                self.stand_in(ask, g, seat)
                assert match.g.digest() == before, f"listing {ask} changes the position"
                return pick
            so_far = (*so_far, pick)
        self.staged(ask, g, so_far)
        self.readable(ask, g, [so_far])
        self.stand_in(ask, g, seat)
        assert match.g.digest() == before, f"listing {ask} changes the position"
        return so_far

    def listing(self, ask: Choose[Any], g: Any, options: Any, so_far: tuple[Value, ...]) -> None:
        """Check the options: at least one, sorted, unique and legal. Refused picks are not options and have a
        reason."""
        assert len(options) > 0, f"{ask} has no options"
        keys = [order(option) for option in options]
        assert all(a < b for a, b in pairwise(keys)), f"{ask}: {options} not sorted or not unique"
        for option in self.some(options):
            assert all(type(name) is str and type(by) is int for name, by in ask.price(g, option, so_far))
            if not ask.staged:
                assert ask.validate(g, option) is None, f"{ask} lists {option} and refuses it"
        legal = set(keys)
        for value, reason in ask.refused(g, None, so_far):
            assert order(value) not in legal, f"{ask} lists {value} and names it refused"
            assert CODE.fullmatch(reason.code), reason
            if not ask.staged:
                assert ask.validate(g, value) == reason
        for value in (*NONSENSE, *map(self.bent, self.some(options))):
            if order(value) not in legal:
                self.refuses(ask, g, (*so_far, value) if ask.staged else value)

    def bent(self, value: Value) -> Value:
        """Return a value like the option with a changed number or text."""
        if type(value) is int:
            return value + 9999
        if type(value) is str:
            return value + "-nonsense"
        if type(value) is tuple:
            return (*value, "nonsense")
        names = getattr(value, "__match_args__", ())
        if not names:
            return "nonsense"
        name = names[self.dice.below(len(names))]
        return dataclasses.replace(value, **{name: self.bent(getattr(value, name))})

    def refuses(self, ask: Choose[Any], g: Any, value: Value) -> None:
        refusal = ask.validate(g, value)
        assert isinstance(refusal, Refusal), f"{ask} takes {value}"
        assert CODE.fullmatch(refusal.code), refusal

    def staged(self, ask: Choose[Any], g: Any, answer: tuple[Value, ...]) -> None:
        """Check that a complete answer is legal, and a longer or shorter one is not."""
        assert ask.validate(g, answer) is None
        self.refuses(ask, g, (*answer, None))
        self.refuses(ask, g, list(answer))
        if answer:
            self.refuses(ask, g, answer[:-1])

    def lens(self, ask: Choose[Any], g: Any, lens: Lens, options: Any, so_far: tuple[Value, ...]) -> None:
        """Check that the options with any lens are a non-empty subset of the public options."""
        seen = {order(option) for option in ask.options(g, lens, so_far)}
        assert seen, f"{ask} has no options under a lens"
        assert seen <= {order(option) for option in options}, f"{ask} has more options under a lens"

    def behind_the_veil(self, ask: Choose[Any], seat: int, so_far: tuple[Value, ...]) -> None:
        """Check that private numbers of others do not change the options, prices and refusals of a seat."""
        g, seen = self.match.g, self.match.view(seat).g
        if isinstance(self.match.pending, Seal) or not self.match.spec.veil(g):
            return
        options = ask.options(g, None, so_far)
        assert ask.options(seen, None, so_far) == options, f"{ask} lists what others hold"
        assert ask.refused(seen, None, so_far) == ask.refused(g, None, so_far)
        for option in self.some(options):
            assert ask.price(seen, option, so_far) == ask.price(g, option, so_far)

    def false_lens(self) -> Lens:
        """Return a lens with random faces for all cards."""
        made: dict[str, int] = self.match.g.decks.made
        faces: tuple[Value, ...] = (0, 1, "nonsense", *self.some(list(self.dealer.faces.values())))
        return Lens({Handle(d, at): faces[self.dice.below(len(faces))] for d, n in made.items() for at in range(n)})

    def readable(self, ask: Choose[Any], g: Any, answers: list[Value]) -> None:
        """Check that answers can be converted to notation and plain form and back."""
        for answer in answers:
            text = format_value(answer)
            read = parse(text, ask, g)
            assert type(read) is type(answer), f"{ask}: {text!r} reads as {read}, not {answer}"
            assert read == answer, f"{ask}: {text!r} reads as {read}, not {answer}"
            assert self.match.spec.words.value(plain(answer)) == answer

    def stand_in(self, ask: Choose[Any], g: Any, seat: int) -> None:
        """Check that the caretaker's answer is legal and always the same."""
        answer = self.match.caretaker(seat)
        assert ask.validate(g, answer) is None, f"the caretaker of {ask} answers {answer}"
        assert self.match.caretaker(seat) == answer
        if not isinstance(self.match.pending, Seal):
            assert self.match.check(Answer(Seat(seat), answer)) is None


def play_judged(spec: GameSpec, table: Table, seed: int, bot: Callable[[HashDice], Chooser] = at_random) -> int:
    """Play a whole game with all checks. Return the number of inputs."""
    match = Match.new(watched(spec), table)
    rare = Match.new(spec, table, 16)
    dice, dealer = HashDice(f"judge {seed}"), Dealer(HashDice(f"{table.seats} {seed}"))
    questions = Judge(match, dealer, dice, samples=4)
    lengths = column_lengths(match.g)
    unjudged = bot(dice)

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        if dice.below(8) == 0:
            return questions.question(seat)
        questions.stand_in(ask, None if isinstance(match.pending, Seal) else match.g, seat)
        return unjudged(match, seat, ask)

    step = 0
    known_tag(spec, match.pending)
    for step, (given, told) in enumerate(play(match, dealer, choose), 1):
        known_tag(spec, match.pending)
        assert step <= LONGEST, f"{step} inputs and no end, before {match.g.flow.now}"
        assert match.tail <= MAX_TAIL, match.g.flow.now
        known_events(spec, told)
        rare.apply(given)
        assert rare.digest() == match.digest(), f"digests differ by checkpoint policy at {match.g.flow.now}"
        if match.tail == 0:
            assert judge(spec, match.g) is None, f"at step {step}, before {match.g.flow.now}"
        if dice.below(8) == 0:
            same_everywhere(spec, match, rare)
    assert column_lengths(match.g) == lengths, "a column has changed its length"
    assert judge(spec, match.g) is None
    fair_scores(spec.scores(match.g), table.seats)
    return step


def known_tag(spec: GameSpec, wait: Wait[Any] | None) -> None:
    """Check that the game lists the tag of this wait."""
    match wait:
        case Roll(_, tag) | Shuffle(_, _, tag) | Reveal(_, tag):
            assert tag in spec.tags, f"{spec.id} asks {wait}, lists {spec.tags}"


def known_events(spec: GameSpec, told: list[Event]) -> None:
    """Check that every event is listed with its arguments, and that these are plain."""
    for event in told:
        listed = spec.events.get(event.id) or CORE_EVENTS[event.id]
        assert tuple(event.args) == tuple(listed), f"{event.id} tells {tuple(event.args)}, lists {listed}"
        for value in event.args.values():
            parts = value if isinstance(value, tuple) else (value,)
            assert all(part is None or type(part) in (int, str) for part in parts), event


def same_everywhere(spec: GameSpec, match: Match, rare: Match) -> None:
    """Check that a clone, a loaded dump and a clone of a match with another checkpoint are at the same point."""
    dump = match.dump()
    loaded = Match.load(spec, dump)
    assert isinstance(loaded, Match), loaded
    assert loaded.dump() == dump
    for other in (match.clone(), rare.clone(), loaded):
        other._digest = b""
        assert other.digest() == match.digest()
        assert (other.height, other.tail, other.pending) == (match.height, match.tail, match.pending)


def column_lengths(g: State) -> Mapping[str, int]:
    """Return the length of every column, by section and field."""
    return {
        f"{name}.{field}": len(getattr(getattr(g, name), field))
        for name, kind in g.kinds.items()
        for field in kind.shapes
        if isinstance(getattr(getattr(g, name), field), array)
    }


def fair_scores(scores: Any, seats: int) -> None:
    """Check that every seat has a result, that parts add up and that ranks follow the totals."""
    assert sorted(score.seat for score in scores) == list(range(seats))
    for score in scores:
        assert isinstance(score, Score)
        assert sum(points for _, points in score.parts) == score.total
    ranks = sorted(score.rank for score in scores)
    assert ranks[0] == 1
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


def same_for_every_hash_seed(program: str) -> str:
    """Return the output of a program after checking that it does not depend on Python's hash seed."""
    root = str(Path(__file__).parents[2])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4711")
    }
    assert len(outputs) == 1
    return outputs.pop()
