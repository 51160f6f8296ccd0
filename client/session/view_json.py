# SPDX-License-Identifier: GPL-3.0-or-later
"""The view of a session as JSON, for pages and programs.

Version 2, by key (absent keys have the value given after `=`):

    version    2
    step       identifies the question and draft shown; actions repeat it
    game       id of the game
    status     one line about the seat
    seats      [{letter, name, member, mine, here, linked, link = "", owes = "", since = 0, figures =
               [[name, number]…]}], by seat; member: the number of its member, by which actions name it; here: this
               machine plays it; link: how its member is linked in words, such as "through Bob", "" for
               this person's seats; since: when it began to keep the table waiting, in seconds since 1970
    machines   [text…]: from which table this one goes on, machines that hold several seats, who let whom in
    waiting    [name…]: the members that the table waits for; before it begins, free seats in words too
    confirming the game has ended, in words, while members have not signed the end, = ""; `waiting` names them
    stopped    [{text, document, deeds = [{text, deed, given}…]}…]: what has stopped the table, which waits for votes
               alone then; document: what is known of it, as blocks, see `client.show.document`; deeds: what may be
               proposed, with the id of the deed and its arguments
    question   the yes-or-no question before the table begins, = null
    handover   who should take a shared screen before being asked, in words, = ""; the action `here` takes it
    answer     the answer to a ticket that leads nowhere, for the home that made the ticket, = ""
    lobby      the lobby, = null: {game, seats, names, free, ticket, rules, content, options =
               [[name, value, meaning, title, title of the value]…], places = [{seat, name, mine, bot, words, way,
               link, rtt, ready, wish, machine, holds, inviter, met}…], watching = as places}
    votes      [{id, kind, text, name}], id in hexadecimal; name: who proposes it
    held       [seat…]: seats of this person that hold: they say no automatically
    orders     [{seat, text, until}…]: standing orders, with the answer and its end in words
    ask        the question, = null; see `Ask`
    parts      [{text, titles, chosen}…]: the picked stages of an answer in stages: the question of each, its options in
               words, the index of the picked option; the action `part` changes it
    picked     [text…]: complete answers of the draft, in notation
    titles     [text…]: the same in words
    sendable   true if the draft can be sent
    seen       height of the last action of this person, = null: log entries of later heights are news
    log        [{height, text, event, seats, undone, places}…], from index log_from of the whole log on
    chat       [{name, text}…], from index chat_from on

    ask        {seat, text, before, so_far, secret, hold, advice, options, amounts, groups, refused}
    so_far     the picks of an incomplete answer
    secret     true if the answer stays hidden until all have answered
    hold       true if the action `hold` answers the question
    advice     advice for a first game, = "" if there is none or the person wants none
    before     blocks to show first, see `client.show.document`
    options    [{text, title, hint, price = [[resource in words, ±n]…], aside, places = [place…]}]; text: the notation
               that is typed; hint: its meaning here beyond the title, = ""; price: a cost is negative; aside: true if
               it does not answer the question but may be done at any time; places: the spaces that it names, in the
               order of its words, by the ids of the map
    amounts    [{numbers = [number…], options = [index…]}]: options that differ only in a number
    groups     [{id, title, note, look, cells = [{text, note, look, share, picks = [{option: index, text, note}…]}…]}]:
               the sheet for answering the question; look: a style such as "seat-0" or "faint"; share: percent or null
    refused    [{reason, texts}]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from client.session.view import SessionView
from client.show.document import as_plain

VERSION: Final = 2
KEYS: Final = (
    "step", "game", "status", "seats", "machines", "waiting", "confirming", "stopped", "question", "handover", "answer",
    "lobby", "votes", "held", "orders", "ask", "parts", "picked", "titles", "sendable", "seen", "log_from", "log",
    "chat_from", "chat", "version",
)  # fmt: skip
"""The keys of the JSON, in its order."""


def as_json(view: SessionView, log_from: int = 0, chat_from: int = 0) -> Mapping[str, Any]:
    """The view as plain maps, lists, texts, numbers, booleans and null, with log and chat from these indices on."""
    known: dict[str, object] = {"version": VERSION, "log_from": log_from, "chat_from": chat_from}
    known |= {"log": view.log[log_from:], "chat": view.chat[chat_from:]}
    return {name: as_plain(known[name] if name in known else getattr(view, name)) for name in KEYS}
