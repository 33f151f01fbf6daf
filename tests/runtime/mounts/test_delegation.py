"""Containers that a login opens, on Azurite, which takes any token of the right form."""

import base64
import json
import shutil
import subprocess
import time

import azure.identity
import pytest
from azure.core.credentials import AccessToken
from azure.storage.blob import BlobServiceClient
from azurite import served

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import SecretError
from bai.runtime.mounts.delegation import delegated
from bai.runtime.mounts.probe import refusal
from bai.runtime.mounts.remote import Remote

_MAKE = "openssl req -x509 -newkey rsa:2048 -nodes -days 2"
_TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47"


def part(value):
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()


class Login:
    """Has a token that nobody has signed."""

    def get_token(self, *_, **__):
        now = int(time.time())
        claims = {
            "aud": "https://storage.azure.com",
            "iss": f"https://sts.windows.net/{_TENANT}/",
            "iat": now - 60,
            "nbf": now - 60,
            "exp": now + 3600,
            "oid": "23657296-5cd5-45b0-a809-d972a7f4dfe1",
            "tid": _TENANT,
        }
        header = part({"alg": "RS256", "typ": "JWT"})
        return AccessToken(f"{header}.{part(claims)}.c2ln", now + 3600)


@pytest.fixture
def server(tmp_path, monkeypatch):
    """Azurite with logins, which it takes over HTTPS alone."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    certificate, key = tmp_path / "certificate", tmp_path / "key"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(
        [*_MAKE.split(), *subject, "-keyout", key, "-out", certificate],
        check=True,
        capture_output=True,
    )
    for name in ("REQUESTS_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, str(certificate))
    with served("--oauth", "basic", "--cert", str(certificate), "--key", str(key)) as found:
        yield found


def test_a_login_signs_access_to_one_container(server, monkeypatch):
    monkeypatch.setattr(azure.identity, "DefaultAzureCredential", Login)
    service = BlobServiceClient(server.endpoint(), credential=server.key)
    for name in ("data", "other"):
        service.create_container(name)
    account = AccountSettings("vision", server.endpoint(), "", identity=True)
    remote = Remote(account, "data", None)
    signature = delegated(remote)
    assert refusal(remote.url, signature) is None
    assert refusal(f"{server.endpoint()}/other", signature) is not None


def test_without_a_login_there_is_no_signature(server, monkeypatch):
    class Nobody:
        def get_token(self, *_, **__):
            raise azure.identity.CredentialUnavailableError("nobody")

    monkeypatch.setattr(azure.identity, "DefaultAzureCredential", Nobody)
    account = AccountSettings("vision", server.endpoint(), "", identity=True)
    with pytest.raises(SecretError, match="nobody is logged in for the account vision"):
        delegated(Remote(account, "data", None))
