"""An editor: pygls' own client, talking to a real `bai lsp`."""

import asyncio
import contextlib
import os
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

TIME_LIMIT = 60
"""Seconds after which a test counts as hanging."""


def command():
    installed = Path(sys.executable).with_name("bai")
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "bai.cli.main"]


class Editor:
    """One editor with a server of its own."""

    def __init__(self, folder):
        self.begin(folder)
        self.client = LanguageClient("test", "1")
        self.capabilities = None

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params):
            # What is late is about another test's files.
            if params.uri.startswith(self.prefix):
                self.published.put_nowait(params)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params):
            self.shown.append(params)

    def begin(self, folder):
        """Go to another folder."""
        self.folder = folder
        self.prefix = folder.as_uri()
        self.published = asyncio.Queue()
        self.shown = []

    async def start(self, encodings=None, env=None):
        await self.client.start_io(*command(), "lsp", cwd=self.folder, env=env)
        general = types.GeneralClientCapabilities(position_encodings=encodings)
        answer = await self.client.initialize_async(
            types.InitializeParams(
                capabilities=types.ClientCapabilities(general=general),
                root_uri=self.folder.as_uri(),
            )
        )
        self.client.initialized(types.InitializedParams())
        self.capabilities = answer.capabilities

    async def stop(self):
        """Say good-bye; return the server's exit code."""
        server = self.client._server
        await self.client.shutdown_async(None)
        self.client.exit(None)
        code = await server.wait()
        await self.client.stop()
        return code

    async def kill(self):
        """End the server if nothing else did."""
        server = self.client._server
        if server.returncode is None:
            with contextlib.suppress(ProcessLookupError):
                server.kill()
            await server.wait()
        server._transport.close()

    def uri(self, name):
        return (self.folder / name).as_uri()

    def document(self, name):
        return types.TextDocumentIdentifier(self.uri(name))

    async def open(self, text, name="experiment.yaml"):
        """Open a file; return its diagnostics."""
        item = types.TextDocumentItem(self.uri(name), "yaml", 1, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return list((await self.published.get()).diagnostics)

    def change(self, text, name="experiment.yaml", version=2):
        identifier = types.VersionedTextDocumentIdentifier(version, self.uri(name))
        change = types.TextDocumentContentChangeWholeDocument(text)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(identifier, [change])
        )

    async def checked(self):
        """Return what is published next."""
        published = await self.published.get()
        return published.version, list(published.diagnostics)

    async def complete(self, position, name="experiment.yaml"):
        """Return label -> item of what can be written at a position."""
        found = await self.client.text_document_completion_async(
            types.CompletionParams(self.document(name), position)
        )
        return {item.label: item for item in found or ()}

    async def hover(self, position, name="experiment.yaml"):
        return await self.client.text_document_hover_async(
            types.HoverParams(self.document(name), position)
        )

    async def definition(self, position, name="experiment.yaml"):
        return await self.client.text_document_definition_async(
            types.DefinitionParams(self.document(name), position)
        )

    async def actions(self, range_, name="experiment.yaml"):
        return await self.client.text_document_code_action_async(
            types.CodeActionParams(self.document(name), range_, types.CodeActionContext([]))
        )


class Session:
    """A loop with an editor in it, for one test after the other: servers take long to start."""

    def __init__(self, folder, encodings=None):
        self.runner = asyncio.Runner()
        self.editor = self.runner.run(self._started(folder, encodings))

    async def _started(self, folder, encodings):
        editor = Editor(folder)
        await editor.start(encodings, new_user())
        return editor

    def run(self, test, folder):
        """Run a coroutine function with the editor, on files of a folder."""
        self.editor.begin(folder)
        self.runner.run(asyncio.wait_for(test(self.editor), TIME_LIMIT))
        assert self.editor.shown == []

    def end(self):
        """End the server, which must end well."""
        try:
            assert self.runner.run(asyncio.wait_for(self.editor.stop(), TIME_LIMIT)) == 0
        finally:
            self.runner.run(self.editor.kill())
            self.runner.close()


def new_user():
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("BAI_", "AZURE_", "AZ_"))}
    return kept | {"COLUMNS": "100"}


@pytest.fixture(scope="module")
def session(tmp_path_factory):
    """What the tests of a module share."""
    shared = Session(tmp_path_factory.mktemp("server"))
    yield shared
    shared.end()


@pytest.fixture
def edit(session, tmp_path):
    """Run a coroutine function with an editor."""
    return lambda test: session.run(test, tmp_path)


@pytest.fixture
def edit_with(tmp_path):
    """Run a coroutine function with an editor that offers position encodings."""

    def run(test, encodings):
        own = Session(tmp_path, encodings)
        try:
            own.run(test, tmp_path)
        finally:
            own.end()

    return run
