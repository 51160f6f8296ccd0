"""One peer at one table: the composition root, where store, lockstep, sync, links, players and the screen meet.

    record        what this home notes about a table; the game behind a genesis
    options       the table that words describe: its game, seats and options
    content       a table's own content: the game with it, and what of it travels
    library       whether libsodium is available for sealed cards and locked dice
    home          the store of this home, opened for a command
    tables        the tables of this home: found by name, listed
    snapshot      how far a long table was read when it was left, for a quick `resume`
    writer        the store in a worker thread: durable first, then sent
    router        hands links and their messages to the lobby or to the table
    archive       other tables that are over here, answered to those who come late
    lobby         sitting down: the sans-IO lobby of `p2p.lobby` over real links
    reception     what a lobby asks and shows
    lan           open tables on this network; `offers`: how they read
    doctor        what of the network works, step by step, and what to try
    qr            a ticket as a QR code and on the clipboard
    joining       opens or joins a lobby, and keeps the table with its keys
    runtime       the table: one loop that alone touches the lockstep
    contact       who is linked, as people are told of it
    checked       signatures checked in a worker thread before a message is heard
    controls      what a player may do at the table besides answering, and look at
    responder     asks the players of this peer, and votes for a seat without a person by the agreed rule
    confirmation  what is said while nobody has confirmed the end of the own feed
    divergence    when two engines differ: which field of the state it is
    post          the table without links: bundles in, a bundle out
    posted        the lobby without links, kept between letters
    letters       bundles and letters as people get them: files and pasted text
    correspond    what is done at a table by post, at a terminal and without one
    ending        everybody has everything, then go
    people        the names on the seats, where several people share a screen
    result        what came of a table: the answer, and the saved game
    bots          a bot as a player
    children      peers as processes on this machine, each with a home of its own
    processes     a whole table of such peers, started and watched to its end
    watchdog      how long the loop was busy with one thing
    pauses        what holds it up besides
    practice      a table on this machine alone that goes on from the middle of a recorded game
    peer          all of it opened and closed together; what a command calls
    notice_words  notices and proposals in words; `words`: troubles and results

One loop owns the lockstep.  Links, players and the clock hand it jobs; it does all that wait, makes durable what is to
be kept, lets messages out and then carries out the other effects in order: players are told while others read.  An own
entry is durable, with the secrets it binds, before anything that follows from it leaves this process or reaches a
player; while the disk works nothing else touches the lockstep.
Received entries are stored a little later, many in one commit: whoever sent them still has them.
"""
