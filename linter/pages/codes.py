"""The codes of all rules, for those who may never ask."""

from __future__ import annotations

from collections.abc import Collection, Iterator


class Codes(Collection[str]):
    """All codes. The catalogue, which reads every page, is made when somebody asks for one."""

    def __contains__(self, code: object) -> bool:
        return code in _codes()

    def __iter__(self) -> Iterator[str]:
        return iter(_codes())

    def __len__(self) -> int:
        return len(_codes())


def _codes() -> Collection[str]:
    from bai.linter.pages.catalogue import catalogue

    return catalogue().keys()
