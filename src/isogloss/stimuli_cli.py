"""Commands about stimuli: bring sets into form, validate, calibrate the checks, sum up."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from isogloss.options import DEFAULT_CONFIG, ConfigOption, QuietOption, out_folder
from isogloss.project import Project, open_project
from isogloss.stage_outputs import wrote_files

if TYPE_CHECKING:
    from isogloss.validate.comparison import Comparison
    from isogloss.validate.instruments import Instruments
    from isogloss.validate.judge import Judge

logger = logging.getLogger("isogloss")

SetStudyArgument = Annotated[
    str, typer.Argument(metavar="STUDY", help="Folder of data/stimuli that declares the set.")
]
SetArgument = Annotated[str, typer.Argument(metavar="ITEMS", help="Name of an item set in it.")]


def stimuli(
    study: SetStudyArgument,
    items: SetArgument,
    out: Annotated[Path, out_folder("Folder to write items.csv and repairs.csv into.")],
    config: ConfigOption = DEFAULT_CONFIG,
) -> None:
    """Bring an item set into the one form that later stages read."""
    from isogloss.stimuli import read_set, write_items
    from isogloss.studies.registry import STUDIES

    project = open_project(config)
    declared = project.declared_set(study, items)
    paths = [project.root / path for path in project.item_inputs(study, items)]
    table = read_set(declared, STUDIES.get(study), paths)
    write_items(table, declared.content.context, str(paths[0]), out)
    wrote_files(project.root, [out / "items.csv", out / "repairs.csv"])


def validate(
    study: SetStudyArgument,
    items: SetArgument,
    folder: Annotated[Path, typer.Option(help="Folder with items.csv; checks are written beside.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Check that the wordings of each item differ in the guise and in nothing else."""
    from isogloss.validate.stage import write_verdicts
    from isogloss.validate.validation import Form

    project = open_project(config)
    content = project.declared_set(study, items).content
    with _judge(project) as judge:
        verdicts = write_verdicts(
            folder,
            comparisons(project, f"{study}/{items}"),
            instruments(project),
            Form(content.context, content.also),
            _other_texts(project, f"{study}/{items}"),
            judge,
        )
    wrote_files(project.root, [folder / "checks.csv", folder / "verdicts.csv"])
    for contrast, valid in verdicts.groupby("contrast", sort=False)["valid"]:
        logger.info("%s, %s: %d of %d valid", items, contrast, valid.sum(), len(valid))


def calibrate(
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Measure how well the checks tell good pairs from bad ones, on labelled pairs."""
    from isogloss.guises.definition import load_guises
    from isogloss.validate.calibrate import write_calibration

    project = open_project(config)
    guises = load_guises(project.root / "data" / "guises")
    folder = project.root / Path(project.calibration_paths()[0]).parent
    said = write_calibration(
        project.root / "data" / "calibration",
        guises,
        project.config.stimuli.thresholds,
        instruments(project),
        folder,
    )
    wrote_files(project.root, [project.root / path for path in project.calibration_paths()])
    for line in said:
        logger.info("%s", line)


def inventory(
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Sum up every item set, what was generated, and what people decided."""
    from isogloss.inventory.generated import Made
    from isogloss.inventory.run import Sets, run_inventory
    from isogloss.review.decisions import read_decisions

    project = open_project(config)
    beyond = project.sets_out_of_reach()
    names = [*project.sets(), *beyond]
    sets = Sets(
        {name: project.declared[name] for name in names},
        {name: project.root / "data" / "items" / name for name in project.sets()},
        beyond,
    )
    made = {
        name: Made(one.set, one.guise, one.by, project.root / project.generated_folder(name))
        for name, one in project.config.stimuli.generate.items()
    }
    decisions = tuple(
        decision
        for path in project.review_files()
        for decision in read_decisions(project.root / path)
    )
    folder = project.root / Path(project.inventory_paths()[0]).parent
    found = run_inventory(sets, made, decisions, folder)["sets"]
    wrote_files(project.root, [project.root / path for path in project.inventory_paths()])
    for row in found.to_dict("records"):
        logger.info("%s: %d of %d valid", row["item_set"], row["valid"], row["pairs"])
    for name, reason in beyond.items():
        logger.warning("%s was not validated: %s", name, reason)


def comparisons(project: Project, name: str) -> "list[Comparison]":
    """What is compared in an item set."""
    from isogloss.guises.definition import load_guises

    guises = load_guises(project.root / "data" / "guises")
    general = project.config.stimuli.thresholds.model_dump(exclude_unset=True)
    return project.declared[name].comparisons(guises, general)


def instruments(project: Project) -> "Instruments":
    """Everything that checks measure with; loads the sentence encoder."""
    from isogloss.guises.definition import load_guises
    from isogloss.models.encoder import load_encoder
    from isogloss.validate.instruments import load_instruments

    guises = load_guises(project.root / "data" / "guises")
    encode = load_encoder(project.config.encoder, project.root)
    return load_instruments(guises, project.root, encode)


@contextmanager
def _judge(project: Project) -> "Iterator[Judge | None]":
    """The configured model as a judge of pairs; None where none is configured."""
    name = project.config.stimuli.judge
    if name is None:
        yield None
        return
    from isogloss.models.identity import manifest_of
    from isogloss.score.ask import Asker
    from isogloss.score.progress import Progress
    from isogloss.score.stage import open_backend
    from isogloss.score.store import DEFAULT_STORE, ResponseStore
    from isogloss.validate.judge import judge_by

    opened = open_backend(name, project.asked_model(name), project.sources, project.root)
    with ResponseStore(project.root / DEFAULT_STORE) as store:
        store.describe_model(opened.backend.digest, manifest_of(opened.identity))
        yield judge_by(Asker(opened.backend, store, progress=Progress))


def _other_texts(project: Project, name: str) -> dict[str, list[str]]:
    """Texts of the sets in which those of this one must not stand."""
    from isogloss.validate.stage import read_texts

    found = {}
    for path in project.other_items(name):
        other = "/".join(Path(path).parts[-3:-1])
        content = project.declared[other].content
        columns = [c for one in content.compare for c in (one.guise, one.reference) if c]
        found[other] = read_texts(project.root / path, columns)
    return found
