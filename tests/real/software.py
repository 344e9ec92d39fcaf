"""What the labs need, below .cache/real: a small Debian, layers of packages over it, and environments with Ray.

The machine itself stays as it is: nothing is installed on it, and what has to run to make these things runs in
namespaces that end with this process.
"""

import concurrent.futures
import hashlib
import importlib.metadata
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import machine
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


def roots(slurm: str) -> list[Path]:
    """The folders that make up a node's root with that generation of Slurm, the topmost first."""
    return [_slurm(slurm), ENGINES, BASE / "root"]


def is_made(slurms: Iterable[str], rays: Mapping[str, str]) -> bool:
    """Whether `get_all` has nothing to do."""
    layers = all(_is_made(folder, _key(script, words)) for _, folder, script, *words in _layers(slurms))
    also = _mark(RAY / "mngen").exists() and (ROOT / ".cache" / "engines" / "made-from").exists()
    return also and layers and all(_is_made(_environment(name), package) for name, package in rays.items())


def get_all(slurms: Iterable[str], rays: Mapping[str, str], also: Iterable[Callable[[], None]] = ()) -> None:
    """Make what is not there yet, as far as possible at once; `also` is what else is to be made meanwhile.

    Raises:
        machine.Unavailable: Something cannot be had.
    """
    base, engines, *others = _layers(slurms)
    # One more than what keeps two processors busy: some of them always wait for the network.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        try:
            first = pool.submit(_make, *base)
            rest = [*(pool.submit(each) for each in also), *(pool.submit(_make_ray, *each) for each in rays.items())]
            first.result()
            _make(*engines)
            for each in concurrent.futures.as_completed([*rest, *(pool.submit(_make, *layer) for layer in others)]):
                each.result()
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in list(machine.CHILDREN):
                child.kill()
            raise


Layer = tuple[Any, ...]


def _layers(slurms: Iterable[str]) -> list[Layer]:
    """What to make, each over those before: its name, folder, script and the script's words."""
    lower = f"{ENGINES}:{BASE / 'root'}"
    words = (ENGINES, BASE / "root", SCRIPTS / "glibc_relabel.py", str(USERS["alice"]), *IMAGES)
    return [
        ("Debian 12", BASE, "base.sh", BASE),
        ("container engines", ENGINES, "engines.sh", *words),
        *((f"Slurm {each}", _slurm(each), "slurm.sh", _slurm(each), lower, SUITES[each]) for each in slurms),
    ]


def _slurm(generation: str) -> Path:
    return CACHE / f"slurm-{generation}"


def _environment(name: str) -> Path:
    return RAY / f"ray-{name}"


def _key(script: str, words: Sequence[str | Path]) -> str:
    """What a folder depends on: the texts of the scripts and the list of words."""
    texts = b"".join((SCRIPTS / name).read_bytes() for name in (script, "layers.sh"))
    return hashlib.sha256(texts + "\0".join(map(str, words)).encode()).hexdigest()


def _make(what: str, folder: Path, script: str, *words: str | Path) -> None:
    """Run a script that makes a folder, once for each key."""
    key = _key(script, words)
    if _is_made(folder, key):
        return
    _begin(what, folder)
    try:
        machine.alone("bash", str(SCRIPTS / script), *map(str, words))
    except subprocess.CalledProcessError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise machine.Unavailable(f"cannot get {what}: {machine.last(error.stderr)}") from None
    _mark(folder).write_text(key)


def _make_ray(name: str, package: str) -> None:
    """Make an environment, named by a version. It is only used from where the labs mount it, not on this machine."""
    version = name.partition("-")[0]
    what, folder = f"Ray {name}", _environment(name)
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
    _install(what, folder, folder / "lib" / f"python{PYTHON}" / "site-packages", f"{package}=={version}")
    _mark(folder).write_text(package)


def get_mngen() -> None:
    """Make a folder with what mngen imports, so that somebody on a node can run it.

    Raises:
        machine.Unavailable: It cannot be had.
    """
    listed = importlib.metadata.requires("mngen") or []
    wanted = [each.partition(";")[0].strip() for each in listed if "extra" not in each or 'extra == "build"' in each]
    what, folder = "what mngen imports", RAY / "mngen"
    if _is_made(folder, key := "\n".join(wanted)):
        return
    _begin(what, folder)
    _install(what, folder, folder, *wanted)
    _mark(folder).write_text(key)


def get_room() -> None:
    """Make what the builds with real engines need (`tests/engines`).

    Raises:
        machine.Unavailable: It cannot be had.
    """
    try:
        machine.run(sys.executable, str(ROOT / "tests" / "engines" / "run.py"), "--get")
    except subprocess.CalledProcessError as error:
        raise machine.Unavailable(machine.last(error.stderr).removeprefix("engines: ")) from None


def _install(what: str, folder: Path, target: Path, *packages: str) -> None:
    """Have pip put packages for the labs' interpreter below a folder."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout=30"]
    wheels = ["--only-binary=:all:", f"--python-version={PYTHON}", "--implementation=cp", f"--target={target}"]
    try:
        machine.run(*pip, *wheels, *packages)
    except subprocess.CalledProcessError as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise machine.Unavailable(f"cannot get {what}: {machine.last(error.stderr)}") from None


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
