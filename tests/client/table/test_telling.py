"""Which notice an effect is told by."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from client.table.notices import Party, VoteNotice, VoteStage
from client.table.telling import notice_of
from p2p.lockstep.effects import Proposed
from p2p.lockstep.pacts import FeedEnd, Pact

ANN, BOB, CID = (bytes([number]) * 32 for number in range(3))


@pytest.mark.parametrize(
    ("kind", "out", "left", "told"),
    [
        ("absent", [CID], {CID}, "leave"),
        ("absent", [BOB, CID], {CID}, "absent"),
        ("absent", [CID], set(), "absent"),
        ("end", [], set(), "end"),
    ],
)
def test_whom_a_proposal_goes_on_without_is_said_to_have_left_if_all_have(
    kind: str, out: list[bytes], left: set[bytes], told: str
) -> None:
    """Else the others read that somebody who left for good is back at any time."""
    ends = tuple(FeedEnd(author, 0, bytes(32)) for author in out)
    lockstep: Any = SimpleNamespace(ballots=SimpleNamespace(parting=lambda _pact: frozenset(left)))
    pact = Pact(kind, 9, bytes(32), ends, None)
    notice = notice_of(lockstep, lambda key: Party(key[0], "Cid"), Proposed(pact, ANN))
    assert isinstance(notice, VoteNotice)
    assert (notice.stage, notice.kind) == (VoteStage.OPEN, told)
