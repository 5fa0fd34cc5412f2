"""The four stages of an audit, in order."""

import datetime
from dataclasses import dataclass
from pathlib import Path

from isogloss import __version__
from isogloss.audit.audit import Audit
from isogloss.audit.document import Document, read_posting
from isogloss.audit.gender_coding import STEMS, gender_coding, load_gender_decoder
from isogloss.audit.grid import Grid, grid_of, read_attributes, read_backgrounds
from isogloss.audit.probe import Question, probe, questions_about
from isogloss.audit.profile import REGISTERS, load_registers, profile
from isogloss.audit.selection import select
from isogloss.audit.settings import AuditSettings
from isogloss.fetch.obtain import sha256_of
from isogloss.models.identity import manifest_of
from isogloss.postings.personas import GENDER, RACE
from isogloss.postings.posting import Posting
from isogloss.score.ask import Asker
from isogloss.score.backend import Estimate
from isogloss.score.dry_run import DryRun, UnchangedStore
from isogloss.score.progress import Progress
from isogloss.score.stage import Opened
from isogloss.score.store import DEFAULT_STORE, ResponseStore
from isogloss.validate.lexicon import Lexicon


@dataclass(frozen=True)
class Inputs:
    """What an audit starts from."""

    document: Document
    registers: tuple[Lexicon, ...]
    gender_decoder: Lexicon
    lexicons: tuple[tuple[str, str], ...]
    """Files with the word lists, each with its SHA-256."""
    grid: Grid
    settings: AuditSettings

    @property
    def questions(self) -> list[Question]:
        """Every question that stage S2 asks."""
        return questions_about(posting_of(self.document), self.grid, self.settings)


def read_inputs(
    posting: Path,
    project: Path,
    settings: AuditSettings,
    *,
    personas: Path | None = None,
    backgrounds: Path | None = None,
    allow_other_language: bool = False,
) -> Inputs:
    """Read the posting, the lexicons and the grid; without files, the default grid.

    Raises `PostingError` for a posting that cannot be audited, `ItemError` for a lexicon and
    `ConfigurationError` for a grid that cannot be read.
    """
    document = read_posting(posting, allow_other_language=allow_other_language)
    folder, stems = project / "data" / "lexicons", project / "data" / "audit"
    files = [*(folder / f"{name}.yaml" for name in REGISTERS), stems / STEMS]
    attributes = (GENDER, RACE) if personas is None else read_attributes(personas)
    place = project / "data" / "audit" / "backgrounds.yaml" if backgrounds is None else backgrounds
    return Inputs(
        document,
        load_registers(folder),
        load_gender_decoder(stems),
        tuple((file.relative_to(project).as_posix(), sha256_of(file)) for file in files),
        grid_of(attributes, read_backgrounds(place)),
        settings,
    )


def posting_of(document: Document) -> Posting:
    """Return the posting as prompts show it: a title, where one was found, and the rest."""
    return Posting(document.title or "", document.description)


def estimate(inputs: Inputs, opened: Opened, project: Path) -> Estimate:
    """Estimate what `audit_posting` would still have to ask; nothing is asked or stored."""
    dry = DryRun(opened.backend)
    with ResponseStore(project / DEFAULT_STORE) as store:
        asker = Asker(dry, UnchangedStore(store), progress=Progress)
        probe(inputs.questions, inputs.grid, asker, inputs.settings)
    return dry.total


def audit_posting(inputs: Inputs, opened: Opened, project: Path) -> Audit:
    """Ask the model, reusing every answer in the project's response store, and compute rates."""
    manifest = manifest_of(opened.identity)
    with ResponseStore(project / DEFAULT_STORE) as store:
        store.describe_model(opened.backend.digest, manifest)
        asker = Asker(opened.backend, store, progress=Progress)
        probes = probe(inputs.questions, inputs.grid, asker, inputs.settings)
    return Audit(
        created=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        version=__version__,
        lexicons=inputs.lexicons,
        document=inputs.document,
        profile=profile(inputs.document.text, inputs.registers),
        gender_coding=gender_coding(inputs.document.text, inputs.gender_decoder),
        settings=inputs.settings,
        grid=inputs.grid,
        model=manifest,
        questions=tuple(inputs.questions),
        probes=tuple(probes),
        selection=select(probes, inputs.settings),
    )
