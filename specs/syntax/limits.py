"""What a file may be at most."""

from typing import Final

MAX_BYTES: Final = 64 * 1024 * 1024
