"""A launch file, run on nodes that this machine plays: real bash, real addresses, stand-ins for everything else."""
