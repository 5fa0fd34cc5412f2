"""The report: its pages, and the files that they are made from."""

from dataclasses import dataclass

from isogloss.project.results import ResultFiles


@dataclass(frozen=True)
class ReportFiles(ResultFiles):
    """What the stage report reads."""

    def report_inputs(self) -> list[str]:
        """Files that the report's parts are made from: result tables and model manifests."""
        tables = [
            path
            for study in self.config.studies
            for path in (*self.result_paths(study), *self.mixed_paths(study))
        ]
        used = {job.model for job in self.jobs()}
        return [
            *tables,
            *self.weat_paths(),
            *self.calibration_paths(),
            *self.inventory_paths(),
            *(self.model_input(model) for model in sorted(used)),
        ]

    def parts_inputs(self) -> list[str]:
        """Files outside the report's folder that its parts are made from."""
        return [*self.report_inputs(), *self.guise_files(), "data/sources.yaml"]

    def pages(self) -> list[str]:
        """Sources of the report's pages."""
        return sorted(f"reports/{path.name}" for path in (self.root / "reports").glob("*.qmd"))
