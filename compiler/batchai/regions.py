"""Azure's regions, to find misspelt ones."""

from __future__ import annotations

from typing import Final

_NAMES: Final = (
    "eastus eastus2 westus westus2 westus3 centralus northcentralus southcentralus westcentralus "
    "canadacentral canadaeast brazilsouth brazilsoutheast northeurope westeurope uksouth ukwest "
    "francecentral francesouth germanywestcentral germanynorth switzerlandnorth switzerlandwest "
    "norwayeast norwaywest swedencentral polandcentral italynorth spaincentral eastasia "
    "southeastasia japaneast japanwest koreacentral koreasouth centralindia southindia westindia "
    "australiaeast australiasoutheast australiacentral australiacentral2 newzealandnorth "
    "southafricanorth southafricawest uaenorth uaecentral qatarcentral israelcentral "
    "mexicocentral chinaeast chinaeast2 chinanorth chinanorth2 usgovvirginia usgovarizona "
    "usgovtexas"
)
REGIONS: Final = tuple(_NAMES.split())
"""Names of regions. There will be others: what is not near to one of these may be right."""

_SHORTEST: Final = 5
_LONGEST: Final = 30


def meant_region(name: str) -> str | None:
    """Return the region that a name is one typo away from; None for valid and for other names.

    A typo is an extra, missing or wrong character, or two swapped ones. Names that differ only in
    numbers may be newer regions.
    """
    folded = name.lower()
    if folded in REGIONS or not _SHORTEST <= len(folded) <= _LONGEST:
        return None
    if any(_letters(region) == _letters(folded) for region in REGIONS):
        return None
    found = [region for region in REGIONS if _is_one_typo_away(folded, region)]
    return found[0] if found else None


def _letters(text: str) -> str:
    return text.rstrip("0123456789")


def _is_one_typo_away(name: str, other: str) -> bool:
    start = 0
    while start < min(len(name), len(other)) and name[start] == other[start]:
        start += 1
    rest, wanted = name[start:], other[start:]
    swapped = rest[1::-1] + rest[2:] == wanted and len(rest) > 1
    return swapped or rest[1:] == wanted or rest == wanted[1:] or rest[1:] == wanted[1:]
