"""What the tests of all games share: which games there are, tables for them, and how a question is judged."""

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
from engine.core.waits import Choose, Seal
from engine.testing.judges import judge
from engine.testing.toy import TOY

CODE = re.compile(r"[a-z0-9-]+/[a-z0-9-]+")
NONSENSE: tuple[Value, ...] = (None, -1, 10**6, "", "nonsense", (), ("odd",), (None, None), Handle("nonsense", 7))
LONGEST = 50_000
"""Inputs in a game: far beyond any that ends."""


def specs() -> dict[str, GameSpec]:
    """The toy and every registered game whose folder is there."""
    there = [name for name, place in GAMES.items() if importlib.util.find_spec(place.split(":")[0])]
    return {"toy": TOY, **{name: game(name) for name in there}}


def some_table(spec: GameSpec, seats: int, seed: int) -> Table:
    """A table at default options for seed 0, else with options drawn until they fit together."""
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
"""Answers, and words of answers, that let a chance go by or could go on for ever."""


def curious(dice: HashDice) -> Chooser:
    """Plays at random, but thinks again before it lets a chance go by: more of a game is seen."""
    random = at_random(dice)

    def choose(match: Match, seat: int, ask: Choose[Any]) -> Value:
        for _ in range(3):
            pick = random(match, seat, ask)
            if pick is not None and pick not in TIMID and getattr(pick, "word", "") not in TIMID:
                return pick
        return random(match, seat, ask)

    return choose


def claiming(dice: HashDice) -> Chooser:
    """Claims whatever can be claimed, and of roles takes those that lead there first."""
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
    """The game with every rule held to its promise: nothing mutated before its first wait, nor told before an aside."""

    def watch(rule: Any) -> Any:
        def watching(g: State, *args: Any) -> Any:
            before, told = g.digest(), len(g.new_events)
            running = rule(g, *args)
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
    """Asks every question in many ways and finds fault with what does not hold."""

    def __init__(self, match: Match, dealer: Dealer, dice: HashDice, samples: int) -> None:
        self.match, self.dealer, self.dice, self.samples = match, dealer, dice, samples

    def some(self, values: Any) -> list[Any]:
        if len(values) <= self.samples:
            return list(values)
        return [values[self.dice.below(len(values))] for _ in range(self.samples)]

    def question(self, seat: int) -> Value:
        """Judge what one seat is asked; gives the answer that the judging arrived at."""
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
        """Options: at least one, sorted, unique, legal; what is refused is no option and has its reason."""
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
        """Something like the option, but another: a number or text in it is changed."""
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
        """A complete answer stands; a longer or shorter one does not."""
        assert ask.validate(g, answer) is None
        self.refuses(ask, g, (*answer, None))
        self.refuses(ask, g, list(answer))
        if answer:
            self.refuses(ask, g, answer[:-1])

    def lens(self, ask: Choose[Any], g: Any, lens: Lens, options: Any, so_far: tuple[Value, ...]) -> None:
        """What a lens shows leaves a non-empty part of the public options, whatever it claims."""
        seen = {order(option) for option in ask.options(g, lens, so_far)}
        assert seen, f"{ask} has no options under a lens"
        assert seen <= {order(option) for option in options}, f"{ask} has more options under a lens"

    def behind_the_veil(self, ask: Choose[Any], seat: int, so_far: tuple[Value, ...]) -> None:
        """What others hold in private changes nothing of what a seat is offered, told or refused."""
        g, seen = self.match.g, self.match.view(seat).g
        if isinstance(self.match.pending, Seal) or not self.match.spec.veil(g):
            return
        options = ask.options(g, None, so_far)
        assert ask.options(seen, None, so_far) == options, f"{ask} lists what others hold"
        assert ask.refused(seen, None, so_far) == ask.refused(g, None, so_far)
        for option in self.some(options):
            assert ask.price(seen, option, so_far) == ask.price(g, option, so_far)

    def false_lens(self) -> Lens:
        """A lens that claims random faces for every card there is."""
        made: dict[str, int] = self.match.g.decks.made
        faces: tuple[Value, ...] = (0, 1, "nonsense", *self.some(list(self.dealer.faces.values())))
        return Lens({Handle(d, at): faces[self.dice.below(len(faces))] for d, n in made.items() for at in range(n)})

    def readable(self, ask: Choose[Any], g: Any, answers: list[Value]) -> None:
        """Answers survive notation and plain form."""
        for answer in answers:
            text = format_value(answer)
            read = parse(text, ask, g)
            assert type(read) is type(answer), f"{ask}: {text!r} reads as {read}, not {answer}"
            assert read == answer, f"{ask}: {text!r} reads as {read}, not {answer}"
            assert self.match.spec.words.value(plain(answer)) == answer

    def stand_in(self, ask: Choose[Any], g: Any, seat: int) -> None:
        """The caretaker answers legally, and the same when asked again."""
        answer = self.match.caretaker(seat)
        assert ask.validate(g, answer) is None, f"the caretaker of {ask} answers {answer}"
        assert self.match.caretaker(seat) == answer
        if not isinstance(self.match.pending, Seal):
            assert self.match.check(Answer(Seat(seat), answer)) is None


def play_judged(spec: GameSpec, table: Table, seed: int, bot: Callable[[HashDice], Chooser] = at_random) -> int:
    """Play a whole game and hold it to every promise there is; the number of inputs it took."""
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
    for step, (given, told) in enumerate(play(match, dealer, choose), 1):
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


def known_events(spec: GameSpec, told: list[Event]) -> None:
    """Every event is listed with its arguments, which are plain."""
    for event in told:
        listed = spec.events.get(event.id) or CORE_EVENTS[event.id]
        assert tuple(event.args) == tuple(listed), f"{event.id} tells {tuple(event.args)}, lists {listed}"
        for value in event.args.values():
            parts = value if isinstance(value, tuple) else (value,)
            assert all(part is None or type(part) in (int, str) for part in parts), event


def same_everywhere(spec: GameSpec, match: Match, rare: Match) -> None:
    """A clone, a loaded dump and a clone of a rarely renewed match stand where the match stands."""
    dump = match.dump()
    loaded = Match.load(spec, dump)
    assert isinstance(loaded, Match), loaded
    assert loaded.dump() == dump
    for other in (match.clone(), rare.clone(), loaded):
        other._digest = b""
        assert other.digest() == match.digest()
        assert (other.height, other.tail, other.pending) == (match.height, match.tail, match.pending)


def column_lengths(g: State) -> Mapping[str, int]:
    """Length of every column, by section and field."""
    return {
        f"{name}.{field}": len(getattr(getattr(g, name), field))
        for name, kind in g.kinds.items()
        for field in kind.shapes
        if isinstance(getattr(getattr(g, name), field), array)
    }


def fair_scores(scores: Any, seats: int) -> None:
    """Every seat has a result; parts add up; ranks follow the table of results."""
    assert sorted(score.seat for score in scores) == list(range(seats))
    for score in scores:
        assert isinstance(score, Score)
        assert sum(points for _, points in score.parts) == score.total
    ranks = sorted(score.rank for score in scores)
    assert ranks[0] == 1
    assert all(rank == 1 + sum(other < rank for other in ranks) for rank in ranks)


def same_for_every_hash_seed(program: str) -> str:
    """What a program prints, which must not depend on how Python hashes."""
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
