"""A bai.toml for tests."""

from collections.abc import Callable, Mapping

_TABLES = {"state": ".provider", "storage": ""}
"""Key -> the table of a context that it stands in; all others are the engine's."""


def toml_lines(values: Mapping[str, object]) -> str:
    """Return keys and values as TOML, a line each."""
    return "".join(f"{key.replace('_', '-')} = {_value(value)}\n" for key, value in values.items())


def _value(value: object) -> str:
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{key!r} = {_value(each)}' for key, each in value.items())}}}"
    return str(value) if isinstance(value, int) else repr(str(value))


def context_text(
    name: str,
    values: Mapping[str, object],
    engine: Callable[[Mapping[str, object]], str] = toml_lines,
) -> str:
    """Return a bai.toml with these values in its only context.

    Args:
        name: the context's name.
        values: the values of all of its tables, with `_` in their keys.
        engine: returns what follows `[contexts.NAME.engine]` for those of the engine.
    """
    tables: dict[str, dict[str, object]] = {"": {}, ".provider": {}, ".engine": {}}
    for key, value in values.items():
        tables[_TABLES.get(key, ".engine")][key] = value
    lines = [f'current-context = "{name}"\n']
    for table, found in tables.items():
        text = engine(found) if table == ".engine" else toml_lines(found)
        lines.append(f"[contexts.{name}{table}]\n{text}")
    return "".join(lines)
