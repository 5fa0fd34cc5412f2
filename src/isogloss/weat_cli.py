"""The command that tests associations in embeddings."""

import logging
from pathlib import Path
from typing import Annotated, Any

from isogloss.options import DEFAULT_CONFIG, ConfigOption, QuietOption, out_folder
from isogloss.project import open_project
from isogloss.stage_outputs import wrote_files
from isogloss.terminal import tell

logger = logging.getLogger("isogloss")


def weat(
    out: Annotated[Path, out_folder("Folder to write the tables into.")] = Path(
        "data/results/weat"
    ),
    config: ConfigOption = DEFAULT_CONFIG,
    quiet: QuietOption = False,  # noqa: ARG001
) -> None:
    """Test associations in word vectors and sentence encoders, on words and on texts."""
    from isogloss.validate.table import rows_of
    from isogloss.weat.stage import run_weat

    project = open_project(config)
    settings = project.config.weat
    within_reach = project.sets()
    items = {
        one.set: project.root / "data" / "items" / one.set / "items.csv"
        for one in settings.contrasts.values()
        if one.set in within_reach
    }
    tables = run_weat(settings, project.root, items, project.config.seed, out)
    wrote_files(project.root, [out / Path(path).name for path in project.weat_paths()])
    for row in rows_of(tables["contrasts"]):
        tell(_said(row), heed=row["status"] != "ok")
    for name, one in settings.contrasts.items():
        if one.set not in items:
            logger.warning("%s was not tested: item set %s is out of reach", name, one.set)


def _said(row: dict[str, Any]) -> str:
    where = ", ".join(row[name] for name in ("contrast", "part", "embedding", "design"))
    if row["status"] != "ok":
        return f"{where}: not estimable ({row['reason']})"
    return f"{where}: d = {row['effect_size']:.2f}, p = {row['p_value']:.2g}"
