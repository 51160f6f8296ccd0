"""Sitting down: from an invitation to a genesis that every member has checked. No input or output, no clock.

One peer invites; it decides who may sit, and no more than that. Everybody links to it and says these words, as
`Lobby(kind, body)` messages:

    inviter                                guest
    offer   what is played, who sits,  ->
            the table's own content
                                       <-  sit      certificate, name, seats, addresses, proof of the ticket
                                       <-  watch    proof of the ticket: follow without a seat
    wait    somebody has to approve    ->
    room    who sits, who is ready     ->
                                       <-  ready    yes or no
                                       <-  wish     what the guest would like to play, as one word; binds nobody
                                       <-  say      a text for all
    said    name, text                 ->
    roster  all are seated and ready   ->
                                       <-  commit   hash of a nonce
    show    all hashes                 ->
                                       <-  nonce
    genesis and addresses              ->           who has checked it plays
    no      code, detail               ->           at any time: not here, with the reason
                                       <-  leave    code

Nobody shows a nonce before all hashes are known, so nobody can steer the table's id. Who leaves between roster and
genesis takes everybody back to the room; the next round has fresh nonces. A guest checks that the genesis is what was
offered, with the roster that was shown and the nonces that were committed to; so the inviter cannot swap anything at
the last moment. It judges the offer before it sits: other rules or content end there, and
so does own content that is not what the offer names by its id.

words   the bodies of these words        invite  the inviter's side        guest   the other side
posted  the same without links: statements in letters that go by any means, in any order
effects what a lobby wants done, as plain data, for its caller to drain
"""
