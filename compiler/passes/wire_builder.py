"""A builder of wire bodies that records the source of each value."""

from __future__ import annotations

from typing import Any

from bai.compiler.passes.scope import Scope
from bai.compiler.resources.code import Code
from bai.compiler.resources.ids import ResourceId
from bai.compiler.resources.resource import Resource
from bai.compiler.resources.words import Line
from bai.specs.findings import Path, Span
from bai.specs.secrets import KeyVaultRef, SecretRef, secret_marker


class WireBuilder:
    """Collects a wire body and its spans."""

    def __init__(self, scope: Scope, source: Path) -> None:
        """Start a body whose source is the mapping at `source`."""
        self.scope = scope
        self._document = scope.document
        self.wire: dict[str, Any] = {}
        self.spans: dict[Path, Span] = {(): scope.name_span(source)}
        self.lines: dict[Path, Line] = {}
        self._substitutes: dict[Path, tuple[str, ...]] = {}
        self.per_gpu = False

    def set(self, target: Path, value: Any, source: Path | None) -> None:
        """Set the wire value at `target`, from the spec value at `source`.

        A value of None sets nothing. A source of None is no place in the spec: the context.
        """
        if value is None:
            return
        self._holder(target)[target[-1]] = value
        if source is not None:
            self.spans[target] = self._document.span(source)
            if substitutes := self._document.substitutes_at(source):
                self._substitutes[target] = substitutes

    def set_words(self, target: Path, line: Line, source: Path) -> None:
        """Set the wire value at `target` to a line made of words, from the list at `source`."""
        self.set(target, line.text, source)
        self.lines[target] = line

    def set_key(self, target: Path, source: Path) -> None:
        """Set the wire value at `target` to the mapping key at the end of `source`."""
        self._holder(target)[target[-1]] = source[-1]
        self.spans[target] = self._document.key_span(source)

    def set_secret(
        self, target: Path, ref: SecretRef | KeyVaultRef | None, source: Path | None
    ) -> None:
        """Set a marker of a secret's reference at the wire path `target`.

        For a secret in a Key Vault the service wants another key beside it, `...SecretReference`.
        """
        if isinstance(ref, KeyVaultRef):
            reference = (*target[:-1], f"{target[-1]}SecretReference")
            vault = source and (*source, "keyVault")
            self.set((*reference, "sourceVault", "id"), ref.vault, vault and (*vault, "vault"))
            self.set((*reference, "secretUrl"), ref.url, vault and (*vault, "url"))
        elif ref is not None:
            if ref.source == "file":
                ref = SecretRef("file", self.scope.absolute(ref.name))
            self.set(target, secret_marker(ref), source)

    def mark(self, target: Path, source: Path) -> None:
        """Record the mapping key at the end of `source` as the place of all of `target`."""
        self.spans[target] = self._document.key_span(source)

    def item(self, target: Path, source: Path) -> Path:
        """Append an empty mapping to the wire list at `target`, and return its wire path.

        `source` is the entry's place in its collection of the spec.
        """
        items = self._holder(target).setdefault(target[-1], [])
        items.append({})
        place = (*target, len(items) - 1)
        self.spans.setdefault(target, self._document.key_span(source[:-1]))
        self.spans[place] = self._document.span(source)
        return place

    def finish(
        self, id: ResourceId, remark: str | None = None, code: Code | None = None
    ) -> Resource:
        """Return the resource, with what a plan says of it beside its values, and its code."""
        return Resource(
            id,
            self.wire,
            self.spans,
            remark=remark,
            code=code,
            lines=self.lines,
            substitutes=self._substitutes,
            per_gpu=self.per_gpu,
        )

    def _holder(self, target: Path) -> Any:
        """Return the mapping that the last step of `target` belongs in."""
        here: Any = self.wire
        for step in target[:-1]:
            here = here[step] if isinstance(step, int) else here.setdefault(step, {})
        return here
