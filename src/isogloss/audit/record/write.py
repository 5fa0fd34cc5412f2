"""Writing the record of an audit: all of it or nothing."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from isogloss.audit.audit import Audit
from isogloss.audit.comparison import Comparison
from isogloss.audit.page.page import render_page
from isogloss.audit.record.computations import computations
from isogloss.audit.record.content import TEXT_FILE, content_of, encoded, original_file
from isogloss.audit.record.schema import SCHEMA_FILE, check, schema_text
from isogloss.audit.record.sums import SUMS, sums_of, written
from isogloss.audit.record.values import plain
from isogloss.errors import RecordError


def write_record(
    audit: Audit, posting: Path, out: Path, comparison: Comparison | None = None
) -> list[Path]:
    """Write the record of an audit as the folder `out`, and return the files in it.

    `posting` is the file that was audited; `out` must not exist, or be empty. The folder appears
    when all of it is written. Raises `RecordError` for a folder with something in it, for a posting
    that changed meanwhile, and for a result that the published schema does not allow.
    """
    check_out(out)
    files = files_of(audit, _original(audit, posting), comparison)
    try:
        _write(files, out)
    except OSError as error:
        raise RecordError(f"{out}: the record cannot be written ({error.strerror})") from error
    return [out / path for path in files]


def files_of(audit: Audit, original: bytes, comparison: Comparison | None) -> dict[str, bytes]:
    """Return the content of every file of the record by its path."""
    content = content_of(audit) | {"comparison": plain(comparison)}
    check(content, "audit.json")
    files = {
        "audit.json": encoded(
            json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        ),
        SCHEMA_FILE: encoded(schema_text()),
        original_file(audit.document): original,
        TEXT_FILE: encoded(audit.document.text),
        "prompts.jsonl": _lines(_prompts(audit)),
        "responses.jsonl": _lines(_responses(audit)),
        "computations.csv": encoded(computations(audit.selection)),
    }
    files["index.html"] = encoded(render_page(audit, comparison, files=sums_of(files)))
    return files | {SUMS: encoded(written(sums_of(files)))}


def _prompts(audit: Audit) -> Iterable[dict[str, Any]]:
    for question, probe in zip(audit.questions, audit.probes, strict=True):
        yield {
            "role": question.role,
            "persona": question.persona.name,
            "background": question.background.name,
            "messages": plain(question.messages),
            "prompt_sha256": probe.prompt_sha256,
        }


def _responses(audit: Audit) -> Iterable[dict[str, Any]]:
    for probe in audit.probes:
        row = plain(probe)
        row["attributes"] = dict(probe.attributes)
        row["background"] = row.pop("profile")
        yield row


def _lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return b"".join(
        encoded(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n") for row in rows
    )


def _original(audit: Audit, posting: Path) -> bytes:
    try:
        content = posting.read_bytes()
    except OSError as error:
        raise RecordError(f"{posting}: cannot be read ({error.strerror})") from error
    if sha256(content).hexdigest() != audit.document.sha256:
        raise RecordError(f"{posting}: changed while it was audited; run the audit again")
    return content


def check_out(out: Path) -> None:
    """Raise `RecordError` when a record cannot be written to this folder."""
    try:
        free = not out.exists() or (out.is_dir() and not any(out.iterdir()))
    except OSError as error:
        raise RecordError(f"{out}: cannot be looked into ({error.strerror})") from error
    if out.is_symlink() or not free:
        raise RecordError(f"{out}: there is something already; name a new folder for the record")
    above = next(one for one in out.absolute().parents if one.exists())
    if not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
        raise RecordError(f"{out}: nothing can be written into {above}; name another folder")


def _write(files: dict[str, bytes], out: Path) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{out.name}-", dir=out.parent))
    try:
        folder = scratch / "record"
        for path, content in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        # A folder that is there is empty, and is replaced in the same step.
        folder.rename(out)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
