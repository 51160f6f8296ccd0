"""One peer at one table: the composition root, where store, lockstep, sync, links, players and the screen meet.

    record      what this home notes about a table; the game behind a genesis
    home        the store of this home, opened for a command
    keeper      the store in a worker thread: durable first, then sent
    switch      links as they come and go, and whose turn it is to hear them: the lobby's or the table's
    lobby       sitting down: the sans-IO lobby of `p2p.lobby` over real links
    runtime     the table: one loop that alone touches the lockstep
    duties      what a peer does without being asked: asks its players, proposes and signs pacts by the agreed rule
    ending      everybody has everything, then go
    bots        a bot as a player
    peer        all of it opened and closed together; what a command calls
    words       notices, troubles and results in words

One loop owns the lockstep.  Links, players and the clock hand it jobs; it does all that wait, carries out the effects
in order and only then lets messages out.  An own entry is durable, with the secrets it binds, before anything that
follows from it leaves this process or reaches a player; while the disk works nothing else touches the lockstep.
Received entries are stored a little later, many in one commit: whoever sent them still has them.
"""
