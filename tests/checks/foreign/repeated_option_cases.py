"""Options of Slurm's plugins that one step is given twice, of which the nodes get the last value."""

from rule_beginnings import SB

A, B = "--container-mounts=/a:/a", "--container-mounts=/b:/b"
SAME = "srun --container-image=/i.sqsh"

# code: (file name, a text with the defect, its line, the same done right)
CASES = {
    "MN922": ("a.sbatch", f"{SB}{SAME} {A} {B} x\n", 3, f"{SB}{SAME} --container-mounts=/a:/a,/b:/b x\n"),
}

# code, file name, a text without that defect
RIGHT = [
    *(
        ("MN922", "a.sbatch", f"{SB}{text}\n")
        for text in (
            *(
                f"{SAME} {A} x\n{SAME} {B} y",
                f"{SAME} {A} {A} x",
                f"{SAME} {A} x {B}",
                f"{SAME} {A} bash -c 'srun {B} x'",
            ),
            *(f"#SBATCH {A}\nsrun {B} x", f"docker run -v /a:/a -v /b:/b img {A} {B}", f"srun -v -v {A} x"),
            *(
                f"if x; then M={A}; else M={B}; fi\nsrun $M x",
                f"m=()\nif x; then m+=({A}); else m+=({B}); fi\nsrun ${{m[@]}} x",
            ),
            *(f'm=({A})\nif x; then m=({B}); fi\n{SAME} "${{m[@]}}" x', f"M={A}\n[[ -d /b ]] && M={B}\nsrun $M x"),
            *(f'm=({A})\nsrun "${{m[@]}}" x\nm=({B})\nsrun "${{m[@]}}" x', f'srun "${{m[@]}}" {A} x', "srun $M $M x"),
            f"srun --container-image=/i.sqsh {A} --container-image=/i.sqsh x",
        )
    ),
]

# code, file name, a text with that defect, its line
WRONG = [
    *(
        ("MN922", "a.sbatch", f"{SB}{text}\n", 3 + line)
        for text, line in (
            *(
                (f"{SAME} --container-mounts /a:/a -N1 --container-mounts /b:/b x", 0),
                (f"{SAME} \\\n  {A} \\\n  {B} x", 1),
            ),
            *((f"{SAME} --container-env=A --container-env=B x", 0), (f"timeout 9 {SAME} {A} {B} {A} x", 0)),
            *((f"{SAME} {A} --container-mounts=$MORE x", 0), ("srun --container-image=/i --container-image=/j x", 0)),
            *(
                ("srun --container-name=a --container-name b x", 0),
                ("srun --container-workdir=/a --container-workdir=/b x", 0),
            ),
            *((f'm=({A} {B})\nsrun "${{m[@]}}" x', 0), (f'm=({A})\nm+=({B})\nsrun "${{m[@]}}" x', 0)),
            *((f"M={A}\n{SAME} $M {B} x", 0), (f'm=({A})\n{SAME} "${{m[@]}}" {B} x', 0), (f"sbatch {A} {B} job.sh", 0)),
            *((f'if x; then m=(-N1); fi\n{SAME} "${{m[@]}}" {A} {B} x', 1), (f"ssh $h '{SAME} {A} {B} x'", 0)),
        )
    ),
]
