"""A terminal for tests, as users have one."""

import os
import pty
import select
import signal
import time


class Terminal:
    """A command on a terminal of its own."""

    def __init__(self, bai, *arguments):
        self.pid, self.screen = pty.fork()
        if self.pid == 0:
            os.chdir(bai.folder)
            environment = bai.environment | {"TERM": "xterm"}
            # Whoever runs the tests in the background may ignore Ctrl-C; a terminal does not.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.execvpe(bai.command[0], [*bai.command, *map(str, arguments)], environment)
        self.text = ""

    def until(self, part, seconds=60):
        """Read until `part` is on the screen."""
        deadline = time.monotonic() + seconds
        while part not in self.text:
            ready, _, _ = select.select([self.screen], [], [], deadline - time.monotonic())
            assert ready, f"{part!r} did not appear in {self.text!r}"
            try:
                self.text += os.read(self.screen, 4096).decode()
            except OSError:
                break
        assert part in self.text, self.text

    def end(self):
        """Read to the end and return the exit code."""
        while True:
            try:
                data = os.read(self.screen, 4096)
            except OSError:
                break
            if not data:
                break
            self.text += data.decode()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
