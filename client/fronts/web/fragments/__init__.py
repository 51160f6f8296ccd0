# SPDX-License-Identifier: GPL-3.0-or-later
"""The page's fragments: every part of it as HTML, drawn from the view and what stands beside it.

    deeds    deeds as buttons, and what else buttons do
    ask      the question: options, forms, what is picked and not sent
    table    seats, proposals, tabs, the end
    lobby    before the table begins

A button says by data attributes what it does; the script of the page carries it out:

    data-do      an action, as JSON
    data-option  an option of the question, by its index, to be picked
    data-own     something that needs no peer, such as zooming
    data-fill    a field of the start page, to be sent when it changes
"""
