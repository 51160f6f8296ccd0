# SPDX-License-Identifier: GPL-3.0-or-later
"""Peers at a table, without a server: signed feeds over any link, generic over the game.

    lockstep   positions, admission, pacts, fairness machines, divergence      synchronous, no input or output
    log        entries in feeds, evidence, the store, .star files              synchronous, sqlite
    lobby      from an invitation to a genesis that all have checked           synchronous, no input or output
    sync       have, want and push over every link                             synchronous, no input or output
    wire       strict codec, frames, messages, entries, signatures             synchronous, no input or output
    identity   who somebody is, and which key speaks for them at one table     synchronous, files
    link       an authenticated channel between two peers                      trio
    reach      finding each other: announcements, tickets, redialling          trio
    testing    test machine, tables, faulty network and disk, hostile peers    published test kit

A game is whatever fulfils `p2p.lockstep.machine.Machine`; nothing here imports one. Everything from a peer is
hostile until it has passed the strict decoder, the size limits, a signature and the rules of admission. What a peer
can be blamed for is a `Fault` with the entries that prove it; what somebody may not do now is a `Refusal`;
everything else is a bug of this program and raises.
"""
