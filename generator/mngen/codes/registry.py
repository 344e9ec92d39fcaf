"""The registry of diagnostic codes: what each means and how to mend it.

Every code that mngen itself emits has one entry here; ``mngen explain CODE`` and ``docs/errors.md``
are made from it, and a test keeps the registry and the sources equal. Codes of outside linters
(``SC…`` of ShellCheck, ``DL…`` of hadolint) pass through and are explained by their own projects.

Families: 1xx manifest text, schema, placeholders and merge; 2xx and 3xx rules; 25x fields without effect;
4xx checks of rendered files; 5xx output folder and drift; 6xx building; 7xx and 9xx lint of foreign
files; 8xx described images.
"""

from __future__ import annotations

from msgspec import Struct

from mngen.codes.clusters import CLUSTER_CODES
from mngen.codes.containers import CONTAINER_CODES
from mngen.codes.fields import FIELD_CODES
from mngen.codes.files import FILE_CODES
from mngen.codes.images import IMAGE_CODES
from mngen.codes.jobs import JOB_CODES
from mngen.codes.ray import RAY_CODES
from mngen.codes.scripts import SCRIPT_CODES
from mngen.codes.slurm import SLURM_CODES
from mngen.codes.starting import STARTING_CODES
from mngen.codes.targets import TARGET_CODES
from mngen.codes.texts import TEXT_CODES


class Code(Struct, frozen=True):
    """One kind of finding: a title of a few words, an explanation with the remedy, and a short example."""

    title: str
    explanation: str
    example: str | None = None


CODES: dict[str, Code] = {
    # 1xx: the manifest's text, schema, placeholders and layers
    "MN100": Code(
        "not valid YAML",
        "The text cannot be read as one YAML 1.2 document. Most often a value holds `: ` or ` #`, or begins with a "
        "character that YAML keeps for itself (`*`, `&`, `!`, `%`, `@`, a backtick): put it in quotes, or use a `|` "
        "block. Tags such as `!include` and several documents in one file are refused as well.",
        "setup: echo installing: verl",
    ),
    "MN101": Code(
        "unknown key",
        "The manifest has no such key at this place. Every map is closed, so that a misspelt key cannot be dropped "
        "in silence. The hint names the nearest key, or the place where the key belongs; `mngen explain PATH` lists "
        "the keys of a map.",
        "slurm: {partiton: gpu}     # did you mean `partition`?",
    ),
    "MN103": Code(
        "wrong type",
        "The value is a list where a map is wanted, text where a number is wanted, and so on. The manifest is YAML "
        "1.2, where `yes`, `on` and `1_000` are text. Fields of text take every scalar by its spelling, so this never "
        "concerns a number or a boolean there.",
        'resources: {nodes: "2"}    # remove the quotes',
    ),
    "MN104": Code(
        "value is not accepted",
        "The value has the right type, but is out of range, not one of the choices, or not spelled as this field needs "
        "it. The hint says what is expected. Text that holds a placeholder is judged once its value is known.",
        "slurm: {time: 2 days}      # write 2-00:00:00",
    ),
    "MN105": Code(
        "missing key",
        "A map lacks a key that it must have. What has to be there somewhere among all layers (`driver.command`) is "
        "judged once they are merged.",
        "targets: {amd: {runtime: apptainer}}     # add kind: slurm",
    ),
    "MN106": Code(
        "empty value",
        "`key:` without a value, `~` and `null` are nothing at all in YAML, and mngen gives that no meaning. Write "
        "`''` for an empty text where one is accepted, `{}` for a map without keys, or remove the key.",
        "env: {DEBUG: }             # write DEBUG: ''",
    ),
    "MN114": Code(
        "manifest version is not accepted",
        "`apiVersion` names a version of the manifest that this release does not read. Nothing else is judged then. "
        "Install a release that reads it, or write the manifest in the version that the message names.",
    ),
    "MN102": Code(
        "duplicate key",
        "A map holds the same key twice, and most YAML readers would silently keep one of the two. Keep one. Keys that "
        "come from a merge key (`<<: *common`) may be overridden.",
        "env:\n  NCCL_DEBUG: INFO\n  NCCL_DEBUG: WARN",
    ),
    "MN107": Code(
        "text that is not read",
        "The file is not UTF-8, holds control characters or tabs as indentation, or is far larger or deeper than any "
        "manifest (aliases count as if written out). Save it as UTF-8, indent with blanks, and write unusual "
        'characters as escapes in double quotes ("\\x07"). Of a script, Dockerfile or Apptainer definition written by '
        "hand, a byte that is not UTF-8 is a warning, and the rest is checked.",
    ),
    "MN108": Code(
        "unknown placeholder",
        "`${{ NAME }}` names nothing. Names are nodes, gpus, total_gpus, ray_gpus, ray_nodes, ray_node_gpus, "
        "name, target, variant, vars.NAME, env.NAME, env.NAME:-DEFAULT, node_rank, job_id, attempt, uid, gid, job_dir, "
        "head_ip, "
        "head_host, head_address, node_ip, node_host and services.NAME.port, the last for services that have a port. "
        "`mngen explain` says what each is. Write `$${{` where a literal `${{` is meant.",
        'args: ["trainer.nnodes=${{ node }}"]',
    ),
    "MN109": Code(
        "placeholder is known too late",
        "Some names have a value when the files are rendered, others only on the node, others once the head is "
        "chosen; each field is needed at one of these times. Use a name that is known earlier, or move the value to a "
        "field that is read later. A directive, for example, is read before any node exists, so it cannot hold `${{ "
        "env.HOME }}` unless the manifest's own `env` sets HOME.",
        "slurm: {chdir: '${{ env.HOME }}/run'}",
    ),
    "MN110": Code(
        "not a placeholder",
        "Between `${{` and `}}` stands exactly one name: no operators, filters or defaults. The two are on one line. "
        "Placeholders in `vars` and `env` may name each other, but not in a circle.",
        'args: ["gpus=${{ nodes * gpus }}"]',
    ),
    "MN111": Code("unknown target", "The manifest has no target of that name. The names are the keys of `targets`."),
    "MN112": Code(
        "setting cannot be read",
        "A setting is `--set path.to.field=value`, with the keys of the manifest joined by dots; `targets.NAME.` in "
        "front restricts it to one target. The value is taken as written; one that begins with a quote, `[` or `{` is "
        "read as YAML, which is how a list is given: `--set 'driver.args=[a, b]'` replaces the whole list.",
        "--set resources.nodes",
    ),
    "MN113": Code(
        "site file cannot be used",
        "A target's `site` names a YAML file with fields of a target, relative to the manifest. It must be readable, "
        "and cannot name another site file.",
    ),
    "MN115": Code(
        "one image described in two ways",
        "Targets of one variant share one built image, so they must agree on its description. Describe what differs as "
        "another manifest with a repository or tag of its own, or give one of the targets a ready image.",
    ),
    "MN116": Code(
        "value is not safe in shell text",
        "A placeholder in `setup`, `prepare` and other shell text is replaced by its value, and this value holds "
        'blanks, quotes or other characters that a shell would read. Define it in `env` and write "$NAME" in the '
        "shell text.",
        'vars: {dir: "/data/my files"}\nsetup: cd ${{ vars.dir }}',
    ),
    "MN117": Code(
        "command is not a list of words",
        "A command in one string is split like a shell's words, but no shell runs it: quotes must be closed, and "
        "pipes, redirects, `;`, `&` and comments have no meaning. `$NAME` and `~/` reach the program as they are "
        "written. Quote such characters when they are text, write `${{ env.NAME }}` for a variable, or call a shell: "
        "[bash, -c, '...'].",
        "driver: {command: python3 train.py > train.log}",
    ),
    "MN118": Code(
        "manifest is for another release",
        "The field `mngen` says which releases may render the manifest, and this one is not among them. Install one "
        "that is, or widen the range after comparing what changes in the output.",
        'mngen: ">=99"',
    ),
    "MN121": Code(
        "variable that nothing reads",
        "A name in `vars` has no effect until a text names it as `${{ vars.NAME }}`. Write that where the value is "
        "meant, or remove the name.",
        "vars: {steps: 100}",
    ),
    # 5xx: the output folder
    "MN501": Code(
        "file is out of date",
        "A file on disk differs from what the manifest renders now, or is missing. Render again with the command "
        "that the message names, and check the change in together with the manifest.",
    ),
    "MN502": Code(
        "file has no source any more",
        "The inventory lists a file that the manifest no longer asks for. The next render removes it.",
    ),
    "MN503": Code(
        "mode bits differ",
        "A generated file can no longer be executed by its owner, or can and should not, for example after a copy over "
        "a file system without modes. The next render sets the recorded bits again. Other bits do not count: git keeps "
        "none of them, and a clone has those of its maker's umask.",
    ),
    "MN504": Code(
        "file was edited by hand",
        "The file is neither what the last render wrote nor what this render would write, so somebody edited it. "
        "mngen does not overwrite such work: move the change into the manifest (most places have a raw field for it), "
        "then render with --force.",
    ),
    "MN505": Code(
        "file is not mngen's",
        "A file that this render has to write exists already, and the inventory does not list it. Choose another "
        "output folder, move the file away, or overwrite it with --force.",
    ),
    "MN506": Code(
        "output folder belongs to another manifest",
        "The inventory in the output folder was written for a manifest of another name. Give each manifest a folder "
        "of its own; several manifests in one call get one each.",
    ),
    "MN507": Code(
        "inventory is unreadable",
        "`.mngen.json` in the output folder is not what mngen writes: cut short, edited, or left with merge-conflict "
        "marks. Restore it from version control, or delete it and render with --force.",
    ),
    "MN508": Code(
        "path leads out of the output folder",
        "A path below the output folder passes through a symbolic link, or an inventory names a path outside of it. "
        "mngen writes and removes only inside real folders below the output folder.",
    ),
    "MN509": Code(
        "line ends of Windows in a rendered file",
        "A file has the rendered text with lines that end with CR LF, as git's core.autocrlf and some editors write "
        "them. sbatch and bash do not read it. The next render writes it anew, without --force. Put "
        "`*.sbatch text eol=lf`, `*.sh text eol=lf` and the like into .gitattributes, so that no checkout converts it.",
    ),
    # 6xx: building
    "MN601": Code(
        "image files are not up to date",
        "`mngen build-image` builds from the rendered Dockerfile, and the one on disk is not what the manifest renders "
        "now. Render first, with the command that the message names.",
    ),
    "MN602": Code(
        "a step of the image failed",
        "An instruction of the image failed. What it printed last stands above the message, which names the field that "
        "the instruction was made from. The image has not been pushed.",
    ),
    "MN603": Code(
        "lock file without an entry",
        "`mngen lock --check` found a tag or git ref of the manifest that `mngen.lock` does not pin. Run `mngen lock`.",
    ),
    "MN604": Code(
        "tag or branch that moved",
        "What was locked is not what its registry or git server has now. Rendered files stay with what was locked; "
        "`mngen lock --update` takes what is there now.",
    ),
    "MN605": Code(
        "locked tag, branch or image that is gone",
        "Its registry or git server no longer has it. A digest may outlive its tag for a while, until the registry "
        "clears it away.",
    ),
    "MN606": Code(
        "lock file that cannot be read",
        "`mngen.lock` is written by mngen alone. Take it back from version control, or remove it and lock again.",
    ),
    "MN607": Code(
        "not pinned",
        "A tag or branch may mean something else tomorrow, on some nodes even today. `mngen lock` keeps digests and "
        "commits in `mngen.lock`, a push with `mngen build-image` keeps the image's; `render` then writes those.",
    ),
    "MN608": Code(
        "image of another description",
        "`mngen inspect` compared an image with a manifest: a fact in the image's labels is not what the manifest "
        "describes now. Jobs from this manifest stop on a node that has this image.",
    ),
    "MN609": Code(
        "image without a contract",
        "The image has no labels of mngen's: it was built by other means, or its labels were removed on the way.",
    ),
    # 4xx: checks of rendered files
    "MN401": Code(
        "rendered script is not bash",
        "`bash -n` refuses a script that mngen wrote. That is a fault of mngen: report it with the manifest.",
    ),
    "MN402": Code(
        "rendered file is not YAML",
        "A YAML file that mngen wrote does not read back, or holds a key twice. That is a fault of mngen, unless the "
        "place lies in text that came from `raw`.",
    ),
    "MN403": Code(
        "directive that sbatch refuses or overlooks",
        "The `#SBATCH` lines of a rendered script contradict each other, or one stands after the first command, where "
        "sbatch no longer reads. Rules of the manifest, such as MN228 and MN240, say so first, at the field; this one "
        "looks at the lines themselves, whoever wrote them: a kind of target of another package, for example.",
    ),
    "MN404": Code(
        "shell text is not bash",
        "`bash -n` refuses a shell text of the manifest: setup, prepare and their like, a step of an image, or the "
        "word that `bash -c` runs in a command. The line is the manifest's own when the text is a `|` block, else the "
        "place where the value begins.",
        "setup: |\n  if [ -d data ]; then echo there      # no `fi`",
    ),
}

# 1xx: more of what YAML makes of text
CODES.update({code: Code(*entry) for code, entry in TEXT_CODES.items()})

# 2xx: rules, in modules of their own
CODES.update({code: Code(*entry) for code, entry in {**RAY_CODES, **SLURM_CODES, **FIELD_CODES, **IMAGE_CODES}.items()})

# 25x: fields without effect
CODES.update({code: Code(*entry) for code, entry in TARGET_CODES.items()})

# 7xx and 9xx: lint of foreign files
for _codes in (SCRIPT_CODES, JOB_CODES, CLUSTER_CODES, CONTAINER_CODES, FILE_CODES, STARTING_CODES):
    CODES.update({code: Code(*entry) for code, entry in _codes.items()})
