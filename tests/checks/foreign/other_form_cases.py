"""Defects behind what starts a program, or with options in a variable; and right ways that were misread."""

from rule_beginnings import SB

STEPS = SB + "#SBATCH --exclusive\n"
AFTER = " --overlap --nodes=1 --ntasks=1 ray start --head --block &\npid=$!\nsrun --overlap -N1 -n1 true\n"

# what starts a program: each line is followed by the program's name
STARTERS = (
    *("uv run", "uv run --no-sync --python 3.12 --with ray", "uv run --", "poetry run", "pipenv run", "pdm run"),
    *("conda run -n rl", "conda run --no-capture-output --name rl", "micromamba run -p /opt/x", "mamba run -n rl"),
    *("pixi run -e gpu", "nice", "nice -n 10", "nice -10", "ionice -c 2 -n 0", "numactl -N 0", "numactl -N0 -m 0"),
    *("numactl --cpunodebind=0 --membind 0", "taskset -c 0-7", "taskset 0xff", "chrt -f 50", "stdbuf -o L -eL"),
    *("shifter --image=a/b:v1", "shifter --module gpu --image a/b:v1", "enroot start --rw -m /a:/a box"),
    *("timeout -k 5 300", "timeout --signal=TERM 300", "sudo -u me A=1", "env -u X A=1", "nohup setsid -w"),
    *("ssh $h", 'ssh -o BatchMode=yes -p 22 "$h"', "ssh -tt me@h --", "eval", "$RUN", '"${run[@]}"', '"$RUN"'),
    *("RUN=srun\n$RUN", "RUN='srun -N1 --overlap'\n$RUN", 'run=(docker exec c)\n"${run[@]}"', "$A $B"),
    *(
        "mpirun -np 2 --map-by ppr:1:node -x A --mca btl tcp,self",
        "mpiexec -n 2 -hosts a,b -genv A 1",
        "pdsh -w n[1-2]",
    ),
    *(
        "clush -b -w n[1-2]",
        "nsys profile -t cuda,nvtx --sample none --force-overwrite=true -o r",
        "mpirun --oversubscribe",
    ),
    *("srun uv run", "docker exec c nice -n 5", "srun --overlap $RUN", "$RUN uv run", "uv run --project . nice"),
)

# the same defect behind what starts a program, or with its options in a variable
MORE = [
    *(
        ("MN761", "a.sbatch", f"{STEPS}{start} ray start --head --dashboard-host=0.0.0.0\n", 4 + start.count("\n"))
        for start in (
            "OPTS=--container-image=/i.sqsh\nsrun $OPTS --overlap -N1",
            "OPTS='--container-image=/i.sqsh --no-container-entrypoint'\nsrun --overlap ${OPTS} -N1",
            "OPTS=-N1\nOPTS+=' -n1'\nsrun $OPTS",
            'OPTS=-N1\nOPTS="$OPTS -n1"\nsrun $OPTS',
            "OPTS=\nif x; then OPTS=-N1; fi\nsrun $OPTS",
            "if x; then OPTS=-N1; else OPTS=-N2; fi\nsrun $OPTS",
            "srun $OPTS",
            "srun $OPTS $MORE -N1",
            "srun ${MEM:+--mem=$MEM} -N1",
            'srun "$@"',
            'srun "${opts[@]}" -N1',
            "OPTS='-e A=1'\ndocker run $OPTS img",
            "OPTS=--nv\napptainer exec $OPTS $SIF",
        )
    ),
    *(("MN761", "a.sh", f"{x} ray start --head --dashboard-host=::\n", x.count("\n") + 1) for x in STARTERS),
    *(("MN752", "a.sh", f"ip=$({x} hostname -i)\n", 1) for x in ('ssh "$h"', "srun -N1 -w $h", "nice -n 1")),
    ("MN752", "a.sh", 'ip=$(ssh "$h" "hostname -I | head -n 1")\n', 1),
    ("MN762", "a.sh", 'for h in $hosts; do ssh "$h" "source env; ray stop --force"; done\n', 1),
    ("MN762", "a.sh", "ssh \"$h\" <<'E'\ntrue\nray stop\nE\n", 3),
    ("MN762", "a.sh", "ssh -p 22 \"$h\" bash -s <<'E'\ntrue\nray stop\nE\n", 3),
    ("MN762", "a.sh", "ssh $h '\n  cd x\n  ray stop\n'\n", 3),
    *(
        ("MN762", "a.sh", f"{start} 'source env && ray stop --force'\n", 1)
        for start in (
            *("bash -c", "bash -lc", "bash -ce", "bash -c -l", "sh -ec", "dash -c --", "bash --norc -c", "bash +x -c"),
            *("bash -o pipefail -c", "bash -eo pipefail -c", "bash -o errexit -o pipefail -c", "bash -O extglob -c"),
            *(
                "bash -euo pipefail -c",
                "bash --rcfile /r -ic",
                "srun bash -eo pipefail -c",
                "pdsh -w n[1-2]",
                "clush -a",
            ),
        )
    ),
    *(
        ("MN762", "a.sh", f"{shell} <<'E'\nray stop\nE\n", 2)
        for shell in ("bash", "bash -eo pipefail", "bash -s", "bash -s -- a", "bash -", "dash", "srun bash -x -s a b")
    ),
    ("MN762", "a.sh", 'eval "ray stop $x"\n', 1),
    ("MN762", "a.sh", 'CMD="ray stop"\neval "$CMD"\n', 2),
    ("MN762", "a.sh", 'RAY=/opt/x/bin/ray\n"$RAY" stop\n', 2),
    ("MN750", "a.sh", "uv run ray nodes\n", 1),
    ("MN756", "a.sh", "ray start --head\nuv run -m verl.trainer\n", 2),
    ("MN756", "a.sh", "ray start --head\nuv run train.py\n", 2),
    ("MN756", "a.sh", "ray start --head\nray job submit -- python3 -m verl.trainer.main_ppo\n", 2),
    ("MN756", "a.sh", "ray start --head\npython3 train.py --address=x model.array_address=y\n", 2),
    ("MN760", "a.sbatch", STEPS + "ray start --head --temp-dir=$HOME/ray\n", 4),
    ("MN732", "a.sbatch", "#!/bin/bash\n#SBATCH --license=scratch\n", 2),
    ("MN732", "a.sbatch", SB + "#SBATCH --partit gpu --mem=1G --mem-per-c=1G\n", 3),
    *(
        ("MN731", "a.sbatch", SB + f"{line}\ntrue\n", 3)
        for line in (
            *(
                "  #SBATCH --mem=1G",
                "\t#SBATCH -N2",
                "# SBATCH --nodes 2 -x a",
                "#  SBATCH --mem=1G",
                " # SBATCH --mem=1G",
            ),
            "# SBATCH --exclusive    # whole nodes",
        )
    ),
    ("MN731", "a.sbatch", SB + "if x; then\n  #SBATCH --mem=1G\n  true\nfi\n", 4),
    ("MN731", "a.slurm", "#!/bin/bash\n# SBATCH --nodes=2\nsrun true\n", 2),
    ("MN766", "a.sky.yaml", "run: python3 t.py; ray start --head --num-gpus=$(python3 x.py)\n", 1),
    ("MN766", "a.sky.yaml", "run: >\n  python3 t.py;\n  ray start --head;\n", 3),
    ("MN710", "a.sh", "ssh $h 'a; b' | tee log\n", 1),
    ("MN710", "a.sh", "srun bash -c 'a; b' | tee log\n", 1),
    ("MN761", "a.sh", "OPTS='--dashboard-host=0.0.0.0 --block'\nray start --head $OPTS\n", 2),
    ("MN736", "a.sbatch", SB + "A=-N1\nsrun $A --overlap a &\npid=$!\nsrun $A b\n", 6),
    ("MN758", "a.sh", "A='--num-cpus 4'\nray start --address=h:1 $A\n", 2),
]

# the right way, in words that were misread
RIGHT = [
    *(
        ("MN762", "a.sh", f"{shell} <<'E'\nray stop\nE\n")
        for shell in ("bash run.sh", "bash -x run.sh a", "bash -c cat", "sh -- run.sh", "bash -o pipefail run.sh")
    ),
    ("MN762", "a.sh", "cat > f <<'E'\nray stop\nE\nbash -c f\nbash -s f\nbash -o f\nbash x f\n"),
    ("MN736", "a.sbatch", SB + f"A=--container-image=/i.sqsh\nsrun $A{AFTER}"),
    ("MN736", "a.sbatch", SB + "A='--overlap -N1'\nsrun $A a &\npid=$!\nsrun $A b\n"),
    ("MN736", "a.sbatch", SB + "srun $A a &\npid=$!\nsrun $A b\n"),
    ("MN736", "a.sbatch", SB + 'srun "${a[@]}" a &\npid=$!\nsrun "${a[@]}" b\n'),
    ("MN736", "a.sbatch", SB + "a=$(srun $A x)\nb=$(srun --overlap y)\n"),
    ("MN758", "a.sh", "A='--num-cpus 4 --block'\nray start --address=h:1 $A\n"),
    ("MN758", "a.sh", "ray start --address=h:1 $A\n"),
    ("MN758", "a.sh", "ray start --address=h:1 ${BLOCK:+--block}\n"),
    ("MN772", "a.sh", "A=--cleanenv\napptainer exec $A x.sif train\n"),
    ("MN735", "a.sbatch", SB + "#SBATCH --ntasks-per-node=2\nA=--ntasks-per-node=1\nsrun $A ray start --head\n"),
    ("MN744", "a.sbatch", SB + "ssh $h docker exec c x\n"),
    ("MN744", "a.sbatch", SB + "$RUN docker exec c x\n"),
    ("MN744", "a.sbatch", SB + "RUN='srun -N2'\n$RUN docker exec c x\n"),
    ("MN782", "a.sh", 'eval "$(printenv-to-exports)"\nssh $h env\nnice env A=1 x\n'),
    (
        "MN762",
        "a.sh",
        'grep ray stop\n$ECHO no ray stop\nuv pip run ray stop\necho "$X" ray stop\n',
    ),
    *(
        ("MN756", "a.sh", f"ray start --head\n{driver}\n")
        for driver in (
            "ray job submit --address=http://127.0.0.1:8265 -- python3 -m verl.trainer.main_ppo",
            'ray job submit --address "$api" --working-dir . -- bash -c "python3 train.py"',
            'python3 train.py --ray-address "$head"',
            "python3 train.py --ray_address=auto",
            'python3 -m verl.trainer.main_ppo +ray_kwargs.ray_init.address="$head"',
            'docker exec -e RAY_ADDRESS="$head" c python3 train.py',
            "env RAY_ADDRESS=$head uv run train.py",
        )
    ),
    ("MN755", "a.sbatch", STEPS + "ray start --head\n"),
    ("MN760", "a.sbatch", STEPS + "ray start --head\n"),
    ("MN732", "a.sbatch", SB + "#SBATCH --licenses=a --partition=b -C c\n"),
    *(
        ("MN731", file, SB + text)
        for file in ("a.sbatch", "a.sh")
        for text in (
            "##SBATCH --mem=1G\n# #SBATCH --mem=1G\n",
            "# SBATCH --exclusive is needed here\n# SBATCH -- see below\n# SBATCH reads --mem\n",
            "# sbatch --mem=1G job.sbatch\n#sbatch --mem=1G job.sbatch\n",
            "cat > x <<E\n  #SBATCH --mem=1G\n# SBATCH --mem=1G\nE\n",
            "x='\n #SBATCH --mem=1G\n'\n",
        )
    ),
    *(
        ("MN766", "a.sky.yaml", f"num_nodes: 2\nrun: {text}\n")
        for text in (
            *(
                "ray start --head; python3 t.py",
                "ray start --head && uv run t.py",
                "|\n  ray start --head; vllm serve x",
            ),
            ">\n  if x; then\n  ray start --head;\n  python3 t.py;\n  else\n  ray start --address=$h:1 --block;\n  fi",
            "docker run x bash -c 'ray start --head && python3 t.py'",
            '"ray start --head\\npython3 t.py"',
        )
    ),
]
