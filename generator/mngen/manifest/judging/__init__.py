"""What the rules share, and others of their findings: findings, options, names, what shell text has."""
