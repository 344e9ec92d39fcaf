"""What the labs need, below .cache/real: a small Debian, layers of packages over it, and environments with Ray.

The machine itself stays as it is: nothing is installed on it, and what has to run to make these things runs in
namespaces that end with this process.
"""

import concurrent.futures
import hashlib
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from lab_files import LAB, SUITES, USERS

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".cache" / "real"
RAY = CACHE / "ray"
BASE = CACHE / "base"
ENGINES = CACHE / "engines"
SCRIPTS = HERE / "lab"
# Names that the examples use, which docker and podman on the nodes know the lab's image by.
IMAGES = (
    "registry.example.org/rl/verl:0.5-rocm6.4",
    "registry.example.org/rl/everything:1.0-rocm7.2",
    "verlai/verl:app-verl0.6-transformers4.56.1-sglang0.5.2-mcore0.13.0-te2.2",
)
# The interpreter belongs to the base, where pip is not. Its version is that of Debian 12's.
PYTHON = "3.11"
RAY_COMMAND = f"""#!{LAB}/ray/ray-{{}}/bin/python
import sys
from ray.scripts.scripts import main
sys.exit(main())
"""
SAYS = threading.Lock()
CHILDREN: set["subprocess.Popen[str]"] = set()


class Unavailable(RuntimeError):
    """This machine cannot have something; the text is one line for the user."""


def roots(slurm: str) -> list[Path]:
    """The folders that make up a node's root with that generation of Slurm, the topmost first."""
    return [_slurm(slurm), ENGINES, BASE / "root"]


def check_machine() -> None:
    """Refuse a machine on which the labs cannot run.

    Raises:
        Unavailable: It is not Debian's, this is not root, or something is missing.
    """
    if os.geteuid() != 0:
        raise Unavailable("needs root, for namespaces and Slurm's daemons; run: sudo make test-real")
    if shutil.which("apt-get") is None:
        raise Unavailable("needs Debian: Slurm and the container engines come from its packages")
    for tool in ("unshare", "setpriv", "nsenter"):
        if shutil.which(tool) is None:
            raise Unavailable(f"needs {tool}, from the package util-linux")
    try:
        _alone("mount", "-t", "tmpfs", "tmpfs", "/mnt", namespaces=("--net", "--uts", "--ipc"))
    except subprocess.CalledProcessError as error:
        raise Unavailable(f"needs namespaces and mounts, which this machine refuses: {_last(error.stderr)}") from None


def get_all(slurms: Sequence[str], rays: Mapping[str, str]) -> None:
    """Make what is not there yet, as far as possible at once.

    Raises:
        Unavailable: Something cannot be had.
    """
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        try:
            base = pool.submit(_make, "Debian 12", BASE, "base.sh", BASE)
            environments = [pool.submit(_make_ray, *each) for each in rays.items()]
            base.result()
            words = [ENGINES, BASE / "root", SCRIPTS / "glibc_relabel.py", str(USERS["alice"]), *IMAGES]
            _make("container engines", ENGINES, "engines.sh", *words)
            lower = f"{ENGINES}:{BASE / 'root'}"
            layers = [
                pool.submit(_make, f"Slurm {each}", _slurm(each), "slurm.sh", _slurm(each), lower, SUITES[each])
                for each in slurms
            ]
            for each in [*environments, *layers]:
                each.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(CHILDREN):
                child.kill()
            raise


def _slurm(generation: str) -> Path:
    return CACHE / f"slurm-{generation}"


def _make(what: str, folder: Path, script: str, *words: str | Path) -> None:
    """Run a script that makes a folder, once for each text of the scripts and each list of words."""
    texts = b"".join((SCRIPTS / name).read_bytes() for name in (script, "layers.sh"))
    key = hashlib.sha256(texts + "\0".join(map(str, words)).encode()).hexdigest()
    if _is_made(folder, key):
        return
    _begin(what, folder)
    try:
        _alone("bash", str(SCRIPTS / script), *map(str, words))
    except subprocess.CalledProcessError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Unavailable(f"cannot get {what}: {_last(error.stderr)}") from None
    _mark(folder).write_text(key)


def _make_ray(name: str, package: str) -> None:
    """Make an environment, named by a version. It is only used from where the labs mount it, not on this machine."""
    version = name.partition("-")[0]
    what, folder = f"Ray {name}", RAY / f"ray-{name}"
    if _is_made(folder, package):
        return
    _begin(what, folder)
    binaries = folder / "bin"
    binaries.mkdir(parents=True)
    (binaries / "python").symlink_to("/usr/bin/python3")
    (binaries / "python3").symlink_to("python")
    (folder / "pyvenv.cfg").write_text("home = /usr/bin\ninclude-system-site-packages = false\n")
    (binaries / "activate").write_text(f"export VIRTUAL_ENV={LAB}/ray/ray-{name}\nPATH=$VIRTUAL_ENV/bin:$PATH\n")
    (binaries / "ray").write_text(RAY_COMMAND.format(name))
    (binaries / "ray").chmod(0o755)
    wheels = ["--only-binary=:all:", f"--python-version={PYTHON}", "--implementation=cp"]
    target = folder / "lib" / f"python{PYTHON}" / "site-packages"
    command = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        *wheels,
        f"--target={target}",
        f"{package}=={version}",
    ]
    try:
        _run(*command)
    except subprocess.CalledProcessError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise Unavailable(f"cannot get {what}: {_last(error.stderr)}") from None
    _mark(folder).write_text(package)


def _mark(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.made-from")


def _is_made(folder: Path, key: str) -> bool:
    return _mark(folder).exists() and _mark(folder).read_text() == key


def _begin(what: str, folder: Path) -> None:
    """Say what is coming, and make room for it."""
    with SAYS:
        sys.stderr.write(f"test-real: getting {what}\n")
    _mark(folder).unlink(missing_ok=True)
    for old in [folder, *folder.parent.glob(f"{folder.name}.*")]:
        shutil.rmtree(old) if old.is_dir() else old.unlink(missing_ok=True)
    folder.parent.mkdir(parents=True, exist_ok=True)


def _alone(*command: str, namespaces: Sequence[str] = ()) -> None:
    """Run a command in namespaces of its own, which end with it and with this process."""
    _run("unshare", "--mount", "--pid", "--fork", "--kill-child", "--propagation=private", *namespaces, *command)


def _run(*command: str) -> None:
    """Run a command that ends with this process.

    Raises:
        subprocess.CalledProcessError: It failed, or was ended.
    """
    with subprocess.Popen(
        ["setpriv", "--pdeathsig=KILL", *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        CHILDREN.add(child)
        try:
            said = child.communicate()[1]
        finally:
            CHILDREN.discard(child)
    if child.returncode:
        raise subprocess.CalledProcessError(child.returncode, command, stderr=said)


def _last(text: str) -> str:
    """The last line that a failed command said."""
    return (text.strip() or "no message").splitlines()[-1]
