"""What each role does, one module a role."""
