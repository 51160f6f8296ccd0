# SPDX-License-Identifier: GPL-3.0-or-later
"""The secrets of one member, and the parts of entries that are made from them.

Secrets derive from the table secret and the place where they are needed, so a crash loses nothing, and whoever says the
same again at the same place says it in the same bytes. That holds for the orders of shuffles and the nonces of proofs
too, which hash what they state. The values of sealed choices are stored; if the store loses one, it is read from the
own entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from p2p.lockstep.machine import HandleRef
from p2p.wire.codec import Plain, Value, decode, encode
from p2p.wire.messages import SALT
from seeds.beacon import commitment, seed
from seeds.choices import LONGEST, Choice, make_choice, own_value
from seeds.dealing import PURPOSES, KeyDealer, KeyGeneration
from seeds.deckkeys import DeckKeys, Keyring, deck_secret
from seeds.group import Point, base
from seeds.hashing import Part, kdf
from seeds.sealeddeck import SealedDecks
from seeds.seals import Seals, read_copy, seal_commitment, seal_copy, seal_nonce
from seeds.threshold import ThresholdKey, make_partial


class MemberSecrets:
    """The secrets of one member at one table.

    Attributes:
        choices: the sealed values of this member by name, as stored with their entries.
    """

    def __init__(self, secret: bytes, table: bytes, me: bytes, choices: Mapping[str, bytes]) -> None:
        self._secret, self._table, self.me = secret, table, me
        self.choices = dict(choices)
        self._place: tuple[Part, ...] = ()
        self._taken = 0
        self._shares: dict[tuple[int, str], int] = {}

    def __repr__(self) -> str:
        return "Purse(…)"

    def at(self, kind: str, epoch: int, height: int, head: bytes, basis: bytes = b"") -> MemberSecrets:
        """Return the same secrets, bound to the place of an entry of this kind. basis: that of its body, if it has
        one."""
        self._place, self._taken = (kind, self._table, epoch, height, head, basis), 0
        return self

    def fresh(self) -> bytes:
        """Return 32 bytes that nobody else can foresee, other ones with each call for an entry."""
        self._taken += 1
        return kdf(self._secret, "fresh", *self._place, self._taken)

    def salt(self, seq: int, text: str) -> bytes:
        """Return the 16-byte salt of a chat with this number."""
        return kdf(self._secret, "chat", self._table, seq, text)[:SALT]

    # Dice ------------------------------------------------------------------------------------------------------------

    def seed(self, epoch: int, k: int) -> bytes:
        """Return the member's seed for a roll."""
        return seed(self._secret, self._table, epoch, k)

    def commitment(self, epoch: int, k: int) -> bytes:
        """Return the commitment to that seed."""
        return commitment(self._table, epoch, k, self.me, self.seed(epoch, k))

    # Threshold keys --------------------------------------------------------------------------------------------------

    def announcement(self, run: KeyGeneration) -> Plain:
        return KeyDealer(self._secret, run, self.me).announcement(self.fresh()).plain()

    def dealing(self, run: KeyGeneration) -> Plain:
        return KeyDealer(self._secret, run, self.me).dealing(self.fresh()).plain()

    def verdict(self, run: KeyGeneration) -> Callable[[], tuple[str, Plain]]:
        """Return the job that checks what this member was dealt. Its result is `ok` or a complaint."""
        dealer, fresh = KeyDealer(self._secret, run, self.me), self.fresh()

        def find() -> tuple[str, Plain]:
            complaints = dealer.complaints(fresh)
            if complaints:
                return "complaint", complaints[0].plain()
            self._shares.update({(run.epoch, purpose): dealer.share(purpose) for purpose in PURPOSES})
            return "ok", run.digest()

        return find

    def partial(self, run: KeyGeneration, key: ThresholdKey, point: Point) -> bytes:
        """Return the member's partial for a point under a key of this run."""
        place = (run.epoch, key.purpose)
        if place not in self._shares:
            self._shares[place] = KeyDealer(self._secret, run, self.me).share(key.purpose)
        return make_partial(key, self.me, self._shares[place], point, self.fresh()).packed()

    # Sealed cards ----------------------------------------------------------------------------------------------------

    def deck_secret(self, generation: int) -> int:
        """Return the member's secret key x_p for the decks of a generation."""
        return deck_secret(self._secret, self._table, generation)

    def holds(self, keys: DeckKeys, member: bytes) -> bool:
        """True if the secret deck key of a member in this generation is the own one."""
        return base(self.deck_secret(keys.generation)) == keys.point(member)

    def deck_key(self, ring: Keyring) -> bytes:
        return ring.make(self.me, self.deck_secret(ring.generation), self.fresh()).packed()

    def read(self, decks: SealedDecks, handle: HandleRef) -> Value:
        """Return a card that only this member may read."""
        return decks.read(self.me, self.deck_secret(decks.keys.generation), handle)

    # Sealed choices --------------------------------------------------------------------------------------------------

    def seal(
        self, epoch: int, handle: HandleRef, head: bytes, value: Value, key: ThresholdKey | None
    ) -> tuple[list[bytes], bytes]:
        """Return the seal of a choice, and the secret that must be stored under `choice_name` before the entry is sent.
        key: the key with which others can open it."""
        data = encode(value)
        if key is not None:
            return make_choice(key, self._secret, self.me, handle, head, data, self.fresh()).plain(), data
        nonce = seal_nonce(self._secret, self._table, epoch, handle, head, data)
        committed = seal_commitment(self._table, epoch, handle, self.me, data, nonce)
        return [committed, seal_copy(self._secret, self._table, epoch, handle, committed, data)], data

    def recall(
        self, epoch: int, handle: HandleRef, body: Value, choice: Choice | None, key: ThresholdKey | None
    ) -> None:
        """Restore a sealed value from the body of the own entry, in case the store has lost it or holds another one."""
        data: bytes | None = None
        match body:
            case [_, *_] if choice is not None and key is not None:
                data = own_value(key, self._secret, self.me, handle, choice)
            case [_, bytes() as committed, bytes() as copy]:
                data = read_copy(self._secret, self._table, epoch, handle, committed, copy)
        if data is not None:
            self.choices[choice_name(epoch, handle)] = data

    def knows(self, epoch: int, handle: HandleRef) -> bool:
        """True if the value that this member sealed under a handle is here."""
        return choice_name(epoch, handle) in self.choices

    def choice(self, epoch: int, handle: HandleRef) -> Value:
        """Return the value that this member sealed under a handle, None if the store has lost it."""
        data = self.choices.get(choice_name(epoch, handle))
        return None if data is None else decode(data)

    def reveal(self, seals: Seals, handles: Sequence[HandleRef]) -> list[Plain] | None:
        """Return the opening of the own choices under these handles, None if the store has lost one, or gives one that
        does not fit its commitment: that would convict this member."""
        cards: list[Plain] = []
        for handle in handles:
            epoch, head = seals.made(handle)
            data = self.choices.get(choice_name(epoch, handle))
            if data is None:
                return None
            nonce = seal_nonce(self._secret, self._table, epoch, handle, head, data)
            if not seals.fits(handle, data, nonce):
                return None
            cards.append([*handle, decode(data), nonce])
        return cards


def choice_name(epoch: int, handle: HandleRef) -> str:
    """Return the name under which the store keeps a sealed choice."""
    return f"seal/{epoch}/{handle[0]}/{handle[1]}"


def fits_seal(value: Value) -> bool:
    """True if a choice is short enough to be sealed to the others."""
    return len(encode(value)) <= LONGEST
