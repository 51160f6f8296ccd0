# SPDX-License-Identifier: GPL-3.0-or-later
"""Secret choices by hash commitment: fixed before any is opened, hidden until its owner opens it.

    nonce      = kdf(table secret, "seal", table, epoch, deck, index, head, value)
    commitment = H("seal", table, epoch, deck, index, author, value, nonce)
    copy       = value, filled up, masked by kdf(table secret, "seal/copy", table, epoch, deck, index, commitment)

The nonce hides the value, however few values are possible. Author and handle are part of the commitment, so nobody can
copy another member's choice and open it with that member's help. The nonce is derived, so the same choice made again is
the same bytes. It depends on the head at which the choice is made and on the value, so that neither another value nor
the same place in another history ever has the same nonce. The value is not derived, so a copy that only its author can
read is sent with the commitment, and the author can open it even if its disk has lost the value.

    state     input                        next     what happens
    ------------------------------------------------------------------------------------------
    -         place(handle, author, ...)   SEALED   a commitment of None means silence: FORGONE
    SEALED    open(handle, author, ...)    OPENED   if value and nonce fit; else Fault
    OPENED    reopen(handle)               SEALED   the height of the opening ended without an outcome
    SEALED    write_off(author)            FORGONE  its author is absent: the game's fallback applies, unless an opening
                                                    from before the cut of its feed is read later: OPENED
    any       take(handles)                -        the values, None for a forgone one

A kept choice (opened much later, or never) is sealed in the same way. Limit: an author that does not open gets the
game's fallback, which must never be better than its worst honest opening.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import shake_256
from typing import Any, Final

from engine.core.dataclass import dataclass
from seeds.errors import ContractError, Fault
from seeds.hashing import HASH_BYTES, H, kdf
from seeds.opendeck import Handle

COPY_BYTES: Final = 512
"""The length of a copy is a multiple of this, so that it does not reveal the value."""


def seal_nonce(secret: bytes, table: bytes, epoch: int, handle: Handle, head: bytes, value: bytes) -> bytes:
    """Return the 32-byte nonce of the choice of `value` under this handle, from its author's table secret. head: that
    of the position where it is sealed."""
    return kdf(secret, "seal", table, epoch, *handle, head, value)


def seal_commitment(table: bytes, epoch: int, handle: Handle, author: bytes, value: bytes, nonce: bytes) -> bytes:
    """Return the commitment that `author` publishes. value: the choice's canonical encoding."""
    return H("seal", table, epoch, *handle, author, value, nonce)


def seal_copy(secret: bytes, table: bytes, epoch: int, handle: Handle, committed: bytes, value: bytes) -> bytes:
    """Return the encrypted copy for the author, whose length is a multiple of COPY_BYTES."""
    text = len(value).to_bytes(2, "big") + value
    return _masked(secret, table, epoch, handle, committed, text.ljust(-(-len(text) // COPY_BYTES) * COPY_BYTES, b"\0"))


def read_copy(secret: bytes, table: bytes, epoch: int, handle: Handle, committed: bytes, copy: bytes) -> bytes:
    """Return the value in an own copy."""
    text = _masked(secret, table, epoch, handle, committed, copy)
    return text[2 : 2 + int.from_bytes(text[:2], "big")]


def _masked(secret: bytes, table: bytes, epoch: int, handle: Handle, committed: bytes, text: bytes) -> bytes:
    """Return the text XORed with the mask; applying it twice restores the text. The mask depends on the commitment, so
    that two values never share one."""
    mask = shake_256(kdf(secret, "seal/copy", table, epoch, *handle, committed)).digest(len(text))
    return bytes(one ^ other for one, other in zip(mask, text, strict=True))


@dataclass(slots=True)
class _Seal:
    author: bytes
    epoch: int
    head: bytes
    committed: bytes | None
    value: bytes | None = None
    waited_for: bool = True


class Seals:
    """The sealed choices of one table that the game has not taken yet."""

    def __init__(self, table: bytes) -> None:
        self.table = table
        self._seals: dict[Handle, _Seal] = {}

    def place(self, handle: Handle, author: bytes, epoch: int, head: bytes, committed: bytes | None) -> Fault | None:
        """Note the commitment for a new handle, made in this epoch under this head; None if its author was absent and
        chose nothing."""
        if handle in self._seals:
            raise ContractError(f"handle {handle} is not new")
        if committed is not None and len(committed) != HASH_BYTES:
            return Fault("seal/form", author)
        self._seals[handle] = _Seal(author, epoch, head, committed, waited_for=committed is not None)
        return None

    def owing(self, handles: Iterable[Handle]) -> list[Handle]:
        """Return the handles that their authors must still open."""
        sealed = [(handle, self._seal(handle)) for handle in handles]
        return [handle for handle, seal in sealed if seal.waited_for and seal.value is None]

    def author(self, handle: Handle) -> bytes:
        """Return the author of the choice."""
        return self._seal(handle).author

    def made(self, handle: Handle) -> tuple[int, bytes]:
        """Return the epoch and the head in which it was sealed, which its nonce depends on."""
        seal = self._seal(handle)
        return seal.epoch, seal.head

    def open(self, handle: Handle, author: bytes, value: bytes, nonce: bytes) -> Fault | None:
        """Take the opening of a choice."""
        seal = self._seals.get(handle)
        if seal is None or seal.author != author:
            return Fault("seal/not-yours", author)
        if seal.value is not None:
            return Fault("seal/opened-twice", author)
        if seal.committed is None:
            return Fault("seal/nothing-sealed", author)
        if not self.fits(handle, value, nonce):
            return Fault("seal/opening-mismatch", author)
        seal.value = value
        return None

    def fits(self, handle: Handle, value: bytes, nonce: bytes) -> bool:
        """True if value and nonce are those of the commitment."""
        seal = self._seal(handle)
        return seal_commitment(self.table, seal.epoch, handle, seal.author, value, nonce) == seal.committed

    def write_off(self, author: bytes, handles: Iterable[Handle]) -> None:
        """Stop waiting for the author's openings of these choices, since the table agreed that it is absent."""
        for seal in map(self._seal, handles):
            if seal.author == author:
                seal.waited_for = False

    def reopen(self, handles: Iterable[Handle]) -> None:
        """Undo the openings of these choices, which are then requested again."""
        for seal in map(self._seal, handles):
            seal.value, seal.waited_for = None, seal.committed is not None

    def take(self, handles: Sequence[Handle]) -> list[bytes | None]:
        """Return the opened values in order, None for a forgone choice, and forget them."""
        owing = self.owing(handles)
        if owing:
            raise ContractError(f"the choice under {owing[0]} is not opened")
        return [self._seals.pop(handle).value for handle in handles]

    def _seal(self, handle: Handle) -> _Seal:
        if handle not in self._seals:
            raise ContractError(f"nothing is sealed under {handle}")
        return self._seals[handle]

    def dump(self) -> list[Any]:
        """Return the whole state as plain data."""
        names = _Seal.__match_args__
        rows = [[*handle, *(getattr(seal, name) for name in names)] for handle, seal in self._seals.items()]
        return [self.table, rows]

    @classmethod
    def load(cls, data: Sequence[Any]) -> Seals:
        """Return the seals of a `dump`."""
        table, rows = data
        seals = cls(table)
        seals._seals = {(deck, index): _Seal(*rest) for deck, index, *rest in rows}
        return seals
