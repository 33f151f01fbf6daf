"""The secrets of jobs and setup tasks: which they get, and which are kept from them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from bai.runtime.account_settings import AccountSettings
from bai.runtime.errors import SecretError
from bai.runtime.jobs.submitted import Submitted
from bai.runtime.mounts.remote import Remote
from bai.runtime.mounts.remotes import InAccount, remotes
from bai.runtime.revealing import reveal
from bai.specs.secrets import STORAGE_KEY, SecretRef, parse_secret_marker


def missing_variables(secrets: Iterable[Mapping[str, Any]]) -> Iterator[tuple[int, str]]:
    """Iterate over the `secrets` of a wire form that can't be looked up: index and reason.

    One in a Key Vault is not looked up.
    """
    for index, entry in enumerate(secrets):
        if "value" in entry:
            try:
                reveal(_reference(entry))
            except SecretError as error:
                yield index, str(error)


def submitted_by(
    environment: Mapping[str, str],
    job: Mapping[str, Any],
    others: Sequence[Mapping[str, Any]],
    real: Mapping[str, AccountSettings],
) -> Submitted:
    """Return what a job gets from the process that submits it.

    Args:
        environment: the variables of this process.
        job: the job's wire form.
        others: wire forms of its cluster and of file servers, and what was left out of its own.
        real: name -> storage account that is no folder.

    Raises:
        LaunchError: nothing says where the key of an account is that the job mounts.
        SecretError: a secret of the job can't be looked up.
    """
    own = job["properties"].get("secrets") or ()
    withheld = withheld_variables(job, others) | _account_variables(real)
    # Where an engine needs it, its checks say that it is missing.
    password = None
    with suppress(SecretError):
        password = registry_password(job)
    return _submitted(environment, own, withheld, remotes([job, *others], real), password)


def setup_submitted_by(
    environment: Mapping[str, str],
    cluster: Mapping[str, Any],
    others: Iterable[Mapping[str, Any]],
    real: Mapping[str, AccountSettings],
) -> Submitted:
    """Return what a cluster's setup task gets from the process that puts the cluster.

    Args:
        environment: the variables of this process.
        cluster: the cluster's wire form, with a setup task.
        others: wire forms of file servers.
        real: name -> storage account that is no folder.

    Raises:
        LaunchError: nothing says where the key of an account is that the cluster mounts.
        SecretError: a secret of the task can't be looked up.
    """
    own = cluster["properties"]["nodeSetup"]["setupTask"].get("secrets") or []
    withheld = _withheld(own, [cluster, *others]) | _account_variables(real)
    return _submitted(environment, own, withheld, remotes([cluster], real))


def _account_variables(real: Mapping[str, AccountSettings]) -> set[str]:
    secrets = (account.secret for account in real.values())
    return {secret.name for secret in secrets if secret and secret.source == "env"}


def _submitted(
    environment: Mapping[str, str],
    own: Iterable[Mapping[str, Any]],
    withheld: Collection[str],
    mounted: Iterable[InAccount],
    password: str | None = None,
) -> Submitted:
    secrets = {entry["name"]: reveal(_reference(entry)) for entry in own}
    kept = {name: value for name, value in environment.items() if name not in withheld}
    accounts = {remote.marker: _opening(remote) for remote in mounted}
    return Submitted(kept, secrets, tuple(sorted(withheld)), password, accounts)


def _opening(remote: InAccount) -> str:
    """Return what opens something: the secret behind its reference, or what a login gives.

    Raises:
        SecretError: there is none.
    """
    if remote.secret:
        return reveal(remote.secret)
    assert isinstance(remote, Remote), "a share has a key"
    # Imported here: few accounts are opened by a login.
    from bai.runtime.mounts.delegation import delegated

    return delegated(remote)


def registry_password(job: Mapping[str, Any]) -> str | None:
    """Return the password for the image of a job's container; None if it needs none.

    Raises:
        SecretError: it can't be looked up.
    """
    container = job["properties"].get("containerSettings") or {}
    account = container.get("imageSourceRegistry", {}).get("credentials")
    if not account:
        return None
    if "password" not in account:
        name = account.get("username", "")
        raise SecretError(f"{in_key_vault(f'password of {name}')}: write env:NAME or file:PATH")
    return reveal(parse_secret_marker(account["password"]))


def in_key_vault(name: str) -> str:
    """Return the sentence for a job's secret that is in a Key Vault."""
    return f"the secret {name} is in a Key Vault, which this engine can't read"


def withheld_variables(job: Mapping[str, Any], others: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the variables that hold secrets which are not for a job's processes.

    These are keys and passwords, of storage, registries and users, which bai or the service needs.

    Args:
        job: the job's wire form; what its own `secrets` name is for its processes.
        others: wire forms of its cluster and of file servers.
    """
    return _withheld(job["properties"].get("secrets"), [job, *others])


def _withheld(own: object, resources: list[Mapping[str, Any]]) -> set[str]:
    return ({STORAGE_KEY.name} | _variables_in(resources)) - _variables_in(own)


def _variables_in(value: object) -> set[str]:
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        return set().union(*map(_variables_in, value))
    try:
        reference = parse_secret_marker(value)
    except ValueError:
        return set()
    return {reference.name} if reference.source == "env" else set()


def _reference(variable: Mapping[str, Any]) -> SecretRef:
    """Return the reference behind a secret's marker, `<secret SOURCE:NAME>`."""
    marker = variable.get("value")
    if marker is None:
        raise SecretError(f"{in_key_vault(variable['name'])}: write env:NAME or file:PATH")
    return parse_secret_marker(marker)
