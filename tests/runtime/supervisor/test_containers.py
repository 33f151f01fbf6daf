"""How long commands of containers may take."""

import pytest

from bai.runtime.errors import LaunchError
from bai.runtime.supervisor.containers import limit


def test_what_takes_too_long_is_named():
    limit(600, "pulling the image x:1")()
    message = "pulling the image x:1 took longer than 0 minutes"
    with pytest.raises(LaunchError, match=message):
        limit(0, "pulling the image x:1")()
