"""manifest/rules."""
