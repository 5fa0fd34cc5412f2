"""What Snakemake says about every output: whether it is there and would be made again."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from isogloss.errors import RecordError
from isogloss.record.commands import run_python

_HEADER = "output_file\tdate\trule\tlog-file(s)\tinput-file(s)\tshellcmd\tstatus\tplan"


@dataclass(frozen=True)
class OutputState:
    """One line of `snakemake --detailed-summary`."""

    path: str
    """File or directory, relative to the project's folder."""
    rule: str
    """Rule that writes it."""
    status: str
    """`ok`, or what is wrong, such as `missing` or `rule implementation changed`."""
    plan: str
    """`no update` or `update pending`."""

    @property
    def is_current(self) -> bool:
        """Whether Snakemake would leave the output as it is."""
        return self.status == "ok" and self.plan == "no update"


def parse_summary(text: str) -> tuple[OutputState, ...]:
    """Parse what `snakemake --detailed-summary` writes to standard output.

    What a Snakefile prints before the table is skipped. Snakemake does not quote, and a tabulator
    inside a shell command adds columns, so the last two columns are counted from the end.

    Raises:
        RecordError: the table is missing, or a line has too few columns.
    """
    lines = text.split("\n")
    if _HEADER not in lines:
        raise RecordError(
            "snakemake --detailed-summary wrote no table in the form of Snakemake 9: "
            "install the version of the constraints file"
        )
    rows = [line.split("\t") for line in lines[lines.index(_HEADER) + 1 :] if line]
    for row in rows:
        if len(row) < _HEADER.count("\t") + 1:
            raise RecordError(f"snakemake --detailed-summary wrote a line of {len(row)} columns")
    return tuple(OutputState(row[0], row[2], row[-2], row[-1]) for row in rows)


def output_states(project: Path, options: Sequence[str] = ()) -> tuple[OutputState, ...]:
    """State of every output of the workflow in `project`; `options` as for `workflow_jobs`.

    Raises:
        RecordError: Snakemake cannot build the jobs, for example because an input is missing.
    """
    arguments = ("--detailed-summary", "--nolock", "--rerun-incomplete", *options)
    text = run_python(
        ("-m", "snakemake", *arguments), folder=project, purpose="ask Snakemake for the outputs"
    )
    return parse_summary(text)
