# SPDX-License-Identifier: GPL-3.0-or-later
"""One peer at one table: the composition root, where store, lockstep, sync, links, players and the screen meet.

    player        the interface of a person or a bot in a seat
    notices       what the table tells a player; `lobby_notices`: what a lobby tells
    machine       adapts a game to the network
    identity      the person's key
    record        what this home notes about a table; `beginning`: the game behind a genesis, and whether it can be
                  played here
    options       the table that command-line options describe: its game, seats and options
    content       a table's own content: the game with it, and what of it is sent to others; `custom_content` reads the
                  person's file
    home          the store of this home, opened for a command
    soundness     whether what this home holds fits together
    tables        the tables of this home: found by name, listed
    snapshot      how much of a long table had been read when it was left, for a quick `resume`
    writer        the store in a worker thread: durable first, then sent
    router        hands links and their messages to the lobby or to the table
    archive       other finished tables: late members get the missing entries
    lobby         the sans-IO lobby of `p2p.lobby` over real links, the inviter's side; `guest`: the guest's
    reception     what a lobby asks and shows
    lan           open tables on this network; `offers`: their texts
    doctor        checks of home and network, step by step, with advice; `doctor_here`: those outside of a table
    verdict       who can reach this starlock, in a sentence
    qr            a ticket as a QR code and on the clipboard
    inviting      the ticket of an open lobby, published again when it changes
    open_lobby    what is kept of a lobby, so that it can be opened again
    joining       opens or joins a lobby, and keeps the table with its keys
    answers       reads pasted answers to a ticket, and calls who sent them; `answering`: the guest's side of it
    newer_ticket  what a guest pastes before its table begins, such as a newer ticket of it
    outside       this home's address outside of its router, typed once; `carrying`: lines that people carry, as shown
    gossip        where the members are, signed by each; `back`: tickets of the running table
    relays        relays as people write them
    runtime       the table: one loop that alone touches the lockstep
    contact       connections as people are told of them
    checked       signatures checked in a worker thread before a message is processed
    controls      what a player may look at and do at the table besides answering
    responder     asks the players of this peer, and votes for a seat without a person by the agreed rule
    confirmation  the notices shown until another member confirms the end of this member's feed
    divergence    which field of the state differs between two engines
    moving        asks the others to let another key of a member go on, and shows such requests as votes
    slips         recovery slips: gives the own one, keeps those of friends; `recovery`: a new key for a table
    reminders     what a person is told again when a run begins
    post          a table played by post: bundles in, a bundle out
    posted        a lobby by post, kept between letters
    letters       bundles and letters as people receive them: files and pasted text; `mail`: what was pasted
    correspond    a session at a table by post, with and without a terminal
    naps          notices that this computer has slept
    ending        leaves once every member has every entry
    people        the names on the seats, where several people share a screen
    result        the result of a table, and the saved game
    leaver        leaves a table for good, without a screen
    thinker       the bots in the seats of this machine, which think in one process
    children      peers as processes on this machine, each with a home of its own
    processes     a whole table of such peers, started and watched to its end
    watchdog      measures how long the event loop is busy without a break
    pauses        keeps pauses by the garbage collector and by threads short
    noted         updates the record of a table while it is played
    peer          opens and closes all of it together; what a command calls
    telling       which notice tells the player of an effect
    notice_words  notices and proposals in words; `words`: troubles and results

One loop owns the lockstep. Links, players and the clock hand it jobs; it does all that wait, stores what must be kept,
sends messages and then carries out the other effects in order: players are told while others read. An entry of this
member is durable, with the secrets it binds, before anything that follows from it is sent or shown to a player; nothing
else touches the lockstep during the write. Received entries are stored a little later, many in one commit, because
their sender still has them.
"""
