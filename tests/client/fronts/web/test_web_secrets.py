"""What the page is sent holds no more than the seat may know: what is planted in others' secrets never appears."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random

import pytest
from seat0 import Seat0
from volume import gated

from client.fronts.web.actions import perform
from client.fronts.web.state import StateFeed
from client.session.deeds import deeds_of
from client.show.document import as_plain
from client.system.journal import no_log
from engine.core.cards import Lens
from engine.core.dealer import Dealer, HashDice
from p2p.lockstep.account import StepReport

PLANTED = 31973
"""A number that no game comes to."""
FACE = "planted-face"
EVERY = 6
"""Questions between two looks at everything."""


class Planted(Seat0):
    """A table where whoever asks for the faces of another seat than 0 gets marked ones."""

    def lens(self, seat: int) -> Lens:
        known = self.dealer.lens(seat)
        return known if seat == 0 else Lens(dict.fromkeys(known, FACE))

    def held(self) -> dict[int, int]:
        return {}

    def steps(self, first: int) -> dict[int, StepReport]:
        return {}

    def deals(self) -> int:
        return 0

    def hands(self) -> dict[int, dict[str, int]]:
        return {}


def sent(table: Planted) -> Iterator[str]:
    """Everything that the page may be sent now, with numbers that others keep to themselves changed."""
    draft = table.session.asking.draft
    assert draft is not None
    changed = []
    for match in (table.match, draft.match):
        for path in match.spec.veil(match.g):
            section, column = path.split(".")
            numbers = getattr(getattr(match.g, section), column)
            changed.append((numbers, list(numbers)))
            for seat in range(1, len(numbers)):
                numbers[seat] = PLANTED
    for drawn in (False, True):
        yield StateFeed(table.session, (), no_log, drawn=drawn).next().decode()
    for name in [each.id for each in deeds_of(table.session).values() if each.shows]:
        yield json.dumps(as_plain(perform(table.session, {"act": name})))
    for numbers, before in changed:
        for seat, number in enumerate(before):
            numbers[seat] = number


@pytest.mark.slow
@pytest.mark.parametrize("seed", gated(range(5), 1))
@pytest.mark.parametrize("name", ["eclipse2", "eclipse1", "emperor", "rex"])
def test_no_secret_of_another_seat_is_in_any_byte_sent(name: str, seed: int) -> None:
    table, rng, looks = Planted(name, 3), Random(seed), 0
    table.dealer = Dealer(HashDice(f"secrets {seed}"))
    session = table.session
    for question in range(10_000):
        if not table.go():
            break
        while session.asking.choices is not None and not session.asking.sendable:
            if question % EVERY == 0:
                looks += 1
                for text in sent(table):
                    assert FACE not in text
                    assert str(PLANTED) not in text
            session.asking.pick(rng.choice(list(session.asking.choices.options)))
        if session.asking.draft is not None and session.asking.sendable:
            session.asking.send()
    assert looks > 1
