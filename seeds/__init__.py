# SPDX-License-Identifier: GPL-3.0-or-later
"""Fair randomness and sealed choices. Pure and synchronous; knows no game, no network and no clock.

Each member of a table holds one 32-byte table secret. All that it must be able to open later is derived from the secret
and the place where it is needed (table, epoch, number), so a crash loses nothing and a restart cannot answer
differently. A member publishes commitments first and openings later. The chance that proofs and shuffles need besides
is passed in as 32 bytes, `fresh`, which the caller derives from the same secret. A function with the same arguments
returns the same result.

hashing     H, H64, kdf: tagged and injective, so that no statement can be read as another
streams     dice and permutations from 32 bytes: named SHAKE256 streams with rejection sampling
beacon      commit and reveal: a roll that nobody can foresee before the last honest seed opens
opendeck    cards of a table with open draws: a shuffle is a roll, and everybody can look
seals       secret choices fixed by a hash before any is opened
errors      Fault, a member's violation of the protocol, as a value; LocalError, a bug of this program

Threshold locks (from three members on) and sealed decks also need these, and libsodium:
sodium      finds libsodium; ristretto: the test vectors that a copy of it must pass
group       Ristretto255 with a strict decoder
proofs      proofs of knowledge: Schnorr, Chaum and Pedersen, and any linear relation
dealing     key generation of an epoch: joint Feldman sharing, complaints, ok of all members
threshold   threshold keys and partials of t of n members; the lock of a roll
deckkeys    the common key of all members, and shares of sealed cards
shuffle     shuffles of sealed cards, proven after Terelius and Wikström
turns       one member's turn to shuffle a deck
sealedcards sealed forms of a card, and its change to a new reader
sealeddeck  the decks: shuffle, deal, show, reveal, put back
choices     short choices that the others can open if their author is silent
anew        decks dealt anew after a member is gone; our own composition, unreviewed

The protocol of a table
    1. At a separate height every member sends commitment(k). Contributors are those committed at a lower height. From
       three members on it contains an announcement; dealings follow, then the ok of all members.
    2. A roll is due: every contributor sends seed(k) and commitment(k+1), naming the one head they all agree on.
    3. From three members on: once all seeds are open, members send partials of the lock; t of them give gamma.
    4. value = hash of all seeds in roster order, and gamma; dice, orders of cards and the like are read from its named
       streams.
    5. A sealed deck: every member shuffles in turn. A card is dealt by the shares of all but its reader, and revealed
       by the reader's. It passes to a second reader only through a new mask by the first.
    6. A secret choice: its author sends a hash, later value and nonce; t others can open a short one.
    7. A new set of members is a new epoch and starts at 1. Epochs, roll numbers and deck versions never go back.

What a log then proves, to anybody and without secrets: that no member could know a die before the last honest seed was
opened, that no seed and no choice was changed after it was fixed, that the faces follow from the seeds, that every
shuffle held the same cards, and every opened card was the one under its handle. It does not prove: which person uses a
key, that members did not pool their secrets, why a member fell silent; between two members, that the last to open did
not stay silent because of the dice that it saw.
"""
