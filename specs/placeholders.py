"""What stands in files for the old command line in place of what it fills in."""

from __future__ import annotations

from typing import Final

STORAGE_KEY_PLACEHOLDER: Final = "<AZURE_BATCHAI_STORAGE_KEY>"
"""In place of the storage key."""
