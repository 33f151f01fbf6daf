"""Shell scripts that run in containers, with whatever `sh` is there.

A container's first process adopts orphans and waits for them. Its own child, which only sleeps, is
known by its command line and is no process of the job.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from bai.runtime.errors import LaunchError
from bai.runtime.node.machine import Process
from bai.runtime.node.processes import GRACE_SECONDS, KILL_SECONDS

_TICKS: Final = 10
"""How often a second it is looked at what is left."""

_FIND: Final = """\
find() {
    found=
    for folder in /proc/[0-9]*; do
        pid=${folder#/proc/}
        case " 1 $$ $spared " in *" $pid "*) continue ;; esac
        line= stat=
        { read -r stat < "$folder/stat"; read -r line < "$folder/cmdline"; } 2>/dev/null
        case "${stat##*) }" in Z*|X*|'') continue ;; esac
        case "$line" in sleep86399*) continue ;; esac
        found="$found $pid"
    done
}
"""

FIRST: Final = f"""\
{_FIND}
spared=
end() {{
    kill -TERM -1
    left={int(GRACE_SECONDS * _TICKS)}
    while find; [ -n "$found" ] && [ $left -gt 0 ]; do sleep {1 / _TICKS}; left=$((left - 1)); done
    exit 0
}}
trap end TERM
while :; do sleep 86399 & wait $!; done
"""
"""The first process of a container: when it is asked to end, so are all others."""

END: Final = f"""\
{_FIND}
read_pids() {{ for file in $1; do read -r pid < "$file" && pids="$pids $pid"; done; }}
cd "$1"
pids=; read_pids "$2"; spared=$pids
pids=; read_pids "$3"; unasked=$pids
find
asked=
for pid in $found; do case " $unasked " in *" $pid "*) ;; *) asked="$asked $pid" ;; esac; done
[ -z "$found" ] || kill -TERM ${{asked:-$found}} 2>/dev/null
left={int(GRACE_SECONDS * _TICKS)}
while find; [ -n "$found" ] && [ $left -gt {-int(KILL_SECONDS * _TICKS)} ]; do
    if [ $left -le 0 ]; then kill -KILL $found; fi
    sleep {1 / _TICKS}
    left=$((left - 1))
done 2>/dev/null
echo $found
"""
"""Ends all processes of a container, and prints the ids of those that can't be ended.

Arguments: a folder; the files there with the ids of processes that live on; those with the ids of
processes that are not asked to end, since they end with the others.
"""

FIND_PROGRAM: Final = """\
cd "$1" && if [ -n "$3" ]; then PATH=$3; fi
command -v -- "$2" || { [ "$2" = python ] && command -v python3; }
"""
"""Prints where a program is; arguments: a directory, the program, and PATH where it is another.

Where there is only python3, that is `python`.
"""

VARIABLES: Final = "cat /proc/self/environ"
"""Prints the variables of a container's processes, with NUL characters between them."""


def process_script(
    process: Process,
    inherited: Mapping[str, str],
    script: Path,
    pid_file: Path,
    missing_file: Path,
) -> str:
    """Return a script that becomes a process, and removes itself before.

    Args:
        process: the process.
        inherited: the variables that it has in the container anyway.
        script: the script's path.
        pid_file: where it writes its process id, as the container counts them.
        missing_file: what it makes if it does not find the program.

    Raises:
        LaunchError: the name of a variable is none for a shell.
    """
    own = process.environment.items() - inherited.items()
    lines = []
    if process.cpus:
        # It stays unbound where there is no taskset.
        cpus = ",".join(map(str, sorted(process.cpus)))
        lines += [f"taskset -cp {cpus} $$ >/dev/null 2>&1"]
    for name, value in sorted(own):
        if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
            raise LaunchError(f"the variable {name!r} can't be set in a container: rename it")
        lines += [f"export {name}={shlex.quote(value)}"]
    lines += [f"unset {name}" for name in sorted(inherited.keys() - process.environment.keys())]
    lines += [f"rm -f {shlex.quote(str(script))}", f"cd {shlex.quote(process.directory)} || exit"]
    program, *arguments = process.argv
    lines += [f"set -- {shlex.join(process.argv)}"]
    if program == "python":
        # As outside of containers: where there is only python3, that is meant.
        python3 = shlex.join(["python3", *arguments])
        lines += [f"command -v python >/dev/null || set -- {python3}"]
    lines += [
        f'command -v "$1" >/dev/null || {{ : > {shlex.quote(str(missing_file))}; exit 127; }}',
        # Whoever finds this file takes it for granted that the process runs.
        f"echo $$ > {shlex.quote(str(pid_file))}",
        'exec "$@"',
    ]
    return "\n".join([*lines, ""])


def write_private(path: Path, text: str) -> None:
    """Write a file that other users can't read: it has values of variables, or a password.

    Raises:
        OSError: it can't be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    with open(os.open(path, flags, 0o600), "wb") as file:  # noqa: PTH123 - a handle
        # Variables need not be UTF-8.
        file.write(text.encode(errors="surrogateescape"))
