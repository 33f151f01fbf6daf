"""Azurite, the emulator of Azure's blob service, as a server for tests."""

import base64
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
_LISTENS = re.compile(r"successfully listens on (https?://\S+)")


@dataclass(frozen=True)
class Azurite:
    """A server that runs."""

    url: str
    accounts: tuple[str, ...] = ("vision", "archive")
    """Their names; they begin without containers."""
    key: str = base64.b64encode(b"the key of all accounts").decode()

    def endpoint(self, account: str = "vision") -> str:
        """Return the URL of an account's blob service."""
        return f"{self.url}/{account}"


def program() -> Path:
    """Return Azurite's program, and install it if need be; without node, the test skips."""
    tool = [sys.executable, str(ROOT / "tools/azurite.py")]
    done = subprocess.run(tool, check=False, capture_output=True, text=True)
    if done.returncode:
        pytest.skip(done.stderr.strip().removeprefix("error: "))
    return Path(done.stdout.strip())


@contextmanager
def served(*more: str) -> Iterator[Azurite]:
    """Serve blobs from memory, at a free port of the loopback interface, with more options."""
    options = ["--blobPort", "0", "--silent", "--disableTelemetry", "--skipApiVersionCheck"]
    command = ["node", str(program()), *options, "--inMemoryPersistence", *more]
    accounts = ";".join(f"{name}:{Azurite.key}" for name in Azurite.accounts)
    process = subprocess.Popen(
        command,
        env=os.environ | {"AZURITE_ACCOUNTS": accounts},
        stdout=subprocess.PIPE,
        text=True,
    )
    with process:
        try:
            said = []
            # The pipe ends if Azurite does.
            for line in process.stdout:
                said.append(line)
                if found := _LISTENS.search(line):
                    yield Azurite(found[1])
                    break
            else:
                pytest.fail(f"Azurite does not start: {''.join(said)}")
        finally:
            process.terminate()
            # It says that it ends, to somebody who listens.
            process.communicate()
