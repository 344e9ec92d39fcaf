"""How the files of the cases begin."""

SB = "#!/bin/bash\n#SBATCH --nodes=2\n"
DOCKER = "FROM ubuntu:24.04\n"
SKY = "num_nodes: 2\nrun: |\n"
DSTACK = "type: task\nnodes: 2\nimage: x\ncommands:\n"
DEF = "Bootstrap: docker\nFrom: ubuntu:24.04\n"
