"""Everything that a run makes."""

from dataclasses import dataclass

from isogloss.project.generated import GeneratedFiles
from isogloss.project.report import ReportFiles


@dataclass(frozen=True)
class ArtifactFiles(GeneratedFiles, ReportFiles):
    """The outputs of all rules before the report."""

    def artifacts(self) -> list[str]:
        """Files that the run makes before its report, each once.

        The workflow asks for each of them: Snakemake does not make a deleted file again as long as
        all that was made from it is there.
        """
        paths = (
            *self._raw_paths(),
            *(self.model_input(name) for name in self._models()),
            *self.set_tables(),
            *(f"data/items/{name}/{table}.csv" for name in self._read_sets() for table in _MADE),
            *self.generated_paths(),
            *(self.responses_path(job) for job in self.jobs()),
            *self.report_inputs(),
        )
        return list(dict.fromkeys(paths))

    def _read_sets(self) -> list[str]:
        """Item sets to validate, and those from which texts are generated."""
        made = (one.set for one in self.config.stimuli.generate.values())
        return list(dict.fromkeys((*self.sets(), *made)))

    def _raw_paths(self) -> list[str]:
        """Fetched sources of item sets."""
        raw = {self.raw_path(source) for source in self.sources}
        names = (name.partition("/") for name in self._read_sets())
        return [path for s, _, items in names for path in self.item_inputs(s, items) if path in raw]

    def _models(self) -> list[str]:
        """Models that answer, judge or draft."""
        judge = self.config.stimuli.judge
        drafting = (one.by for one in self.config.stimuli.generate.values() if one.by != "rules")
        answering = (job.model for job in self.jobs())
        return list(dict.fromkeys((*answering, *([judge] if judge else []), *drafting)))


_MADE = ("items", "repairs")
"""Tables of an item set before it is validated."""
