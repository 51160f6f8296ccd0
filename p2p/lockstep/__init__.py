"""The table in lockstep: every peer runs the same game, and signed entries say what each member adds to it.

    machine        what a game must offer
    genesis        what everybody agrees on before the first wait
    step           one height: its slots, and what an entry must look like to fill one
    member_secrets the secrets of one member
    task           what a height of dice, cards or openings waits for
    keymaking      tasks that prepare others: commitments, threshold keys, deck keys
    rolling        the task of a roll
    cards          tasks of sealed cards: shuffle, deal, show, reveal, deal anew
    opening        secret choices, and the task of opening them
    randomness     dice, cards and choices as everybody knows them; the task of each height
    membership     who plays, and what pacts make of it
    game           the machine, all it was given, and what seats of this peer see of its cards
    position       the height that genesis and counted entries lead to
    history        what every height brought to the game, and the game of any of them
    pacts          consent: leaving somebody out, coming back, taking back, ending
    outbox         effects in order, and the faults that were proven
    hearing        feeds, and the entries in them that fill no slot
    proofs         the work of judging entries, and what it found
    reading        feeds in, positions out: which entries count
    votes          what a member must have seen before it signs a pact
    voting         which pacts are open to a member, and which bind it
    signing        the entries that a member makes, and whether it may make any
    duties         what a member says by itself
    follower       hearing and reading, wired: a table without a vote
    lockstep       a follower with voting, signing and duties: a member
    claims         what who waits can sign when nobody can decide for the silent one
    consent        what a member without a person says to pacts
    effects        what the caller is asked to do, as plain data
    report         what to compare when two engines differ
    audit          a whole log judged without secrets
    account        what a log tells of dice, cards and choices, what it proves and what not
    conviction     evidence for a fault, and its judge

A position is named by `height` (how many waits are resolved, preparations included) and `head` (running hash of the
entries that resolved them). Every entry names both and the digest of the game when that height opened. So arrival order
cannot matter, another engine is caught at the entry where it differs, and an answer can never be counted at another
point of the game than the one it was given for.

Each machine owns its state and is given those that it reads; none reaches into another. An entry goes one way:
`hearing` puts it into its feed, `reading` lets it fill its slot of the position, `duties` says what that makes due,
`signing` writes it down, and that entry is heard like any other.

The caller's loop is always the same: call `feed`, `answer`, `sign`…; drain `effects()`; store every `Keep` (own ones
durably, with their secrets) and only then send it; show the rest.
"""
