"""A person at a table, whatever screen shows it: what is asked, drafted, held, told, said and voted.

    session    the model: the table calls it, the person's actions call it, screens read it; it wires what follows
    shown_table  the table as it is shown here
    asking     what is asked, drafted and ordered; `questions`: what is asked before the table begins
    fighting   the advised answers until something is lost in a battle
    draft      answers on a copy of the game until they are sent; `sent`: what they have shown already
    screens    what shows a session, told by the methods of `screen`
    player     a session as a player at a table
    start      what one may begin with: a new table, tables that go on
    lobby      the table before it begins
    orders     standing orders: one answer to all questions of a kind; `kept`: their file in the home
    choices    the options of a draft as data, and which of them a typed text means
    forms      the options arranged: numbers to set, sheets such as blueprints
    advice     what the best bot would answer, and why
    notation   an answer as the table writes it: seats by letters
    mail       what is pasted at a table that is played by post
    proposals  votes that wait for a word, in words
    log        events, chat and announcements in words
    troubles   what stands in the way of the table, what is at stake, what to do
    battle     the battle under way, with its beginning, luck and seals
    news       what a session tells its screen, as typed values
    past       a position as it was
    proof      each step with what proves it, how a roll came about, what stands sealed
    fairness   the last rolls with who fixed and opened what, and everybody's luck
    ending     places and points as a sheet
    view       all of it as one frozen value, and its JSON

A screen (line mode, full screen, page, program) shows the session and calls its actions; it keeps nothing about the
game itself.  Several screens may show one session: what is drafted on one is seen on the others.  All but `player` is
synchronous, and nothing knows a terminal or a network.

The JSON of a view is versioned (`view.VERSION`).  It names options by their index, which is valid for the `step` that
the view names: an action with another step is refused, so that a late click never picks what has taken its place.
"""
