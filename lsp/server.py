"""The language server: the protocol around the functions of this folder."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from bai import __version__
from bai.lsp import actions, completion, declarations, definition, diagnostics, hover
from bai.lsp.language import language_of, outline_at
from bai.lsp.text import Position, Range, clamp, split_lines, to_units
from bai.lsp.tolerant_parser import parse_outlines
from bai.specs.findings import Finding, Severity

logger = logging.getLogger(__name__)

PAUSE: Final = 0.15
"""Seconds without a change after which a text is checked."""

_SEVERITIES: Final = {
    Severity.ERROR: types.DiagnosticSeverity.Error,
    Severity.WARNING: types.DiagnosticSeverity.Warning,
}
_COMPLETION_KINDS: Final = {
    completion.Sort.KEY: types.CompletionItemKind.Property,
    completion.Sort.VALUE: types.CompletionItemKind.EnumMember,
    completion.Sort.VARIABLE: types.CompletionItemKind.Variable,
    completion.Sort.REFERENCE: types.CompletionItemKind.Reference,
}
_SYMBOL_KINDS: Final = {
    "job": types.SymbolKind.Function,
    "cluster": types.SymbolKind.Array,
    "file server": types.SymbolKind.File,
    "workspace": types.SymbolKind.Namespace,
    "parameter": types.SymbolKind.Constant,
}

_Answer = TypeVar("_Answer")


class _Text:
    """The text of an open document, and the client's way to count."""

    def __init__(self, uri: str, version: int | None, source: str, encoding: str) -> None:
        self.uri = uri
        self.version = version
        self.source = source
        self.encoding = encoding
        self.lines = split_lines(source)
        # A file that was never saved is looked at as one of the working directory.
        self.path = Path(uris.to_fs_path(uri) or "untitled").absolute()

    def position(self, position: types.Position) -> Position:
        return clamp(self.lines, position.line, position.character, self.encoding)

    def range(self, range_: types.Range) -> Range:
        return Range(self.position(range_.start), self.position(range_.end))

    def to_client(self, range_: Range) -> types.Range:
        return types.Range(self._client_position(range_.start), self._client_position(range_.end))

    def _client_position(self, position: Position) -> types.Position:
        line = self.lines[position.line] if position.line < len(self.lines) else ""
        return types.Position(position.line, to_units(line, position.column, self.encoding))


class BaiServer(LanguageServer):
    """The server, with what it knows of the open documents."""

    def __init__(self) -> None:
        # Whole texts: specs are short, and there is nothing to get out of step.
        super().__init__(
            "bai", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full
        )
        self.checks: dict[str, asyncio.Task[None]] = {}
        """URI -> the check that is under way, or waits for a pause."""

    def text(self, uri: str) -> _Text | None:
        """Return an open document; None for one that the client never opened, or closed."""
        document = self.workspace.text_documents.get(uri)
        if document is None:
            return None
        encoding = types.PositionEncodingKind(self.workspace.position_encoding or "utf-16").value
        return _Text(uri, document.version, document.source, encoding)

    async def answer(self, uri: str, question: Callable[[_Text], _Answer | None]) -> _Answer | None:
        """Ask something of a document, in a thread: the next message need not wait for it."""
        text = self.text(uri)
        if text is None:
            return None
        try:
            return await asyncio.to_thread(question, text)
        except Exception:
            logger.exception("no answer about %s", uri)
            return None

    def check(self, uri: str, pause: float = 0) -> None:
        """Check a document after a pause, in place of a check that still runs."""
        self.forget(uri)
        self.checks[uri] = asyncio.get_running_loop().create_task(self._check(uri, pause))

    def forget(self, uri: str) -> None:
        """End the check of a document."""
        if running := self.checks.pop(uri, None):
            running.cancel()

    async def _check(self, uri: str, pause: float) -> None:
        await asyncio.sleep(pause)
        text = self.text(uri)
        found = await self.answer(uri, _findings)
        if text is not None and found is not None:
            shown = [_diagnostic(text, finding) for finding in found]
            self.text_document_publish_diagnostics(
                types.PublishDiagnosticsParams(uri, shown, text.version)
            )


server = BaiServer()


@server.feature(types.TEXT_DOCUMENT_DID_OPEN)
@server.feature(types.TEXT_DOCUMENT_DID_SAVE)
async def _opened_or_saved(
    server: BaiServer, params: types.DidOpenTextDocumentParams | types.DidSaveTextDocumentParams
) -> None:
    server.check(params.text_document.uri)


@server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
async def _changed(server: BaiServer, params: types.DidChangeTextDocumentParams) -> None:
    server.check(params.text_document.uri, PAUSE)


@server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
async def _closed(server: BaiServer, params: types.DidCloseTextDocumentParams) -> None:
    uri = params.text_document.uri
    server.forget(uri)
    server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))


_Question = Callable[[Any, _Text], Any]
"""Given the parameters of a request, and the text that it is about."""


def _answers(method: str, options: object = None) -> Callable[[_Question], _Question]:
    """Return a decorator of functions that answer a request."""

    def register(question: _Question) -> _Question:
        @server.feature(method, options)
        async def _ask(server: BaiServer, params: Any) -> Any:
            return await server.answer(params.text_document.uri, partial(question, params))

        return question

    return register


def _findings(text: _Text) -> tuple[Finding, ...]:
    return diagnostics.findings(text.source, text.path)


def _diagnostic(text: _Text, finding: Finding) -> types.Diagnostic:
    return types.Diagnostic(
        range=text.to_client(diagnostics.range_of(finding.span, text.source, text.path)),
        message=diagnostics.message(finding),
        severity=_SEVERITIES[finding.severity],
        code=finding.code,
        source="bai",
    )


@_answers(types.TEXT_DOCUMENT_HOVER)
def _hover(params: types.HoverParams, text: _Text) -> types.Hover | None:
    here = text.position(params.position)
    outline = outline_at(parse_outlines(text.source), here)
    language = language_of(outline)
    found = language and hover.hover(outline, language, text.lines[here.line], here)
    if not found:
        return None
    content = types.MarkupContent(types.MarkupKind.Markdown, found.text)
    return types.Hover(content, text.to_client(found.range))


@_answers(
    types.TEXT_DOCUMENT_COMPLETION,
    types.CompletionOptions(trigger_characters=["$", "{", ".", '"', " "]),
)
def _complete(params: types.CompletionParams, text: _Text) -> list[types.CompletionItem]:
    found = completion.complete(text.source, text.position(params.position))
    return [_item(text, index, each) for index, each in enumerate(found)]


def _item(text: _Text, index: int, each: completion.Suggestion) -> types.CompletionItem:
    # Clients compare this with what stands in the range, quotation marks and all.
    quote = each.text[:1] if each.text[:1] in ("'", '"') else ""
    return types.CompletionItem(
        label=each.label,
        kind=_COMPLETION_KINDS[each.sort],
        detail=each.detail or None,
        documentation=each.description or None,
        sort_text=f"{index:04}",
        filter_text=quote + each.label,
        text_edit=types.TextEdit(text.to_client(each.range), each.text),
    )


@_answers(types.TEXT_DOCUMENT_DEFINITION)
def _definition(params: types.DefinitionParams, text: _Text) -> types.Location | None:
    here = text.position(params.position)
    outline = outline_at(parse_outlines(text.source), here)
    language = language_of(outline)
    found = language and definition.definition(outline, language, here)
    return types.Location(text.uri, text.to_client(found)) if found else None


@_answers(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
def _symbols(_: types.DocumentSymbolParams, text: _Text) -> list[types.DocumentSymbol]:
    return [
        types.DocumentSymbol(
            name=each.name,
            kind=_SYMBOL_KINDS[each.kind],
            detail=each.kind,
            range=text.to_client(each.range),
            selection_range=text.to_client(each.range),
        )
        for outline in parse_outlines(text.source)
        if language_of(outline)
        for each in declarations.symbols(outline)
    ]


@_answers(
    types.TEXT_DOCUMENT_CODE_ACTION,
    types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix]),
)
def _actions(params: types.CodeActionParams, text: _Text) -> list[types.CodeAction] | None:
    only = params.context.only
    if only is not None and types.CodeActionKind.QuickFix not in only:
        return None
    found = actions.actions(_findings(text), text.source, text.path, text.range(params.range))
    return [
        types.CodeAction(
            title=each.title,
            kind=types.CodeActionKind.QuickFix,
            diagnostics=[_diagnostic(text, each.finding)],
            is_preferred=each.is_safe,
            edit=types.WorkspaceEdit(
                {text.uri: [types.TextEdit(text.to_client(e.range), e.text) for e in each.edits]}
            ),
        )
        for each in found
    ]


def serve() -> None:
    """Talk to a client on standard input and output until it says exit."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING)
    protocol = sys.stdout.buffer
    # Whatever prints must not garble the protocol.
    sys.stdout = sys.stderr
    server.start_io(sys.stdin.buffer, protocol)
