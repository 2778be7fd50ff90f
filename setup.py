"""The build: one list of modules that mypyc compiles, everything else in pyproject.toml.

`PARLOUR_PURE=1`, or a machine without a working C compiler, gives the pure Python build: the same product, slower.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path

from setuptools import setup

# A game's folder names its own compiled modules, one a line, in compiled.txt: a new game changes nothing here.
COMPILED = [
    "parlour/kernel/sets.py",
    "parlour/kernel/dice.py",
    "parlour/kernel/state.py",
    "parlour/kernel/judge.py",
    "parlour/kernel/playout.py",
    "parlour/kernel/actions.py",
    "parlour/table/timeline.py",
    "parlour/table/course.py",
    "parlour/table/votes.py",
    "parlour/table/play.py",
    "parlour/table/showing.py",
    "parlour/table/live.py",
    "parlour/table/acting.py",
    "parlour/web/stream.py",
    "parlour/web/lane.py",
    "parlour/web/guard.py",
    "parlour/web/patch.py",
]


def compiler_works() -> bool:
    """Whether a C extension can be compiled and linked here, Python's own headers included."""
    command = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()
    if sys.platform != "win32" and shutil.which(command[0]) is None:
        return False
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "probe.c"
        source.write_text("#include <Python.h>\nint probe(void) { return PY_VERSION_HEX != 0; }\n")
        include = sysconfig.get_paths()["include"]
        if sys.platform == "win32":
            return True  # setuptools finds the compiler by itself; a failure there names it
        done = subprocess.run(
            [*command, f"-I{include}", "-fPIC", "-c", str(source), "-o", str(Path(folder) / "probe.o")],
            capture_output=True,
            check=False,
        )
        return done.returncode == 0


def extensions() -> list[object]:
    """The compiled modules, or none with one line that says why."""
    if os.environ.get("PARLOUR_PURE") == "1":
        print("parlour: PARLOUR_PURE=1, building pure Python: everything works, slower.", file=sys.stderr)
        return []
    if not compiler_works():
        print("parlour: no working C compiler here, building pure Python: everything works, slower.", file=sys.stderr)
        return []
    from mypyc.build import mypycify

    source = Path(__file__).parent / "src"
    os.environ["MYPYPATH"] = str(source)
    modules = [str(source / module) for module in COMPILED]
    for listed in sorted(source.glob("parlour/games/*/compiled.txt")):
        modules += [str(listed.parent / name) for name in listed.read_text().split()]
    return list(mypycify(["--strict", "--explicit-package-bases", *modules], opt_level="3", group_name="parlour"))


setup(ext_modules=extensions())
