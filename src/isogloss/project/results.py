"""Responses, and the tables of results that the stages write."""

from dataclasses import dataclass

from isogloss.analysis.files import result_files
from isogloss.inventory.files import CALIBRATION_FILES, INVENTORY_FILES
from isogloss.mixed.files import MIXED_FILES
from isogloss.project.configured import Job
from isogloss.project.items import ItemFiles
from isogloss.weat.files import TABLE_NAMES as WEAT_TABLE_NAMES


@dataclass(frozen=True)
class ResultFiles(ItemFiles):
    """What each stage after validation reads and writes."""

    def responses_path(self, job: Job) -> str:
        """Path of a response table."""
        return f"data/responses/{job.study}/{job.items}/{job.model}.parquet"

    def results_folder(self, study: str) -> str:
        """Folder of a study's result tables."""
        return f"data/results/{study}"

    def analysis_inputs(self, study: str) -> list[str]:
        """Files that a study's analysis reads: responses, checks and verdicts."""
        folders = [self.items_folder(study, items) for items in self.item_sets(study)]
        tables = [f"{f}/{name}.csv" for f in folders for name in ("checks", "verdicts")]
        return [*(self.responses_path(job) for job in self.jobs(study)), *tables]

    def result_paths(self, study: str) -> list[str]:
        """Files that a study's analysis writes: its tables, and the plan they follow."""
        names = result_files(self.study(study).design)
        return [f"{self.results_folder(study)}/{name}" for name in names]

    def mixed_inputs(self, study: str) -> list[str]:
        """Files that a study's mixed models read: responses."""
        return [self.responses_path(job) for job in self.jobs(study)]

    def mixed_paths(self, study: str) -> list[str]:
        """Files that the stage glmm writes for a study."""
        return [f"{self.results_folder(study)}/{name}" for name in MIXED_FILES]

    def weat_inputs(self) -> list[str]:
        """Files that the stage weat reads: word lists, items, and vectors that are no package."""
        settings = self.config.weat
        within_reach = self.sets()
        sets = dict.fromkeys(contrast.set for contrast in settings.contrasts.values())
        files = [
            str(getattr(embedding, field))
            for embedding in settings.embeddings.values()
            if embedding.kind in ("text", "npy")
            for field in ("path", "words")
            if hasattr(embedding, field)
        ]
        items = [f"data/items/{name}/items.csv" for name in sets if name in within_reach]
        return [settings.lists, *items, *files]

    def weat_paths(self) -> list[str]:
        """Files that the stage weat writes."""
        return [f"data/results/weat/{name}.csv" for name in WEAT_TABLE_NAMES]

    def calibration_paths(self) -> list[str]:
        """Files that say how well the checks do on labelled pairs."""
        return [f"data/results/calibration/{name}" for name in CALIBRATION_FILES]

    def inventory_paths(self) -> list[str]:
        """Files that sum up all item sets, generated texts and reviews."""
        return [f"data/results/stimuli/{name}" for name in INVENTORY_FILES]
