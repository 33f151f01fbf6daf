"""BAI608: nothing that looks like a password stands in plain text.

A value is taken for a secret because of its name (`--password`, `DB_PASSWORD`, `API_KEY`), of its
place on a command line (`curl -u me:VALUE`, `sshpass -p VALUE`), or because it is long and as
irregular as only chance makes it. If it is one, `secrets` keeps it out of the file; if not, say so:
`# bai: ignore[BAI608] why`.

What stands for a secret is none: `$NAME`, `$(cat FILE)`, a path, `<password>`, `changeme`, or the
bare word `password`.

Wrong (job):

    environment: {API_TOKEN: 8fK2x9QpL0aZ}

Right (job):

    secrets: {API_TOKEN: "env:API_TOKEN"}
"""

from __future__ import annotations

from collections.abc import Iterator

from bai.linter.facts.plain_secrets import plain_secrets
from bai.linter.resource_view import ResourceView
from bai.linter.rules.rule import rule
from bai.linter.rules.secrets.known_secrets import violation
from bai.linter.violation import Violation


@rule("BAI608")
def likely_secrets(resource: ResourceView) -> Iterator[Violation]:
    for found in plain_secrets(resource):
        if not found.secret.sure and not found.in_its_place:
            yield violation(resource, found)
