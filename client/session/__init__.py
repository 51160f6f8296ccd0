# SPDX-License-Identifier: GPL-3.0-or-later
"""A person at a table, independent of the screen: questions, drafts, orders, events, chat and votes.

    session    the model: the table calls it; it wires the parts below, which own the state
    asking     questions of the table, the draft, what was sent, and what answers automatically
    draft      answers on a copy of the game until they are sent
    screens    the table as it is shown, the screens that show a session, and their interface
    player     a session as a player of a table
    home       what is seen and filled in before there is a table; `start`: a new table, open and finished tables
    lobby      the table before it begins
    orders     standing orders: one answer to all questions of a kind
    choices    the options of a draft as data, and the option that a typed text means
    waiting    who is waited for, and with what
    menu       the options as the entries of a list, for all fronts
    advice     the answer of the bot greedy, with its reason
    notation   an answer as the table writes it, seats by letters, and in words; numbers, picked stages
    deeds      all that a person can do, as one table
    lookup     articles of the reference that a word means
    log        events, chat, announcements and open votes in words, and filters by kind and by seat
    troubles   what stops the table, what is at stake, what to do; `apart`: whose program differs
    battle     the present battle, with its first chances, luck and seals
    news       what a session tells its screens, as typed values
    past       an earlier position, and who holds a step; `practice`: a table on this machine that goes on from one
    proof      each step with its proof, the stages of a roll, what is sealed, the luck of all seats
    view       all of it as one value, made of `view_records`, and its JSON

A screen (line mode, full screen, page, program) reads the view and does deeds; it reads nothing else of the session and
keeps no state of the game.
Several screens may show one session and share its draft. Everything except `player` is synchronous, and no module here
knows a terminal or a network.

The JSON of a view is versioned (`view.VERSION`). It names options by their index, which is valid for the `step`
that the view names: an action with another step is refused, so that a late click cannot pick another option.
"""
