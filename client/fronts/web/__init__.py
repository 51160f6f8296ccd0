# SPDX-License-Identifier: GPL-3.0-or-later
"""The board in the browser: a page that this peer serves, on this machine only, to its person.

    guard     the checks of requests: host, origin, the one-time code and the key
    http      requests and responses over a trio stream (h11)
    state     what a page shows at one moment, as lines of JSON, for the page and for programs
    fragments the parts of the page as HTML
    actions   the actions of the page, by name
    server    the server on loopback: connections and routes
    door      the listening port, open from the start page to a table and back; opens the person's browser at it
    start     the start page: the choices, and their command lines
    page      the page as a screen of a session, opened and closed with the table
    static/   the page itself, at most 20 kB by hand, no build step: page.html has the places of the parts; page.css;
              page.js follows the stream and carries out what buttons say; common.js asks the peer and puts its markup
              in place; ask.js narrows the options; map.js marks the map; gestures.js moves it by hand and keys

The page receives the whole state as a stream of JSON lines, with the parts that have changed as HTML, and acts by POST.
Everything it shows comes from the session, so it knows exactly what the terminal knows. A program that holds the key
gets the same state without HTML.

Security. The server listens on 127.0.0.1. `Host` must be the server's own (DNS rebinding), `Origin`, if sent, too.
The link carries a one-time code in its fragment, which browsers never send; the page trades it by POST for a key of 32
bytes, another for each link, and sends the key in a header of its own, which no foreign page can set without a
preflight that is refused. A code that comes twice ends its key. Other accounts can read the command line of a browser,
so it gets the name of a file that only its owner can read. The
Content-Security-Policy lets only the page's own files run; Trusted Types allow one policy, for the maps. An error on a
connection ends only that connection.
"""
