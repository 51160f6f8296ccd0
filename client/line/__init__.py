"""The line client: a person at a terminal, one line at a time, on every terminal there is.

    run        takes the terminal, runs the table on it, gives the terminal back
    terminal   two of them: prompt_toolkit's line with completion and history, and a bare line for dumb terminals
    player     the person as a player of the table: asked, told, noticed
    talk       the conversation, without a terminal: lines in, lines out
    commands   what can be typed besides answers
    table      what is said to the table besides answers: chat, votes, proposals, who is there
    menu       the options as a person reads and types them
    said       an answer as the table writes it: seats by letters
    hold       one word for the same "no" until a phase ends
    draft      answers on a copy of the game until they are sent

Everything a person sees is text that also works at 80x24, in one colour and without Unicode.
"""

from client.line.run import run

__all__ = ["run"]
