"""The studies that can be run."""

from isogloss.studies.base import Study
from isogloss.studies.hedging.study import Hedging
from isogloss.studies.recruitment.study import Recruitment

STUDIES: dict[str, Study] = {study.name: study for study in (Hedging(), Recruitment())}
