# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in the browser: a page that this peer serves, on this machine only, to its person.

    http      requests and responses over a trio stream (h11)
    state     what a page shows at one moment, as lines of JSON, for the page and for programs
    fragments the parts of the page as HTML
    actions   the actions of the page, by name
    server    the server on loopback: connections and routes
    door      the listening port, open from the start page to a table and back, and the checks of requests: host,
              origin, the one-time code and the key; opens the person's browser at it
    start     the start page: the choices, and their command lines
    page      the page as a screen of a session, opened and closed with the table
    static/   the page itself, at most 20 kB by hand, no build step: page.html has the places of the parts; page.css;
              page.js follows the stream and carries out what buttons say; common.js asks the peer and puts its markup
              in place; ask.js narrows the options; map.js marks the map; gestures.js moves it by hand and keys

The page receives the whole state as a stream of JSON lines, with the parts that have changed as HTML, and acts by POST.
Everything it shows comes from the session, so it knows exactly what the terminal knows. A program that holds the key
gets the same state without HTML.

SECURITY.md tells what keeps others out. The page sends its key in a header of its own, which no foreign page can set
without a preflight that is refused; Trusted Types allow one policy, for the maps. An error on a connection ends only
that connection.
"""
