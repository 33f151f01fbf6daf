"""Documents that stand in a list by mistake."""

from __future__ import annotations

from bai.specs.document import Document
from bai.specs.syntax.json_events import looks_like_json


def listed(what: str, document: Document) -> tuple[str, str]:
    """Return message and hint for a document that is a list, and should be its item.

    Args:
        what: the item should be, `a spec` for one.
        document: its data is a list.
    """
    if len(document.data) > 1:
        hint = "write each item into a file of its own"
    elif looks_like_json(document.text) or document.text.lstrip().startswith("["):
        hint = "remove the brackets around it"
    else:
        hint = "remove the dash, and indent all keys below it two characters less"
    return f"{what} stands in a list", hint
