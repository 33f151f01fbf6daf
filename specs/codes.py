"""Every code of a finding, with its title, its severity and the stage that finds it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final, NamedTuple

from bai.specs.findings import Finding, Fix, Severity, Span, shortened


class Stage(StrEnum):
    """The part of bai that finds what a code stands for."""

    READING = "reading"
    """The reader of YAML and JSON."""
    COMPILING = "compiling"
    """The models of specs, the passes, or the schema of Batch AI's files."""
    CHECKING = "checking"
    """A rule of the linter that looks at resources alone."""
    LINTING = "linting"
    """A rule that also looks at files or asks programs of this machine: only `bai lint` runs it."""
    PREFLIGHT = "preflight"
    """Such a rule that finds what makes a run on this machine fail: `bai lint`, and a plan."""
    FILLING = "filling"
    """What puts values in place of parameters: `bai lint` has no values."""
    SUPPRESSING = "suppressing"
    """The reader of comments that suppress findings."""
    IMPORTING = "importing"
    """`bai import`."""
    PLANNING = "planning"
    """`bai diff` and `bai apply`, which know the place to run."""
    EXPORTING = "exporting"
    """`bai compile -d`, which writes files for Azure."""

    @property
    def commands(self) -> str:
        """The commands that find it, as a list in words."""
        if alone := _ALONE.get(self):
            return alone
        before = "" if self is Stage.PLANNING else "`bai lint`, `bai compile`, "
        return f"{before}`bai diff` and `bai apply`"


_ALONE: Final = {
    Stage.IMPORTING: "`bai import`",
    Stage.EXPORTING: "`bai compile -d`",
    Stage.FILLING: "`bai compile`, `bai diff` and `bai apply`",
    Stage.LINTING: "`bai lint`",
    Stage.PREFLIGHT: "`bai lint`, `bai diff` and `bai apply`",
    Stage.SUPPRESSING: "`bai lint`",
}
"""Stage -> its commands, where they are not the usual ones."""


class Code(NamedTuple):
    """One thing that can be wrong."""

    code: str
    """`BAI` and three digits; the first digit is the group."""
    title: str
    """What is wrong, in a few words."""
    severity: Severity
    """The severity of its findings, unless one says otherwise."""
    stage: Stage
    again: Stage | None = None
    """A later stage that finds more, since it knows more."""


ERROR: Final = Severity.ERROR
WARNING: Final = Severity.WARNING
READING, FILLING = Stage.READING, Stage.FILLING
COMPILING, CHECKING = Stage.COMPILING, Stage.CHECKING
LINTING, PREFLIGHT, SUPPRESSING = Stage.LINTING, Stage.PREFLIGHT, Stage.SUPPRESSING
IMPORTING, PLANNING, EXPORTING = Stage.IMPORTING, Stage.PLANNING, Stage.EXPORTING

GROUPS: Final = {
    "1": ("syntax", "what makes a file readable."),
    "2": ("schema", "the form that Batch AI's schema and the language give."),
    "3": ("values", "what single values may be."),
    "4": ("references", "what names something that stands elsewhere."),
    "5": ("mounts", "volumes, and paths below them."),
    "6": ("secrets", "keys, passwords and tokens, and where they stand."),
    "7": ("toolkits", "what jobs run: toolkits, command lines and scripts."),
    "8": ("scale", "how much of something there is."),
    "9": ("style", "how files are written."),
}
"""First digit of a code -> name of its group, and what the group is about."""

_TABLE: Final = (
    # syntax
    Code("BAI101", "text that is neither YAML nor JSON", ERROR, READING),
    Code("BAI102", "a file that is not UTF-8 text", ERROR, READING),
    Code("BAI103", "a character that can't stand in a file", ERROR, READING),
    Code("BAI104", "a key that is not a string", ERROR, READING),
    Code("BAI105", "a tag without a meaning", ERROR, READING),
    Code("BAI106", "an alias of nothing", ERROR, READING),
    Code("BAI107", "a file that is nested too deep, or has too many values", ERROR, READING),
    Code("BAI108", "a file that is too large", ERROR, READING),
    Code("BAI109", "a key that stands twice", ERROR, READING),
    Code("BAI110", "a file that can't be read", ERROR, READING),
    # schema
    Code("BAI201", "an unknown key", ERROR, COMPILING),
    Code("BAI202", "a missing key", ERROR, COMPILING),
    Code("BAI203", "a value of the wrong kind", ERROR, COMPILING),
    Code("BAI204", "a place that neither the spec nor the context names", ERROR, COMPILING),
    Code("BAI205", "a document that is no experiment", ERROR, COMPILING),
    Code("BAI206", "a resource that breaks Batch AI's schema", ERROR, CHECKING),
    Code("BAI207", "a key that no request has", WARNING, COMPILING),
    Code("BAI208", "an ARM template expression", WARNING, CHECKING),
    Code("BAI209", "a file of no known kind", ERROR, COMPILING),
    Code("BAI210", "a file of another api-version", WARNING, CHECKING),
    Code("BAI211", "files for Azure that do not say where", WARNING, EXPORTING),
    Code("BAI212", "a value that a spec can't say", ERROR, IMPORTING),
    Code("BAI213", "a `$schema` of another kind of file", ERROR, CHECKING),
    Code("BAI214", "a `$schema` that Batch AI does not have", WARNING, CHECKING),
    Code("BAI215", "a machine without a size in files for Azure", ERROR, EXPORTING),
    # values
    Code("BAI301", "a value that is not one of the known ones", ERROR, CHECKING),
    Code("BAI302", "a name with other characters than allowed", ERROR, CHECKING),
    Code("BAI303", "a number out of range", ERROR, CHECKING),
    Code("BAI304", "an empty value", ERROR, CHECKING),
    Code("BAI305", "both or neither of two keys", ERROR, CHECKING),
    Code("BAI306", "a time limit that the service does not take", ERROR, CHECKING),
    Code("BAI307", "an operating system image that is not named in full", ERROR, COMPILING),
    Code("BAI308", "a private image that is not named in full", ERROR, CHECKING),
    Code("BAI309", "an environment variable with a reserved name", ERROR, CHECKING),
    Code("BAI310", "an environment variable that is set twice", ERROR, CHECKING),
    Code("BAI311", "two inputs or outputs with one id", ERROR, CHECKING),
    Code("BAI312", "an image without a version", WARNING, CHECKING),
    Code("BAI313", "a misspelt size of virtual machines", WARNING, CHECKING),
    Code("BAI314", "a size that no cluster has", ERROR, CHECKING),
    Code("BAI315", "premium disks on a size without them", ERROR, CHECKING),
    Code("BAI316", "a user who can't log in", WARNING, CHECKING),
    Code("BAI317", "a short reference without its braces", ERROR, COMPILING),
    Code("BAI318", "a short reference in a wrong form", ERROR, COMPILING),
    Code("BAI319", "a short reference without its dollar", WARNING, COMPILING),
    Code("BAI320", "a reference to something that has none", WARNING, COMPILING),
    Code("BAI321", "the path of a key in place of its text", WARNING, CHECKING),
    Code("BAI322", "a size without a number or a unit", ERROR, CHECKING),
    Code("BAI323", "an image that is not named as Docker names it", ERROR, CHECKING),
    Code("BAI324", "a misspelt region", WARNING, COMPILING),
    Code("BAI325", "a script that is no path of a Python script", ERROR, CHECKING),
    Code("BAI326", "a value that its parameter can't have", ERROR, FILLING),
    Code("BAI327", "a parameter that contradicts itself", ERROR, COMPILING),
    Code("BAI330", "an image without Ubuntu", WARNING, CHECKING),
    # references
    Code("BAI401", "a reference to nothing", ERROR, COMPILING),
    Code("BAI402", "a cluster or file server that is not named clearly", ERROR, CHECKING),
    Code("BAI403", "a name that looks like a slip", WARNING, COMPILING),
    Code("BAI404", "a variable of an input or output that is not declared", ERROR, CHECKING),
    Code("BAI405", "a script that is not there", ERROR, PLANNING),
    Code("BAI406", "a change that can't be made in place", ERROR, PLANNING),
    Code("BAI407", "a machine that neither the spec nor the workspace has", ERROR, PLANNING),
    Code("BAI408", "a short reference where none is expanded", ERROR, CHECKING),
    Code("BAI409", "a value that is no ARM id of the right type", ERROR, CHECKING),
    Code("BAI410", "a resource that is declared twice in different forms", ERROR, COMPILING),
    Code("BAI411", "a variable of the service that does not exist", ERROR, CHECKING),
    Code("BAI412", "a variable of another toolkit", ERROR, CHECKING),
    Code("BAI413", "a variable that is used before it is set", ERROR, CHECKING),
    Code("BAI414", "an input or output that nothing uses", WARNING, CHECKING),
    Code("BAI415", "a variable in a form that nothing expands", ERROR, CHECKING),
    Code("BAI416", "a mount of the job below the cluster's root", WARNING, CHECKING),
    Code("BAI417", "a variable where none is expanded", WARNING, CHECKING),
    Code("BAI418", "a variable in a path that has none", ERROR, CHECKING),
    Code("BAI419", "a parameter without a value", ERROR, FILLING),
    Code("BAI420", "a value for a parameter that no spec has", ERROR, FILLING),
    Code("BAI421", "a parameter that nothing uses", WARNING, COMPILING),
    Code("BAI422", "a key of a sweep that names nothing", ERROR, COMPILING),
    # mounts
    Code("BAI501", "a mount's line that can't be read", ERROR, COMPILING),
    Code("BAI502", "a mount path that overlaps with another, or leaves the root", ERROR, CHECKING),
    Code("BAI503", "a mount of no kind, or of two", ERROR, COMPILING),
    Code("BAI504", "a name that no storage account can have", ERROR, CHECKING),
    Code("BAI505", "a share's address that does not fit its account", ERROR, CHECKING),
    Code("BAI506", "a path below a mount root that leads to no mount", ERROR, CHECKING),
    Code("BAI507", "logs or outputs that stand on no mount", WARNING, CHECKING),
    Code("BAI508", "a volume that this machine can't make", ERROR, PLANNING),
    Code("BAI509", "a directory that is not there", ERROR, PLANNING),
    Code("BAI510", "an option of a mount that has no effect here", WARNING, PLANNING),
    Code("BAI511", "a name that no share or container can have", WARNING, CHECKING),
    Code("BAI512", "an option that blobfuse does not take", WARNING, CHECKING),
    Code("BAI513", "a file mode that is not octal", ERROR, CHECKING),
    Code("BAI514", "a mount command with the mount path", ERROR, CHECKING),
    Code("BAI515", "a path that leaves the directory it belongs to", ERROR, CHECKING),
    Code("BAI516", "a file server in another network than its cluster", ERROR, CHECKING),
    Code("BAI517", "a mount of the job that hides one of its cluster", WARNING, COMPILING),
    Code("BAI518", "a link that leads out of its folder of code", ERROR, PLANNING),
    Code("BAI519", "a folder of code that is too large", ERROR, PLANNING),
    Code("BAI520", "a script that is left out of its code", ERROR, PLANNING),
    Code("BAI521", "a folder of code that can't be read", ERROR, PLANNING),
    Code("BAI522", "what a mounted container can't do", WARNING, PREFLIGHT),
    Code("BAI530", "a folder of this machine in files for Azure", WARNING, EXPORTING),
    # secrets
    Code("BAI601", "a secret in the spec itself", ERROR, COMPILING),
    Code("BAI602", "a node's password in a Key Vault", ERROR, COMPILING),
    Code("BAI603", "a secret in plain text in an imported file", WARNING, IMPORTING),
    Code("BAI604", "a secret that can't be looked up", ERROR, PLANNING),
    Code("BAI605", "a secret on a command line", ERROR, PLANNING),
    Code("BAI607", "a key or token in plain text", ERROR, CHECKING),
    Code("BAI608", "a value that looks like a password", WARNING, CHECKING),
    Code("BAI609", "a key or password in a file for the service", WARNING, CHECKING),
    Code("BAI610", "a reference to a secret that nothing looks up", WARNING, CHECKING),
    Code("BAI611", "a placeholder that nothing fills in", ERROR, CHECKING),
    Code("BAI620", "a reference to a secret in files for Azure", WARNING, EXPORTING),
    # toolkits
    Code("BAI701", "a job without a toolkit, or with two", ERROR, COMPILING),
    Code("BAI702", "a config file and a script, or neither", ERROR, CHECKING),
    Code("BAI703", "more parameter servers than nodes", ERROR, CHECKING),
    Code("BAI704", "arguments that are no words", ERROR, CHECKING),
    Code("BAI705", "a job that needs MPI, where it is not installed", ERROR, PLANNING),
    Code("BAI706", "a distributed TensorFlow job without arguments", WARNING, CHECKING),
    Code("BAI707", "a Horovod job where Horovod is not installed", ERROR, PLANNING),
    Code("BAI708", "a command line that the shell can't read", ERROR, CHECKING),
    Code("BAI709", "characters pasted from a document", WARNING, CHECKING),
    Code("BAI710", "a script at a relative path", WARNING, CHECKING, PREFLIGHT),
    Code("BAI715", "a question that nobody answers", WARNING, CHECKING),
    Code("BAI716", "a failure that the shell hides", WARNING, CHECKING),
    Code("BAI717", "a variable without quotes", WARNING, CHECKING),
    Code("BAI718", "a deletion after an unchecked cd", WARNING, CHECKING),
    Code("BAI720", "a finding of ShellCheck", WARNING, LINTING),
    Code("BAI721", "a script that is missing from its mounted folder", ERROR, PREFLIGHT),
    Code("BAI722", "a script that does not compile", ERROR, PREFLIGHT),
    Code("BAI723", "a script that never initialises Horovod", WARNING, LINTING),
    Code("BAI724", "a checkpoint that all ranks write", WARNING, LINTING),
    Code("BAI725", "a script for Python 2", WARNING, LINTING),
    Code("BAI726", "Horovod's init without its call", WARNING, LINTING),
    Code("BAI727", "a use of Horovod before init", WARNING, LINTING),
    Code("BAI728", "a checkpoint that every node writes", WARNING, LINTING),
    Code("BAI729", "a file that all ranks write", WARNING, LINTING),
    Code("BAI730", "a Horovod job without Horovod", WARNING, LINTING),
    Code("BAI731", "Horovod's questions without their calls", WARNING, LINTING),
    Code("BAI732", "an exchange that not all ranks take part in", WARNING, LINTING),
    Code("BAI733", "a checkpoint of all ranks but the first", WARNING, LINTING),
    Code("BAI734", "a variable that a script reads and nobody sets", WARNING, LINTING),
    Code("BAI735", "processes that train for themselves", WARNING, LINTING),
    Code("BAI736", "a name that Horovod lacks", WARNING, LINTING),
    Code("BAI737", "a script that does nothing", WARNING, LINTING),
    Code("BAI738", "Horovod's wrappers for Keras 2 with Keras 3", ERROR, PREFLIGHT),
    Code("BAI740", "a here-document without an end", WARNING, CHECKING),
    Code("BAI741", "a requirement that pip gets otherwise", WARNING, CHECKING),
    Code("BAI742", "a backslash that joins no lines", WARNING, CHECKING),
    Code("BAI743", "a comment that was meant as text", WARNING, CHECKING),
    Code("BAI744", "an input that is missing from its mounted folder", WARNING, LINTING),
    Code("BAI745", "a job that does not wait for its work", WARNING, CHECKING),
    Code("BAI746", "a comparison that is the same on all ranks", WARNING, LINTING),
    Code("BAI749", "shell syntax in the arguments of a script", WARNING, CHECKING),
    Code("BAI750", "a misspelt subcommand", WARNING, CHECKING),
    # scale
    Code("BAI801", "a job that is larger than its cluster", ERROR, CHECKING),
    Code("BAI802", "more nodes or processes than this machine has slots", ERROR, PLANNING),
    Code("BAI803", "a container that can't run here", ERROR, PLANNING),
    Code("BAI804", "a job on a cluster without nodes", WARNING, CHECKING),
    Code("BAI805", "a node's setup that has no effect here", WARNING, PLANNING),
    Code("BAI806", "processes that spread unevenly", WARNING, CHECKING),
    Code("BAI807", "more processes than GPUs", WARNING, CHECKING),
    Code("BAI808", "more nodes than the service allows", WARNING, CHECKING),
    Code("BAI809", "processes for GPUs that no node has", ERROR, COMPILING, PLANNING),
    Code("BAI810", "members of a sweep that are equal", ERROR, COMPILING),
    Code("BAI811", "a sweep with no members, or too many", ERROR, COMPILING),
    Code("BAI812", "a setting of a sweep that can't be kept here", ERROR, PLANNING),
    Code("BAI813", "a value of a sweep that its parameter can't have", ERROR, COMPILING),
    Code("BAI814", "early stopping of too few members", WARNING, COMPILING),
    # style
    Code("BAI901", "a suppression that suppresses nothing", WARNING, SUPPRESSING),
    Code("BAI902", "a suppression of a code that no rule has", WARNING, SUPPRESSING),
    Code("BAI903", "a suppression that can't work", WARNING, SUPPRESSING),
    Code("BAI904", "a misspelt suppression", WARNING, SUPPRESSING),
)

CODES: Final = {each.code: each for each in _TABLE}
"""Code -> what there is to know of it, in the order of the codes."""


def make_finding(
    code: str,
    message: str,
    span: Span | None,
    hint: str | None = None,
    fix: Fix | None = None,
    *,
    severity: Severity | None = None,
) -> Finding:
    """Return a finding.

    Args:
        code: one of `CODES`.
        message: what is wrong.
        span: where; None where no file is involved.
        hint: what to do.
        fix: a change that is safe to make unasked.
        severity: None for the code's own.
    """
    said, advice = shortened(message), hint and shortened(hint)
    return Finding(code, severity or CODES[code].severity, said, span, advice, fix)
