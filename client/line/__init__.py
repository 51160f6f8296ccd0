"""The line client: a session as a conversation, one line at a time, on every terminal there is.

    run        takes the terminal, runs the table on it, gives the terminal back
    terminal   two of them: prompt_toolkit's line with completion and history, and a bare line for dumb terminals
    depth      how many colours the terminal has
    screen     the lines of a session, without a terminal: typed lines in, lines to show out
    conversation  what commands use of it
    misread    what is said of a text that is no option and no command
    commands   what can be typed besides answers
    table      what is said to the table besides answers: chat, votes, proposals, who is there
    menu       the options as a list to read
    waiting    who the table waits for, and how far they are

Everything a person sees is text that also works at 80x24, in one colour and without Unicode.
"""

from client.line.run import run

__all__ = ["run"]
