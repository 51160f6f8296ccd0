# SPDX-License-Identifier: GPL-3.0-or-later
"""A person's identity key, and the keys that sign at one table.

The identity is one Ed25519 key for all tables, kept in a file that only its owner can read, with or without a
passphrase. People compare its fingerprint of ten words aloud. It authenticates links and signs certificates. At each
table a table key, made on this device on joining, signs the entries of the feed, so a copied identity can watch a table
but never fork its feed. The certificate ties the table key to the identity. The table secret, 32 random bytes stored
before the table key is first used, is the root of all that this member must be able to open later: seeds, deck keys,
nonces.

keys      a private key that is never printed · words   the fingerprint · keyfile   the identity's file
tablekey  table key, table secret, certificate · slip   the secret sealed to the identity
"""
