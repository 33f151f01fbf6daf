"""Tables for people who calculate: DataFrames of pandas, where that is installed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pandas import DataFrame


def data_frame(
    rows: Iterable[Mapping[str, Any]],
    what: str,
    instead: str,
    columns: Sequence[str] | None = None,
) -> DataFrame:
    """Return a table of rows.

    Args:
        rows: column -> value, of each row.
        what: whose table it is, for the message: `of a sweep`.
        instead: what gives the same without pandas.
        columns: all columns; by default those of the rows.

    Raises:
        ModuleNotFoundError: pandas is not installed.
    """
    try:
        from pandas import DataFrame
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"the table {what} is a DataFrame of pandas, which is not installed: "
            f"`pip install pandas`, or use `{instead}`"
        ) from None
    return DataFrame(list(rows), columns=columns)
