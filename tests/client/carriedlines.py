"""Lines that lead back to a lobby or table of this home: an answer to its ticket, and a ticket of a running table."""

from __future__ import annotations

from p2p.identity.keys import SigningKey
from p2p.reach.answer import GuestAnswer, write_answer
from p2p.reach.ticket import new_ticket
from p2p.reach.whereabouts import make_table_ticket
from p2p.wire.signing import sign

ANN, BOB = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b"))
ANSWER = write_answer(
    GuestAnswer(b"l" * 16, BOB.public, b"instance", ("tcp://8.8.4.2:4000",), 2_000_000_000), BOB, ANN.public
)
TABLE = str(make_table_ticket(lambda said: sign(ANN.private, said), ANN.public, b"t" * 32, [], 2_000_000_000))
LEADING_BACK = (ANSWER, TABLE)
OWN = new_ticket(b"l" * 16, ANN.public, ["tcp://8.8.4.1:4000"], 2_000_000_000)
FRIEND = new_ticket(b"m" * 16, BOB.public, ["tcp://8.8.4.2:4000"], 2_000_000_000)
QUOTED = (
    (f"> {OWN}\nthis is what it shows: {ANSWER}", True),
    (f"> {OWN}\nsee you", False),
    (f"> {FRIEND}\nthis is what it showed: {ANSWER}", False),
    (f"> {OWN}\nmine is {FRIEND}", False),
)
"""What Ann pastes, whose lobby is that of the first ticket, and whether it leads back to that."""
