# SPDX-License-Identifier: GPL-3.0-or-later
"""A second verifier of recorded games, written from docs/PROTOCOL.md and its vectors alone.

Nothing here imports `p2p`, `seeds`, `engine` or `client`, and nobody who wrote it has read them. So it agrees with
`starlock verify` only where the document says what both do. Sections in docstrings are those of docs/PROTOCOL.md.
"""
