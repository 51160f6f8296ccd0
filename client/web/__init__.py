"""The board in the browser: a page served by the own peer, on this machine alone, to the person who plays here.

    guard     which requests are answered: host, origin, the one-time code and the key
    http      requests and responses over a trio stream (h11)
    state     what the page shows, as JSON; words: the texts of the page itself
    actions   what the page does: the session's actions by name
    server    listens on loopback, one wall for each connection, the routes
    door      the port where pages come in; it stays open from the start page to a table and back
    start     the start page: what may be begun, and the command that it becomes
    page      the screen of a session that a server shows; opened and closed with the table; `session_page` makes
              it where a terminal shows the session too
    static/   the page itself: one HTML file, scripts, two style sheets, no build step; all that a table loads by itself
              (page.html, page.css, common, map, ask, page) holds at most 20 kB, the rest comes when it is needed first

The page gets the whole state as a stream of JSON lines, and acts by POST.  Everything it shows comes from the session,
so it knows what the terminal knows, and nothing else.

Security.  The server listens on 127.0.0.1.  `Host` must be the server's own (DNS rebinding), `Origin`, if sent, too.
The link carries a one-time code in its fragment, which browsers never send; the page trades it by POST for a key of 32
bytes and sends the key in a header of its own, which no foreign page can set without a preflight that is refused.  The
Content-Security-Policy lets nothing but the page's own files run; Trusted Types allow one policy, for the maps.
Whatever goes wrong with a connection ends that connection alone.
"""
