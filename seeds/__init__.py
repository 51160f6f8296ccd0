"""Fair randomness and sealed choices. Pure and synchronous; knows no game, no network and no clock.

Each member of a table holds one 32-byte table secret. Everything that it must be able to open later is derived from the
secret and the place where it is needed (table, epoch, number), so a crash loses nothing and a restart cannot answer
differently. What leaves the machine are commitments first, openings later.

hashing    H, H64, kdf: tagged and injective, so that no statement can be read as another
streams    from 32 bytes to dice and orders: named SHAKE256 streams with rejection; the same on every machine
beacon     commit and reveal: a roll that nobody, nor all others together, can foresee before the last honest seed opens
opendeck   cards when the table plays with open draws: a shuffle is a roll, and everybody can look
seals      secret choices fixed by a hash before any is opened
errors     Fault, a member's broken promise, as a value; LocalError, a bug of this program

The protocol of a table
    1. A height of its own: every member sends commitment(k). Contributors are those committed at a lower height.
    2. A roll is due: every contributor sends seed(k) and commitment(k+1), naming the one head they all agree on.
    3. value = hash of all seeds in roster order; dice, orders of cards and the like are read from its named streams.
    4. A secret choice: its author sends a hash, later value and nonce.
    5. A new set of members is a new epoch and starts at 1. Epochs and roll numbers never go back.

What a log then proves, to anybody and without secrets: that no member could know a die before the last honest seed was
opened, that no seed and no choice was changed after it was fixed, and that the faces follow from the seeds. What it
does not prove: who sits behind a key, that members did not pool what they know, why somebody fell silent; and that the
last to open did not stay silent because of what he saw.
"""
