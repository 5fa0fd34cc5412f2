"""The declaration of the recruitment study."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from isogloss.analysis.plan import AnalysisPlan, CrossedFamily, PersonaDesign, PersonaFamily
from isogloss.config.schema import StudySettings
from isogloss.mixed.model import MixedModel
from isogloss.postings.personas import GENDER, RACE, UNSPECIFIED, Attribute, crossed
from isogloss.postings.posting import PARTS
from isogloss.postings.roles import SCALE
from isogloss.score.responses import Response
from isogloss.studies.base import ItemSet, ItemTable, Origin, Study
from isogloss.studies.recruitment.items import CONTRASTS
from isogloss.studies.recruitment.settings import RecruitmentSettings

if TYPE_CHECKING:
    from isogloss.score.ask import Asker


class Recruitment(Study):
    """Does the wording of a job posting move scores, and more for some candidates than others?

    Postings in agentic and communal wording are judged for women and men, postings in inclusive
    wording and in coded exclusion for four groups by race and ethnicity; each also for a candidate
    of whom neither is said, so that the effect of the wording alone is known.
    """

    name = "recruitment"
    title = "The wording of job postings"
    settings_model = RecruitmentSettings
    item_sets = {
        name: ItemSet()
        for name in ("gender", "exclusion", "published-gender", "published-exclusion")
    }
    contrasts = CONTRASTS
    design = "personas"

    def respond(
        self, table: ItemTable, asker: "Asker", settings: StudySettings, origin: Origin
    ) -> list[Response]:
        """Ask for a score for each posting, persona, role and part of the posting shown."""
        # Loads torch, which no other part of a study needs.
        from isogloss.studies.recruitment.respond import Questioning

        row = Response(
            study=self.name,
            model=origin.model,
            item_set=table.item_set,
            item_id="",
            guise="",
            condition="full",
            mode="direct",
            task="",
            outcome="ok",
        )
        scoring = cast(RecruitmentSettings, settings).scoring
        return Questioning(table, asker, scoring, row, origin.seed).ask_all()

    def plan(self, settings: StudySettings, seed: int) -> AnalysisPlan:
        """Return the analysis plan: scores from 1 to 10, by persona and role."""
        own = cast(RecruitmentSettings, settings)
        return AnalysisPlan(
            contrasts=self.contrasts,
            conditions=PARTS,
            baseline="full",
            smallest_effect=own.analysis.smallest_effect,
            seed=seed,
            scale=SCALE,
            alpha=own.analysis.alpha,
            personas=PersonaDesign(
                roles=own.scoring.roles,
                unspecified=UNSPECIFIED,
                families=(_family(GENDER), _family(RACE)),
                crossed=(_race_by_gender(),),
            ),
        )

    def mixed_models(self, settings: StudySettings) -> Sequence[MixedModel]:  # noqa: ARG002
        """Return a model of the scores as ordered categories, and one of expected scores.

        A posting is a wording: an item in one guise. Without an intercept of its own, what a
        wording adds to the scores of all personas would pass for the effect of its guise.
        """
        several = "rating ~ guise * persona + (1 | item/guise) + (1 | model)"
        single = "rating ~ guise * persona + (1 | item/guise)"
        return (
            MixedModel(
                name="ordinal",
                family="ordinal",
                value="modal",
                several=several,
                single=single,
                by="persona",
            ),
            MixedModel(
                name="gaussian",
                family="gaussian",
                value="expected",
                several=several,
                single=single,
                reml=True,
                by="persona",
            ),
        )


def _family(attribute: Attribute) -> PersonaFamily:
    return PersonaFamily(attribute.name, attribute.names, attribute.reference)


def _race_by_gender() -> CrossedFamily:
    cells = [
        (persona.attributes[0][1], persona.attributes[1][1], persona.name)
        for persona in crossed([RACE, GENDER])
    ]
    return CrossedFamily("race x gender", RACE.names, ("female", "male"), tuple(cells))
