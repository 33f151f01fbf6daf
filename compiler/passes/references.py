"""`${mounts.X}`, `${cluster.mounts.X}`, `${inputs.X}` and so on to Batch AI's own variables."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

from bai.compiler.passes.reference_forms import (
    MisspeltReference,
    in_brackets,
    may_be_program,
    may_be_set,
    misspelt_references,
    to_others,
)
from bai.compiler.passes.scope import Scope
from bai.specs.findings import Fix, Path, Span
from bai.specs.names import nearest, suggestion
from bai.specs.reference_groups import CLUSTER_MOUNTS, GROUPS, JOB_MOUNTS, PARAMETERS, one_of
from bai.specs.source.places import inner_span, part_span, text_at

_REFERENCE = re.compile(r"\$\{((?:(?i:jobs?|clusters?)\.)?[A-Za-z]+)\.([^{}]*)\}")
_BARE = re.compile(rf"(?<![\\$])\$(\(?)({one_of(GROUPS)})\.")
"""How `$mounts.NAME` and `$(mounts.NAME)` begin."""
_NAME_GOES_ON = re.compile(r"[\w-]")
_GROUPS = {"mount": "mounts", "input": "inputs", "output": "outputs"}
"""Misspelling of a group -> the group."""
_SCOPES = {"jobs": "job", "clusters": "cluster"}
"""Misspelling of what has the mounts -> the word."""

_FAR: Final = 4_000
"""Characters into a text from which on the whole text is shown: counting its parts takes long."""


@dataclass(frozen=True, slots=True)
class References:
    """What `${...}` may name at one place of a spec."""

    scope: Scope
    job_mounts: Collection[str] = ()
    cluster_mounts: Collection[str] = ()
    inputs: Collection[str] = ()
    outputs: Collection[str] = ()
    complete: bool = True
    """Whether `cluster_mounts` are all there are; not so for a cluster outside the spec."""
    place: str = "job"
    """What the texts belong to, for messages: a job or a setup task."""
    hiding: set[str] = field(default_factory=set)
    """The job's mounts that `${mounts.NAME}` stood for though the cluster has one of that name."""

    def expand(self, text: str, path: Path) -> str:
        """Return `text`, found at `path` of the document, with every reference expanded.

        An undeclared reference is a finding and stays as it is. References of the shell or another
        program stay as well: `${HOME}`, `${dataset.name}`.
        """

        def replace(match: re.Match[str]) -> str:
            group, name = match.groups()
            if group.lower() == PARAMETERS:
                # Those in the right form have their values already, or a finding.
                return match[0]
            if group in GROUPS and (variable := self._variable(group, name)):
                self._doubt(match, name, path)
                return _joined(f"{variable}{name}", group, match)
            if _meant_group(group):
                self._undeclared(match, path)
            return match[0]

        for group in GROUPS:
            if f"${group}." in text or f"$({group}." in text:
                text = self._with_braces(text, path)
                break
        if "{" in text:
            if "[" in text:
                text = self._with_dots(text, path)
            text = self._in_form(text, path)
        return _REFERENCE.sub(replace, text)

    def _in_form(self, text: str, path: Path) -> str:
        """Report misspelt references, and return the text with those that are clear corrected."""
        parts, at = [], 0
        may_be = any(f"{group}." in text for group in GROUPS)
        for each in misspelt_references(text) if may_be else ():
            found = each if each.is_closed else self._unclosed(text, each)
            is_declared = found.name in self._declared(found.group)
            if not is_declared and (not found.is_certain or may_be_program(text)):
                continue
            span = self._part_span(text, found.written, found.start, path)
            hint = f"write {found.meant}"
            if found.is_certain:
                parts += [text[at : found.start], found.meant]
                at = found.start + len(found.written)
                fix = self._fix(span, found.written, found.meant) if is_declared else None
                self.scope.report("BAI318", f"{found.written} {found.problem}", span, hint, fix)
            elif not may_be_program(text):
                message = f"{found.written} stays as it is: a reference begins with a dollar"
                self.scope.report("BAI319", message, span, hint)
        if "${" in text and not may_be_program(text):
            for written, start, name, is_secret in to_others(text):
                span = self._part_span(text, written, start, path)
                hint = _instead(name, path, is_secret=is_secret)
                self.scope.report("BAI320", f"{written} is no reference", span, hint)
        return "".join(parts) + text[at:]

    def _unclosed(self, text: str, found: MisspeltReference) -> MisspeltReference:
        """Return a misspelt reference without what follows the longest declared name in it."""
        begin = found.written.index(found.name)
        name = self._named(text, found.start + begin, found.group, "")
        if name is None:
            return found
        return found._replace(name=name, written=found.written[: begin + len(name)])

    def _with_dots(self, text: str, path: Path) -> str:
        """Report names in brackets, `${mounts[NAME]}`, and return the text with dots."""
        parts, at = [], 0
        for match, group, name in in_brackets(text):
            declared = self._declared(group)
            known = name if name in declared else nearest(name, declared)
            if known is None:
                continue
            span, meant = self._span(match, path), f"${{{group}.{known}}}"
            parts += [text[at : match.start()], meant]
            at = match.end()
            fix = self._fix(span, match[0], meant) if known == name else None
            self.scope.report("BAI318", f"{match[0]} has no dot", span, f"write {meant}", fix)
        return "".join(parts) + text[at:]

    def _with_braces(self, text: str, path: Path) -> str:
        """Report references without braces, and return the text with braces."""
        parts, at = [], 0
        for match in _BARE.finditer(text):
            bracket, group = match.groups()
            # A variable of the shell may well be called so.
            if may_be_set(text, group):
                continue
            name = self._named(text, match.end(), group, ")" if bracket else "")
            if name is not None:
                written = match[0] + name + (")" if bracket else "")
                span = self._part_span(text, written, match.start(), path)
                meant = f"${{{group}.{name}}}"
                parts += [text[at : match.start()], meant]
                at = match.start() + len(written)
                fix = self._fix(span, written, meant)
                message = f"{written} is no reference"
                self.scope.report("BAI317", message, span, f"write {meant}", fix)
        return "".join(parts) + text[at:]

    def _named(self, text: str, at: int, group: str, end: str) -> str | None:
        """Return the longest declared name that stands at a place before `end`, or None."""
        for name in sorted(self._declared(group), key=len, reverse=True):
            last = at + len(name)
            if text.startswith(name + end, at) and (end or not _NAME_GOES_ON.match(text, last)):
                return name
        return None

    def _declared(self, group: str) -> list[str]:
        """Return the names that references of a group may use."""
        return {
            "mounts": [*self.job_mounts, *self.cluster_mounts],
            JOB_MOUNTS: list(self.job_mounts),
            CLUSTER_MOUNTS: list(self.cluster_mounts),
            "inputs": list(self.inputs),
            "outputs": list(self.outputs),
            PARAMETERS: list(self.scope.spec.parameters),
        }[group]

    def _variable(self, group: str, name: str) -> str | None:
        """Return the beginning of the expansion, up to the name; None if it is not declared."""
        if group == "inputs":
            return "$AZ_BATCHAI_INPUT_" if name in self.inputs else None
        if group == "outputs":
            return "$AZ_BATCHAI_OUTPUT_" if name in self.outputs else None
        if group != CLUSTER_MOUNTS and name in self.job_mounts:
            if group == "mounts" and name in self.cluster_mounts:
                self.hiding.add(name)
            return "$AZ_BATCHAI_JOB_MOUNT_ROOT/"
        if group != JOB_MOUNTS and name and (name in self.cluster_mounts or not self.complete):
            return "$AZ_BATCHAI_MOUNT_ROOT/"
        return None

    def _doubt(self, match: re.Match[str], name: str, path: Path) -> None:
        """Warn where a name counts as a mount of a cluster outside the spec, but looks wrong."""
        if match[1] != "mounts" or self.complete or name in self.job_mounts:
            return
        if near := nearest(name, self.job_mounts):
            hint = f"did you mean {near}? Otherwise the cluster must have that mount"
            message = f"the job has no mount {name!r}"
            self.scope.report("BAI403", message, self._span(match, path), hint)

    def _undeclared(self, match: re.Match[str], path: Path) -> None:
        written, name = match.groups()
        group = _meant_group(written) or written
        span = self._span(match, path)
        scope, _, plain = group.rpartition(".")
        if scope and plain != "mounts":
            message, hint = f"{match[0]} names nothing", f"write ${{{plain}.{name}}}"
        elif name in (declared := self._declared(group)):
            message, hint = f"{match[0]} names nothing", f"did you mean ${{{group}.{name}}}?"
        elif self.place != "job" and (plain != "mounts" or scope == "job"):
            what = "job" if scope else plain
            message, hint = f"a {self.place} has no {what}", "only jobs have them"
            if scope:
                hint = f"write ${{mounts.{name}}}: it has the mounts of its cluster"
        else:
            message = f"{match[0]} names none of the {plain}"
            if scope:
                message += f" of the {scope}"
            hint = suggestion(name, declared) if declared else f"declare it under {plain}"
            if scope and name in self._declared(plain):
                other = "cluster" if scope == "job" else "job"
                hint = f"did you mean ${{{other}.{plain}.{name}}}?"
        self.scope.report("BAI401", message, span, hint)

    def _span(self, match: re.Match[str], path: Path) -> Span:
        return self._part_span(match.string, match[0], match.start(), path)

    def _part_span(self, text: str, part: str, start: int, path: Path) -> Span:
        document = self.scope.document
        if start > _FAR:
            return document.span(path)
        if substitutes := document.substitutes_at(path):
            end = start + len(part)
            return inner_span(document.span(path), document.text, text, start, end, substitutes)
        return part_span(document, path, part, text.count(part, 0, start))

    def _fix(self, span: Span, written: str, meant: str) -> Fix | None:
        """Return the fix of a part of a text; None where it is spelt otherwise in the file."""
        is_spelt = text_at(self.scope.document.text, span) == written
        return Fix.replace(span, meant) if is_spelt and span.line == span.end_line else None


def _meant_group(written: str) -> str | None:
    """Return the group that a text, misspelt or not, stands for; None if it is none."""
    scope, _, group = written.lower().rpartition(".")
    group = _GROUPS.get(group, group)
    if group not in GROUPS:
        return None
    return f"{_SCOPES.get(scope, scope)}.{group}" if scope else group


def _joined(variable: str, group: str, match: re.Match[str]) -> str:
    """Return a variable in braces where the name would otherwise run into the next character."""
    following = match.string[match.end() : match.end() + 1]
    if not group.endswith("mounts") and (following.isalnum() or following == "_"):
        return f"${{{variable[1:]}}}"
    return variable


def _instead(name: str | None, path: Path, *, is_secret: bool) -> str:
    """Return the hint for a reference to a variable, or to a value of the spec."""
    if name is None:
        *most, last = GROUPS
        return f"write the value itself: only {', '.join(most)} and {last} have references"
    if is_secret and "environment" in path:
        return f"write it under `secrets`: {path[-1]}: env:{name}"
    key = next(str(step) for step in reversed(path) if isinstance(step, str))
    if is_secret and key.lower().endswith("args"):
        return f"let the script read the environment variable {name}"
    return f"write ${name}"
