"""Findings as SARIF 2.1.0 (Static Analysis Results Interchange Format, an OASIS standard)."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import bai
from bai.cli.render.formats import Run
from bai.linter.pages.catalogue import Entry, catalogue
from bai.specs.findings import Edit, Finding, Fix, Span

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_ROOT = "%SRCROOT%"
_FINGERPRINT = "baiLine/v1"


def write(findings: Iterable[Finding], file: IO[str], run: Run) -> None:
    """Write one SARIF log with one run."""
    rules = {code: _rule(entry) for code, entry in catalogue().items()}
    indexes = {code: index for index, code in enumerate(rules)}
    seen: Counter[str] = Counter()
    folder = run.folder or Path.cwd()
    results = []
    for finding in run.sources.hiding(findings):
        rules.setdefault(finding.code, {"id": finding.code})
        rule = indexes.setdefault(finding.code, len(indexes))
        results.append(_result(finding, rule, run.sources.line(finding), folder, seen))
    driver = {"name": "bai", "version": bai.__version__, "rules": list(rules.values())}
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "columnKind": "unicodeCodePoints",
                "originalUriBaseIds": {
                    _ROOT: {"description": {"text": "The folder that bai was started in."}}
                },
                "results": results,
            }
        ],
    }
    json.dump(log, file, indent=2)
    file.write("\n")


def _rule(entry: Entry) -> dict[str, Any]:
    code, page, _ = entry
    return {
        "id": code.code,
        "shortDescription": {"text": code.title},
        "help": {"text": "\n\n".join(page.paragraphs)},
        "defaultConfiguration": {"level": code.severity.value},
    }


def _result(
    finding: Finding, rule: int, line: str | None, folder: Path, seen: Counter[str]
) -> dict[str, Any]:
    hint = f". {finding.hint}" if finding.hint else ""
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": finding.severity.value,
        "message": {"text": finding.message + hint},
    }
    if finding.span:
        artifact = _artifact(finding.span.file, folder)
        physical = {"artifactLocation": artifact, "region": _region(finding.span)}
        result["locations"] = [{"physicalLocation": physical}]
        print_ = _fingerprint(finding.code, artifact["uri"], line)
        # The same mistake in the same words may stand in a file more than once.
        seen[print_] += 1
        result["partialFingerprints"] = {_FINGERPRINT: f"{print_}:{seen[print_]}"}
    if finding.fix:
        result["fixes"] = [_fix(finding.fix, folder)]
    return result


def _fingerprint(code: str, uri: str, line: str | None) -> str:
    """Return what stays when lines move: neither numbers nor the message, which may hold some."""
    text = "\0".join((code, uri, (line or "").strip()))
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _artifact(file: str, folder: Path) -> dict[str, str]:
    path = os.path.normpath(folder / file)
    relative = os.path.relpath(path, folder)
    if relative.split(os.sep, 1)[0] == os.pardir:
        return {"uri": "file://" + quote(os.fsencode(path))}
    return {"uri": quote(os.fsencode(relative)), "uriBaseId": _ROOT}


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _fix(fix: Fix, folder: Path) -> dict[str, Any]:
    by_file: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.span.file, []).append(edit)
    changes = [
        {
            "artifactLocation": _artifact(file, folder),
            "replacements": [
                {"deletedRegion": _region(edit.span), "insertedContent": {"text": edit.text}}
                for edit in edits
            ],
        }
        for file, edits in by_file.items()
    ]
    return {"description": {"text": "Make the change."}, "artifactChanges": changes}
