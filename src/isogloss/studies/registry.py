"""The studies that can be run."""

from isogloss.studies.base import Study
from isogloss.studies.hedging.study import Hedging

STUDIES: dict[str, Study] = {study.name: study for study in (Hedging(),)}
