# SPDX-License-Identifier: GPL-3.0-or-later
"""Synchronization: every peer gets every entry, over all its links.

exchange   have, want and push of one table
branches   forked feeds, followed back to where they part and on from there
links      the state of each link
copies     questions and answers between the copies of one home
archived   a table that is over: answers members that missed its end
ownfeed    whether other members confirm the end of the own feed, before anything is signed
bundle     the entries that a link would carry, as one file
pasted     bytes as text in parts that survive messengers
pace       rate limits for chat

The entries that one peer can make another store are limited by a rule that gives the same result everywhere: a feed
ends at a number of entries (see p2p/log/feeds). The time at which chat is accepted depends on each peer's own clock,
and so only causes delay: a flood of chat delays its author's later entries by some hours at most, and nobody else's.
"""
