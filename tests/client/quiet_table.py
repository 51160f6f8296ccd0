"""Controls of a table at which nothing is signed, sealed, voted on or taken back. Tests build theirs upon it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.core.match import Match
from p2p.lockstep.account import RollReport, StepReport


class QuietTable:
    """What stays as it is where nobody does anything but answer."""

    match: Match

    def linked(self) -> Mapping[int, bool]:
        return {}

    def ways(self) -> dict[int, str]:
        return {seat: "direct" if linked else "" for seat, linked in self.linked().items()}

    @property
    def height(self) -> int:
        return self.match.height

    def stands(self, height: int) -> bool:
        return True

    def answered(self, seat: int) -> tuple[int, int] | None:
        return None

    def seals(self) -> Mapping[int, str]:
        return {}

    def held(self) -> Mapping[int, int]:
        return {}

    def secrets_since(self, height: int) -> bool:
        return False

    def past(self, height: int) -> Match | None:
        return None

    def deals(self) -> int:
        return 0

    def hands(self) -> Mapping[int, Mapping[str, int]]:
        return {}

    def steps(self, first: int) -> Mapping[int, StepReport]:
        return {}

    def rolls(self) -> Sequence[RollReport]:
        return ()

    def proposer(self, pact: bytes) -> str:
        return "Bob"

    def votes(self) -> Sequence[Any]:
        return ()

    def chat(self, text: str) -> Any: ...

    def propose(
        self, kind: str, about: Sequence[int] = (), back_to: int | None = None, *, across: bool = False
    ) -> Any: ...

    def claim(self, member: int) -> Any: ...

    def vouch(self) -> Any: ...

    def vote(self, pact: bytes, yes: bool) -> Any: ...
