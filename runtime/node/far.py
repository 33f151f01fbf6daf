"""A machine that is reached through an agent."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from typing import Any, Final

from bai.runtime.errors import NodeLostError
from bai.runtime.mounts.driver import Mount
from bai.runtime.node import wire
from bai.runtime.node.link import Kind, Link
from bai.runtime.node.machine import Answer, Facts, Hear, Process
from bai.runtime.node.streams import Streams

LEASE_SECONDS: Final = 10.0
"""How long a machine may be silent before it is lost, and a supervisor before it is."""

SLOW_SECONDS: Final = 120.0
"""How long it may be silent while it joins or mounts."""

_SLOW: Final = ("hello", "prepare", "unmount")


class Far:
    """A machine at the other end of a link."""

    def __init__(
        self,
        streams: Streams,
        reading: int,
        writing: int,
        host: str,
        address: str | None,
        lease: float = LEASE_SECONDS,
    ) -> None:
        """Greet the agent.

        Args:
            streams: the event loop that it is heard in.
            reading: the descriptor that its frames come from, owned from now on.
            writing: the descriptor that frames for it go to, owned from now on.
            host: its name.
            address: where other nodes reach it; None if the machine knows best.
            lease: seconds of silence after which it is lost.
        """
        self.host = host
        self.silence = lease
        self._streams = streams
        self._pending: dict[int, tuple[str, Answer[Any]]] = {}
        self._requests = 0
        self._hears: dict[int, Hear] = {}
        self._take_reports: Callable[[bytes], None] | None = None
        self._link = Link(streams, reading, writing, self._receive)
        self._facts: Facts | None = None
        self._hello = self._ask("hello", host=host, address=address, lease=lease)
        streams.each_step(self._keep)

    @property
    def facts(self) -> Facts:
        """What it says of itself, once it has joined."""
        assert self._facts, f"{self.host} has not joined"
        return self._facts

    @property
    def joined(self) -> bool:
        """Whether it has said what it is."""
        if self._facts is None and self._hello.done and self.lost is None:
            self._facts = wire.unpack_facts(self._hello.result())
        return self._facts is not None and self.lost is None

    @property
    def lost(self) -> str | None:
        """Why it can't be reached any more."""
        return self._link.closed

    @property
    def noise(self) -> str:
        """What something else than an agent has said."""
        return self._link.noise

    def hear_reports(self, take: Callable[[bytes], None]) -> None:
        """Hand on what scripts report there."""
        self._take_reports = take

    def ports(self, count: int) -> Answer[Sequence[int]]:
        """Find free ports there."""
        return self._ask("ports", count=count)

    def find(self, program: str, directory: str, path: str | None) -> Answer[str]:
        """Find a program there."""
        return self._ask("find", program=program, directory=directory, path=path)

    def prepare(
        self, mounts: Sequence[Mount], folders: Sequence[str], empty: Sequence[str]
    ) -> Answer[None]:
        """Make mounts and folders there."""
        listed = [asdict(mount) for mount in mounts]
        return self._ask("prepare", mounts=listed, folders=list(folders), empty=list(empty))

    def unmount(self, mounts: Sequence[Mount]) -> Answer[None]:
        """Take mounts away."""
        return self._ask("unmount", mounts=[asdict(mount) for mount in mounts])

    def start(self, number: int, process: Process, hear: Hear) -> Answer[None]:
        """Start a process there."""
        self._hears[number] = hear
        return self._ask("start", number=number, process=wire.pack_process(process))

    def end(self, spare: Collection[int] = ()) -> Answer[Sequence[int]]:
        """End all processes there."""
        return self._ask("end", spare=list(spare))

    def close(self) -> None:
        """Close the link: the agent ends all that is left, and itself."""
        self._link.close()
        self._fail_pending()

    def _ask(self, name: str, **arguments: object) -> Answer[Any]:
        answer: Answer[Any] = Answer()
        self._requests += 1
        self._pending[self._requests] = name, answer
        request = wire.pack({"do": name, "arguments": arguments})
        self._link.send(Kind.REQUEST, self._requests, request)
        if self.lost:
            self._fail_pending()
        return answer

    def _keep(self) -> None:
        if self.lost is None:
            slow = any(name in _SLOW for name, _ in self._pending.values())
            self._link.keep(self.silence, SLOW_SECONDS if slow else 0.0)
        if self.lost is not None:
            self._fail_pending()

    def _fail_pending(self) -> None:
        for _, answer in self._pending.values():
            answer.fail(NodeLostError(self.host, str(self.lost)))
        self._pending.clear()

    def _receive(self, kind: Kind, number: int, data: bytes) -> None:
        if kind is Kind.ANSWER:
            _, answer = self._pending.pop(number)
            found = wire.unpack(data)
            if "error" in found:
                answer.fail(wire.unpack_error(found))
            else:
                answer.give(found["value"])
        elif kind is Kind.REPORTS:
            if self._take_reports:
                self._take_reports(data)
        elif hear := self._hears.get(number):
            if kind is Kind.EVENT:
                self._tell(number, hear, wire.unpack(data))
            else:
                self._deliver(hear, "stdout" if kind is Kind.STDOUT else "stderr", data)

    def _deliver(self, hear: Hear, stream: str, data: bytes) -> None:
        if self._streams.broken is None:
            try:
                hear.output(stream, data)
            except OSError as error:
                self._streams.broken = error

    def _tell(self, number: int, hear: Hear, event: dict[str, Any]) -> None:
        match event:
            case {"exited": code}:
                del self._hears[number]
                hear.exited(code)
            case {"symptom": rank}:
                hear.symptom(rank)
            case {"halted": halted}:
                hear.halted(halted=halted)
            case {"measured": values, "time": time}:
                hear.measured(time, values)
