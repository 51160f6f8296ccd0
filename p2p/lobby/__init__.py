# SPDX-License-Identifier: GPL-3.0-or-later
"""The lobby: from an invitation to a genesis that every member has checked. No input or output, no clock.

One peer invites and decides who may sit, nothing else. The guests link to it and exchange these `Lobby(kind, body)`
messages:

    inviter                                guest
    offer   what is played, who sits,  ->
            the table's own content
                                       <-  sit      certificate, name, seats, addresses, proof of the ticket
                                       <-  watch    proof of the ticket: follow without a seat
    wait    the inviter must approve   ->
    room    the members, who is ready  ->
                                       <-  ready    yes or no
                                       <-  wish     what the guest would like to play, one word, not binding
                                       <-  say      a text for all
    said    name, text                 ->
    roster  all are seated and ready   ->
                                       <-  commit   hash of a nonce
    show    all hashes                 ->
                                       <-  nonce
    genesis and addresses              ->           each guest checks it and plays
    no      code, detail               ->           at any time: a refusal with its reason
                                       <-  leave    code

Nobody shows a nonce before all hashes are known, so nobody can choose the table's id. If a member leaves between roster
and genesis, all go back to the room; the next round has fresh nonces. A guest checks that the genesis is what was
offered, with the roster that was shown and the nonces that were committed to, so the inviter cannot change anything at
the last moment. A guest checks the offer before it sits, and leaves if the rules or the content are unknown, or if the
table's own content does not have the id that the offer names.

The inviter may offer other terms until the roster is fixed. Then nobody is ready any more, and a guest commits to
nothing before it is ready for them, even if the inviter has taken an earlier "ready" for this one.

messages  the bodies of these messages      invite  the inviter's side        guest   the guest's side
invited   a link with a newcomer or guest, as the inviter knows it
posted    the same without links: statements in letters, which may come in any order
effects   what a lobby asks its caller to do, as plain data
"""
