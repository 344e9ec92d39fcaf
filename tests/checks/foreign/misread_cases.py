"""Right ways that were taken for defects in scripts that people publish, and how grave some defects are there."""

from rule_beginnings import DOCKER, DSTACK, SB

LOOP = "for i in $(seq 30); do\n  kill -0 $pid || break\n  sleep 1\ndone\n"
BY_FOLDER = 'if [ -n "$SLURM_SUBMIT_DIR" ]; then\n  d=$SLURM_SUBMIT_DIR\nelse\n  d=$(dirname "$0")\nfi\n'
READS = "try: print(json.load(f)['x'])\nexcept Exception: print('none')"

# code, file name, a text without that defect
RIGHT = [
    # an array in quotes is as many words as it has elements, whole or in part
    *(
        ("MN722", "a.sh", f'nodes=$(scontrol show hostnames)\nb=("{words}")\necho "${{b[0]}}" $nodes\n')
        for words in ("${nodes[@]}", "${nodes[@]:0:2}", "${nodes[@]:first:n}", "${nodes[@]/#/a}", "$@", "${@:2}")
    ),
    # what is said to people
    *(
        ("MN702", "a.sh", f'{name} "run: x <experiment_name> ${{A:-<unset>}}"\n')
        for name in ("iecho", "echo2", "echo_red", "print_help", "log_line", "vlog", "printerr")
    ),
    ("MN702", "a.sh", "f() { echo hi; }\nA=$YOUR_NAME_HERE\nB=${YOUR_KEY}\ntrain $YOUR_NAME\n"),
    # an assignment, although printf makes it
    ("MN712", "a.sh", 'a=(1 2)\nb=3\nprintf -v LIST "%s" "${a[*]}"\n'),
    # one step, whose status is the script's
    *(
        ("MN711", "a.sh", f"{before}torchrun t.py\n")
        for before in (
            "set -x\nn=$1\nshift 2\n",
            'if [ "$#" -lt 2 ]; then\n  echo usage\n  exit 1\nfi\nexport A=1\n',
            "export A=1\nexport B=2\nunset C\necho start\nulimit -n 65535\n",
            'f() {\n  local x=1\n  mkdir "$x"\n  cd "$x"\n}\na=1\n',
        )
    ),
    # the end of a patience, after which somebody is killed or asked for
    *(("MN721", "a.sh", LOOP + behind) for behind in ("kill -9 $pid\n", "wait $pid\n", "pkill -P $pid\n")),
    # the job's folder where there is one
    ("MN741", "a.sbatch", SB + BY_FOLDER),
    ("MN741", "a.sbatch", SB + 'd=${SLURM_SUBMIT_DIR:-$(dirname "$0")}\n'),
    # elements of a map, each its own value
    ("MN727", "a.sh", 'declare -A m\nm["a"]=1\nm["b"]=2\nm[c]=3\necho "${m[a]}"\n'),
    *(
        ("MN727", "a.sh", f"a=(1 2)\n{read}\na=()\n")
        for read in (
            'echo "${#a[@]}"',
            'echo "${!a[@]}"',
            "((${#a[@]} > 1))",
            "for ((i = 0; i < ${#a[@]}; i++)); do x; done",
        )
    ),
    *(
        ("MN727", "a.sh", f"a=1\n{read}\na=2\n")
        for read in ("((a < 3))", "while ((a < 3)); do x; done", "b=$((a + 1))")
    ),
    # a value with a fallback
    ("MN729", "a.sh", f'x=$(python3 -c "{READS}")\n'),
    ("MN729", "a.sh", f'echo "$(python3 -c "{READS}")"\n'),
    # asked before it is used
    *(
        ("MN705", "a.sh", f'{asked}\npip install "v @ git+https://h/v@${{REV}}"\n')
        for asked in ('[ -n "$REV" ] || exit 1', ': "${REV:?}"', "test -z $REV && exit", 'if [[ -n "${REV:-}" ]]; then')
    ),
    # what an installer makes where it is told to
    (
        "MN901",
        "Dockerfile",
        DOCKER + "ENV UV_INSTALL_DIR=/opt/uv/bin\nENV PATH=$UV_INSTALL_DIR:$PATH\nRUN curl x | sh\n",
    ),
    ("MN901", "Dockerfile", DOCKER + "ENV CARGO_HOME=/opt/cargo\nENV PATH=$CARGO_HOME/bin:$PATH\nRUN curl x | sh\n"),
    ("MN901", "Dockerfile", DOCKER + "WORKDIR /w\nRUN uv venv --seed my-venv\nENV PATH=/w/my-venv/bin:$PATH\n"),
    ("MN901", "Dockerfile", DOCKER + "ENV PATH=/opt/j/bin:$PATH\nRUN curl x > j.tgz && tar -xzf j.tgz -C /opt\n"),
    (
        "MN901",
        "x.def",
        "Bootstrap: docker\nFrom: ubuntu:24.04\n%environment\n  export PATH=/j-1.0/bin:$PATH\n%post\n  tar -C / -zxf j.tgz\n",
    ),
    ("MN732", "a.sbatch", "#!/bin/bash\n#SBATCH --nodes=$N\nx\n"),
    ("MN721", "a.sh", LOOP + "curl -s $url || (echo no && exit 1)\n"),
    # nobody's secret
    ("MN784", "a.sh", "export E2B_API_KEY=${E2B_API_KEY:-e2b_" + "0" * 40 + "}\n"),
    ("MN784", "a.sh", "export API_KEY=aaaaaaaaaaaa\nHF_TOKEN=hf_" + "0" * 34 + "\n"),
    # a file, or the public part of a pair
    ("MN783", "a.sh", 'ssh -i "$ssh_key" h\nrsync -e "ssh -i $SSH_KEY" a b\n'),
    # one command in a block
    ("MN796", "a.dstack.yml", DSTACK + "  - |\n    vllm serve $MODEL \\\n      --a 1 \\\n      --b 2\n"),
    ("MN796", "a.dstack.yml", DSTACK + "  - >\n    vllm serve $MODEL\n    --a 1\n    --b 2\n"),
    # a job of one node that builds
    ("MN775", "a.sbatch", "#!/bin/bash\n#SBATCH -N 1\ndocker build -t x .\nenroot import dockerd://x\n"),
    ("MN775", "a.sbatch", "#!/bin/bash\n#SBATCH --partition=x\npodman build .\n"),
    # devices dealt out among programs of one machine
    ("MN786", "a.sh", "CUDA_VISIBLE_DEVICES=7 python3 -m server &\nCUDA_VISIBLE_DEVICES=0,1 python3 t.py\n"),
    # settings of the image's own environment
    ("MN707", "Dockerfile", DOCKER + "ENV RAY_ENABLE_UV_RUN_RUNTIME_ENV=0 RAY_RUNTIME_ENV_HOOK=a.b\n"),
    *(
        ("MN709", "a.sbatch", SB + f"srun --container-image={image} x\n")
        for image in (
            "verlai/verl:1",
            "ubuntu",
            "/shared/a.b/x.sqsh",
            "./x.y/z.sqsh",
            "me@nvcr.io#a/b:1",
            "$IMAGE",
            "a.b/x.sqsh",
        )
    ),
    # the job's own
    *(
        ("MN763", "a.sh", f"pkill {own}\n")
        for own in ("-P $$", "-TERM -P $pid x", "--parent $pid", "-g $pgid", "-s 0", "-F x.pid")
    ),
    # waited for
    ("MN718", "a.sh", "download a &\ndownload b &\nwait\ntrain\n"),
    ("MN736", "a.sbatch", SB + 'srun -N1 check &\npid=$!\nwait "$pid"\nsrun -N1 train\n'),
    ("MN736", "a.sbatch", SB + "for h in $n; do\n  srun -N1 check &\ndone\nwait\nsrun -N1 train\n"),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN702", "a.sh", f"export WANDB_API_KEY={value}\n", 1)
        for value in ("YOUR_WANDB_API_KEY_HERE", "YOUR_KEY", '"YOUR_KEY"', "INSERT_KEY_HERE", "'<your_key>'")
    ),
    ("MN722", "a.sh", 'nodes=$(scontrol show hostnames)\nb=("$nodes")\necho "${b[0]}"\n', 2),
    ("MN727", "a.sh", "a=1\na=2\n", 2),
    ("MN711", "a.sh", "set -x\ncd x\ntorchrun t.py\n", 1),
    ("MN711", "a.sh", "set -x\npip install x\ntorchrun t.py\n", 1),
    ("MN712", "a.sh", "a\nb\nprintf '%s' x\n", 3),
    ("MN721", "a.sh", LOOP + "train\n", 4),
    ("MN741", "a.sbatch", SB + 'if x; then\n  d=$(dirname "$0")\nfi\n', 4),
    ("MN729", "a.sh", f'python3 -c "{READS}"\n', 1),
    ("MN705", "a.sh", 'pip install "v @ git+https://h/v@${REV}"\n', 1),
    ("MN901", "Dockerfile", DOCKER + "ENV X_HOME=/opt/x\nENV PATH=$X_HOME/bin:$PATH\nRUN y\n", 3),
    ("MN901", "Dockerfile", DOCKER + "WORKDIR /w\nRUN uv venv a\nENV PATH=/w/other/bin:$PATH\n", 4),
    ("MN730", "a.sbatch", "#!/bin/bash\n#SBATCH --nodes=$N\nx\n", 2),
    ("MN732", "a.sbatch", "#!/bin/bash\n#SBATCH --nodes=x\nx\n", 2),
    ("MN783", "a.sh", 'echo "key: $API_KEY"\n', 1),
    ("MN784", "a.sh", "export API_KEY=a8f7b3c9d2\n", 1),
    ("MN796", "a.dstack.yml", DSTACK + "  - |\n    a\n    b \\\n      --c\n    d\n", 6),
    ("MN775", "a.sbatch", SB + "docker build -t x .\n", 3),
    ("MN786", "a.sh", "export CUDA_VISIBLE_DEVICES=0,1\nray start --head\n", 1),
    ("MN786", "a.sbatch", SB + "CUDA_VISIBLE_DEVICES=0,1 srun t\n", 3),
    ("MN707", "Dockerfile", DOCKER + "ENV RAY_ADDRESS=h:1\n", 2),
    ("MN709", "a.sbatch", SB + "IMAGE=ghcr.io/a/b:1\nsrun --container-image=$IMAGE x\n", 4),
    ("MN709", "a.sbatch", SB + "srun --container-image docker://r.example:5000/a x\n", 3),
    ("MN709", "a.sh", "enroot import -o x.sqsh docker://nvcr.io/nvidia/pytorch:25.01-py3\n", 1),
    ("MN709", "a.sbatch", "#!/bin/bash\n#SBATCH --container-image=nvcr.io/a/b\nsrun x\n", 2),
    ("MN709", "a.sbatch", "#!/bin/bash\n#SBATCH --container-image nvcr.io/a/b\nsrun x\n", 2),
    *(("MN763", "a.sh", f"pkill {name}\n", 1) for name in ("python", "-9 -f train.py", "-u $USER ray", "-KILL ray")),
    ("MN763", "a.sh", "killall -s TERM ray\n", 1),
    ("MN718", "a.sh", "serve &\ntrain\n", 1),
    ("MN718", "a.sh", "wait\nserve &\ntrain\n", 2),
    ("MN736", "a.sbatch", SB + "srun -N1 a &\nsrun -N1 b\nwait\n", 4),
]

# code, file name, a text with that defect: how grave it is
SEVERITY = {
    # a file that it reads may turn the option on
    ("MN710", "a.sh", "source common.env\ntrain | tee x\n"): "note",
    ("MN710", "a.sh", ". $d/common.env\nx\ntrain | tee x\n"): "note",
    ("MN710", "a.sh", "train | tee x\nsource common.env\n"): "error",
    ("MN710", "a.sh", "source ~/v/bin/activate\ntrain | tee x\n"): "error",
    ("MN710", "a.sh", "source /opt/conda/etc/profile.d/conda.sh\nsource ~/.bashrc\ntrain | tee x\n"): "error",
    ("MN711", "a.sh", "source common.sh\ncd x\ntorchrun t.py\n"): "note",
    ("MN711", "a.sh", "source v/bin/activate\ncd x\ntorchrun t.py\n"): "warning",
    # a script that is no job holds nothing back from others
    ("MN777", "a.sh", "docker run --name x img\n"): "note",
    ("MN777", "a.sh", "srun docker run --name x img\n"): "warning",
    ("MN777", "a.sbatch", SB + "docker run --name x img\n"): "warning",
    ("MN778", "a.sh", "docker run -d img\n"): "note",
    ("MN778", "a.sh", "ssh $h docker run -d img\n"): "error",
    ("MN778", "a.sbatch", SB + "docker run -d img\n"): "error",
    ("MN786", "a.sh", "export CUDA_VISIBLE_DEVICES=0,1\npython3 t.py\n"): "note",
    ("MN786", "a.sh", "export CUDA_VISIBLE_DEVICES=0,1\nsrun python3 t.py\n"): "warning",
}
