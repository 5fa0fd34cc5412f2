"""The metadata of a package: RO-Crate 1.1 with the Workflow Run profiles 0.5."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from isogloss.crate.actions import RUN, WORKFLOW, Actions, actions_of
from isogloss.crate.citation import Citation
from isogloss.crate.contents import PackagedFile
from isogloss.crate.entities import (
    DESCRIPTOR,
    Entity,
    author_entities,
    file_entity,
    file_id,
    identity_of,
    licence_entity,
    licence_id,
    ref,
    refs,
)
from isogloss.crate.history import Commit
from isogloss.crate.software import TOOL, language_entity, pins_among, software_entities
from isogloss.record.lock import Lock, RecordedPath

CONTEXT = (
    "https://w3id.org/ro/crate/1.1/context",
    "https://w3id.org/ro/terms/workflow-run/context",
)
REPORT = "reports/_site/index.html"
"""First page of the report."""
README = "README.md"
"""What says to people what the project is."""

_CRATE = "https://w3id.org/ro/crate/1.1"
_WORKFLOW_CRATE = "https://w3id.org/workflowhub/workflow-ro-crate/1.0"
_PROFILES = {
    "https://w3id.org/ro/wfrun/process/0.5": ("Process Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/workflow/0.5": ("Workflow Run Crate", "0.5"),
    "https://w3id.org/ro/wfrun/provenance/0.5": ("Provenance Run Crate", "0.5"),
    _WORKFLOW_CRATE: ("Workflow RO-Crate", "1.0"),
}


@dataclass(frozen=True)
class Recorded:
    """All that the metadata say."""

    lock: Lock
    """The record."""
    order: tuple[str, ...]
    """Names of the stages in the order of the chain."""
    files: tuple[PackagedFile, ...]
    """Files of the run, sorted by path; the main workflow is among them."""
    citation: Citation
    """Who made it."""
    commit: Commit
    """Where the record stands."""
    identifier: str
    """Name that the report and the package share."""


def render_metadata(recorded: Recorded) -> bytes:
    """Content of `ro-crate-metadata.json`, the same for the same run."""
    graph = [_compact(entity) for entity in _graph(recorded)]
    document = {"@context": list(CONTEXT), "@graph": graph}
    return (json.dumps(document, indent=1, ensure_ascii=False) + "\n").encode()


def _compact(entity: Entity) -> Entity:
    """The entity as RO-Crate wants it: one value without a list, and no empty list."""
    return {
        key: value[0] if isinstance(value, list) and len(value) == 1 else value
        for key, value in entity.items()
        if value != []
    }


def _graph(recorded: Recorded) -> list[Entity]:
    files = {file.path: file for file in recorded.files}
    pins = pins_among(files)
    name = f"Run {recorded.identifier.rpartition(':')[2]}"
    actions = actions_of(recorded.lock, recorded.order, files, name, recorded.citation.version)
    authors = author_entities(recorded.citation.authors)
    folders = folders_of(recorded.lock)
    described = [_file(file, recorded, actions) for file in recorded.files]
    root = _root(recorded, actions, authors, folders)
    licences = {n for file in recorded.files for n in file.handling.licences if not file.withheld}
    return [
        _descriptor(),
        root,
        *(_profile(address) for address in _PROFILES),
        *map(licence_entity, sorted({recorded.citation.license, *licences})),
        *authors,
        language_entity(pins),
        *software_entities(recorded.citation, pins),
        *(_folder(folder, recorded.files) for folder in folders),
        *described,
        *actions.tools,
        *actions.steps,
        *actions.runs,
    ]


def _descriptor() -> Entity:
    return {
        "@id": DESCRIPTOR,
        "@type": "CreativeWork",
        "about": ref("./"),
        "conformsTo": refs((_CRATE, _WORKFLOW_CRATE)),
    }


def _profile(address: str) -> Entity:
    name, version = _PROFILES[address]
    return {"@id": address, "@type": "CreativeWork", "name": name, "version": version}


def _root(
    recorded: Recorded,
    actions: Actions,
    authors: Sequence[Entity],
    folders: Iterable[RecordedPath],
) -> Entity:
    inside = [file_id(file.path) for file in recorded.files if not file.withheld]
    withheld = [identity_of(file) for file in recorded.files if file.withheld]
    citation = recorded.citation
    return {
        "@id": "./",
        "@type": "Dataset",
        "identifier": recorded.identifier,
        "name": f"A recorded run of {citation.title}",
        "description": _description(recorded),
        "datePublished": recorded.commit.date.isoformat(),
        "license": ref(licence_id(citation.license)),
        "author": refs(author["@id"] for author in authors),
        **({"keywords": ", ".join(citation.keywords)} if citation.keywords else {}),
        "conformsTo": refs(_PROFILES),
        "mainEntity": ref(WORKFLOW),
        "hasPart": refs((*inside, *(file_id(f"{folder.path}/") for folder in folders))),
        "mentions": refs((TOOL, *(run["@id"] for run in actions.runs), *withheld)),
    }


def _description(recorded: Recorded) -> str:
    kept_back = [file for file in recorded.files if file.withheld]
    counts = Counter(file.role for file in recorded.files if not file.withheld)
    said = (
        f"{counts['artifact']} artifacts of {len(recorded.lock.stages)} stages, the inputs they "
        f"were made from, and the workflow, as recorded in dvc.lock and committed to git as "
        f"{recorded.commit.id} on the date given. The code is that of this commit. Versions of "
        "software are those that constraints.txt pins. md5 is the hash that DVC recorded."
    )
    if not kept_back:
        return said
    return (
        f"{said} {len(kept_back)} artifacts are described by their hashes and are not in the "
        "package: they come from sources that may not be handed on, are made straight from such "
        "a source, or hold passages of one. Each says its reason under conditionsOfAccess."
    )


def _file(file: PackagedFile, recorded: Recorded, actions: Actions) -> Entity:
    entity = file_entity(file)
    if file.path == WORKFLOW:
        return entity | _workflow(recorded, actions)
    if file.path == README:
        entity["about"] = ref("./")
    if file.path == REPORT:
        entity |= {"name": "The report of this run", "about": ref(RUN)}
    return entity


def _workflow(recorded: Recorded, actions: Actions) -> Entity:
    return {
        "@type": ["File", "SoftwareSourceCode", "ComputationalWorkflow", "HowTo"],
        "name": recorded.citation.title,
        "programmingLanguage": ref("https://w3id.org/workflowhub/workflow-ro-crate#snakemake"),
        "license": ref(licence_id(recorded.citation.license)),
        "version": recorded.citation.version,
        "hasPart": refs(tool["@id"] for tool in actions.tools),
        "step": refs(step["@id"] for step in actions.steps),
    }


def folders_of(lock: Lock) -> tuple[RecordedPath, ...]:
    """Directories that stages read or wrote, each once."""
    used = (entry for stage in lock.stages.values() for entry in (*stage.deps, *stage.outs))
    found = {entry.path: entry for entry in used if entry.is_directory}
    return tuple(found[path] for path in sorted(found))


def _folder(folder: RecordedPath, files: Iterable[PackagedFile]) -> Entity:
    below = [f for f in files if f.path.startswith(f"{folder.path}/") and not f.withheld]
    return {
        "@id": file_id(f"{folder.path}/"),
        "@type": "Dataset",
        "name": folder.path,
        "description": "A directory; md5 is DVC's hash over the list of all its files.",
        "md5": folder.md5,
        "hasPart": refs(file_id(file.path) for file in below),
    }
