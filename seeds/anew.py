# SPDX-License-Identifier: GPL-3.0-or-later
"""Dealing anew: a member is gone for good with its deck key, and the survivors keep their hands.

STATUS: the composition below is this project's own and unpublished. Each step is a standard proof. That the steps
together have the properties described here has been tested and argued, but not reviewed by others.

The survivors have new keys Y'. For one deck, with all cards on it that not everybody knows:

    1 shuffle  F = all these cards, (G, M + Y'), shuffled by each survivor with a proof
    2 hand     each survivor seals the cards that it can read to Y': (A', B') = (r G, M + r Y'), with one proof that it
               is the card of the log: X_p = x_p G, A' = r G, B* - B' = x_p A - r Y'; B* is the old B less all shares in
               the log
    3 blind    each survivor in turn multiplies all of F and all hands by one secret number, with a proof
    4 share    the survivors open the blinded pairs together: tags k M, for a k that nobody knows; and each publishes
               its share x'_p A' of the others' hands, so that every reader can read its cards as it could before

With the shares of hands, a card under the new keys is again readable by its reader only, and so is a hand when the next
member is gone. The shares tell its reader nothing, since r is enough to compute them; to all others they are what a
deal publishes. Two readers of one card, as after a peek, seal it separately.

Equal tags are equal cards. The places in F whose tags are those of hands leave F; what remains is in an order that
nobody knows and consists of exactly the cards that nobody among the survivors holds. They go under the remaining
handles: those never read and those of the member that is gone. Tags tell nothing else, since without k nobody knows
which card has which tag.

    state    input                    next      what happens
    ----------------------------------------------------------------------------------------------------------
    SHUFFLE  take(checked)            SHUFFLE   the next survivor's turn; after the last: HAND
    HAND     hand(member, ...)        HAND      each member with cards; after the last: BLIND
    BLIND    blind(member, ...)       BLIND     the next survivor's turn; after the last: SHARE
    SHARE    share(member, ...)       SHARE     all, of tags and hands in one message; after the last: DONE
    DONE     lay(decks)                         the cards lie in the new generation's decks

Limits: the hand of the departed member cannot be shown or scored. An accomplice of that member can have seen one card
that then goes back, by a share passed outside the log. That costs them a seat, or the consent of t members that the
accomplice moves to another key.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from engine.core.dataclass import dataclass, replace
from seeds.deckkeys import DeckKeys, Shares, check_shares, make_shares
from seeds.errors import ContractError, Fault
from seeds.group import BASE, IDENTITY, Point, add, base, mul, pack, read_point, read_points, sub, total
from seeds.hashing import Part
from seeds.opendeck import Handle
from seeds.proofs import Proof, Relation, check, equal_logarithms, prove, read_proof, scalar, weighted
from seeds.sealedcards import Lying, SealedForm, card_point
from seeds.sealeddeck import SealedDecks
from seeds.shuffle import Sealed
from seeds.turns import CheckedShuffle, ShuffleTask


@dataclass(frozen=True, slots=True)
class Hand:
    """The cards that a survivor can read, under the new key, in the order of `DealingAnew.hands`, each with a proof."""

    pairs: tuple[Sealed, ...]
    proofs: tuple[Proof, ...]

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [pack(half for pair in self.pairs for half in pair), b"".join(proof.packed() for proof in self.proofs)]


@dataclass(frozen=True, slots=True)
class Blinded:
    """All pairs times one secret number k. anchor: k G."""

    pairs: tuple[Sealed, ...]
    anchor: Point
    proof: Proof

    def plain(self) -> list[bytes]:
        """Return the wire form."""
        return [pack(half for pair in self.pairs for half in pair), self.anchor, self.proof.packed()]


def read_hand(body: object, count: int) -> Hand | None:
    """Return the hand of `count` cards in an entry's body, None for another form."""
    match body:
        case [bytes() as halves, bytes() as proofs] if len(proofs) == 96 * count:
            points = read_points(halves, 2 * count)
            proven = [read_proof(proofs[at : at + 96], 2) for at in range(0, len(proofs), 96)]
            sound = tuple(proof for proof in proven if proof is not None)
            if points is not None and len(sound) == count:
                return Hand(_pairs(points), sound)
    return None


def read_blinded(body: object, count: int) -> Blinded | None:
    """Return the blinding of `count` pairs in an entry's body, None for another form."""
    match body:
        case [bytes() as halves, bytes() as anchor, bytes() as proof]:
            points, k_point, proven = read_points(halves, 2 * count), read_point(anchor), read_proof(proof)
            if points is not None and k_point is not None and proven is not None:
                return Blinded(_pairs(points), k_point, proven)
    return None


class DealingAnew:
    """The state machine above, for one deck.

    Attributes:
        old: the decks of the generation that lost a member.
        keys: the deck keys of the survivors.
        hands: (handle, reader) of cards that a survivor can read, once for each reader.
        free: the other handles, whose cards are mixed.
    """

    def __init__(
        self, old: SealedDecks, keys: DeckKeys, deck: str, read: Collection[tuple[Handle, bytes]] | None = None
    ) -> None:
        """read: the cards of hands, as (handle, reader); None for all that a survivor can read. After a take-back, a
        card that somebody has read since is in no hand, and is mixed with the others."""
        if keys.generation <= old.keys.generation or not set(keys.members) & set(old.keys.members):
            raise ContractError("some of the members survive, with keys of a later generation")
        self.old, self.keys, self.deck = old, keys, deck
        unknown = [handle for handle, card in old.lying.items() if card.deck == deck and card.known is None]
        known = {card.known for card in old.lying.values() if card.deck == deck}
        numbers = [number for number in old.numbers.get(deck, ()) if number not in known]
        if len(numbers) != len(unknown) or not unknown:
            raise ContractError(f"{len(numbers)} cards under {len(unknown)} handles of {deck}")
        self.hands = [
            (handle, reader)
            for handle in unknown
            for reader in old.readers(handle)
            if reader in keys.members and (read is None or (handle, reader) in read)
        ]
        kept = {handle for handle, _ in self.hands}
        self.free = [handle for handle in unknown if handle not in kept]
        cards = tuple((BASE, add(card_point(keys.table, deck, number), keys.public)) for number in numbers)
        self.task: ShuffleTask | None = ShuffleTask(keys, deck, old.version + 1, 0, cards)
        self.places: tuple[Sealed, ...] = ()
        self.new_hands: dict[tuple[Handle, bytes], Sealed] = {}
        self.blindings: list[tuple[Sealed, ...]] = []
        self.tag_shares: dict[bytes, tuple[Point, ...]] = {}
        self._for_readers: dict[tuple[Handle, bytes], dict[bytes, Point]] = {hand: {} for hand in self.hands}

    @property
    def owing(self) -> tuple[bytes, ...]:
        """The members that owe the next message, one at a time if they take turns."""
        members = self.keys.members
        if self.task is not None:
            return (self.task.member,)
        readers = {reader for handle, reader in self.hands if (handle, reader) not in self.new_hands}
        if readers:
            return tuple(member for member in members if member in readers)
        if len(self.blindings) < len(members):
            return (members[len(self.blindings)],)
        return tuple(member for member in members if member not in self.tag_shares)

    # 1 shuffle

    def take(self, checked: CheckedShuffle) -> None:
        """Take the checked shuffle of the survivor whose turn it is."""
        if checked.task != self.task:
            raise ContractError("this shuffle was checked against another turn")
        turn = checked.task.turn + 1
        done = turn == len(self.keys.members)
        self.places = checked.cards if done else ()
        self.task = None if done else replace(checked.task, turn=turn, cards=checked.cards)

    # 2 hand

    def owing_hand(self, member: bytes) -> list[Handle]:
        """Return the cards that this member must seal anew, in order."""
        if self.task is not None:
            return []
        return [handle for handle, reader in self.hands if reader == member and (handle, reader) not in self.new_hands]

    def make_hand(self, member: bytes, x: int, fresh: bytes) -> Hand:
        """Return this member's hand.

        x: its old x_p.
        fresh: 32 random bytes.
        """
        pairs, proofs = [], []
        for handle in self.owing_hand(member):
            (a, _), rest = self._form(member, handle).sealed, self._rest(member, handle)
            r = scalar(fresh, "hand", *handle, pack([a, rest]))
            pair = base(r), add(sub(rest, mul(x, a)), mul(r, self.keys.public))
            pairs.append(pair)
            relation = self.hand_relation(member, handle, pair)
            proofs.append(prove("hand", self.hand_place(member, handle), relation, [x, r], fresh))
        return Hand(tuple(pairs), tuple(proofs))

    def hand(self, member: bytes, message: Hand) -> Fault | None:
        """Take a member's hand."""
        handles = self.owing_hand(member)
        if not handles:
            return Fault("anew/owes-no-hand", member)
        if len(message.pairs) != len(handles) or len(message.proofs) != len(handles):
            return Fault("anew/form", member)
        for handle, pair, proof in zip(handles, message.pairs, message.proofs, strict=True):
            if not check("hand", self.hand_place(member, handle), self.hand_relation(member, handle, pair), proof):
                return Fault("anew/hand-proof", member)
        self.new_hands.update(zip(((handle, member) for handle in handles), message.pairs, strict=True))
        return None

    def hand_relation(self, member: bytes, handle: Handle, pair: Sealed) -> Relation:
        """Return the relation that the new pair contains the card of the log. Its secrets are the old x_p and the new
        r."""
        a, rest = self._form(member, handle).sealed[0], self._rest(member, handle)
        rows = ((BASE, None), (None, BASE), (a, sub(IDENTITY, self.keys.public)))
        return Relation(rows, (self.old.keys.point(member), pair[0], sub(rest, pair[1])))

    def _form(self, reader: bytes, handle: Handle) -> SealedForm:
        """Return the form of the card that this survivor reads with the old keys."""
        return self.old.readers(handle)[reader]

    def _rest(self, reader: bytes, handle: Handle) -> Point:
        """Return B*: the old B without all shares in the log."""
        pair = self._form(reader, handle)
        return sub(pair.sealed[1], total(share for member, share in pair.shares.items() if member != reader))

    def hand_place(self, member: bytes, handle: Handle) -> list[Part]:
        """Return the place to which a proof of this member's hand is bound."""
        return self.keys.place(member, "hand", *handle)

    # 3 blind

    @property
    def blinding(self) -> bool:
        """True if the next message is a blinding."""
        hands = self.task is None and len(self.new_hands) == len(self.hands)
        return hands and len(self.blindings) < len(self.keys.members)

    def unblinded(self) -> tuple[Sealed, ...]:
        """Return the pairs that the next survivor multiplies: F, then the hands."""
        if self.blindings:
            return self.blindings[-1]
        return (*self.places, *(self.new_hands[hand] for hand in self.hands))

    def make_blinded(self, member: bytes, fresh: bytes) -> Blinded:
        """Return this member's blinding, in its turn. fresh: 32 random bytes."""
        before = self.unblinded()
        k = scalar(fresh, "blind", pack(half for pair in before for half in pair))
        pairs = tuple((mul(k, a), mul(k, b)) for a, b in before)
        proof = prove("blind", self.keys.place(member, self.deck), self._multiple(member, base(k), pairs), [k], fresh)
        return Blinded(pairs, base(k), proof)

    def judge_blind(self, member: bytes, message: Blinded) -> Fault | None:
        """Judge a member's blinding. This is slow, changes nothing and may run in another thread."""
        if not self.blinding or (member,) != self.owing:
            return Fault("anew/not-your-turn", member)
        if len(message.pairs) != len(self.unblinded()):
            return Fault("anew/form", member)
        relation = self._multiple(member, message.anchor, message.pairs)
        fits = check("blind", self.keys.place(member, self.deck), relation, message.proof)
        return None if fits else Fault("anew/blind-proof", member)

    def blind(self, member: bytes, message: Blinded, *, judged: bool = False) -> Fault | None:
        """Take a member's blinding. judged: True if `judge_blind` has found no fault."""
        fault = None if judged else self.judge_blind(member, message)
        if fault is None:
            self.blindings.append(message.pairs)
        return fault

    def _multiple(self, member: bytes, anchor: Point, pairs: Sequence[Sealed]) -> Relation:
        """Return the relation that every half is the anchor's multiple of the half before."""
        before = [half for pair in self.unblinded() for half in pair]
        after = [half for pair in pairs for half in pair]
        return equal_logarithms(anchor, *weighted("blind", self.keys.place(member, self.deck, anchor), before, after))

    # 4 share

    def _others(self, member: bytes) -> list[tuple[Handle, bytes]]:
        """Return the hands of the other members."""
        return [hand for hand in self.hands if hand[1] != member]

    def firsts(self, member: bytes) -> tuple[Point, ...]:
        """Return the halves of which this member publishes its shares: of the blinded pairs, then of the others'
        hands."""
        return (*(a for a, _ in self.unblinded()), *(self.new_hands[hand][0] for hand in self._others(member)))

    def make_share(self, member: bytes, x: int, fresh: bytes) -> Shares:
        """Return this member's shares.

        x: its new x_p.
        fresh: 32 random bytes.
        """
        return make_shares(self.keys, member, x, self.firsts(member), fresh)

    def judge_share(self, member: bytes, message: Shares) -> Fault | None:
        """Judge a member's shares. This is slow, changes nothing and may run in another thread."""
        if member in self.tag_shares or member not in self.owing or len(self.blindings) < len(self.keys.members):
            return Fault("anew/owes-no-share", member)
        fits = check_shares(self.keys, member, self.firsts(member), message)
        return None if fits else Fault("anew/share-proof", member)

    def share(self, member: bytes, message: Shares, *, judged: bool = False) -> Fault | None:
        """Take a member's shares. judged: True if `judge_share` has found no fault."""
        fault = None if judged else self.judge_share(member, message)
        if fault is None:
            count = len(self.blindings[-1])
            self.tag_shares[member] = message.values[:count]
            for hand, value in zip(self._others(member), message.values[count:], strict=True):
                self._for_readers[hand][member] = value
        return fault

    def tags(self) -> list[Point]:
        """Return the tags of the places, then of the hands, once all shares are there."""
        shares = zip(*self.tag_shares.values(), strict=True)
        return [sub(b, total(of_pair)) for (_, b), of_pair in zip(self.blindings[-1], shares, strict=True)]

    def lay(self, decks: SealedDecks) -> None:
        """Put the cards of this deck into the decks of the new generation (`SealedDecks.successor`)."""
        if self.owing:
            raise ContractError(f"{len(self.owing)} members owe to this deal")
        tags = self.tags()
        in_places, in_hands = tags[: len(self.places)], tags[len(self.places) :]
        held = {handle: tag for (handle, _), tag in zip(self.hands, in_hands, strict=True)}
        if any(held[handle] != tag for (handle, _), tag in zip(self.hands, in_hands, strict=True)):
            raise ContractError("two readers of one card hold two cards")
        kept = set(held.values())
        if len(set(in_places)) != len(in_places) or len(kept) != len(held):
            raise ContractError("two cards with one tag")
        if not kept <= set(in_places):
            raise ContractError("a hand holds a card that is none of the deck's")
        for handle in held:
            hands = [hand for hand in self.hands if hand[0] == handle]
            forms = [SealedForm(self.new_hands[hand], hand[1], shares=self._for_readers[hand]) for hand in hands]
            decks.lying[handle] = Lying(self.deck, forms)
        rest = [place for place, tag in zip(self.places, in_places, strict=True) if tag not in kept]
        for handle, place in zip(self.free, rest, strict=True):
            decks.lying[handle] = Lying(self.deck, [SealedForm(place)])


def _pairs(points: Sequence[Point]) -> tuple[Sealed, ...]:
    return tuple(zip(points[::2], points[1::2], strict=True))
