"""dvc.yaml: written from stages, and read back."""

import io
import shlex
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict
from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import LiteralScalarString

from isogloss.record.documents import read_document
from isogloss.record.stages import Stage

_HEADER = """\
# Generated from the workflow by `isogloss record{options}`. Do not edit:
# change the rules under workflow/ and run `snakemake --cores all`.
"""


def render_dvcfile(
    stages: Iterable[Stage], *, uncached: Collection[str] = (), options: Sequence[str] = ()
) -> str:
    """Text of dvc.yaml, the same for the same stages.

    `uncached` are outputs that git keeps, which DVC hashes but does not store (`cache: false`).
    `options` are those that `record` was called with; the first line repeats them.
    """
    document = {"stages": {stage.name: _entry(stage, uncached) for stage in stages}}
    stream = io.StringIO()
    yaml = YAML()
    yaml.width = 2**16
    yaml.dump(document, stream)
    header = _HEADER.format(options=f" {shlex.join(options)}" if options else "")
    return header + stream.getvalue()


def _entry(stage: Stage, uncached: Collection[str]) -> dict[str, Any]:
    command = stage.command.replace("${", r"\${")
    return {
        "cmd": LiteralScalarString(command) if "\n" in command else command,
        **({"deps": list(stage.deps)} if stage.deps else {}),
        "outs": [{out: {"cache": False}} if out in uncached else out for out in stage.outs],
    }


def _only_path(out: Any) -> Any:
    return next(iter(out)) if isinstance(out, dict) and len(out) == 1 else out


class _StageEntry(BaseModel):
    model_config = ConfigDict(strict=True)

    cmd: str
    deps: list[str] = []
    outs: list[Annotated[str, BeforeValidator(_only_path)]] = []


class _Document(BaseModel):
    model_config = ConfigDict(strict=True)

    stages: dict[str, _StageEntry]


def read_dvcfile(path: Path) -> tuple[Stage, ...]:
    """Stages of a dvc.yaml that `render_dvcfile` wrote.

    Raises:
        RecordError: the file is missing, unreadable, or has another form.
    """
    document = read_document(path, _Document)
    return tuple(
        Stage(
            name,
            entry.cmd.replace(r"\${", "${"),
            tuple(sorted(entry.deps)),
            tuple(sorted(entry.outs)),
        )
        for name, entry in document.stages.items()
    )
