"""Fair randomness and sealed choices. Pure and synchronous; knows no game, no network and no clock.

Each member of a table holds one 32-byte table secret. Everything that it must be able to open later is derived from the
secret and the place where it is needed (table, epoch, number), so a crash loses nothing and a restart cannot answer
differently. What leaves the machine are commitments first, openings later. Chance that need not survive (proofs,
shuffles) comes in as 32 fresh bytes: functions that take `fresh` give the same for the same.

hashing     H, H64, kdf: tagged and injective, so that no statement can be read as another
dataclass   slots dataclasses whose functions are compiled at their first call
streams     from 32 bytes to dice and orders: named SHAKE256 streams with rejection; the same on every machine
beacon      commit and reveal: a roll that not even all others together foresee before the last honest seed opens
opendeck    cards when the table plays with open draws: a shuffle is a roll, and everybody can look
seals       secret choices fixed by a hash before any is opened
errors      Fault, a member's broken promise, as a value; LocalError, a bug of this program

With threshold locks, from three members on, and sealed decks these too; two members with open draws need no library:
sodium      where libsodium is found; ristretto: the vectors that a copy of it must pass
group       Ristretto255 with a strict decoder
proofs      knowledge of secret numbers behind points: Schnorr, Chaum and Pedersen, and any linear relation
dealing     key generation of an epoch: joint Feldman sharing, complaints, everybody's ok
threshold   what t of n members compute together; the lock of a roll
deckkeys    a key that takes all members, and shares of sealed cards
shuffle     shuffles of sealed cards, proven after Terelius and Wikström
turns       one member's turn to shuffle a deck
sealedcards what lies under a handle
sealeddeck  the decks: shuffle, deal, show, reveal, put back
choices     short choices that the others can open when their author is silent
anew        decks dealt anew when a member is gone; our own composition, unreviewed

The protocol of a table
    1. A height of its own: every member sends commitment(k). Contributors are those committed at a lower height. From
       three members on an announcement rides along; dealings follow, then everybody's ok.
    2. A roll is due: every contributor sends seed(k) and commitment(k+1), naming the one head they all agree on.
    3. From three members on: once no seed is owed each sends its partial of the lock; t of them give gamma.
    4. value = hash of all seeds in roster order, and gamma; dice, orders of cards and the like are read from its named
       streams.
    5. A sealed deck: every member shuffles in turn. A card is dealt by the shares of all but its reader, and revealed
       by his. It passes to a second reader only through a new mask by the first.
    6. A secret choice: its author sends a hash, later value and nonce; short ones t others can open.
    7. A new set of members is a new epoch and starts at 1. Epochs, roll numbers and deck versions never go back.

What a log then proves, to anybody and without secrets: that no member could know a die before the last honest seed was
opened, that no seed and no choice was changed after it was fixed, that the faces follow from the seeds, that every
shuffle held the same cards, and every card opened was the one that lay there. What it does not prove: who sits behind a
key, that members did not pool what they know, why somebody fell silent; between two members, that the last to open did
not stay silent because of what he saw.
"""
