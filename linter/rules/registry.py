"""The rules with a check of their own, in the order of their codes.

All others are in `catalogue`, with these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Final

from bai.linter.resource_view import RuleContext
from bai.linter.rules.mounts import (
    account_names,
    blob_options,
    file_modes,
    inner_paths,
    lasting_paths,
    mount_commands,
    mount_paths,
    mounted_paths,
    share_addresses,
    storage_names,
    subnets,
)
from bai.linter.rules.references import (
    arm_ids,
    cluster_choice,
    declared_directories,
    known_variables,
    own_mounts,
    phases,
    stray_references,
    stray_variables,
    toolkit_variables,
    unused_directories,
    variable_forms,
)
from bai.linter.rules.rule import Rule, Violation
from bai.linter.rules.scale import (
    cluster_limit,
    cluster_size,
    crowded_nodes,
    even_processes,
    parked_cluster,
)
from bai.linter.rules.schema import (
    api_version,
    known_schemas,
    schema_kind,
    template_expressions,
    wire_form,
)
from bai.linter.rules.secrets import (
    filled_in_secrets,
    known_secrets,
    likely_secrets,
    literal_references,
    unfilled_placeholders,
)
from bai.linter.rules.toolkits import (
    absent_names,
    apt_asks,
    background_work,
    broken_scripts,
    constant_comparisons,
    early_ranks,
    empty_scripts,
    escaped_blanks,
    hidden_failures,
    horovod_init,
    inverted_saves,
    lonely_collectives,
    misread_requirements,
    missing_files,
    missing_inputs,
    misspelt_subcommands,
    node_checkpoints,
    old_scripts,
    open_heredocs,
    open_quotes,
    pasted_characters,
    programs,
    read_variables,
    relative_scripts,
    separate_training,
    shared_checkpoints,
    shared_files,
    shell_arguments,
    shellcheck,
    swallowed_words,
    tensorflow_arguments,
    tensorflow_counts,
    uncalled_init,
    uncalled_questions,
    unchecked_folders,
    unquoted_variables,
    unreadable_commands,
    without_horovod,
)
from bai.linter.rules.values import (
    choices,
    cluster_vm_sizes,
    durations,
    empty,
    image_names,
    image_tags,
    key_combinations,
    key_paths,
    logins,
    memory_sizes,
    own_ids,
    patterns,
    premium_disks,
    private_image,
    ranges,
    script_paths,
    ubuntu,
    variable_names,
    variables_once,
    vm_size_names,
)

_MOST: Final = 200
"""Complaints of one rule that are told: a file with more is broken in one way all over."""


def registry(*rules: Rule) -> tuple[Rule, ...]:
    """Return the rules in the order of their codes.

    Raises:
        ValueError: two rules share a code.
    """
    counts = Counter(rule.code for rule in rules)
    if shared := [code for code, count in counts.items() if count > 1]:
        raise ValueError(f"more than one rule has the code {' and '.join(shared)}")
    return tuple(sorted(rules, key=lambda rule: rule.code))


RULES: Final = registry(
    account_names.RULE,
    blob_options.RULE,
    file_modes.RULE,
    inner_paths.RULE,
    lasting_paths.RULE,
    mount_commands.RULE,
    mount_paths.RULE,
    mounted_paths.RULE,
    share_addresses.RULE,
    storage_names.RULE,
    subnets.RULE,
    arm_ids.RULE,
    cluster_choice.RULE,
    declared_directories.RULE,
    known_variables.RULE,
    own_mounts.RULE,
    phases.RULE,
    stray_references.RULE,
    stray_variables.RULE,
    toolkit_variables.RULE,
    unused_directories.RULE,
    variable_forms.RULE,
    cluster_limit.RULE,
    cluster_size.RULE,
    crowded_nodes.RULE,
    even_processes.RULE,
    parked_cluster.RULE,
    api_version.RULE,
    known_schemas.RULE,
    schema_kind.RULE,
    template_expressions.RULE,
    wire_form.RULE,
    filled_in_secrets.RULE,
    known_secrets.RULE,
    likely_secrets.RULE,
    literal_references.RULE,
    unfilled_placeholders.RULE,
    absent_names.RULE,
    apt_asks.RULE,
    background_work.RULE,
    broken_scripts.RULE,
    constant_comparisons.RULE,
    early_ranks.RULE,
    empty_scripts.RULE,
    escaped_blanks.RULE,
    hidden_failures.RULE,
    horovod_init.RULE,
    inverted_saves.RULE,
    lonely_collectives.RULE,
    misread_requirements.RULE,
    misspelt_subcommands.RULE,
    missing_files.RULE,
    missing_inputs.RULE,
    node_checkpoints.RULE,
    old_scripts.RULE,
    open_heredocs.RULE,
    open_quotes.RULE,
    pasted_characters.RULE,
    programs.RULE,
    read_variables.RULE,
    relative_scripts.RULE,
    separate_training.RULE,
    shared_checkpoints.RULE,
    shared_files.RULE,
    shell_arguments.RULE,
    shellcheck.RULE,
    swallowed_words.RULE,
    tensorflow_arguments.RULE,
    tensorflow_counts.RULE,
    uncalled_init.RULE,
    uncalled_questions.RULE,
    unchecked_folders.RULE,
    unquoted_variables.RULE,
    unreadable_commands.RULE,
    without_horovod.RULE,
    choices.RULE,
    cluster_vm_sizes.RULE,
    durations.RULE,
    empty.RULE,
    image_names.RULE,
    image_tags.RULE,
    key_combinations.RULE,
    key_paths.RULE,
    logins.RULE,
    memory_sizes.RULE,
    own_ids.RULE,
    patterns.RULE,
    premium_disks.RULE,
    private_image.RULE,
    ranges.RULE,
    script_paths.RULE,
    ubuntu.RULE,
    variable_names.RULE,
    variables_once.RULE,
    vm_size_names.RULE,
)


_CHECKS: Final = tuple((rule, rule.check) for rule in RULES if rule.check)


def has_violations(context: RuleContext) -> bool:
    """Return whether any rule finds anything: of most files, this is all that is asked."""
    return any(True for _, check in _CHECKS for _ in check(context))


def violations(context: RuleContext) -> Iterator[tuple[Rule, Violation]]:
    """Iterate over what every rule finds, up to some hundred violations of each."""
    for rule, check in _CHECKS:
        for violation in islice(check(context), _MOST):
            yield rule, violation
