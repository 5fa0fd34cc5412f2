"""What `audit.json` holds: everything that an audit found but the prompts and the replies."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import PurePosixPath, PureWindowsPath
from typing import Any

from isogloss.audit.audit import Audit
from isogloss.audit.document import Document
from isogloss.audit.grid import Grid
from isogloss.audit.obligations import obligations
from isogloss.audit.probe import Question
from isogloss.audit.profile import Profile
from isogloss.audit.record.limits import limits
from isogloss.audit.record.schema import SCHEMA_ID
from isogloss.audit.record.values import plain
from isogloss.audit.records import Probe
from isogloss.postings.prompts import ANSWERS, messages
from isogloss.score.responses import OUTCOMES

FORMAT = "isogloss-audit/1"
"""Name and version of the form of a record."""

TEXT_FILE = "posting/posting.txt"
"""File of the record with the posting's text."""

_ENDINGS = {
    "text": "txt",
    "markdown": "md.txt",
    "html": "html.txt",
    "pdf": "pdf",
    "docx": "docx",
}


def original_file(document: Document) -> str:
    """Return where the record keeps the bytes of the posting's file.

    HTML and Markdown get an ending with which no program runs or renders what is in them.
    """
    return f"posting/original.{_ENDINGS[document.format]}"


def content_of(audit: Audit) -> dict[str, Any]:
    """Return the content of `audit.json` as JSON values, without a comparison."""
    return {
        "$schema": SCHEMA_ID,
        "format": FORMAT,
        "created": audit.created,
        "version": audit.version,
        "settings": plain(audit.settings),
        "lexicons": dict(audit.lexicons),
        "document": _document(audit.document),
        "profile": _profile(audit.profile),
        "gender_coding": plain(audit.gender_coding),
        "grid": _grid(audit.grid),
        "wording_sha256": wording_sha256(audit.questions),
        "model": without_paths(audit.model),
        "counts": list(_counts(audit.probes)),
        "selection": plain(audit.selection),
        "warnings": list(warnings(audit)),
        "limits": list(limits(audit)),
        "obligations": plain(obligations()),
        "comparison": None,
    }


def warnings(audit: Audit) -> Iterator[str]:
    """Yield what to know before reading the numbers, one sentence each."""
    yield from audit.document.warnings
    missing = [probe for probe in audit.probes if probe.outcome != "ok"]
    if missing:
        yield (
            f"{len(missing)} of {len(audit.probes)} questions have no score; they count neither as "
            "selected nor as not selected."
        )
    seen: dict[str, None] = {}
    for grouping in audit.selection.groupings:
        seen |= dict.fromkeys(grouping.notes)
    yield from seen


def without_paths(model: dict[str, Any]) -> dict[str, Any]:
    """Return a model's identity without the folders of this machine.

    A model from a local path keeps the last part of it; its hashes say what it is.
    """
    return {name: _placeless(value) for name, value in plain(model).items()}


def _placeless(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    for kind in (PurePosixPath(value), PureWindowsPath(value)):
        if kind.is_absolute() or value.startswith("~"):
            return f"local: {kind.name}"
    return value


def wording_sha256(questions: Sequence[Question]) -> str:
    """Return the SHA-256 of all prompts for an empty posting, and of the answers that count.

    Two audits with the same hash asked the same in the same words but for the posting, and read
    the same from what the model answered.
    """
    digest = hashlib.sha256()
    for one in questions:
        asked = messages(one.role, "", one.persona, one.background.text)
        turns = [[turn.role, turn.content] for turn in asked]
        digest.update(json.dumps([turns, asdict(ANSWERS[one.role])]).encode())
    return digest.hexdigest()


def _document(document: Document) -> dict[str, Any]:
    found: dict[str, Any] = plain(document)
    text = found.pop("text")
    return {
        **found,
        "original_file": original_file(document),
        "text_file": TEXT_FILE,
        "text_sha256": hashlib.sha256(encoded(text)).hexdigest(),
    }


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "words": profile.words,
        "registers": [
            {
                **plain(one),
                "count": one.count,
                "distinct": one.distinct,
                "matched_words": one.matched_words,
                "share": one.share,
                "per_thousand": one.per_thousand,
                "by_class": dict(one.by_class),
            }
            for one in profile.registers
        ],
        "dominance": plain(profile.dominance),
        "dominated_by": list(profile.dominated_by),
    }


def _grid(grid: Grid) -> dict[str, Any]:
    return {
        "attributes": plain(grid.attributes),
        "personas": [
            {
                "name": persona.name,
                "attributes": dict(grid.attributes_of(persona)),
                "stated": dict(persona.fields),
            }
            for persona in grid.personas
        ],
        "backgrounds": plain(grid.backgrounds),
    }


def _counts(probes: Sequence[Probe]) -> Iterator[dict[str, Any]]:
    by_persona: dict[tuple[str, str], list[Probe]] = {}
    for one in probes:
        by_persona.setdefault((one.role, one.persona), []).append(one)
    for (role, persona), own in by_persona.items():
        outcomes = Counter(one.outcome for one in own)
        scores = [one.expected for one in own if one.outcome == "ok" and one.expected is not None]
        yield {
            "role": role,
            "persona": persona,
            "asked": len(own),
            "outcomes": {outcome: outcomes[outcome] for outcome in OUTCOMES},
            "mean_expected": sum(scores) / len(scores) if scores else None,
            "reason": None if scores else "no reply gives a score",
        }


def encoded(text: str) -> bytes:
    """Return UTF-8; half characters, which UTF-8 has no bytes for, as escapes that JSON reads."""
    return text.encode("utf-8", "backslashreplace")
