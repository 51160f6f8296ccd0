"""Who somebody is, and which key speaks for them at one table.

The identity is one Ed25519 key for all tables, kept in a file that only its owner can read, optionally under a
passphrase; people compare its fingerprint, ten words, aloud. It authenticates links and signs certificates. At each
table the entries of a feed are signed by a table key made on this device when it joins, so that a copied identity can
watch a table but never fork its feed; the certificate ties the table key to the identity. The table secret, 32 random
bytes made durable before the table key is first used, is the root of everything this member must be able to open later:
seeds, deck keys, nonces.

keys      a private key that never shows itself · words   the fingerprint · keyfile   the identity's file
tablekey  table key, table secret, certificate
"""
