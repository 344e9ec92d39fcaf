"""Stand-ins for Slurm, Ray and container programs that keep state and refuse what the real ones refuse."""
