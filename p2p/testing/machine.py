# SPDX-License-Identifier: GPL-3.0-or-later
"""The test machine: a small game for 2 to 6 seats that uses all eight waits, for tests of everything below the rules.

A round: a bag of cards is shuffled, each seat is dealt one, the leader peeks at its left neighbour's card and picks two
numbers, everybody votes, dice are rolled, everybody seals a bid, and bids and cards are opened. Scores depend on all of
it, so an input that is lost, repeated or applied in another order changes the digest. Opened cards go back to the bag
as faces, the others as handles.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import Any

from engine.core.dataclass import replace
from p2p.lockstep.machine import Given, GivenAnswer, GivenNotice, GivenOutcome, HandleRef, Kind, Pending, TableRefusal
from p2p.wire.codec import Value

_STEPS: Mapping[str, Kind] = {
    "mix": "shuffle", "draw": "deal", "peek": "show", "pick": "choose", "vote": "together", "dice": "roll", "bid":
    "seal", "open": "reveal",
}  # fmt: skip
HIGHEST = 5
"""The greatest pick, vote and bid; the least is 0."""


class TestMachine:
    """The game that the module describes. Answers are integers from 0 to HIGHEST; the caretaker answers 0."""

    __test__ = False  # not a test class for pytest

    def __init__(self, seats: int, rounds: int = 2) -> None:
        self.state: dict[str, Any] = {
            "seats": seats, "rounds": rounds, "round": 0, "at": 0, "scores": [0] * seats, "gone": [],
            "bag": list(range(1, seats + 4)), "order": [], "hands": [], "bids": [], "inbox": {}, "made": {"bag": 0,
            "bid": 0},
        }  # fmt: skip
        self.known: dict[int, dict[HandleRef, Value]] = {}

    @property
    def ident(self) -> tuple[str, bytes]:
        return "test/1", b"test content"

    def step_name(self) -> str:
        s = self.state
        script = ["mix", *["draw"] * s["seats"], "peek", "pick", "pick", "vote", "dice", "bid", "open"]
        return script[s["at"]] if s["round"] < s["rounds"] else ""

    def pending(self) -> Pending | None:
        s, step = self.state, self.step_name()
        everyone, leader = tuple(range(s["seats"])), s["round"] % s["seats"]
        new = [("bag", s["made"]["bag"] + i) for i in range(len(s["bag"]))]
        match step:
            case "":
                return None
            case "mix":
                return Pending("shuffle", deck="bag", members=tuple(s["bag"]), handles=tuple(new), tag="bag")
            case "draw":
                return Pending("deal", (s["at"] - 1,), deck="bag", handles=(("bag", s["order"][0]),))
            case "peek":
                return Pending("show", (leader,), handles=(("bag", s["hands"][(leader + 1) % s["seats"]]),))
            case "pick":
                return Pending("choose", (leader,))
            case "vote":
                owing = tuple(seat for seat in everyone if str(seat) not in s["inbox"])
                return Pending("together", owing, seats_all=everyone)
            case "dice":
                return Pending("roll", sides=(6, 6, 20), tag="dice")
            case "bid":
                made = tuple(("bid", s["made"]["bid"] + seat) for seat in everyone)
                return Pending("seal", everyone, handles=made, seats_all=everyone)
        opened = [("bid", index) for index in s["bids"]] + [("bag", index) for index in s["hands"]]
        return Pending("reveal", handles=tuple(opened), tag="open")

    def check(self, given: Given) -> TableRefusal | None:
        wait = self.pending()
        if isinstance(given, GivenNotice):
            return None
        if wait is None:
            return TableRefusal("game/over")
        if isinstance(given, GivenAnswer):
            if given.seat not in wait.seats or wait.kind not in ("choose", "together", "seal"):
                return TableRefusal("answer/not-asked")
            fits = type(given.value) is int and 0 <= given.value <= HIGHEST
            return None if fits else TableRefusal("answer/not-an-option")
        counts = {"roll": len(wait.sides), "reveal": len(wait.handles)}
        if wait.kind in counts:
            fits = isinstance(given.value, list) and len(given.value) == counts[wait.kind]
        else:
            fits = given.value is None and wait.kind in ("shuffle", "deal", "seal", "show")
        return None if fits else TableRefusal("outcome/shape")

    def apply(self, given: Given) -> Sequence[object]:
        refusal = self.check(given)
        if refusal is not None or (isinstance(given, GivenAnswer) and self.step_name() == "bid"):
            raise ValueError(f"illegal input {given}: {refusal}")
        s, step = self.state, self.step_name()
        if isinstance(given, GivenNotice):
            s["gone"].append([given.kind, given.seat])
            return [given.kind, given.seat]
        if isinstance(given, GivenAnswer):
            return self._answer(step, given)
        return self._outcome(step, given)

    def replay(self, given: Given) -> Sequence[object]:
        return self.apply(given)

    def _answer(self, step: str, given: GivenAnswer) -> Sequence[object]:
        s = self.state
        if step == "vote":
            s["inbox"][str(given.seat)] = given.value
            if len(s["inbox"]) < s["seats"]:
                return []
            votes = [s["inbox"][str(seat)] for seat in range(s["seats"])]
            s["inbox"] = {}
            s["scores"] = [3 * score + vote for score, vote in zip(s["scores"], votes, strict=True)]
        else:
            s["scores"][given.seat] = 2 * s["scores"][given.seat] + int(str(given.value))
        return self._next(step, given.value)

    def _outcome(self, step: str, given: GivenOutcome) -> Sequence[object]:
        s, wait = self.state, self.pending()
        assert wait is not None
        made = [index for _, index in wait.handles]
        cards: list[Any] = given.value if isinstance(given.value, list) else []
        match step:
            case "mix":
                s["order"], s["hands"], s["made"]["bag"] = made, [], s["made"]["bag"] + len(made)
            case "draw":
                s["hands"].append(s["order"].pop(0))
            case "bid":
                s["bids"], s["made"]["bid"] = made, s["made"]["bid"] + len(made)
            case "dice":
                s["scores"] = [score + sum(cards) for score in s["scores"]]
            case "open":
                bids, faces = cards[: s["seats"]], cards[s["seats"] :]
                bids = [bid if type(bid) is int and 0 <= bid <= HIGHEST else 0 for bid in bids]
                s["scores"] = [a + 7 * b + c for a, b, c in zip(s["scores"], bids, faces, strict=True)]
                s["bag"] = faces + [["bag", index] for index in s["order"]]
        return self._next(step, given.value)

    def _next(self, step: str, value: Value) -> Sequence[object]:
        s = self.state
        s["scores"] = [score % 1_000_003 for score in s["scores"]]
        s["at"] += 1
        if step == "open":
            s["round"], s["at"] = s["round"] + 1, 0
        return [(step, value)]

    def batch(self, seat: int, values: Sequence[Value]) -> TableRefusal | None:
        trial = self.clone()
        for at, value in enumerate(values):
            wait = trial.pending()
            if wait is None or wait.kind != "choose":
                return TableRefusal("batch/too-long", str(at))
            refusal = trial.check(GivenAnswer(seat, value))
            if refusal is not None:
                return refusal
            trial.apply(GivenAnswer(seat, value))
        return None

    def caretaker(self, seat: int) -> Value:
        return 0

    def digest(self) -> bytes:
        """Return the digest without the inbox, since at one height answers of others may or may not have arrived."""
        public = {name: part for name, part in self.state.items() if name != "inbox"}
        return blake2b(json.dumps(public).encode(), digest_size=16).digest()

    def scores(self) -> list[Value]:
        """Return the places and points, all of one kind."""
        scores: list[int] = self.state["scores"]
        return [[1 + sum(other > score for other in scores), score, [["points", score]]] for score in scores]

    def sections(self) -> Mapping[str, bytes]:
        return {name: blake2b(json.dumps(part).encode(), digest_size=16).digest() for name, part in self.state.items()}

    def explain(self, names: Iterable[str]) -> Mapping[str, Value]:
        return {name: json.loads(json.dumps(self.state[name])) for name in names}

    def learn(self, seat: int, handle: HandleRef, card: Value) -> None:
        self.known.setdefault(seat, {})[handle] = card

    def clone(self) -> TestMachine:
        other = type(self)(self.state["seats"])
        other.state = json.loads(json.dumps(self.state))
        other.known = {seat: dict(faces) for seat, faces in self.known.items()}
        return other


class Brief(TestMachine):
    """All vote, the leader picks twice, and the game is over: nobody else says a word after the vote."""

    def step_name(self) -> str:
        s = self.state
        return ["vote", "pick", "pick"][s["at"]] if s["round"] < s["rounds"] else ""

    def _next(self, step: str, value: Value) -> Sequence[object]:
        told = super()._next(step, value)
        if self.state["at"] == 3:
            self.state["round"], self.state["at"] = self.state["rounds"], 0
        return told


class ReaderMachine(TestMachine):
    """A round that begins with a pick, which decides who is dealt which card."""

    def step_name(self) -> str:
        s = self.state
        script = ["mix", "pick", *["draw"] * s["seats"], "peek", "pick", "vote", "dice", "bid", "open"]
        return script[s["at"]] if s["round"] < s["rounds"] else ""

    def pending(self) -> Pending | None:
        wait, s = super().pending(), self.state
        if wait is None or self.step_name() != "draw":
            return wait
        return replace(wait, seats=((s["first"] + s["at"]) % s["seats"],))

    def _next(self, step: str, value: Value) -> Sequence[object]:
        if self.state["at"] == 1:
            self.state["first"] = value
        return super()._next(step, value)
