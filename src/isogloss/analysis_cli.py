"""Commands that estimate: the effects of a study, and its mixed models."""

import logging
from pathlib import Path
from typing import Annotated

from isogloss.options import DEFAULT_CONFIG, ConfigOption, QuietOption, StudyArgument, out_folder
from isogloss.project import open_project
from isogloss.stage_outputs import wrote_files
from isogloss.terminal import tell

logger = logging.getLogger("isogloss")


def analysis(
    study: StudyArgument,
    out: Annotated[Path, out_folder("Folder to write the result tables into.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Estimate every effect of a study from its response tables."""
    from isogloss.analysis.designs import tables_of
    from isogloss.analysis.means import describe_means
    from isogloss.analysis.run import Validation, run_analysis
    from isogloss.analysis.tables import read_tables

    project = open_project(config)
    declared = project.study(study)
    folders = {
        items: project.root / project.items_folder(study, items)
        for items in project.item_sets(study)
    }
    written = run_analysis(
        [project.root / project.responses_path(job) for job in project.jobs(study)],
        {
            items: Validation(folder / "checks.csv", folder / "verdicts.csv")
            for items, folder in folders.items()
        },
        declared.plan(project.settings(study), project.config.seed),
        out,
    )
    wrote_files(project.root, written)
    means = {"means": tables_of(declared.design)["means"]}
    for line in describe_means(read_tables(out, means)["means"]):
        logger.info("%s", line)


def glmm(
    study: StudyArgument,
    out: Annotated[Path, out_folder("Folder to write the tables of mixed models into.")],
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Fit the mixed models that a study declares to its response tables."""
    from isogloss.analysis.tables import read_tables
    from isogloss.mixed.records import MIXED_TABLES
    from isogloss.mixed.run import describe_fits, run_mixed

    project = open_project(config)
    declared, settings = project.study(study), project.settings(study)
    written = run_mixed(
        [project.root / path for path in project.mixed_inputs(study)],
        declared.plan(settings, project.config.seed),
        declared.mixed_models(settings),
        out,
    )
    wrote_files(project.root, written)
    fits = read_tables(out, MIXED_TABLES)["mixed_fits"]
    for line, status in zip(describe_fits(fits), fits["status"], strict=True):
        tell(line, heed=status != "ok")
