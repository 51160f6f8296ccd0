"""Lines that lead back to a lobby or table of this home: an answer to its ticket, and a ticket of a running table."""

from __future__ import annotations

from p2p.identity.keys import SigningKey
from p2p.reach.answer import GuestAnswer, write_answer
from p2p.reach.whereabouts import make_table_ticket
from p2p.wire.signing import sign

ANN, BOB = (SigningKey.from_seed(letter * 32) for letter in (b"a", b"b"))
ANSWER = write_answer(
    GuestAnswer(b"l" * 16, BOB.public, b"instance", ("tcp://8.8.4.2:4000",), 2_000_000_000), BOB, ANN.public
)
TABLE = str(make_table_ticket(lambda said: sign(ANN.private, said), ANN.public, b"t" * 32, [], 2_000_000_000))
LEADING_BACK = (ANSWER, TABLE)
