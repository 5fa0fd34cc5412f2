"""The declaration of the hedging study."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pandas as pd

from isogloss.analysis.plan import AnalysisPlan
from isogloss.config.schema import StudySettings
from isogloss.mixed.model import MixedModel
from isogloss.score.parse import DECISIONS
from isogloss.score.responses import Response
from isogloss.studies.base import Contrast, ItemSet, ItemTable, Origin, Study
from isogloss.studies.hedging.items import read_own, read_published
from isogloss.studies.hedging.recorded import replay_interviews
from isogloss.studies.hedging.settings import HedgingSettings

if TYPE_CHECKING:
    from isogloss.score.ask import Asker

_FOLDER = "data/stimuli/hedging"
REFERENCE = "confident"
HEDGED = Contrast("hedged - confident", "hedged", REFERENCE)
ACCENT = Contrast("accent - confident", "accent", REFERENCE)


class Hedging(Study):
    """Does a model rate the same interview answer lower when it is hedged?

    The accent guise, the confident answer without articles, is the control.
    """

    name = "hedging"
    title = "Hedged answers in interviews"
    settings_model = HedgingSettings
    item_sets = {
        "own": ItemSet(files=(f"{_FOLDER}/items.csv", f"{_FOLDER}/categories.csv")),
        "published": ItemSet(sources=("hedging-questions",)),
    }
    contrasts = (HEDGED, ACCENT)

    def read_items(self, item_set: str, paths: Sequence[Path]) -> pd.DataFrame:
        """Read the authored or the published questions."""
        return read_own(*paths) if item_set == "own" else read_published(*paths)

    def respond(
        self, table: ItemTable, asker: "Asker", settings: StudySettings, origin: Origin
    ) -> list[Response]:
        """Ask for ratings, ratings after reasoning and decisions about every valid pair."""
        # Loads torch, which no other part of a study needs.
        from isogloss.studies.hedging.respond import Questioning

        row = self._row(table, origin, condition="baseline", mode="direct")
        own = cast(HedgingSettings, settings)
        scoring = own.scoring
        return Questioning(table, self._guises(table), asker, scoring, row, origin.seed).ask_all()

    def replay(self, table: ItemTable, path: Path, origin: Origin) -> list[Response]:
        """Map a published score sheet; its rows say whether validation accepted their pair."""

        def pair_is_valid(item_id: str, guise: str) -> bool:
            return guise in self._guises(table)[item_id]

        row = self._row(table, origin, condition="baseline", mode="recorded")
        return replay_interviews(table, path, row, pair_is_valid)

    def plan(self, settings: StudySettings, seed: int) -> AnalysisPlan:
        """Return the analysis plan: ratings from 1 to 5, three decisions from worst to best."""
        own = cast(HedgingSettings, settings)
        best, reserved, worst = DECISIONS
        return AnalysisPlan(
            contrasts=self.contrasts,
            conditions=own.scoring.conditions,
            baseline="baseline",
            smallest_effect=own.analysis.smallest_effect,
            seed=seed,
            decisions=(worst, reserved, best),
            threshold=own.analysis.threshold,
            alpha=own.analysis.alpha,
            draws=own.analysis.bootstrap_draws,
        )

    def mixed_models(self, settings: StudySettings) -> Sequence[MixedModel]:  # noqa: ARG002
        """Return a model of the ratings as ordered categories, and one of expected ratings."""
        several, single = "rating ~ guise * model + (1 | item)", "rating ~ guise + (1 | item)"
        return (
            MixedModel(
                name="ordinal", family="ordinal", value="modal", several=several, single=single
            ),
            MixedModel(
                name="gaussian",
                family="gaussian",
                value="expected",
                several=several,
                single=single,
                reml=True,
            ),
        )

    def _row(self, table: ItemTable, origin: Origin, *, condition: str, mode: str) -> Response:
        return Response(
            study=self.name,
            model=origin.model,
            item_set=table.item_set,
            item_id="",
            guise="",
            condition=condition,
            mode=mode,
            task="rating",
            outcome="ok",
        )

    def _guises(self, table: ItemTable) -> dict[str, list[str]]:
        """Guises of each item that stand in a valid pair, the reference first."""
        guises: dict[str, list[str]] = {}
        for item_id in table.items["item_id"]:
            valid = [c.guise for c in self.contrasts if table.valid.get((item_id, c.name), False)]
            guises[item_id] = [REFERENCE, *valid] if valid else []
        return guises
