"""Fair randomness and sealed choices, without network, game or clock."""
