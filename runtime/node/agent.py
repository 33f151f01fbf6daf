"""The agent: runs on a node that is far from the supervisor, which it is linked to by its stdio.

It is `Here` and a link. When it loses the supervisor, it ends everything and itself. A second
process, its guardian, does that if the agent itself is killed.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import socket
import struct
import sys
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from bai.runtime.node import processes, wire
from bai.runtime.node.here import Here
from bai.runtime.node.link import BEATS, Kind, Link
from bai.runtime.node.machine import Answer, Process
from bai.runtime.node.new_lines import NewLines
from bai.runtime.node.streams import Streams

BACKLOG: Final = 1 << 20
"""Bytes of output for a slow supervisor; the processes wait with more."""

GREETING_SECONDS: Final = 60.0
"""How long the supervisor may take to say what it wants."""

_SIOCGIFADDR: Final = 0x8915


def main() -> None:
    """Serve the supervisor at the other end of stdin and stdout."""
    # Nothing else may write to the link, and no process may read from it.
    reading, writing = os.dup(0), os.dup(1)
    with open(os.devnull, "rb") as nothing:  # noqa: PTH123 - light
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    processes.become_subreaper()
    guardian = os.getpid()
    # Of this node alone, which may share no folder with others.
    folder = Path(tempfile.mkdtemp(prefix="bai-agent-"))
    child = os.fork()
    if child == 0:
        processes.die_with(guardian)()
        processes.become_subreaper()
        agent = Agent(reading, writing, folder / "reports.jsonl")
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            signal.signal(number, agent.give_up)
        agent.serve()
        os._exit(0)
    os.close(reading)
    os.close(writing)
    _guard(child, folder)


def _guard(agent: int, folder: Path) -> None:
    """Wait for the agent, end what it leaves behind, and remove its folder."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        # An agent that is stopped can't end itself.
        signal.signal(number, lambda *_: processes.send([agent], signal.SIGKILL))
    os.waitpid(agent, 0)
    processes.end(lambda: processes.descendants(os.getpid()))
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0)


class Agent:
    """Does what the supervisor asks for, and reports."""

    def __init__(self, reading: int, writing: int, reports: Path) -> None:
        """Greet the supervisor.

        Args:
            reading: the descriptor that its frames come from.
            writing: the descriptor that frames for it go to.
            reports: the file in which scripts report metrics here.
        """
        self._reports = reports
        self._new_reports = NewLines(reports)
        self._streams = Streams()
        self._link = Link(self._streams, reading, writing, self._receive)
        self._here: Here | None = None
        self._lease = GREETING_SECONDS
        self._given_up = False
        self._streams.each_step(self._keep)

    def give_up(self, *_: object) -> None:
        """Handle a signal: end everything."""
        self._given_up = True

    def serve(self) -> None:
        """Serve until the supervisor is gone; then end everything."""
        while self._link.closed is None and not self._given_up:
            self._streams.step(min(self._lease / BEATS / 2, 0.5))
        if self._here:
            self._here.end()

    def _keep(self) -> None:
        if self._link.closed is None:
            self._link.keep(self._lease)
            self._streams.hold(held=self._link.backlog > BACKLOG)
            if self._link.backlog <= BACKLOG:
                self._send_reports()

    def _receive(self, kind: Kind, number: int, data: bytes) -> None:
        if kind is not Kind.REQUEST:
            return
        request = wire.unpack(data)
        answer = Answer.of(lambda: self._do(request["do"], request["arguments"]))
        try:
            said = {"value": answer.result()}
        except Exception as error:
            said = wire.pack_error(error)
        if request["do"] == "end":
            # Nothing reports any more, and nothing is heard of after the last answer.
            while self._send_reports():
                pass
        self._link.send(Kind.ANSWER, number, wire.pack(said))

    def _send_reports(self) -> bool:
        """Send a piece of what scripts have reported; return whether there was any."""
        data = b""
        with suppress(OSError):
            data = self._new_reports.read()
        if data:
            self._link.send(Kind.REPORTS, 0, data)
        return bool(data)

    def _do(self, name: str, arguments: dict[str, Any]) -> Any:
        if name == "hello":
            return self._join(**arguments)
        assert self._here, "the supervisor has not said hello"
        return _DEEDS[name](self, self._here, arguments).result()

    def _join(self, host: str, address: str | None, lease: float) -> dict[str, Any]:
        self._lease = lease
        address = address or socket.gethostbyname(socket.gethostname())
        interface = _interface_of(address)
        reports = str(self._reports)
        environment = dict(os.environ)
        self._here = Here(self._streams, environment, address, interface, host, reports)
        return wire.pack_facts(self._here.facts)

    def start(self, here: Here, number: int, process: Process) -> Answer[None]:
        """Start a process, and report what is heard of it."""
        return here.start(number, process, _Reporter(self._link, number))


class _Reporter:
    """Reports what is heard of one process."""

    def __init__(self, link: Link, number: int) -> None:
        self._link = link
        self._number = number

    def output(self, stream: str, data: bytes) -> None:
        self._link.send(Kind.STDOUT if stream == "stdout" else Kind.STDERR, self._number, data)

    def symptom(self, rank: int | None) -> None:
        self._report(symptom=rank)

    def halted(self, *, halted: bool) -> None:
        self._report(halted=halted)

    def measured(self, time: float, values: Mapping[str, float]) -> None:
        self._report(measured=values, time=time)

    def exited(self, code: int) -> None:
        self._report(exited=code)

    def _report(self, **event: object) -> None:
        self._link.send(Kind.EVENT, self._number, wire.pack(event))


_DEEDS: Final[dict[str, Callable[[Agent, Here, dict[str, Any]], Answer[Any]]]] = {
    "ports": lambda _, here, given: here.ports(**given),
    "find": lambda _, here, given: here.find(**given),
    "prepare": lambda _, here, given: here.prepare(
        wire.unpack_mounts(given["mounts"]), given["folders"], given["empty"]
    ),
    "unmount": lambda _, here, given: here.unmount(wire.unpack_mounts(given["mounts"])),
    "start": lambda agent, here, given: agent.start(
        here, given["number"], wire.unpack_process(given["process"])
    ),
    "end": lambda _, here, given: here.end(**given),
}


def _interface_of(address: str) -> str:
    """Return the network interface with an address; loopback where none has it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            try:
                found = fcntl.ioctl(probe, _SIOCGIFADDR, struct.pack("256s", name.encode()))
            except OSError:
                # It has no address.
                continue
            if socket.inet_ntoa(found[20:24]) == address:
                return name
    return "lo"
