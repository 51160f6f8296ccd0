# SPDX-License-Identifier: GPL-3.0-or-later
"""The table in lockstep: every peer runs the same game, and signed entries say what each member adds to it.

    machine        the protocol that a game implements
    genesis        what all members agree on before the first wait
    step           one height: its slots, and the entries that fill them
    member_secrets the secrets of one member
    task           what a height of dice, cards or openings waits for
    keymaking      tasks that prepare others: commitments, threshold keys, deck keys
    rolling        the task of a roll
    cards          tasks of sealed cards: shuffle, deal, show, reveal, deal anew
    opening        secret choices, and the task of opening them
    drawn          finished rolls, deals and peeks
    randomness     dice, cards and choices as all members know them; the task of each height
    membership     the members, and how pacts change them
    repairing      entries that are read whatever state they name
    game           the machine, its inputs, and the cards that seats of this peer can see
    position       the height that genesis and counted entries lead to
    judging        an entry of the open height fills its slot, or is judged
    history        the inputs of every height; the game at any of them
    pacts          agreements: to leave a member out, let it back, take back, end
    proposed       the proposed pacts, by position, author and feed
    ballots        who has signed and refused each, and which count
    spoken         how far each member had spoken before a vote
    outbox         effects in order: reported heights and proven faults
    hearing        feeds, and the entries in them that fill no slot
    allowance      how much of each feed a table takes
    proofs         jobs that check entries, and their results
    reading        reads the feeds and fills the position
    cuts           where a pact ends the feeds of those whom it names
    parting        where a member that signed two histories has parted the others
    votes          what a member must have seen before it signs a pact
    obstructing    who refuses again and again what this member has signed
    voting         the pacts that a member may sign, and those that bind it
    proposing      the pacts that it may propose
    signing        signs the entries of a member, if it may sign any
    automatic      the entries that a member signs without a decision
    follower       hearing and reading, wired: a table without a vote
    lockstep       a member: a follower with voting, signing and automatic entries
    claims         signed statements that a member did not answer
    consent        how a member without a person votes on pacts
    effects        what the caller must do, as plain data
    told           what was asked at a height, as a record that heads and states cover
    ends           what members sign when the game has ended
    told_file      these records as a file, for readers without the rules
    report         what to compare when two engines differ
    closing        which end of a log stands, whatever was voted after it
    replay         a whole log read again, with its proofs checked in batches
    audit          a whole log judged without secrets
    account        dice, cards and choices of a log; what the log proves and what it does not
    said           choices, rolls and openings with their values
    overtaken      members whose entry of this height is in a history that a vote has overtaken
    undecided      who may still go another way from an earlier height
    unreachable    votes that a member refuses since it never reaches their positions
    left_behind    which branch of a forged feed a member reads that the others have left out
    undone         what votes have undone, with its values and the voters
    conviction     evidence for a fault, and its judge

A position is named by `height` (how many waits are resolved, preparations included) and `head` (running hash of the
entries that resolved them). Every entry names both and the digest of the game when that height opened. So the order of
arrival does not matter, a different engine is detected at the entry where it differs, and an answer never counts at
another point of the game.

Each machine owns its state and gets those that it reads. An entry goes one way: `hearing` puts it into its feed,
`reading` lets it fill its slot of the position, `automatic` finds what this member has to sign next, `signing` makes
that entry, and it is read like any other.

The caller's loop is always the same: call `feed`, `answer`, `sign`…; drain `effects()`; store every `Keep` (own ones
durably, with their secrets) and only then send it; show the rest.
"""
